"""A file of people's ratings and a run in, the ratings that its page shows out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.frame import RunData
from judgekit.reading.tables import read_table
from judgekit.reading.text import shown
from judgekit.reports.csv_tables import recover

COLUMNS = (
    "run_id",
    "case_id",
    "variant",
    "against",
    "trial",
    "rubric",
    "output_hash",
    "label",
    "score",
    "comment",
    "annotator",
    "sampling",
    "blind",
)
"""The label format, as the page writes it and `calibrate` reads it."""
_NEEDED = ("case_id", "rubric", "output_hash")
_MOST_NAMED = 5


def read_ratings(path: Path, run: RunData) -> tuple[list[dict[str, str]], list[str]]:
    """The ratings that are of outputs of this run, and a sentence on those that are not.

    Raises:
        InputError: the file can't be read, or lacks a column of the label format.
    """
    rows = read_table(path, what="labels file")
    if not rows:
        raise InputError(f"{shown(path)}: holds no labels.")
    named = {name for _, cells in rows for name in cells}
    missing = [name for name in _NEEDED if name not in named]
    if not named & {"label", "score"}:
        missing.append("label or score")
    if missing:
        raise InputError(
            f"{shown(path)}: is no labels file: column {', '.join(missing)} is missing. "
            f"The columns are {', '.join(COLUMNS)}; the report's page writes such files (Rate)."
        )
    hashes = {(row.case_id, row.variant, row.trial): row.output_hash for row in run.cases}
    variants = list(dict.fromkeys(row.variant for row in run.cases))
    used: list[dict[str, str]] = []
    left: list[str] = []
    for line, cells in rows:
        label = {name: recover(_text(cells.get(name))) for name in COLUMNS}
        label["run_id"] = label["run_id"] or run.summary["run_id"]
        # A file that was made by hand may leave out what a run of one variant and trial has no choice of.
        label["variant"] = label["variant"] or (variants[0] if len(variants) == 1 else "")
        label["trial"] = label["trial"] or "0"
        trouble = _trouble(label, run, hashes)
        if trouble:
            left.append(f"line {line} ({label['case_id']}): {trouble}")
        else:
            used.append(label)
    return used, _said(path, left)


def _trouble(label: Mapping[str, str], run: RunData, hashes: Mapping[tuple[str, str, int], str]) -> str:
    if label["run_id"] != run.summary["run_id"]:
        return f"is of run {label['run_id']}"
    if not label["trial"].isdecimal():
        return f'"{label["trial"]}" is no trial'
    found = hashes.get((label["case_id"], label["variant"], int(label["trial"])))
    if found is None:
        return "this run has no such output"
    if found != label["output_hash"]:
        return "the output is another than the one rated"
    return "" if label["label"] or label["score"] else "has neither label nor score"


def _said(path: Path, left: list[str]) -> list[str]:
    if not left:
        return []
    more = f"; and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
    return [f"{shown(path)}: {len(left)} ratings are not used: {'; '.join(left[:_MOST_NAMED])}{more}."]


def _text(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
