"""Texts of a run in, the same texts with secret patterns masked out; masks keep the length, so spans stay right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from judgekit.frame.tables import CaseRow, ResultRow

R = TypeVar("R", ResultRow, CaseRow)
MASK = "█"


class Masker:
    """Masks every match of some patterns, in texts wherever they stand.

    Example:
        >>> Masker(["sk-[a-z]+"]).value({"reply": ["my key is sk-abc"]})
        {'reply': ['my key is ██████']}
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        compiled = [re.compile(pattern) for pattern in patterns]
        self._text = _joined(compiled) if compiled else None

    def value(self, value: Any) -> Any:
        """The value with every text in it masked; keys stay."""
        if self._text is None:
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return {key: self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        return value

    def row(self, row: R) -> R:
        """The table row with its texts masked."""
        if self._text is None:
            return row
        text = self._text
        return type(row)._make(text(cell) if isinstance(cell, str) else cell for cell in row)


def _joined(patterns: list[re.Pattern[str]]) -> Callable[[str], str]:
    def masked(text: str) -> str:
        for pattern in patterns:
            text = pattern.sub(lambda match: MASK * len(match[0]), text)
        return text

    return masked
