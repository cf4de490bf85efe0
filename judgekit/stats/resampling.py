"""Scores of cases in, bootstrap intervals of their means out.

Several metrics of the same cases share one set of resamples, so a whole comparison costs about what one metric does.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgekit.stats._arrays import FloatArray, IntArray, check_level, clusters, columns, values, whole
from judgekit.stats._tails import z_quantile
from judgekit.stats.intervals import Bounds, check_bounds, clustered_se, cut, without_spread
from judgekit.stats.results import Estimate, undefined

_BLOCK = 2_000_000
"""Draws held in memory at a time."""


def bootstrap_interval(
    x: ArrayLike,
    cluster: Any = None,
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    bounds: Bounds | None = None,
) -> Estimate:
    """The mean of scores with a BCa bootstrap interval: whole cases are drawn with replacement.

    The ends are quantiles of the resampled means, shifted for bias (z0) and skewness (a, from the jackknife):
    alpha' = Phi(z0 + (z0 + z) / (1 - a (z0 + z))).

    Args:
        x: Scores, shape (n_values,).
        cluster: Case of each value, shape (n_values,), where cases have several trials; None: each value is a case.
        level: Confidence level.
        resamples: Number of draws; the ends wander by a few hundredths of the width between seeds at 2000.
        seed: Seed of the draws; the same seed gives the same interval.
        bounds: Ends of the scale, used as in `mean_interval` when all cases are alike.

    Returns:
        Estimate with the mean of all values; method "BCa bootstrap", or "percentile bootstrap" where the correction
        is undefined, or as in `mean_interval` where cases show no spread. No values: value None.

    Raises:
        ShapeError: `x` and `cluster` differ in length.
        InputError: missing or non-numeric values.

    Source:
        B. Efron (1987), Better bootstrap confidence intervals, doi:10.1080/01621459.1987.10478410.

    Example:
        >>> one = bootstrap_interval([1, 2, 3, 4, 5, 6, 7, 8], seed=1)
        >>> one.value, 2.5 < one.low < 3.5, 5.5 < one.high < 6.5, one.method
        (4.5, True, True, 'BCa bootstrap')
    """
    x = values(x, "x")
    return bootstrap_intervals(x[:, None], cluster, level=level, resamples=resamples, seed=seed, bounds=bounds)[0]


def bootstrap_intervals(
    x: ArrayLike,
    cluster: Any = None,
    *,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    bounds: Bounds | None = None,
) -> tuple[Estimate, ...]:
    """`bootstrap_interval` of each column of `x`, all on the same resamples.

    Args:
        x: Scores, shape (n_values, n_metrics).
        cluster: As in `bootstrap_interval`.
        level: Confidence level.
        resamples: Number of draws.
        seed: Seed of the draws.
        bounds: Ends of the scale, the same for all columns.

    Returns:
        One Estimate a column.

    Raises:
        ShapeError: `x` is not two-dimensional, or does not fit `cluster`.
        InputError: missing or non-numeric values.

    Example:
        >>> [one.value for one in bootstrap_intervals([[1, 0], [2, 0], [3, 1]])]
        [2.0, 0.3333333333333333]
    """
    x, level, resamples = columns(x, "x"), check_level(level), whole(resamples, "resamples", least=100)
    codes, n = clusters(cluster, len(x))
    check_bounds(x, bounds)
    if n == 0:
        return tuple(undefined("no cases", level=level, method="BCa bootstrap") for _ in range(x.shape[1]))
    totals = np.zeros((n, x.shape[1] + 1))
    np.add.at(totals, codes, np.column_stack([x, np.ones(len(x))]))
    means = totals[:, :-1].sum(0) / len(x)
    spread = [clustered_se(x[:, j], float(means[j]), codes, n) for j in range(x.shape[1])]
    varied = [j for j, se in enumerate(spread) if se is not None]
    found: dict[int, Estimate] = {}
    if varied:
        drawn = resampled_totals(totals[:, [*varied, -1]], resamples=resamples, seed=seed)
        for place, j in enumerate(varied):
            resampled = drawn[:, place] / drawn[:, -1]
            left_out = (totals[:, j].sum() - totals[:, j]) / (len(x) - totals[:, -1])
            low, high, method = bca_ends(float(means[j]), resampled, left_out, level=level)
            low, high = cut(low, high, bounds)
            kind = method if n == len(x) else f"{method}, clustered"
            found[j] = Estimate(float(means[j]), low, high, level, kind, n, se=float(resampled.std(ddof=1)), seed=seed)
    for j in set(range(x.shape[1])) - set(varied):
        mean = float(np.clip(means[j], x[:, j].min(), x[:, j].max()))
        found[j] = without_spread(mean, x[:, j], n, level=level, bounds=bounds, method="BCa bootstrap")
    return tuple(found[j] for j in range(x.shape[1]))


def resampled_totals(totals: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    """Sums over cases drawn with replacement, shape (resamples, m), from the cases' own sums, shape (n_cases, m)."""
    rng = np.random.default_rng(seed)
    n = len(totals)
    rows = max(1, _BLOCK // n)
    out = np.empty((resamples, totals.shape[1]))
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        out[start : start + count] = _how_often(rng, count, n) @ totals
    return out


def _how_often(rng: np.random.Generator, count: int, n: int) -> FloatArray:
    drawn: IntArray = rng.integers(0, n, size=(count, n))
    drawn += np.arange(0, count * n, n)[:, None]
    return np.bincount(drawn.ravel(), minlength=count * n).reshape(count, n).astype(np.float64)


def bca_ends(value: float, resampled: FloatArray, left_out: FloatArray, *, level: float) -> tuple[float, float, str]:
    """Low and high end of the BCa interval and the name of the method; percentiles where BCa is degenerate.

    Args:
        value: The estimate on all cases.
        resampled: The estimate on each resample, shape (resamples,).
        left_out: The estimate without each case, shape (n_cases,).
        level: Confidence level.
    """
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    method = "percentile bootstrap"
    # What differs from the estimate only by rounding counts half on each side.
    near = np.abs(resampled - value) <= 1e-12 * max(abs(value), float(np.abs(resampled).max()))
    below = float(np.mean(np.where(near, 0.5, resampled < value)))
    deviations = left_out.mean() - left_out
    size = float(np.sum(deviations**2))
    if 0 < below < 1 and size > 0:
        shift = z_quantile(below)
        skew = float(np.sum(deviations**3)) / (6 * size**1.5)
        moved = [shift + z_quantile(float(tail)) for tail in tails]
        if all(1 - skew * one > 0 for one in moved):
            tails = np.array([NormalDist().cdf(shift + one / (1 - skew * one)) for one in moved])
            method = "BCa bootstrap"
    low, high = np.quantile(resampled, tails)
    return float(low), float(high), method
