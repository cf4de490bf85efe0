"""What functions and programs may answer."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.errors import TargetError
from judgekit.records import Case, Context, Output, ToolCall, Usage
from judgekit.targets.answer import to_output

CASE = Case("a")


def read(answer: Any) -> Output:
    return to_output(answer, CASE, "v1", 2, latency_s=0.5)


def test_a_text_is_the_output() -> None:
    output = read("hi")
    assert (output.text, output.case_id, output.variant, output.trial, output.latency_s) == ("hi", "a", "v1", 2, 0.5)
    assert (output.tool_calls, output.usage) == (None, Usage())


def test_a_mapping_may_say_more() -> None:
    output = read(
        {
            "output": "hi",
            "context": ["c", {"id": 3, "text": "d"}],
            "tool_calls": [{"name": "f", "args": {"x": 1}, "result": "y"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 4, "cached_tokens": 1},
            "cost_usd": 0.01,
            "finish_reason": "stop",
            "model": "m",
        }
    )
    assert output.context == (Context("c"), Context("d", "3"))
    assert output.tool_calls == (ToolCall("f", {"x": 1}, result="y"),)
    assert output.usage == Usage(3, 4, 1)
    assert (output.cost_usd, output.finish_reason, output.model) == (0.01, "stop", "m")


def test_an_output_is_taken_with_all_that_it_knows() -> None:
    output = read(Output("hi", "other", "other", 9, flags=("cut",), latency_s=3.0, context=(Context("c"),)))
    assert (output.case_id, output.variant, output.trial) == ("a", "v1", 2)
    assert (output.flags, output.latency_s, output.context) == (("cut",), 3.0, (Context("c"),))


def test_an_output_without_text_is_a_failed_call_with_its_cause() -> None:
    assert read(Output(None, cause="rate_limit", message="429")).cause == "rate_limit"
    assert read(Output(None)).cause == "target"


@pytest.mark.parametrize(
    "answer",
    [
        None,
        3,
        ["hi"],
        {},
        {"text": "hi"},
        {"output": None},
        {"output": 3},
        {"output": "x", "tool_calls": "f"},
        {"output": "x", "tool_calls": [{"args": {}}]},
        {"output": "x", "usage": 3},
        {"output": "x", "usage": {"input_tokens": -1}},
        {"output": "x", "usage": {"input_tokens": True}},
        {"output": "x", "cost_usd": "free"},
        {"output": "x", "cost_usd": float("nan")},
        b"hi",
        Output(3),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_anything_else_is_malformed(answer: Any) -> None:
    with pytest.raises(TargetError) as caught:
        read(answer)
    assert caught.value.cause == "malformed"


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert read("a\ud800b").text == "a\ufffdb"
    assert read({"output": "\udc00"}).text == "\ufffd"


def test_arguments_nested_without_end_are_malformed() -> None:
    with pytest.raises(TargetError):
        read({"output": "x", "tool_calls": [{"name": "f", "arguments": "[" * 100_000}]})


def test_arguments_nested_deeper_than_what_writes_them_goes_are_malformed() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(TargetError, match="nested too deeply: at most 100 levels"):
        read({"output": "x", "tool_calls": [{"name": "f", "args": {"q": deep}}]})
