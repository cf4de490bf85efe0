"""Scores and violations in, the Decision of the release gate out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from judgekit.records import AgentResult, Decision
from judgekit.release.requirements import REQUIREMENTS, violations_of
from judgekit.release.scoring import AgentScore
from judgekit.release.violations import Violation, split


@dataclass(frozen=True)
class Judged:
    """What the release gate says, and what it warns of."""

    decision: Decision
    warnings: tuple[str, ...]


def judge(
    scores: Sequence[AgentScore],
    further: Iterable[Violation] = (),
    *,
    strict: bool,
    source: Literal["fixtures", "outputs"] = "fixtures",
    run_id: str = "",
    revision: str = "",
) -> Judged:
    """The decision on some agents.

    Args:
        scores: One per agent and rubric.
        further: Violations of other kinds, such as those of the drift lock.
        strict: Whether suspicions fail the gate.
        source: Whether the outputs are those of the fixtures, or live ones.
        run_id: Run that the decision belongs to.
        revision: Of the files under test.
    """
    further = list(further)
    by_score = [violations_of(one) for one in scores]
    found = [one for kinds in by_score for many in kinds.values() for one in many] + further
    failing, warnings = split(found, strict=strict)
    rules = [
        _rule(one, kind, kinds[kind], strict) for one, kinds in zip(scores, by_score, strict=True) for kind in kinds
    ]
    rules += _further_rules(further, strict)
    results = [_result(one, kinds, further, strict) for one, kinds in zip(scores, by_score, strict=True)]
    reasons = [str(one) for one in failing] or [_none_fails(scores, found)]
    decision = Decision(
        passed=not failing,
        exit_code=1 if failing else 0,
        reasons=tuple(dict.fromkeys(reasons)),
        rules=tuple(rules),
        agents=tuple(results),
        run_id=run_id,
        revision=revision,
        source=source,
    )
    return Judged(decision, tuple(dict.fromkeys(str(one) for one in warnings)))


def _result(
    one: AgentScore, kinds: Mapping[str, Sequence[Violation]], further: Sequence[Violation], strict: bool
) -> AgentResult:
    mine = [each for many in kinds.values() for each in many]
    # What is wrong with an agent as a whole is wrong with it on each of its rubrics.
    mine += [each for each in further if each.agent == one.agent.name and each.rubric in ("", one.rubric)]
    n_violations = sum(each.fails(strict=strict) for each in mine)
    return AgentResult(
        agent=one.agent.name,
        rubric=one.rubric,
        threshold=one.threshold,
        score=one.score,
        passed=one.score is not None and one.score >= one.threshold and not n_violations,
        label=one.agent.entry.label or "",
        n_golden=len(one.golden),
        n_negative=len(one.negative),
        n_violations=n_violations,
        n_scored=sum(each.score is not None for each in one.golden),
    )


def _none_fails(scores: Sequence[AgentScore], found: Sequence[Violation]) -> str:
    names = ", ".join(dict.fromkeys(one.agent.name for one in scores))
    n = sum(one.weight == "suspicion" for one in found)
    if not n:
        return f"every requirement on {names} holds"
    return f"nothing fails {names}; {n} {'suspicion stands' if n == 1 else 'suspicions stand'}, see the warnings"


def _rule(one: AgentScore, kind: str, found: Sequence[Violation], strict: bool) -> dict[str, Any]:
    [requirement] = [each for each in REQUIREMENTS if each.kind == kind]
    failing = [each for each in found if each.fails(strict=strict)]
    # Negative fixtures enter no mean.
    counted = one.golden if kind == "low_mean" else tuple(one.cases)
    title = requirement.title(one)
    reason = "; ".join(str(each) for each in failing or found)
    if found and not failing:
        reason = f"tolerated without --strict: {reason}"
    return {
        "rule": f"{one.agent.name} {one.rubric}: {title}",
        "variant": "",
        "outcome": "fails" if failing else "holds",
        "value": float(one.score) if kind == "low_mean" and one.score is not None else None,
        "n_scored": sum(each.score is not None for each in counted),
        "n_total": len(counted),
        "reason": reason or f"{one.agent.name} {one.rubric}: {title}",
    }


def _further_rules(further: Sequence[Violation], strict: bool) -> list[dict[str, Any]]:
    """One rule per agent and kind of what no requirement asks for; notes are no rules."""
    grouped: dict[tuple[str, str], list[Violation]] = {}
    for one in further:
        if one.weight != "note":
            grouped.setdefault((one.agent, one.kind), []).append(one)
    return [
        {
            "rule": f"{agent}: {kind.replace('_', ' ')}",
            "variant": "",
            "outcome": "fails" if any(one.fails(strict=strict) for one in many) else "holds",
            "value": None,
            "n_scored": 0,
            "n_total": 0,
            "reason": "; ".join(str(one) for one in many),
        }
        for (agent, kind), many in grouped.items()
    ]
