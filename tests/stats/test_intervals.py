from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit import stats
from judgekit.errors import InputError, ShapeError


def test_wilson_interval_of_eight_in_ten() -> None:
    # z² = 3.8415; centre (0.8 + z²/20) / (1 + z²/10) = 0.71674; half = z sqrt(0.016 + z²/400) / (1 + z²/10) = 0.22656
    one = stats.wilson_interval(8, 10)
    assert (one.low, one.high) == (pytest.approx(0.49018, abs=2e-5), pytest.approx(0.94331, abs=2e-5))


def test_wilson_interval_of_no_failures_ends_at_one() -> None:
    # (1 + z²/2n - z²/2n) / (1 + z²/n) = n / (n + z²)
    one = stats.wilson_interval(20, 20)
    assert (one.low, one.high) == (pytest.approx(20 / (20 + 1.959964**2)), 1.0)


def test_rate_of_no_cases_is_undefined() -> None:
    one = stats.wilson_interval(0, 0)
    assert (one.value, one.low, one.reason) == (None, None, "no cases")


def test_exact_interval_of_no_successes() -> None:
    # P(0 of 10) = (1 - p)^10 = 0.025
    assert stats.exact_interval(0, 10).high == pytest.approx(1 - 0.025 ** (1 / 10))


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_hold_their_rate_and_mirror_for_failures(counts: tuple[int, int]) -> None:
    passed, n = counts
    for interval in (stats.wilson_interval, stats.exact_interval):
        one, other = interval(passed, n), interval(n - passed, n)
        assert 0 <= one.low <= one.value <= one.high <= 1
        assert (1 - other.high, 1 - other.low) == (pytest.approx(one.low), pytest.approx(one.high))


@pytest.mark.parametrize("counts", [(5, 4), (-1, 4), (1.5, 4), ("1", 4), (float("nan"), 4), (None, 4), (1, 10.5)])
def test_counts_that_are_none_are_refused(counts: tuple[object, object]) -> None:
    with pytest.raises(InputError):
        stats.wilson_interval(*counts)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan"), "0.95", None])
def test_a_level_lies_between_zero_and_one(level: object) -> None:
    with pytest.raises(InputError, match="level"):
        stats.wilson_interval(1, 2, level=level)


def test_mean_interval_of_three_scores() -> None:
    # sd = 1, se = 1/sqrt(3), t(2) at 97.5 % = 4.30265
    one = stats.mean_interval([1, 2, 3])
    assert one.se == pytest.approx(1 / math.sqrt(3))
    assert one.high == pytest.approx(2 + 4.30265 / math.sqrt(3), abs=1e-5)


def test_trials_of_one_case_are_not_independent() -> None:
    # Case means 1 and 0: se = sd(1, 0) / sqrt(2) = 1/2, never the 1/6 of ten independent values.
    one = stats.mean_interval([1] * 5 + [0] * 5, cluster=["a"] * 5 + ["b"] * 5)
    assert (one.value, one.n, one.se) == (0.5, 2, pytest.approx(0.5))


def test_clusters_of_one_change_nothing() -> None:
    x = [0.2, 0.9, 0.4, 0.7]
    assert stats.mean_interval(x, cluster=["d", "b", "a", "c"]) == stats.mean_interval(x)


def test_unequal_clusters_by_hand() -> None:
    # mean 1/3 of (1, 0 | 0); deviations by cluster: 1 - 2/3 = 1/3 and -1/3; se² = 2/1 * (1/9 + 1/9) / 9 = 4/81
    assert stats.mean_interval([1, 0, 0], cluster=["a", "a", "b"]).se == pytest.approx(2 / 9)


def test_one_value_has_a_mean_and_no_interval() -> None:
    one = stats.mean_interval([0.8])
    assert (one.value, one.n, one.low, one.high, one.se) == (0.8, 1, None, None, None)
    assert one.reason == "one case has no spread"


def test_no_values_have_no_mean() -> None:
    one = stats.mean_interval([])
    assert (one.value, one.n, one.low, one.se) == (None, 0, None, None)


def test_many_trials_of_one_case_are_still_one_case() -> None:
    one = stats.mean_interval([1, 0, 1], cluster=["a", "a", "a"])
    assert (one.value, one.n, one.low) == (pytest.approx(2 / 3), 1, None)


def test_equal_scores_have_no_interval() -> None:
    one = stats.mean_interval([0.1, 0.1, 0.1])
    assert (one.value, one.low, one.se) == (0.1, None, None)
    assert "no spread" in one.reason


def test_scores_equal_up_to_rounding_are_equal() -> None:
    assert stats.mean_interval([0.1 + 0.2, 0.3]).low is None


def test_all_passed_gets_the_wilson_interval() -> None:
    one, wilson = stats.mean_interval([True] * 20), stats.wilson_interval(20, 20)
    assert (one.value, one.low, one.high, one.method) == (1.0, wilson.low, wilson.high, "Wilson")


def test_equal_scores_on_a_known_scale_get_the_rule_of_three() -> None:
    # Scores never seen in 30 cases have a share of up to 1 - 0.05^(1/30) = 0.0950, at worst all at the far end.
    one = stats.mean_interval([4] * 30, bounds=(1, 5))
    unseen = 1 - 0.05 ** (1 / 30)
    assert (one.low, one.high) == (pytest.approx(4 - 3 * unseen), pytest.approx(4 + unseen))


def test_cases_that_all_split_evenly_get_the_rule_of_three() -> None:
    one = stats.mean_interval([1, 0] * 10, cluster=[case for case in range(10) for _ in (1, 2)])
    assert (one.value, one.method, one.se) == (0.5, "rule of three", None)


