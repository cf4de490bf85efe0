"""What a set of cases can show, what it shows, and where its spread comes from."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from judgekit import stats
from judgekit.errors import InputError, ShapeError


def test_better_on_many_and_worse_on_few() -> None:
    found = stats.difference_verdict([1] * 41 + [0] * 4 + [1] * 55, [0] * 41 + [1] * 4 + [1] * 55)
    assert (found.verdict, found.n_higher, found.n_lower, found.n_tied) == ("better", 41, 4, 55)


def test_worse_is_better_the_other_way_round() -> None:
    a, b = [1] * 41 + [0] * 4, [0] * 41 + [1] * 4
    assert stats.difference_verdict(b, a).verdict == "worse"
    assert stats.difference_verdict(a, b, higher_is_better=False).verdict == "worse"


def test_eighteen_against_nine_is_no_evidence() -> None:
    found = stats.difference_verdict([1] * 18 + [0] * 9 + [1] * 73, [0] * 18 + [1] * 9 + [1] * 73)
    assert found.verdict == "no evidence of a difference"
    assert found.detectable.value == stats.minimum_detectable_rate_difference(100, 0.27).value


@pytest.mark.parametrize("n", [1, 3, 5])
def test_so_few_cases_could_not_have_shown_anything(n: int) -> None:
    assert stats.difference_verdict([1] * n, [0] * n).verdict == "not enough cases"


def test_six_cases_all_better_are_just_enough() -> None:
    assert stats.difference_verdict([1] * 6, [0] * 6).verdict == "better"  # p = 2 / 2^6 = 0.03


def test_a_set_that_misses_relevant_differences_is_too_small() -> None:
    a, b = [1, 0, 1, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 0, 1, 1]
    assert stats.difference_verdict(a, b).verdict == "no evidence of a difference"
    found = stats.difference_verdict(a, b, relevant=0.1)
    assert found.verdict == "not enough cases"
    assert "0.1 would matter" in found.reason


def test_no_cases_are_not_enough() -> None:
    found = stats.difference_verdict([], [])
    assert (found.verdict, found.estimate.value, found.p_value) == ("not enough cases", None, None)


def test_identical_variants_are_no_evidence_of_a_difference() -> None:
    found = stats.difference_verdict([1, 0] * 20, [1, 0] * 20)
    assert (found.verdict, found.reason, found.p_value) == ("no evidence of a difference", "all cases are tied", None)
    assert found.detectable.value is None


def test_the_adjusted_p_value_decides_and_the_raw_one_stays() -> None:
    found = stats.difference_verdict([1] * 6, [0] * 6, adjusted_p=0.2)
    assert (found.verdict, found.p_value, found.test.p_value) == ("no evidence of a difference", 0.2, 1 / 32)


def test_a_p_value_of_exactly_the_limit_is_no_finding() -> None:
    assert stats.difference_verdict([1] * 6, [0] * 6, adjusted_p=0.05).verdict == "no evidence of a difference"


def test_trials_are_not_cases() -> None:
    cases = [case for case in range(4) for _ in range(10)]
    found = stats.difference_verdict([1] * 40, [0] * 40, cases)
    assert (found.verdict, found.n_higher) == ("not enough cases", 4)


def test_scores_are_tested_by_sign_flips_and_pass_or_fail_by_mcnemar() -> None:
    assert stats.difference_verdict([1, 0, 1], [0, 0, 1]).test.method == "exact McNemar"
    assert stats.difference_verdict([1, 3, 5], [2, 0, 1]).test.method.startswith("sign-flip")


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), max_size=30))
def test_a_verdict_has_no_nan_and_swaps_with_its_variants(pairs: list[tuple[float, float]]) -> None:
    a, b = [one for one, _ in pairs], [one for _, one in pairs]
    swapped = {"better": "worse", "worse": "better"}
    one, other = stats.difference_verdict(a, b), stats.difference_verdict(b, a)
    assert other.verdict == swapped.get(one.verdict, one.verdict)
    for number in (one.estimate.value, one.estimate.low, one.estimate.se, one.p_value, one.detectable.value):
        assert number is None or math.isfinite(number)


def test_detectable_difference_by_hand() -> None:
    # (1.959964 + 0.841621) * 0.5 / 10
    assert stats.minimum_detectable_difference(100, 0.5).value == pytest.approx(2.801585 * 0.05, abs=1e-6)


def exact_power(n: int, difference: float, share: float) -> float:
    """Of the exact McNemar test, every outcome of n cases weighed by its chance."""
    up = (share + difference) / 2
    total = 0.0
    for k in range(1, n + 1):
        for won in range(k + 1):
            if stats.mcnemar(won, k - won).p_value < 0.05:
                total += binom.pmf(k, n, share) * binom.pmf(won, k, min(1.0, up / share))
    return total


@pytest.mark.parametrize(
    ("n", "discordant"), [(6, 0.0), (10, 0.41), (20, 0.0), (30, 1 / 30), (30, 0.3), (40, 0.1), (100, 0.12)]
)
def test_a_detectable_difference_of_rates_has_the_power_that_it_promises(n: int, discordant: float) -> None:
    found = stats.minimum_detectable_rate_difference(n, discordant).value

    assert exact_power(n, found, max(discordant, found)) >= 0.8
    assert exact_power(n, found - 0.001, max(discordant, found - 0.001)) < 0.8


@pytest.mark.parametrize(("n", "least"), [(6, 0.963), (10, 0.673), (20, 0.367), (30, 0.251)])
def test_rates_of_few_cases_show_no_less_than_six_cases_changing_alike(n: int, least: float) -> None:
    # P(Binomial(n, least) >= 6) = 0.8; six differing cases are the fewest that can be significant.
    assert stats.minimum_detectable_rate_difference(n, 0.01).value == pytest.approx(least, abs=0.001)
    assert binom.sf(5, n, least) == pytest.approx(0.8, abs=0.003)


def test_of_many_cases_the_exact_power_is_close_to_the_normal_one() -> None:
    # 2.8016 sqrt(0.3 / 10000) = 0.01534
    assert stats.minimum_detectable_rate_difference(10_000, 0.3).value == pytest.approx(0.01534, abs=0.0002)


def test_five_cases_detect_nothing() -> None:
    one = stats.minimum_detectable_rate_difference(5, 1)
    assert (one.value, one.reason) == (None, "no result of 5 cases could be significant")


def test_a_discordant_share_is_no_percentage() -> None:
    with pytest.raises(InputError, match="discordant"):
        stats.minimum_detectable_rate_difference(10, 20)


@pytest.mark.parametrize(("n", "sd"), [(0, 1), (1, 1), (10, 0)])
def test_detectable_difference_is_undefined_without_cases_or_spread(n: int, sd: float) -> None:
    one = stats.minimum_detectable_difference(n, sd)
    assert one.value is None
    assert one.reason


@given(st.floats(0.01, 1), st.floats(0.01, 5))
def test_sample_size_is_the_least_that_detects_the_difference(difference: float, sd: float) -> None:
    n = stats.sample_size(difference, sd)
    assert stats.minimum_detectable_difference(n, sd).value <= difference * (1 + 1e-9)
    assert n == 2 or stats.minimum_detectable_difference(n - 1, sd).value > difference * (1 - 1e-9)


def test_no_sample_shows_a_difference_of_nothing() -> None:
    with pytest.raises(InputError, match="no number of cases"):
        stats.sample_size(0, 1)


def test_spread_of_a_difference_of_rates() -> None:
    # two independent coins of 0.8: variance 2 * 0.16; fully correlated ones never differ
    assert stats.sd_of_rate_difference(0.8, 0.8) == pytest.approx(math.sqrt(0.32))
    assert stats.sd_of_rate_difference(0.8, 0.8, correlation=1) == 0


def test_non_inferiority_by_hand() -> None:
    # differences 0, 0, -1, 1, 0, 0: mean 0, se sqrt(0.4 / 6); t = 0.8 / se
    test = stats.non_inferiority([4, 5, 4, 5, 4, 4], [4, 5, 5, 4, 4, 4], 0.8)
    assert test.statistic == pytest.approx(0.8 / math.sqrt(0.4 / 6))
    assert test.p_value < 0.05
    assert test.detail["low"] > -0.8


def test_within_the_margin_by_the_bound_is_within_by_the_p_value() -> None:
    rng = np.random.default_rng(0)
    for margin in np.linspace(0, 0.6, 25):
        test = stats.non_inferiority(rng.normal(size=20), rng.normal(size=20), margin)
        assert (test.p_value < 0.05) == (test.detail["low"] > -margin)


def test_a_margin_is_no_negative_number() -> None:
    with pytest.raises(InputError, match="margin"):
        stats.non_inferiority([1, 2], [1, 2], -0.1)


def test_variance_of_trials_and_cases_by_hand() -> None:
    # within: (0, 0, 1/2) mean 1/6; case means 1, 0, 1/2: variance 1/4, less 1/6 / 2
    split = stats.variance_split([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    assert (split.trial, split.case) == (pytest.approx(1 / 6), pytest.approx(1 / 4 - 1 / 12))
    assert split.icc == pytest.approx(1 / 2)
    assert split.se == pytest.approx(math.sqrt(1 / 4 / 3))


def nested(case_sd: float, trial_sd: float, sample_sd: float) -> stats.VarianceSplit:
    rng = np.random.default_rng(0)
    shape = (400, 3, 4)
    scores = (
        case_sd * rng.normal(size=(400, 1, 1))
        + trial_sd * rng.normal(size=(400, 3, 1))
        + sample_sd * rng.normal(size=shape)
    )
    case, trial = np.broadcast_to(np.arange(400)[:, None, None], shape), np.broadcast_to(np.arange(3)[:, None], shape)
    return stats.variance_split(scores.ravel(), case.ravel(), trial.ravel())


def test_components_are_told_apart() -> None:
    split = nested(2.0, 1.0, 0.5)
    assert (split.case, split.trial, split.sample) == (
        pytest.approx(4, rel=0.2),
        pytest.approx(1, rel=0.1),
        pytest.approx(0.25, rel=0.1),
    )


@pytest.mark.parametrize(
    ("sds", "advice"),
    [((2, 1, 1), "more cases"), ((0.2, 2, 0.2), "more trials"), ((0.1, 0.1, 2), "more samples")],
)
def test_advice_goes_to_the_largest_part_of_the_error(sds: tuple[float, float, float], advice: str) -> None:
    assert nested(*sds).advice == advice


def test_single_trials_say_nothing_about_trials() -> None:
    split = stats.variance_split([1, 2, 3], ["a", "b", "c"])
    assert (split.trial, split.icc, split.case) == (None, None, 1)
    assert "no case has two trials" in split.reason


def test_samples_of_one_trial_each_are_told_from_cases_only() -> None:
    split = stats.variance_split([1, 3, 2, 4], ["a", "a", "b", "b"], [0, 0, 0, 0])
    # within outputs 2; means 2 and 3: variance 1/2, less 2/2: below zero, so 0
    assert (split.sample, split.trial, split.case) == (2, None, 0)


def test_one_case_has_nothing_between_cases() -> None:
    split = stats.variance_split([1, 2], ["a", "a"])
    assert (split.case, split.icc, split.se) == (None, None, None)


def test_equal_scores_need_no_advice() -> None:
    split = stats.variance_split([0.1] * 6, ["a", "a", "a", "b", "b", "b"])
    assert (split.case, split.trial, split.advice, split.reason) == (0, 0, None, "all scores are equal")


def test_a_trial_name_belongs_to_its_case() -> None:
    scores, case = [1, 2, 1, 2, 5, 6, 5, 6], ["a"] * 4 + ["b"] * 4
    reused, unique = [0, 0, 1, 1] * 2, [0, 0, 1, 1, 2, 2, 3, 3]
    assert stats.variance_split(scores, case, reused) == stats.variance_split(scores, case, unique)


def test_variance_split_wants_equal_lengths() -> None:
    with pytest.raises(ShapeError):
        stats.variance_split([1, 2], ["a"])
