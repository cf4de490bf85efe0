"""A file of labels by people in, one record a row out, with its line; the first mistakes are found here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.reading.tables import read_table
from judgekit.reading.text import shown

COLUMNS = (
    *("run_id", "case_id", "variant", "against", "trial", "rubric", "output_hash", "label", "score"),
    *("comment", "annotator", "sampling", "blind"),
)
TRUE, FALSE = ("pass", "yes", "true", "1"), ("fail", "no", "false", "0")
_MOST_LISTED = 8


@dataclass(frozen=True, slots=True)
class Label:
    """What one person said of one output; empty texts are cells that say nothing."""

    line: int
    case_id: str
    run_id: str = ""
    variant: str = ""
    against: str = ""
    """Pairwise only: the variant that `variant` was compared with."""
    trial: int | None = None
    rubric: str = ""
    output_hash: str = ""
    label: str = ""
    score: float | None = None
    comment: str = ""
    annotator: str = ""
    sampling: str = ""
    """random, chosen, or nothing."""
    blind: bool | None = None
    """Whether the person could not see what the judge said; None where the file does not say."""


@dataclass(frozen=True, slots=True)
class Note:
    """Rows of a label file that are not used, or that a reader of the figures must know of."""

    kind: str
    """A word for programs, such as `unknown_case`."""
    lines: tuple[int, ...]
    said: str
    """The sentence, without file and lines."""
    used: bool = False
    """Whether these rows count all the same."""

    def sentence(self, file: str) -> str:
        """The note with its place.

        Example:
            >>> Note("no_label", (3, 4), "nothing is said").sentence("labels.csv")
            'labels.csv: lines 3, 4 not used: nothing is said'
        """
        return f"{file}: {numbered(self.lines)}{'' if self.used else ' not used'}: {self.said}"


@dataclass(frozen=True, slots=True)
class LabelFile:
    """The rows of a label file that could be read, and what there is to say of the others."""

    file: str
    """Path as shown to people."""
    labels: tuple[Label, ...]
    notes: tuple[Note, ...]


def numbered(lines: Sequence[int]) -> str:
    """The lines in words, at most eight by number.

    Example:
        >>> numbered([7]), numbered(range(2, 12))
        ('line 7', 'lines 2, 3, 4, 5, 6, 7, 8, 9 and 2 more')
    """
    listed = ", ".join(map(str, lines[:_MOST_LISTED]))
    more = f" and {len(lines) - _MOST_LISTED} more" if len(lines) > _MOST_LISTED else ""
    return f"line{'s' if len(lines) > 1 else ''} {listed}{more}"


class Notes:
    """Collects rows by what is wrong with them: one sentence for all rows of a kind."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, bool], list[int]] = {}

    def add(self, kind: str, lines: int | Iterable[int], said: str, *, used: bool = False) -> None:
        """Note rows."""
        self._lines.setdefault((kind, said, used), []).extend([lines] if isinstance(lines, int) else lines)

    def all(self) -> tuple[Note, ...]:
        """The notes in the order of their first lines."""
        # A panel has several judges for one row.
        found = [
            Note(kind, tuple(sorted(set(lines))), said, used)
            for (kind, said, used), lines in self._lines.items()
            if lines
        ]
        return tuple(sorted(found, key=lambda one: (one.used, one.lines)))


def read_labels(path: Path) -> LabelFile:
    """The labels of a CSV, JSONL or Parquet file with the columns of `COLUMNS`.

    Raises:
        InputError: the file can't be read, or lacks a column that nothing can be said without.
    """
    rows = read_table(path, what="label file")
    file = shown(path)
    if not rows:
        raise InputError(f"{file}: holds no labels.")
    columns = list(dict.fromkeys(name for _, row in rows for name in row))
    if "case_id" not in columns:
        raise InputError(f"{file}: there is no column case_id.{did_you_mean('case_id', columns)}")
    if "label" not in columns and "score" not in columns:
        raise InputError(f"{file}: there is neither a column label nor a column score.")
    notes = Notes()
    for name in columns:
        if name not in COLUMNS and (hint := did_you_mean(name, COLUMNS)):
            raise InputError(f'{file}: unknown column "{name}".{hint}')
    labels = [label for line, row in rows if (label := _label(line, row, notes)) is not None]
    return LabelFile(file, tuple(labels), notes.all())


def _label(line: int, row: Mapping[str, Any], notes: Notes) -> Label | None:
    cells = {name: _text(row.get(name)) for name in COLUMNS}
    if not cells["label"] and not cells["score"]:
        notes.add("no_label", line, "neither a label nor a score")
        return None
    if not cells["case_id"]:
        notes.add("no_case", line, "case_id is empty")
        return None
    try:
        return Label(
            line=line,
            trial=_trial(cells["trial"]),
            score=_score(cells["score"]),
            sampling=_sampling(cells["sampling"]),
            blind=_blind(cells["blind"]),
            **{name: cells[name] for name in _TEXTS},
        )
    except ValueError as problem:
        notes.add("unreadable", line, str(problem))
        return None


_TEXTS = ("case_id", "run_id", "variant", "against", "rubric", "output_hash", "label", "comment", "annotator")


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()


def _trial(text: str) -> int | None:
    if not text:
        return None
    # What a spreadsheet makes of a whole number.
    digits = text.removesuffix(".0")
    if not digits.isdecimal() or len(digits) > 9:
        raise ValueError(f'trial: a whole number from 0 is wanted, not "{text[:40]}"')
    return int(digits)


def _score(text: str) -> float | None:
    if not text:
        return None
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not isfinite(score):
        raise ValueError(f'score: a number with a decimal point is wanted, not "{text[:40]}"')
    return score


def _sampling(text: str) -> str:
    if text.lower() not in ("", "random", "chosen"):
        raise ValueError(f'sampling: random or chosen is wanted, not "{text[:40]}"')
    return text.lower()


def _blind(text: str) -> bool | None:
    if not text:
        return None
    if text.lower() not in (*TRUE, *FALSE):
        raise ValueError(f'blind: true or false is wanted, not "{text[:40]}"')
    return text.lower() in TRUE
