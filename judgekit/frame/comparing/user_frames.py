"""A DataFrame of scores in, the sides of a comparison out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import repeat
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.comparing.sides import Side, sides_of
from judgekit.frame.tables import ResultRow

if TYPE_CHECKING:
    import pandas as pd

_NEEDED = ("case_id", "score")
_BOOLEANS: Mapping[Any, bool] = {"true": True, "false": False, "1": True, "0": False, 1: True, 0: False}


def frame_sides(frame: pd.DataFrame, by: str) -> dict[str, Side]:
    """The sides by value of one column.

    Args:
        frame: One row per case, side and metric (and trial, and judge), with the columns case_id and score; `metric`,
            `trial`, `judge`, `kind`, `passed`, `scale_min` and `scale_max` are used where they are there. A missing
            score is no zero: its case is left out and counted.
        by: Column that names the sides.

    Raises:
        InputError: no rows; a column is missing or there twice; a case or side without a name; a score that is no
            finite number, a trial that is no whole number, a `passed` that is neither true nor false; the same metric
            of a case twice.
    """
    cells = _Cells(frame)
    cells.raise_missing((*_NEEDED, by))
    if not cells.n:
        raise InputError("the frame holds no rows: there is nothing to compare.")
    scores = cells.of("score", _number)
    columns: dict[str, Iterable[Any]] = {
        "case_id": cells.names("case_id"),
        "variant": cells.names(by),
        "trial": cells.of("trial", _whole, 0),
        "kind": cells.of("kind", _text, "score"),
        "metric": cells.of("metric", _text, "score"),
        "required": repeat(False, cells.n),
        "status": ["unscored" if score is None else "scored" for score in scores],
        "passed": cells.of("passed", _boolean),
        "score": scores,
        # Without a scale nothing is said that would need one.
        "scale_min": cells.of("scale_min", _number, 0.0),
        "scale_max": cells.of("scale_max", _number, 0.0),
        "reason": cells.of("reason", _text, ""),
        "judge": [text or None for text in cells.of("judge", _text, "")],
    }
    # By column: row by row three hundred thousand scores would take as long as their comparison.
    fields = (columns.get(name, repeat(None, cells.n)) for name in ResultRow._fields)
    return sides_of((), map(ResultRow._make, zip(*fields, strict=True)))


def frame_clusters(frame: pd.DataFrame, column: str) -> dict[str, str]:
    """Which cases are not independent of each other: the value of a column by case.

    Raises:
        InputError: there is no such column; a case has no value, or two.
    """
    cells = _Cells(frame)
    cells.raise_missing((column,))
    found: dict[str, str] = {}
    for case_id, label in zip(cells.names("case_id"), cells.names(column), strict=True):
        if found.setdefault(case_id, label) != label:
            raise InputError(f'case "{case_id}" has two values of {column} in the frame: {found[case_id]}, {label}.')
    return found


class _Cells:
    """The columns of a frame as lists."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self.n = len(frame)
        self._frame = frame
        self._places: dict[str, int] = {}
        for place, name in enumerate(map(str, frame.columns)):
            if name in self._places:
                raise InputError(f'the frame has the column "{name}" twice.')
            self._places[name] = place

    def raise_missing(self, names: Iterable[str]) -> None:
        known = list(self._places)
        for name in names:
            if name not in self._places:
                said = f'the frame has no column "{name}"; it has {", ".join(known)}.'
                raise InputError(said + did_you_mean(name, known))

    def names(self, name: str) -> list[str]:
        """A column that has to be filled, as text."""
        cells, missing = self._column(name)
        if True in missing:
            raise InputError(f"row {missing.index(True)} of the frame has no {name}.")
        return list(map(str, cells))

    def of(self, name: str, read: Callable[[Any], Any], otherwise: Any = None) -> list[Any]:
        """A column as `read` reads each cell; `otherwise` where it, or all of it, is missing.

        Raises:
            InputError: the first cell that can't be read.
        """
        if name not in self._places:
            return [otherwise] * self.n
        found = []
        for number, (cell, missing) in enumerate(zip(*self._column(name), strict=True)):
            try:
                found.append(otherwise if missing else read(cell))
            except (TypeError, ValueError, OverflowError, KeyError):
                case_id = self._column("case_id")[0][number]
                wanted = _WANTED[read]
                raise InputError(
                    f'row {number} of the frame (case "{case_id}"): the {name} {cell!r:.40} is {wanted}.'
                ) from None
        return found

    def _column(self, name: str) -> tuple[list[Any], list[bool]]:
        column = self._frame.iloc[:, self._places[name]]
        return column.tolist(), column.isna().tolist()


def _number(value: Any) -> float:
    if isinstance(value, str) or not math.isfinite(found := float(value)):
        raise ValueError
    return found


def _whole(value: Any) -> int:
    if isinstance(value, str) or value < 0 or int(value) != value:
        raise ValueError
    return int(value)


def _boolean(value: Any) -> bool:
    return _BOOLEANS[value.strip().lower() if isinstance(value, str) else value]


def _text(value: Any) -> str:
    return str(value)


_WANTED: Mapping[Callable[[Any], Any], str] = {
    _number: "no finite number",
    _whole: "no whole number of at least 0",
    _boolean: "neither true nor false",
}
