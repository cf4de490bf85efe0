"""Outputs that several people rated in; how far the people agree, the ceiling for any judge, out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from judgekit.trust.matching import Pair
from judgekit.trust.ratings import Rating

if TYPE_CHECKING:
    from judgekit.stats import Estimate

LEAST_SHARED = 10
_MOST_PEOPLE = 6
"""With more, their pairs are too many to list."""


def people_among_themselves(pairs: Sequence[Pair], *, level: float) -> dict[str, Estimate]:
    """Agreement of people: `agreement` of two of them on an output, `alpha`, `ac1`, and `kappa A and B` of each two.

    Args:
        pairs: Outputs, each with its annotators.
        level: Confidence level.

    Returns:
        Estimates by name; empty where fewer than ten outputs have two ratings of one kind.
    """
    from judgekit.stats import cohen_kappa, gwet_ac2, krippendorff_alpha, mean_interval

    kind = _kind(pairs)
    table = [
        (one.case_id, {who: value for who, rating in one.annotators if (value := getattr(rating, kind)) is not None})
        for one in pairs
    ]
    shared = [(case_id, ratings) for case_id, ratings in table if len(ratings) > 1]
    if len(shared) < LEAST_SHARED:
        return {}
    cases = [case_id for case_id, _ in shared]
    rows: list[list[Hashable]] = [list(ratings.values()) for _, ratings in shared]
    measurement: Any = "interval" if kind == "score" else "nominal"
    found = {
        "agreement": mean_interval([_agreeing(row) for row in rows], cases, level=level, bounds=(0.0, 1.0)),
        "alpha": krippendorff_alpha(rows, measurement, cases, confidence=level),
    }
    if kind != "score":
        found["ac1"] = gwet_ac2(rows, cases, weights="nominal", level=level)
        people = list(dict.fromkeys(who for _, ratings in shared for who in ratings))
        for a, b in combinations(people, 2) if len(people) <= _MOST_PEOPLE else ():
            both = [(case_id, one[a], one[b]) for case_id, one in shared if a in one and b in one]
            if len(both) >= LEAST_SHARED:
                of, first, second = (list(column) for column in zip(*both, strict=True))
                found[f"kappa {a} and {b}"] = cohen_kappa(first, second, of, level=level)
    return found


def _kind(pairs: Sequence[Pair]) -> str:
    """What most ratings say."""
    ratings: list[Rating] = [rating for one in pairs if len(one.annotators) > 1 for _, rating in one.annotators]
    names = ("passed", "label", "score")
    return max(names, key=lambda name: sum(getattr(rating, name) is not None for rating in ratings))


def _agreeing(row: Sequence[Hashable]) -> float:
    two = list(combinations(row, 2))
    return sum(a == b for a, b in two) / len(two)
