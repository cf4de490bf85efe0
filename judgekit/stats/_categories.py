"""Labels of raters in, category counts out; and the jackknife over cases that all agreement coefficients share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judgekit.errors import InputError, ShapeError
from judgekit.stats._arrays import LARGEST, FloatArray, IntArray, clusters, is_missing
from judgekit.stats._tails import rule_of_three, two_sided_t
from judgekit.stats.results import Estimate

MOST = 200
"""More categories than this are a continuous score, for which a correlation is the right figure."""

_BLOCK = 2_000_000
MISSING = -1


def categories(found: Sequence[Hashable], scale: Sequence[Hashable] | None) -> list[Hashable]:
    """The categories in order: as `scale` gives them, else the labels found, sorted if they can be.

    Raises:
        InputError: a label outside the scale, a category twice, or more than 200 of them.
    """
    if scale is None:
        unique = list(dict.fromkeys(found))
        try:
            unique = sorted(unique)  # type: ignore[type-var]
        except TypeError:
            unique = sorted(unique, key=str)
    else:
        unique = list(scale)
        if len(set(unique)) < len(unique):
            raise InputError("scale: a category stands there twice.")
        outside = [one for one in dict.fromkeys(found) if one not in set(unique)]
        if outside:
            raise InputError(f"{outside[0]!r:.60} is not on the scale {unique!r:.200}.")
    if len(unique) > MOST:
        raise InputError(
            f"{len(unique)} different values are too many for categories (at most {MOST}). "
            "Round the scores, or use a correlation."
        )
    return unique


def positions(names: Sequence[Hashable], scale: Sequence[Hashable] | None) -> FloatArray:
    """Where each category lies: its number, or its place in `scale` where that holds no numbers."""
    if all(isinstance(one, int | float | np.number) for one in names):
        try:
            numbers = np.array([float(one) for one in names])  # type: ignore[arg-type]
        except OverflowError:
            numbers = np.array([np.inf])
        if not np.isfinite(numbers).all() or (numbers.size and np.abs(numbers).max() > LARGEST):
            raise InputError("scores: infinite or huge values have no place on a scale.")
        return numbers
    if scale is None:
        raise InputError("these labels have no order: pass `scale`, all categories from lowest to highest.")
    return np.arange(len(names), dtype=np.float64)


def rating_table(ratings: Any) -> list[list[Hashable]]:
    """Rows of ratings, one row a case, missing ones as None.

    Raises:
        ShapeError: not a list of rows.
    """
    if hasattr(ratings, "to_numpy"):
        ratings = ratings.to_numpy()
    rows = ratings.tolist() if hasattr(ratings, "tolist") else ratings
    if isinstance(rows, str | bytes) or not hasattr(rows, "__len__"):
        raise ShapeError("ratings: a table is wanted, one row a case and one column a rater.")
    table: list[list[Hashable]] = []
    for at, row in enumerate(rows):
        cells = row.tolist() if hasattr(row, "tolist") else row
        if not isinstance(cells, list | tuple):
            raise ShapeError(f"ratings: row {at} is no list. One row a case, one column a rater, None where missing.")
        bad = next((one for one in cells if not isinstance(one, Hashable)), None)
        if bad is not None:
            raise ShapeError(f"ratings: row {at} holds a {type(bad).__name__} where one rating is wanted.")
        table.append([None if is_missing(one) else one for one in cells])
    return table


def rating_codes(table: list[list[Hashable]], names: Sequence[Hashable]) -> IntArray:
    """Category number of each rating, shape (n_cases, n_raters), -1 where missing; short rows are filled up."""
    place = {one: code for code, one in enumerate(names)}
    codes = np.full((len(table), max(map(len, table), default=0)), MISSING, dtype=np.int64)
    for at, row in enumerate(table):
        codes[at, : len(row)] = [MISSING if one is None else place[one] for one in row]
    return codes


def counts(codes: IntArray, n_categories: int) -> FloatArray:
    """How many raters chose each category, shape (n_cases, n_categories)."""
    n = len(codes)
    flat = (np.arange(n)[:, None] * n_categories + codes)[codes != MISSING]
    return np.bincount(flat, minlength=n * n_categories).reshape(n, n_categories).astype(np.float64)


Parts = Callable[[NDArray[np.int64]], FloatArray]
"""Row numbers -> what each of these cases adds to the totals, shape (n_rows, m)."""
Coefficient = Callable[[FloatArray], FloatArray]
"""Totals, shape (..., m) -> the coefficient, shape (...); NaN where it is undefined."""


def coefficient_estimate(
    parts: Parts,
    coefficient: Coefficient,
    *,
    width: int,
    n_rows: int,
    cluster: Any,
    level: float,
    name: str,
    undefined_because: str,
    least_if_unanimous: Callable[[float], float],
    detail: dict[str, float],
) -> Estimate:
    """A coefficient of case totals with a t interval by the jackknife: each case is left out once.

    Where all raters agree on every case the jackknife sees no spread; the lower end is then the coefficient that
    `least_if_unanimous` gives for the largest share of disagreements not yet excluded (rule of three).
    """
    codes, n = clusters(cluster, n_rows)
    blocks = list(_cluster_blocks(codes, n, width))
    method = "jackknife t" if n == n_rows else "jackknife t, clustered"
    totals = np.zeros(width)
    for _, rows, starts in blocks:
        totals += _add_up(parts, rows, starts).sum(0)
    value = float(coefficient(totals[None])[0])
    if value != value:
        return Estimate(None, None, None, level, method, n, undefined_because, detail=detail)
    if n == 1:
        return Estimate(value, None, None, level, method, n, "one case has no spread", detail=detail)
    left_out = np.concatenate([coefficient(totals - _add_up(parts, rows, starts)) for _, rows, starts in blocks])
    if not np.isfinite(left_out).all():
        reason = f"{name} hangs on a single case: without it nothing is left to compare"
        return Estimate(value, None, None, level, method, n, reason, detail=detail)
    se = float(np.sqrt((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2)))
    if se > 1e-12:
        half = two_sided_t(level, n - 1) * se
        return Estimate(value, max(-1.0, value - half), min(1.0, value + half), level, method, n, se=se, detail=detail)
    if value < 1 - 1e-12:
        reason = "leaving out any case changes nothing: no spread to make an interval of"
        return Estimate(value, None, None, level, method, n, reason, detail=detail)
    low = max(-1.0, float(least_if_unanimous(rule_of_three(n, level))))
    reason = "full agreement: the interval allows for disagreements never seen in so many cases"
    return Estimate(value, low, 1.0, level, "rule of three", n, reason, detail=detail)


def one_minus_ratio(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """1 - observed / expected; NaN where nothing could have disagreed."""
    safe = np.where(expected > 1e-12, expected, 1.0)
    return np.where(expected > 1e-12, 1 - observed / safe, np.nan)


def _add_up(parts: Parts, rows: IntArray, starts: IntArray) -> FloatArray:
    return np.asarray(np.add.reduceat(parts(rows), starts, axis=0))


def _cluster_blocks(codes: IntArray, n: int, width: int) -> Iterator[tuple[int, IntArray, IntArray]]:
    """Blocks of whole clusters: number of the first, row numbers, and where each cluster starts among them."""
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(n))
    ends = np.append(starts[1:], len(codes))
    rows_at_once = max(1, _BLOCK // width)
    first = 0
    while first < n:
        last = max(first + 1, int(np.searchsorted(ends, starts[first] + rows_at_once, side="right")))
        yield first, order[starts[first] : ends[last - 1]], starts[first:last] - starts[first]
        first = last
