"""A rubric, a case and an output in; the judge's prompt out, or the cause why it can't be asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.judges.weighted import LOGPROBS
from judgekit.prompts import builtin_source, default_template, marker_for, render_source, reply_schema
from judgekit.records import Case, Context, Output, Rubric


def judge_prompt(rubric: Rubric, case: Case, output: Output, *, own_answer: str | None = None) -> str:
    """The prompt as a judge gets it: constant part first, then the evidence the rubric needs, the output last.

    `own_answer` is what the judge itself answered; given exactly where the rubric says `answer_first`.

    Raises:
        InputError: the rubric's template asks for a variable that it is not given.
    """
    text = output.text or ""
    context = evidence_context(case, output)
    variables = evidence_variables(rubric, case, context, (text, own_answer or ""), own_answer)
    name, source = template_of(rubric)
    return render_source(source, {**variables, "output": text}, name=name)


def evidence_variables(
    rubric: Rubric,
    case: Case,
    context: Sequence[Context] | None,
    texts: Sequence[str],
    own_answer: str | None = None,
) -> dict[str, Any]:
    """What every template is given, but for the texts under test; the marker is none that they, or evidence, hold."""
    shown = [case.input] if "input" in rubric.needs else []
    if "context" in rubric.needs:
        shown += [piece.text for piece in context or ()]
    if "reference" in rubric.needs:
        shown.append(case.reference or "")
    scale = rubric.scale
    variables: dict[str, Any] = {
        "question": rubric.question,
        "scale": scale,
        "anchors": sorted(scale.anchors.items()) if scale else [],
        "labels": list(rubric.labels.items()),
        "checklist": list(rubric.checklist.items()),
        "criteria": list(rubric.criteria.items()),
        "weighted": rubric.weighted,
        "own_answer": own_answer,
        "needs": list(rubric.needs),
        "marker": marker_for("\n".join(shown), *texts),
        "vars": dict(case.vars),
    }
    # Evidence that the rubric does not name is not even offered, so a template can't leak it to the judge.
    if "input" in rubric.needs:
        variables["input"] = case.input
    if "context" in rubric.needs:
        variables["context"] = list(context or ())
    if "reference" in rubric.needs:
        variables["reference"] = case.reference
    return variables


def missing_evidence(rubric: Rubric, case: Case, output: Output) -> tuple[str, str] | None:
    """Cause and message where the rubric needs evidence that is not there; None if nothing is missing."""
    if "context" in rubric.needs and not evidence_context(case, output):
        return "no_context", f'rubric "{rubric.name}" needs a context; neither the case nor the output has one'
    if "reference" in rubric.needs and not (case.reference or "").strip():
        return "no_reference", f'rubric "{rubric.name}" needs a reference; the case has none'
    return None


def evidence_context(case: Case, output: Output) -> tuple[Context, ...] | None:
    """The context that the judge sees: what the target retrieved wins over what the case supplies."""
    return output.context if output.context is not None else case.context


def template_of(rubric: Rubric) -> tuple[str, str]:
    """Name and Jinja source of the template that a rubric is asked with."""
    if rubric.template:
        return rubric.template_name or rubric.file or "template", rubric.template
    name = default_template(rubric)
    return name, builtin_source(name)


def judge_identity(model_name: str, rubric: Rubric, params: Mapping[str, Any]) -> str:
    """Twelve hex digits for everything that makes one judge the same as another.

    Requested model, template, rubric (without its threshold, which the judge never sees), reply schema and requested
    parameters; not what was applied or returned, which is recorded beside it.

    Example:
        >>> tone = Rubric("tone", "Is it kind?")
        >>> judge_identity("gpt-4o", tone, {}) == judge_identity("gpt-4o", tone, {"temperature": 0})
        False
    """
    scale = rubric.scale
    parts = {
        "model": model_name,
        "template": template_of(rubric)[1],
        "rubric": {
            "name": rubric.name,
            "question": rubric.question,
            "scale": scale and [scale.min, scale.max, sorted(scale.anchors.items())],
            "labels": list(rubric.labels.items()),
            "checklist": list(rubric.checklist.items()),
            "criteria": [
                [name, one.min, one.max, sorted(one.anchors.items())] for name, one in rubric.criteria.items()
            ],
            **({"pairwise": list(rubric.pairwise)} if rubric.pairwise else {}),
            **({"calls": rubric.calls} if rubric.calls != "one" else {}),
            **({"answer_first": builtin_source("answer.j2")} if rubric.answer_first else {}),
            "needs": list(rubric.needs),
        },
        "schema": reply_schema(rubric),
        "params": requested_params(rubric, params),
    }
    return digest(json.dumps(parts, sort_keys=True, default=str))


def requested_params(rubric: Rubric, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that a judge is asked with: a weighted rubric needs log-probabilities."""
    return {**params, **(LOGPROBS if rubric.weighted else {})}


def digest(text: str) -> str:
    """First twelve hex digits of the text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
