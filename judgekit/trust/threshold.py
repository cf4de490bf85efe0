"""Labelled outputs in; the threshold on the judge's scale that would agree best, checked on cases it never saw, out."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judgekit.trust.matching import Pair
from judgekit.trust.rates import rate

if TYPE_CHECKING:
    from judgekit.stats import Estimate


@dataclass(frozen=True, slots=True)
class Threshold:
    """The threshold of highest kappa on one half of the cases, with its figures on the other half."""

    value: float
    """The judge's scores from here on pass."""
    kappa: Estimate
    agreement: Estimate
    current: float | None
    """The rubric's own threshold; None where it has none, or where cases have several."""
    current_kappa: Estimate | None
    """Of the rubric's own threshold on the same other half."""
    n_chosen_on: int
    n_reported_on: int


def best_threshold(pairs: Sequence[Pair], *, level: float) -> Threshold | None:
    """The threshold that agrees best with people; None where there is nothing to choose.

    Chosen and reported on the same outputs, the best of several thresholds would look better than it is.

    Args:
        pairs: Labelled outputs.
        level: Confidence level.
    """
    from judgekit.stats import cohen_kappa

    known = [one for one in pairs if one.people.passed is not None and one.judge.score is not None]
    candidates = sorted({_score(one) for one in known})[1:]
    if len(candidates) < 2 or len({one.people.passed for one in known}) < 2:
        return None
    chosen_on, reported_on = _halves(known)
    thresholds = {one.threshold for one in known}
    current = thresholds.pop() if len(thresholds) == 1 else None

    def agreeing(threshold: float) -> tuple[float, float]:
        value = cohen_kappa(*_sides(chosen_on, threshold), level=level).value
        return (-2.0 if value is None else value), -abs(threshold - (current or threshold))

    if not chosen_on or not reported_on:
        return None
    best = max(candidates, key=agreeing)
    return Threshold(
        value=best,
        kappa=_kappa(reported_on, best, level),
        agreement=_agreement(reported_on, best, level),
        current=current,
        current_kappa=None if current is None else _kappa(reported_on, current, level),
        n_chosen_on=len(chosen_on),
        n_reported_on=len(reported_on),
    )


def _halves(pairs: Sequence[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Two halves by case, the same at every run, whatever the order of the file."""
    ids = sorted(
        {one.case_id for one in pairs}, key=lambda one: hashlib.sha256(one.encode("utf-8", "replace")).digest()
    )
    first = set(ids[::2])
    return [one for one in pairs if one.case_id in first], [one for one in pairs if one.case_id not in first]


def _score(pair: Pair) -> float:
    assert pair.judge.score is not None
    return pair.judge.score


def _sides(pairs: Sequence[Pair], threshold: float) -> tuple[list[bool], list[bool]]:
    return [bool(one.people.passed) for one in pairs], [bool(one.judge.at(threshold).passed) for one in pairs]


def _kappa(pairs: Sequence[Pair], threshold: float, level: float) -> Estimate:
    from judgekit.stats import cohen_kappa

    return cohen_kappa(*_sides(pairs, threshold), [one.case_id for one in pairs], level=level)


def _agreement(pairs: Sequence[Pair], threshold: float, level: float) -> Estimate:
    people, judge = _sides(pairs, threshold)
    return rate([p == j for p, j in zip(people, judge, strict=True)], [one.case_id for one in pairs], level)
