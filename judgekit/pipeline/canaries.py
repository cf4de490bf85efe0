"""What a run has judged in; planted bad outputs for its judges, and whether they fell for one, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judgekit.frame.canaries import PREFIX, canary_summary
from judgekit.frame.rows import Judged
from judgekit.judges.canaries import NON_ANSWER, canaries
from judgekit.judges.pairwise import Pair
from judgekit.judges.prompting import evidence_context, evidence_variables
from judgekit.pipeline.judging import Ask, judged_rows
from judgekit.pipeline.plan import Plan
from judgekit.records import Judgment, Output

CONTROL = "control"
"""The bad output itself, without a trick."""

_Group = tuple[str, str, bool]
"""Rubric, judge, whether in pairs."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One planted output and what a judge is asked about it."""

    ask: Ask
    canary: str
    """Name of the trick."""
    base: str
    """Variant whose output was dressed up; empty: none of the run was bad enough."""


def plant(plan: Plan, wanted: Sequence[Ask], judgments: Mapping[int, Sequence[Judgment]]) -> list[Planted]:
    """Bad outputs for each judge and rubric of a run: the worst that it has judged so, dressed up in four ways.

    The worst is the one with the lowest score, if that does not pass and is in the lower half of the scale; else, and
    for pairs, it is an answer that says nothing, on the first case that was judged.

    Args:
        plan: Says whether there are to be any.
        wanted: What the judges were asked.
        judgments: What they said, by position in `wanted`; empty before anything is asked.
    """
    if not plan.options.canary:
        return []
    groups: dict[_Group, list[int]] = {}
    for number, ask in enumerate(wanted):
        if ask.judge is not None and ask.skip is None and all(one.text is not None for one in ask.texts):
            groups.setdefault(_group(ask), []).append(number)
    return [
        one for numbers in groups.values() for one in _plant([(wanted[n], judgments.get(n, ())) for n in numbers], plan)
    ]


def _plant(asked: Sequence[tuple[Ask, Sequence[Judgment]]], plan: Plan) -> Iterable[Planted]:
    ask, base = asked[0][0], ""
    bad = NON_ANSWER
    rows = [(judged_rows(plan, one, said)[0].verdict, one) for one, said in asked if said]
    low, high = ask.rubric.bounds
    # What passes is not known to be bad.
    scored = [(row.score, one) for row, one in rows if row.score is not None and not row.passed]
    worst = min(scored, key=lambda found: found[0], default=None)
    if ask.pair is None and worst is not None and worst[0] <= (low + high) / 2:
        ask, base = worst[1], worst[1].output.variant
        bad = ask.output.text or NON_ANSWER
    context = evidence_context(ask.case, ask.output)
    marker = evidence_variables(ask.rubric, ask.case, context, ())["marker"]
    for name, text in canaries(bad, ask.rubric, marker).items():
        output = Output(text, ask.case.case_id, PREFIX + name, context=ask.output.context)
        pair = None if ask.pair is None else Pair(output, ask.pair.other, ask.pair.against)
        yield Planted(replace(ask, output=output, pair=pair), name, base)


def controls(plan: Plan, planted: Sequence[Planted], judgments: Sequence[Sequence[Judgment]]) -> list[Planted]:
    """The answer that says nothing as it is, for each judge and rubric that let a dressed-up one pass.

    A judge that scores it as high was not fooled by the dress. It is asked for only where that matters.

    Args:
        plan: Says how to score.
        planted: What the judges were asked.
        judgments: What they said.
    """
    found: dict[_Group, Planted] = {}
    for one, said in zip(planted, judgments, strict=True):
        if not one.base and _passes(judged_rows(plan, one.ask, said)[0]):
            output = replace(one.ask.output, text=NON_ANSWER, variant=PREFIX + CONTROL)
            pair = None if one.ask.pair is None else replace(one.ask.pair, output=output)
            found.setdefault(_group(one.ask), Planted(replace(one.ask, output=output, pair=pair), CONTROL, ""))
    return list(found.values())


def _group(ask: Ask) -> _Group:
    return ask.rubric.name, ask.judge or "", ask.pair is not None


def canary_results(
    plan: Plan, planted: Sequence[Planted], judgments: Sequence[Sequence[Judgment]]
) -> dict[str, Any] | None:
    """`canaries` of summary.json; None where none were asked for.

    A judge is fooled if a planted output passes the rubric's threshold, or without one scores in the upper half of the
    scale; in a pair, if it does not lose. It is not if it scores the same output as high without the trick
    (`control_score`, where that was asked).
    """
    if not plan.options.canary:
        return None
    rows = []
    found = [(one, judged_rows(plan, one.ask, said)[0]) for one, said in zip(planted, judgments, strict=True)]
    plain = {_group(one.ask): judged.verdict.score for one, judged in found if one.canary == CONTROL}
    for one, judged in found:
        if one.canary == CONTROL:
            continue
        verdict, control = judged.verdict, plain.get(_group(one.ask))
        rows.append(
            {
                "canary": one.canary,
                "metric": judged.metric,
                "judge": judged.judge,
                "case_id": one.ask.case.case_id,
                **({"against": judged.against} if judged.against else {}),
                "base": one.base or None,
                "status": verdict.status,
                "cause": verdict.cause,
                "score": verdict.score,
                "label": verdict.label,
                "control_score": control,
                "fooled": _fooled(judged, control),
                "reason": verdict.reason,
            }
        )
    return canary_summary(rows)


def _fooled(judged: Judged, control: float | None) -> bool | None:
    score = judged.verdict.score
    if control is not None and score is not None and score <= control:
        return False
    return _passes(judged)


def _passes(judged: Judged) -> bool | None:
    verdict = judged.verdict
    if verdict.passed is not None:
        return verdict.passed
    if verdict.score is None:
        return None
    low, high = judged.scale
    return verdict.score >= 0.5 if judged.against else verdict.score > (low + high) / 2
