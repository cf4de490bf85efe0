"""Outcomes of pairwise judging in both orders in, one verdict a pair, win rates and position bias out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Literal

from judgekit.errors import InputError, ShapeError
from judgekit.stats._arrays import check_level, is_missing, same_length, whole
from judgekit.stats._tails import binomial_two_sided, two_sided_t
from judgekit.stats.intervals import exact_interval, wilson_interval
from judgekit.stats.results import Estimate, Test, undefined

Outcome = Literal["win", "tie", "loss"]
SwapRule = Literal["strict", "net", "mean"]

_SCORES = {"win": 1.0, "tie": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class SwapVerdict:
    """What two orders of one pair say together, from the side of one variant.

    Example:
        >>> SwapVerdict("tie", 0.5, False).label
        'tie'
    """

    label: Outcome | None
    """None if an order has no readable outcome."""
    score: float | None
    """1, 0.5, 0 of the label; for the rule "mean" the mean of both orders, in [0, 1]."""
    consistent: bool | None
    """True if both orders say the same."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How a judge's choice depends on what it was shown first."""

    n: int
    """Pairs with both orders readable."""
    consistent: int
    """Pairs where both orders say the same."""
    first_slot: int
    """Pairs where what stood first won in both orders."""
    second_slot: int
    """Pairs where what stood second won in both orders."""
    half: int
    """Pairs with a tie in one order only: they show no slot that wins in both and are not tested."""
    unread: int
    """Pairs left out: an order has no readable outcome."""
    consistency: Estimate
    """Share of consistent pairs, Wilson interval."""
    first_share: Estimate
    """Share of the first slot among the pairs where one slot won in both orders, exact interval; 0.5 is no bias."""
    test: Test
    """Exact two-sided test that both slots win in both orders equally often."""


def swap_verdict(first: Outcome | float | None, second: Outcome | float | None, rule: SwapRule) -> SwapVerdict:
    """One verdict from the two orders of a pair; what a judge says for one order only is no win.

    Args:
        first: Outcome for the variant when it was shown first: "win", "tie", "loss", a preference for it in [0, 1], or
            None without a readable reply.
        second: Outcome for the same variant when it was shown second.
        rule: "strict": a win or loss only if both orders say so, else a tie. "net": a win or loss may stand beside a
            tie; win and loss cancel. "mean": the mean of both preferences, a win above 0.5.

    Returns:
        SwapVerdict; label and score None, with a reason, if either order has no readable outcome.

    Raises:
        InputError: an unknown outcome or rule.

    Source:
        P. Wang et al. (2023), Large language models are not fair evaluators, arXiv:2305.17926; L. Zheng et al. (2023),
        arXiv:2306.05685.

    Example:
        >>> swap_verdict("win", "loss", "strict").label  # the first slot won twice
        'tie'
        >>> swap_verdict("win", "tie", "net").label, swap_verdict("win", "tie", "mean").score
        ('win', 0.75)
    """
    if rule not in ("strict", "net", "mean"):
        raise InputError(f"rule: strict, net or mean is wanted, got {rule!r:.60}.")
    one, other = _preference(first, "first"), _preference(second, "second")
    if one is None or other is None:
        order = "both orders have" if one is other else "one order has"
        return SwapVerdict(None, None, None, f"{order} no readable outcome")
    labels = {_label(one), _label(other)}
    consistent = len(labels) == 1
    if rule == "mean":
        return SwapVerdict(_label((one + other) / 2), (one + other) / 2, consistent)
    if rule == "net" and len(labels - {"tie"}) == 1:
        label = next(iter(labels - {"tie"}))
    else:
        label = _label(one) if consistent else "tie"
    return SwapVerdict(label, _SCORES[label], consistent)


