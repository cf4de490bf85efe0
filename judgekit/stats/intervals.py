"""Counts or scores in, a rate or a mean with its confidence interval out."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import (
    FloatArray,
    check_level,
    clusters,
    is_constant,
    same_length,
    sums_by_cluster,
    values,
    whole,
)
from judgekit.stats._tails import rule_of_three, two_sided_t, two_sided_z
from judgekit.stats.results import Estimate, undefined

Bounds = tuple[float, float]


def wilson_interval(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A pass rate with Wilson's score interval, which stays inside [0, 1] and holds its level for small n.

    (p + z²/2n ± z sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n)

    Args:
        successes: Cases that passed, 0 to n.
        n: Cases with a result. Trials of one case are not cases: use `mean_interval` with `cluster` for them.
        level: Confidence level.

    Returns:
        Estimate with value successes / n in [0, 1]; value None, with a reason, for n = 0.

    Raises:
        InputError: not whole numbers, or more successes than cases.

    Source:
        E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference,
        doi:10.1080/01621459.1927.10502953.

    Example:
        >>> one = wilson_interval(8, 10)
        >>> one.value, round(one.low, 4), round(one.high, 4)
        (0.8, 0.4902, 0.9433)
    """
    successes, n, level = _counts(successes, n, level)
    if n == 0:
        return undefined("no cases", level=level, method="Wilson")
    z = two_sided_z(level)
    rate = successes / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(rate, low, high, level, "Wilson", n)


