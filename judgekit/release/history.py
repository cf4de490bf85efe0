"""Decisions of the release gate in, one line a run, agent and rubric in a JSONL file out; and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.text import read_text, shown
from judgekit.records import Decision
from judgekit.writing import json_line

_TEXTS = ("time", "run_id", "agent", "rubric")


def history_rows(decision: Decision, time: datetime) -> list[dict[str, Any]]:
    """The lines that a decision adds: time, run, what was scored, agent, rubric, score, threshold, passed, counts."""
    return [
        {
            "time": time.isoformat(timespec="seconds").replace("+00:00", "Z"),
            "run_id": decision.run_id,
            "revision": decision.revision,
            "source": decision.source,
            "agent": one.agent,
            "rubric": one.rubric,
            "score": None if one.score is None else float(one.score),
            "threshold": float(one.threshold),
            "passed": one.passed,
            "n_golden": one.n_golden,
            "n_scored": one.n_scored,
            "n_negative": one.n_negative,
            "n_violations": one.n_violations,
        }
        for one in decision.agents
    ]


def read_history(path: Path) -> list[dict[str, Any]]:
    """The lines of a history file, oldest first; a file that is not there yet has none.

    Raises:
        InputError: not UTF-8, or lines that no history has; with file and line.
    """
    if not path.exists():
        if not path.parent.is_dir():
            raise InputError(f"--history {shown(path)}: there is no folder {shown(path.parent)}.")
        return []
    rows: list[dict[str, Any]] = []
    complaints: list[Complaint] = []
    for number, line in enumerate(read_text(path, what="history file").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict) and _is_history(row):
            rows.append(row)
        else:
            said = (
                "no line of a history: a JSON object with time, run_id, agent, rubric, score and threshold is wanted."
            )
            complaints.append(Complaint(shown(path), number, said))
    raise_complaints(complaints)
    return rows


def _is_history(row: Mapping[str, Any]) -> bool:
    score, threshold = row.get("score"), row.get("threshold")
    return (
        all(isinstance(row.get(key), str) for key in _TEXTS)
        and "score" in row
        and (score is None or _is_share(score))
        and _is_share(threshold)
    )


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def append_history(path: Path, rows: list[dict[str, Any]]) -> None:
    """Add lines to a history file, all of them in one write.

    Raises:
        InputError: the file can't be written.
    """
    try:
        with path.open("ab+") as file:
            size = file.seek(0, 2)
            file.seek(max(size - 1, 0))
            # An editor may have left the last line without its end.
            start = b"" if file.read(1) in (b"", b"\n") else b"\n"
            file.write(start + b"".join(map(json_line, rows)))
    except OSError as problem:
        raise InputError(f"--history {shown(path)}: cannot be written: {problem.strerror}.") from None
