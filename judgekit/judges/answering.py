"""A task in, a judge's own answer to it out: asked for before the judge sees what it is to judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judgekit.errors import ModelError
from judgekit.judges.asking import both_usages, failed, plus
from judgekit.judges.prompting import digest, evidence_variables
from judgekit.models.base import CallKey, Model, Reply, Request
from judgekit.prompts import builtin_source, render_source
from judgekit.records import Case, Context, Judgment, Rubric


def own_answer(
    model: Model, rubric: Rubric, case: Case, context: Sequence[Context] | None, blank: Judgment
) -> Reply | Judgment:
    """The judge's answer to the task, or the judgment that says why there is none.

    All outputs of a case get the same answer: it is asked for in the same words, so a cache gives it again. Without a
    cache (`--no-cache`) it is asked for, and paid, with each output, and need not be the same.

    Args:
        model: The judge.
        rubric: Says whether the context is shown; the reference never is.
        case: The task.
        context: Its context, or what the target retrieved.
        blank: Who is judged by whom.
    """
    prompt = answer_prompt(rubric, case, context)
    key = CallKey(blank.case_id, "judge", rubric.name, blank.variant, sample=blank.sample, step="answer")
    request = Request(key, ({"role": "user", "content": prompt},), params=_plain(blank.params_requested))
    try:
        return model.complete(request)
    except ModelError as problem:
        asked = replace(blank, prompt=prompt, prompt_hash=digest(prompt), live=model.live, n_calls=1)
        return failed(asked, problem.cause, f"asked for an answer of its own: {problem}")


def with_answer(one: Judgment, answer: Reply) -> Judgment:
    """The judgment with the answer it was made beside; usage, cost and latency are those of all its calls."""
    flags = one.verdict.flags if (answer.text or "").strip() else (*one.verdict.flags, "no_own_answer")
    return replace(
        one,
        verdict=replace(one.verdict, flags=flags),
        own_answer=answer.text or "",
        n_calls=one.n_calls + 1,
        n_cached=one.n_cached + answer.cached,
        cached=one.cached and answer.cached,
        usage=both_usages(one.usage, answer.usage),
        cost_usd=plus(one.cost_usd, answer.cost_usd),
        latency_s=plus(one.latency_s, answer.latency_s),
    )


def answer_prompt(rubric: Rubric, case: Case, context: Sequence[Context] | None) -> str:
    """The prompt that asks the judge for an answer of its own; neither the output nor the reference is in it."""
    variables = evidence_variables(replace(rubric, needs=_shown(rubric)), case, context, ())
    return render_source(builtin_source("answer.j2"), variables, name="answer.j2")


def _shown(rubric: Rubric) -> tuple[str, ...]:
    return tuple(one for one in rubric.needs if one != "reference")


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    # Of an answer in prose nobody weighs the tokens.
    return {name: value for name, value in params.items() if name not in ("logprobs", "top_logprobs")}
