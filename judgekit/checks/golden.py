"""The check against a text that a person has approved: golden."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from judgekit.checks.base import Check, outcome
from judgekit.checks.pattern import compile_pattern, replaced
from judgekit.errors import InputError
from judgekit.reading.forms import Text, TextList
from judgekit.reading.text import read_text, shown
from judgekit.records import Case, CheckResult, Output, Place
from judgekit.texts.quoting import quote

REDACTED = "[redacted]"

_MOST_DIFF_LINES = 200
_MOST_COMPARED = 2_000
_LONGEST_DIFF_LINE = 500


class Golden(Check):
    """The output equals the golden file, but for line ends, trailing blanks and redactions."""

    name: ClassVar[str] = "golden"
    value: Text = Field(description="Path of the golden file, from the scenario's folder.")
    redact: TextList = Field((), description="Patterns replaced on both sides first, such as dates and ids.")
    _path: Path = PrivateAttr(Path())
    _golden: str | None = PrivateAttr(None)
    _patterns: tuple[Any, ...] = PrivateAttr(())

    @field_validator("value", mode="before")
    @classmethod
    def _is_path(cls, value: Any) -> Any:
        if isinstance(value, bool):
            raise ValueError("must be the path of a file here; `golden: true` is a key of a case")
        return value

    @field_validator("redact")
    @classmethod
    def _valid(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            compile_pattern(pattern)
        return patterns

    @model_validator(mode="after")
    def _read(self, info: ValidationInfo) -> Golden:
        place = info.context if isinstance(info.context, Place) else Place()
        self._path = place.folder / self.value
        self._patterns = tuple(compile_pattern(pattern) for pattern in self.redact)
        if _exists(self._path):
            try:
                self._golden = read_text(self._path, what="golden file")
            except InputError as problem:
                raise ValueError(f"cannot be read: {problem}") from None
        return self

    @property
    def path(self) -> Path:
        """The golden file, whether it exists or not."""
        return self._path

    @property
    def wanted(self) -> str | None:
        """The golden text as it was read; None where there is no file yet."""
        return self._golden

    def normalized(self, text: str) -> str:
        """The text as it is compared: NFC, redacted, line ends as \\n, no blanks at ends of lines and of the text.

        Raises:
            NoResult: a redaction takes too long.
        """
        text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
        for pattern in self._patterns:
            text = replaced(pattern, REDACTED, text)
        return "\n".join(line.rstrip() for line in text.split("\n")).rstrip("\n")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the first line that differs and a unified diff."""
        if self._golden is None:
            command = f"judgekit bless {case.file}".rstrip()
            return outcome(False, f"no golden file {shown(self._path)}: `{command}` writes it from the output")
        golden, said = self.normalized(self._golden), self.normalized(output.text or "")
        if golden == said:
            return outcome(True, f"equals {self._path.name}")
        wanted, found = golden.split("\n"), said.split("\n")
        return outcome(False, _first_difference(wanted, found), detail={"diff": _diff(wanted, found)})


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as problem:
        raise ValueError(f"can be no path of a file: {problem.strerror}") from None


def _first_difference(wanted: Sequence[str], found: Sequence[str]) -> str:
    at = _same_start(wanted, found)
    if at == len(wanted):
        return f"line {at + 1}: the golden file ends, the output goes on with {quote(found[at])}"
    if at == len(found):
        return f"line {at + 1}: the output ends, the golden file goes on with {quote(wanted[at])}"
    # From a little before the place where they part, else two long lines would be quoted as the same.
    column = next(
        (place for place, pair in enumerate(zip(wanted[at], found[at], strict=False)) if pair[0] != pair[1]), 0
    )
    start = max(0, column - 20) if column > 40 else 0
    return f"line {at + 1}: golden has {quote(wanted[at][start:])}, the output has {quote(found[at][start:])}"


def _same_start(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines of two texts, or characters of two lines, are the same from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, pair in pairs if pair[0] != pair[1]), min(len(one), len(other)))


def _diff(wanted: Sequence[str], found: Sequence[str]) -> str:
    """The unified diff, bounded: difflib takes quadratic time, and a report shows some hundred lines at most."""
    start = max(0, _same_start(wanted, found) - 3)
    lines = difflib.unified_diff(
        [line[:_LONGEST_DIFF_LINE] for line in wanted[start : start + _MOST_COMPARED]],
        [line[:_LONGEST_DIFF_LINE] for line in found[start : start + _MOST_COMPARED]],
        "golden",
        "output",
        lineterm="",
    )
    shown_lines: list[str] = []
    for line in lines:
        if len(shown_lines) == _MOST_DIFF_LINES:
            shown_lines.append("…")
            break
        shown_lines.append(_shifted(line, start))
    return "\n".join(shown_lines)


def _shifted(line: str, by: int) -> str:
    """A hunk's header counts from the start of the file, not of the part that was compared."""
    if not by or not line.startswith("@@"):
        return line
    head, old, new, tail = line.split(" ")
    return " ".join([head, _moved(old, by), _moved(new, by), tail])


def _moved(part: str, by: int) -> str:
    first, comma, count = part[1:].partition(",")
    return f"{part[0]}{int(first) + by}{comma}{count}"
