"""A rubric in; the template and the JSON form of the reply that fit its kind out."""

from __future__ import annotations

from typing import Any

from judgekit.records import Rubric, Scale


def default_template(rubric: Rubric) -> str:
    """Name of the built-in template for the rubric's kind.

    Example:
        >>> default_template(Rubric("tone", "Is it kind?", scale=Scale(1, 5)))
        'pointwise.j2'
    """
    if rubric.pairwise:
        return "pairwise.j2"
    if rubric.labels:
        return "labels.j2"
    if rubric.checklist:
        return "checklist.j2"
    return "criteria.j2" if rubric.criteria else "pointwise.j2"


def reply_schema(rubric: Rubric) -> dict[str, Any]:
    """JSON Schema of the reply: the reason stands before the score, so that it is written before it.

    Bounds stand in the descriptions, as not every provider takes `minimum` and `maximum`.

    Example:
        >>> list(reply_schema(Rubric("tone", "Is it kind?", scale=Scale(1, 5)))["properties"])
        ['reason', 'score']
    """
    if rubric.pairwise:
        return _closed({"reason": _REASON, "winner": {"type": "string", "enum": list(rubric.pairwise)}})
    if rubric.labels:
        return _closed({"reason": _REASON, "label": {"type": "string", "enum": list(rubric.labels)}})
    if rubric.checklist:
        answer = {"type": "string", "enum": ["yes", "no"]}
        items = {
            name: _closed({"reason": _REASON, "answer": answer | {"description": question}})
            for name, question in rubric.checklist.items()
        }
        return _closed({"items": _closed(items)})
    if rubric.criteria:
        items = {name: _closed({"reason": _REASON, "score": _score(one)}) for name, one in rubric.criteria.items()}
        return _closed({"criteria": _closed(items)})
    return _closed({"reason": _REASON, "score": _score(rubric.scale, whole=rubric.weighted)})


_REASON = {"type": "string", "description": "Why, in one to three sentences."}


def _score(scale: Scale | None, *, whole: bool = False) -> dict[str, Any]:
    bounds = {"description": f"From {scale.min:g} to {scale.max:g}."} if scale else {}
    return {"type": "integer" if whole else "number"} | bounds


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
