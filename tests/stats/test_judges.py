"""Corrected rates, repeats, pairs and correlations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit import stats
from judgekit.errors import InputError, ShapeError

# 50 cases that people pass, 50 that they fail; the judge has sensitivity 0.8 and specificity 0.8.
PEOPLE = [1] * 50 + [0] * 50
JUDGE = [1] * 40 + [0] * 10 + [1] * 10 + [0] * 40


def test_ppi_moves_the_judges_rate_by_its_mean_error() -> None:
    # 3/4 passed by people, 3/4 by the judge on the same, 4/6 on the rest: 3/4 + (4/6 - 3/4)
    assert stats.ppi_mean([1, 0, 1, 1], [1, 1, 1, 0], [1, 0, 0, 1, 1, 1], weight=1).value == pytest.approx(2 / 3)


def test_ppi_without_weight_is_the_labels_alone() -> None:
    one = stats.ppi_mean([1, 0, 1, 1], [0, 1, 1, 0], [1] * 10, weight=0)
    assert one.value == 0.75


def test_best_weight_of_a_useless_judge_is_zero() -> None:
    one = stats.ppi_mean([1, 0, 1, 0], [1, 1, 0, 0], [1, 0, 1, 0, 1, 1])  # covariance 0
    assert (one.detail["lambda"], one.value) == (0, 0.5)


def test_ppi_narrows_the_interval_of_the_labels() -> None:
    rest = JUDGE * 10
    corrected = stats.ppi_mean(PEOPLE, JUDGE, rest)
    alone = stats.mean_interval(PEOPLE)
    assert corrected.high - corrected.low < alone.high - alone.low


def test_perfect_agreement_on_few_labels_is_not_certainty() -> None:
    labels = [1, 0] * 15
    one = stats.ppi_mean(labels, labels, [1, 0] * 5000)
    # weight 1 / (1 + 30/10000) (times 30/29 for the sample covariance, kept at 1 at most), unseen errors up to 3/30
    assert one.high - one.value > 0.09
    assert "errors never seen" in one.reason


def test_labels_that_all_pass_still_have_a_lower_bound() -> None:
    one = stats.corrected_rate([1] * 40, [1, 0] * 20, [1, 0] * 100, labelled="these")
    assert (one.value, one.low) == (1, stats.wilson_interval(40, 40).low)


def test_every_output_of_its_own_case_is_the_plain_correction() -> None:
    cases, others = list(range(100)), list(range(100, 300))
    for labelled in ("these", "others"):
        plain = stats.corrected_rate(PEOPLE, JUDGE, JUDGE * 2, labelled=labelled)
        named = stats.corrected_rate(PEOPLE, JUDGE, JUDGE * 2, labelled=labelled, cluster=cases, judged_cluster=others)
        assert (named.value, named.low, named.high) == pytest.approx((plain.value, plain.low, plain.high))


@pytest.mark.parametrize("labelled", ["these", "others"])
def test_three_equal_trials_of_a_case_tell_no_more_than_one(labelled: str) -> None:
    cases, others = list(range(100)) * 3, list(range(100, 300)) * 3
    once = stats.corrected_rate(PEOPLE, JUDGE, JUDGE * 2, labelled=labelled)
    thrice = stats.corrected_rate(
        PEOPLE * 3, JUDGE * 3, JUDGE * 6, labelled=labelled, cluster=cases, judged_cluster=others
    )
    # λ is by sample covariance, with 299 in the place of 99: a hair apart.
    assert (thrice.value, thrice.low, thrice.high) == pytest.approx((once.value, once.low, once.high), abs=1e-3)


def test_thirty_trials_of_ten_cases_are_ten_labels() -> None:
    cases = [number // 3 for number in range(30)]
    one = stats.corrected_rate(
        PEOPLE[35:65], JUDGE[35:65], [1, 0] * 50, labelled="others", cluster=cases, judged_cluster=list(range(100))
    )
    assert one.reason == "not corrected: only 10 labelled cases, 30 are needed"


def test_the_interval_of_a_correlation_counts_cases() -> None:
    a, b = [1, 2, 3, 4, 5, 6, 7, 8], [2, 1, 4, 3, 6, 5, 8, 7]
    once = stats.correlation(a, b, kind="pearson")
    assert stats.correlation(a * 2, b * 2, [*a, *a], kind="pearson") == once


def test_rogan_gladen_by_hand() -> None:
    # (0.56 + 0.8 - 1) / (0.8 + 0.8 - 1)
    one = stats.rogan_gladen(PEOPLE, JUDGE, [1] * 56 + [0] * 44)
    assert one.value == pytest.approx(0.6)
    assert (one.detail["sensitivity"], one.detail["specificity"], one.detail["raw"]) == (0.8, 0.8, 0.56)


def test_rogan_gladen_is_cut_at_the_ends() -> None:
    one = stats.rogan_gladen(PEOPLE, JUDGE, [1] * 95 + [0] * 5)  # (0.95 - 0.2) / 0.6 = 1.25
    assert (one.value, one.high) == (1, 1)
    assert "beyond what its errors can explain" in one.reason


def test_a_judge_at_chance_cannot_correct() -> None:
    one = stats.rogan_gladen([1, 1, 0, 0] * 10, [1, 0, 1, 0] * 10, [1] * 10)
    assert one.value is None
    assert "not shown to be better than chance" in one.reason


def test_labels_of_one_kind_cannot_correct() -> None:
    assert stats.rogan_gladen([1] * 40, [1] * 40, [1, 0]).reason == "people passed every labelled case"


@pytest.mark.parametrize(
    ("labels", "labelled", "method"),
    [
        (100, "these", "PPI++"),
        (100, "others", "Rogan-Gladen"),
        (20, "these", "labels alone, Wilson"),
        (20, "others", "raw, Wilson"),
        (0, "these", "raw, Wilson"),
    ],
)
def test_corrected_rate_takes_the_best_way_that_the_labels_allow(labels: int, labelled: str, method: str) -> None:
    chosen = range(0, 100, 100 // labels) if labels else []
    one = stats.corrected_rate(
        [PEOPLE[at] for at in chosen],
        [JUDGE[at] for at in chosen],
        [1] * 120 + [0] * 80,
        labelled=labelled,
    )
    assert (one.method, one.detail["labels"]) == (method, labels)
    assert bool(one.reason) == (labels < 30)


def test_when_every_case_is_labelled_the_labels_stand_alone() -> None:
    one = stats.corrected_rate(PEOPLE, JUDGE, [], labelled="these")
    assert (one.value, one.method, one.reason) == (0.5, "labels alone, Wilson", "")


def test_corrected_rate_of_nothing_is_undefined() -> None:
    assert stats.corrected_rate([], [], [], labelled="these").value is None


def test_corrections_want_zeros_and_ones() -> None:
    with pytest.raises(InputError, match="only 0 and 1"):
        stats.corrected_rate([2], [1], [1], labelled="these")
    with pytest.raises(ShapeError):
        stats.rogan_gladen([1, 0], [1], [1])


def test_overall_rate_is_the_product() -> None:
    one = stats.product_rate(stats.wilson_interval(90, 100), stats.wilson_interval(80, 100))
    assert one.value == pytest.approx(0.72)
    assert 0 < one.low < 0.72 < one.high < 1


def test_product_of_an_undefined_rate_is_undefined_for_its_reason() -> None:
    one = stats.product_rate(stats.wilson_interval(9, 10), stats.wilson_interval(0, 0))
    assert (one.value, one.reason) == (None, "no cases")


def test_pass_at_and_pass_hat_by_hand() -> None:
    # 4 trials, 1 passed: pass@2 = 1 - C(3,2)/C(4,2) = 1/2. 4 trials, 3 passed: pass^2 = C(3,2)/C(4,2) = 1/2
    assert stats.pass_at_k(4, 1, 2).value == pytest.approx(1 / 2)
    assert stats.pass_hat_k(4, 3, 2).value == pytest.approx(1 / 2)


@given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_and_pass_hat_are_ratios_of_binomials(trials: tuple[int, int, int]) -> None:
    n, passed, k = trials
    every, none = math.comb(passed, k) / math.comb(n, k), math.comb(n - passed, k) / math.comb(n, k)
    assert stats.pass_hat_k(n, passed, k).value == pytest.approx(every)
    assert stats.pass_at_k(n, passed, k).value == pytest.approx(1 - none)


def test_cases_with_too_few_trials_are_left_out_and_counted() -> None:
    one = stats.pass_hat_k([5, 5, 3], [5, 0, 3], 5)
    assert (one.value, one.n, one.detail["cases"]) == (0.5, 2, 3)
    assert one.reason == "1 of 3 cases have fewer than 5 scored trials"


def test_no_case_with_enough_trials_is_null() -> None:
    one = stats.pass_at_k([1, 1], [1, 0], 2)
    assert (one.value, one.reason) == (None, "2 of 2 cases have fewer than 2 scored trials")


@pytest.mark.parametrize(
    ("n", "passed", "k"), [([2], [3], 1), ([2.5], [1], 1), ([2], [1], 0), ([2, 2], [1], 1), ([-1], [-1], 1)]
)
def test_impossible_trials_are_refused(n: list[float], passed: list[float], k: int) -> None:
    with pytest.raises(InputError):
        stats.pass_at_k(n, passed, k)


# both orders -> label by strict, by net, and score by mean
SWAPS = [
    ("win", "win", "win", "win", 1.0),
    ("win", "tie", "tie", "win", 0.75),
    ("win", "loss", "tie", "tie", 0.5),
    ("tie", "tie", "tie", "tie", 0.5),
    ("tie", "loss", "tie", "loss", 0.25),
    ("loss", "loss", "loss", "loss", 0.0),
]


@pytest.mark.parametrize(("first", "second", "strict", "net", "mean"), SWAPS)
def test_rules_of_two_orders(first, second, strict: str, net: str, mean: float) -> None:
    assert stats.swap_verdict(first, second, "strict").label == strict
    assert stats.swap_verdict(first, second, "net").label == net
    assert stats.swap_verdict(first, second, "mean").score == mean
    assert stats.swap_verdict(second, first, "net").label == net


def test_a_judge_that_always_takes_the_first_gives_a_tie() -> None:
    one = stats.swap_verdict("win", "loss", "strict")  # shown first it wins, shown second it loses
    assert (one.label, one.score, one.consistent) == ("tie", 0.5, False)


def test_an_unreadable_order_leaves_no_verdict() -> None:
    one = stats.swap_verdict("win", None, "net")
    assert (one.label, one.score, one.reason) == (None, None, "one order has no readable outcome")


def test_preferences_are_averaged() -> None:
    assert stats.swap_verdict(0.9, 0.3, "mean").score == pytest.approx(0.6)
    assert stats.swap_verdict(0.3, 0.7, "mean").label == "tie"


@pytest.mark.parametrize("bad", ["WIN", "A", 2, -0.1, [1]])
def test_unknown_outcomes_are_refused(bad: object) -> None:
    with pytest.raises(InputError, match="first"):
        stats.swap_verdict(bad, "win", "strict")


def test_position_bias_counts_which_slot_is_favoured() -> None:
    first = ["win", "win", "win", "loss", "tie", None]
    second = ["win", "loss", "tie", "win", "tie", "win"]
    bias = stats.position_bias(first, second)
    assert (bias.n, bias.consistent, bias.first_slot, bias.second_slot, bias.unread) == (5, 2, 1, 1, 1)
    assert (bias.consistency.value, bias.first_share.value) == (0.4, 0.5)


def test_a_tie_in_one_order_is_no_slot_that_wins_both() -> None:
    first = ["win"] * 5 + ["win", "tie", "tie"]
    second = ["loss"] * 5 + ["tie", "loss", "win"]
    bias = stats.position_bias(first, second)
    assert (bias.consistent, bias.first_slot, bias.second_slot, bias.half) == (0, 5, 0, 3)
    assert bias.test.p_value == 2 / 2**5


def test_a_consistent_judge_has_no_position_to_test() -> None:
    bias = stats.position_bias(["win", "loss"], ["win", "loss"])
    assert (bias.test.p_value, bias.first_share.value) == (None, None)


def test_a_tie_is_half_a_win() -> None:
    one = stats.win_rate(1, 1, 98)
    assert (one.value, one.detail["tie_rate"]) == (0.5, 0.98)
    # scores 1, 0 and 98 times 0.5: variance (1/4 + 1/4) / 99, over 100 pairs
    assert one.se == pytest.approx(math.sqrt(0.5 / 99 / 100))


def test_only_ties_are_even_without_an_interval() -> None:
    one = stats.win_rate(0, 0, 7)
    assert (one.value, one.low) == (0.5, None)


def test_spearman_by_hand() -> None:
    # rank differences 0, 1, 1, 0: 1 - 6 * 2 / (4 * 15)
    assert stats.correlation([1, 2, 3, 4], [10, 30, 20, 40], kind="spearman").value == pytest.approx(0.8)


def test_kendall_with_ties_by_hand() -> None:
    # pairs: (1,1)-(1,2) tied in a; (1,1)-(2,3) and (1,2)-(2,3) agree: 2 / sqrt(2 * 3)
    assert stats.correlation([1, 1, 2], [1, 2, 3], kind="kendall").value == pytest.approx(2 / math.sqrt(6))


@pytest.mark.parametrize("cases", [range(12), [0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 7]])
def test_kendalls_interval_with_ties_is_the_jackknifes(cases) -> None:
    a, b = np.array([1, 2, 2, 3, 3, 4, 4, 5, 1, 5, 2, 3]), np.array([1, 1, 3, 2, 4, 3, 5, 5, 2, 4, 2, 3])
    cases = np.array(cases)

    one = stats.correlation(a, b, cases, kind="kendall")

    n = len(set(cases.tolist()))
    left_out = [stats.correlation(a[cases != case], b[cases != case], kind="kendall").value for case in range(n)]
    se = math.sqrt((n - 1) / n * sum((one - np.mean(left_out)) ** 2 for one in left_out))
    assert (one.method, one.n, one.se) == ("kendall, jackknife", n, pytest.approx(se))


def test_kendalls_interval_that_hangs_on_one_case_is_none() -> None:
    one = stats.correlation([1, 1, 1, 1, 1, 2], [1, 2, 3, 1, 2, 2], kind="kendall")
    assert (one.low, one.reason) == (None, "all but one case are alike: too few for an interval")


def test_kendalls_interval_without_ties_is_fiellers() -> None:
    # 3 of 15 pairs out of order: tau = 0.6; atanh(0.6) ± 1.95996 sqrt(0.437 / 2)
    one = stats.correlation([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5], kind="kendall")
    assert one.value == pytest.approx(0.6)
    assert one.high == pytest.approx(math.tanh(math.atanh(0.6) + 1.959964 * math.sqrt(0.437 / 2)))


@pytest.mark.parametrize("kind", ["pearson", "spearman", "kendall"])
def test_a_constant_judge_has_no_correlation(kind) -> None:
    one = stats.correlation([3, 3, 3], [1, 2, 3], kind=kind)
    assert (one.value, one.reason) == (None, "undefined: all scores of a are equal")


def test_fisher_interval_by_hand() -> None:
    # r = 0.8 from n = 5: atanh(0.8) ± 1.95996 / sqrt(2)
    one = stats.correlation([1, 2, 3, 4, 5], [1, 3, 2, 5, 4], kind="pearson")
    assert one.value == pytest.approx(0.8)
    assert one.high == pytest.approx(math.tanh(math.atanh(0.8) + 1.959964 / math.sqrt(2)))


def test_correlation_within_leaves_out_what_has_no_spread() -> None:
    a, b = [1, 2, 3, 1, 1, 5], [1, 2, 3, 2, 1, 5]
    one = stats.correlation_within(a, b, ["x", "x", "x", "y", "y", "z"], kind="pearson")
    assert (one.value, one.n, one.detail["groups"]) == (pytest.approx(1), 1, 3)


def test_williams_test_of_equal_judges_is_undefined() -> None:
    scores = [1, 2, 4, 3, 5]
    assert stats.williams_test([1, 2, 3, 4, 5], scores, scores).p_value is None


def test_williams_test_is_antisymmetric() -> None:
    rng = np.random.default_rng(0)
    people = rng.normal(size=30)
    a, b = people + rng.normal(size=30), rng.normal(size=30)
    one, other = stats.williams_test(people, a, b), stats.williams_test(people, b, a)
    assert (one.statistic, one.p_value) == (pytest.approx(-other.statistic), pytest.approx(other.p_value))
    assert stats.williams_test(people, a, b, alternative="greater").p_value == pytest.approx(one.p_value / 2)
