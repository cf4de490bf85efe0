"""Texts of models and users in, what a terminal can show out: lines, columns, colours."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import click

from judgekit.reports.wording import harmless
from judgekit.writing import clean

_COLOURS = {
    "pass": "green",
    "fail": "red",
    "error": "yellow",
    "passed": "green",
    "failed": "red",
    "undecided": "yellow",
}


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table, header first, as lines; the first two columns name a row."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if sum(widths) + 2 * len(widths) <= terminal_width():
        return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    # A narrow terminal gets one line of figures under each metric instead of a broken table.
    lines = []
    for row in rows[1:]:
        figures = [f"{name} {cell}" for name, cell in zip(rows[0][2:], row[2:], strict=True) if cell]
        lines += [f"{row[0]} · {row[1]}", *(f"  {figure}" for figure in figures)]
    return lines


def one_line(text: str) -> str:
    """The text as one line, cut in a terminal after three screen lines."""
    line = harmless(" ".join(text.split()))
    room = terminal_width() * 3
    return line if not sys.stdout.isatty() or len(line) <= room else line[: room - 1] + "…"


def terminal_width() -> int:
    """Characters of a line; the same everywhere where no terminal shows it."""
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120


def paint(text: str, kind: str) -> str:
    """The text in the colour of its kind, where the terminal has colours."""
    return click.style(text, fg=_COLOURS.get(kind), bold=kind in ("fail", "failed")) if has_colours() else text


def has_colours() -> bool:
    """True if stdout is a terminal that shows colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def echo_json(value: Any) -> None:
    """Print strict JSON; where the console lacks characters, escapes lose nothing."""
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    click.echo(json.dumps(clean(value), ensure_ascii=not is_unicode, indent=1))
