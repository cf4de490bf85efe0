"""Verdicts of a judge on many cases and labels of people on some in, rates corrected for the judge's mistakes out."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, binary, check_level, same_length
from judgekit.stats.hit_rates import rogan_gladen
from judgekit.stats.intervals import mean_interval, wilson_interval
from judgekit.stats.prediction import case_of_each, ppi_mean
from judgekit.stats.results import Estimate, undefined

LEAST_LABELS = 30
"""Below this many labels the judge's error is not known well enough to correct by it."""


def corrected_rate(
    people: ArrayLike,
    judge: ArrayLike,
    judged: ArrayLike,
    *,
    labelled: Literal["these", "others"],
    cluster: Any = None,
    judged_cluster: Any = None,
    least_labels: int = LEAST_LABELS,
    level: float = 0.95,
) -> Estimate:
    """The rate at which people would pass these cases, by the best method that the labels allow.

    - labels of a random part of these cases: PPI++ (`ppi_mean`); fewer than `least_labels`: the labels alone
    - labels of other cases: Rogan-Gladen (`rogan_gladen`), if there are `least_labels` and the judge beats chance
    - else the judge's raw rate, with the reason

    Args:
        people: Labels by people, 0 or 1, shape (n_labelled,).
        judge: The judge's verdicts on the labelled cases, 0 or 1, same order.
        judged: The judge's verdicts on these cases, shape (n_judged,): with "these" on the unlabelled rest only, with
            "others" on all of them.
        labelled: Whether the labelled cases are part of these, drawn at random, or others of the same kind.
        cluster: Case of each label, where cases have several outputs; None: each label is of its own case.
        judged_cluster: Case of each of `judged`, in the same words; give both or neither.
        least_labels: Fewest labelled cases to correct by.
        level: Confidence level.

    Returns:
        Estimate in [0, 1] whose method says which way it was made; n is the number of cases it speaks of (labels, for
        "labels alone"), `detail` has `labels` and `raw`, the judge's own rate. No labels and no verdicts: value None.

    Raises:
        ShapeError: `people` and `judge` differ in length.
        InputError: values other than 0 and 1.

    Source:
        A. Angelopoulos, J. Duchi, T. Zrnic (2023), PPI++, arXiv:2311.01453; W. J. Rogan, B. Gladen (1978),
        doi:10.1093/oxfordjournals.aje.a112510.

    Example:
        >>> people, judge = [1] * 20 + [0] * 20, [1] * 20 + [1] * 10 + [0] * 10
        >>> one = corrected_rate(people, judge, [1] * 45 + [0] * 15, labelled="these")
        >>> round(one.value, 3), one.method, one.detail["raw"]
        (0.5, 'PPI++', 0.75)
    """
    people, judge, judged = binary(people, "people"), binary(judge, "judge"), binary(judged, "judged")
    level = check_level(level)
    same_length(people=people, judge=judge)
    if labelled not in ("these", "others"):
        raise InputError(f'labelled: "these" or "others" is wanted, got {labelled!r:.60}.')
    cases, others = case_of_each(cluster, len(people)), case_of_each(judged_cluster, len(judged))
    if (cases is None) != (others is None):
        raise InputError("cluster and judged_cluster: give both or neither.")
    n = len(people) if cases is None else len(set(cases))
    everything, of = judged, others
    if labelled == "these":
        everything = np.concatenate([judge, judged])
        of = None if cases is None or others is None else [*cases, *others]
    if not len(everything):
        return undefined("no cases", level=level, method="raw")
    raw = _rate(everything, of, level)
    assert raw.value is not None
    detail = {"labels": float(len(people)), "raw": raw.value}

    def uncorrected(reason: str) -> Estimate:
        return Estimate(raw.value, raw.low, raw.high, level, f"raw, {raw.method}", raw.n, reason, detail=detail)

    if n == 0:
        return uncorrected("not corrected: no labels by people")
    few = f"only {n} labels" if n == len(people) else f"only {n} labelled cases"
    if labelled == "these":
        if n >= least_labels and len(judged):
            found = ppi_mean(people, judge, judged, cluster=cases, judged_cluster=others, level=level, bounds=(0, 1))
            return _with(found, detail)
        alone = _rate(people, cases, level)
        reason = "" if not len(judged) else f"{few}: too few to correct by, so they stand alone"
        method = f"labels alone, {alone.method}"
        return Estimate(alone.value, alone.low, alone.high, level, method, n, reason, detail=detail)
    if n < least_labels:
        return uncorrected(f"not corrected: {few}, {least_labels} are needed")
    found = rogan_gladen(people, judge, judged, cluster=cases, judged_cluster=others, level=level)
    return uncorrected(f"not corrected: {found.reason}") if found.value is None else _with(found, detail)


def product_rate(share: Estimate, rate: Estimate) -> Estimate:
    """The rate over all cases: the share that reaches the judge times the rate among those.

    The interval combines both by MOVER: p q ± sqrt(q² d_p² + p² d_q²), d the distance to each end.

    Args:
        share: Share of cases that passed the checks.
        rate: Corrected rate among them.

    Returns:
        Estimate in [0, 1]; value or interval None, with the reason, where one of the two has none.

    Raises:
        InputError: the two have different levels.

    Source:
        A. Donner, G. Y. Zou (2012), Closed-form confidence intervals for functions of the normal mean and standard
        deviation, doi:10.1177/0962280210383082.

    Example:
        >>> one = product_rate(wilson_interval(90, 100), wilson_interval(80, 100))
        >>> round(one.value, 2), round(one.low, 2), round(one.high, 2)
        (0.72, 0.62, 0.79)
    """
    if share.level != rate.level:
        raise InputError(f"levels differ: {share.level:g} and {rate.level:g}.")
    method = f"share × {rate.method}"
    reason = "; ".join(one.reason for one in (share, rate) if one.reason)
    p, q = share.value, rate.value
    if p is None or q is None:
        return undefined(reason, level=share.level, method=method, n=share.n)
    if share.low is None or share.high is None or rate.low is None or rate.high is None:
        return Estimate(p * q, None, None, share.level, method, share.n, reason)
    low = p * q - math.hypot(q * (p - share.low), p * (q - rate.low))
    high = p * q + math.hypot(q * (share.high - p), p * (rate.high - q))
    return Estimate(p * q, max(0.0, low), min(1.0, high), share.level, method, share.n, reason)


def _rate(x: FloatArray, cluster: list[Hashable] | None, level: float) -> Estimate:
    if cluster is None or len(set(cluster)) == len(cluster):
        return wilson_interval(int(x.sum()), len(x), level=level)
    return mean_interval(x, cluster, level=level, bounds=(0, 1))


def _with(found: Estimate, detail: dict[str, float]) -> Estimate:
    return Estimate(
        found.value,
        found.low,
        found.high,
        found.level,
        found.method,
        found.n,
        found.reason,
        se=found.se,
        detail={**found.detail, **detail},
    )
