"""What people pass in, checked arrays out: every complaint about shape, type or missing values is made here."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from judgekit.errors import InputError, ShapeError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LARGEST = 1e100
"""Beyond this the square of a value could overflow; nothing that is scored comes near it."""

SAME = 1e-12
"""Two floats closer than this, relative to their size, are one value that was added up in another order."""


def _raw(x: ArrayLike, name: str) -> NDArray[Any]:
    if isinstance(x, str | bytes | Mapping | Set) or not hasattr(x, "__len__"):
        raise ShapeError(f"{name}: a list or array of numbers is wanted, got {type(x).__name__}.")
    try:
        raw = np.asarray(x)
    except ValueError as problem:  # ragged lists
        raise ShapeError(f"{name}: rows differ in length.") from problem
    if raw.dtype.kind == "O":
        raw = np.array([math.nan if is_missing(one) else one for one in raw.flat], dtype=object).reshape(raw.shape)
    return raw


def _floats(x: ArrayLike, name: str) -> FloatArray:
    raw = _raw(x, name)
    if raw.size == 0:
        return raw.astype(np.float64) if raw.dtype.kind in "biuf" else np.zeros(raw.shape)
    numeric = raw.dtype.kind in "biuf"
    if not numeric and (raw.dtype.kind != "O" or any(isinstance(one, str | bytes) for one in raw.flat)):
        raise InputError(f"{name}: numbers are wanted, got {raw.flat[0]!r:.60}.")
    try:
        array = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(f"{name}: not all values are numbers: {problem}.") from problem
    bad = ~np.isfinite(array)
    if bad.any():
        places = ", ".join(str(int(at)) for at in np.flatnonzero(bad.ravel())[:5])
        raise InputError(
            f"{name}: {int(bad.sum())} of {array.size} values are missing, NaN or infinite (position {places}). "
            "Leave unscored cases out and report how many they were."
        )
    if np.abs(array).max() > LARGEST:
        raise InputError(f"{name}: values beyond {LARGEST:g} cannot be averaged safely.")
    return array


def values(x: ArrayLike, name: str) -> FloatArray:
    """`x` as finite numbers, shape (n,)."""
    array = _floats(x, name)
    if array.ndim != 1:
        raise ShapeError(f"{name}: one dimension is wanted, got shape {array.shape}.")
    return array


def columns(x: ArrayLike, name: str) -> FloatArray:
    """`x` as finite numbers, shape (n, m)."""
    array = _floats(x, name)
    if array.ndim != 2:
        raise ShapeError(f"{name}: two dimensions (cases, metrics) are wanted, got shape {array.shape}.")
    return array


def binary(x: ArrayLike, name: str) -> FloatArray:
    """`x` as zeros and ones, shape (n,)."""
    array = values(x, name)
    wrong = array[(array != 0) & (array != 1)]
    if wrong.size:
        raise InputError(f"{name}: only 0 and 1 (or False and True) are wanted, got {wrong[0]:g}.")
    return array


def same_length(**arrays: Any) -> int:
    """Common length of all arrays."""
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise ShapeError(f"unequal lengths: {shown}. Pass the cases that all of them have, in one order.")
    return next(iter(lengths.values()))


def labels(x: Any, name: str) -> list[Hashable]:
    """`x` as a list of labels, none of them missing."""
    if isinstance(x, str | bytes) or not hasattr(x, "__len__"):
        raise ShapeError(f"{name}: a list or array of labels is wanted, got {type(x).__name__}.")
    found: list[Hashable] = x.tolist() if hasattr(x, "tolist") else list(x)
    for at, one in enumerate(found):
        if is_missing(one):
            raise InputError(f"{name}: the label at position {at} is missing. Pass only cases that have one.")
        if not isinstance(one, Hashable) or isinstance(one, tuple | frozenset):
            raise ShapeError(f"{name}: one label a case is wanted, position {at} holds a {type(one).__name__}.")
    return found


def is_missing(one: Any) -> bool:
    """True for None, NaN and the missing values of pandas.

    Example:
        >>> [is_missing(one) for one in (None, float("nan"), "", 0)]
        [True, True, False, False]
    """
    if one is None or type(one).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(one, float | np.floating) and one != one


def clusters(cluster: Any, n: int) -> tuple[IntArray, int]:
    """Cluster number of each of n rows, and how many clusters there are; every row its own cluster for None."""
    if cluster is None:
        return np.arange(n), n
    names = labels(cluster, "cluster")
    same_length(x=range(n), cluster=names)
    numbers: dict[Hashable, int] = {}
    codes = np.fromiter((numbers.setdefault(one, len(numbers)) for one in names), dtype=np.int64, count=n)
    return codes, len(numbers)


def check_level(level: float) -> float:
    """The confidence level, if it is one."""
    if not (isinstance(level, int | float | np.number) and 0 < level < 1):
        raise InputError(f"level: a number between 0 and 1 is wanted, such as 0.95; got {level!r}.")
    return float(level)


def whole(value: Any, name: str, *, least: int = 0) -> int:
    """`value` as a whole number of at least `least`."""
    try:
        number = int(value)
        exact = number == value and not isinstance(value, str | bytes)
    except (TypeError, ValueError, OverflowError):
        exact, number = False, 0
    if not exact or number < least:
        raise InputError(f"{name}: a whole number of at least {least} is wanted, got {value!r:.60}.")
    return number


def is_constant(x: FloatArray) -> bool:
    """True if all values are one value, up to rounding."""
    return bool(np.ptp(x) <= SAME * np.abs(x).max())


def merged(x: FloatArray) -> FloatArray:
    """`x` on a scale of 1, where values that differ only by rounding are equal: ranks must see them as ties."""
    size = float(np.abs(x).max()) if x.size else 0.0
    return np.round(x / size, 12) if size else x


def differences(a: FloatArray, b: FloatArray) -> FloatArray:
    """a - b, where what differs only by rounding is exactly 0: a tie stays a tie."""
    difference = a - b
    difference[np.abs(difference) <= SAME * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return difference


def sums_by_cluster(x: FloatArray, codes: IntArray, n_clusters: int) -> FloatArray:
    """Sums over the rows of each cluster, shape (n_clusters,); what cancels up to rounding is exactly 0."""
    totals = np.bincount(codes, weights=x, minlength=n_clusters).astype(np.float64)
    totals[np.abs(totals) <= SAME * np.bincount(codes, weights=np.abs(x), minlength=n_clusters)] = 0.0
    return totals
