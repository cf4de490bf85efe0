"""Results of a judge before and now on the same cases in; whether it is a drop that a gate may stop at, out.

A noisy judge must not stop an unchanged branch. Worse verdicts have been asked again (`--confirm`) when they come here:
one that the judge took back counts as unchanged, while better ones count as they come. So noise works against red only,
and the usual level of 5 % (two-sided) lets through far less than one red in a hundred unchanged runs; tests/frame
simulates it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Drop:
    """The paired drop of one judged metric."""

    n: int
    value: float | None
    """Mean now; a pass rate, or a score where the rubric has no threshold."""
    value_before: float | None
    n_better: int
    n_worse: int
    p_value: float | None
    """Two-sided where it fell, and 1 where it did not: the smaller of all cases and those whose output is another than
    before, doubled for there being two. None where nothing got worse or better."""
    exact: Fraction = Fraction(0)
    """Mean of before - now."""

    @property
    def drop(self) -> float:
        """How much lower the mean is now."""
        return float(self.exact)


def paired_drop(before: Sequence[Fraction], now: Sequence[Fraction], changed: Sequence[bool]) -> Drop:
    """How far the same cases fell.

    Args:
        before: Result of each case in the baseline, shape (n_cases,): passed (0 or 1, or a share of trials) or score.
        now: Result now, same order; a worse one that the judge took back stands as it was before.
        changed: Whether the output is another than before. A judge that answers differently on the very same text has
            not seen a regression, and such noise hides one: so the cases with another text are tested by themselves,
            too.

    Example:
        >>> one = paired_drop([Fraction(1)] * 10, [Fraction(0)] * 8 + [Fraction(1)] * 2, [True] * 10)
        >>> one.n_worse, one.drop, one.p_value  # 8 against 0: 2 / 2**8
        (8, 0.8, 0.0078125)
    """
    n = len(before)
    if not n:
        return Drop(0, None, None, 0, 0, None)
    everything = _test(before, now)
    part = [at for at in range(n) if changed[at]]
    p_value = everything
    if 0 < len(part) < n:
        of_changed = _test([before[at] for at in part], [now[at] for at in part])
        known = [one for one in (everything, of_changed) if one is not None]
        p_value = min(1.0, 2 * min(known)) if known else None
    return Drop(
        n,
        float(sum(now, Fraction(0)) / n),
        float(sum(before, Fraction(0)) / n),
        sum(b < a for b, a in zip(before, now, strict=True)),
        sum(b > a for b, a in zip(before, now, strict=True)),
        p_value,
        (sum(before, Fraction(0)) - sum(now, Fraction(0))) / n,
    )


def _test(before: Sequence[Fraction], now: Sequence[Fraction]) -> float | None:
    from judgekit.stats import mcnemar, sign_flip_test

    if {*before, *now} <= {0, 1}:
        worse = sum(b > a for b, a in zip(before, now, strict=True))
        better = sum(b < a for b, a in zip(before, now, strict=True))
        test, fell = mcnemar(worse, better), worse > better
    else:
        test = sign_flip_test([float(one) for one in before], [float(one) for one in now])
        fell = sum(before) > sum(now)
    return test.p_value if fell or test.p_value is None else 1.0


def significant(drops: Sequence[Drop]) -> list[bool]:
    """Which of these drops are significant, all metrics of one gate taken together (Holm)."""
    from judgekit.stats import holm

    known = [one.p_value for one in drops if one.p_value is not None]
    adjusted = iter(holm(known).tolist() if known else [])
    return [one.p_value is not None and next(adjusted) < 1 - LEVEL and one.exact > 0 for one in drops]
