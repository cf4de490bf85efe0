"""Scores of two variants on the same cases in, their difference with an interval and the tests of it out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError, ShapeError
from judgekit.stats._arrays import (
    FloatArray,
    clusters,
    columns,
    differences,
    merged,
    same_length,
    sums_by_cluster,
    values,
    whole,
)
from judgekit.stats._tails import binomial_two_sided, normal_tail
from judgekit.stats.intervals import mean_interval
from judgekit.stats.resampling import bootstrap_interval
from judgekit.stats.results import Estimate, Test

_BLOCK = 2_000_000
_EXACT = 14
"""Up to so many untied cases all 2^k sign patterns are counted instead of drawn."""


def paired_difference(a: ArrayLike, b: ArrayLike, cluster: Any = None, *, level: float = 0.95) -> Estimate:
    """The mean of a - b over the same cases, with a t interval: what the cases share drops out of the error.

    `mean_interval` of the differences, clustered where `cluster` is given.

    Args:
        a: Scores of the first variant, shape (n_values,); booleans count as 0 and 1.
        b: Scores of the second variant on the same cases (and trials), same shape and order.
        cluster: Case of each pair, shape (n_values,), where cases have several trials or share context.
        level: Confidence level.

    Returns:
        Estimate, positive where `a` scores higher, n = number of cases. No pairs: value None. One case, or equal
        differences everywhere: the value stands and the interval is None, with a reason.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values.

    Source:
        E. Miller (2024), Adding error bars to evals, arXiv:2411.00640.

    Example:
        >>> one = paired_difference([3, 4, 5, 4], [2, 4, 3, 3])
        >>> one.value, round(one.low, 3), round(one.high, 3)
        (1.0, -0.299, 2.299)
    """
    found = mean_interval(paired(a, b), cluster, level=level)
    method = {"t": "paired t", "t, clustered": "paired t, clustered"}.get(found.method, found.method)
    if found.method in ("Wilson", "rule of three"):  # made for rates; a difference of 0 or 1 is not one
        reason = "all differences are equal: no spread to make an interval of"
        return Estimate(found.value, None, None, found.level, "paired t", found.n, reason)
    return Estimate(found.value, found.low, found.high, found.level, method, found.n, found.reason, se=found.se)


def paired_bootstrap(
    a: ArrayLike, b: ArrayLike, cluster: Any = None, *, level: float = 0.95, resamples: int = 2000, seed: int = 0
) -> Estimate:
    """The mean of a - b over the same cases, with a BCa bootstrap interval.

    `bootstrap_interval` of the differences; for many metrics at once call `bootstrap_intervals` on a table of them.

    Args:
        a: Scores of the first variant, shape (n_values,).
        b: Scores of the second variant on the same cases, same shape and order.
        cluster: Case of each pair, shape (n_values,).
        level: Confidence level.
        resamples: Number of draws.
        seed: Seed of the draws.

    Returns:
        Estimate, positive where `a` scores higher; undefined as in `paired_difference`.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values.

    Source:
        B. Efron (1987), doi:10.1080/01621459.1987.10478410.

    Example:
        >>> one = paired_bootstrap([3, 4, 5, 4, 2, 5], [2, 4, 3, 3, 2, 4], seed=1)
        >>> round(one.value, 4), one.low > 0
        (0.8333, True)
    """
    difference = paired(a, b)
    found = bootstrap_interval(difference, cluster, level=level, resamples=resamples, seed=seed)
    if found.method in ("Wilson", "rule of three"):
        reason = "all differences are equal: no spread to make an interval of"
        return Estimate(found.value, None, None, found.level, "BCa bootstrap", found.n, reason)
    return found


def mcnemar(b: int, c: int) -> Test:
    """Exact McNemar test: do as many cases turn from fail to pass as from pass to fail?

    p = min(1, 2 P(X <= min(b, c))) for X ~ Binomial(b + c, 1/2). Cases on which both variants agree say nothing.

    Args:
        b: Cases that only the first variant passed.
        c: Cases that only the second variant passed.

    Returns:
        Test with statistic min(b, c) and n = b + c; p-value None, with a reason, if no case differs.

    Raises:
        InputError: not whole numbers of at least 0.

    Source:
        Q. McNemar (1947), doi:10.1007/BF02295996.

    Example:
        >>> round(mcnemar(5, 1).p_value, 5)  # 2 (1 + 6) / 64
        0.21875
    """
    b, c = whole(b, "b"), whole(c, "c")
    if b + c == 0:
        return Test(None, None, "exact McNemar", 0, "no case on which the two differ")
    return Test(binomial_two_sided(b, b + c), float(min(b, c)), "exact McNemar", b + c)


def sign_flip_test(a: ArrayLike, b: ArrayLike, cluster: Any = None, *, resamples: int = 9999, seed: int = 0) -> Test:
    """Permutation test of a - b: without a difference each case's sign is a coin toss.

    The p-value is the share of sign patterns whose |sum| is at least the observed one: all patterns are counted up to
    14 untied cases, else (1 + hits) / (1 + resamples) are drawn. With clusters whole clusters change their sign.

    Args:
        a: Scores of the first variant, shape (n_values,).
        b: Scores of the second variant on the same cases, same shape and order.
        cluster: Case of each pair, shape (n_values,).
        resamples: Number of sign patterns drawn.
        seed: Seed of the draws.

    Returns:
        Test with the mean difference as statistic and n = number of cases; p-value None if all cases are tied.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values.

    Source:
        R. A. Fisher (1935), The Design of Experiments, section 21; B. Phipson, G. Smyth (2010),
        doi:10.2202/1544-6115.1585.

    Example:
        >>> sign_flip_test([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 1]).p_value  # as McNemar with 5 against 1
        0.21875
    """
    difference = paired(a, b)[:, None]
    return _sign_flips(difference, cluster, resamples=resamples, seed=seed)[0]


def sign_flip_tests(
    a: ArrayLike, b: ArrayLike, cluster: Any = None, *, resamples: int = 9999, seed: int = 0
) -> tuple[Test, ...]:
    """`sign_flip_test` of each column, all on the same sign patterns.

    Args:
        a: Scores of the first variant, shape (n_values, n_metrics).
        b: Scores of the second variant, same shape and order.
        cluster: As in `sign_flip_test`.
        resamples: Number of sign patterns drawn.
        seed: Seed of the draws.

    Returns:
        One Test a column.

    Raises:
        ShapeError: shapes differ.
        InputError: missing or non-numeric values.

    Example:
        >>> [one.p_value for one in sign_flip_tests([[1, 0], [1, 0], [1, 1]], [[0, 0], [0, 1], [0, 0]])]
        [0.25, 1.0]
    """
    a, b = columns(a, "a"), columns(b, "b")
    if a.shape != b.shape:
        raise ShapeError(f"a has shape {a.shape}, b has {b.shape}. Pass the same cases and metrics of both.")
    return _sign_flips(differences(a, b), cluster, resamples=resamples, seed=seed)


def wilcoxon_signed_rank(
    a: ArrayLike, b: ArrayLike, cluster: Any = None, *, zeros: Literal["pratt", "drop"] = "pratt"
) -> Test:
    """Wilcoxon's signed-rank test of a - b with Pratt's zeros: tied cases keep their rank and vote for neither.

    The absolute differences, zeros included, are ranked (equal ones share the mean rank); the ranks of the zeros are
    then dropped. Exact over all sign patterns up to 14 untied cases, else z = (T+ - R/2) / sqrt(Σ r² / 4).

    Args:
        a: Scores of the first variant, shape (n_values,).
        b: Scores of the second variant on the same cases, same shape and order.
        cluster: Case of each pair; the mean difference of each case is ranked then.
        zeros: "pratt", or "drop" to leave tied cases out before ranking, as Wilcoxon did and other software does.

    Returns:
        Test with statistic T+, the rank sum where `a` scores higher, and n = number of cases; p-value None if all
        cases are tied.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values; unknown `zeros`.

    Source:
        J. W. Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures,
        doi:10.1080/01621459.1959.10501526.

    Example:
        >>> test = wilcoxon_signed_rank([1, 2, 3, 4, 5], [0, 0, 0, 0, 0])
        >>> test.p_value, test.statistic  # 2 / 2**5
        (0.0625, 15.0)
    """
    if zeros not in ("pratt", "drop"):
        raise InputError(f'zeros: "pratt" or "drop" is wanted, got {zeros!r:.60}.')
    difference = paired(a, b)
    codes, n = clusters(cluster, len(difference))
    method = "Wilcoxon signed-rank, Pratt" if zeros == "pratt" else "Wilcoxon signed-rank, zeros dropped"
    if n == 0:
        return Test(None, None, method, 0, "no cases")
    by_case = sums_by_cluster(difference, codes, n) / np.bincount(codes, minlength=n)
    if zeros == "drop":
        by_case = by_case[by_case != 0]
    signed = ranks(np.abs(by_case)) * np.sign(by_case)
    signed = signed[signed != 0]
    if not signed.size:
        return Test(None, None, method, n, "all cases are tied")
    statistic = float(signed[signed > 0].sum())
    if signed.size <= _EXACT:
        return Test(_exact_flips(signed), statistic, f"{method}, exact", n)
    z = float(signed.sum() / np.sqrt(np.sum(signed**2)))
    return Test(2 * normal_tail(abs(z)), statistic, f"{method}, normal", n, detail={"z": z})


def paired(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """a - b of two lists of equal length, ties exactly 0."""
    a, b = values(a, "a"), values(b, "b")
    same_length(a=a, b=b)
    return differences(a, b)


def ranks(x: FloatArray) -> FloatArray:
    """Ranks from 1, values that are equal up to rounding sharing their mean rank."""
    _, place, count = np.unique(merged(x), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place])


def untied(difference: FloatArray, cluster: Any = None) -> tuple[int, int, int]:
    """Number of cases above, below and at zero."""
    codes, n = clusters(cluster, len(difference))
    sums = sums_by_cluster(difference, codes, n)
    return int((sums > 0).sum()), int((sums < 0).sum()), int((sums == 0).sum())


def _sign_flips(difference: FloatArray, cluster: Any, *, resamples: int, seed: int) -> tuple[Test, ...]:
    resamples = whole(resamples, "resamples", least=100)
    codes, n = clusters(cluster, len(difference))
    kinds = "sign-flip permutation" if n == len(difference) else "sign-flip permutation, clustered"
    found: dict[int, Test] = {}
    drawn: dict[int, FloatArray] = {}
    for j in range(difference.shape[1]):
        sums = sums_by_cluster(difference[:, j], codes, n)
        mean = float(sums.sum() / len(difference)) if n else None
        if not np.any(sums):
            found[j] = Test(None, mean, kinds, n, "all cases are tied" if n else "no cases")
        elif np.count_nonzero(sums) <= _EXACT:
            found[j] = Test(_exact_flips(sums[sums != 0]), mean, f"{kinds}, exact", n)
        else:
            drawn[j] = sums / np.abs(sums).max()
            found[j] = Test(None, mean, f"{kinds}, {resamples} draws", n, seed=seed)
    if drawn:
        shares = _drawn_flips(np.column_stack(list(drawn.values())), resamples=resamples, seed=seed)
        for j, share in zip(drawn, shares, strict=True):
            one = found[j]
            found[j] = Test(float(share), one.statistic, one.method, n, seed=seed)
    return tuple(found[j] for j in range(difference.shape[1]))


def _exact_flips(x: FloatArray) -> float:
    x = x / np.abs(x).max()
    sums = np.zeros(1)
    for one in x:
        sums = np.concatenate([sums + one, sums - one])
    return float(np.mean(np.abs(sums) >= abs(x.sum()) - 1e-9))


def _drawn_flips(x: FloatArray, *, resamples: int, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    n = len(x)
    total = x.sum(0)
    # Rounding must not make a pattern that equals the observed one look smaller.
    least = np.abs(total) - 1e-9 * np.abs(x).sum(0)
    hits = np.zeros(x.shape[1])
    rows = max(1, _BLOCK // n)
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        bits = np.unpackbits(rng.integers(0, 256, size=(count, (n + 7) // 8), dtype=np.uint8), axis=1, count=n)
        hits += np.count_nonzero(np.abs(2 * (bits.astype(np.float64) @ x) - total) >= least, axis=0)
    return np.asarray((1 + hits) / (1 + resamples))
