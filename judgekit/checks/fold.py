"""Text in, the same text with case and form folded out, with a way back to the offsets of the original.

Two writings of one word compare equal after folding: full and half width, curly and plain quotes, long and short
dashes, upper and lower case, any run of white space and one space, zero-width characters and none.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import regex

_MARKS = (range(0x200B, 0x2010), range(0x202A, 0x202F), range(0x2066, 0x206A))
_INVISIBLE = "\u00ad\u180e\u2060\ufeff\ufe0e\ufe0f" + "".join(chr(mark) for marks in _MARKS for mark in marks)
_PLAIN = (
    dict.fromkeys("‘’‚‛ʼ′＇´", "'")
    | dict.fromkeys("“”„‟″＂", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
    | dict.fromkeys(_INVISIBLE, "")
)
_RUNS = re.compile(r"\s{2,}")
# Plain words up to a white space; runs of white space; words with anything else in them.
_STRETCHES = re.compile(r"(?P<plain>[!-~]+(?: [!-~]+)*)(?=\s|$)|(?P<blank>\s+)|\S+")
_GRAPHEMES = regex.compile(r"\X")

Span = tuple[int, int]


class _Piece(NamedTuple):
    """A stretch of the folded text and where it came from."""

    at: int
    start: int
    end: int
    one_to_one: bool
    """True if each character came from one character."""


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A folded text."""

    text: str
    source: str
    case: bool
    form: bool

    def span(self, start: int, end: int) -> Span:
        """Offsets in the original of what stands at [start, end) in the folded text.

        Example:
            >>> folded = fold("Straße  am\\nSee")
            >>> first = folded.text.index("am see")
            >>> folded.source[slice(*folded.span(first, first + 6))]
            'am\\nSee'
        """
        return self.spans([start], end - start)[0]

    def spans(self, places: Sequence[int], length: int) -> tuple[Span, ...]:
        """Offsets in the original of the stretches of `length` at each place of the folded text."""
        if len(self.text) == len(self.source) and self.source.isascii():
            return tuple((at, at + length) for at in places)
        # Only now is the way back worked out: most texts are never asked for it.
        starts, pieces = _pieces(self)
        result = []
        for at in places:
            end = at + length
            first = pieces[bisect_right(starts, at) - 1]
            last = pieces[bisect_right(starts, max(at, end - 1)) - 1]
            result.append(
                (
                    first.start + at - first.at if first.one_to_one else first.start,
                    min(last.start + end - last.at, last.end) if last.one_to_one else last.end,
                )
            )
        return tuple(result)


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
    if form:
        # A few replacements are much faster than str.translate over the whole text.
        for character in _PLAIN.keys() & set(text):
            text = text.replace(character, _PLAIN[character])
        text = unicodedata.normalize("NFKC", text)
    else:
        text = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", text.casefold()) if case else text


@lru_cache(maxsize=4096)
def _is_one(character: str, case: bool, form: bool) -> bool:
    return len(_characters(character, case, form)) == 1


def _is_one_to_one(text: str, folded: str, case: bool, form: bool) -> bool:
    # Each character alone gives one, and all together as many as there are: so none was joined or taken apart.
    return text.isascii() or (len(text) == len(folded) and all(_is_one(one, case, form) for one in set(text)))


def _pieces(whole: Folded) -> tuple[list[int], list[_Piece]]:
    pieces = _pieces_of(whole.source, whole.case, whole.form)
    return [piece.at for piece in pieces], pieces


@lru_cache(maxsize=8)
def _pieces_of(source: str, case: bool, form: bool) -> list[_Piece]:
    folded = _characters(source, case, form)
    if _is_one_to_one(source, folded, case, form):
        return _one_to_one_pieces(folded) if form else [_Piece(0, 0, len(source), True)]
    pieces = _mixed_pieces(source, folded, case, form)
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


def _mixed_pieces(source: str, folded: str, case: bool, form: bool) -> list[_Piece]:
    """Pieces word by word; empty if the words folded one by one do not make up the whole folded."""
    pieces: list[_Piece] = []
    text: list[str] = []
    at, after_blank = 0, True
    for match in _STRETCHES.finditer(source):
        start, end = match.span()
        if form and match["blank"]:
            if not after_blank:
                pieces.append(_Piece(at, start, end, False))
                text.append(" ")
                at, after_blank = at + 1, True
            continue
        plain = match["plain"]
        parts = [(plain.lower() if case else plain, 0, len(plain), True)] if plain else _parts(match[0], case, form)
        for part, first, last, one_to_one in parts:
            if part:
                pieces.append(_Piece(at, start + first, start + last, one_to_one))
                text.append(part)
                at, after_blank = at + len(part), False
    joined = "".join(text)
    same = joined.rstrip() == " ".join(folded.split()) if form else joined == folded
    return pieces if same else []


def _parts(word: str, case: bool, form: bool) -> list[tuple[str, int, int, bool]]:
    folded = _characters(word, case, form)
    if _is_one_to_one(word, folded, case, form):
        return [(folded, 0, len(word), True)]
    return [(_characters(one.group(), case, form), *one.span(), False) for one in _GRAPHEMES.finditer(word)]
