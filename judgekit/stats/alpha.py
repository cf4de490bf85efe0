"""Ratings by any number of raters in, with gaps; Krippendorff's alpha out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, IntArray, check_level, labels, same_length
from judgekit.stats._categories import (
    categories,
    coefficient_estimate,
    counts,
    one_minus_ratio,
    positions,
    rating_codes,
    rating_table,
)
from judgekit.stats.results import Estimate, undefined

Measurement = Literal["nominal", "ordinal", "interval", "ratio"]


def krippendorff_alpha(ratings: Any, level: Measurement, cluster: Any = None, *, confidence: float = 0.95) -> Estimate:
    """Reliability of any number of raters, with missing ratings, at any level of measurement.

    alpha = 1 - D_o / D_e: D_o the mean squared distance of ratings within cases, D_e that of all ratings paired
    regardless of case.

    Args:
        ratings: Labels or scores, shape (n_cases, n_raters), None or NaN where a rater gave none; rows may differ
            in length. Cases with fewer than two ratings are left out.
        level: "nominal" (equal or not), "ordinal" (ranks), "interval" (differences) or "ratio" (relative differences of
            values of at least 0). Ordinal labels that are no numbers are ranked in sorted order: pass their ranks.
        cluster: Case of each row, where rows share one.
        confidence: Confidence level; named so because `level` is taken.

    Returns:
        Estimate with a value of at most 1: 1 full agreement, 0 chance level; n = cases with two or more ratings. Value
        None, with a reason, if only one value was used, or no case has two ratings.

    Raises:
        ShapeError: `ratings` is no table.
        InputError: unknown level, or labels that are no numbers for "interval" and "ratio".

    Source:
        A. F. Hayes, K. Krippendorff (2007), Answering the call for a standard reliability measure for coding data,
        doi:10.1080/19312450709336664.

    Example:
        >>> round(krippendorff_alpha([[1, 1], [2, 2], [3, 3], [1, 3]], "nominal").value, 4)  # 1 - (2/8) / (42/56)
        0.6667
    """
    confidence = check_level(confidence)
    if level not in ("nominal", "ordinal", "interval", "ratio"):
        raise InputError(f"level: nominal, ordinal, interval or ratio is wanted, got {level!r:.60}.")
    table = rating_table(ratings)
    names = categories([one for row in table for one in row if one is not None], None)
    k = len(names)
    tallies = counts(rating_codes(table, names), k)
    kept = tallies.sum(1) >= 2
    tallies = tallies[kept]
    if cluster is not None:
        rows = labels(cluster, "cluster")
        same_length(ratings=table, cluster=rows)
        cluster = [one for one, keep in zip(rows, kept, strict=True) if keep]
    if not len(tallies):
        return undefined("no case that two raters rated", level=confidence, method="jackknife t")
    fixed = (
        None
        if level == "ordinal"
        else _squared_distances(positions(names, names if level == "nominal" else None), level)
    )

    def parts(cases: IntArray) -> FloatArray:
        one = tallies[cases]
        together = one[:, :, None] * one[:, None, :]
        together[:, np.arange(k), np.arange(k)] -= one
        return np.asarray(together / (one.sum(1) - 1)[:, None, None]).reshape(len(cases), k * k)

    def distances(used: FloatArray) -> FloatArray:
        if fixed is not None:
            return fixed
        # The number of ratings between two ranks, each end counting half, is the distance of their mid-ranks.
        middle: FloatArray = np.cumsum(used, axis=-1) - used / 2
        return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)

    def disagreements(totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        together = totals.reshape(-1, k, k)
        used = together.sum(-1)
        size = used.sum(-1)
        far = distances(used)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (together * far).sum((-2, -1)) / size
            expected = (used[:, :, None] * used[:, None, :] * far).sum((-2, -1)) / (size * (size - 1))
        return observed, expected, np.asarray(far).max((-2, -1))

    def alpha(totals: FloatArray) -> FloatArray:
        observed, expected, _ = disagreements(totals)
        return one_minus_ratio(observed, expected)

    def least(share: float) -> float:
        _, expected, farthest = disagreements(parts(np.arange(len(tallies))).sum(0)[None])
        return float(1 - share * np.max(farthest) / expected[0])

    return coefficient_estimate(
        parts,
        alpha,
        width=k * k,
        n_rows=len(tallies),
        cluster=cluster,
        level=confidence,
        name="alpha",
        undefined_because="undefined: only one value was used",
        least_if_unanimous=least,
        detail={},
    )


def _squared_distances(place: FloatArray, level: Measurement) -> FloatArray:
    if level == "nominal":
        return 1 - np.eye(len(place))
    difference = place[:, None] - place[None, :]
    if level == "interval":
        return np.asarray(difference**2)
    if place.size and place.min() < 0:
        raise InputError("ratings: values below 0 have no ratio.")
    total = place[:, None] + place[None, :]
    return np.asarray((difference / np.where(total > 0, total, 1)) ** 2)
