"""Cells of a table in, columns of the page's document out: values as they are, texts as positions in one list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

Column = dict[str, Any]


class Texts:
    """Texts in, their positions out; equal texts share one."""

    def __init__(self) -> None:
        self.position: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.position)

    def of(self, text: str) -> int:
        """Position of a text, a new one where it was not met before."""
        return self.position.setdefault(text, len(self.position))

    def column(self, cells: Sequence[str | None]) -> Column:
        """A column of texts."""
        return _column("text", cells, self._positions)

    def lists(self, cells: Sequence[Sequence[str] | None]) -> Column:
        """A column of lists of texts."""
        return _column("list", cells, self._positions_of_lists)

    def _positions(self, cells: Iterable[str | None]) -> list[int | None]:
        position = self.position
        return [None if text is None else position.setdefault(text, len(position)) for text in cells]

    def _positions_of_lists(self, cells: Iterable[Sequence[str] | None]) -> list[list[int] | None]:
        return [None if texts is None else [self.of(text) for text in texts] for texts in cells]


def values(cells: Sequence[Any]) -> Column:
    """A column of numbers, booleans, or lists of numbers; what JSON has no number for is null.

    Example:
        >>> values([1.0, 0.5, float("nan")])
        {'kind': 'value', 'cells': [1, 0.5, None]}
        >>> values([True, True])
        {'kind': 'value', 'all': True}
    """
    return _column("value", cells, lambda some: [_value(cell) if isinstance(cell, float) else cell for cell in some])


def as_json(value: Any) -> str:
    """A value of unknown shape as JSON text for people.

    Example:
        >>> as_json({"q": "x"})
        '{"q": "x"}'
    """
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "(nested too deeply to be shown; it stands in the run folder)"


def text_or_none(value: Any) -> str | None:
    """A text as it is, anything else as JSON."""
    return value if value is None or isinstance(value, str) else as_json(value)


def _column(kind: str, cells: Sequence[Any], convert: Callable[[Sequence[Any]], Sequence[Any]]) -> Column:
    if not cells:
        return {"kind": kind, "all": None}
    if cells.count(cells[0]) == len(cells):
        return {"kind": kind, "all": convert(cells[:1])[0]}
    return {"kind": kind, "cells": convert(cells)}


def _value(number: float) -> float | int | None:
    if not isfinite(number):
        return None
    # 1.0 is 1 to JavaScript, and half the bytes.
    return int(number) if number.is_integer() else number
