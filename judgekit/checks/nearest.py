"""A text that was looked for and the text it was not found in; in words, what stands there instead."""

from __future__ import annotations

import re
import unicodedata

from judgekit.texts.folding import fold, fold_phrase
from judgekit.texts.quoting import quote

_WORD = re.compile(r"\w+")
_LONGEST_SEARCHED = 200_000


def only_difference(wanted: str, source: str) -> str:
    """How the place of the source that equals `wanted` when folded differs from it; empty if there is none.

    Example:
        >>> only_difference("can't", "I can’t.")
        'found "can’t", which differs only in the apostrophe'
    """
    phrase = fold_phrase(wanted).strip()
    folded = fold(source)
    at = folded.text.find(phrase)
    if at < 0:
        return ""
    return difference(wanted, source[slice(*folded.span(at, at + len(phrase)))])


def difference(wanted: str, found: str) -> str:
    """In what two texts differ that are equal when folded.

    Example:
        >>> difference("Total", "TOTAL")
        'found "TOTAL", which differs only in case'
    """
    kinds = []
    one, other = unicodedata.normalize("NFC", wanted), unicodedata.normalize("NFC", found)
    if _has_other(one, other, "'‘’‚‛ʼ′"):
        kinds.append("the apostrophe")
    if _has_other(one, other, '"“”„‟″'):
        kinds.append("the quotation marks")
    if _has_other(one, other, "-‐‑‒–—―−"):
        kinds.append("the dash")
    if fold(one, case=False).text != fold(other, case=False).text:
        kinds.append("case")
    if re.findall(r"\s+", one.strip()) != re.findall(r"\s+", other.strip()):
        kinds.append("white space")
    return f"found {quote(found)}, which differs only in {' and '.join(kinds) or 'the form of its characters'}"


def _has_other(one: str, other: str, kinds: str) -> bool:
    return [c for c in one if c in kinds] != [c for c in other if c in kinds]


def nearest(wanted: str, source: str) -> str:
    """` (nearest: "…")`: the words of the source that share the stem of the longest word wanted, or nothing.

    Example:
        >>> nearest("deadlines", "The deadline is Friday.")
        ' (nearest: "The deadline is Friday.")'
    """
    if len(source) > _LONGEST_SEARCHED:
        return ""
    folded = fold(source)
    for word in sorted(_WORD.findall(fold_phrase(wanted)), key=len, reverse=True)[:3]:
        stem = word[: max(4, len(word) - 2)]
        at = folded.text.find(stem)
        if len(word) < 4 or at < 0:
            continue
        start = folded.text.rfind(" ", 0, max(0, at - 20)) + 1
        stop = folded.text.find(" ", at + 40)
        shown = source[slice(*folded.span(start, len(folded.text) if stop < 0 else stop))]
        return f" (nearest: {quote(shown)})"
    return ""
