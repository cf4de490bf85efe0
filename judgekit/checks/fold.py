"""Text in, the same text with case and form folded out, with a way back to the offsets of the original.

Two writings of one word compare equal after folding: full and half width, curly and plain quotes, long and short
dashes, upper and lower case, any run of white space and one space, zero-width characters and none.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

import regex

_QUOTES = dict.fromkeys(map(ord, "‘’‚‛ʼ′＇´"), "'") | dict.fromkeys(map(ord, "“”„‟″＂"), '"')
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹘﹣－"), "-")
_MARKS = (range(0x200B, 0x2010), range(0x202A, 0x202F), range(0x2066, 0x206A))
_SINGLE = (0xAD, 0x180E, 0x2060, 0xFEFF, 0xFE0E, 0xFE0F)
_INVISIBLE = dict.fromkeys([*_SINGLE, *(mark for marks in _MARKS for mark in marks)])
_PLAIN = _QUOTES | _DASHES | _INVISIBLE
_RUNS = re.compile(r"\s{2,}")
_WORDS = re.compile(r"\s+|\S+")
_GRAPHEMES = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the folded text and where it came from."""

    at: int
    start: int
    end: int
    one_to_one: bool
    """True if each character came from one character."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text."""

    text: str
    source: str
    case: bool
    form: bool

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original of what stands at [start, end) in the folded text.

        Example:
            >>> folded = fold("Straße  am\\nSee")
            >>> first = folded.text.index("am see")
            >>> folded.source[slice(*folded.span(first, first + 6))]
            'am\\nSee'
        """
        # Only now is the way back worked out: most texts are never asked for it.
        pieces = _pieces(self)
        first = pieces[bisect_right(pieces, start, key=_at) - 1]
        last = pieces[bisect_right(pieces, max(start, end - 1), key=_at) - 1]
        return (
            first.start + start - first.at if first.one_to_one else first.start,
            min(last.start + end - last.at, last.end) if last.one_to_one else last.end,
        )


def _at(piece: _Piece) -> int:
    return piece.at


@lru_cache(maxsize=8)
def fold(text: str, *, case: bool = True, form: bool = True) -> Folded:
    """The folded text.

    Args:
        text: Any text.
        case: Fold upper and lower case.
        form: Fold NFKC, quotes, dashes, zero-width characters and white space; otherwise NFC only.

    Example:
        >>> fold("I can’t\\n delete").text
        "i can't delete"
    """
    folded = _characters(text, case, form)
    return Folded(" ".join(folded.split()) if form else folded, text, case, form)


def fold_phrase(text: str, *, case: bool = True, form: bool = True) -> str:
    """A text to look for, folded; one blank at either end is kept, so that "- " is not every hyphen.

    Example:
        >>> fold_phrase("- "), fold_phrase("Two\\nlines\\n")
        ('- ', 'two lines')
    """
    if not form:
        return fold(text, case=case, form=False).text
    inner = fold(text, case=case).text
    blank = " \t\u00a0"
    return f"{' ' if text[:1] in blank else ''}{inner}{' ' if text[-1:] in blank else ''}" if inner else ""


def is_blank(text: str) -> bool:
    """True if the text shows nothing: empty, white space, zero-width and control characters.

    Example:
        >>> is_blank(" \\u200b\\n"), is_blank(" . ")
        (True, False)
    """
    bare = text.strip()
    if bare[:1].isprintable() and bare:
        return False
    return all(one.isspace() or unicodedata.category(one) in ("Cc", "Cf", "Cn") for one in bare)


def _characters(text: str, case: bool, form: bool) -> str:
    """The text folded character by character, before white space is drawn together."""
    if text.isascii():
        return text.lower() if case else text
    folded = unicodedata.normalize("NFKC", text.translate(_PLAIN)) if form else unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", folded.casefold()) if case else folded


@lru_cache(maxsize=4096)
def _is_one(character: str, case: bool, form: bool) -> bool:
    return len(_characters(character, case, form)) == 1


def _is_one_to_one(text: str, folded: str, case: bool, form: bool) -> bool:
    # Each character alone gives one, and all together as many as there are: so none was joined or taken apart.
    return text.isascii() or (len(text) == len(folded) and all(_is_one(one, case, form) for one in set(text)))


@lru_cache(maxsize=8)
def _pieces(whole: Folded) -> list[_Piece]:
    source, case, form = whole.source, whole.case, whole.form
    folded = _characters(source, case, form)
    if _is_one_to_one(source, folded, case, form):
        return _one_to_one_pieces(folded) if form else [_Piece(0, 0, len(source), True)]
    pieces = _mixed_pieces(whole)
    # Characters joined across words (rare: loose Hangul letters) leave no map; the whole text is then the place.
    return pieces or [_Piece(0, 0, len(source), False)]


def _one_to_one_pieces(folded: str) -> list[_Piece]:
    start = len(folded) - len(folded.lstrip())
    end = len(folded.rstrip())
    pieces, at = [], 0
    for run in _RUNS.finditer(folded, start, max(start, end)):
        pieces.append(_Piece(at, start, run.start() + 1, True))
        at += run.start() + 1 - start
        start = run.end()
    return [*pieces, _Piece(at, start, max(start, end), True)]


def _mixed_pieces(whole: Folded) -> list[_Piece]:
    source, case, form = whole.source, whole.case, whole.form
    pieces: list[_Piece] = []
    text: list[str] = []
    at, after_blank = 0, True
    for match in _WORDS.finditer(source):
        word, start = match.group(), match.start()
        if form and word.isspace():
            if not after_blank:
                pieces.append(_Piece(at, start, match.end(), False))
                text.append(" ")
                at, after_blank = at + 1, True
            continue
        for part, first, one_to_one in _parts(word, case, form):
            if part:
                pieces.append(_Piece(at, start + first[0], start + first[1], one_to_one))
                text.append(part)
                at, after_blank = at + len(part), False
    joined = "".join(text)
    return pieces if (joined.rstrip() if form else joined) == whole.text else []


def _parts(word: str, case: bool, form: bool) -> list[tuple[str, tuple[int, int], bool]]:
    folded = _characters(word, case, form)
    if _is_one_to_one(word, folded, case, form):
        return [(folded, (0, len(word)), True)]
    return [(_characters(one.group(), case, form), one.span(), False) for one in _GRAPHEMES.finditer(word)]
