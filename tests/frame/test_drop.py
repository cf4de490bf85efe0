"""The paired drop of a judged metric: what a noisy judge does to it, and what a real drop does."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from judgekit.frame.baselines.drop import paired_drop, significant

PASS, FAIL = Fraction(1), Fraction(0)


def test_only_cases_that_differ_say_anything():
    # Exact McNemar, two-sided: 2 (1 + 8) / 2**8
    one = paired_drop([PASS] * 7 + [FAIL] + [PASS] * 20, [FAIL] * 7 + [PASS] + [PASS] * 20, [True] * 28)

    assert (one.n, one.n_worse, one.n_better, one.p_value) == (28, 7, 1, pytest.approx(18 / 256))
    assert one.drop == pytest.approx(6 / 28)


def test_a_gain_is_no_drop():
    one = paired_drop([FAIL] * 9, [PASS] * 9, [True] * 9)

    assert (one.p_value, significant([one])) == (1.0, [False])


@pytest.mark.parametrize("n", [0, 3])
def test_without_a_difference_there_is_no_p_value(n):
    one = paired_drop([PASS] * n, [PASS] * n, [True] * n)

    assert (one.n, one.p_value, significant([one])) == (n, None, [False])


def test_scores_are_tested_by_their_signs():
    # Six scores, all lower: 2 of the 2**6 sign patterns are as extreme.
    one = paired_drop([Fraction(4)] * 6, [Fraction(3), Fraction(7, 2)] * 3, [True] * 6)

    assert (one.p_value, one.drop) == (pytest.approx(2 / 2**6), 0.75)


def test_new_outputs_are_also_tested_by_themselves():
    # Among the new outputs 8 fell; the judge passes 8 of the old ones that it had failed on the same words.
    before, now = [PASS] * 8 + [FAIL] * 7 + [PASS] * 10, [FAIL] * 8 + [PASS] * 7 + [PASS] * 10

    hidden = paired_drop(before, now, [True] * 25)
    seen = paired_drop(before, now, [True] * 8 + [False] * 17)

    # 8 against 0 is 2 / 2**8, doubled for there being two tests.
    assert (significant([hidden]), significant([seen]), seen.p_value) == ([False], [True], pytest.approx(4 / 2**8))


def test_several_metrics_share_one_level():
    six = paired_drop([PASS] * 6, [FAIL] * 6, [True] * 6)

    assert significant([six]) == [True]
    # 2 / 2**6 = 0.031, twice that is too much.
    assert significant([six, six]) == [False, False]


# ----------------------------------------------------------------------------------------- a simulated week of CI


def is_red(rng, *, rate, flips, drop=0.0, noisy_baseline=False, same_text=False, n=200, confirm=3):
    """Whether one run is stopped: 200 cases, a judge that turns a share `flips` of its verdicts round.

    `noisy_baseline`: the verdicts of the baseline are turned round as well. `same_text`: outputs are those of the
    baseline, but for the cases that really got worse.
    """
    good = rng.permutation(np.arange(n) < round(rate * n))
    still_good = good.copy()
    still_good[rng.choice(np.flatnonzero(good), round(drop * n), replace=False)] = False

    def asked(truth):
        return truth ^ (rng.random(len(truth)) < flips)

    before = asked(good) if noisy_baseline else good
    now = asked(still_good)
    worse = np.flatnonzero(before & ~now)
    if confirm:
        again = np.sum([~asked(still_good[worse]) for _ in range(confirm)], axis=0)
        now[worse[2 * again <= confirm]] = True
    changed = (good != still_good) | (not same_text)
    verdicts = np.array([FAIL, PASS])
    return significant([paired_drop(list(verdicts[before * 1]), list(verdicts[now * 1]), list(changed))])[0]


@pytest.mark.slow
@pytest.mark.parametrize("noisy_baseline", [False, True])
@pytest.mark.parametrize("same_text", [False, True])
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8, 0.95, 1.0])
def test_a_judge_that_flips_5_percent_stops_an_unchanged_branch_at_most_once_in_a_hundred_runs(
    rate, same_text, noisy_baseline
):
    rng = np.random.default_rng(5)

    red = sum(
        is_red(rng, rate=rate, flips=0.05, noisy_baseline=noisy_baseline, same_text=same_text) for _ in range(400)
    )

    assert red <= 4


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.6, 0.8, 0.95, 1.0])
def test_a_real_drop_of_10_points_is_caught_nine_times_in_ten(rate):
    rng = np.random.default_rng(6)

    assert sum(is_red(rng, rate=rate, flips=0.05, drop=0.1) for _ in range(200)) >= 180


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8, 1.0])
def test_and_with_noise_in_the_baseline_where_the_other_outputs_are_the_same(rate):
    rng = np.random.default_rng(7)

    red = sum(is_red(rng, rate=rate, flips=0.05, drop=0.1, noisy_baseline=True, same_text=True) for _ in range(200))

    assert red >= 180


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8, 1.0])
def test_and_with_every_output_new_where_two_verdicts_on_the_same_differ_in_5_percent(rate):
    # Two answers, each turned round with probability q, differ with probability 2 q (1 - q) = 0.05.
    rng = np.random.default_rng(8)

    red = sum(is_red(rng, rate=rate, flips=0.0257, drop=0.1, noisy_baseline=True) for _ in range(300))

    assert red >= 270


@pytest.mark.slow
def test_without_asking_again_the_same_judge_stops_every_other_run():
    rng = np.random.default_rng(9)

    assert sum(is_red(rng, rate=1.0, flips=0.05, confirm=0) for _ in range(50)) > 25
