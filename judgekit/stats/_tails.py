"""Quantiles and tail areas; scipy.stats would bring them too, at a second of import time."""

from __future__ import annotations

import math
from statistics import NormalDist

_NORMAL = NormalDist()


def z_quantile(probability: float) -> float:
    """Quantile of the standard normal distribution.

    Example:
        >>> round(z_quantile(0.975), 4)
        1.96
    """
    return _NORMAL.inv_cdf(probability)


def two_sided_z(level: float) -> float:
    """Half-width, in standard errors, of a normal interval of this level."""
    return z_quantile((1 + level) / 2)


def normal_tail(z: float) -> float:
    """Area above z."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def two_sided_t(level: float, df: int) -> float:
    """Half-width, in standard errors, of a t interval of this level.

    Example:
        >>> round(two_sided_t(0.95, 1), 3)
        12.706
    """
    return t_quantile((1 + level) / 2, df)


def t_quantile(probability: float, df: int) -> float:
    """Quantile of Student's t distribution."""
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def t_tail(t: float, df: int) -> float:
    """Area above t under Student's distribution."""
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def binomial_two_sided(k: int, n: int) -> float:
    """Two-sided exact p-value of k successes in n tosses of a fair coin: twice the smaller tail, at most 1."""
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(k, n - k), n, 0.5)))


def rule_of_three(n: int, level: float) -> float:
    """Largest share of cases of a kind never seen in n cases, at this one-sided level: about 3/n for 0.95.

    Source:
        J. Hanley, A. Lippman-Hand (1983), If nothing goes wrong, is everything all right?,
        doi:10.1001/jama.1983.03330370053031.

    Example:
        >>> round(rule_of_three(100, 0.95), 4)
        0.0295
    """
    return float(1 - (1 - level) ** (1 / n))
