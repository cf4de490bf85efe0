"""A prepared judgment and its request in, the judgment with what came of it out: one call, one repair turn at most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from judgekit.errors import ModelError, RunStopped
from judgekit.judges.prompting import digest, requested_params
from judgekit.judges.weighted import slimmed
from judgekit.models.base import Model, Reply, Request
from judgekit.records import Judgment, Rubric, Usage, Verdict

N = TypeVar("N", int, float)
Read = Callable[[Reply], Verdict]

_REPAIR = (
    "That reply could not be read: {reason}. Reply again with the JSON object asked for and nothing else. "
    "Keep your judgment; only its form was wrong."
)


def ask_judge(model: Model, request: Request, blank: Judgment, read: Read) -> Judgment:
    """The judgment after the call; a failed call is an `error` with the model's cause.

    An unreadable reply gets one repair turn where the model allows repairs and did not refuse; if that is of no use
    the first reply and its cause stand. Usage, cost and latency are those of both calls.

    Args:
        model: The judge.
        request: The call; its first message is the prompt.
        blank: Who is judged by whom.
        read: What a reply says.
    """
    prompt = request.messages[0]["content"]
    asked = replace(blank, prompt=prompt, prompt_hash=digest(prompt), live=model.live, n_calls=1)
    try:
        reply = model.complete(request)
    except ModelError as problem:
        # What a recording does not hold was asked of nobody.
        n_calls = 0 if problem.cause == "not_recorded" else 1
        return failed(replace(asked, n_calls=n_calls), problem.cause, str(problem))
    first = _judged(asked, reply, read)
    if first.verdict.status != "unscored" or first.verdict.cause == "refusal" or not model.repairs:
        return first
    return _repaired(model, request, first, read)


def failed(blank: Judgment, cause: str, message: str) -> Judgment:
    """The judgment of a call that was not made, or brought nothing."""
    return replace(blank, verdict=Verdict("error", cause=cause, reason=message))


def sample_params(rubric: Rubric, params: Mapping[str, Any], sample: int) -> dict[str, Any]:
    """The parameters of one sample: its seed is the first one's plus its number."""
    asked = requested_params(rubric, params)
    if isinstance(asked.get("seed"), int):
        asked["seed"] += sample
    return asked


def raw_reply(reply: Reply) -> Any:
    """A reply as it is read and recorded: text, or a chat message."""
    if reply.raw is not None:
        return reply.raw
    return {"content": reply.text, "refusal": reply.refusal, "finish_reason": reply.finish_reason}


def _judged(blank: Judgment, reply: Reply, read: Read) -> Judgment:
    verdict = read(reply)
    return replace(
        blank,
        verdict=verdict,
        reply=slimmed(raw_reply(reply), verdict.token),
        model_returned=reply.model_returned,
        params_applied=reply.params_applied,
        cached=reply.cached,
        n_cached=int(reply.cached),
        usage=reply.usage,
        cost_usd=reply.cost_usd,
        latency_s=reply.latency_s,
    )


def _repaired(model: Model, request: Request, first: Judgment, read: Read) -> Judgment:
    said = first.reply if isinstance(first.reply, str) else (first.reply or {}).get("content")
    again = replace(
        request,
        key=replace(request.key, repair=True),
        messages=(
            *request.messages,
            {"role": "assistant", "content": said or ""},
            {"role": "user", "content": _REPAIR.format(reason=first.verdict.reason.rstrip("."))},
        ),
    )
    try:
        reply = model.complete(again)
    except (ModelError, RunStopped):
        # The judge did answer once: why that answer was of no use is the cause to report.
        return first
    second = _judged(first, reply, read)
    stands = second if second.verdict.status != "unscored" else first
    return replace(
        stands,
        repaired=True,
        n_calls=2,
        cached=first.cached and second.cached,
        n_cached=first.n_cached + second.n_cached,
        usage=both_usages(first.usage, second.usage),
        cost_usd=plus(first.cost_usd, second.cost_usd),
        latency_s=plus(first.latency_s, second.latency_s),
    )


def both_usages(one: Usage, other: Usage) -> Usage:
    """Tokens of two calls together."""
    return Usage(
        plus(one.input_tokens, other.input_tokens),
        plus(one.output_tokens, other.output_tokens),
        plus(one.cached_tokens, other.cached_tokens),
        plus(one.reasoning_tokens, other.reasoning_tokens),
    )


def plus(one: N | None, other: N | None) -> N | None:
    """The sum of two figures."""
    # What is unknown of one call is unknown of both together.
    return None if one is None or other is None else one + other
