"""Labels of two or more raters on the same cases in, agreement beyond chance out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal

import numpy as np

from judgekit.errors import InputError, ShapeError
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

Weights = Literal["nominal", "linear", "quadratic"]
"""How bad a disagreement is: all equally, by distance, or by squared distance."""


def cohen_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    cluster: Any = None,
    *,
    weights: Weights = "nominal",
    scale: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Agreement of two raters beyond chance; weighted for ordered scales.

    kappa = 1 - d_o / d_e, where d_o is the mean disagreement observed and d_e the one expected if each rater drew
    labels independently at their own rates. Nominal disagreement is 0 or 1, so kappa = (p_o - p_e) / (1 - p_e).

    Args:
        a: Labels of the first rater, shape (n_cases,). Pass only cases that both raters scored.
        b: Labels of the second rater, same shape and order.
        cluster: Case of each pair of labels, where cases have several trials.
        weights: "linear" and "quadratic" need numbers, or a `scale`.
        scale: All categories from lowest to highest. Numbers are compared by value, other labels by their place.
        level: Confidence level.

    Returns:
        Estimate with a value in [-1, 1]: 1 full agreement, 0 chance level; `detail` has the share `observed` of equal
        labels. Value None, with a reason, if both raters use one and the same label throughout: then nothing can be
        learned about agreement. The interval is a jackknife over cases.

    Raises:
        ShapeError: `a` and `b` differ in length.
        InputError: a missing label, one outside the scale, or labels without order for weights.

    Source:
        J. Cohen (1960), A coefficient of agreement for nominal scales, doi:10.1177/001316446002000104; weighted:
        J. Cohen (1968), doi:10.1037/h0026256.

    Example:
        >>> round(cohen_kappa(["a", "b", "c", "c"], ["a", "b", "c", "b"]).value, 4)
        0.6364
    """
    first, second = labels(a, "a"), labels(b, "b")
    same_length(a=first, b=second)
    level = check_level(level)
    names = categories([*first, *second], scale)
    distance = _distances(names, scale, weights)
    n, k = len(first), len(names)
    if n == 0:
        return undefined("no cases", level=level, method="jackknife t")
    place = {one: code for code, one in enumerate(names)}
    rows = np.array([place[one] for one in first])
    cols = np.array([place[one] for one in second])

    def parts(cases: IntArray) -> FloatArray:
        table = np.zeros((len(cases), k * k))
        table[np.arange(len(cases)), rows[cases] * k + cols[cases]] = 1
        return table

    def chance(table: FloatArray) -> FloatArray:
        size = table.sum((-2, -1))
        return np.asarray(np.einsum("...i,...j,ij->...", table.sum(-1), table.sum(-2), distance) / size**2)

    def kappa(totals: FloatArray) -> FloatArray:
        table = totals.reshape(-1, k, k)
        return one_minus_ratio((table * distance).sum((-2, -1)) / table.sum((-2, -1)), chance(table))

    whole = np.zeros((k, k))
    np.add.at(whole, (rows, cols), 1)
    expected = float(chance(whole))
    return coefficient_estimate(
        parts,
        kappa,
        width=k * k,
        n_rows=n,
        cluster=cluster,
        level=level,
        name="kappa",
        undefined_because="undefined: only one label was used, by both raters",
        least_if_unanimous=lambda share: 1 - share * float(distance.max()) / expected,
        detail={"observed": float(np.trace(whole) / n)},
    )


