"""Differences in; which of them are a regression, and the exit code that follows, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from judgekit.frame.comparing.wording import difference_text, equals, name_of, p_text, size_text
from judgekit.frame.panels import PANEL


def is_beyond_margin(one: Mapping[str, Any]) -> bool:
    """True if the observed loss is larger than the margin that was accepted."""
    margin, difference = one["margin"], one["difference"]
    return margin is not None and difference is not None and -difference > margin + 1e-12


def is_regression(one: Mapping[str, Any]) -> bool:
    """True if a row of `comparisons` is significantly worse, or worse by more than its margin.

    With a margin a significant loss is none if it is shown to lie within the margin: that is what was accepted.
    """
    return is_beyond_margin(one) or (one["verdict"] == "worse" and not one["within_margin"])


def decide_comparison(rows: Iterable[Mapping[str, Any]], *, require_better: bool = False) -> tuple[int, list[str]]:
    """Exit code of a comparison and its reasons: 1 on any regression, or where "better" is required and not shown.

    The judges of a panel inform: what they say together decides.

    Args:
        rows: As `comparisons` in summary.json.
        require_better: Whether each primary metric has to be better.
    """
    reasons, rows = [], list(rows)
    panels = {_judged(one) for one in rows if one.get("judge") == PANEL}
    for one in rows:
        if _judged(one) in panels and one.get("judge") != PANEL:
            continue
        who = f"{name_of(one)}: {one['who']}"
        if is_beyond_margin(one):
            loss, margin = size_text(one, -one["difference"]), size_text(one, one["margin"])
            reasons.append(f"{who}: worse by {loss}, more than the margin of {margin}")
        elif is_regression(one):
            loss, p = difference_text(one, one["difference"]), p_text(one["p_adjusted"])
            reasons.append(f"{who}: significantly worse ({loss}, p {equals(p)})")
        elif require_better and one["primary"] and one["verdict"] != "better":
            reasons.append(f"{who}: {one['verdict']}, and better is required")
    return (1 if reasons else 0), reasons


def _judged(one: Mapping[str, Any]) -> tuple[Any, ...]:
    return one["kind"], one["metric"], one["variant"], one["against"]
