"""Labels of some cases and a judge's scores of all in, the mean that people would give out."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, check_level, clusters, labels, same_length, sums_by_cluster, values
from judgekit.stats._tails import rule_of_three, two_sided_z
from judgekit.stats.intervals import Bounds, check_bounds, cut, mean_interval
from judgekit.stats.results import Estimate, undefined


def ppi_mean(
    people: ArrayLike,
    judge: ArrayLike,
    judged: ArrayLike,
    *,
    weight: float | None = None,
    cluster: Any = None,
    judged_cluster: Any = None,
    level: float = 0.95,
    bounds: Bounds | None = None,
) -> Estimate:
    """The mean that people would give to all cases, from labels of some and the judge's scores of all.

    mean(people) + λ (mean(judged) - mean(judge)): the judge's mean, corrected by its mean error on the labelled cases.
    λ = 1 is prediction-powered inference; PPI++ takes the λ of least variance, so a useless judge is left out (λ = 0).

    Args:
        people: Labels or scores by people, shape (n_labelled,): a random part of the cases.
        judge: The judge's scores of the labelled cases, same order.
        judged: The judge's scores of the other cases, shape (n_judged,).
        weight: λ, 0 to 1; None: the one of least variance, cov(people, judge) / ((1 + n/N) var(judge)), kept in [0, 1].
        cluster: Case of each label, where cases have several outputs; None: one value a case.
        judged_cluster: Case of each of `judged`, in the same words; give both or neither.
        level: Confidence level.
        bounds: Ends of the scale; value and interval are cut there.

    Returns:
        Estimate with a normal interval, n = all cases and `lambda` in `detail`. Fewer than two labels: value None. If
        judge and people agree on every label the interval is widened by the errors not yet excluded (rule of three).

    Raises:
        ShapeError: `people` and `judge` differ in length.
        InputError: missing or non-numeric values; `weight` outside 0 to 1.

    Source:
        A. Angelopoulos et al. (2023), Prediction-powered inference, doi:10.1126/science.adi6000; PPI++:
        arXiv:2311.01453.

    Example:
        >>> one = ppi_mean([1, 0, 1, 1], [1, 1, 1, 0], [1, 0, 0, 1, 1, 1], weight=1)
        >>> round(one.value, 4), one.n  # 3/4 + (4/6 - 3/4)
        (0.6667, 10)
    """
    people, judge, judged = values(people, "people"), values(judge, "judge"), values(judged, "judged")
    more, level = len(judged), check_level(level)
    same_length(people=people, judge=judge)
    cases, others = case_of_each(cluster, len(people)), case_of_each(judged_cluster, more)
    if (cases is None) != (others is None):
        raise InputError("cluster and judged_cluster: give both or neither.")
    together = None if cases is None or others is None else [*cases, *others]
    codes, n_cases = clusters(together, len(people) + more)
    n = len(set(codes[: len(people)].tolist()))
    check_bounds(np.concatenate([people, judge, judged]), bounds)
    if weight is not None and not 0 <= weight <= 1:
        raise InputError(f"weight: a number from 0 to 1 is wanted, got {weight!r:.60}.")
    method = "PPI++" if weight is None else "PPI"
    if n < 2:
        return undefined("fewer than two labels by people", level=level, method=method, n=n_cases)
    if more == 0:
        return mean_interval(people, cases, level=level, bounds=bounds)
    if weight is None:
        weight = _best_weight(people, judge, judged)
    value = float(people.mean() + weight * (judged.mean() - judge.mean()))
    errors = people - weight * judge
    pulls = np.concatenate([(errors - errors.mean()) / len(people), weight * (judged - judged.mean()) / more])
    se = math.sqrt(float(np.sum(sums_by_cluster(pulls, codes, n_cases) ** 2)))
    half = two_sided_z(level) * se
    reason = ""
    unseen = rule_of_three(n, level) * float(np.ptp(np.concatenate([people, judge, judged])))
    if weight > 0 and np.array_equal(people, judge) and unseen > 0:
        half += weight * unseen
        reason = (
            f"judge and people agree on all {len(people)} labels: the interval allows for errors never seen in so many"
        )
    detail = {"lambda": weight}
    if half == 0:  # then the weight is 0, or nothing varies: the labels by people say all there is
        alone = mean_interval(people, cases, level=level, bounds=bounds)
        return Estimate(
            value, alone.low, alone.high, level, f"{method}, {alone.method}", n_cases, alone.reason, detail=detail
        )
    low, high = cut(value - half, value + half, bounds)
    inside = value if bounds is None else min(max(value, bounds[0]), bounds[1])
    return Estimate(inside, low, high, level, method, n_cases, reason, se=se or None, detail=detail)


def case_of_each(cluster: Any, n: int) -> list[Hashable] | None:
    """The case of each of n values; None if none are named.

    Raises:
        ShapeError: not as many as values.
    """
    if cluster is None:
        return None
    names = labels(cluster, "cluster")
    same_length(values=range(n), cluster=names)
    return names


def _best_weight(people: FloatArray, judge: FloatArray, judged: FloatArray) -> float:
    spread = float(np.var(np.concatenate([judge, judged])))
    if spread <= 1e-15 * max(1.0, float(np.abs(judged).max()) ** 2):
        return 0.0
    together = float(np.sum((people - people.mean()) * (judge - judge.mean()))) / (len(judge) - 1)
    return min(max(together / ((1 + len(judge) / len(judged)) * spread), 0.0), 1.0)
