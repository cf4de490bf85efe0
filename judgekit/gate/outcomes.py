"""A bound and the ends of what a rule may still come to in, its three-valued outcome with a reason out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judgekit.config import Bound
from judgekit.gate.numbers import range_text


@dataclass(frozen=True, slots=True)
class Who:
    """The variant that a rule is decided for."""

    variant: str
    said: str
    """How reasons name it: not at all where it is the only one and nobody named it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one rule says of one variant, with what it rests on."""

    rule: str
    variant: str
    outcome: str
    value: Fraction | None
    n_scored: int
    n_total: int
    reason: str


def record_of(one: Outcome) -> dict[str, Any]:
    """The outcome as `Decision.rules` holds it."""
    return {
        "rule": one.rule,
        "variant": one.variant,
        "outcome": one.outcome,
        "value": None if one.value is None else float(one.value),
        "n_scored": one.n_scored,
        "n_total": one.n_total,
        "reason": one.reason,
    }


def judge_bound(
    name: str,
    bound: Bound,
    who: Who,
    low: Fraction | int,
    high: Fraction | int,
    n: int,
    n_total: int,
    said: str,
    n_open: int = 0,
) -> Outcome:
    """Outcome of a rate low/n … high/n."""
    rule = f"{name} {bound.text}"
    if not n:
        return Outcome(rule, who.variant, "undecided", None, 0, n_total, f"{said}no case has a result")
    worst, best = Fraction(low) / n, Fraction(high) / n
    outcome = three_valued(bound, worst, best)
    value = range_text(worst, best, bound)
    of = f"{low} of {n}" if isinstance(low, int) else f"n = {n}"
    if n != n_total:
        of += f", {n_total - n} more without a result"
    if n_open:
        of += f", {n_open} without a result"
    return Outcome(rule, who.variant, outcome, worst, n - n_open, n_total, f"{said}{value} ({of})")


def three_valued(bound: Bound, worst: Fraction, best: Fraction) -> str:
    """holds or fails where both ends agree, else undecided."""
    meets = _MEETS[bound.op]
    at = (meets(worst, bound.value), meets(best, bound.value))
    return "holds" if all(at) else "undecided" if any(at) else "fails"


_MEETS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
}


def listed(names: Sequence[str], most: int = 5) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
