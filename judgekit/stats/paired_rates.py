"""Cases on which two variants differ in, the difference of their pass rates with an interval out."""

from __future__ import annotations

import math

from judgekit.errors import InputError
from judgekit.stats._arrays import check_level, whole
from judgekit.stats._tails import binomial_two_sided, two_sided_z
from judgekit.stats.results import Estimate, undefined

_METHOD = "Tango"


def paired_rate_difference(b: int, c: int, n: int, *, level: float = 0.95) -> Estimate:
    """The difference of two pass rates on the same cases with Tango's score interval, which holds its level for few.

    All differences that the score test does not reject; and 0 wherever the exact McNemar test does not reject it, so
    that interval and p-value never contradict each other.

    Args:
        b: Cases that only the first variant passed.
        c: Cases that only the second variant passed.
        n: All independent cases, those included on which both pass or fail.
        level: Confidence level.

    Returns:
        Estimate with value (b - c) / n, -1 to 1; value None, with a reason, for n = 0.

    Raises:
        InputError: not whole numbers of at least 0, or more differing cases than cases.

    Source:
        T. Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
        paired-sample design, Statistics in Medicine 17(8):891-908.

    Example:
        >>> one = paired_rate_difference(6, 0, 30)
        >>> one.value, round(one.low, 3), round(one.high, 3)
        (0.2, 0.064, 0.373)
    """
    b, c, n, level = whole(b, "b"), whole(c, "c"), whole(n, "n"), check_level(level)
    if b + c > n:
        raise InputError(f"{b} + {c} cases differ of {n}: there can't be more than there are cases.")
    if n == 0:
        return undefined("no cases", level=level, method=_METHOD)
    z, value = two_sided_z(level), (b - c) / n
    low, high = _end(b, c, n, z, -1.0, value), _end(b, c, n, z, 1.0, value)
    if b + c == 0 or binomial_two_sided(b, b + c) >= 1 - level - 1e-12:
        low, high = min(low, 0.0), max(high, 0.0)
    return Estimate(value, low, high, level, _METHOD, n)


def _end(b: int, c: int, n: int, z: float, outside: float, inside: float) -> float:
    """The difference furthest out that is not rejected."""
    if abs(_score(b, c, n, outside)) <= z:
        return outside
    for _ in range(60):
        middle = (outside + inside) / 2
        if abs(_score(b, c, n, middle)) <= z:
            inside = middle
        else:
            outside = middle
    return inside


def _score(b: int, c: int, n: int, difference: float) -> float:
    """Standard errors between what was seen and this difference, with the likeliest share of losses that fits it."""
    over = b - c - n * difference
    if abs(over) < 1e-12:
        return 0.0
    middle = -b - c + (2 * n - b + c) * difference
    root = math.sqrt(max(0.0, middle * middle + 8 * n * c * difference * (1 - difference)))
    losses = max(0.0, (root - middle) / (4 * n))
    variance = n * (2 * losses + difference * (1 - difference))
    return over / math.sqrt(variance) if variance > 1e-15 else math.copysign(math.inf, over)
