"""Values in, short words for reasons out: a person mends the prompt from them without opening the output."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judgekit.reading.text import without_surrogates
from judgekit.texts.quoting import quote


def listed(texts: Iterable[str], most: int = 8) -> str:
    """The texts quoted and joined, the first `most` of them.

    Example:
        >>> listed(["a", "b", "c"], most=2)
        '"a", "b" and 1 more'
    """
    items = list(texts)
    shown = ", ".join(quote(item, 40) for item in items[:most])
    return f"{shown} and {len(items) - most} more" if len(items) > most else shown


def counted(number: int, noun: str, plural: str = "") -> str:
    """Number and noun.

    Example:
        >>> counted(1, "call"), counted(2, "call")
        ('1 call', '2 calls')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def as_json(value: Any, most: int = 80) -> str:
    """The value as JSON in at most `most` characters.

    Example:
        >>> as_json({"q": "tariff"})
        '{"q": "tariff"}'
    """
    if isinstance(value, str):
        return quote(value, most)
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = f"a {kind_of(value)} nested too deeply to show"
    text = without_surrogates(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def kind_of(value: Any) -> str:
    """JSON's name for the type of a value.

    Example:
        >>> kind_of(True), kind_of(1), kind_of(None)
        ('boolean', 'integer', 'null')
    """
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "object"


def figure(value: Fraction | float, limit: Fraction | None = None) -> str:
    """The number with at most 4 decimals, or as many as it takes to tell it from the limit.

    Example:
        >>> figure(0.7966), figure(Fraction(4, 5)), figure(Fraction(79999, 100000), Fraction(4, 5))
        ('0.7966', '0.8', '0.79999')
    """
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    exact = value if isinstance(value, Fraction) else Fraction(Decimal(str(value)))
    for digits in range(4, 18):
        shown = f"{float(round(exact, digits)):.{digits}f}"
        if limit is None or exact == limit or Fraction(shown) != limit:
            break
    return shown.rstrip("0").rstrip(".") if "." in shown else shown
