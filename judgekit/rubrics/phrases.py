"""Text in, comparable words and numbers out: how two ways of writing the same thing are found to be the same.

Normalisation, in this order: case and form folded as `judgekit.texts.folding` does; possessive `'s` dropped; dots
inside abbreviations dropped ("U.S." is "us"); every other mark separates words ("on-call" is "on call"), except `+`
and `#` that end a word ("C++"). A number is compared by its value, whatever its sign, thousands separators, trailing
zeros, or a scale word say: "1,200" is "1200", "$4.2M" is "4.2 million", "12%" is "12 percent", "3rd" is "3". An article
(a, an, the) is dropped where a phrase starts with it. In scripts written without blanks each character is a word.
"""

from __future__ import annotations

import re
from decimal import Decimal

from judgekit.texts.folding import fold

_SCALES = {
    **dict.fromkeys(("k", "thousand"), 3),
    **dict.fromkeys(("m", "mn", "mio", "million", "millions"), 6),
    **dict.fromkeys(("b", "bn", "billion", "billions"), 9),
    **dict.fromkeys(("tn", "trillion", "trillions"), 12),
}
_ARTICLES = frozenset(("a", "an", "the"))
_POSSESSIVE = re.compile(r"(?<=\w)'s?(?!\w)")
_ABBREVIATION = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_UNSPACED = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    # A number that no letter touches, but for a scale or an ordinal at its end.
    r"(?<![^\W_])(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:(?P<tight>k|m|mn|mio|b|bn|tn)|(?:st|nd|rd|th)|\s(?P<loose>thousand|millions?|mn|mio|bn|billions?|trillions?))?"
    r"(?![^\W_])"
    rf"|[{_UNSPACED}]"
    rf"|(?:(?![{_UNSPACED}])[^\W_])+[+#]*"
    r"|%"
)


def words(text: str) -> list[str]:
    """The normalised words of a text; numbers start with `=` and hold the value.

    Example:
        >>> words("The U.S. unit's revenue was $4.20M")
        ['the', 'us', 'unit', 'revenue', 'was', '=4200000']
    """
    return [_word(found) for found in _TOKEN.finditer(_folded(text))]


def numbers(text: str) -> dict[str, str]:
    """The words of a text that hold a digit (values, and marks such as `q1`), each with how it was written.

    Example:
        >>> numbers("Q1 grew 12.0%")
        {'q1': 'q1', '=12': '12.0'}
    """
    read = ((_word(found), found.group()) for found in _TOKEN.finditer(_folded(text)))
    return {word: written for word, written in read if any(character.isdigit() for character in word)}


def phrase(text: str) -> str:
    """The words of a subject, predicate or object, joined for `held`; empty if it holds none.

    Example:
        >>> phrase("The Beatles")
        ' beatles '
    """
    found = words(text)
    if len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return joined(found)


def joined(found: list[str]) -> str:
    """Words as one text in which a phrase can be searched; empty for no words."""
    return f" {' '.join(found)} " if found else ""


def both_held(first: str, second: str, text: str) -> bool:
    """True if both phrases stand in the joined text as whole phrases, at places that do not overlap.

    Example:
        >>> both_held(phrase("New York"), phrase("New York City"), joined(words("New York City is large")))
        False
    """
    if not first or not second:
        return False
    # Neighbours share the blank between them, so a place may start one character before the other ends.
    return any(
        text.find(after, text.find(before) + len(before) - 1) >= 0
        for before, after in ((first, second), (second, first))
        if before in text
    )


def _folded(text: str) -> str:
    folded = _POSSESSIVE.sub("", fold(text).text)
    return _ABBREVIATION.sub(lambda found: found.group().replace(".", ""), folded)


def _word(found: re.Match[str]) -> str:
    number = found["number"]
    if number is None:
        return "percent" if found.group() == "%" else found.group()
    plain = number.replace(",", "") if re.search(r",\d{3}(?!\d)", number) else number.replace(",", ".")
    scale = _SCALES.get(found["tight"] or found["loose"] or "", 0)
    value = f"{Decimal(plain).scaleb(scale):f}" if len(plain) <= 25 else plain
    if "." in value:
        value = value.rstrip("0").rstrip(".")
    return f"={value.lstrip('0') or '0'}"
