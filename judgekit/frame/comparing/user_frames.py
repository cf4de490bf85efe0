"""A DataFrame of scores in, the sides of a comparison out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.comparing.sides import Side, sides_of
from judgekit.frame.tables import ResultRow

if TYPE_CHECKING:
    import pandas as pd

_NEEDED = ("case_id", "score")
_EMPTY = ResultRow._make([None] * len(ResultRow._fields))


def frame_sides(frame: pd.DataFrame, by: str) -> dict[str, Side]:
    """The sides by value of one column.

    Args:
        frame: One row per case, side and metric (and trial, and judge), with the columns case_id and score; `metric`,
            `trial`, `judge`, `kind`, `passed`, `scale_min` and `scale_max` are used where they are there. A missing
            score is no zero: its case is left out and counted.
        by: Column that names the sides.

    Raises:
        InputError: a column is missing; a case or side without a name; a score that is no finite number; the same
            metric of a case twice.
    """
    columns = [str(name) for name in frame.columns]
    for name in (*_NEEDED, by):
        if name not in columns:
            known = ", ".join(columns)
            raise InputError(f'the frame has no column "{name}"; it has {known}.{did_you_mean(name, columns)}')
    rows = [_row(record, by, number) for number, record in enumerate(frame.to_dict("records"))]
    return sides_of((), rows)


def _row(record: Mapping[Any, Any], by: str, number: int) -> ResultRow:
    for name in ("case_id", by):
        if _is_missing(record[name]):
            raise InputError(f"row {number} of the frame has no {name}.")
    score = _score(record, number)
    passed = record.get("passed")
    return _EMPTY._replace(
        case_id=str(record["case_id"]),
        variant=str(record[by]),
        trial=0 if _is_missing(record.get("trial")) else record["trial"],
        kind=_text(record, "kind", "score"),
        metric=_text(record, "metric", "score"),
        required=False,
        status="unscored" if score is None else "scored",
        passed=None if _is_missing(passed) else bool(passed),
        score=score,
        scale_min=_end(record, "scale_min", number),
        scale_max=_end(record, "scale_max", number),
        reason=_text(record, "reason", ""),
        judge=_text(record, "judge", "") or None,
    )


def _score(record: Mapping[Any, Any], number: int) -> float | None:
    return None if _is_missing(record["score"]) else _number(record, "score", number)


def _number(record: Mapping[Any, Any], name: str, row: int) -> float:
    value = record[name]
    try:
        found = math.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        case_id = record["case_id"]
        raise InputError(f'row {row} of the frame (case "{case_id}"): the {name} {value!r:.40} is no finite number.')
    return found


def _text(record: Mapping[Any, Any], name: str, otherwise: str) -> str:
    value = record.get(name)
    return otherwise if _is_missing(value) else str(value)


def _end(record: Mapping[Any, Any], name: str, row: int) -> float:
    # Without a scale nothing is said that would need one.
    return 0.0 if _is_missing(record.get(name)) else _number(record, name, row)


def _is_missing(value: Any) -> bool:
    nameless = ("NAType", "NaTType", "NoneType")
    return type(value).__name__ in nameless or (isinstance(value, float) and value != value)
