"""Numbers and words as judges write them in, exact values out; nothing is clamped, rescaled or guessed."""

from __future__ import annotations

import math
import re
import unicodedata
from fractions import Fraction
from typing import Any

from judgekit.judges.spelling import unrolled
from judgekit.records import Scale

_MARKS = str.maketrans(
    {
        "：": ":",
        "＝": "=",
        "．": ".",
        "，": ",",
        "٫": ".",
        "／": "/",
        "％": "%",
        "٪": "%",
        "−": "-",
        "﹣": "-",
        "－": "-",
        "➖": "-",
        "\u2010": "-",
        "\u2011": "-",
        "（": "(",
        "）": ")",
        "【": "[",
        "】": "]",
        "\u00a0": " ",
        "\u202f": " ",
        "\u3000": " ",
    }
)
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u00ad\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
)
# A hyphen and a space before a number may be a bullet; a true minus sign there never is.
_MINUS_FIRST = re.compile(r"^([ \t*_`\"'(\[]*)[−﹣－➖][ \t]+(?=\.?\d)", re.MULTILINE)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")

NUMBER = r"[-+]?(?:\d{1,15}(?:[.,]\d{1,15})?|\.\d{1,15})(?:[eE][-+]?\d{1,2})?"
MAXIMUM = rf"[ \t]*(?:/|out[ \t]+of|of)[ \t]*(?P<of>{NUMBER})|[ \t]*(?P<percent>%)"
_WRITTEN = re.compile(rf"(?P<number>{NUMBER})(?:{MAXIMUM})?")
_RANGE = re.compile(rf"[ \t]*(?:-|–|—|~|to\b|or\b|and\b|bis\b)[ \t]*{NUMBER}", re.IGNORECASE)
# "4 - good" and "4 (good)" name a score and say it in words.
_GLOSS = re.compile(r"\s*(?:(?:stars?|points?|pts?)?\s*[.!*_]*\s*$|[-–—:,.;]\s+[^\W\d]|\s?\(\s*[^\W\d])", re.IGNORECASE)
_WRAPPING = " \t\r\n*_`\"'“”[](){}"


class Unread(Exception):
    """A verdict is there and can't be used; `cause` is a cause of `unscored`."""

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause


def plain(text: str) -> str:
    """The text with digits of any script as 0 to 9, full-width marks as ASCII, and invisible characters removed.

    Superscripts and vulgar fractions stay: 4² is not 42.

    Example:
        >>> plain("评分：４．５"), plain("٤")
        ('评分:4.5', '4')
    """
    return _NOT_ASCII.sub(_digit, _INVISIBLE.sub("", text.translate(_MARKS)))


def own_lines(text: str) -> list[str]:
    """The lines of the text, plain, without Markdown quotations (somebody else's words) and code fences.

    Rows of Markdown tables are lines such as "Score: 4".

    Only the last 50,000 characters are looked at: a verdict stands at the end.
    """
    signed = _MINUS_FIRST.sub(r"\1-", text[-50_000:])
    lines = [line.strip() for line in plain(signed).split("\n")]
    return unrolled([line for line in lines if not line.startswith((">", "```", "~~~"))])


def _digit(match: re.Match[str]) -> str:
    digit = unicodedata.decimal(match.group(), None)
    return match.group() if digit is None else str(digit)


def exact(number: float | Fraction) -> Fraction:
    """The fraction that a score stands for: 0.7 is 7/10, and the float nearest to 2/3 is 2/3.

    Example:
        >>> exact(0.7), exact(2 / 3), exact(0.7999999)
        (Fraction(7, 10), Fraction(2, 3), Fraction(7999999, 10000000))
    """
    if isinstance(number, Fraction):
        return number
    written = Fraction(str(number))
    # A float whose shortest form is long came from a division; only then may it be rounded to a simple fraction.
    return written if written.denominator <= 10**12 else Fraction(number).limit_denominator(10**6)


