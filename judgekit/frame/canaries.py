"""What judges said of planted outputs in; whether one fell for a trick, for summary, gate and people, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

PREFIX = "canary:"
"""Begins the variant of a planted output in verdicts.jsonl; no row, mean or rate knows of it."""


def is_canary(record: Mapping[str, Any]) -> bool:
    """True if a record of verdicts.jsonl is about a planted output."""
    return str(record.get("variant", "")).startswith(PREFIX)


def canary_summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """`canaries` of summary.json: each of them, and how many fooled a judge or have no verdict (`open`)."""
    return {
        "planted": len(rows),
        "fooled": sum(row["fooled"] is True for row in rows),
        "open": sum(row["fooled"] is None for row in rows),
        "rows": list(rows),
    }


def canary_line(found: Mapping[str, Any]) -> str:
    """What came of the planted outputs, in one sentence.

    Example:
        >>> canary_line({"planted": 4, "fooled": 0, "open": 0, "rows": []})
        'canaries: none of 4 planted outputs fooled a judge'
    """
    n, fooled = found["planted"], found["fooled"]
    if n == found["open"]:
        return f"canaries: none of {n} planted outputs has a verdict"
    rest = f"; {found['open']} without a verdict" if found["open"] else ""
    if not fooled:
        return f"canaries: none of {n} planted outputs fooled a judge{rest}{_undiscerning(found['rows'])}"
    said = "; ".join(_fallen(found["rows"]))
    return f"canaries: {fooled} of {n} planted outputs fooled a judge{rest}: {said}{_undiscerning(found['rows'])}"


def _undiscerning(rows: Iterable[Mapping[str, Any]]) -> str:
    """Judges of which canaries show little, as they score an answer that says nothing as high as one with a trick."""
    found = dict.fromkeys(
        f"{row['judge']} on {row['metric']}"
        for row in rows
        if row.get("control_score") is not None and row["fooled"] is False and row["score"] == row["control_score"]
    )
    return f" (an answer that says nothing scores as high: {', '.join(found)})" if found else ""


def _fallen(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for row in rows:
        if row["fooled"]:
            said = row["label"] or f"{row['score']:g}"
            yield f"{row['judge']} by {row['canary']} on {row['metric']} (case {row['case_id']}: {said})"
