"""Checks and an output in, one CheckResult out: the door for notebooks and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.checks.groups import evaluate_all
from judgekit.errors import InputError, raise_complaints
from judgekit.records import Case, CheckResult, Context, Output, Place
from judgekit.scenarios.expect import parse_expect


def run_check(
    expect: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    output: str | Output | None,
    *,
    input: str = "",
    context: str | Sequence[str | Context | Mapping[str, str]] | None = None,
    reference: str | None = None,
    folder: str | Path | None = None,
    allow_code: bool = False,
) -> CheckResult:
    """Result of checks, written as under `expect` in a scenario file, on one output.

    Args:
        expect: Name of a check to its value or options; several checks must all hold.
        output: Text, an Output with tool calls, usage and so on, or None for a call that failed.
        input: What the target was asked.
        context: Evidence that the target was given: a text, or several, with or without ids.
        reference: The right answer.
        folder: Where files named by a check are looked up; the working folder by default.
        allow_code: Whether `python` checks may run.

    Raises:
        InputError: an unknown check or option, a value that does not fit, an output of another type.

    Example:
        >>> result = run_check({"contains": ["revenue", "risk"]}, "Revenue rose.")
        >>> result.status, result.score, result.reason
        ('fail', Fraction(1, 2), '"risk" is missing')
    """
    if output is None:
        output = Output(None, cause="no_output", message="there is none")
    elif isinstance(output, str):
        output = Output(output)
    elif not isinstance(output, Output):
        raise InputError(f"the output must be a text, an Output or None, not {type(output).__name__}.")
    base = Path() if folder is None else Path(folder)
    uses, complaints = parse_expect(expect, place=Place(base, base, allow_code), file="")
    raise_complaints(complaints)
    if not uses:
        raise InputError('no check given: write for example {"contains": ["revenue"]}.')
    case = Case("case", input=input, reference=reference, context=_contexts(context))
    return evaluate_all(uses, output, case)


def _contexts(context: Any) -> tuple[Context, ...] | None:
    if context is None:
        return None
    return tuple(_context(one) for one in ([context] if isinstance(context, str | Context) else context))


def _context(one: Any) -> Context:
    if isinstance(one, Context):
        return one
    if isinstance(one, str):
        return Context(one)
    if isinstance(one, Mapping) and isinstance(one.get("text"), str) and set(one) <= {"text", "id"}:
        return Context(one["text"], one.get("id"))
    raise InputError('a piece of context must be a text, a Context or {"id": …, "text": …}.')
