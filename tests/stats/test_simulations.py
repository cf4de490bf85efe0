"""Intervals cover what they claim, p-values are uniform without an effect, families keep their error: fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

from judgekit import stats

pytestmark = pytest.mark.slow

REPEATS = 2000
COVERED = (0.93, 0.97)


def covers(one: stats.Estimate, truth: float) -> bool:
    assert one.low is not None
    assert one.high is not None
    return one.low <= truth <= one.high


@pytest.mark.parametrize(("n", "rate"), [(20, 0.3), (50, 0.8), (200, 0.95)])
def test_wilson_covers(n: int, rate: float) -> None:
    # Coverage of a discrete interval swings with n and rate; these three are not chosen for being good.
    passed = np.random.default_rng(1).binomial(n, rate, REPEATS)
    share = np.mean([covers(stats.wilson_interval(int(one), n), rate) for one in passed])
    assert COVERED[0] <= share <= 0.98


def test_exact_interval_covers_at_least_its_level() -> None:
    passed = np.random.default_rng(2).binomial(30, 0.9, REPEATS)
    assert np.mean([covers(stats.exact_interval(int(one), 30), 0.9) for one in passed]) >= 0.95


def trials(rng: np.random.Generator, cases: int, repeats: int) -> np.ndarray:
    ability = rng.beta(2, 1, size=cases)  # mean 2/3
    return (rng.random((cases, repeats)) < ability[:, None]).astype(float)


def test_clustered_interval_covers_and_the_naive_one_does_not() -> None:
    rng, cluster = np.random.default_rng(3), np.repeat(np.arange(40), 5)
    drawn = [trials(rng, 40, 5).ravel() for _ in range(REPEATS)]
    clustered = np.mean([covers(stats.mean_interval(one, cluster), 2 / 3) for one in drawn])
    naive = np.mean([covers(stats.mean_interval(one), 2 / 3) for one in drawn])
    assert COVERED[0] <= clustered <= COVERED[1]
    assert naive < 0.90


def test_clustered_interval_covers_with_unequal_numbers_of_trials() -> None:
    rng = np.random.default_rng(4)
    covered = []
    for _ in range(REPEATS):
        sizes = rng.integers(1, 6, size=50)
        ability = np.repeat(rng.beta(2, 1, size=50), sizes)
        passed = rng.random(len(ability)) < ability
        covered.append(covers(stats.mean_interval(passed, np.repeat(np.arange(50), sizes)), 2 / 3))
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


@pytest.mark.parametrize("clustered", [False, True])
def test_bca_covers_skewed_scores(clustered: bool) -> None:
    rng = np.random.default_rng(5)
    covered = []
    for seed in range(1000):
        x = rng.exponential(size=80)
        cluster = None
        if clustered:
            x, cluster = np.repeat(x, 3) * rng.uniform(0.5, 1.5, 240), np.repeat(np.arange(80), 3)
        covered.append(covers(stats.bootstrap_interval(x, cluster, resamples=1000, seed=seed), 1.0))
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


def test_paired_t_covers_a_difference_of_pass_rates() -> None:
    rng = np.random.default_rng(6)
    covered = []
    for _ in range(REPEATS):
        shared = rng.random(150)  # one hardness a case, so that the two are correlated
        a = shared + rng.normal(0, 0.2, 150) < 0.8
        b = shared + rng.normal(0, 0.2, 150) < 0.7
        covered.append(covers(stats.paired_difference(a, b), TRUE_DIFFERENCE))
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


def _pass_probability(limit: float) -> float:
    # E over the hardness of P(noise < limit - hardness), by the midpoint rule.
    from statistics import NormalDist

    noise = NormalDist(0, 0.2)
    return float(np.mean([noise.cdf(limit - one) for one in (np.arange(20_000) + 0.5) / 20_000]))


TRUE_DIFFERENCE = _pass_probability(0.8) - _pass_probability(0.7)


@pytest.mark.parametrize("coefficient", ["kappa", "ac1", "alpha"])
def test_jackknife_covers_agreement(coefficient: str) -> None:
    # Two raters who copy the truth (rates 0.7, 0.3) with probability 0.7, else draw at these rates: both have the
    # same rates, and agree beyond chance with probability 0.7² = 0.49, which is kappa and alpha.
    expected = 0.7 * 0.7 + 0.3 * 0.3
    agreed = 0.49 + 0.51 * expected
    truth = {"kappa": 0.49, "alpha": 0.49, "ac1": (agreed - 0.42) / (1 - 0.42)}[coefficient]
    rng = np.random.default_rng(7)
    covered = []
    for _ in range(1000):
        true = rng.random(120) < 0.7
        a, b = (np.where(rng.random(120) < 0.7, true, rng.random(120) < 0.7) for _ in (1, 2))
        if coefficient == "alpha":
            one = stats.krippendorff_alpha(np.column_stack([a, b]), "nominal")
        else:
            one = (stats.cohen_kappa if coefficient == "kappa" else stats.gwet_ac1)(a, b)
        covered.append(covers(one, truth))
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


def judged(rng: np.random.Generator, people: np.ndarray) -> np.ndarray:
    """A judge of sensitivity 0.9 and specificity 0.7."""
    return np.where(people == 1, rng.random(len(people)) < 0.9, rng.random(len(people)) < 0.3).astype(float)


def test_ppi_covers_where_the_naive_judge_never_does() -> None:
    rng = np.random.default_rng(8)
    corrected, naive = [], []
    for _ in range(REPEATS):
        people = (rng.random(1000) < 0.5).astype(float)
        judge = judged(rng, people)
        corrected.append(covers(stats.ppi_mean(people[:100], judge[:100], judge[100:]), 0.5))
        naive.append(covers(stats.wilson_interval(int(judge.sum()), 1000), 0.5))
    assert COVERED[0] <= np.mean(corrected) <= COVERED[1]
    assert np.mean(naive) < 0.05


@pytest.mark.parametrize("rate", [0.2, 0.5, 0.85])
def test_rogan_gladen_covers_another_rate_than_that_of_the_labels(rate: float) -> None:
    rng = np.random.default_rng(9)
    covered = []
    for _ in range(REPEATS):
        people, others = (rng.random(150) < 0.5).astype(float), (rng.random(400) < rate).astype(float)
        one = stats.rogan_gladen(people, judged(rng, people), judged(rng, others))
        covered.append(covers(one, rate))
    assert COVERED[0] <= np.mean(covered) <= 0.975


@pytest.mark.parametrize(("winner", "naive"), [(2, True), (1, False)])
def test_corrected_rate_covers_a_real_finite_population(rows, winner: int, naive: bool) -> None:
    """The share of PandaLM's 999 pairs that response 1, or 2, wins: 2,000 times another 100 labels are drawn."""
    pairs = rows("pandalm/pairs.jsonl")
    people = np.array([max(set(one["human"]), key=one["human"].count) == winner for one in pairs], dtype=float)
    judge = np.array([one["gpt35_verdict"] == str(winner) for one in pairs], dtype=float)
    # The judge's own interval is the same at every draw: for response 1 it is certainly wrong.
    assert covers(stats.wilson_interval(int(judge.sum()), len(judge)), people.mean()) == naive
    rng = np.random.default_rng(10)
    covered = []
    for _ in range(2000):
        order = rng.permutation(len(people))
        labelled, rest = order[:100], order[100:]
        one = stats.corrected_rate(people[labelled], judge[labelled], judge[rest], labelled="these")
        covered.append(covers(one, people.mean()))
    assert COVERED[0] <= np.mean(covered) <= COVERED[1]


