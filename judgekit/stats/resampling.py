"""Scores of cases in, bootstrap intervals of their means out.

Several metrics of the same cases share one set of resamples, so a whole comparison costs about what one metric does.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import ShapeError
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
    present: ArrayLike | None = None,
) -> tuple[Estimate, ...]:
    """`bootstrap_interval` of each column of `x`, all on the same resamples.

    Args:
        x: Scores, shape (n_values, n_metrics).
        cluster: As in `bootstrap_interval`.
        level: Confidence level.
        resamples: Number of draws.
        seed: Seed of the draws.
        bounds: Ends of the scale, the same for all columns.
        present: Which values there are, shape as `x`, where metrics were scored on different cases; what stands in `x`
            elsewhere is ignored, and each column's n counts its own cases. None: all.

    Returns:
        One Estimate a column.

    Raises:
        ShapeError: `x` is not two-dimensional, or does not fit `cluster` or `present`.
        InputError: missing or non-numeric values.

    Example:
        >>> [one.value for one in bootstrap_intervals([[1, 0], [2, 0], [3, 1]])]
        [2.0, 0.3333333333333333]
        >>> bootstrap_intervals([[1, 0], [2, 0], [9, 1]], present=[[1, 1], [1, 1], [0, 1]])[0].value
        1.5
    """
    x, level, resamples = columns(x, "x"), check_level(level), whole(resamples, "resamples", least=100)
    codes, n = clusters(cluster, len(x))
    there = np.ones(x.shape, dtype=bool) if present is None else columns(present, "present") != 0
    if there.shape != x.shape:
        raise ShapeError(f"x has shape {x.shape}, present has {there.shape}. Pass one mark for each value.")
    x = np.where(there, x, 0.0)
    own = [_Column(x[there[:, j], j], codes[there[:, j]]) for j in range(x.shape[1])]
    for one in own:
        check_bounds(one.x, bounds)
    varied = [j for j, one in enumerate(own) if one.varies]
    found = {j: one.without_spread(level, bounds) for j, one in enumerate(own) if not one.varies}
    if varied:
        totals = np.zeros((n, 2 * len(varied)))
        np.add.at(totals, codes, np.column_stack([x[:, varied], there[:, varied]]))
        drawn = resampled_totals(totals, resamples=resamples, seed=seed)
        for place, j in enumerate(varied):
            sums, sizes = drawn[:, place], drawn[:, place + len(varied)]
            # A draw may hold none of the cases that a rare metric has: it says nothing.
            resampled = sums[sizes > 0] / sizes[sizes > 0]
            mine, size = totals[:, place], totals[:, place + len(varied)]
            without = size.sum() - size[size > 0]
            left_out = (mine.sum() - mine[size > 0]) / without
            low, high, method = bca_ends(own[j].mean, resampled, left_out, level=level)
            low, high = cut(low, high, bounds)
            kind = method if own[j].n == len(own[j].x) else f"{method}, clustered"
            se = float(resampled.std(ddof=1))
            found[j] = Estimate(own[j].mean, low, high, level, kind, own[j].n, se=se, seed=seed)
    return tuple(found[j] for j in range(x.shape[1]))


class _Column:
    """The values that one metric has, with the case of each."""

    def __init__(self, x: FloatArray, codes: IntArray) -> None:
        names, self.codes = np.unique(codes, return_inverse=True)
        self.x, self.n = x, len(names)
        self.mean = float(np.clip(x.mean(), x.min(), x.max())) if len(x) else 0.0
        self.varies = clustered_se(x, self.mean, self.codes, self.n) is not None

    def without_spread(self, level: float, bounds: Bounds | None) -> Estimate:
        if not self.n:
            return undefined("no cases", level=level, method="BCa bootstrap")
        return without_spread(self.mean, self.x, self.n, level=level, bounds=bounds, method="BCa bootstrap")


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
