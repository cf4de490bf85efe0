"""Other people's implementations as oracles, where they are installed; none is ever needed to run."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from judgekit import stats

NUMBER = np.arange(120)
PEOPLE = 1 + NUMBER * 7 // 3 % 5
JUDGE = np.clip(PEOPLE + NUMBER * NUMBER // 5 % 3 - 1, 1, 5)
SCALE = [1, 2, 3, 4, 5]


def test_hit_rates_are_those_of_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    people, judge = PEOPLE >= 4, JUDGE >= 4

    ours = stats.confusion(people, judge, scale=[False, True])

    assert ours.recall(True).value == pytest.approx(metrics.recall_score(people, judge))
    assert ours.recall(False).value == pytest.approx(metrics.recall_score(people, judge, pos_label=False))
    assert ours.precision(True).value == pytest.approx(metrics.precision_score(people, judge))


def test_fleiss_kappa_is_that_of_statsmodels():
    raters = pytest.importorskip("statsmodels.stats.inter_rater")
    ratings = np.column_stack([PEOPLE, JUDGE, np.roll(PEOPLE, 1)])

    table, _ = raters.aggregate_raters(ratings)
    assert stats.fleiss_kappa(ratings).value == pytest.approx(raters.fleiss_kappa(table))


def test_prediction_powered_intervals_are_those_of_its_authors():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ppi = pytest.importorskip("ppi_py")
    people, judge = (PEOPLE >= 4).astype(float), (JUDGE >= 4).astype(float)
    labelled, rest = slice(0, 40), slice(40, None)

    plain = stats.ppi_mean(people[labelled], judge[labelled], judge[rest], weight=1)
    best = stats.ppi_mean(people[labelled], judge[labelled], judge[rest])

    for ours, weight in ((plain, 1), (best, best.detail["lambda"])):
        given = people[labelled], judge[labelled], judge[rest]
        theirs = ppi.ppi_mean_pointestimate(*given, lam=weight)
        low, high = ppi.ppi_mean_ci(*given, alpha=0.05, lam=weight)
        assert ours.value == pytest.approx(theirs.item())
        assert (ours.low, ours.high) == pytest.approx((low.item(), high.item()))
    # Their best weight is the same, up to whether variances divide by n or n - 1.
    chosen = ppi.ppi_mean_pointestimate(people[labelled], judge[labelled], judge[rest]).item()
    assert best.value == pytest.approx(chosen, abs=2e-3)


def test_agreement_coefficients_are_those_of_irrcac():
    # irrCAC 0.4.4 on the same 120 pairs: CAC(table, weights="quadratic", categories=[1 … 5]).gwet(), .krippendorff()
    # and weights="identity"; it pins an old scipy, so only its figures are here.
    pairs = np.column_stack([PEOPLE, JUDGE])

    assert stats.gwet_ac1(PEOPLE, JUDGE, scale=SCALE).value == pytest.approx(0.333796, abs=5.1e-7)
    assert stats.gwet_ac2(pairs, weights="quadratic", scale=SCALE).value == pytest.approx(0.867769, abs=5.1e-7)
    assert stats.krippendorff_alpha(pairs, "nominal").value == pytest.approx(0.334262, abs=5.1e-7)
    assert stats.krippendorff_alpha(pairs, "interval").value == pytest.approx(0.866031, abs=5.1e-7)
