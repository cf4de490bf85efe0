"""Judgments in, the calls and USD that they took out."""

from __future__ import annotations

from collections.abc import Iterable

from judgekit.records import Judgment


def calls_made(judgments: Iterable[Judgment]) -> int:
    """Calls that were really made: a repair is one more, a reply that was known already is none."""
    return sum(one.n_calls - one.n_cached for one in judgments)


def usd_of(judgments: Iterable[Judgment]) -> float | None:
    """What they cost; None where a live model answered and no price of it is known."""
    judgments = list(judgments)
    # A call that failed has no cost to know.
    if any(one.live and one.reply is not None and one.cost_usd is None for one in judgments):
        return None
    return sum(one.cost_usd for one in judgments if one.cost_usd is not None)
