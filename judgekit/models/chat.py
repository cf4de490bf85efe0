"""A chat completion in, a Reply out; nothing of the answer is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.models.base import Reply
from judgekit.reading.tables import parse_cell
from judgekit.reading.text import without_surrogates
from judgekit.records import ToolCall, Usage
from judgekit.writing import clean

UNPARSED = "_unparsed"
"""The one argument of a tool call whose arguments were no JSON object: their text as the model wrote it."""


def read_completion(completion: Any) -> Reply:
    """The reply of a chat completion, without cost, latency and applied parameters.

    Args:
        completion: An object with the attributes of the OpenAI API's.

    Returns:
        A Reply whose `raw` is a chat message `{content, tool_calls?, reasoning_content?, refusal?, finish_reason,
        logprobs?}`. An answer without choices has text None and finish reason None: a judge's is then `empty`.
    """
    choices = completion.choices or ()
    choice = choices[0] if choices else None
    message = getattr(choice, "message", None)
    reason = _text(getattr(choice, "finish_reason", None))
    content = _text(_get(message, "content"))
    calls = [_call(one, number) for number, one in enumerate(_get(message, "tool_calls") or (), start=1)]
    extra = {
        "tool_calls": [written for _, written in calls],
        "reasoning_content": _text(_get(message, "reasoning_content")),
        "refusal": _text(_get(message, "refusal")),
    }
    raw: dict[str, Any] = {"content": content, **{name: value for name, value in extra.items() if value}}
    raw["finish_reason"] = reason
    logprobs = getattr(choice, "logprobs", None)
    if logprobs is not None:
        raw["logprobs"] = clean(_without_bytes(logprobs.model_dump() if hasattr(logprobs, "model_dump") else logprobs))
    return Reply(
        content,
        tuple(call for call, _ in calls),
        reason,
        refusal=raw.get("refusal"),
        reasoning=raw.get("reasoning_content"),
        usage=_usage(getattr(completion, "usage", None)),
        model_returned=_text(getattr(completion, "model", None)),
        raw=raw,
    )


def _without_bytes(logprobs: Any) -> Any:
    """The log-probabilities without the bytes of each token, which only repeat its text at several times its length."""
    if isinstance(logprobs, Mapping):
        return {name: _without_bytes(value) for name, value in logprobs.items() if name != "bytes"}
    return [_without_bytes(one) for one in logprobs] if isinstance(logprobs, list) else logprobs


def _call(call: Any, number: int) -> tuple[ToolCall, dict[str, Any]]:
    function = _get(call, "function")
    name = _text(_get(function, "name")) or ""
    given = _get(function, "arguments")
    # A call without an id could not be answered; ids only have to differ within one message.
    own_id = _text(_get(call, "id")) or f"call_{number}"
    if isinstance(given, Mapping):
        args = clean(given)
    else:
        given = _text(given) or ""
        value = parse_cell(given) if given.strip() else {}
        args = value if isinstance(value, dict) else {UNPARSED: given}
    return ToolCall(name, args, own_id), {
        "id": own_id,
        "type": "function",
        "function": {"name": name, "arguments": clean(given)},
    }


def _usage(usage: Any) -> Usage:
    read, written = _count(_get(usage, "prompt_tokens")), _count(_get(usage, "completion_tokens"))
    if not read and not written:
        # litellm writes 0 where the provider said nothing, and no call has an empty prompt.
        return Usage()
    return Usage(
        read,
        written,
        _count(_get(_get(usage, "prompt_tokens_details"), "cached_tokens")),
        _count(_get(_get(usage, "completion_tokens_details"), "reasoning_tokens")),
    )


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _get(source: Any, name: str) -> Any:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def _text(value: Any) -> str | None:
    """The text of a field, also where it comes in parts; None if there is none."""
    if isinstance(value, list):
        parts = [one if isinstance(one, str) else _get(one, "text") for one in value]
        value = "".join(part for part in parts if isinstance(part, str))
    return without_surrogates(value) if isinstance(value, str) else None
