"""Outputs that passed their checks in; judged results out, each with the calls behind it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.errors import RunStopped
from judgekit.frame.rows import STOPPED, Judged, Measured
from judgekit.judges.aggregate import Aggregate, aggregate
from judgekit.judges.pointwise import judge_once
from judgekit.judges.prompting import judge_identity
from judgekit.models.base import Model
from judgekit.pipeline.collecting import why_not
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.rubrics import PlannedRubric
from judgekit.pool import Interrupts, run_tasks
from judgekit.records import Case, Judgment, Output, Rubric, Verdict


@dataclass(frozen=True, slots=True)
class Ask:
    """One judged rubric of one output by one judge."""

    case: Case
    output: Output
    planned: PlannedRubric
    judge: str | None
    skip: str | None = None
    """Why the judge is not asked: a cause of `skipped`."""

    @property
    def rubric(self) -> Rubric:
        """The judged rubric."""
        assert isinstance(self.planned.rubric, Rubric)
        return self.planned.rubric


@dataclass(frozen=True, slots=True)
class _Call:
    ask: Ask
    sample: int


def asks(plan: Plan, case: Case, output: Output, measured: Sequence[Measured]) -> list[Ask]:
    """What the judges are to be asked about one output, with what is skipped and why."""
    judged = [one for one in plan.rubrics[case.case_id] if one.judged]
    judges = plan.judges.get(case.suite, ())
    failed = next((one.metric for one in measured if one.required and one.result.status == "fail"), None)
    found = []
    for one in judged:
        if not judges:
            found.append(Ask(case, output, one, None, "no_judge"))
        for judge in judges:
            skip = f"check:{failed}" if failed and not plan.options.judge_all else None
            found.append(Ask(case, output, one, judge, skip))
    return found


@dataclass(frozen=True, slots=True)
class AllJudged:
    """The judgments of each ask, in order, and what ended the judging early, if anything did."""

    judgments: list[list[Judgment]]
    interrupted: bool
    stopped: RunStopped | None


def judge_all(
    plan: Plan,
    wanted: Sequence[Ask],
    keep: Callable[[Judgment], None],
    interrupts: Interrupts,
    *,
    samples: range | None = None,
) -> AllJudged:
    """The judgments of each ask.

    Args:
        plan: Models, samples, concurrency.
        wanted: What to ask; what is skipped, or has no output, gets no judgments.
        keep: Called with each judgment as it arrives, before it counts.
        interrupts: Ctrl-C so far.
        samples: Which repeats; None: those of the plan.
    """
    repeats = range(samples_of(plan)) if samples is None else samples
    params = judge_params(plan)
    calls = [_Call(one, sample) for one in wanted if _is_asked(one) for sample in repeats]

    def work(call: _Call) -> Judgment:
        ask = call.ask
        threshold = ask.planned.threshold
        return judge_once(
            _model(plan, ask), ask.rubric, ask.case, ask.output, sample=call.sample, params=params, threshold=threshold
        )

    def lane(call: _Call) -> Hashable:
        # A scripted judge has one queue per case and rubric: its calls keep their order.
        ask = call.ask
        return (ask.case.case_id, ask.rubric.name) if _model(plan, ask).stateful else id(call)

    pooled = run_tasks(
        calls,
        work,
        concurrency=plan.options.concurrency or plan.project.settings.concurrency,
        lane=lane,
        on_done=lambda _, judgment: keep(judgment),
        interrupts=interrupts,
        label="judging" if samples is None else "asking again",
        progress=plan.options.progress,
    )
    by_ask: dict[int, list[Judgment]] = {}
    for call, judgment in zip(calls, pooled.results, strict=True):
        if judgment is not None:
            by_ask.setdefault(id(call.ask), []).append(judgment)
    return AllJudged([by_ask.get(id(one), []) for one in wanted], pooled.interrupted, pooled.stopped)


def samples_of(plan: Plan) -> int:
    """How often the judge is asked about each output."""
    return plan.options.judge_samples or plan.project.settings.judge_samples


def judge_params(plan: Plan) -> dict[str, Any]:
    """What is asked of every judge."""
    return {"temperature": 0, "seed": plan.options.seed}


def _is_asked(one: Ask) -> bool:
    return one.skip is None and one.output.text is not None


def _model(plan: Plan, ask: Ask) -> Model:
    assert ask.judge is not None
    return plan.models[ask.judge]


def judged_rows(plan: Plan, ask: Ask, judgments: Sequence[Judgment], stopped: RunStopped | None = None) -> list[Judged]:
    """The rows of one ask: the rubric's own, then its items'.

    Args:
        plan: The models.
        ask: What was to be asked.
        judgments: What came of it.
        stopped: Why the run ended early: the cause of rows without judgments.
    """
    planned, rubric, output = ask.planned, ask.rubric, ask.output
    common: dict[str, Any] = {"required": planned.required}
    if ask.judge is not None:
        name = _model(plan, ask).name
        known = judgments[0].judge_identity if judgments else judge_identity(name, rubric, judge_params(plan))
        common |= {"judge": name, "judge_identity": known}
    if not judgments:
        verdict = _without_calls(ask, output, stopped)
        return [Judged(rubric.name, verdict=verdict, scale=rubric.bounds, threshold=planned.threshold, **common)]
    whole = aggregate(judgments, rubric, planned.threshold)
    rows = [
        Judged(
            rubric.name,
            verdict=whole.verdict,
            scale=rubric.bounds,
            threshold=planned.threshold,
            n_samples=whole.n_samples,
            score_sd=whole.score_sd,
            calls=tuple(judgments),
            **common,
        )
    ]
    return rows + [_item(name, item, rubric, whole, common) for name, item in whole.verdict.items.items()]


def _item(name: str, item: Verdict, rubric: Rubric, whole: Aggregate, common: dict[str, Any]) -> Judged:
    """A row of one checklist item or criterion: it decides nothing by itself and its call is counted at the rubric."""
    scale = rubric.criteria.get(name)
    return Judged(
        f"{rubric.name}.{name}",
        verdict=item,
        scale=(scale.min, scale.max) if scale else (0.0, 1.0),
        n_samples=whole.n_samples,
        **{**common, "required": False},
    )


def _without_calls(ask: Ask, output: Output, stopped: RunStopped | None) -> Verdict:
    if ask.skip is not None:
        return Verdict("skipped", cause=ask.skip, reason=_SKIPPED.get(ask.skip, "a required check failed"))
    if output.cause in STOPPED:
        return Verdict("skipped", cause=output.cause, reason=output.message)
    if output.text is None:
        return Verdict("error", cause=output.cause, reason=f"no output: {output.message}")
    reason, cause = why_not(stopped)
    return Verdict("skipped", cause=cause, reason=reason)


_SKIPPED = {"no_judge": "no judge was named"}
