"""The reply form of each kind of rubric."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from judgekit.judges.reply import read_reply
from judgekit.prompts import default_template, reply_schema
from judgekit.records import Rubric, Scale

KINDS = {
    "pointwise.j2": (Rubric("r", "Q?", scale=Scale(1, 5)), {"reason": "r", "score": 4}),
    "labels.j2": (Rubric("r", "Q?", labels={"A": 1, "B": 0}), {"reason": "r", "label": "A"}),
    "checklist.j2": (
        Rubric("r", "Q?", checklist={"cites": "Does it cite?"}),
        {"items": {"cites": {"reason": "r", "answer": "yes"}}},
    ),
    "criteria.j2": (
        Rubric("r", "Q?", criteria={"depth": Scale(0, 1)}),
        {"criteria": {"depth": {"reason": "r", "score": 0.5}}},
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_template_follows_from_the_kind_of_rubric(name: str) -> None:
    assert default_template(KINDS[name][0]) == name


@pytest.mark.parametrize("name", KINDS)
def test_reply_in_the_form_asked_for_is_readable(name: str) -> None:
    rubric, reply = KINDS[name]
    jsonschema.validate(reply, reply_schema(rubric))
    verdict = read_reply(
        json.dumps(reply),
        scale=rubric.scale,
        labels=rubric.labels or None,
        checklist=rubric.checklist or None,
        criteria=rubric.criteria or None,
    )
    assert verdict.status == "scored"


@pytest.mark.parametrize("name", KINDS)
def test_every_object_of_the_form_is_closed_and_complete(name: str) -> None:
    # Providers' strict modes take a schema only so.
    for one in _objects(reply_schema(KINDS[name][0])):
        assert (one["additionalProperties"], one["required"]) == (False, list(one["properties"]))


def test_reason_is_written_before_the_score() -> None:
    assert list(reply_schema(KINDS["pointwise.j2"][0])["properties"]) == ["reason", "score"]


def _objects(schema: dict[str, Any]) -> list[dict[str, Any]]:
    inner = [found for one in schema.get("properties", {}).values() for found in _objects(one)]
    return [schema, *inner] if schema["type"] == "object" else inner
