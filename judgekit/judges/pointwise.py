"""One output in, one sample of one judge out: the prompt asked, the reply read, one repair turn at most."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from judgekit.judges.answering import own_answer, with_answer
from judgekit.judges.asking import ask_judge, failed, raw_reply, sample_params
from judgekit.judges.each import only
from judgekit.judges.prompting import evidence_context, judge_identity, judge_prompt, missing_evidence
from judgekit.judges.weighted import points_of, weighed
from judgekit.models.base import CallKey, Model, Reply, Request
from judgekit.prompts import reply_schema
from judgekit.records import Case, Judgment, Output, Rubric, Verdict


def judge_once(
    model: Model,
    rubric: Rubric,
    case: Case,
    output: Output,
    *,
    sample: int,
    params: Mapping[str, Any],
    threshold: Fraction | None,
    item: str = "",
) -> Judgment:
    """One sample of a judge on one output; whatever goes wrong with it is in the verdict.

    The verdict is `error` without a call where the output failed (its own cause) or the evidence that the rubric needs
    is missing (`no_context`, `no_reference`), and `error` with the model's cause where the call failed. Unreadable
    replies are repaired once, as `ask_judge` says.

    Args:
        model: The judge.
        rubric: What to judge by.
        case: The case, for its input and evidence.
        output: The text under test; a context of its own wins over the case's.
        sample: Number of the repeat, from 0.
        params: Requested parameters; a `seed` is asked for as seed + sample.
        threshold: Score that passes; None: the score only informs.
        item: The one item of the rubric that is asked for; empty: all of it.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    blank = Judgment(
        output.case_id or case.case_id,
        output.variant,
        output.trial,
        rubric.name,
        model.name,
        judge_identity(model.name, rubric, params),
        sample,
        Verdict("error"),
        item=item,
        params_requested=sample_params(rubric, params, sample),
    )
    if item:
        # The threshold is one on the whole.
        rubric, threshold = only(rubric, item), None
    if output.text is None:
        return failed(blank, output.cause or "no_output", output.message or "there is no output to judge")
    missing = missing_evidence(rubric, case, output)
    if missing:
        return failed(blank, *missing)

    answer: Reply | None = None
    if rubric.answer_first:
        given = own_answer(model, rubric, case, evidence_context(case, output), blank)
        if isinstance(given, Judgment):
            return given
        answer = given

    def read(reply: Reply) -> Verdict:
        return read_verdict(rubric, reply, threshold)

    own = None if answer is None else answer.text or ""
    prompt = judge_prompt(rubric, case, output, own_answer=own)

    request = Request(
        CallKey(blank.case_id, "judge", rubric.name, output.variant, output.trial, sample, item=item),
        ({"role": "user", "content": prompt},),
        reply_schema=reply_schema(rubric),
        params=blank.params_requested,
        # What could not be read is asked again by a later run instead of being found again.
        is_usable=lambda reply: read(reply).status != "unscored",
    )
    judgment = ask_judge(model, request, blank, read)
    return judgment if answer is None else with_answer(judgment, answer)


def read_verdict(rubric: Rubric, reply: Reply, threshold: Fraction | None) -> Verdict:
    """What a reply says by the form that the rubric asks for."""
    raw = raw_reply(reply)
    # Its patterns take a while to make, and runs without a judge never need them.
    from judgekit.judges.reply import read_reply

    verdict = read_reply(
        raw,
        scale=rubric.scale,
        labels=rubric.labels or None,
        checklist=rubric.checklist or None,
        criteria=rubric.criteria or None,
        label_key=rubric.name if rubric.scale else None,
        threshold=threshold,
    )
    if not rubric.weighted:
        return verdict
    said = verdict.label if rubric.labels else None if verdict.score is None else f"{verdict.score:g}"
    return weighed(verdict, raw, points_of(rubric), said, threshold, rubric.name)
