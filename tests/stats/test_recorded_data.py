"""The reference values of shared/data/expected.json, to the digits given there; published ones: tests/published."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from judgekit import stats

Rows = list[dict[str, Any]]
Read = Callable[[str], Rows]
Correct = dict[tuple[str, str], list[tuple[str, str | None, str | None, str]]]


@pytest.fixture(scope="module")
def llmbar(rows: Read) -> Correct:
    """(judge, variant) -> item, winner with output 1 first, winner with output 2 first, gold; in item order."""
    gold = {one["item_id"]: str(one["label"]) for one in rows("llmbar/items.jsonl")}
    found: Correct = {}
    for one in rows("llmbar/judgments.jsonl"):
        item = (one["item_id"], one["winner_12"], one["winner_21"], gold[one["item_id"]])
        found.setdefault((one["judge"], one["variant"]), []).append(item)
    return {key: sorted(items) for key, items in found.items()}


def both_right(items: list[tuple[str, str | None, str | None, str]]) -> list[bool]:
    return [first == second == gold for _, first, second, gold in items]


def half_credits(items: list[tuple[str, str | None, str | None, str]]) -> list[float]:
    return [((first == gold) + (second == gold)) / 2 for _, first, second, gold in items]


def outcome(winner: str | None) -> str | None:
    return None if winner is None else "win" if winner == "1" else "loss"


def test_llmbar_accuracy_intervals_and_errors(llmbar: Correct, expected: dict[str, Any]) -> None:
    for (judge, variant), items in llmbar.items():
        known = expected["llmbar_all_419"][f"{judge}|{variant}"]
        both = stats.wilson_interval(sum(both_right(items)), len(items))
        assert [round(both.low, 4), round(both.high, 4)] == known["both_wilson95"]
        by_order = [value == gold for _, first, second, gold in items for value in (first, second)]
        mean = stats.mean_interval(by_order, cluster=[one[0] for one in items for _ in (1, 2)])
        assert round(mean.value, 4) == known["acc_mean_of_orders"]
        # The reference has no small-sample factor G/(G-1); ours has it, as 419 cases against 418.
        assert round(mean.se * math.sqrt(418 / 419), 5) == known["se_clustered_by_item"]


def test_llmbar_position_bias(llmbar: Correct, expected: dict[str, Any]) -> None:
    for (judge, variant), items in llmbar.items():
        known = expected["llmbar_all_419"][f"{judge}|{variant}"]
        bias = stats.position_bias([outcome(one[1]) for one in items], [outcome(one[2]) for one in items])
        assert bias.consistent == known["swap_consistent"]
        assert bias.first_slot == known["prefers_first_slot_in_both_orders"]
        assert bias.second_slot == known["prefers_second_slot_in_both_orders"]
        assert bias.test.p_value == pytest.approx(known["position_bias_exact_p"], rel=1e-9)


def test_llmbar_kappa_between_orders(llmbar: Correct, expected: dict[str, Any]) -> None:
    for (judge, variant), items in llmbar.items():
        # In the reference an unreadable reply is a label of its own.
        kappa = stats.cohen_kappa([one[1] or "unread" for one in items], [one[2] or "unread" for one in items])
        known = expected["llmbar_all_419"][f"{judge}|{variant}"]["cohen_kappa_orders"]
        assert kappa.value == pytest.approx(known, abs=5.1e-5)


def test_llmbar_mcnemar_with_holm_and_benjamini_hochberg(llmbar: Correct, expected: dict[str, Any]) -> None:
    known = expected["llmbar_gpt4_vs_vanilla_norules"]
    reference = both_right(llmbar["GPT-4", "Vanilla_NoRules"])
    p_values = []
    for one in known:
        found = stats.difference_verdict(both_right(llmbar["GPT-4", one["variant"]]), reference)
        assert (found.n_higher, found.n_lower) == (one["better"], one["worse"])
        p_values.append(found.p_value)
    assert p_values == pytest.approx([one["mcnemar_exact_p"] for one in known], rel=1e-9)
    assert stats.holm(p_values) == pytest.approx([one["holm"] for one in known], rel=1e-9)
    assert stats.benjamini_hochberg(p_values) == pytest.approx([one["fdr_bh"] for one in known], rel=1e-9)


def test_llmbar_paired_differences_and_what_could_be_detected(llmbar: Correct, expected: dict[str, Any]) -> None:
    reference = half_credits(llmbar["GPT-4", "Vanilla_NoRules"])
    for one in expected["llmbar_gpt4_vs_vanilla_norules"]:
        found = stats.difference_verdict(half_credits(llmbar["GPT-4", one["variant"]]), reference)
        assert round(found.estimate.value, 4) == one["mean_diff"]
        assert round(found.estimate.se, 5) == one["paired_se"]
        assert round(found.detectable.value, 4) == one["mde80"]


def test_vanilla_is_better_than_vanilla_without_rules(llmbar: Correct) -> None:
    found = stats.difference_verdict(
        both_right(llmbar["GPT-4", "Vanilla"]), both_right(llmbar["GPT-4", "Vanilla_NoRules"])
    )
    assert (found.verdict, found.n_higher, found.n_lower, f"{found.p_value:.1e}") == ("better", 41, 4, "9.3e-09")


def test_metrics_reference_against_vanilla_is_no_evidence(llmbar: Correct) -> None:
    found = stats.difference_verdict(
        both_right(llmbar["GPT-4", "Metrics_Reference"]), both_right(llmbar["GPT-4", "Vanilla"])
    )
    assert (found.verdict, found.n_higher, found.n_lower) == ("no evidence of a difference", 18, 9)
    assert round(found.p_value, 2) == 0.12


def test_tau_bench_pass_at(rows: Read, expected: dict[str, Any]) -> None:
    known = expected["tau_bench"]
    passed: dict[int, float] = {}
    for one in rows("tau_bench/trials.jsonl"):
        passed[one["task_id"]] = passed.get(one["task_id"], 0) + one["reward"]
    for k in (1, 2, 3, 4):
        assert round(stats.pass_at_k([4] * 50, list(passed.values()), k).value, 4) == known[f"pass@{k}"]


def test_tau_bench_clustered_error_and_variance(rows: Read, expected: dict[str, Any]) -> None:
    known, trials = expected["tau_bench"], rows("tau_bench/trials.jsonl")
    rewards, tasks = [one["reward"] for one in trials], [one["task_id"] for one in trials]
    mean = stats.mean_interval(rewards, cluster=tasks)
    # The reference has no small-sample factor G/(G-1); ours has it, as 50 tasks against 49.
    assert round(mean.se * math.sqrt(49 / 50), 4) == known["se_clustered_by_task"]
    split = stats.variance_split(rewards, tasks)
    assert (round(split.trial, 4), round(split.case, 4)) == (known["var_within"], known["var_between"])


def test_pandalm_agreement_of_three_people(rows: Read, expected: dict[str, Any]) -> None:
    known, people = expected["pandalm"], [one["human"] for one in rows("pandalm/pairs.jsonl")]
    assert round(stats.fleiss_kappa(people).value, 4) == known["fleiss"]
    assert round(stats.krippendorff_alpha(people, "nominal").value, 4) == known["krippendorff_nominal"]
    assert round(stats.gwet_ac2(people, weights="nominal").value, 4) == known["gwet_ac1"]


def majority(votes: list[int]) -> int:
    return max(set(votes), key=votes.count)


@pytest.mark.parametrize("judge", ["gpt35", "pandalm7b"])
def test_pandalm_judge_against_the_majority(judge: str, rows: Read, expected: dict[str, Any]) -> None:
    pairs, known = rows("pandalm/pairs.jsonl"), expected["pandalm"][judge]
    # Unreadable replies ("garbage") count as ties, as in the published figures.
    code = {"1": 1, "2": 2, "Tie": 0, "garbage": 0, 0: 0, 1: 1, 2: 2}
    people = [majority(one["human"]) for one in pairs]
    verdicts = [code[one[f"{judge}_verdict"]] for one in pairs]
    assert round(stats.cohen_kappa(people, verdicts).value, 4) == known["cohen_kappa"]
    assert round(stats.gwet_ac1(people, verdicts).value, 4) == known["gwet_ac1"]


def test_pandalm_intervals_of_the_judge(rows: Read, expected: dict[str, Any]) -> None:
    pairs, known = rows("pandalm/pairs.jsonl"), expected["pandalm"]["gpt35"]
    code = {"1": 1, "2": 2, "Tie": 0, "garbage": 0}
    people, verdicts = [majority(one["human"]) for one in pairs], [code[one["gpt35_verdict"]] for one in pairs]
    right = [a == b for a, b in zip(people, verdicts, strict=True)]
    wilson, bca = stats.wilson_interval(sum(right), 999), stats.bootstrap_interval(right, resamples=9999)
    assert [round(wilson.low, 4), round(wilson.high, 4)] == known["accuracy_wilson95"]
    # Bootstrap ends depend on the seed: within 1.5 thousandths, a case and a half of 999.
    assert [bca.low, bca.high] == pytest.approx(known["accuracy_bca95"], abs=0.0015)
    kappa = stats.cohen_kappa(people, verdicts)
    assert [kappa.low, kappa.high] == pytest.approx(known["kappa_boot95"], abs=0.004)


def test_pandalm_mcnemar_of_two_judges(expected: dict[str, Any]) -> None:
    known = expected["pandalm"]["mcnemar_gpt35_vs_pandalm7b"]
    assert stats.mcnemar(known["b"], known["c"]).p_value == pytest.approx(known["p"], rel=1e-9)


def test_pandalm_corrected_rates_on_the_fixed_split(rows: Read, expected: dict[str, Any]) -> None:
    pairs, known = rows("pandalm/pairs.jsonl"), expected["pandalm"]["pass_rate_fixed_split"]
    people = [int(majority(one["human"]) == 2) for one in pairs[:200]]
    judge = [int(one["gpt35_verdict"] == "2") for one in pairs]
    ppi = stats.ppi_mean(people, judge[:200], judge[200:], weight=1)
    assert round(ppi.value, 4) == known["ppi"]["est"]
    assert [round(ppi.low, 4), round(ppi.high, 4)] == known["ppi"]["ci95"]
    best = stats.corrected_rate(people, judge[:200], judge[200:], labelled="these")
    assert round(best.detail["lambda"], 4) == known["ppi_pp"]["lam"]
    assert round(best.value, 4) == known["ppi_pp"]["est"]
    assert [round(best.low, 4), round(best.high, 4)] == known["ppi_pp"]["ci95"]
    other = stats.rogan_gladen(people, judge[:200], judge[200:])
    assert round(other.value, 4) == known["rogan_gladen"]
    assert round(other.detail["sensitivity"], 4) == known["sensitivity"]
    assert round(other.detail["specificity"], 4) == known["specificity"]


@pytest.fixture(scope="module")
def preferences(rows: Read) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for one in rows("alpaca_eval/preferences.jsonl"):
        if one["preference"] is not None:
            found.setdefault(one["model"], {})[one["item_id"]] = one["preference"]
    return found


def test_alpaca_eval_paired_differences(preferences: dict[str, dict[str, float]], expected: dict[str, Any]) -> None:
    for name, known in expected["alpaca_eval"]["paired"].items():
        first, second = (preferences[model] for model in name.split(" - "))
        common = sorted(first.keys() & second.keys())
        a, b = [first[one] for one in common], [second[one] for one in common]
        found = stats.paired_difference(a, b)
        assert [round(100 * found.value, 4), round(100 * found.se, 4)] == [known["diff_pp"], known["paired_se"]]
        # A margin of 0 asks "is a better than b" by the one-sided t test; all three differences are positive.
        assert 2 * stats.non_inferiority(a, b, 0).p_value == pytest.approx(known["t_p"], rel=1e-6)
        test = stats.wilcoxon_signed_rank(a, b, zeros="drop")  # as the reference, scipy's default
        assert test.p_value == pytest.approx(known["wilcoxon_p"], rel=1e-6)


@pytest.fixture(scope="module")
def topical(rows: Read) -> dict[tuple[str, str], dict[str, list[float]]]:
    """(variant, dimension) -> item -> readable samples."""
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for one in rows("topical_chat/judgments.jsonl"):
        read = [score for score in one["scores"] if score is not None]
        if read:
            found.setdefault((one["variant"], one["dimension"]), {})[one["item_id"]] = read
    return found


def test_topical_chat_correlations(topical: Any, rows: Read, expected: dict[str, Any]) -> None:
    items = {one["item_id"]: one for one in rows("topical_chat/items.jsonl")}
    for known in expected["topical_chat"]:
        scores = topical[known["variant"], known["dimension"]]
        judge = [float(np.mean(one)) for one in scores.values()]
        people = [items[one]["human"][known["dimension"]] for one in scores]
        contexts = [items[one]["context_id"] for one in scores]
        for kind, name in (("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "kendall_b")):
            found = stats.correlation(judge, people, kind=kind)
            assert found.value == pytest.approx(known[f"{name}_dataset"], abs=5.1e-5)
            within = stats.correlation_within(judge, people, contexts, kind=kind)
            assert within.value == pytest.approx(known[f"{name}_by_context"], abs=5.1e-5)
            assert within.n == known["contexts_used"]


def test_topical_chat_variance_between_and_within_items(topical: Any, expected: dict[str, Any]) -> None:
    for known in expected["topical_chat"]:
        scores = topical[known["variant"], known["dimension"]]
        flat = [score for one in scores.values() for score in one]
        split = stats.variance_split(flat, [item for item, one in scores.items() for _ in one])
        assert split.trial == pytest.approx(known["var_within"], abs=5.1e-5)
        # The reference subtracts var_within / 20 even where a few of the 20 samples could not be read; we divide by the
        # harmonic mean of those that could, which matters in one of 28 cells (0.0004).
        assert split.case == pytest.approx(known["var_between"], abs=4.1e-4)
        assert split.icc == pytest.approx(known["icc1"], abs=5.1e-4)


def test_topical_chat_williams_tests(topical: Any, rows: Read, expected: dict[str, Any]) -> None:
    items = {one["item_id"]: one for one in rows("topical_chat/items.jsonl")}
    for name, known in expected["topical_williams"].items():
        dimension, judges = name.split("|")
        first, second = (topical[variant, dimension] for variant in judges.split(" vs "))
        common = [one for one in first if one in second]
        test = stats.williams_test(
            [items[one]["human"][dimension] for one in common],
            [float(np.mean(first[one])) for one in common],
            [float(np.mean(second[one])) for one in common],
            alternative="greater",
        )
        assert (test.n, round(test.statistic, 4)) == (known["n"], known["t"])
        assert test.p_value == pytest.approx(known["p_one_sided"], rel=1e-6)
