from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit import stats
from judgekit.errors import InputError, ShapeError

SCORES = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=25)


def test_difference_of_four_cases() -> None:
    # differences 1, 0, 2, 1: mean 1, sd sqrt(2/3), se sqrt(1/6)
    one = stats.paired_difference([3, 4, 5, 4], [2, 4, 3, 3])
    assert (one.value, one.se) == (1.0, pytest.approx(math.sqrt(1 / 6)))


def test_difference_is_positive_where_the_first_scores_higher() -> None:
    assert stats.paired_difference([1, 1, 0], [0, 0, 0]).value > 0


@given(SCORES)
def test_exchanging_the_variants_turns_the_sign(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    one, other = stats.paired_difference(a, b), stats.paired_difference(b, a)
    assert one.value == pytest.approx(-other.value)
    assert stats.sign_flip_test(a, b).p_value == stats.sign_flip_test(b, a).p_value
    assert stats.wilcoxon_signed_rank(a, b).p_value == stats.wilcoxon_signed_rank(b, a).p_value


@given(SCORES, st.randoms(use_true_random=False))
def test_order_of_cases_changes_nothing(pairs: list[tuple[int, int]], order: random.Random) -> None:
    a, b = zip(*pairs, strict=True)
    shuffled = order.sample(pairs, len(pairs))
    c, d = zip(*shuffled, strict=True)
    assert stats.wilcoxon_signed_rank(a, b).p_value == pytest.approx(stats.wilcoxon_signed_rank(c, d).p_value)


@pytest.mark.parametrize("difference", [stats.paired_difference, stats.paired_bootstrap])
def test_equal_differences_have_no_interval(difference) -> None:
    one = difference([1, 1, 1], [0, 0, 0])
    assert (one.value, one.low, one.se) == (1.0, None, None)
    assert "no spread" in one.reason


def test_difference_of_one_case_has_no_interval() -> None:
    one = stats.paired_difference([3], [2])
    assert (one.value, one.low, one.reason) == (1.0, None, "one case has no spread")


def test_difference_of_no_cases_is_undefined() -> None:
    assert stats.paired_difference([], []).value is None


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(ShapeError, match="a has 2, b has 1"):
        stats.paired_difference([1, 2], [1])


def test_mcnemar_of_five_against_one() -> None:
    # 2 (C(6,0) + C(6,1)) / 2^6 = 14/64
    assert stats.mcnemar(5, 1).p_value == pytest.approx(14 / 64)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_twice_the_binomial_tail(b: int, c: int) -> None:
    test = stats.mcnemar(b, c)
    if b + c == 0:
        assert test.p_value is None
    else:
        tail = sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
        assert test.p_value == pytest.approx(min(1, 2 * tail), rel=1e-9)


def test_mcnemar_without_a_differing_case_is_undefined() -> None:
    test = stats.mcnemar(0, 0)
    assert (test.p_value, test.reason) == (None, "no case on which the two differ")


@given(st.lists(st.sampled_from([(1, 0), (0, 1), (1, 1), (0, 0)]), min_size=1, max_size=14))
def test_sign_flips_of_zeros_and_ones_are_mcnemar(pairs: list[tuple[int, int]]) -> None:
    a, b = zip(*pairs, strict=True)
    exact = stats.mcnemar(pairs.count((1, 0)), pairs.count((0, 1))).p_value
    assert stats.sign_flip_test(a, b).p_value == (None if exact is None else pytest.approx(exact))


def test_sign_flips_of_three_scores() -> None:
    # |±1 ±2 ±3| >= 6 for 2 of 8 sign patterns
    test = stats.sign_flip_test([1, 2, 3], [0, 0, 0])
    assert (test.p_value, test.statistic) == (0.25, 2.0)


def test_drawn_sign_flips_agree_with_mcnemar_on_many_cases() -> None:
    a, b = [1] * 30 + [0] * 15, [0] * 30 + [1] * 15
    drawn, exact = stats.sign_flip_test(a, b, resamples=20_000), stats.mcnemar(30, 15)
    # three standard errors of 20,000 draws at p 0.036
    assert drawn.p_value == pytest.approx(exact.p_value, abs=3 * math.sqrt(0.036 / 20_000))


def test_a_drawn_p_value_is_never_zero() -> None:
    assert stats.sign_flip_test([1] * 100, [0] * 100, resamples=999).p_value == 1 / 1000


def test_trials_flip_their_sign_together() -> None:
    # Three cases of ten trials each, all better: 2 of 2^3 patterns, whatever the number of trials.
    cases = [case for case in range(3) for _ in range(10)]
    assert stats.sign_flip_test([1] * 30, [0] * 30, cases).p_value == 0.25


@pytest.mark.parametrize("test", [stats.sign_flip_test, stats.wilcoxon_signed_rank])
def test_all_ties_have_no_p_value(test) -> None:
    found = test([0.1 + 0.2, 1], [0.3, 1])  # 0.1 + 0.2 is 0.3 up to rounding
    assert (found.p_value, found.reason) == (None, "all cases are tied")


def test_wilcoxon_of_five_better_cases() -> None:
    assert stats.wilcoxon_signed_rank([1, 2, 3, 4, 5], [0] * 5).p_value == 2 / 2**5


def test_pratt_ranks_the_tied_cases_and_drops_them_then() -> None:
    # |d| = 0, 1, 2, 3 have ranks 1 to 4; signs of 1, 2, 3 are -, +, +: T+ = 3 + 4. Without Pratt it would be 2 + 3.
    a, b = [0, 0, 2, 3], [0, 1, 0, 0]
    assert stats.wilcoxon_signed_rank(a, b).statistic == 7
    assert stats.wilcoxon_signed_rank(a, b, zeros="drop").statistic == 5


def test_differences_that_round_apart_share_a_rank() -> None:
    # 0.3 - 0.2 and 0.2 - 0.1 differ in their last digit; both are 0.1: ranks 1.5 each, T+ = 1.5
    assert stats.wilcoxon_signed_rank([0.3, 0.1], [0.2, 0.2]).statistic == 1.5


def test_wilcoxon_of_trials_ranks_case_means() -> None:
    cases = [case for case in range(5) for _ in range(4)]
    test = stats.wilcoxon_signed_rank([1] * 20, [0] * 20, cases)
    assert (test.p_value, test.n) == (2 / 2**5, 5)


def test_columns_of_sign_flips_are_the_single_tests() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(60, 3)), rng.normal(size=(60, 3))
    together = stats.sign_flip_tests(a, b, seed=2)
    assert [one.p_value for one in together] == [
        stats.sign_flip_test(a[:, j], b[:, j], seed=2).p_value for j in range(3)
    ]


