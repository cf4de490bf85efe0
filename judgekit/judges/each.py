"""A rubric of several items in, its single items out; verdicts on single items in, one verdict on the whole out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from judgekit.judges.aggregate import without_result
from judgekit.judges.written import exact
from judgekit.records import Judgment, Rubric, Status, Verdict


def only(rubric: Rubric, item: str) -> Rubric:
    """The rubric with one of its items.

    Example:
        >>> only(Rubric("mail", "Is it a mail?", checklist={"greets": "Hello?", "signs": "Bye?"}), "signs").checklist
        {'signs': 'Bye?'}
    """
    return replace(
        rubric,
        checklist={name: asked for name, asked in rubric.checklist.items() if name == item},
        criteria={name: scale for name, scale in rubric.criteria.items() if name == item},
    )


def joined(judgments: Sequence[Judgment], rubric: Rubric, threshold: Fraction | None) -> list[Judgment]:
    """One judgment a sample from one a sample and item; a sample that lacks an item is without a result as a whole."""
    samples: dict[int, list[Judgment]] = {}
    for one in judgments:
        samples.setdefault(one.sample, []).append(one)
    return [replace(many[0], item="", verdict=_whole(many, rubric, threshold)) for many in samples.values()]


def _whole(judgments: Sequence[Judgment], rubric: Rubric, threshold: Fraction | None) -> Verdict:
    items = {name: said for one in judgments for name, said in one.verdict.items.items()}
    missing = [name for name in rubric.items if name not in items]
    if missing:
        lacking = [one.verdict for one in judgments if one.item in missing]
        stands = without_result(lacking) if lacking else Verdict("skipped", cause="interrupted")
        return replace(stands, reason=f"{', '.join(missing)}: {stands.reason or stands.cause}")
    score = sum((exact(items[name].score or 0.0) for name in rubric.items), Fraction(0)) / len(rubric.items)
    passed = None if threshold is None else score >= threshold
    flags = tuple(dict.fromkeys(flag for one in judgments for flag in one.verdict.flags))
    status: Status = "scored" if passed is None else "pass" if passed else "fail"
    return Verdict(status, float(score), None, passed, None, flags, "", {name: items[name] for name in rubric.items})