def score_of(value: Any, scale: Scale) -> Fraction:
    """The score that a JSON value states.

    Raises:
        Unread: not a number, several, or outside the scale.
    """
    if isinstance(value, bool) or value is None:
        raise Unread("not_a_number", f"the score is {'null' if value is None else str(value).lower()}, not a number")
    if isinstance(value, int | float):
        if math.isnan(value):
            raise Unread("not_a_number", "the score is NaN")
        if math.isinf(value):
            raise Unread("out_of_range", f"the score is beyond the scale {_ends(scale)}")
        return in_range(exact(value), scale)
    if not isinstance(value, str):
        kind = "a list" if isinstance(value, list) else "an object"
        raise Unread("not_a_number", f"the score is {kind}, not a number")
    text = plain(value).strip(_WRAPPING)
    found = _WRITTEN.match(text)
    rest = text[found.end() :] if found else ""
    if found and _RANGE.match(rest):
        raise Unread("ambiguous", f'the score "{shorten(value)}" names two numbers')
    if found is None or not _GLOSS.match(rest):
        raise Unread("not_a_number", f'the score is "{shorten(value)}", not a number')
    return matched_score(found, scale)


def matched_score(found: re.Match[str], scale: Scale) -> Fraction:
    """The score of a match with the groups `number`, `of` and `percent`.

    A number written with its own maximum (4/5, 80 %) counts only where that is the scale's maximum.

    Raises:
        Unread: outside the scale, or written on another one.
    """
    value = _value(found["number"])
    written_max = _value(found["of"]) if found["of"] else Fraction(100) if found["percent"] else None
    if written_max is not None and written_max != exact(scale.max):
        raise Unread("out_of_range", f'"{found.group().strip()}" is on another scale than {_ends(scale)}')
    return in_range(value, scale)


def in_range(value: Fraction, scale: Scale) -> Fraction:
    """The value itself.

    Raises:
        Unread: outside the scale.
    """
    if not exact(scale.min) <= value <= exact(scale.max):
        raise Unread("out_of_range", f"the score {_short(value)} is outside the scale {_ends(scale)}")
    return value


def is_range(text: str, end: int) -> bool:
    """True if the number that ends at `end` goes on as a range such as 1-5."""
    return _RANGE.match(text, end) is not None


def _value(written: str) -> Fraction:
    if "," in written:
        whole, _, decimals = written.partition(",")
        # 1,000 may be a thousand and may be one: only a comma that can't group thousands is a decimal comma.
        if len(decimals) == 3 and whole.lstrip("+-") != "0":
            raise Unread("not_a_number", f'"{written}" can be read in two ways')
        written = f"{whole}.{decimals}"
    return Fraction(written)


def yes_or_no(value: Any) -> bool | None:
    """True for yes, False for no, None for anything else.

    Example:
        >>> yes_or_no("Yes."), yes_or_no("FALSE"), yes_or_no("n/a")
        (True, False, None)
    """
    word = boolean(value)
    if word is not None or not isinstance(value, str):
        return word
    return {"yes": True, "no": False}.get(_bare(value))


def boolean(value: Any) -> bool | None:
    """True or False, as such or as a word in any case; None for anything else."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(_bare(value)) if isinstance(value, str) else None


def _bare(value: str) -> str:
    return plain(value).strip(_WRAPPING + ".!").casefold()


def shorten(text: str, limit: int = 120) -> str:
    """The text on one line, cut in the middle of nothing longer than `limit` characters.

    Example:
        >>> shorten("a b" * 10, 8)
        'a ba ba…'
    """
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit and len(text) <= limit * 4 else line[: limit - 1] + "…"


def _ends(scale: Scale) -> str:
    return f"{scale.min:g} to {scale.max:g}"


def _short(value: Fraction) -> str:
    return f"{float(value):g}" if abs(value) < 10**300 else "beyond all bounds"
