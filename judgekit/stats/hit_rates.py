"""A judge's hit rates on labelled cases and its verdicts on others in, the rate that people would give out."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgekit.stats._arrays import FloatArray, binary, check_level, clusters, same_length, sums_by_cluster
from judgekit.stats._tails import two_sided_z
from judgekit.stats.intervals import cut
from judgekit.stats.prediction import case_of_each
from judgekit.stats.results import Estimate, undefined


def rogan_gladen(
    people: ArrayLike,
    judge: ArrayLike,
    judged: ArrayLike,
    *,
    cluster: Any = None,
    judged_cluster: Any = None,
    level: float = 0.95,
) -> Estimate:
    """The rate at which people would pass cases, from a judge whose hit rates were measured on other cases.

    (q + specificity - 1) / (sensitivity + specificity - 1), q the judge's pass rate. The interval of Lang and
    Reiczigel carries the uncertainty of all three.

    Args:
        people: Labels by people on the measured cases, 0 or 1, shape (n_labelled,).
        judge: The judge's verdicts on these, 0 or 1, same order.
        judged: The judge's verdicts on the cases in question, 0 or 1, shape (n_judged,).
        cluster: Case of each label, where cases have several outputs: verdicts on one case count for as many as they
            tell by themselves.
        judged_cluster: Case of each of `judged`, likewise.
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
    cases, others = case_of_each(cluster, len(people)), case_of_each(judged_cluster, len(judged))
    method, n = "Rogan-Gladen", len(judged) if others is None else len(set(others))
    passing, failing = int(people.sum()), int(len(people) - people.sum())
    if n == 0 or passing == 0 or failing == 0:
        reason = "no verdicts" if n == 0 else f"people {'failed' if passing == 0 else 'passed'} every labelled case"
        return undefined(reason, level=level, method=method, n=n)
    hits, rejections = judge[people == 1], 1 - judge[people == 0]
    sensitivity, specificity, rate = float(hits.mean()), float(rejections.mean()), float(judged.mean())
    detail = {"sensitivity": sensitivity, "specificity": specificity, "raw": rate}
    n_hits, n_rejections = _effective(hits, cases, people == 1), _effective(rejections, cases, people == 0)
    # Pulled towards 1/2 as in the interval below, so that a few lucky labels do not count as certainty.
    sens, spec = (sensitivity * n_hits + 1) / (n_hits + 2), (specificity * n_rejections + 1) / (n_rejections + 2)
    sens_variance, spec_variance = sens * (1 - sens) / (n_hits + 2), spec * (1 - spec) / (n_rejections + 2)
    if sens + spec - 1 - z * math.sqrt(sens_variance + spec_variance) <= 0:
        reason = (
            f"the judge is not shown to be better than chance: sensitivity {sensitivity:.2f} and specificity "
            f"{specificity:.2f} on {len(people)} labels"
        )
        return Estimate(None, None, None, level, method, n, reason, detail=detail)
    value = (rate + specificity - 1) / (sensitivity + specificity - 1)
    n_judged = _effective(judged, others, np.ones(len(judged), dtype=bool))
    slope, size = sens + spec - 1, n_judged + z * z
    shifted = (n_judged * rate + z * z / 2) / size
    centre = (shifted + spec - 1) / slope
    shift = 2 * z * z * (centre * sens_variance - (1 - centre) * spec_variance)
    spread = shifted * (1 - shifted) / size + centre**2 * sens_variance + (1 - centre) ** 2 * spec_variance
    se = math.sqrt(spread) / slope
    low, high = cut(centre + shift - z * se, centre + shift + z * se, (0, 1))
    inside = min(max(value, 0.0), 1.0)
    reason = "" if inside == value else f"cut to {inside:g}: the judge's rate is beyond what its errors can explain"
    return Estimate(inside, min(low, inside), max(high, inside), level, method, n, reason, se=se, detail=detail)


def _effective(x: FloatArray, cluster: list[Hashable] | None, chosen: NDArray[np.bool_]) -> float:
    """How many independent verdicts say as much as these, of which several may be on one case."""
    if cluster is None:
        return float(len(x))
    codes, n_cases = clusters([one for one, keep in zip(cluster, chosen, strict=True) if keep], len(x))
    alone = float(np.var(x)) / len(x)
    together = float(np.sum(sums_by_cluster(x - x.mean(), codes, n_cases) ** 2)) / len(x) ** 2
    # Without a spread nothing tells how much the verdicts on one case hang together: then they count as one.
    return len(x) * alone / together if 0 < alone < together else float(n_cases if alone == 0 else len(x))
