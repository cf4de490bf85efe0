"""No situation is forgotten, and none passes without a claim about everything that is expected of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))}


def test_every_kind_has_its_test(rows: list[dict[str, Any]]) -> None:
    kinds = [found[1] for text in SOURCES.values() if (found := re.search(r'^KIND = "(.+)"$', text, re.MULTILINE))]
    assert sorted(kinds) == sorted({row["kind"] for row in rows})


def test_every_situation_is_handled_by_name_or_by_the_rule_of_its_kind(
    rows: list[dict[str, Any]], live: dict[str, str]
) -> None:
    handled = [name for text in SOURCES.values() for name in re.findall(r'^    "(BR-\d+)": \w+,$', text, re.MULTILINE)]
    # The rules of these kinds read every situation the same way; what they list by name are variations.
    by_rule = {row["id"] for row in rows if row["kind"] in ("judge-reply", "checks")}
    by_name = [name for name in handled if name not in by_rule]
    assert sorted([*by_name, *by_rule, *live]) == sorted(row["id"] for row in rows)
    assert len(rows) == 90


def test_every_situation_expects_something(rows: list[dict[str, Any]]) -> None:
    assert [row["id"] for row in rows if not row["expected"]] == []


def test_what_was_not_looked_at_is_named(as_situation: Any) -> None:
    expected = {"status": "pass", "also_case": {"status": "fail"}, "never": ["x"], "also_ok": [{}]}
    one = as_situation({"id": "BR-000", "input": {}, "expected": expected})
    assert one.expected["status"] == "pass"
    assert one.expected["also_case"]
    assert one.leftover() == ["never", "also_case.status"]
    one.sets_aside("never", because="there is no such thing here")
    one.sets_aside("also_case.status", because="the same")
    assert one.leftover() == []


def test_only_what_is_expected_can_be_set_aside(as_situation: Any) -> None:
    one = as_situation({"id": "BR-000", "input": {}, "expected": {"status": "pass"}})
    with pytest.raises(AssertionError, match="expects no score"):
        one.sets_aside("score", because="no reason")
