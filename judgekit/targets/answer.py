"""What functions, commands and recordings answer, in; context, tool calls, usage and Output out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from judgekit.errors import TargetError
from judgekit.reading.tables import DEEPEST, depth, parse_json
from judgekit.reading.text import without_surrogates
from judgekit.records import Case, Context, Output, ToolCall, Usage


def to_output(answer: Any, case: Case, variant: str, trial: int, *, latency_s: float) -> Output:
    """The Output that an answer stands for: a text, a mapping with `output`, or an Output.

    An Output is taken as it is, but for whose it is; its latency is measured where it does not know it itself.

    Raises:
        TargetError: the answer is none of these; cause `malformed`.

    Example:
        >>> to_output({"output": "Hi"}, Case("a"), "v1", 0, latency_s=0.1).text
        'Hi'
    """
    if isinstance(answer, Output) and (answer.text is None or isinstance(answer.text, str)):
        known = answer.latency_s if answer.latency_s is not None else latency_s
        cause = answer.cause or ("target" if answer.text is None else None)
        return replace(answer, case_id=case.case_id, variant=variant, trial=trial, latency_s=known, cause=cause)
    if isinstance(answer, str):
        answer = {"output": answer}
    if not isinstance(answer, Mapping) or not isinstance(answer.get("output"), str):
        said = f"a mapping with {sorted(map(str, answer))}" if isinstance(answer, Mapping) else type(answer).__name__
        raise TargetError(f"answered {said}; a text or a mapping with a text `output` is wanted", "malformed")
    try:
        return Output(
            without_surrogates(answer["output"]),
            case_id=case.case_id,
            variant=variant,
            trial=trial,
            tool_calls=read_tool_calls(answer.get("tool_calls")),
            finish_reason=_text(answer.get("finish_reason")),
            usage=_usage(answer.get("usage")),
            cost_usd=_figure("cost_usd", answer.get("cost_usd")),
            latency_s=latency_s,
            model=_text(answer.get("model")),
            context=read_context(answer.get("context")),
        )
    except ValueError as problem:
        raise TargetError(f"answered something malformed: {problem}", "malformed") from None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _usage(value: Any) -> Usage:
    if isinstance(value, Usage):
        return value
    if value is None:
        return Usage()
    if not isinstance(value, Mapping):
        raise ValueError("`usage` must be a mapping")
    names = {
        "input_tokens": ("input_tokens", "prompt_tokens"),
        "output_tokens": ("output_tokens", "completion_tokens"),
        "cached_tokens": ("cached_tokens",),
        "reasoning_tokens": ("reasoning_tokens",),
    }
    found = {ours: next((value[name] for name in theirs if name in value), None) for ours, theirs in names.items()}
    counts = {ours: _figure(ours, count) for ours, count in found.items()}
    return Usage(**{ours: None if count is None else int(count) for ours, count in counts.items()})


def _figure(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise ValueError(f"`{name}` must be a number of at least 0")
    return value


def read_context(value: Any) -> tuple[Context, ...] | None:
    """Context from a text, a list of texts, or a list of `{id, text}`; None where there is none."""
    if value is None:
        return None
    pieces = value if isinstance(value, list | tuple) else [value]
    context = []
    for piece in pieces:
        if isinstance(piece, Context):
            context.append(piece)
        elif isinstance(piece, Mapping) and "text" in piece:
            context.append(Context(str(piece["text"]), None if piece.get("id") is None else str(piece["id"])))
        else:
            context.append(Context(piece if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False)))
    return tuple(context)


def read_tool_calls(value: Any) -> tuple[ToolCall, ...] | None:
    """Tool calls from a list; None where they are not known.

    Raises:
        ValueError: not a list of tool calls.
    """
    if value is None:
        return None
    if not isinstance(value, list | tuple):
        raise ValueError("`tool_calls` must be a list of {name, args}")
    return tuple(tool_call(one) for one in value)


def tool_call(value: Any) -> ToolCall:
    """A tool call from `{name, args}` or the form of a chat message (`{function: {name, arguments}}`).

    Raises:
        ValueError: neither form.
    """
    if isinstance(value, ToolCall):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("a tool call is a mapping with `name` and `args`")
    function = value.get("function")
    inner = function if isinstance(function, Mapping) else value
    name = inner.get("name")
    args = inner.get("args", inner.get("arguments", {}))
    if isinstance(args, str):
        try:
            args = parse_json(args or "{}")
        except ValueError:
            raise ValueError(f'the arguments of the tool call "{name}" are not JSON') from None
    if not isinstance(name, str) or not isinstance(args, Mapping):
        raise ValueError("a tool call is a mapping with `name` and `args`")
    if depth(args) > DEEPEST:
        # What masks, compares and writes arguments walks them recursively.
        raise ValueError(f'the arguments of the tool call "{name}" are nested too deeply: at most {DEEPEST} levels')
    return ToolCall(name, args, str(value.get("id") or ""), value.get("result"))
