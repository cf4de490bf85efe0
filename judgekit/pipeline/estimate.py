"""A plan in; the calls, tokens and USD that it would take, out; nothing is asked and nothing is spent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judgekit.judges.pointwise import judge_request
from judgekit.judges.prompting import missing_evidence
from judgekit.models.base import Request
from judgekit.models.encoding import outgoing_text, request_hash
from judgekit.models.live import price_of
from judgekit.pipeline.judging import asks, judge_params
from judgekit.pipeline.measure import measure
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.sources import Job
from judgekit.records import Output
from judgekit.targets.prompted import PromptTarget

CHARACTERS_PER_TOKEN = 4
TARGET_TOKENS, JUDGE_TOKENS = 400, 150
"""Tokens that a reply is assumed to have; nobody knows before it is written."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What one live model would be asked."""

    model: str
    role: str
    """target or judge."""
    calls: int
    """Calls that are not in the cache."""
    cached: int
    input_tokens: int
    """Of the calls that are not in the cache, at four characters a token."""
    output_tokens: int
    cost_usd: float | None
    """None: no price is known."""


@dataclass
class _Sum:
    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


def estimate(plan: Plan) -> tuple[list[Expected], int]:
    """What each live model would be asked, and how many judgments a failed check would save.

    A target that calls tools is counted with its first call alone. Where the output is not there yet the judge is
    assumed to be asked, about a text of the assumed length.
    """
    sums: dict[tuple[str, str], _Sum] = {}
    skipped = 0
    for job in plan.jobs:
        output = job.output
        if isinstance(job.target, PromptTarget) and job.target.asks["model"] in plan.doors.live:
            request = job.target.first_request(job.case, job.trial)
            _add(sums, plan, job.target.asks["model"], "target", request, TARGET_TOKENS)
        for asked, judge in _judge_requests(plan, job, output):
            if asked is None:
                skipped += 1
            else:
                _add(sums, plan, judge, "judge", asked, JUDGE_TOKENS)
    return [_expected(plan, model, role, one) for (model, role), one in sums.items()], skipped


def _judge_requests(plan: Plan, job: Job, output: Output | None) -> Iterator[tuple[Request | None, str]]:
    """Each call of a live judge about one output; None for one that a failed check would save."""
    known = output if output is not None else Output("x" * TARGET_TOKENS * CHARACTERS_PER_TOKEN, job.case.case_id)
    measured = measure(job.case, output, plan.rubrics[job.case.case_id]) if output is not None else []
    samples = plan.options.judge_samples or plan.project.settings.judge_samples
    for ask in asks(plan, job.case, known, measured):
        if ask.judge is None or ask.judge not in plan.doors.live or known.text is None:
            continue
        for sample in range(samples):
            if ask.skip is not None:
                yield None, ask.judge
                continue
            if missing_evidence(ask.rubric, ask.case, known) is None:
                params = judge_params(plan)
                yield (
                    judge_request(ask.rubric, ask.case, known, sample=sample, params=params, threshold=None),
                    ask.judge,
                )


def _add(sums: dict[tuple[str, str], _Sum], plan: Plan, model: str, role: str, request: Request, reply: int) -> None:
    one = sums.setdefault((model, role), _Sum())
    cache = plan.doors.cache
    if cache is not None and cache.get(request_hash(model, plan.doors.address(model), request)) is not None:
        one.cached += 1
        return
    one.calls += 1
    one.input_tokens += -(-len(outgoing_text(request)) // CHARACTERS_PER_TOKEN)
    one.output_tokens += min(reply, _limit(request.params) or reply)


def _limit(params: Any) -> int | None:
    value = params.get("max_tokens")
    return value if isinstance(value, int) else None


def _expected(plan: Plan, model: str, role: str, one: _Sum) -> Expected:
    price = price_of(model, plan.project.settings.prices) if one.calls else (0.0, 0.0)
    cost = None if price is None else one.input_tokens * price[0] + one.output_tokens * price[1]
    return Expected(model, role, one.calls, one.cached, one.input_tokens, one.output_tokens, cost)
