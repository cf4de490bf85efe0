"""Scripted steps of a faux model, as users write them: raw YAML values in, frozen steps or plain complaints out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, Field, field_validator, model_validator

from judgekit.errors import InputError, did_you_mean
from judgekit.reading.forms import Form, Text, as_text, fill

Fault = Literal["rate_limit", "timeout", "refusal", "truncated", "malformed"]

FAULTS: tuple[str, ...] = get_args(Fault)

F = TypeVar("F", bound=BaseModel)


class ToolCallForm(Form):
    """One tool call that the faux model makes."""

    name: Text
    args: dict[str, Any] = Field(default_factory=dict)


class UsageForm(Form):
    """Tokens of a step, where the estimate of four characters a token will not do."""

    input_tokens: int | None = Field(None, ge=0)
    output_tokens: int | None = Field(None, ge=0)
    cached_tokens: int | None = Field(None, ge=0)
    reasoning_tokens: int | None = Field(None, ge=0)


class ReplyForm(Form):
    """A reply: text, tool calls, or both."""

    content: Text | None = None
    tool_calls: tuple[ToolCallForm, ...] = ()
    usage: UsageForm | None = None
    finish_reason: Text | None = None

    @model_validator(mode="after")
    def _says_something(self) -> ReplyForm:
        if self.content is None and not self.tool_calls:
            raise ValueError('needs "content" or "tool_calls"; write content: "" for an empty reply')
        return self


class FaultForm(Form):
    """A failed call."""

    error: Fault


class MatchForm(Form):
    """A step that is taken only if the last user message matches."""

    match: Text
    reply: Any

    @field_validator("match")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        import regex

        try:
            regex.compile(pattern)
        except (regex.error, RecursionError, OverflowError) as problem:
            raise ValueError(f"is not a regular expression: {problem}") from None
        return pattern


@dataclass(frozen=True, slots=True)
class Step:
    """One scripted answer: exactly one of `reply` and `fault`."""

    reply: ReplyForm | None = None
    fault: Fault | None = None
    match: str | None = None
    """Taken only if this regular expression is found in the last user message; None: always."""


def parse_step(raw: Any) -> Step:
    """The step that one item of a `faux:` list stands for.

    Raises:
        InputError: not a step; says every mistake in it.

    Example:
        >>> parse_step("Revenue rose.").reply.content
        'Revenue rose.'
        >>> parse_step({"match": "renewal", "reply": {"error": "timeout"}}).fault
        'timeout'
    """
    if not isinstance(raw, Mapping):
        if isinstance(raw, list | tuple):
            raise InputError("a faux step is text or a mapping, not a list.")
        try:
            return Step(reply=ReplyForm(content=as_text(raw)))
        except ValueError as problem:
            raise InputError(f"a faux step {problem}.") from None
    if "match" not in raw and "reply" not in raw:
        return _plain(raw)
    form = _filled(MatchForm, raw)
    if isinstance(form.reply, Mapping) and "match" in form.reply:
        raise InputError('"reply" holds another "match": one pattern a step; join them as (?s)a.*b.')
    inner = parse_step(form.reply)
    return Step(inner.reply, inner.fault, form.match)


def parse_steps(raw: Any) -> tuple[Step, ...]:
    """The steps of a list, or of a single step.

    Raises:
        InputError: every mistake of the list, with the number of its step.
    """
    items = _as_steps(raw)
    steps: list[Step] = []
    mistakes: list[str] = []
    for number, item in enumerate(items, start=1):
        try:
            steps.append(parse_step(item))
        except InputError as problem:
            mistakes += [f"step {number}: {line}" for line in str(problem).split("\n")]
    if mistakes:
        raise InputError("\n".join(mistakes))
    return tuple(steps)


def check_steps(steps: Any) -> list[str]:
    """What is wrong with a `faux:` list, one message a mistake; empty if it is fine.

    Example:
        >>> check_steps(["hello", {"error": "rate_limits"}])[0][:32]
        'step 2: "error" should be \\'rate_'
    """
    try:
        parse_steps(steps)
    except InputError as problem:
        return str(problem).split("\n")
    return []


def read_script(raw: Any) -> tuple[tuple[Any, ...] | None, dict[str, tuple[Any, ...]], list[str]]:
    """The `faux:` key of a case: steps of the target (None: no script), of the judge by rubric, and what is wrong.

    Steps are handed on as written, so a case stays JSON-ready; the faux model parses them.

    Example:
        >>> read_script({"target": ["Hello."], "judge": {"tone": ['{"score": 4}']}})
        (('Hello.',), {'tone': ('{"score": 4}',)}, [])
    """
    if raw is None:
        return None, {}, []
    if not isinstance(raw, Mapping):
        return _as_steps(raw), {}, check_steps(raw)
    wrong = [
        f'unknown key "{key}".{did_you_mean(str(key), ("target", "judge"))} '
        "Write a list of steps, or {target: […], judge: {RUBRIC: […]}}."
        for key in raw
        if key not in ("target", "judge")
    ]
    target = raw.get("target")
    scripts = raw.get("judge")
    if scripts is None:
        scripts = {}
    elif not isinstance(scripts, Mapping):
        wrong.append('"judge" must be a mapping from rubric names to lists of steps.')
        scripts = {}
    if target is not None:
        wrong += [f"target: {message}" for message in check_steps(target)]
    for rubric, steps in scripts.items():
        wrong += [f"judge: {rubric}: {message}" for message in check_steps(steps)]
    judge = {str(rubric): _as_steps(steps) for rubric, steps in scripts.items()}
    return None if target is None else _as_steps(target), judge, wrong


def _as_steps(raw: Any) -> tuple[Any, ...]:
    return tuple(raw) if isinstance(raw, list | tuple) else (raw,)


def _plain(raw: Mapping[Any, Any]) -> Step:
    if "error" in raw:
        return Step(fault=_filled(FaultForm, raw).error)
    return Step(reply=_filled(ReplyForm, raw))


def _filled(form: type[F], raw: Mapping[Any, Any]) -> F:
    filled, complaints = fill(form, raw, file="")
    if filled is None:
        raise InputError("\n".join(_messages(one.message for one in complaints)))
    return filled


def _messages(messages: Iterable[str]) -> Iterable[str]:
    # One mistake a line is what callers split on.
    return (" ".join(message.split()) for message in messages)
