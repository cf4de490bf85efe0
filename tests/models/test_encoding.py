"""The hash of a request, and replies that survive being written down."""

from __future__ import annotations

import json
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.errors import ModelError
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.encoding import decode_reply, encode_reply, request_hash
from judgekit.records import ToolCall, Usage

ASKED = Request(
    CallKey("a", "judge", "tone"),
    ({"role": "user", "content": "Q?"},),
    tools=({"name": "search"},),
    reply_schema={"properties": {"reason": {}, "score": {}}},
    params={"temperature": 0, "seed": 1},
)


def hashed(request: Request = ASKED, *, name: str = "m", base_url: str | None = None) -> str:
    return request_hash(name, base_url, request)


@pytest.mark.parametrize(
    "change",
    [
        {"messages": ({"role": "user", "content": "Q!"},)},
        {"messages": ({"role": "system", "content": "Q?"},)},
        {"tools": ()},
        {"reply_schema": None},
        {"reply_schema": {"properties": {"score": {}, "reason": {}}}},
        {"params": {"temperature": 0.7, "seed": 1}},
        {"params": {"temperature": 0}},
        {"params": {"temperature": 0, "seed": 1, "max_tokens": 50}},
        {"key": replace(ASKED.key, trial=1)},
        {"key": replace(ASKED.key, sample=1)},
    ],
    ids=str,
)
def test_everything_that_goes_out_and_the_repeat_belong_to_the_hash(change: dict[str, Any]) -> None:
    assert hashed(replace(ASKED, **change)) != hashed()


def test_model_and_address_belong_to_the_hash() -> None:
    addresses = {hashed(), hashed(name="n"), hashed(base_url="http://a/v1"), hashed(base_url="http://b/v1")}
    assert len(addresses) == 4


@pytest.mark.parametrize(
    "change",
    [
        {"key": replace(ASKED.key, case_id="b", rubric="other", variant="v2", role="target", repair=True)},
        {"is_usable": lambda reply: False},
        {"messages": ({"content": "Q?", "role": "user"},)},
        {"params": MappingProxyType({"seed": 1, "temperature": 0})},
    ],
    ids=["who asks", "is_usable", "order of keys in a message", "order of parameters"],
)
def test_what_the_model_never_sees_is_not_in_the_hash(change: dict[str, Any]) -> None:
    assert hashed(replace(ASKED, **change)) == hashed()


def test_a_slash_at_the_end_of_the_address_means_nothing() -> None:
    assert hashed(base_url="http://a/v1/") == hashed(base_url="http://a/v1")


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "params", [{"a": nested(100_000)}, {1: "a", "b": 2}, {("a",): 1}], ids=["deep", "mixed", "key"]
)
def test_a_request_that_is_no_json_is_an_error_of_its_call(params: Any) -> None:
    with pytest.raises(ModelError, match="the request cannot be written as JSON") as caught:
        hashed(replace(ASKED, params=params))
    assert caught.value.cause == "provider"


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "שלום", "\u2028", "😀"], ids=ascii)
def test_any_text_can_be_hashed(text: str) -> None:
    assert len(hashed(replace(ASKED, messages=({"role": "user", "content": text},)))) == 64


texts = st.none() | st.text(st.characters())  # Lone surrogates included.
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
fields = st.dictionaries(st.text(), json_values, max_size=3)
counts = st.none() | st.integers(0)
replies = st.builds(
    Reply,
    texts,
    tool_calls=st.lists(st.builds(ToolCall, st.text(), fields, st.text(), json_values), max_size=2).map(tuple),
    finish_reason=texts,
    refusal=texts,
    reasoning=texts,
    usage=st.builds(Usage, counts, counts, counts, counts),
    cost_usd=st.none() | st.floats(0, 1e9),
    latency_s=st.none() | st.floats(0, 1e9),
    model_returned=texts,
    params_applied=fields,
    raw=json_values,
)


@given(replies)
def test_a_reply_comes_back_as_it_was(reply: Reply) -> None:
    assert decode_reply(encode_reply(reply)) == reply


@given(replies)
def test_a_written_reply_is_one_line_of_ascii(reply: Reply) -> None:
    text = encode_reply(reply)
    assert text.isascii()
    assert "\n" not in text


def test_what_strict_json_has_no_place_for_is_null_or_text() -> None:
    reply = Reply("4", cost_usd=float("nan"), raw={"logprob": float("-inf"), "object": {1, 2}})
    again = decode_reply(encode_reply(reply))
    assert (again.cost_usd, again.raw) == (None, {"logprob": None, "object": [1, 2]})


def test_a_reply_nested_too_deeply_is_an_error_of_its_call() -> None:
    with pytest.raises(ModelError, match="nested too deeply"):
        encode_reply(Reply(None, tool_calls=(ToolCall("f", {"a": nested(100_000)}),)))


RECORD = json.loads(encode_reply(Reply("4")))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        "[" * 100_000,
        json.dumps(RECORD | {"text": 4}),
        json.dumps(RECORD | {"params_applied": []}),
        json.dumps(RECORD | {"usage": None}),
        json.dumps(RECORD | {"tool_calls": [{"title": "f"}]}),
        json.dumps(RECORD | {"from_a_later_version": 1}),
        json.dumps({"text": "4"}),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_reply_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011, json's own message, or ours
        decode_reply(text)
