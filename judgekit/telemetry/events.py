"""Agent results and rows of results in, events out: pure, so that tests and the dashboard see the names used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judgekit.frame.tables import ResultRow
from judgekit.reading.text import without_surrogates
from judgekit.records import AgentResult, Decision

AGENT_EVENT = "agent_eval_complete"
RESULT_EVENT = "gen_ai.evaluation.result"
"""Named, like its attributes `gen_ai.*` and `error.type`, by the OpenTelemetry conventions for generative AI."""
MOST_EXPLAINED = 4096
"""Characters of an explanation that are sent: backends refuse events with very long attributes as a whole."""

Attributes = Mapping[str, bool | int | float | str]


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it is sent; its name is its body as well, because not every backend keeps names."""

    name: str
    attributes: Attributes


def agent_events(decision: Decision) -> list[Event]:
    """One event per agent and rubric of a release gate, whatever the gate says.

    Example:
        >>> from fractions import Fraction
        >>> scarlet = AgentResult("scarlet", "source_coverage", Fraction(7, 10), Fraction(3, 4), passed=True)
        >>> (event,) = agent_events(Decision(True, 0, (), agents=(scarlet,)))
        >>> event.attributes["eval_score"], event.attributes["eval_rubric"]
        (0.75, 'source_coverage')
    """
    return [_event(AGENT_EVENT, _of_agent(one, decision)) for one in decision.agents]


def _of_agent(one: AgentResult, decision: Decision) -> dict[str, bool | int | float | str | None]:
    return {
        "eval_agent": one.agent,
        "eval_rubric": one.label or one.rubric,
        "eval_score": None if one.score is None else float(one.score),
        "eval_threshold": float(one.threshold),
        "eval_passed": one.passed,
        "eval_source": decision.source,
        "eval_n_golden": one.n_golden,
        "eval_n_scored": one.n_scored,
        "eval_n_negative": one.n_negative,
        "eval_n_violations": one.n_violations,
        "eval_run_id": decision.run_id,
        "eval_revision": decision.revision,
    }


def result_events(rows: Iterable[ResultRow], *, revision: str = "") -> list[Event]:
    """One event per row of results: case × variant × trial × metric × judge.

    Args:
        rows: As they stand in results.csv, secrets masked.
        revision: Revision of the files under test; empty where none is known.
    """
    return [_event(RESULT_EVENT, _of_row(row, revision)) for row in rows]


def _of_row(row: ResultRow, revision: str) -> dict[str, bool | int | float | str | None]:
    decided = None if row.passed is None else "pass" if row.passed else "fail"
    return {
        "gen_ai.evaluation.name": row.metric,
        "gen_ai.evaluation.score.value": None if row.score is None else float(row.score),
        "gen_ai.evaluation.score.label": row.label or decided,
        "gen_ai.evaluation.explanation": _shortened(row.reason),
        "error.type": row.cause if row.status in ("error", "unscored") else None,
        "eval_status": row.status,
        "eval_cause": row.cause,
        "eval_passed": row.passed,
        "eval_required": row.required,
        "eval_threshold": None if row.threshold is None else float(row.threshold),
        "eval_scale_min": float(row.scale_min),
        "eval_scale_max": float(row.scale_max),
        "eval_kind": row.kind,
        "eval_case_id": row.case_id,
        "eval_agent": row.agent,
        "eval_variant": row.variant,
        "eval_against": row.against,
        "eval_trial": row.trial,
        "eval_judge": row.judge,
        "eval_run_id": row.run_id,
        "eval_revision": revision,
    }


def _shortened(text: str) -> str:
    return text if len(text) <= MOST_EXPLAINED else f"{text[: MOST_EXPLAINED - 1]}…"


def _event(name: str, attributes: Mapping[str, bool | int | float | str | None]) -> Event:
    """The event without what is not known: an attribute has no null."""
    return Event(
        name,
        {
            key: without_surrogates(value) if isinstance(value, str) else value
            for key, value in attributes.items()
            if value is not None and value != ""
        },
    )
