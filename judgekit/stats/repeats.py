"""Counts of passed trials by case in, pass@k and pass^k with their intervals over cases out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, check_level, same_length, values, whole
from judgekit.stats.intervals import mean_interval
from judgekit.stats.results import Estimate


def pass_at_k(n: ArrayLike, successes: ArrayLike, k: int, *, level: float = 0.95) -> Estimate:
    """pass@k: the chance that at least one of k trials of a case passes, averaged over cases.

    Per case 1 - C(n - c, k) / C(n, k), which is unbiased where 1 - (1 - c/n)^k is not.

    Args:
        n: Scored trials of each case, shape (n_cases,), or one number.
        successes: Passed trials of each case, same shape.
        k: Number of trials asked for, at least 1.
        level: Confidence level.

    Returns:
        Estimate with a value in [0, 1] and n = cases that have k scored trials; the others are left out, counted in
        `reason`, and `detail` has `cases`, all there are. Value None if no case has k.

    Raises:
        ShapeError: shapes differ.
        InputError: not whole numbers, or more successes than trials.

    Source:
        M. Chen et al. (2021), Evaluating large language models trained on code, arXiv:2107.03374.

    Example:
        >>> pass_at_k([4, 4], [1, 4], 2).value  # (1/2 + 1) / 2
        0.75
    """
    tries, passed, k = _trials(n, successes, k)
    return _over_cases(1 - _all_of_k(tries, tries - passed, k), tries, k, name=f"pass@{k}", level=level)


def pass_hat_k(n: ArrayLike, successes: ArrayLike, k: int, *, level: float = 0.95) -> Estimate:
    """pass^k: the chance that all of k trials of a case pass, averaged over cases; what a user of an agent relies on.

    Per case C(c, k) / C(n, k).

    Args:
        n: Scored trials of each case, shape (n_cases,), or one number.
        successes: Passed trials of each case, same shape.
        k: Number of trials asked for, at least 1.
        level: Confidence level.

    Returns:
        Estimate as of `pass_at_k`.

    Raises:
        ShapeError: shapes differ.
        InputError: not whole numbers, or more successes than trials.

    Source:
        S. Yao et al. (2024), tau-bench, arXiv:2406.12045.

    Example:
        >>> round(pass_hat_k([4, 4], [2, 4], 2).value, 4)  # (1/6 + 1) / 2
        0.5833
    """
    tries, passed, k = _trials(n, successes, k)
    return _over_cases(_all_of_k(tries, passed, k), tries, k, name=f"pass^{k}", level=level)


def _trials(n: ArrayLike, successes: ArrayLike, k: int) -> tuple[FloatArray, FloatArray, int]:
    tries, passed = values(_listed(n), "n"), values(_listed(successes), "successes")
    same_length(n=tries, successes=passed)
    if np.any(tries % 1) or np.any(passed % 1) or np.any(tries < 0) or np.any(passed < 0):
        raise InputError("n, successes: whole numbers of at least 0 are wanted.")
    if np.any(passed > tries):
        at = int(np.flatnonzero(passed > tries)[0])
        raise InputError(f"successes: case {at} has {passed[at]:g} passed of {tries[at]:g} trials.")
    return tries, passed, whole(k, "k", least=1)


def _listed(x: Any) -> Any:
    return x if hasattr(x, "__len__") else [x]


def _all_of_k(tries: FloatArray, passed: FloatArray, k: int) -> FloatArray:
    """C(passed, k) / C(tries, k) as a product of k ratios; 0 where fewer than k passed."""
    share = np.ones(len(tries))
    for drawn in range(k):
        if not share.any():
            break
        share *= np.clip(passed - drawn, 0, None) / np.maximum(tries - drawn, 1)
    return share


def _over_cases(by_case: FloatArray, tries: FloatArray, k: int, *, name: str, level: float) -> Estimate:
    level = check_level(level)
    used = by_case[tries >= k]
    short = len(by_case) - len(used)
    detail = {"cases": float(len(by_case))}
    left_out = f"{short} of {len(by_case)} cases have fewer than {k} scored trials" if short else ""
    if not len(used):
        return Estimate(None, None, None, level, name, 0, left_out or "no cases", detail=detail)
    mean = mean_interval(used, level=level, bounds=(0, 1))
    reason = "; ".join(one for one in (mean.reason, left_out) if one)
    return Estimate(
        mean.value, mean.low, mean.high, level, f"{name}, {mean.method}", mean.n, reason, se=mean.se, detail=detail
    )