def position_bias(
    first: Sequence[Outcome | float | None], second: Sequence[Outcome | float | None], *, level: float = 0.95
) -> PositionBias:
    """How often a judge contradicts itself when the order is swapped, and whether it leans to one slot.

    A slot is preferred in a pair if it wins in both orders, whichever output stands there. Without position bias both
    slots are preferred alike: an exact sign test on those pairs. A tie in one order only is counted apart (`half`).

    Args:
        first: Outcome for the variant in each pair when shown first, shape (n_pairs,), as in `swap_verdict`.
        second: Outcome for the same variant in the same pairs when shown second.
        level: Confidence level.

    Returns:
        PositionBias; unreadable pairs are left out and counted. `first_share` and the test's p-value are None, with a
        reason, if no slot won in both orders of any pair.

    Raises:
        ShapeError: lengths differ.
        InputError: an unknown outcome.

    Source:
        L. Shi et al. (2024), Judging the judges: position bias in LLM-as-a-judge, arXiv:2406.07791.

    Example:
        >>> bias = position_bias(["win", "win", "win", "loss"], ["loss", "loss", "win", "loss"])
        >>> bias.consistent, bias.first_slot, bias.second_slot, bias.test.p_value
        (2, 2, 0, 0.5)
    """
    level = check_level(level)
    for name, outcomes in (("first", first), ("second", second)):
        if isinstance(outcomes, str | bytes) or not hasattr(outcomes, "__len__"):
            raise ShapeError(f"{name}: a list of outcomes is wanted, got {type(outcomes).__name__}.")
    same_length(first=first, second=second)
    pairs = [
        (_preference(one, "first"), _preference(other, "second")) for one, other in zip(first, second, strict=True)
    ]
    read = [(one, other) for one, other in pairs if one is not None and other is not None]
    swapped = [(one, other) for one, other in read if _label(one) != _label(other)]
    first_slot = sum((_label(one), _label(other)) == ("win", "loss") for one, other in swapped)
    second_slot = sum((_label(one), _label(other)) == ("loss", "win") for one, other in swapped)
    flipped = first_slot + second_slot
    consistent = len(read) - len(swapped)
    method = "exact sign test"
    if flipped:
        share = exact_interval(first_slot, flipped, level=level)
        p_value = binomial_two_sided(first_slot, flipped)
        test = Test(p_value, float(first_slot), method, flipped)
    else:
        reason = "no pair in which one slot won in both orders"
        share = undefined(reason, level=level, method="Clopper-Pearson")
        test = Test(None, None, method, 0, reason)
    consistency = wilson_interval(consistent, len(read), level=level)
    return PositionBias(
        n=len(read),
        consistent=consistent,
        first_slot=first_slot,
        second_slot=second_slot,
        half=len(swapped) - flipped,
        unread=len(pairs) - len(read),
        consistency=consistency,
        first_share=share,
        test=test,
    )


def win_rate(wins: int, losses: int, ties: int = 0, *, level: float = 0.95) -> Estimate:
    """Share of pairs won, a tie counting half; 0.5 is even.

    (wins + ties / 2) / n with a t interval of the scores 1, 0.5 and 0; without ties Wilson's interval.

    Args:
        wins: Pairs won.
        losses: Pairs lost.
        ties: Pairs without a winner.
        level: Confidence level.

    Returns:
        Estimate with a value in [0, 1] and `detail` with `tie_rate`. No pairs: value None. Only ties: 0.5 without an
        interval, with a reason.

    Raises:
        InputError: not whole numbers of at least 0.

    Source:
        L. Zheng et al. (2023), Judging LLM-as-a-judge, arXiv:2306.05685.

    Example:
        >>> one = win_rate(1, 1, 98)
        >>> one.value, one.detail["tie_rate"]
        (0.5, 0.98)
    """
    wins, losses, ties, level = whole(wins, "wins"), whole(losses, "losses"), whole(ties, "ties"), check_level(level)
    n = wins + losses + ties
    if n == 0:
        return undefined("no pairs", level=level, method="Wilson")
    detail = {"tie_rate": ties / n}
    rate = (wins + ties / 2) / n
    if ties == 0:
        plain = wilson_interval(wins, n, level=level)
        return Estimate(rate, plain.low, plain.high, level, "Wilson", n, detail=detail)
    if ties == n:
        reason = "only ties: no spread to make an interval of" if n > 1 else "one pair has no spread"
        return Estimate(rate, None, None, level, "t", n, reason, detail=detail)
    spread = wins * (1 - rate) ** 2 + losses * rate**2 + ties * (0.5 - rate) ** 2
    se = (spread / (n - 1) / n) ** 0.5
    half = two_sided_t(level, n - 1) * se
    return Estimate(rate, max(0.0, rate - half), min(1.0, rate + half), level, "t", n, se=se, detail=detail)


def _preference(outcome: Outcome | float | None, name: str) -> float | None:
    if is_missing(outcome):
        return None
    if isinstance(outcome, str):
        if outcome not in _SCORES:
            raise InputError(f"{name}: win, tie, loss or a number from 0 to 1 is wanted, got {outcome!r:.60}.")
        return _SCORES[outcome]
    if not isinstance(outcome, Real):
        raise InputError(f"{name}: win, tie, loss or a number from 0 to 1 is wanted, got {outcome!r:.60}.")
    if not 0 <= outcome <= 1:
        raise InputError(f"{name}: a preference lies between 0 and 1, got {outcome!r:.60}.")
    return float(outcome)


def _label(preference: float) -> Outcome:
    if abs(preference - 0.5) < 1e-12:  # the mean of 0.3 and 0.7 may round
        return "tie"
    return "win" if preference > 0.5 else "loss"
