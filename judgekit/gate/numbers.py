"""Fractions in; numbers that compare exactly, and their text, out."""

from __future__ import annotations

from fractions import Fraction

from judgekit.config import Bound

SLACK = Fraction(1, 10**9)
"""How far a float may lie from the simple fraction that it stands for."""


def exact(number: float) -> Fraction:
    """The fraction that a float stands for: 2/3 printed and read again is 2/3, and 0.7999999 is less than 0.8.

    Example:
        >>> exact(0.7) + exact(1 / 3), exact(0.7999999)
        (Fraction(31, 30), Fraction(7999999, 10000000))
    """
    simple = Fraction(number).limit_denominator(10**6)
    return simple if abs(simple - Fraction(number)) < SLACK else Fraction(str(number))


def range_text(worst: Fraction, best: Fraction, bound: Bound) -> str:
    """What a rule may come to, as one number where nothing is open."""
    low, high = _show(worst, bound.value), _show(best, bound.value)
    return low if worst == best else f"between {low} and {high}"


def _show(number: Fraction, beside: Fraction) -> str:
    """The number with four decimals, or as many as it takes to stand on its own side of the bound beside it.

    Example:
        >>> _show(Fraction(79996, 100000), Fraction(8, 10)), _show(Fraction(1, 2), Fraction(1, 2))
        ('0.79996', '0.5')
    """
    for digits in range(4, 18):
        text = _rounded(number, digits)
        seen = Fraction(text)
        if (seen < beside, seen > beside) == (number < beside, number > beside):
            return text
    return str(number)


def written(number: Fraction) -> str:
    """A number that a person wrote, with as many decimals as it has.

    Example:
        >>> written(Fraction("0.99999")), written(Fraction(1))
        ('0.99999', '1')
    """
    return next((text for digits in range(1, 18) if Fraction(text := _rounded(number, digits)) == number), str(number))


def _rounded(number: Fraction, digits: int) -> str:
    return f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
