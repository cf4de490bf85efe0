"""Hashes that change with what they stand for and with nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judgekit.pipeline.hashes import asked, case_hash, short
from judgekit.records import AgentConfig, Case, Context

CASE = Case("a", input="q", turns=("t",), vars={"x": 1}, reference="r", context=(Context("c"),))


@pytest.mark.parametrize(
    "change",
    [
        {"input": "Q"},
        {"turns": ("t", "u")},
        {"vars": {"x": 2}},
        {"reference": None},
        {"context": (Context("c", "id"),)},
        {"context": None},
        {"tools": {"f": {}}},
        {"agent_config": AgentConfig(Path(), "p", "hash")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_hash_of_a_case_changes_with_what_it_asks(change: dict[str, Any]) -> None:
    assert case_hash(replace(CASE, **change)) != case_hash(CASE)


@pytest.mark.parametrize("change", [{"case_id": "b"}, {"tags": ("x",)}, {"output": "y"}, {"file": "f"}, {"line": 3}])
def test_and_with_nothing_else(change: dict[str, Any]) -> None:
    assert case_hash(replace(CASE, **change)) == case_hash(CASE)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"input": "Q"}, 0),
        ({"turns": ()}, 0),
        ({"vars": {"x": 2}}, 1),
        ({"context": (Context("d"),)}, 2),
        ({"reference": "s"}, 3),
    ],
)
def test_what_is_asked_has_a_hash_of_each_part(change: dict[str, Any], part: int) -> None:
    before, after = asked(CASE), asked(replace(CASE, **change))

    assert [at for at in range(4) if before[at] != after[at]] == [part]


@pytest.mark.parametrize("change", [{"tools": {"f": {}}}, {"agent_config": AgentConfig(Path(), "p", "hash")}])
def test_another_agent_is_asked_the_same(change: dict[str, Any]) -> None:
    assert asked(replace(CASE, **change)) == asked(CASE)


def test_order_of_keys_does_not_matter_and_order_of_items_does() -> None:
    assert short({"a": 1, "b": 2}) == short({"b": 2, "a": 1})
    assert short([1, 2]) != short([2, 1])


@pytest.mark.parametrize("value", [float("nan"), "\ud800", {3: [Path("x")]}, None, {"a": {1, 2}}])
def test_anything_has_a_hash(value: Any) -> None:
    assert len(short(value)) == 12
