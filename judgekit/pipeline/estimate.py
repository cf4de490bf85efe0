"""A plan in; the calls, tokens and USD that it would take, out; nothing is asked and nothing is spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from judgekit.errors import ModelError
from judgekit.models.base import Reply, Request
from judgekit.models.encoding import outgoing_text, request_hash
from judgekit.models.live import price_of
from judgekit.pipeline.canaries import plant
from judgekit.pipeline.judging import Ask, asks, judge_all, samples_of, saved_calls
from judgekit.pipeline.measure import measure
from judgekit.pipeline.pairing import others_of, pair_asks
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.sources import Job
from judgekit.pool import Interrupts
from judgekit.records import Output
from judgekit.targets.prompted import PromptTarget

CHARACTERS_PER_TOKEN = 4
TARGET_TOKENS, JUDGE_TOKENS = 400, 150
"""Tokens that a reply is assumed to have; nobody knows before it is written."""

_UNKNOWN = "not asked yet"


@dataclass(frozen=True, slots=True)
class Expected:
    """What one live model would be asked."""

    model: str
    role: str
    """target or judge."""
    calls: int
    """Calls that are neither in the cache nor in the run to resume."""
    cached: int
    """Calls that are."""
    input_tokens: int
    """Of the calls that have to be made, at four characters a token."""
    output_tokens: int
    cost_usd: float | None
    """None: no price is known."""


@dataclass
class _Sum:
    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class _Foresight:
    """Stands in for a live model: answers what is known already, and counts what would have to be asked."""

    stateful = False
    live = True
    repairs = True

    def __init__(self, plan: Plan, name: str, reply_tokens: int) -> None:
        self.name = name
        self.sum = _Sum()
        self._doors = plan.doors
        self._reply_tokens = reply_tokens
        self._asked: set[str] = set()

    def complete(self, request: Request) -> Reply:
        """The reply of the run to resume, or of the cache.

        Raises:
            ModelError: it is not known; nobody is asked.
        """
        hashed = request_hash(self.name, self._doors.address(self.name), request)
        known = self._doors.known(hashed, request)
        if known is not None:
            self.sum.cached += 1
            return known
        if hashed in self._asked:
            # The same question twice within a run is asked once.
            self.sum.cached += 1
        else:
            self._asked.add(hashed)
            self.sum.calls += 1
            self.sum.input_tokens += -(-len(outgoing_text(request)) // CHARACTERS_PER_TOKEN)
            self.sum.output_tokens += min(self._reply_tokens, _limit(request.params) or self._reply_tokens)
        if request.key.step == "answer":
            # Whatever the judge answers, its verdict is asked for after that.
            return Reply("x" * self._reply_tokens * CHARACTERS_PER_TOKEN)
        raise ModelError(_UNKNOWN)


def estimate(plan: Plan) -> tuple[list[Expected], int]:
    """What each live model would be asked, and how many judgments a failed check would save.

    What is in the cache, or in the run to resume, is followed to its end: a cached output is checked, and its cached
    verdict found. Where an output is not there yet the judge is assumed to be asked, about a text of the assumed
    length; of an exchange with tools or several turns only the calls up to the first unknown reply are counted.
    """
    targets = {name: _Foresight(plan, name, TARGET_TOKENS) for name in plan.live_targets}
    judges = {name: _Foresight(plan, name, JUDGE_TOKENS) for name in plan.live_judges}
    samples = range(samples_of(plan))
    known = []
    for job in plan.jobs:
        output = _output(job, targets)
        measured = measure(job.case, output, plan.rubrics[job.case.case_id]) if output is not None else []
        unwritten = Output("x" * TARGET_TOKENS * CHARACTERS_PER_TOKEN, job.case.case_id, job.variant, job.trial)
        known.append((job.case, output or unwritten, measured))
    others = others_of(known)
    wanted = [ask for one in known for ask in (*asks(plan, *one), *pair_asks(plan, *one, others))]
    live = [ask for ask in wanted if ask.judge in judges and all(one.text is not None for one in ask.texts)]
    for ask in live:
        for call in ask.calls(samples) if ask.skip is None else ():
            call.of(judges[ask.judge or ""], plan)
    skipped = saved_calls(plan, live)
    live = [one.ask for one in plant(plan, wanted, {}) if one.ask.judge in judges]
    for call in (call for ask in live for call in ask.calls(samples)):
        call.of(judges[call.ask.judge or ""], plan)
    found = [("target", one) for one in targets.values()] + [("judge", one) for one in judges.values()]
    return [_expected(plan, role, one) for role, one in found if one.sum.calls or one.sum.cached], skipped


def _output(job: Job, targets: Mapping[str, _Foresight]) -> Output | None:
    """The output, where it is there, costs nothing, or follows from known replies; None: nobody knows it yet."""
    if job.output is not None or not isinstance(job.target, PromptTarget):
        return job.output
    model = targets.get(job.target.asks["model"])
    if model is None:
        return job.target.collect(job.case, job.trial)
    output = job.target.asking(model).collect(job.case, job.trial)
    return None if output.message == _UNKNOWN else output


def _limit(params: Any) -> int | None:
    value = params.get("max_tokens")
    return value if isinstance(value, int) else None


def _expected(plan: Plan, role: str, model: _Foresight) -> Expected:
    one = model.sum
    price = price_of(model.name, plan.project.settings.prices) if one.calls else (0.0, 0.0)
    cost = None if price is None else one.input_tokens * price[0] + one.output_tokens * price[1]
    return Expected(model.name, role, one.calls, one.cached, one.input_tokens, one.output_tokens, cost)


def estimate_judging(plan: Plan, *, once: Sequence[Ask], twice: Sequence[Ask]) -> list[Expected]:
    """What the live judges would be asked for one sample of some judgments and two of others; nothing is asked."""
    judges = {name: _Foresight(plan, name, JUDGE_TOKENS) for name in plan.live_judges}
    for samples, wanted in ((2, twice), (1, once)):
        # One after the other: they count without a lock.
        options = replace(plan.options, concurrency=1, judge_samples=samples, progress=False)
        watched = replace(plan, models={**plan.models, **judges}, options=options)
        judge_all(watched, [one for one in wanted if one.judge in judges], lambda judgment: None, Interrupts())
    return [_expected(plan, "judge", one) for one in judges.values() if one.sum.calls or one.sum.cached]