def test_sign_flip_p_values_are_uniform_without_a_difference() -> None:
    rng = np.random.default_rng(11)
    p_values = np.array(
        [
            stats.sign_flip_test(rng.exponential(size=40), rng.exponential(size=40), resamples=999, seed=seed).p_value
            for seed in range(REPEATS)
        ]
    )
    # Kolmogorov's distance of 2000 uniform values exceeds 1.63 / sqrt(2000) once in a hundred.
    ranks = np.arange(1, REPEATS + 1) / REPEATS
    assert np.abs(np.sort(p_values) - ranks).max() < 1.63 / np.sqrt(REPEATS)


def test_clustered_sign_flips_keep_their_error_where_unclustered_ones_do_not() -> None:
    rng, cluster = np.random.default_rng(12), np.repeat(np.arange(30), 5)
    found = {"clustered": 0, "naive": 0}
    for seed in range(1000):
        difference = np.repeat(rng.normal(size=30), 5) + rng.normal(0, 0.3, 150)
        zero = np.zeros(150)
        found["clustered"] += stats.sign_flip_test(difference, zero, cluster, resamples=999, seed=seed).p_value < 0.05
        found["naive"] += stats.sign_flip_test(difference, zero, resamples=999, seed=seed).p_value < 0.05
    assert found["clustered"] / 1000 <= 0.065
    assert found["naive"] / 1000 > 0.2


