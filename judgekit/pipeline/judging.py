"""Outputs that passed their checks in; judged results out, each with the calls behind it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judgekit.errors import RunStopped
from judgekit.frame.rows import STOPPED, Judged, Measured
from judgekit.judges.aggregate import Aggregate, aggregate
from judgekit.judges.each import joined
from judgekit.judges.orders import aggregate_orders
from judgekit.judges.pairwise import ORDERS, Order, Pair, as_pairwise, judge_pair, missing_output
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
    pair: Pair | None = None
    """The two outputs, where the rubric compares; `output` is the first of them."""

    @property
    def rubric(self) -> Rubric:
        """The judged rubric."""
        assert isinstance(self.planned.rubric, Rubric)
        return self.planned.rubric

    @property
    def texts(self) -> list[Output]:
        """The outputs that are judged."""
        return [self.output] if self.pair is None else [self.output, self.pair.other]

    def calls(self, samples: Iterable[int]) -> list[Call]:
        """The calls that answer it."""
        orders: tuple[Order | None, ...] = (None,) if self.pair is None else ORDERS
        items = self.rubric.items if self.rubric.calls == "each" else ("",)
        return [Call(self, sample, order, item) for sample in samples for order in orders for item in items]


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a judge."""

    ask: Ask
    sample: int
    order: Order | None
    """Where the output of the ask is shown; None: it is not compared."""
    item: str = ""
    """The one item of the rubric that is asked for; empty: all of it."""

    def of(self, model: Model, plan: Plan) -> Judgment:
        """What the model says."""
        ask, params = self.ask, judge_params(plan)
        if ask.pair is None or self.order is None:
            return judge_once(
                model,
                ask.rubric,
                ask.case,
                ask.output,
                sample=self.sample,
                params=params,
                threshold=ask.planned.threshold,
                item=self.item,
            )
        rubric = as_pairwise(ask.rubric, against=ask.pair.against)
        return judge_pair(model, rubric, ask.case, ask.pair, self.order, sample=self.sample, params=params)


def asks(plan: Plan, case: Case, output: Output, measured: Sequence[Measured]) -> list[Ask]:
    """What the judges are to be asked about one output, with what is skipped and why."""
    judged = [one for one in plan.rubrics[case.case_id] if one.judged]
    judges = plan.judges.get(case.suite, ())
    failed = failed_check(measured)
    found = []
    for one in judged:
        if not judges:
            found.append(Ask(case, output, one, None, "no_judge"))
        for judge in judges:
            skip = f"check:{failed}" if failed and not plan.options.judge_all else None
            found.append(Ask(case, output, one, judge, skip))
    return found


def failed_check(measured: Sequence[Measured]) -> str | None:
    """The first required metric that failed; None if none did."""
    return next((one.metric for one in measured if one.required and one.result.status == "fail"), None)


def saved_calls(plan: Plan, wanted: Iterable[Ask]) -> int:
    """How many calls were not made because a required check failed."""
    samples = range(samples_of(plan))
    return sum(len(one.calls(samples)) for one in wanted if (one.skip or "").startswith("check:"))


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
    calls = [call for one in wanted if _is_asked(one) for call in one.calls(repeats)]

    def work(call: Call) -> Judgment:
        return call.of(_model(plan, call.ask), plan)

    def lane(call: Call) -> Hashable:
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
    return one.skip is None and all(output.text is not None for output in one.texts)


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
    planned, rubric = ask.planned, ask.rubric
    common: dict[str, Any] = {"required": planned.required}
    if ask.pair is not None:
        rubric = as_pairwise(rubric, against=ask.pair.against)
        common["against"] = ask.pair.against
    if ask.judge is not None:
        name = _model(plan, ask).name
        known = judgments[0].judge_identity if judgments else judge_identity(name, rubric, judge_params(plan))
        common |= {"judge": name, "judge_identity": known}
    if not judgments:
        verdict = _without_calls(ask, stopped)
        return [Judged(rubric.name, verdict=verdict, scale=rubric.bounds, threshold=planned.threshold, **common)]
    if ask.pair is None:
        samples = joined(judgments, rubric, planned.threshold) if rubric.calls == "each" else judgments
        whole = aggregate(samples, rubric, planned.threshold)
    else:
        whole = aggregate_orders(judgments, planned.threshold)
    if whole.verdict.status == "skipped":
        # An order or an item was never asked for: the run ended before.
        reason, cause = why_not(stopped)
        whole = replace(whole, verdict=replace(whole.verdict, cause=cause, reason=reason))
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


def _without_calls(ask: Ask, stopped: RunStopped | None) -> Verdict:
    if ask.skip is not None:
        return Verdict("skipped", cause=ask.skip, reason=_SKIPPED.get(ask.skip, "a required check failed"))
    for output in ask.texts:
        if output.text is None and output.cause in STOPPED:
            return Verdict("skipped", cause=output.cause, reason=output.message)
    if ask.pair is not None and (missing := missing_output(ask.pair)):
        return Verdict("error", cause=missing[0], reason=missing[1])
    if ask.output.text is None:
        return Verdict("error", cause=ask.output.cause, reason=f"no output: {ask.output.message}")
    reason, cause = why_not(stopped)
    return Verdict("skipped", cause=cause, reason=reason)


_SKIPPED = {"no_judge": "no judge was named"}
