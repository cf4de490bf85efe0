"""Requests in, the hashes they are kept under out; replies to one line of JSON, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from judgekit.errors import ModelError
from judgekit.models.base import Reply, Request
from judgekit.records import ToolCall, Usage
from judgekit.writing import clean


def request_hash(name: str, base_url: str | None, request: Request) -> str:
    """SHA-256 of everything that goes out with a call, and of which repeat it is: 64 hex digits.

    That is base URL, model, messages, tools, reply schema and requested parameters; trial and sample count too, or a
    repeat would only be told what it was told before; so does the order of a pair. Case, rubric and `is_usable` do not.
    The order of keys matters in tools and reply schema, where a model sees it and follows it, and nowhere else.

    Args:
        name: The model as the user named it.
        base_url: Where the call goes; None: the provider's own address. A slash at the end means nothing.
        request: The call.

    Raises:
        ModelError: the request can't be written as JSON, so that it can't be sent either.

    Example:
        >>> from judgekit.models.base import CallKey
        >>> cold = Request(CallKey("a", "judge"), ({"role": "user", "content": "Q?"},), params={"temperature": 0})
        >>> other_case = Request(CallKey("b", "judge"), cold.messages, params={"temperature": 0})
        >>> warm = Request(CallKey("a", "judge"), cold.messages, params={"temperature": 0.7})
        >>> hashes = [request_hash("gpt-4o", None, one) for one in (cold, other_case, warm)]
        >>> hashes[0] == hashes[1], hashes[0] == hashes[2]
        (True, False)
    """
    try:
        said = {
            "base_url": (base_url or "").rstrip("/"),
            "model": name,
            "messages": request.messages,
            "tools": _in_order(request.tools),
            "reply_schema": _in_order(request.reply_schema),
            "params": request.params,
            "trial": request.key.trial,
            "sample": request.key.sample,
            # Two outputs that are the same make one prompt in both orders, and are two questions all the same.
            **({"order": request.key.order} if request.key.order else {}),
        }
        text = json.dumps(said, sort_keys=True, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError) as problem:
        raise ModelError(f"the request cannot be written as JSON: {_said(problem)}", "provider") from problem
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def encode_reply(reply: Reply) -> str:
    """The complete reply as one line of strict ASCII JSON, without `cached`, which depends on who asks.

    Escapes keep what UTF-8 cannot hold, such as the lone surrogates that models do send. What strict JSON has no place
    for (NaN, objects of a client library) is written as null or text.

    Raises:
        ModelError: the reply is nested too deeply to be written down.

    Example:
        >>> decode_reply(encode_reply(Reply("Yes.", cost_usd=0.01))) == Reply("Yes.", cost_usd=0.01)
        True
    """
    usage = reply.usage
    record = {
        "text": reply.text,
        "tool_calls": [
            {"name": call.name, "args": call.args, "id": call.id, "result": call.result} for call in reply.tool_calls
        ],
        "finish_reason": reply.finish_reason,
        "refusal": reply.refusal,
        "reasoning": reply.reasoning,
        "usage": {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cached_tokens": usage.cached_tokens,
            "reasoning_tokens": usage.reasoning_tokens,
        },
        "cost_usd": reply.cost_usd,
        "latency_s": reply.latency_s,
        "model_returned": reply.model_returned,
        "params_applied": reply.params_applied,
        "raw": reply.raw,
    }
    try:
        try:
            return _strict(record)
        except (TypeError, ValueError):
            return _strict(clean(record))
    except RecursionError as problem:
        raise ModelError("the reply is nested too deeply to be read", "provider") from problem


def decode_reply(text: str) -> Reply:
    """The reply that `encode_reply` wrote.

    Raises:
        ValueError: it did not write this.
    """
    try:
        return reply_from(json.loads(text))
    except RecursionError as problem:
        raise ValueError("not a reply: nested too deeply") from problem


def reply_from(record: Any) -> Reply:
    """The reply of what `encode_reply` wrote, parsed.

    Raises:
        ValueError: it did not write this.
    """
    try:
        calls = tuple(ToolCall(**call) for call in record["tool_calls"])
        reply = Reply(**record | {"tool_calls": calls, "usage": Usage(**record["usage"])})
    except (TypeError, KeyError) as problem:
        raise ValueError(f"not a reply: {_said(problem)}") from problem
    if not isinstance(reply.text, str | None) or not isinstance(reply.params_applied, dict | None):
        raise ValueError("not a reply: a field has a value of another kind")
    return reply


def outgoing_text(request: Request) -> str:
    """What goes out with the request as one text, its JSON form included: what a bound on its tokens goes by."""
    parts = (request.messages, request.tools, request.reply_schema)
    return "".join(json.dumps(part, ensure_ascii=False, default=_plain) for part in parts if part)


def _in_order(part: Any) -> str:
    return json.dumps(part, default=_plain)


def _strict(record: Any) -> str:
    return json.dumps(record, allow_nan=False, separators=(",", ":"), default=_mapping)


def _mapping(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else repr(value)


def _said(problem: Exception) -> str:
    return str(problem) or type(problem).__name__