def exact_interval(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A pass rate with the exact (Clopper-Pearson) interval, which covers at least its level and is wider for it.

    The ends are the rates at which so few, or so many, successes have probability (1 - level) / 2.

    Args:
        successes: Cases that passed, 0 to n.
        n: Cases with a result.
        level: Confidence level.

    Returns:
        Estimate with value successes / n in [0, 1]; value None, with a reason, for n = 0.

    Raises:
        InputError: not whole numbers, or more successes than cases.

    Source:
        C. J. Clopper, E. S. Pearson (1934), doi:10.1093/biomet/26.4.404.

    Example:
        >>> one = exact_interval(0, 10)  # high is 1 - 0.025 ** (1 / 10)
        >>> one.low, round(one.high, 4)
        (0.0, 0.3085)
    """
    from scipy.special import betaincinv

    successes, n, level = _counts(successes, n, level)
    if n == 0:
        return undefined("no cases", level=level, method="Clopper-Pearson")
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return Estimate(successes / n, low, high, level, "Clopper-Pearson", n)


def mean_interval(x: ArrayLike, cluster: Any = None, *, level: float = 0.95, bounds: Bounds | None = None) -> Estimate:
    """The mean of scores with a t interval over cases.

    mean ± t(G-1) · se, se² = G/(G-1) · Σ_g (Σ_{i in g} (x_i - mean))² / N², for N values in G clusters. With every
    value its own cluster this is the ordinary standard error; with equally many trials a case it is the standard error
    of the case means.

    Args:
        x: Scores, shape (n_values,); booleans count as 0 and 1.
        cluster: Case of each value, shape (n_values,), where cases have several trials; None: each value is a case.
        level: Confidence level.
        bounds: Ends of the scale; the interval is cut there. Known without being told for 0 and 1 only if all
            values are equal.

    Returns:
        Estimate with the mean of all values, `se`, and n = number of cases. No values: value None. One case, or no
        spread between cases: the value stands and the interval is None, with a reason; but equal zeros or ones get
        Wilson's interval, and equal values on known bounds the rule of three.

    Raises:
        ShapeError: `x` and `cluster` differ in length.
        InputError: missing or non-numeric values.

    Source:
        K.-Y. Liang, S. L. Zeger (1986), doi:10.1093/biomet/73.1.13; for evaluations: E. Miller (2024), Adding error
        bars to evals, arXiv:2411.00640.

    Example:
        >>> one = mean_interval([1, 1, 1, 0, 0, 0], cluster=["a", "a", "a", "b", "b", "b"])
        >>> one.value, one.se, one.n
        (0.5, 0.5, 2)
    """
    x, level = values(x, "x"), check_level(level)
    codes, n = clusters(cluster, len(x))
    check_bounds(x, bounds)
    if n == 0:
        return undefined("no cases", level=level, method="t")
    mean = _mean(x)
    se = clustered_se(x, mean, codes, n)
    if se is None:
        return without_spread(mean, x, n, level=level, bounds=bounds)
    half = two_sided_t(level, n - 1) * se
    low, high = cut(mean - half, mean + half, bounds)
    return Estimate(mean, low, high, level, "t" if n == len(x) else "t, clustered", n, se=se)


def stratified_mean(
    x: ArrayLike, group: Any, *, weights: Literal["cases", "groups"], level: float = 0.95, bounds: Bounds | None = None
) -> Estimate:
    """The mean over groups, each case or each group counting the same, with the standard error of that very mean.

    Σ_g w_g mean_g with variance Σ_g w_g² var_g / n_g; w_g = n_g / N for "cases", 1 / G for "groups".

    Args:
        x: Scores, one a case, shape (n_cases,).
        group: Group of each case, shape (n_cases,).
        weights: Which mean: of all cases, or of the group means. The two differ, so there is no default.
        level: Confidence level.
        bounds: Ends of the scale; the interval is cut there.

    Returns:
        Estimate whose method names the mean. No values: value None. A group of one case, or no spread within any
        group: the value stands and the interval is None, with a reason.

    Raises:
        ShapeError: `x` and `group` differ in length.
        InputError: missing or non-numeric values; unknown `weights`.

    Source:
        W. G. Cochran (1977), Sampling Techniques, chapter 5, ISBN 978-0-471-16240-7.

    Example:
        >>> x, group = [1] * 9 + [0] + [1] * 45 + [0] * 45, ["small"] * 10 + ["large"] * 90
        >>> one = stratified_mean(x, group, weights="groups")
        >>> one.value, round(one.se, 6), one.method
        (0.7, 0.056588, 'mean of group means, normal')
    """
    x, level = values(x, "x"), check_level(level)
    if weights not in ("cases", "groups"):
        raise InputError(f'weights: "cases" or "groups" is wanted, got {weights!r:.60}.')
    codes, n_groups = clusters(group, len(x)) if group is not None else (np.zeros(len(x), np.int64), 1)
    same_length(x=x, group=codes)
    check_bounds(x, bounds)
    method = "mean of all cases, normal" if weights == "cases" else "mean of group means, normal"
    if len(x) == 0:
        return undefined("no cases", level=level, method=method)
    sizes = np.bincount(codes, minlength=n_groups)
    means = np.bincount(codes, weights=x, minlength=n_groups) / sizes
    share = sizes / len(x) if weights == "cases" else np.full(n_groups, 1 / n_groups)
    mean = float(share @ means)
    if sizes.min() < 2:
        reason = "a group of one case has no spread"
        return Estimate(mean, None, None, level, method, len(x), reason)
    spread = np.bincount(codes, weights=(x - means[codes]) ** 2, minlength=n_groups) / (sizes - 1)
    se = float(np.sqrt(np.sum(share**2 * spread / sizes)))
    if se <= 1e-12 * np.abs(x).max():
        return Estimate(mean, None, None, level, method, len(x), "all values within each group are equal: no spread")
    half = two_sided_z(level) * se
    low, high = cut(mean - half, mean + half, bounds)
    return Estimate(mean, low, high, level, method, len(x), se=se)


def clustered_se(x: FloatArray, mean: float, codes: Any, n: int) -> float | None:
    """Cluster-robust standard error of the mean, with G/(G-1); None where clusters show no spread."""
    if n < 2 or is_constant(x):
        return None
    sums = sums_by_cluster(x - mean, codes, n)
    if not np.any(np.abs(sums) > 1e-12 * np.abs(x).max()):
        return None
    se = float(np.sqrt(n / (n - 1) * np.sum(sums**2)) / len(x))
    return se or None  # squares of scores around 1e-200 vanish


def without_spread(
    mean: float, x: FloatArray, n: int, *, level: float, bounds: Bounds | None, method: str = "t"
) -> Estimate:
    """The mean of cases that are all alike: what can be said about it, and why it is not more."""
    if n == 1:
        return Estimate(mean, None, None, level, method, n, "one case has no spread")
    is_rate = bool(np.isin(x, (0.0, 1.0)).all()) and bounds in (None, (0, 1))
    if is_rate and mean in (0.0, 1.0):
        rate = wilson_interval(round(mean * n), n, level=level)
        return Estimate(mean, rate.low, rate.high, level, "Wilson", n, f"all values are {mean:g}")
    reason = "all cases have the same score: no spread to make an interval of"
    if not is_rate and bounds is None:
        return Estimate(mean, None, None, level, method, n, reason)
    low, high = bounds or (0.0, 1.0)
    share = rule_of_three(n, level)
    return Estimate(
        mean,
        mean - share * (mean - low),
        mean + share * (high - mean),
        level,
        "rule of three",
        n,
        "all cases have the same score: the interval allows for other scores never seen in so many cases",
    )


def check_bounds(x: FloatArray, bounds: Bounds | None) -> None:
    """Complain about scores outside their own scale."""
    if bounds is None:
        return
    low, high = bounds
    if not low < high:
        raise InputError(f"bounds: the lower end comes first, got {bounds}.")
    outside = x[(x < low) | (x > high)]
    if outside.size:
        raise InputError(f"x: {outside[0]:g} lies outside the bounds {low:g} to {high:g}.")


def cut(low: float, high: float, bounds: Bounds | None) -> Bounds:
    """The interval inside the ends of the scale."""
    if bounds is None:
        return low, high
    return min(max(low, bounds[0]), bounds[1]), max(min(high, bounds[1]), bounds[0])


def _mean(x: FloatArray) -> float:
    # Adding up equal values may round: the mean of three times 0.1 would lie above all of them.
    return float(min(max(x.mean(), x.min()), x.max()))


def _counts(successes: int, n: int, level: float) -> tuple[int, int, float]:
    successes, n = whole(successes, "successes"), whole(n, "n")
    if successes > n:
        raise InputError(f"successes: {successes} of {n} cases is more than all.")
    return successes, n, check_level(level)
