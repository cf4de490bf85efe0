"""Judgments of one pair in both orders in, one verdict out: a win only if it survives the swap."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from fractions import Fraction

from judgekit.judges.aggregate import Aggregate, without_result
from judgekit.judges.pairwise import ORDERS
from judgekit.judges.written import exact
from judgekit.records import Judgment, Verdict

READABLE = ("pass", "fail", "scored")


def aggregate_orders(judgments: Sequence[Judgment], threshold: Fraction | None = None) -> Aggregate:
    """One verdict over both orders and all samples of one pair and judge, by the rule `strict`.

    Within an order the samples' preferences are averaged; both orders must then say the same, else it is a tie. If an
    order has no readable reply the verdict is `unscored`, or `error` where there was none at all, with that order's
    cause. Flags: `order_dependent` if the orders disagree, `unread_samples` if a sample was left out.

    Args:
        judgments: At least one.
        threshold: Score that passes, from 0 to 1; None: the score only informs.
    """
    from judgekit.stats import swap_verdict

    groups = [[one for one in judgments if one.order == order] for order in ORDERS]
    readable = [[one.verdict for one in group if one.verdict.status in READABLE] for group in groups]
    n = sum(map(len, readable))
    if not all(readable):
        lacking = [one.verdict for group, read in zip(groups, readable, strict=True) if not read for one in group]
        return Aggregate(without_result(lacking or [Verdict("skipped", cause="interrupted")]), n, None)
    first, second = (preference(one.score for one in read) for read in readable)
    assert first is not None
    assert second is not None
    both = swap_verdict(first, second, "strict")
    assert both.score is not None
    passed = None if threshold is None else exact(both.score) >= threshold
    flags = list(dict.fromkeys(flag for read in readable for one in read for flag in one.flags))
    flags += ["order_dependent"] if not both.consistent else []
    flags += ["unread_samples"] if n < len(judgments) else []
    verdict = Verdict(
        "scored" if passed is None else "pass" if passed else "fail",
        both.score,
        both.label,
        passed,
        None,
        tuple(flags),
        _reason(readable, first, second, consistent=bool(both.consistent)),
    )
    scores = [one.score for read in readable for one in read if one.score is not None]
    return Aggregate(verdict, n, statistics.stdev(scores) if len(scores) > 2 else None)


def preference(scores: Iterable[float | None]) -> float | None:
    """Mean preference for the variant, from 0 to 1; None without any."""
    known = [exact(score) for score in scores if score is not None]
    return float(sum(known, Fraction(0)) / len(known)) if known else None


def _reason(readable: Sequence[Sequence[Verdict]], first: float, second: float, *, consistent: bool) -> str:
    """The judge's words, with the place of the variant: it says A and B. Where the orders disagree, those of both."""
    if consistent:
        return f"shown first: {readable[0][0].reason}" if readable[0][0].reason else ""
    said = []
    for order, read, value in zip(ORDERS, readable, (first, second), strict=True):
        word = "a win" if value > 0.5 else "a loss" if value < 0.5 else "a tie"
        said.append(f"shown {order}, {word}" + (f": {read[0].reason}" if read[0].reason else ""))
    return "; ".join(said)