def test_holm_keeps_the_error_of_the_family() -> None:
    # Six null metrics, correlated as the metrics of one run are: at most 5 % of runs with any finding, up to
    # three standard errors of the simulation.
    rng = np.random.default_rng(13)
    alarms = 0
    for _ in range(REPEATS):
        common = rng.normal(size=(60, 1))
        scores = 0.5 * common + rng.normal(size=(60, 6))
        p_values = [stats.wilcoxon_signed_rank(scores[:, j], np.zeros(60)).p_value for j in range(6)]
        alarms += bool((stats.holm(p_values) < 0.05).any())
    assert alarms / REPEATS <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / REPEATS)


def test_detectable_difference_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(14)
    difference = stats.minimum_detectable_difference(200, 1.0).value
    found = np.mean(
        [stats.paired_difference(rng.normal(difference, 1, 200), np.zeros(200)).low > 0 for _ in range(REPEATS)]
    )
    assert found == pytest.approx(0.8, abs=0.03)


def test_drop_of_ten_points_on_200_cases_is_caught_nine_times_in_ten() -> None:
    rng = np.random.default_rng(15)
    caught = 0
    for _ in range(500):
        before = rng.random(200) < 0.9
        # 0.104 of all cases break and 0.1 * 0.04 are mended: 10 points net.
        after = np.where(before, rng.random(200) >= 0.104 / 0.9, rng.random(200) < 0.04)
        caught += stats.difference_verdict(after, before).verdict == "worse"
    assert caught / 500 >= 0.9


def test_williams_test_keeps_its_error() -> None:
    rng = np.random.default_rng(16)
    found = 0
    for _ in range(REPEATS):
        people = rng.normal(size=60)
        a, b = people + rng.normal(size=60), people + rng.normal(size=60)
        found += stats.williams_test(people, a, b).p_value < 0.05
    assert found / REPEATS <= 0.065


@pytest.mark.parametrize("points", [2, 3, 5])
def test_kendalls_interval_covers_with_ties(points: int) -> None:
    rng = np.random.default_rng(12)

    def drawn(n: int) -> list[np.ndarray]:
        common = rng.normal(size=n)
        cuts = np.linspace(-1.2, 1.2, points + 1)[1:-1]
        return [np.digitize(common + 0.6 * rng.normal(size=n), cuts).astype(float) for _ in range(2)]

    truth = float(np.mean([stats.correlation(*drawn(1500), kind="kendall").value for _ in range(10)]))
    share = np.mean([covers(stats.correlation(*drawn(50), kind="kendall"), truth) for _ in range(600)])
    assert COVERED[0] <= share <= 0.98
