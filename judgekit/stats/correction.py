"""Verdicts of a judge on many cases and labels of people on some in, rates corrected for the judge's mistakes out."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, binary, check_level, same_length, values
from judgekit.stats._tails import rule_of_three, two_sided_z
from judgekit.stats.intervals import Bounds, check_bounds, cut, mean_interval, wilson_interval
from judgekit.stats.results import Estimate, undefined

LEAST_LABELS = 30
"""Below this many labels the judge's error is not known well enough to correct by it."""


def corrected_rate(
    people: ArrayLike,
    judge: ArrayLike,
    judged: ArrayLike,
    *,
    labelled: Literal["these", "others"],
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
        least_labels: Fewest labels to correct by.
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
    n, level = same_length(people=people, judge=judge), check_level(level)
    if labelled not in ("these", "others"):
        raise InputError(f'labelled: "these" or "others" is wanted, got {labelled!r:.60}.')
    everything = np.concatenate([judge, judged]) if labelled == "these" else judged
    if not len(everything):
        return undefined("no cases", level=level, method="raw")
    raw = wilson_interval(int(everything.sum()), len(everything), level=level)
    assert raw.value is not None
    detail = {"labels": float(n), "raw": raw.value}

    def uncorrected(reason: str) -> Estimate:
        return Estimate(raw.value, raw.low, raw.high, level, "raw, Wilson", len(everything), reason, detail=detail)

    if n == 0:
        return uncorrected("not corrected: no labels by people")
    if labelled == "these":
        if n >= least_labels and len(judged):
            found = ppi_mean(people, judge, judged, level=level, bounds=(0, 1))
            return _with(found, detail)
        alone = wilson_interval(int(people.sum()), n, level=level)
        reason = "" if not len(judged) else f"only {n} labels: too few to correct by, so they stand alone"
        return Estimate(alone.value, alone.low, alone.high, level, "labels alone, Wilson", n, reason, detail=detail)
    if n < least_labels:
        return uncorrected(f"not corrected: only {n} labels, {least_labels} are needed")
    found = rogan_gladen(people, judge, judged, level=level)
    return uncorrected(f"not corrected: {found.reason}") if found.value is None else _with(found, detail)


def ppi_mean(
    people: ArrayLike,
    judge: ArrayLike,
    judged: ArrayLike,
    *,
    weight: float | None = None,
    level: float = 0.95,
    bounds: Bounds | None = None,
) -> Estimate:
    """The mean that people would give to all cases, from labels of some and the judge's scores of all.

    mean(people) + λ (mean(judged) - mean(judge)): the judge's mean, corrected by its mean error on the labelled cases.
    λ = 1 is prediction-powered inference; PPI++ takes the λ of least variance, so a useless judge is left out (λ = 0).

    Args:
        people: Labels or scores by people, shape (n_labelled,): a random part of the cases, one value a case.
        judge: The judge's scores of the labelled cases, same order.
        judged: The judge's scores of the other cases, shape (n_judged,).
        weight: λ, 0 to 1; None: the one of least variance, cov(people, judge) / ((1 + n/N) var(judge)), kept in [0, 1].
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
    n, more, level = same_length(people=people, judge=judge), len(judged), check_level(level)
    check_bounds(np.concatenate([people, judge, judged]), bounds)
    if weight is not None and not 0 <= weight <= 1:
        raise InputError(f"weight: a number from 0 to 1 is wanted, got {weight!r:.60}.")
    method = "PPI++" if weight is None else "PPI"
    if n < 2:
        return undefined("fewer than two labels by people", level=level, method=method, n=n + more)
    if more == 0:
        return mean_interval(people, level=level, bounds=bounds)
    if weight is None:
        weight = _best_weight(people, judge, judged)
    value = float(people.mean() + weight * (judged.mean() - judge.mean()))
    variance = np.var(people - weight * judge) / n + weight**2 * np.var(judged) / more
    se = math.sqrt(float(variance))
    half = two_sided_z(level) * se
    reason = ""
    unseen = rule_of_three(n, level) * float(np.ptp(np.concatenate([people, judge, judged])))
    if weight > 0 and np.array_equal(people, judge) and unseen > 0:
        half += weight * unseen
        reason = f"judge and people agree on all {n} labels: the interval allows for errors never seen in so many"
    detail = {"lambda": weight}
    if half == 0:  # then the weight is 0, or nothing varies: the labels by people say all there is
        alone = mean_interval(people, level=level, bounds=bounds)
        return Estimate(
            value, alone.low, alone.high, level, f"{method}, {alone.method}", n + more, alone.reason, detail=detail
        )
    low, high = cut(value - half, value + half, bounds)
    inside = value if bounds is None else min(max(value, bounds[0]), bounds[1])
    return Estimate(inside, low, high, level, method, n + more, reason, se=se or None, detail=detail)


def rogan_gladen(people: ArrayLike, judge: ArrayLike, judged: ArrayLike, *, level: float = 0.95) -> Estimate:
    """The rate at which people would pass cases, from a judge whose hit rates were measured on other cases.

    (q + specificity - 1) / (sensitivity + specificity - 1), q the judge's pass rate. The interval of Lang and
    Reiczigel carries the uncertainty of all three.

    Args:
        people: Labels by people on the measured cases, 0 or 1, shape (n_labelled,).
        judge: The judge's verdicts on these, 0 or 1, same order.
        judged: The judge's verdicts on the cases in question, 0 or 1, shape (n_judged,).
        level: Confidence level.

    Returns:
        Estimate in [0, 1], cut there with a reason, n = len(judged), and `sensitivity`, `specificity` and `raw` in
        `detail`. Value None, with a reason, without labels of both kinds, without verdicts, or if the judge is not
        shown to be better than chance: sensitivity + specificity - 1 is then not clearly above 0.

    Raises:
        ShapeError: `people` and `judge` differ in length.
        InputError: values other than 0 and 1.

    Source:
        W. J. Rogan, B. Gladen (1978), doi:10.1093/oxfordjournals.aje.a112510; Z. Lang, J. Reiczigel (2014), Confidence
        limits for prevalence of disease adjusted for estimated sensitivity and specificity,
        doi:10.1016/j.prevetmed.2013.09.015.

    Example:
        >>> people, judge = [1] * 50 + [0] * 50, [1] * 40 + [0] * 10 + [1] * 10 + [0] * 40
        >>> one = rogan_gladen(people, judge, [1] * 56 + [0] * 44)
        >>> round(one.value, 4)  # (0.56 + 0.8 - 1) / 0.6
        0.6
    """
    people, judge, judged = binary(people, "people"), binary(judge, "judge"), binary(judged, "judged")
    same_length(people=people, judge=judge)
    level, z = check_level(level), two_sided_z(level)
    method, n = "Rogan-Gladen", len(judged)
    passing, failing = int(people.sum()), int(len(people) - people.sum())
    if n == 0 or passing == 0 or failing == 0:
        reason = "no verdicts" if n == 0 else f"people {'failed' if passing == 0 else 'passed'} every labelled case"
        return undefined(reason, level=level, method=method, n=n)
    caught, rejected = float(judge[people == 1].sum()), float((1 - judge[people == 0]).sum())
    sensitivity, specificity, rate = caught / passing, rejected / failing, float(judged.mean())
    detail = {"sensitivity": sensitivity, "specificity": specificity, "raw": rate}
    # Pulled towards 1/2 as in the interval below, so that a few lucky labels do not count as certainty.
    sens, spec = (caught + 1) / (passing + 2), (rejected + 1) / (failing + 2)
    sens_variance, spec_variance = sens * (1 - sens) / (passing + 2), spec * (1 - spec) / (failing + 2)
    if sens + spec - 1 - z * math.sqrt(sens_variance + spec_variance) <= 0:
        reason = (
            f"the judge is not shown to be better than chance: sensitivity {sensitivity:.2f} and specificity "
            f"{specificity:.2f} on {len(people)} labels"
        )
        return Estimate(None, None, None, level, method, n, reason, detail=detail)
    value = (rate + specificity - 1) / (sensitivity + specificity - 1)
    slope, size = sens + spec - 1, n + z * z
    shifted = (n * rate + z * z / 2) / size
    centre = (shifted + spec - 1) / slope
    shift = 2 * z * z * (centre * sens_variance - (1 - centre) * spec_variance)
    spread = shifted * (1 - shifted) / size + centre**2 * sens_variance + (1 - centre) ** 2 * spec_variance
    se = math.sqrt(spread) / slope
    low, high = cut(centre + shift - z * se, centre + shift + z * se, (0, 1))
    inside = min(max(value, 0.0), 1.0)
    reason = "" if inside == value else f"cut to {inside:g}: the judge's rate is beyond what its errors can explain"
    return Estimate(inside, min(low, inside), max(high, inside), level, method, n, reason, se=se, detail=detail)


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


def _best_weight(people: FloatArray, judge: FloatArray, judged: FloatArray) -> float:
    spread = float(np.var(np.concatenate([judge, judged])))
    if spread <= 1e-15 * max(1.0, float(np.abs(judged).max()) ** 2):
        return 0.0
    together = float(np.sum((people - people.mean()) * (judge - judge.mean()))) / (len(judge) - 1)
    return min(max(together / ((1 + len(judge) / len(judged)) * spread), 0.0), 1.0)


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
