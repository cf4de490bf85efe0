"""Cases of a run and the name of a column in; which cases are not independent of each other out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.tables import CaseRow

OF_RECORD = ("context", "input", "reference")
OF_CASE = ("agent", "file", "suite")


def cluster_columns(columns: Iterable[str]) -> list[str]:
    """Everything that `cluster:` may name: variables of the cases, then fields that every case has."""
    return list(dict.fromkeys((*columns, *OF_RECORD, *OF_CASE)))


def unknown_cluster(column: str, known: Iterable[str]) -> str:
    """What is wrong with a column that no case has."""
    names = cluster_columns(known)
    return f'cluster: no case has a column "{column}"; there are {", ".join(names)}.{did_you_mean(column, names)}'


def clusters_of(
    column: str, cases: Iterable[CaseRow], outputs: Iterable[Mapping[str, Any]], *, where: str = ""
) -> dict[str, str]:
    """The cluster of each case: cases with the same value there share what they were made from.

    A case without a value is a cluster of its own.

    Args:
        column: A variable of the cases, or context, input, reference, agent, file or suite.
        cases: Rows of the run.
        outputs: Its records, which hold the variables.
        where: The run, for messages.

    Raises:
        InputError: no case has such a column.
    """
    found: dict[str, str] = {}
    columns: dict[str, None] = {}
    named = False
    for record in outputs:
        values = record.get("vars") or {}
        columns |= dict.fromkeys(values)
        value = values.get(column, record.get(column) if column in OF_RECORD else None)
        if value not in (None, "", []):
            named = True
            found.setdefault(record["case_id"], json.dumps(value, sort_keys=True, default=str))
    if column in OF_CASE and column not in columns:
        found |= {row.case_id: getattr(row, column) for row in cases if getattr(row, column)}
    elif not named and column not in (*columns, *OF_RECORD):
        raise InputError(f"{where}: {unknown_cluster(column, columns)}" if where else unknown_cluster(column, columns))
    return {row.case_id: found.get(row.case_id, f"case {row.case_id}") for row in cases}