def test_interval_is_cut_at_the_ends_of_the_scale() -> None:
    assert stats.mean_interval([1, 1, 0], bounds=(0, 1)).high == 1


def test_scores_beyond_their_scale_are_refused() -> None:
    with pytest.raises(InputError, match="7 lies outside the bounds 1 to 5"):
        stats.mean_interval([3, 7], bounds=(1, 5))


def test_unequal_lengths_name_both() -> None:
    with pytest.raises(ShapeError, match="x has 3, cluster has 2"):
        stats.mean_interval([1, 2, 3], cluster=["a", "b"])


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, np.nan])
def test_missing_scores_are_refused_with_their_place(bad: object) -> None:
    with pytest.raises(InputError, match="position 1"):
        stats.mean_interval([1.0, bad, 2.0])


@pytest.mark.parametrize("bad", ["abc", ["1", "2"], [[1, 2]], [[1], [1, 2]], 5, {"a": 1}, [1, "x"], [1j], [10**400]])
def test_what_is_no_list_of_numbers_is_refused(bad: object) -> None:
    with pytest.raises(InputError):
        stats.mean_interval(bad)


SMALL, LARGE = [1] * 9 + [0], [1] * 45 + [0] * 45


@pytest.mark.parametrize(
    ("weights", "mean", "se"),
    # var 0.1 / 10 in the small group, 0.25 * 90/89 / 90 in the large one; weights 0.1, 0.9 or 1/2, 1/2
    [
        ("cases", 0.54, math.sqrt(0.1**2 * 0.01 + 0.9**2 * 0.25 / 89)),
        ("groups", 0.7, math.sqrt(0.5**2 * 0.01 + 0.5**2 * 0.25 / 89)),
    ],
)
def test_group_mean_and_its_error_are_of_one_kind(weights: str, mean: float, se: float) -> None:
    one = stats.stratified_mean(SMALL + LARGE, ["small"] * 10 + ["large"] * 90, weights=weights)
    assert (one.value, one.se) == (pytest.approx(mean), pytest.approx(se))
    assert weights[:-1] in one.method


def test_a_group_of_one_leaves_the_mean_without_an_interval() -> None:
    one = stats.stratified_mean([1, 0, 1], ["a", "a", "b"], weights="groups")
    assert (one.value, one.low, one.reason) == (0.75, None, "a group of one case has no spread")


def test_bootstrap_is_the_same_for_the_same_seed_only() -> None:
    x = np.random.default_rng(0).exponential(size=40)
    assert stats.bootstrap_interval(x, seed=3) == stats.bootstrap_interval(x, seed=3)
    assert stats.bootstrap_interval(x, seed=3).low != stats.bootstrap_interval(x, seed=4).low


def test_bca_leans_to_the_long_tail() -> None:
    one = stats.bootstrap_interval([0] * 15 + [1, 2, 4, 8, 16])
    assert one.method == "BCa bootstrap"
    assert one.high - one.value > 1.5 * (one.value - one.low)


def test_bootstrap_of_all_passed_gets_the_wilson_interval() -> None:
    assert stats.bootstrap_interval([1] * 20).low == stats.wilson_interval(20, 20).low


def test_bootstrap_of_equal_scores_has_no_interval() -> None:
    one = stats.bootstrap_interval([3, 3, 3])
    assert (one.value, one.low) == (3, None)


def test_bootstrap_draws_whole_cases() -> None:
    # Two cases of many equal trials: a resample has mean 0, 1/2 or 1.
    one = stats.bootstrap_interval([1] * 50 + [0] * 50, cluster=[0] * 50 + [1] * 50)
    assert (one.n, one.low, one.high) == (2, 0, 1)


def test_columns_with_holes_are_bootstrapped_on_their_own_cases() -> None:
    x = np.random.default_rng(1).normal(size=(60, 2))
    present = np.ones((60, 2))
    present[:20, 1] = 0
    full, part = stats.bootstrap_intervals(x, present=present, resamples=4000)
    assert (full.n, part.n) == (60, 40)
    assert part.value == pytest.approx(x[20:, 1].mean())
    # Ends of other resamples wander by a few hundredths of the width.
    alone = stats.bootstrap_interval(x[20:, 1], resamples=4000)
    assert (part.low, part.high) == pytest.approx((alone.low, alone.high), abs=0.06 * (alone.high - alone.low))


def test_a_column_without_a_case_is_undefined() -> None:
    assert stats.bootstrap_intervals([[1], [2]], present=[[0], [0]])[0].value is None


def test_marks_of_another_shape_are_refused() -> None:
    with pytest.raises(ShapeError, match="one mark for each value"):
        stats.bootstrap_intervals([[1], [2]], present=[[1]])


def test_columns_share_their_resamples() -> None:
    x = np.random.default_rng(1).normal(size=(30, 2))
    together = stats.bootstrap_intervals(x, seed=5)
    alone = stats.bootstrap_interval(x[:, 1], seed=5)
    assert (together[1].low, together[1].high) == (pytest.approx(alone.low), pytest.approx(alone.high))


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=30), st.integers(1, 9))
def test_mean_interval_moves_with_the_scores(x: list[int], step: int) -> None:
    one, moved = stats.mean_interval(x), stats.mean_interval([value * 2 + step for value in x])
    assert moved.value == pytest.approx(one.value * 2 + step)
    if one.se is not None:
        assert moved.low == pytest.approx(one.low * 2 + step)
