"""The steps of `faux:` as users write them, and what is said about wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.scenarios.faux import check_steps, read_script


@pytest.mark.parametrize(
    "step",
    [
        "text",
        4.5,
        {"content": ""},
        {"content": "x", "tool-calls": [{"name": "f"}], "usage": {"input_tokens": 3}, "finish_reason": "length"},
        {"error": "rate_limit"},
        {"match": "a|b", "reply": {"error": "timeout"}},
    ],
)
def test_steps_of_the_contract_are_fine(step: Any) -> None:
    assert check_steps([step]) == []


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (None, "step 1: a faux step is empty"),
        (["x"], "step 1: a faux step is text or a mapping, not a list."),
        ({"contnet": "x"}, 'step 1: unknown key "contnet". Did you mean "content"?'),
        ({}, 'step 1: needs "content" or "tool_calls"'),
        ({"error": "rate"}, "step 1: \"error\" should be 'rate_limit', 'timeout'"),
        ({"match": "(", "reply": "x"}, 'step 1: "match" is not a regular expression: missing )'),
        ({"match": "a"}, 'step 1: "reply" is missing.'),
        ({"match": "a", "reply": {"match": "b", "reply": "c"}}, 'step 1: "reply" holds another "match"'),
        ({"content": "x", "usage": {"input_tokens": -1}}, 'step 1: "usage.input_tokens" should be greater than'),
    ],
)
def test_mistake_in_a_step_is_explained(step: Any, said: str) -> None:
    [message] = check_steps([step])
    assert message.startswith(said)


def test_every_mistake_of_a_list_is_named() -> None:
    assert len(check_steps([None, "fine", {"x": 1, "y": 2}])) == 3


def test_list_is_the_targets_script() -> None:
    assert read_script(["a", "b"]) == (("a", "b"), {}, [])


def test_no_script_differs_from_an_empty_one() -> None:
    assert (read_script(None)[0], read_script([])[0]) == (None, ())


def test_mapping_holds_the_scripts_of_target_and_judge() -> None:
    assert read_script({"target": ["a"], "judge": {"tone": ["4"]}}) == (("a",), {"tone": ("4",)}, [])


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ({"tarjet": ["a"]}, 'unknown key "tarjet". Did you mean "target"?'),
        ({"judge": ["4"]}, '"judge" must be a mapping from rubric names to lists of steps.'),
        ({"judge": {"tone": [None]}}, "judge: tone: step 1: a faux step is empty"),
        ({"target": [None]}, "target: step 1: a faux step is empty"),
    ],
)
def test_mistake_in_a_script_is_explained(script: Any, said: str) -> None:
    [message] = read_script(script)[2]
    assert message.startswith(said)
