"""Text in, the figures that it states out, each with every value that its writing can mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

Value = Decimal | str
"""A number, or the writing itself where it is none, such as a version 1.2.3."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it stands in a text."""

    text: str
    start: int
    end: int
    values: frozenset[Value]
    """What it can mean: `1.234` is a decimal for some readers and a thousand for others."""


_BLANKS = " \u00a0\u202f\u2009"
_FIGURE = re.compile(
    r"(?<![\w.,])(?<!\w-)(?P<digits>\d{1,3}(?:[" + _BLANKS + r"']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*|\.\d+)"
    r"(?P<scale>[ \u00a0]?(?:thousand|million|billion|trillion|mio|mrd|bn|mn|tn|[kmbt])\b)?"
    r"(?P<tail>st\b|nd\b|rd\b|th\b)?(?:[ \u00a0]?%)?",
    re.IGNORECASE,
)
_SCALES = {
    "k": 3, "thousand": 3, "m": 6, "mn": 6, "mio": 6, "million": 6, "b": 9, "bn": 9, "mrd": 9, "billion": 9, "t": 12,
    "tn": 12, "trillion": 12,
}  # fmt: skip
# A small letter right after a number is a unit as often as a scale: 5 m, 3 t.
_AMBIGUOUS = frozenset("mbt")
_LISTED = re.compile(
    r"(?:^|\n)[ \t]*(?:[>#*+•-]+[ \t]+)*[(*_]{0,3}$"
    r"|\b(?:steps?|sections?|parts?|options?|items?|figures?|tables?|phases?|chapters?|pages?|notes?|points?|questions?"
    r"|no\.|number|reasons?|scenarios?|priority|appendix)[ \t]+$|[#§][ \t]?$",
    re.IGNORECASE,
)
_TO_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_WORDS = {word: Decimal(number) for number, word in enumerate(_TO_TWENTY)} | {
    "thirty": Decimal(30),
    "forty": Decimal(40),
    "fifty": Decimal(50),
    "hundred": Decimal(100),
    "half": Decimal("0.5"),
}
_WORD = re.compile(r"\b(?:" + "|".join(_WORDS) + r")\b", re.IGNORECASE)
_MOST_DIGITS = 40


def find_figures(text: str) -> Iterator[Figure]:
    """The figures of a text; ordinals, list numbers, labels such as Q1 and markers such as [3] are passed over.

    Example:
        >>> [one.text for one in find_figures("1. In Q1 the 2nd region made $4.2 million [3], up 12 %.")]
        ['4.2 million', '12 %']
    """
    for match in _FIGURE.finditer(text):
        if not (match["tail"] or _is_label(text, match)):
            yield Figure(match.group().rstrip(), match.start(), match.end(), _values(match))


def values_in(text: str) -> dict[Value, str]:
    """Every value that a source states, small numbers in words included, with the writing of each.

    Example:
        >>> sorted(values_in("Two renewals, $4.2M"))
        [Decimal('2'), Decimal('4.2E+6')]
    """
    values: dict[Value, str] = {}
    for match in _FIGURE.finditer(text):
        for value in _values(match):
            values.setdefault(value, match.group().strip())
    for word in _WORD.finditer(text):
        values.setdefault(_WORDS[word.group().lower()], word.group())
    return values


def _is_label(text: str, match: re.Match[str]) -> bool:
    start, end = match.span("digits")
    digits = match["digits"]
    if len(digits) > 3 or not digits.isdigit():
        return False
    after = text[end : end + 2]
    if text[start - 1 : start] == "[" and after[:1] == "]":
        return True
    before = _LISTED.search(text[max(0, start - 40) : start] if start > 40 else text[:start])
    if before is None:
        return False
    is_word = before.group().strip("\n \t>#*+•-_(") != "" or before.group().strip()[:1] in ("#", "§")
    return is_word or (after[:1] in (".", ")", ":") and not after[1:].strip()) or after == "**"


def _values(match: re.Match[str]) -> frozenset[Value]:
    plain = _readings(match["digits"])
    scale = (match["scale"] or "").strip()
    if not scale or any(isinstance(value, str) for value in plain):
        return plain
    scaled = frozenset(value.scaleb(_SCALES[scale.lower()]) for value in plain if isinstance(value, Decimal))
    return plain | scaled if scale in _AMBIGUOUS else scaled


def _readings(digits: str) -> frozenset[Value]:
    """The numbers that the digits can be, whichever of comma and point is the decimal one."""
    bare = re.sub(f"[{_BLANKS}']", "", digits)
    if len(bare) > _MOST_DIGITS:
        return frozenset((bare,))
    marks = re.sub(r"\d", "", bare)
    readings: set[Value] = set()
    for group, decimal in ((",", "."), (".", ",")):
        if marks.count(decimal) <= 1 and not marks.rstrip(decimal).strip(group):
            whole, _, rest = bare.partition(decimal)
            if re.fullmatch(r"\d{1,3}(?:[" + group + r"]\d{3})+|\d*", whole) and rest.isdigit() is (decimal in bare):
                readings.add(Decimal(f"{whole.replace(group, '') or '0'}.{rest or '0'}"))
    return frozenset(readings or {bare})
