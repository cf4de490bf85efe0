"""Labelled outputs in; where people and judge disagree, worst first, and which checks are too strict, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from judgekit.trust.matching import Judged, Pair
from judgekit.trust.rates import rate
from judgekit.trust.ratings import Rating
from judgekit.trust.records import estimate_record

MOST_KEPT = 200


def disagreements(found: Judged, mask: Callable[[str], str]) -> tuple[int, list[dict[str, Any]]]:
    """How many outputs people and judge disagree on, and what both say of up to 200, with reasons, the farthest first.

    Args:
        found: The labelled outputs of one judge.
        mask: Takes out of a person's comment what reports must not show.
    """
    span = found.scale[1] - found.scale[0]
    apart = [(distance, one) for one in found.pairs if (distance := _distance(one, span)) > 0]
    apart.sort(key=lambda one: (-one[0], one[1].case_id, one[1].variant, one[1].trial))
    return len(apart), [
        {
            "case_id": one.case_id,
            "variant": one.variant,
            **({"against": one.against} if one.against else {}),
            "trial": one.trial,
            "people": in_words(one.people),
            "judge": in_words(one.judge),
            "comment": mask(one.comment),
            "reason": one.reason,
        }
        for _, one in apart[:MOST_KEPT]
    ]


def _distance(pair: Pair, span: float) -> float:
    """0 for agreement; a different verdict counts more than any distance of scores."""
    people, judge = pair.people, pair.judge
    far = abs(people.score - judge.score) / span if people.score is not None and judge.score is not None else 0.0
    verdicts = people.passed is not None and judge.passed is not None and people.passed != judge.passed
    labels = people.label is not None and judge.label is not None and people.label != judge.label
    return far + (1.0 if verdicts or labels else 0.0)


def in_words(rating: Rating) -> str:
    """A rating for people.

    Example:
        >>> in_words(Rating(True, None, 4.0)), in_words(Rating(None, "win", 1.0))
        ('pass (4)', 'win')
    """
    word = rating.label or ("" if rating.passed is None else "pass" if rating.passed else "fail")
    score = "" if rating.score is None or rating.label else f"{rating.score:g}"
    return f"{word} ({score})" if word and score else word or score or "nothing"


def check_failures(pairs: Sequence[Pair], *, level: float = 0.95) -> dict[str, Any] | None:
    """How many outputs that failed a required check people would pass: a check that is too strict. None without any."""
    decided = [one for one in pairs if one.people.passed is not None]
    if not decided:
        return None
    passed = [bool(one.people.passed) for one in decided]
    share = rate(passed, [one.case_id for one in decided], level)
    cases = [one.case_id for one in decided if one.people.passed]
    return {"n": len(decided), "n_passed": sum(passed), "share": estimate_record(share), "case_ids": cases[:20]}
