"""A raw reply in, its parts out: text or a chat message, as models, recordings and people hand it over."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from judgekit.errors import InputError
from judgekit.judges.scan import JsonObject, as_objects, scan
from judgekit.reading.text import without_surrogates

_MESSAGE_KEYS = frozenset(("content", "reasoning_content", "tool_calls", "finish_reason", "refusal"))
_CUT = frozenset(("length", "max_tokens", "model_length"))
_FILTERED = frozenset(("content_filter", "refusal", "safety"))
_REFUSES = re.compile(
    r"(?:i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|i (?:can['’]?t|cannot|can not|won['’]?t|will not|must decline)"
    r"|i['’]?m (?:unable|not able)|i am (?:unable|not able)|as an ai\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Message:
    """One reply of a judge."""

    text: str
    arguments: tuple[JsonObject, ...] = ()
    """Arguments of its tool calls, those that are objects."""
    cut: bool = False
    """True if the provider says that the reply was cut short."""
    finished: bool = False
    """True if the provider says that the reply is complete."""
    refused: str | None = None
    """The refusal, where the provider marks one."""


def as_message(reply: Any) -> Message:
    """The parts of a reply.

    Args:
        reply: Text; a chat message (`content, reasoning_content, tool_calls, finish_reason, refusal`); a verdict that
            is already a mapping; or None for no content.

    Raises:
        InputError: anything else.

    Example:
        >>> as_message({"content": "4", "finish_reason": "length"}).cut
        True
    """
    if reply is None or isinstance(reply, str):
        return Message(_clean(reply or ""))
    if not isinstance(reply, Mapping):
        raise InputError(f"a reply is text or a chat message, not {type(reply).__name__}.")
    if reply and not _MESSAGE_KEYS & set(reply):
        own = as_objects(dict(reply))
        return Message("", (own,) if isinstance(own, JsonObject) else ())
    reason = str(reply.get("finish_reason") or "")
    text = _clean(_text(reply.get("content")))
    refused = reply.get("refusal")
    if not refused and reason in _FILTERED:
        refused = text or reason
    return Message(
        text,
        tuple(_arguments(reply.get("tool_calls"))),
        cut=reason in _CUT,
        finished=bool(reason) and reason not in _CUT,
        refused=_clean(str(refused)) if refused else None,
    )


def reads_as_refusal(text: str) -> bool:
    """True if the text opens like a refusal; asked only where no verdict was found."""
    return _REFUSES.match(text.lstrip(" \t\r\n*_\"'“")) is not None


def _clean(text: str) -> str:
    return without_surrogates(text).replace("\r\n", "\n").removeprefix("\ufeff")


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list | tuple):
        parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
        return "\n".join(part for part in parts if isinstance(part, str))
    return ""


def _arguments(calls: Any) -> list[JsonObject]:
    found = []
    for call in calls if isinstance(calls, list | tuple) else ():
        if not isinstance(call, Mapping):
            continue
        inner = call.get("function")
        source = inner if isinstance(inner, Mapping) else call
        value = next((source[key] for key in ("arguments", "args", "input") if source.get(key) is not None), None)
        if isinstance(value, str):
            # Some gateways encode the arguments twice.
            with suppress(ValueError):
                value = json.loads(value) if value.lstrip().startswith('"') else value
        if isinstance(value, str):
            objects = scan(value).objects
            found += [objects[-1].value] if objects else []
        elif isinstance(value, Mapping):
            own = as_objects(dict(value))
            found += [own] if isinstance(own, JsonObject) else []
    return found
