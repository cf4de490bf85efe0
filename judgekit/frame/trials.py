"""Passed and scored trials by case in; pass@k and pass^k as estimates of summary.json hold them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_KEYS = tuple(f"{name}{end}" for name in ("pass_at_k", "pass_hat_k") for end in ("", "_low", "_high"))


def over_trials(tries: Sequence[int], passed: Sequence[int], most: int) -> dict[str, Any]:
    """pass@k (one of k trials passes) and pass^k (all of k do), averaged over cases, with intervals over cases.

    Args:
        tries: Scored trials of each case, shape (n_cases,).
        passed: Passed trials of each case, same order.
        most: Trials that a case has at most, scored or not.

    Returns:
        `pass_at_k`, `pass_hat_k`, each with `_low` and `_high`, and `short_of_k`: mappings from k, as text, for
        2 <= k <= most; None where there is one trial only. Cases with fewer than k scored trials are left out and
        counted in `short_of_k`; where all are, the value is None.

    Example:
        >>> found = over_trials([4, 4, 1], [2, 4, 1], 4)
        >>> {k: round(value, 4) for k, value in found["pass_hat_k"].items()}  # k = 2: (1/6 + 1) / 2
        {'2': 0.5833, '3': 0.5, '4': 0.5}
        >>> found["short_of_k"]
        {'2': 1, '3': 1, '4': 1}
    """
    from judgekit.stats import pass_at_k, pass_hat_k

    if most < 2:
        return dict.fromkeys((*_KEYS, "short_of_k"))
    found: dict[str, Any] = {key: {} for key in _KEYS}
    for k in range(2, most + 1):
        for name, estimate in (("pass_at_k", pass_at_k), ("pass_hat_k", pass_hat_k)):
            one = estimate(tries, passed, k)
            found[name][str(k)] = one.value
            found[f"{name}_low"][str(k)], found[f"{name}_high"][str(k)] = one.low, one.high
    return {**found, "short_of_k": {str(k): sum(n < k for n in tries) for k in range(2, most + 1)}}
