"""A text and the same text folded in, offsets of the original for offsets of the folded one out.

Nearly all characters fold to one character, so only the others are noted: `ß` and `…`, which become longer, zero-width
characters, which vanish, letters with loose accents, which are joined, and runs of white space.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from judgekit.texts.characters import INVISIBLE, fold_characters

_RUN = re.compile(r"\s\s+")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_JOINING = (
    *(("\uff9e", "\uff9f"), ("\uffa0", "\uffdc")),
    *(("\u1100", "\u11ff"), ("\u3131", "\u318e"), ("\ua960", "\ua97f"), ("\ud7b0", "\ud7ff")),
)


class _Stretch(NamedTuple):
    """A piece of the original that does not fold character by character."""

    at: int
    """Offset of what it folds to in the folded characters."""
    to: int
    start: int
    end: int


class WayBack:
    """Offsets of the original."""

    __slots__ = ("_blanks", "_shifts", "_starts", "_stretches")

    def __init__(self, source: str, characters: str, *, case: bool, form: bool) -> None:
        """The way back from `characters`, the source folded; with `form`, from them with white space drawn together."""
        self._blanks, self._shifts = _drawn_together(characters) if form else ([], [0])
        self._stretches = _stretches(source, characters, case, form)
        self._starts = [one.at for one in self._stretches]

    def start(self, at: int) -> int:
        """Where the character at the offset begins in the original."""
        at += self._shifts[bisect_left(self._blanks, at)]
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at
        stretch = self._stretches[index]
        return stretch.start if at < stretch.to else stretch.end + at - stretch.to

    def end(self, at: int) -> int:
        """Where the character before the offset ends in the original."""
        at -= 1
        at += self._shifts[bisect_left(self._blanks, at)]
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return at + 1
        stretch = self._stretches[index]
        return stretch.end if at < stretch.to else stretch.end + at - stretch.to + 1


def _drawn_together(characters: str) -> tuple[list[int], list[int]]:
    """Where the blanks stand that were runs of white space, and what to add to offsets up to each and beyond all."""
    shift = len(characters) - len(characters.lstrip())
    blanks, shifts = [], [shift]
    for run in _RUN.finditer(characters, shift, max(shift, len(characters.rstrip()))):
        start, end = run.span()
        blanks.append(start - shift)
        shift += end - start - 1
        shifts.append(shift)
    return blanks, shifts


def _stretches(source: str, characters: str, case: bool, form: bool) -> list[_Stretch]:
    if source.isascii():
        return []
    other = set(_BEYOND_ASCII.findall(source))
    lengths = {one: _length(one, case, form) for one in other}
    odd = [(at, at + 1, length) for one, length in lengths.items() if length != 1 for at in _places(one, source)]
    if any(map(_joins, other)):
        joined = _joined(source, [one for one in other if _joins(one) or one in INVISIBLE])
        inside = {at for start, end in joined for at in range(start, end)} if odd else ()
        odd = [one for one in odd if one[0] not in inside]
        odd += [(start, end, _length(source[start:end], case, form)) for start, end in joined]
    odd.sort()
    stretches: list[_Stretch] = []
    at = last = 0
    for start, end, length in odd:
        at += start - last
        stretches.append(_Stretch(at, at + length, start, end))
        at, last = at + length, end
    if at + len(source) - last != len(characters):
        # Characters joined in a way that nobody writes leave no map; the whole text is then the place.
        return [_Stretch(0, len(characters), 0, len(source))]
    return stretches


def _places(character: str, text: str) -> Iterator[int]:
    at = text.find(character)
    while at >= 0:
        yield at
        at = text.find(character, at + 1)


def _joined(source: str, joiners: list[str]) -> list[tuple[int, int]]:
    """Each run of joiners with the one character before it."""
    runs: list[tuple[int, int]] = []
    for at in sorted(at for one in joiners for at in _places(one, source)):
        if runs and runs[-1][1] == at:
            runs[-1] = runs[-1][0], at + 1
        else:
            runs.append((max(0, at - 1), at + 1))
    return runs


@lru_cache(maxsize=4096)
def _length(text: str, case: bool, form: bool) -> int:
    return len(fold_characters(text, case=case, form=form))


@lru_cache(maxsize=4096)
def _joins(character: str) -> bool:
    """True for accents, the voiced marks of half-width kana, and loose Hangul letters."""
    is_accent = unicodedata.category(character).startswith("M") and character not in INVISIBLE
    return is_accent or any(first <= character <= last for first, last in _JOINING)
