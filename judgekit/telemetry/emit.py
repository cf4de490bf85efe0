"""A decision, rows of results, or both in; their events are sent, and at most one warning says that they were not."""

from __future__ import annotations

from collections.abc import Iterable

from judgekit.config import TelemetrySettings, load_project
from judgekit.frame.tables import ResultRow, RunData
from judgekit.records import Decision
from judgekit.telemetry.destination import Destination, destination, warn
from judgekit.telemetry.events import agent_events, result_events
from judgekit.telemetry.export import deliver


def emit_agent_eval_metrics(decision: Decision, *, settings: TelemetrySettings | None = None) -> bool:
    """Send one event `agent_eval_complete` per agent and rubric of a release gate, passed or failed.

    Its attributes are eval_agent, eval_score (0 to 1; absent without a golden case), eval_rubric (the label, where the
    registry gives one), eval_threshold, eval_passed, eval_source (fixtures or outputs), eval_n_golden, eval_n_scored
    (golden cases that the score is the mean of), eval_n_negative, eval_n_violations, eval_run_id and eval_revision.

    Args:
        decision: What `jk.release_gate_check()` returns.
        settings: Scope, address and time limit; default the project's. The environment's OTLP endpoint wins over the
            address, and without any it is http://localhost:4318.

    Returns:
        True if every event was taken. If not, one warning on stderr says why; nothing is raised for it.

    Raises:
        InputError: the extra `otel` is missing, or the project's settings are wrong.
    """
    to = destination(settings or load_project().settings.telemetry, asked=True)
    return to is not None and emit_evaluation(to, decision=decision)


def emit_evaluation(to: Destination, *, decision: Decision | None = None, rows: Iterable[ResultRow] = ()) -> bool:
    """Send the events of a decision's agents and of rows of results, all within the time that `to` allows.

    Args:
        to: Where to; `destination` gives it before the run.
        decision: Its agents become `agent_eval_complete`, its revision goes into every event.
        rows: Each becomes `gen_ai.evaluation.result`; secrets are masked already.

    Returns:
        True if every event was taken. If not, one warning on stderr says why; nothing is raised for it.
    """
    events = [] if decision is None else agent_events(decision)
    events += result_events(rows, revision="" if decision is None else decision.revision)
    problem = deliver(events, to) if events else None
    if problem is not None:
        warn(f"telemetry: {problem}; the results are not affected.")
    return problem is None


def emit_run(to: Destination, data: RunData) -> bool:
    """Send the events of a finished run; of one that is to be resumed nothing, or its rows would arrive twice."""
    if data.summary["partial"]:
        warn("telemetry: nothing is sent of an unfinished run; it all is when it has been resumed.")
        return False
    return emit_evaluation(to, rows=data.results)
