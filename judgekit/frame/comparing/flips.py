"""Pairs of values in; the cases behind a difference out, the largest change first, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from typing import Any

from judgekit.frame.comparing.definitions import CASE
from judgekit.frame.comparing.pairing import Pairs
from judgekit.frame.comparing.sides import NO_ROWS, Side
from judgekit.frame.tables import ResultRow

MOST_LISTED = 20


def flips(pairs: Pairs, new: Side, old: Side) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cases that got worse and those that got better, at most twenty each.

    The reason is that of the worse side: of `new` where it lost, of `old` where it won. `trial` is the first one
    in which the two differ.
    """
    changed = [
        (one - two, case_id, one, two)
        for case_id, one, two in zip(pairs.case_ids, pairs.new, pairs.old, strict=True)
        # Means of trials may differ by rounding alone.
        if not isclose(one, two, rel_tol=1e-12)
    ]
    changed.sort(key=lambda one: (-abs(one[0]), one[1]))
    worse = [one for one in changed if one[0] < 0][:MOST_LISTED]
    better = [one for one in changed if one[0] > 0][:MOST_LISTED]
    return ([_flip(pairs, new, old, *one[1:]) for one in worse], [_flip(pairs, new, old, *one[1:]) for one in better])


def changed_checks(pairs: Pairs, new: Side, old: Side, *, clustered: bool = False) -> list[dict[str, Any]]:
    """The checks behind the case pass rate that more or fewer of the paired cases meet, those that lost most first.

    Each with the cases that have it on both sides, the exact McNemar p-value, and that adjusted by Holm over these
    checks; both None where cases are `clustered`, as the test would take each for a new one.
    """
    from judgekit.stats import holm, mcnemar

    found: list[dict[str, Any]] = []
    for (kind, metric), mine in new.rows.items():
        theirs = old.rows.get((kind, metric), NO_ROWS)
        if kind != "check":
            continue
        changes = [_met(mine[one]) - _met(theirs[one]) for one in pairs.case_ids if one in mine and one in theirs]
        wins, losses = sum(one > 0 for one in changes), sum(one < 0 for one in changes)
        if wins or losses:
            p = None if clustered else mcnemar(wins, losses).p_value
            found.append({"metric": metric, "n": len(changes), "wins": wins, "losses": losses, "p_value": p})
    known = [one["p_value"] for one in found]
    adjusted = known if clustered else holm(known).tolist()
    for one, p in zip(found, adjusted, strict=True):
        one["p_adjusted"] = p
    return sorted(found, key=lambda one: (-one["losses"], -one["wins"], one["metric"]))


def _met(rows: Sequence[ResultRow]) -> int:
    return sum(row.status == "pass" for row in rows)


def _flip(pairs: Pairs, new: Side, old: Side, case_id: str, value: float, before: float) -> dict[str, Any]:
    side = new if value < before else old
    if pairs.metric == CASE:
        reason, trial = side.units[case_id].reason, _trial(new, old, case_id)
    else:
        rows = [row for row in side.rows[pairs.metric][case_id] if row.score is not None]
        lowest = min(rows, key=lambda row: row.score or 0.0)
        reason, trial = lowest.reason, lowest.trial
    return {"case_id": case_id, "value": value, "value_against": before, "reason": reason, "trial": trial}


def _trial(new: Side, old: Side, case_id: str) -> int:
    """The first trial in which a required metric differs."""
    outcomes: tuple[dict[tuple[int, str], str], dict[tuple[int, str], str]] = ({}, {})
    for found, side in zip(outcomes, (new, old), strict=True):
        for by_case in side.rows.values():
            for row in by_case.get(case_id, ()):
                if row.required:
                    found[row.trial, row.metric] = row.status
    return min((key[0] for key, status in outcomes[0].items() if outcomes[1].get(key, status) != status), default=0)
