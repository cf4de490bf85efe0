"""What a pipeline sees: the exit code, and the printed verdict that must not disagree with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import judgekit as jk
from judgekit.records import Case

KIND = "ci-gate"


def test_gate(situation: Any, project: Any, translated: Callable[[str], str]) -> None:
    HANDLERS[situation.id](situation, project, translated)
    assert situation.leftover() == []


def results(project: Any, counts: dict[str, int]) -> str:
    """A suite with so many cases that pass, fail and are errors; its file name."""
    outputs = {"pass": {"output": "yes"}, "fail": {"output": "no"}, "error": {}}
    cases = [
        {"id": f"{status}{number}", "expect": {"equals": "yes"}, **outputs[status]}
        for status, count in counts.items()
        for number in range(count)
    ]
    return str(project.write("suite.yaml", {"cases": cases}).name)


def gate(project: Any, **rules: Any) -> None:
    project.write("judgekit.yaml", {"gate": rules})


def estimate(run: jk.Run, metric: str) -> dict[str, Any]:
    (one,) = [one for one in run.summary["estimates"] if one["metric"] == metric]
    return dict(one)


def agrees(done: Any, run: jk.Run) -> bool:
    """True if the last lines of the terminal, summary.json and the exit code say the same."""
    said = run.summary["decision"]
    word = {0: "gate passed", 1: "gate failed", 3: "gate undecided"}[done.returncode]
    return word in done.stdout and said["exit_code"] == done.returncode and said["passed"] == (done.returncode == 0)


def failing_cases(situation: Any, project: Any, _: Any) -> None:
    # The only one of this file in a process of its own: the others' exit codes are those of the same function.
    done = project.process("score", results(project, situation.input["results"]))
    assert done.returncode == situation.exit_code
    assert agrees(done, project.run())


def empty_suite(situation: Any, project: Any, ours: Callable[[str], str]) -> None:
    project.write("suite.yaml", ours(situation.input["yaml"]))
    done = project.cli("score", "suite.yaml")
    assert done.returncode == situation.exit_code
    for words in situation.expected["error_mentions"]:
        assert f"suite.yaml:1: {words}" in done.stderr
    situation.sets_aside(
        "with_flag_allow_empty", because="no such flag: nothing selected to run is always exit 2 (design, Exit codes)"
    )


def zero_repetitions(situation: Any, project: Any, _: Any) -> None:
    # Their `repeat` is our `trials`, a flag, a setting and a key of a case.
    n = situation.input["settings"]["repeat"]
    suite = results(project, {"pass": situation.input["cases"]})
    said = []
    for count in (n, -1):
        done = project.cli("score", suite, f"--trials={count}")
        assert done.returncode == situation.exit_code
        said.append(done.stderr)
    for name, text in (
        ("judgekit.yaml", f"trials: {n}\n"),
        (suite, f"id: a\noutput: x\nexpect: {{equals: x}}\ntrials: {n}\n"),
    ):
        project.write(name, text)
        with pytest.raises(jk.InputError, match=name) as problem:
            project.score(suite)
        said.append(str(problem.value))
        project.write("judgekit.yaml", "")
    assert all("trials" in text for text in said)
    situation.sets_aside("error_mentions", because="looked for in our word, trials")


def several_rules(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    least = given["gate"]
    argv = project.scored("q", given["scores"], pass_at=least["case_threshold"], required=True)
    # Explicit rules stand for the default one, so that no case may stay below its threshold is said, too.
    gate(project, pass_rate=1, metrics={"q": {"mean": f">= {least['min_mean']}"}})
    done = project.cli("score", *argv)
    run = project.run()
    assert done.returncode == situation.exit_code
    assert estimate(run, "q")["mean"] == pytest.approx(expected["mean"], abs=1e-6)
    assert run.summary["counts"]["fail"] == expected["cases_below"]
    assert agrees(done, run) is expected["printed_verdict_matches_exit"]


def errors_shrink_the_sample(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    scores = [None if score == "error" else score for score in given["scores"]]
    argv = project.scored("q", scores)
    rules = {"metrics": {"q": {"mean": f">= {given['gate']['min_mean']}"}}}
    gate(project, **rules)
    done = project.cli("score", *argv)
    run = project.run()
    assert done.returncode == situation.exit_code
    one = estimate(run, "q")
    assert (one["mean"], one["n_scored"], one["n_total"]) == tuple(expected[key] for key in ("mean", "n", "of"))
    assert agrees(done, run)
    gate(project, **rules, max_errors="100%")
    tolerant = project.cli("score", *argv)
    assert {"ok": 0}[expected["with_gate_max_error_rate_1"]["exit_class"]] == tolerant.returncode
    assert "1 of 10 scored" in tolerant.stdout


def mean_on_the_threshold(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    argv = project.scored("q", given["scores"])
    gate(project, metrics={"q": {"mean": f">= {given['gate']['min_mean']}"}})
    # In floats it lies below; the gate adds up fractions.
    assert sum(given["scores"]) / 3 == expected["float_mean"]
    done = project.cli("score", *argv)
    run = project.run()
    assert done.returncode == situation.exit_code
    assert run.summary["decision"]["rules"][0]["value"] == expected["exact_mean"]
    assert agrees(done, run)


def always_failing_case(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    n = given["repeats"]
    rows = [
        {"id": case_id, "trial": trial, "output": "yes" if trial < passes else "no"}
        for case_id, passes in given["passes"].items()
        for trial in range(n)
    ]
    project.write("outputs.jsonl", rows)
    cases = [{"id": one, "expect": {"equals": "yes"}} for one in given["passes"]]
    project.write("suite.yaml", {"cases": cases})
    # Their pass rate is over all repeats: that is ours of the check. Our `pass_rate` counts cases that pass all trials.
    overall, least = given["gate"]["min_pass_rate"], given["gate"]["min_case_pass_rate"]
    gate(project, metrics={"equals": {"pass_rate": overall}}, case_pass_rate=least)
    done = project.cli("score", "suite.yaml", "--outputs", "outputs.jsonl")
    run = project.run()
    assert done.returncode == situation.exit_code
    assert estimate(run, "equals")["pass_rate"] == pytest.approx(expected["overall"], abs=1e-6)
    outcomes = {rule["rule"].split()[0]: rule["outcome"] for rule in run.summary["decision"]["rules"]}
    assert outcomes == {"equals": "holds", "case_pass_rate": "fails"}
    (reason,) = [line for line in done.stdout.splitlines() if line.startswith("gate failed")]
    for word in expected["detail_mentions"]:
        assert f"{word} 6 of 10" in reason


def missing_file(situation: Any, project: Any, _: Any) -> None:
    verb, *paths = situation.input["argv"]
    assert verb == "run"  # our `score`
    for command in ("score", "check", "bless"):
        done = project.cli(command, *paths)
        assert done.returncode == situation.exit_code
        for word in situation.expected["error_mentions"]:
            assert word in done.stderr


def provider_unreachable(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected

    def unreachable(case: Case) -> str:
        raise ConnectionError("404 Not Found")

    values = {"not_contains": "sorry", "max_length": 100}
    expect = {name: values[name] for name in given["checks"]}
    cases = [{"id": f"c{number}", "input": "Hi", "expect": expect} for number in range(given["cases"])]
    project.write("suite.yaml", {"cases": cases})
    run = project.score("suite.yaml", target=unreachable)
    assert [row.status for row in run.data.cases] == expected["statuses"]
    assert {row.status for row in run.data.results} == {"error"}
    assert run.summary["counts"]["pass"] == expected["passed"]
    assert run.decision.exit_code == situation.exit_code


def report_only(situation: Any, project: Any, ours: Callable[[str], str]) -> None:
    codes = []
    for given in situation.input["runs"]:
        if "yaml" in given:
            suite = project.write("suite.yaml", ours(given["yaml"])).name
        else:
            suite = results(project, given["results"])
        codes.append(project.cli("score", suite, "--no-gate").returncode)
    classes = {0: "ok", 2: "bad_input"}
    assert [classes[code] for code in codes] == situation.expected["exit_classes"]
    assert json.loads((project.run().path / "summary.json").read_text(encoding="utf-8"))["decision"]["passed"] is False


HANDLERS: dict[str, Callable[[Any, Any, Any], None]] = {
    "BR-122": failing_cases,
    "BR-123": empty_suite,
    "BR-124": zero_repetitions,
    "BR-126": several_rules,
    "BR-127": errors_shrink_the_sample,
    "BR-129": mean_on_the_threshold,
    "BR-131": always_failing_case,
    "BR-133": missing_file,
    "BR-135": provider_unreachable,
    "BR-137": report_only,
}