def test_holm_by_hand() -> None:
    # sorted 0.01, 0.02, 0.03, 0.04: times 4, 3, 2, 1 = 0.04, 0.06, 0.06, 0.04, then never falling
    assert stats.holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])


def test_benjamini_hochberg_by_hand() -> None:
    # sorted 0.01, 0.02, 0.03, 0.5: times 4/1, 4/2, 4/3, 4/4 = 0.04, 0.04, 0.04, 0.5
    assert stats.benjamini_hochberg([0.5, 0.01, 0.03, 0.02]) == pytest.approx([0.5, 0.04, 0.04, 0.04])


@given(st.lists(st.floats(0, 1), max_size=20))
def test_adjusted_p_values_never_fall_below_raw_ones_nor_holm_below_bh(p: list[float]) -> None:
    holm, fdr = stats.holm(p), stats.benjamini_hochberg(p)
    assert len(holm) == len(p)
    assert all(raw <= found <= most + 1e-15 <= 1 + 1e-15 for raw, found, most in zip(p, fdr + 1e-15, holm, strict=True))


@pytest.mark.parametrize("bad", [[0.1, None], [1.1], [-0.1], [float("nan")]])
def test_what_is_no_p_value_is_refused(bad: list[float]) -> None:
    with pytest.raises(InputError):
        stats.holm(bad)
