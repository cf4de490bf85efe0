"""One output in, one sample of one judge out: the prompt asked, the reply read, one repair turn at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from judgekit.errors import ModelError, RunStopped
from judgekit.judges.prompting import digest, judge_identity, judge_prompt, missing_evidence
from judgekit.judges.reply import read_reply
from judgekit.models.base import CallKey, Model, Reply, Request
from judgekit.prompts import reply_schema
from judgekit.records import Case, Judgment, Output, Rubric, Usage, Verdict

N = TypeVar("N", int, float)

_REPAIR = (
    "That reply could not be read: {reason}. Reply again with the JSON object asked for and nothing else. "
    "Keep your judgment; only its form was wrong."
)


def judge_once(
    model: Model,
    rubric: Rubric,
    case: Case,
    output: Output,
    *,
    sample: int,
    params: Mapping[str, Any],
    threshold: Fraction | None,
) -> Judgment:
    """One sample of a judge on one output; whatever goes wrong with it is in the verdict.

    The verdict is `error` without a call where the output failed (its own cause) or the evidence that the rubric needs
    is missing (`no_context`, `no_reference`), and `error` with the model's cause where the call failed. An unreadable
    reply gets one repair turn where the model allows repairs and did not refuse; if that is of no use the first reply
    and its cause stand. Usage, cost and latency are those of both calls.

    Args:
        model: The judge.
        rubric: What to judge by.
        case: The case, for its input and evidence.
        output: The text under test; a context of its own wins over the case's.
        sample: Number of the repeat, from 0.
        params: Requested parameters; a `seed` is asked for as seed + sample.
        threshold: Score that passes; None: the score only informs.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    asked = _with_seed(params, sample)
    blank = Judgment(
        output.case_id or case.case_id,
        output.variant,
        output.trial,
        rubric.name,
        model.name,
        judge_identity(model.name, rubric, params),
        sample,
        Verdict("error"),
        params_requested=asked,
    )
    if output.text is None:
        return _failed(blank, output.cause or "no_output", output.message or "there is no output to judge")
    missing = missing_evidence(rubric, case, output)
    if missing:
        return _failed(blank, *missing)
    request = judge_request(rubric, case, output, sample=sample, params=params, threshold=threshold)
    prompt = request.messages[0]["content"]
    asked_with = replace(blank, prompt=prompt, prompt_hash=digest(prompt), live=model.live)
    try:
        reply = model.complete(request)
    except ModelError as problem:
        return _failed(asked_with, problem.cause, str(problem))
    first = _judged(asked_with, rubric, reply, threshold)
    if first.verdict.status != "unscored" or first.verdict.cause == "refusal" or not model.repairs:
        return first
    return _repaired(model, request, first, rubric, threshold)


def judge_request(
    rubric: Rubric,
    case: Case,
    output: Output,
    *,
    sample: int,
    params: Mapping[str, Any],
    threshold: Fraction | None,
) -> Request:
    """The call that `judge_once` makes first; its arguments are those.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    return Request(
        CallKey(output.case_id or case.case_id, "judge", rubric.name, output.variant, output.trial, sample),
        ({"role": "user", "content": judge_prompt(rubric, case, output)},),
        reply_schema=reply_schema(rubric),
        params=_with_seed(params, sample),
        # What could not be read is asked again by a later run instead of being found again.
        is_usable=lambda reply: _verdict(rubric, reply, threshold).status != "unscored",
    )


def _with_seed(params: Mapping[str, Any], sample: int) -> dict[str, Any]:
    asked = dict(params)
    if isinstance(asked.get("seed"), int):
        asked["seed"] += sample
    return asked


def _repaired(model: Model, request: Request, first: Judgment, rubric: Rubric, threshold: Fraction | None) -> Judgment:
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
    second = _judged(first, rubric, reply, threshold)
    stands = second if second.verdict.status != "unscored" else first
    return replace(
        stands,
        repaired=True,
        cached=first.cached and second.cached,
        n_cached=first.n_cached + second.n_cached,
        usage=_both(first.usage, second.usage),
        cost_usd=_plus(first.cost_usd, second.cost_usd),
        latency_s=_plus(first.latency_s, second.latency_s),
    )


def _judged(blank: Judgment, rubric: Rubric, reply: Reply, threshold: Fraction | None) -> Judgment:
    return replace(
        blank,
        verdict=_verdict(rubric, reply, threshold),
        reply=reply.raw if reply.raw is not None else _message(reply),
        model_returned=reply.model_returned,
        params_applied=reply.params_applied,
        cached=reply.cached,
        n_cached=int(reply.cached),
        usage=reply.usage,
        cost_usd=reply.cost_usd,
        latency_s=reply.latency_s,
    )


def _verdict(rubric: Rubric, reply: Reply, threshold: Fraction | None) -> Verdict:
    return read_reply(
        reply.raw if reply.raw is not None else _message(reply),
        scale=rubric.scale,
        labels=rubric.labels or None,
        checklist=rubric.checklist or None,
        criteria=rubric.criteria or None,
        label_key=rubric.name if rubric.scale else None,
        threshold=threshold,
    )


def _message(reply: Reply) -> dict[str, Any]:
    return {"content": reply.text, "refusal": reply.refusal, "finish_reason": reply.finish_reason}


def _failed(blank: Judgment, cause: str, message: str) -> Judgment:
    return replace(blank, verdict=Verdict("error", cause=cause, reason=message))


def _both(one: Usage, other: Usage) -> Usage:
    return Usage(
        _plus(one.input_tokens, other.input_tokens),
        _plus(one.output_tokens, other.output_tokens),
        _plus(one.cached_tokens, other.cached_tokens),
        _plus(one.reasoning_tokens, other.reasoning_tokens),
    )


def _plus(one: N | None, other: N | None) -> N | None:
    # What is unknown of one call is unknown of both together.
    return None if one is None or other is None else one + other
