"""p-values of one family in, p-values adjusted for their number out."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, values


def holm(p: ArrayLike) -> FloatArray:
    """p-values adjusted by Holm's step-down: the chance of any false alarm in the family stays at the level.

    In ascending order the i-th of m (from 1) becomes max over j <= i of min(1, (m - j + 1) p_j).

    Args:
        p: p-values of the family, shape (m,), any order. Leave out tests that have none.

    Returns:
        Adjusted p-values, shape (m,), in input order; each at least its raw one and at most 1. Empty for empty.

    Raises:
        InputError: a value is missing or outside [0, 1].

    Source:
        S. Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6, 65-70.

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.06, 0.06]
    """
    p = _probabilities(p)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """p-values adjusted by Benjamini and Hochberg: the expected share of false alarms among the findings is controlled.

    In ascending order the i-th of m (from 1) becomes min over j >= i of min(1, m p_j / j).

    Args:
        p: p-values of the family, shape (m,), any order. Leave out tests that have none.

    Returns:
        Adjusted p-values, shape (m,), in input order; never above Holm's. Empty for empty.

    Raises:
        InputError: a value is missing or outside [0, 1].

    Source:
        Y. Benjamini, Y. Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x.

    Example:
        >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
        [0.03, 0.04, 0.04]
    """
    p = _probabilities(p)
    order = np.argsort(p, kind="stable")[::-1]
    adjusted = np.empty_like(p)
    # The factor first: it is exactly 1 for the largest, which then stays what it was.
    scaled = p[order] * (len(p) / np.arange(len(p), 0, -1))
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return adjusted


def _probabilities(p: ArrayLike) -> FloatArray:
    array = values(p, "p")
    if np.any((array < 0) | (array > 1)):
        raise InputError("p: p-values lie between 0 and 1.")
    return array
