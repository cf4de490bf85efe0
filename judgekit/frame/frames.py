"""Rows in, pandas DataFrames out; pandas is imported here alone, on first use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from judgekit.frame.tables import CaseRow, ResultRow

if TYPE_CHECKING:
    import pandas as pd

_DTYPES = {bool: "boolean", int: "Int64", float: "float64", str: "object"}


def to_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]], hints: dict[str, Any]) -> pd.DataFrame:
    """A DataFrame with one dtype per column: text as object, whole numbers and booleans nullable, scores float.

    Args:
        columns: Names in order.
        rows: Typed cells in that order; None is missing.
        hints: Type of each column that has one; others are left as they come.
    """
    import pandas as pd

    frame = pd.DataFrame.from_records([tuple(row) for row in rows], columns=list(columns))
    for name in columns:
        dtype = _dtype(hints.get(name))
        if dtype:
            frame[name] = frame[name].astype(dtype)  # type: ignore[call-overload]
    return frame


def _dtype(hint: Any) -> str | None:
    plain = [one for one in get_args(hint) if one is not type(None)] or [hint]
    return _DTYPES.get(plain[0]) if len(plain) == 1 else None


def results_frame(rows: Iterable[ResultRow]) -> pd.DataFrame:
    """`Run.results`: the columns of ResultRow; a missing score is NaN.

    Example:
        >>> list(results_frame([]).columns)[:3]
        ['run_id', 'case_id', 'agent']
    """
    return to_frame(ResultRow._fields, rows, get_type_hints(ResultRow))


def case_hints() -> dict[str, Any]:
    """Types of the columns of CaseRow."""
    return get_type_hints(CaseRow)


def verdicts_frame(rows: Iterable[dict[str, Any]]) -> pd.DataFrame:
    """`Run.verdicts`: one row per judge sample, columns as the records of verdicts.jsonl have them."""
    import pandas as pd

    return pd.DataFrame.from_records(list(rows))
