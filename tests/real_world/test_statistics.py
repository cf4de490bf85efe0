"""Numbers that came out wrong or without a warning: means, errors, agreement and win rates of small inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judgekit import stats

KIND = "statistics"


def test_statistic(situation: Any, project: Any) -> None:
    # Warnings are errors, so none of these may so much as divide by zero.
    HANDLERS[situation.id](situation, project)
    assert situation.leftover() == []


def ties(situation: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    one = stats.win_rate(given["wins"], given["losses"], given["ties"])
    assert one.value == expected["win_rate"]
    assert one.detail["tie_rate"] == expected["tie_rate"]
    without_ties = stats.win_rate(given["losses"], given["wins"])
    assert without_ties.value == expected["loss_rate_excluding_ties"]


def flips_with_the_order(situation: Any, _: Any) -> None:
    expected = situation.expected
    # Outcomes for A: a win where the preferred position is the one that A stood in.
    first, second = (
        "win" if pair["shown"][pair["preferred_position"] - 1] == "A" else "loss"
        for pair in situation.input["pairwise"]
    )
    verdict = stats.swap_verdict(first, second, "strict")
    assert verdict.label == expected["winner"]
    assert verdict.consistent is expected["consistent"]
    bias = stats.position_bias([first], [second])
    assert (bias.n, bias.consistent, bias.first_slot) == (1, 0, 1)


def one_label_only(situation: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    kappa = stats.cohen_kappa(given["judge"], given["human"])
    assert kappa.value is expected["kappa"]
    assert kappa.detail["observed"] == expected["agreement"]
    assert expected["note"] in kappa.reason
    situation.sets_aside("never", because="follows from the value None with a reason")


def one_value(situation: Any, _: Any) -> None:
    for values, wanted in zip(situation.input["samples"], situation.expected["results"], strict=True):
        mean = stats.mean_interval(values)
        assert {"mean": mean.value, "n": mean.n, "stderr": mean.se} == wanted
        assert (mean.low, mean.high) == (None, None)
        assert mean.reason
    situation.sets_aside("never", because="follows from the equal results; warnings are errors")


def group_means(situation: Any, _: Any) -> None:
    expected = situation.expected
    values, groups = [], []
    for name, group in situation.input["groups"].items():
        values += [1] * group["ones"] + [0] * group["zeros"]
        groups += [name] * (group["ones"] + group["zeros"])
    for kind, weights in (("weighted", "cases"), ("unweighted", "groups")):
        one = stats.stratified_mean(values, groups, weights=weights)
        wanted = expected[kind]
        assert one.value == pytest.approx(wanted["mean"], abs=expected["tolerance"])
        assert one.se == pytest.approx(wanted["stderr"], abs=expected["tolerance"])


def mean_of_means(situation: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    values, groups = [], []
    for number, (size, mean) in enumerate(zip(given["sizes"], given["means"], strict=True)):
        # Two values around the group's mean, and the mean itself as often as it takes.
        values += [mean - 0.01, mean + 0.01] + [mean] * (size - 2)
        groups += [number] * size
    by_case = stats.stratified_mean(values, groups, weights="cases")
    by_group = stats.stratified_mean(values, groups, weights="groups")
    # The case rounds to four decimals.
    assert by_case.value == pytest.approx(expected["by_case"], abs=6e-5)
    assert by_group.value == pytest.approx(expected["by_group"], abs=6e-5)
    # Which of the two it is stands with the number, and has to be said by who asks for it.
    assert (by_case.method != by_group.method) is expected["label_required"]
    with pytest.raises(TypeError, match="weights"):
        stats.stratified_mean(values, groups)


def failures_are_no_zeros(situation: Any, project: Any) -> None:
    given, expected = situation.input["scores"], situation.expected
    argv = project.scored("q", [None if score == "error" else score for score in given], low=1, high=5)
    run = project.score(argv[0], judge=argv[2])
    (one,) = [one for one in run.summary["estimates"] if one["metric"] == "q"]
    assert one["mean"] == pytest.approx(expected["mean"], abs=1e-6)
    assert (one["n_scored"], one["n_total"]) == (expected["n"], expected["of"])
    rows = run.data.results
    assert sum(row.status == "error" for row in rows) == expected["errors"]
    assert [row.score for row in rows if row.status == "error"] == [None]
    assert all(one["mean"] != pytest.approx(wrong["mean"]) for wrong in expected["never"])
    # In the frame a missing score is NaN, which pandas leaves out by itself.
    assert run.results["score"].mean() == pytest.approx(expected["mean"], abs=1e-6)


def repeats_of_a_case(situation: Any, project: Any) -> None:
    given, expected = situation.input["case_scores"], situation.expected
    values = [score for scores in given.values() for score in scores]
    cases = [name for name, scores in given.items() for _ in scores]
    one = stats.mean_interval(values, cases)
    assert {"mean": one.value, "cases": one.n, "stderr": one.se} == {
        key: expected[key] for key in ("mean", "cases", "stderr")
    }
    assert all(one.se != pytest.approx(wrong["stderr"]) for wrong in expected["never"])
    # A run with so many trials reports the same: two cases alone allow every mean from 0 to 1.
    project.write("suite.yaml", {"cases": [{"id": name, "expect": {"equals": "1"}} for name in given]})
    rows = [
        {"id": name, "trial": trial, "output": str(score)}
        for name, scores in given.items()
        for trial, score in enumerate(scores)
    ]
    project.write("outputs.jsonl", rows)
    run = project.score("suite.yaml", outputs="outputs.jsonl")
    (metric,) = [one for one in run.summary["estimates"] if one["metric"] == "equals"]
    assert (metric["mean"], metric["ci_low"], metric["ci_high"]) == (expected["mean"], 0, 1)


HANDLERS: dict[str, Callable[[Any, Any], None]] = {
    "BR-138": ties,
    "BR-139": flips_with_the_order,
    "BR-141": one_label_only,
    "BR-143": one_value,
    "BR-145": group_means,
    "BR-146": mean_of_means,
    "BR-147": failures_are_no_zeros,
    "BR-149": repeats_of_a_case,
}