def gwet_ac1(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    cluster: Any = None,
    *,
    scale: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Agreement of two raters beyond chance, steady where one label is rare and kappa collapses.

    AC1 = (p_o - p_e) / (1 - p_e) with p_e = Σ_k π_k (1 - π_k) / (q - 1), π_k the mean rate of label k of both raters
    and q the number of labels.

    Args:
        a: Labels of the first rater, shape (n_cases,).
        b: Labels of the second rater, same shape and order.
        cluster: Case of each pair of labels, where cases have several trials.
        scale: All labels that could have been given; None: those found. It decides q.
        level: Confidence level.

    Returns:
        Estimate with a value in [-1, 1], `detail` with the share `observed`. Value None, with a reason, if only one
        label was found and no `scale` says what else could have been.

    Raises:
        ShapeError: `a` and `b` differ in length.
        InputError: a missing label, or one outside the scale.

    Source:
        K. L. Gwet (2008), Computing inter-rater reliability and its variance in the presence of high agreement,
        doi:10.1348/000711006X126600.

    Example:
        >>> round(gwet_ac1(["a", "a", "a", "b"], ["a", "a", "a", "a"]).value, 4)  # p_o 3/4, p_e 2 * 7/8 * 1/8
        0.68
    """
    first, second = labels(a, "a"), labels(b, "b")
    same_length(a=first, b=second)
    pairs = [list(pair) for pair in zip(first, second, strict=True)]
    return gwet_ac2(pairs, cluster, weights="nominal", scale=scale, level=level)


def gwet_ac2(
    ratings: Any,
    cluster: Any = None,
    *,
    weights: Weights,
    scale: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Estimate:
    """Gwet's AC2 of two or more raters: AC1 with partial credit for near misses; "nominal" weights give AC1.

    (p_a - p_e) / (1 - p_e) with p_a the mean weighted agreement of pairs of raters within a case, and
    p_e = T_w / (q (q - 1)) · Σ_k π_k (1 - π_k), T_w the sum of all weights.

    Args:
        ratings: Labels or scores, shape (n_cases, n_raters), None or NaN where a rater gave none; rows may differ
            in length. A case with one rating counts for the rates of labels only.
        cluster: Case of each row, where rows share one.
        weights: 1 for equal labels; else 0 ("nominal"), 1 - d / d_max ("linear") or 1 - (d / d_max)² ("quadratic").
        scale: All categories from lowest to highest; None: those found.
        level: Confidence level.

    Returns:
        Estimate with a value in [-1, 1]; value None, with a reason, for fewer than two categories or without a case
        that two raters rated.

    Raises:
        ShapeError: `ratings` is no table.
        InputError: a label outside the scale, or labels without order for weights.

    Source:
        K. L. Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, chapter 4, ISBN 978-0-9708062-8-4.

    Example:
        >>> ratings = [[1, 1], [2, 3], [3, 3], [1, 1]]  # p_a 15/16, p_e 19/32
        >>> round(gwet_ac2(ratings, weights="quadratic", scale=[1, 2, 3]).value, 4)
        0.8462
    """
    level = check_level(level)
    table = rating_table(ratings)
    names = categories([one for row in table for one in row if one is not None], scale)
    k = len(names)
    tallies = counts(rating_codes(table, names), k)
    raters = tallies.sum(1)
    if not (raters >= 2).any():
        return undefined("no case that two raters rated", level=level, method="jackknife t")
    if k < 2:
        reason = "undefined: only one label was used; pass `scale` if others could have been"
        return undefined(reason, level=level, method="jackknife t", n=int((raters > 0).sum()))
    distance = _distances(names, scale, weights)
    credit = 1 - distance / distance.max()
    pairs = np.maximum(raters * (raters - 1), 1)
    agreed = np.sum(tallies * (tallies @ credit - 1), axis=1) / pairs
    comparable = (raters >= 2).astype(np.float64)
    shares = tallies / np.maximum(raters, 1)[:, None]
    rated = (raters > 0).astype(np.float64)
    columns = np.column_stack([agreed * comparable, comparable, rated, shares])

    def ac(totals: FloatArray) -> FloatArray:
        rates = totals[:, 3:] / totals[:, 2:3]
        expected = credit.sum() / (k * (k - 1)) * np.sum(rates * (1 - rates), axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return one_minus_ratio(1 - totals[:, 0] / totals[:, 1], 1 - expected)

    overall = columns.sum(0)[3:] / rated.sum()
    slack = 1 - credit.sum() / (k * (k - 1)) * float(np.sum(overall * (1 - overall)))
    return coefficient_estimate(
        lambda rows: columns[rows],
        ac,
        width=columns.shape[1],
        n_rows=len(columns),
        cluster=cluster,
        level=level,
        name="AC1" if weights == "nominal" else "AC2",
        undefined_because="undefined: chance alone would agree fully",
        least_if_unanimous=lambda share: 1 - share / slack,
        detail={"observed": float(columns[:, 0].sum() / comparable.sum())},
    )


def fleiss_kappa(
    ratings: Any, cluster: Any = None, *, scale: Sequence[Hashable] | None = None, level: float = 0.95
) -> Estimate:
    """Agreement beyond chance of the same number of raters on every case, who need not be the same people.

    (P - P_e) / (1 - P_e), P the mean share of agreeing pairs of raters within a case, P_e = Σ_k π_k².

    Args:
        ratings: Labels, shape (n_cases, n_raters), none missing.
        cluster: Case of each row, where rows share one.
        scale: All labels; only checked against, the value does not depend on it.
        level: Confidence level.

    Returns:
        Estimate with a value in [-1, 1]; value None, with a reason, if only one label was used.

    Raises:
        ShapeError: cases have different numbers of ratings, or fewer than two; `krippendorff_alpha` takes those.

    Source:
        J. L. Fleiss (1971), Measuring nominal scale agreement among many raters, doi:10.1037/h0031619.

    Example:
        >>> fleiss_kappa([["a", "a"], ["b", "b"], ["a", "b"], ["a", "b"]]).value  # P 1/2, P_e 1/2
        0.0
    """
    level = check_level(level)
    table = rating_table(ratings)
    names = categories([one for row in table for one in row if one is not None], scale)
    tallies = counts(rating_codes(table, names), len(names))
    if not table:
        return undefined("no cases", level=level, method="jackknife t")
    sizes = sorted({int(one) for one in tallies.sum(1)})
    if len(sizes) > 1 or sizes[0] < 2:
        raise ShapeError(
            f"ratings: cases have {', '.join(map(str, sizes))} ratings; Fleiss' kappa wants two or more, equally many. "
            "krippendorff_alpha takes missing ones."
        )
    raters = sizes[0]
    agreed = (np.sum(tallies**2, axis=1) - raters) / (raters * (raters - 1))
    columns = np.column_stack([agreed, np.ones(len(agreed)), tallies / raters])

    def kappa(totals: FloatArray) -> FloatArray:
        rates = totals[:, 2:] / totals[:, 1:2]
        return one_minus_ratio(1 - totals[:, 0] / totals[:, 1], 1 - np.sum(rates**2, axis=1))

    expected = 1 - float(np.sum(columns[:, 2:].mean(0) ** 2))
    return coefficient_estimate(
        lambda rows: columns[rows],
        kappa,
        width=columns.shape[1],
        n_rows=len(columns),
        cluster=cluster,
        level=level,
        name="kappa",
        undefined_because="undefined: only one label was used",
        least_if_unanimous=lambda share: 1 - share / expected,
        detail={"observed": float(agreed.mean())},
    )


def _distances(names: Sequence[Hashable], scale: Sequence[Hashable] | None, weights: Weights) -> FloatArray:
    if weights not in ("nominal", "linear", "quadratic"):
        raise InputError(f"weights: nominal, linear or quadratic is wanted, got {weights!r:.60}.")
    if weights == "nominal":
        return 1 - np.eye(len(names))
    place = positions(names, scale)
    distance = np.abs(place[:, None] - place[None, :])
    return distance if weights == "linear" else distance**2
