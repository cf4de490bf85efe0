"""Scores of two variants on the same cases in, one of four verdicts out, with everything it rests on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import FloatArray, check_level, values
from judgekit.stats.paired import mcnemar, paired, paired_difference, sign_flip_test, untied
from judgekit.stats.power import minimum_detectable_difference, minimum_detectable_rate_difference
from judgekit.stats.results import Estimate, Test

Verdict = Literal["better", "worse", "no evidence of a difference", "not enough cases"]


@dataclass(frozen=True, slots=True)
class Difference:
    """What the same cases say about two variants."""

    verdict: Verdict
    reason: str
    """What decided, in a few words."""
    estimate: Estimate
    """Mean of a - b."""
    test: Test
    """The test of this one metric; its p-value is the raw one."""
    p_value: float | None
    """The p-value that decided: the adjusted one where it was given, else the raw one."""
    detectable: Estimate
    """Smallest difference that so many cases with such a spread show with 80 % power: by the exact power of McNemar's
    test where that is the test, else 2.8 standard errors, which is too little on a few cases."""
    n_higher: int
    """Cases where `a` scores higher."""
    n_lower: int
    n_tied: int


def difference_verdict(
    a: ArrayLike,
    b: ArrayLike,
    cluster: Any = None,
    *,
    level: float = 0.95,
    relevant: float | None = None,
    adjusted_p: float | None = None,
    test: Test | None = None,
    higher_is_better: bool = True,
    seed: int = 0,
) -> Difference:
    """Whether variant `a` is better or worse than `b`, or why that cannot be said.

    "better" or "worse" if the p-value is below 1 - level. Otherwise "not enough cases" if no result of so few cases
    could have been significant (the smallest p-value of n cases is 2^(1-n), so under six at 0.95), or if the detectable
    difference exceeds `relevant`; else "no evidence of a difference". The test is exact McNemar for zeros and ones with
    one value a case, else the sign-flip permutation test; the interval of the estimate is a t interval and may,
    close to the limit, disagree with it.

    Args:
        a: Scores of the variant in question, shape (n_values,).
        b: Scores of the one it is compared with on the same cases, same order.
        cluster: Case of each pair, where cases have several trials or share context.
        level: Confidence level; the verdict needs p below 1 - level.
        relevant: Smallest difference that would matter, in units of the scores; None: not asked.
        adjusted_p: p-value adjusted for the other metrics of the comparison; it decides instead of the raw one.
        test: The test, where it was made already (as by `sign_flip_tests` for many metrics at once).
        higher_is_better: False for cost, latency and the like.
        seed: Seed of the permutation test.

    Returns:
        Difference. All cases tied: "no evidence of a difference", or "not enough cases" if they are too few.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values; `adjusted_p` outside 0 to 1; a negative `relevant`.

    Source:
        E. Miller (2024), Adding error bars to evals, arXiv:2411.00640; Q. McNemar (1947), doi:10.1007/BF02295996.

    Example:
        >>> found = difference_verdict([1] * 41 + [0] * 4 + [1] * 374, [0] * 41 + [1] * 4 + [1] * 374)
        >>> found.verdict, found.n_higher, found.n_lower, round(found.detectable.value, 3)
        ('better', 41, 4, 0.046)
        >>> difference_verdict([1, 1, 1], [0, 0, 0]).verdict
        'not enough cases'
    """
    level = check_level(level)
    if adjusted_p is not None and not 0 <= adjusted_p <= 1:
        raise InputError(f"adjusted_p: a p-value lies between 0 and 1, got {adjusted_p!r:.60}.")
    if relevant is not None and not relevant >= 0:
        raise InputError(f"relevant: at least 0 is wanted, got {relevant!r:.60}.")
    estimate = paired_difference(a, b, cluster, level=level)
    a, b = values(a, "a"), values(b, "b")
    higher, lower, tied = untied(paired(a, b), cluster)
    n = higher + lower + tied
    if test is None:
        test = _paired_test(a, b, cluster, higher, lower, n, seed)
    p_value = test.p_value if adjusted_p is None else adjusted_p
    if test.method == "exact McNemar" and higher + lower:
        detectable = minimum_detectable_rate_difference(n, (higher + lower) / n, level=level)
    else:
        detectable = minimum_detectable_difference(n, (estimate.se or 0.0) * math.sqrt(n), level=level)
    verdict, reason = _decide(estimate, p_value, detectable, n, level, relevant, higher_is_better)
    return Difference(verdict, reason, estimate, test, p_value, detectable, higher, lower, tied)


def _paired_test(a: FloatArray, b: FloatArray, cluster: Any, higher: int, lower: int, n: int, seed: int) -> Test:
    binary = bool(np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all())
    if binary and n == len(a):
        return mcnemar(higher, lower)
    return sign_flip_test(a, b, cluster, seed=seed)


def _decide(
    estimate: Estimate,
    p_value: float | None,
    detectable: Estimate,
    n: int,
    level: float,
    relevant: float | None,
    higher_is_better: bool,
) -> tuple[Verdict, str]:
    if estimate.value is not None and estimate.value != 0 and p_value is not None and p_value < 1 - level - 1e-12:
        return "better" if (estimate.value > 0) == higher_is_better else "worse", f"p {p_value:.2g} of {n} cases"
    if n < 1 + math.log2(1 / (1 - level)):
        return "not enough cases", f"no result of {n} cases could be significant"
    if relevant is not None and detectable.value is not None and detectable.value > relevant:
        reason = f"{n} cases show differences from {detectable.value:.2g} on; {relevant:.2g} would matter"
        return "not enough cases", reason
    return "no evidence of a difference", "all cases are tied" if p_value is None else f"p {p_value:.2g} of {n} cases"
