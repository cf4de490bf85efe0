"""Scores of a judge and of people in, correlations and the test of two judges against the same people out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, IntArray, check_level, clusters, is_constant, merged, same_length, values
from judgekit.stats._tails import t_tail, two_sided_t, two_sided_z
from judgekit.stats.intervals import mean_interval
from judgekit.stats.paired import ranks
from judgekit.stats.results import Estimate, Test, undefined

Kind = Literal["pearson", "spearman", "kendall"]


def correlation(
    a: ArrayLike,
    b: ArrayLike,
    cluster: Any = None,
    *,
    kind: Kind,
    level: float = 0.95,
    names: tuple[str, str] = ("a", "b"),
) -> Estimate:
    """Correlation of two lists of scores: of the values, of their ranks, or of the order of pairs (Kendall's tau-b).

    The interval is tanh(atanh(r) ± z s): s² = 1/(n-3) for Pearson, (1 + r²/2)/(n-3) for Spearman, 0.437/(n-4) for
    Kendall. That last one holds for scores without ties; with ties s is the jackknife's over cases, and t with n-1
    degrees of freedom stands in the place of z.

    Args:
        a: Scores, shape (n_scores,).
        b: Scores of the same outputs, same order.
        cluster: Case of each score, where cases have several outputs: the interval then is as wide as that of as many
            scores as there are cases, the most that they can hang together. None: each score is of its own case.
        kind: "pearson", "spearman" or "kendall".
        level: Confidence level.
        names: Whose scores `a` and `b` are, for reasons.

    Returns:
        Estimate with a value in [-1, 1], n = number of cases. Value None, with a reason, for fewer than two cases or
        if one list is constant; interval None under five cases, at a perfect correlation, or where it hangs on one
        case with ties.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values; unknown `kind`.

    Source:
        R. A. Fisher (1921), On the probable error of a coefficient of correlation; Kendall: E. C. Fieller,
        H. O. Hartley, E. S. Pearson (1957), doi:10.1093/biomet/44.3-4.470; Spearman: D. G. Bonett, T. A. Wright (2000),
        doi:10.1007/BF02294183; jackknife: J. W. Tukey (1958), doi:10.1214/aoms/1177706647.

    Example:
        >>> correlation([1, 2, 3, 4], [1, 3, 2, 4], kind="spearman").value  # 1 - 6 * 2 / (4 * 15)
        0.8
    """
    a, b, level = values(a, "a"), values(b, "b"), check_level(level)
    if kind not in ("pearson", "spearman", "kendall"):
        raise InputError(f"kind: pearson, spearman or kendall is wanted, got {kind!r:.60}.")
    same_length(a=a, b=b)
    codes, n = clusters(cluster, len(a))
    method = f"{kind}, Fisher z"
    if n < 2:
        return undefined("fewer than two cases", level=level, method=method, n=n)
    if is_constant(a) or is_constant(b):
        return undefined(
            f"undefined: all scores of {names[0 if is_constant(a) else 1]} are equal", level=level, method=method, n=n
        )
    r = _coefficient(kind)(a, b)
    if n < 5 or 1 - abs(r) < 1e-12:
        reason = "too few cases for an interval" if n < 5 else "a perfect correlation has no interval"
        return Estimate(r, None, None, level, method, n, reason)
    if kind == "kendall" and (_has_ties(a) or _has_ties(b)):
        return _with_ties(r, a, b, codes, n, level)
    se = {
        "pearson": 1 / math.sqrt(n - 3),
        "spearman": math.sqrt((1 + r * r / 2) / (n - 3)),
        "kendall": math.sqrt(0.437 / (n - 4)),
    }[kind]
    half = two_sided_z(level) * se
    return Estimate(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), level, method, n)


def correlation_within(a: ArrayLike, b: ArrayLike, group: Any, *, kind: Kind, level: float = 0.95) -> Estimate:
    """The mean over groups of the correlation inside each: can the judge rank answers to one and the same question?

    Args:
        a: Scores, one a case, shape (n_cases,).
        b: Scores of the same cases, same order.
        group: Group of each case, shape (n_cases,), such as its input.
        kind: "pearson", "spearman" or "kendall".
        level: Confidence level.

    Returns:
        Estimate with n = groups used, a t interval over them, and `detail` with `groups`, all there are. Groups of one
        case, or where either list is constant, have no correlation and are left out. Value None if none is left.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values; unknown `kind`.

    Source:
        M. Zhong et al. (2022), Towards a unified multi-dimensional evaluator for text generation, arXiv:2210.07197.

    Example:
        >>> one = correlation_within([1, 2, 1, 2, 3], [1, 2, 2, 1, 3], ["x", "x", "y", "y", "z"], kind="kendall")
        >>> one.value, one.n, one.detail["groups"]
        (0.0, 2, 3.0)
    """
    a, b = values(a, "a"), values(b, "b")
    codes, n_groups = clusters(group, len(a))
    same_length(a=a, b=b)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=n_groups))[:-1]
    inside = [correlation(a[rows], b[rows], kind=kind, level=level) for rows in np.split(order, ends)]
    found = [one.value for one in inside if one.value is not None]
    detail = {"groups": float(n_groups)}
    if not found:
        return Estimate(
            None, None, None, level, f"mean {kind} within groups", 0, "no group with a spread", detail=detail
        )
    mean = mean_interval(found, level=level, bounds=(-1, 1))
    if mean.se is None:
        return Estimate(mean.value, None, None, level, f"mean {kind} within groups", mean.n, mean.reason, detail=detail)
    return Estimate(
        mean.value, mean.low, mean.high, level, f"mean {kind} within groups, t", mean.n, se=mean.se, detail=detail
    )


def williams_test(
    people: ArrayLike,
    a: ArrayLike,
    b: ArrayLike,
    *,
    alternative: Literal["two-sided", "greater"] = "two-sided",
) -> Test:
    """Does judge `a` correlate better with people than judge `b` on the same cases?

    t(n-3) = (r_pa - r_pb) sqrt((n-1)(1 + r_ab) / (2 K (n-1)/(n-3) + m² (1 - r_ab)³)), with
    K = 1 - r_pa² - r_pb² - r_ab² + 2 r_pa r_pb r_ab and m = (r_pa + r_pb) / 2; Pearson correlations.

    Args:
        people: Scores by people, shape (n_cases,).
        a: Scores of the first judge, same order.
        b: Scores of the second judge, same order.
        alternative: "greater" asks only whether `a` is better.

    Returns:
        Test with t as statistic and the three correlations in `detail`; p-value None, with a reason, under four
        cases, for a constant list, or if the judges do not differ at all.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values.

    Source:
        E. J. Williams (1959), doi:10.1111/j.2517-6161.1959.tb00346.x; for metrics Y. Graham, T. Baldwin (2014),
        doi:10.3115/v1/D14-1020.

    Example:
        >>> people = [1, 2, 3, 4, 5, 6]
        >>> test = williams_test(people, [1, 2, 3, 4, 6, 5], [2, 1, 4, 3, 5, 6])
        >>> round(test.statistic, 3), round(test.p_value, 3)
        (0.597, 0.593)
    """
    people, a, b = values(people, "people"), values(a, "a"), values(b, "b")
    if alternative not in ("two-sided", "greater"):
        raise InputError(f'alternative: "two-sided" or "greater" is wanted, got {alternative!r:.60}.')
    n = same_length(people=people, a=a, b=b)
    if n < 4:
        return Test(None, None, "Williams", n, "fewer than four cases")
    for name, scores in (("people", people), ("a", a), ("b", b)):
        if is_constant(scores):
            return Test(None, None, "Williams", n, f"undefined: all scores of {name} are equal")
    with_a, with_b, between = _pearson(people, a), _pearson(people, b), _pearson(a, b)
    detail = {"people_a": with_a, "people_b": with_b, "a_b": between}
    spread = 1 - with_a**2 - with_b**2 - between**2 + 2 * with_a * with_b * between
    mean = (with_a + with_b) / 2
    size = 2 * max(spread, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - between) ** 3
    if size < 1e-15 or 1 - between < 1e-12:
        return Test(None, None, "Williams", n, "the two judges score alike: nothing tells them apart", detail=detail)
    t = (with_a - with_b) * math.sqrt((n - 1) * (1 + between) / size)
    p_value = t_tail(t, n - 3) if alternative == "greater" else min(1.0, 2 * t_tail(abs(t), n - 3))
    return Test(p_value, t, f"Williams, {alternative}", n, detail=detail)


def _coefficient(kind: Kind) -> Callable[[FloatArray, FloatArray], float]:
    return {"pearson": _pearson, "spearman": lambda a, b: _pearson(ranks(a), ranks(b)), "kendall": _kendall}[kind]


def _pearson(a: FloatArray, b: FloatArray) -> float:
    a, b = (a - a.mean()) / np.ptp(a), (b - b.mean()) / np.ptp(b)
    return float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1, 1))


def _kendall(a: FloatArray, b: FloatArray) -> float:
    agreeing, untied_a, untied_b = _orders(a, b).sum(axis=1)
    return float(np.clip(agreeing / math.sqrt(untied_a * untied_b), -1, 1))


def _orders(a: FloatArray, b: FloatArray, codes: IntArray | None = None) -> FloatArray:
    """For each score its pairs with all others: ordered alike minus otherwise, untied in a, untied in b; (3, n).

    Args:
        a: Scores.
        b: Scores of the same outputs.
        codes: Case of each score: pairs within a case count half, so that the rows of a case sum to its pairs.
    """
    a, b = merged(a), merged(b)
    found = np.zeros((3, len(a)))
    for at in range(len(a)):  # row by row: the full matrix of pairs would not fit for long lists
        da, db = np.sign(a - a[at]), np.sign(b - b[at])
        weight = 1.0 if codes is None else np.where(codes == codes[at], 0.5, 1.0)
        found[:, at] = np.sum(weight * da * db), np.sum(weight * da * da), np.sum(weight * db * db)
    return found


def _has_ties(x: FloatArray) -> bool:
    return len(np.unique(merged(x))) < len(x)


def _with_ties(r: float, a: FloatArray, b: FloatArray, codes: IntArray, n: int, level: float) -> Estimate:
    """Kendall's tau-b with the jackknife's interval: how it moves when one case is left out."""
    method = "kendall, jackknife"
    each = _orders(a, b, codes)
    of_case = np.array([np.bincount(codes, weights=row, minlength=n) for row in each])
    # Every pair stands in the rows of both its scores.
    agreeing, untied_a, untied_b = _orders(a, b).sum(axis=1)[:, None] / 2 - of_case
    size = np.sqrt(np.maximum(untied_a * untied_b, 0.0))
    if np.any(size < 1e-9):
        return Estimate(r, None, None, level, method, n, "all but one case are alike: too few for an interval")
    left_out = agreeing / size
    se = math.sqrt((n - 1) / n * float(np.sum((left_out - left_out.mean()) ** 2)))
    if se < 1e-12:
        return Estimate(r, None, None, level, method, n, "no case moves it: too few for an interval")
    half = two_sided_t(level, n - 1) * se / (1 - r * r)
    return Estimate(r, math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), level, method, n, se=se)
