"""A Jinja template and its variables in, the prompt out. Data is inserted once and never rendered itself."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.errors import Complaint, InputError, did_you_mean

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

BUILTIN = ("answer.j2", "checklist.j2", "criteria.j2", "labels.j2", "pairwise.j2", "pointwise.j2")

_NAME = re.compile(r"[\w-]+\.j2")
_UNDEFINED = re.compile(r"'(?P<owner>[^']*)' (?:is undefined|has no attribute '(?P<attribute>[^']*)')")


def render(template: str, /, **variables: Any) -> str:
    """The prompt that a template gives: the name of a built-in template (`pointwise.j2`), or Jinja source.

    Raises:
        InputError: an undefined variable, one without a value, or a mistake in the template, with its line.

    Example:
        >>> render("Answer: {{ output }}", output="{{ reference }} {# kept #}")
        'Answer: {{ reference }} {# kept #}'
    """
    if _NAME.fullmatch(template):
        return render_source(builtin_source(template), variables, name=template)
    return render_source(template, variables, name="template")


def render_source(source: str, variables: Mapping[str, Any], *, name: str) -> str:
    """The prompt that Jinja source gives; `name` is the file that complaints name.

    The template sees nothing but its variables: it can't read files, include others or reach Python's insides.

    Raises:
        InputError: as of `render`.
    """
    template = _compiled(source, name)
    try:
        return template.render(dict(variables))
    except Exception as problem:
        raise InputError(str(_complaint(problem, name, variables))) from problem


@cache
def builtin_source(name: str) -> str:
    """Jinja source of a built-in template.

    Raises:
        InputError: there is none of that name.
    """
    if name not in BUILTIN:
        raise InputError(f'no built-in template "{name}".{did_you_mean(name, BUILTIN)} There are {", ".join(BUILTIN)}.')
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def marker_for(evidence: str, *texts: str) -> str:
    """Eight characters that occur in none of the texts; the same evidence and texts give the same marker.

    It is drawn from the evidence, so the prompts of one case share their start whatever was answered, and a text that
    holds the marker of its case moves the marker on.

    Example:
        >>> marker_for("What is 6 x 7?", "42") == marker_for("What is 6 x 7?", "43")
        True
    """
    folded = [text.casefold() for text in (evidence, *texts)]
    count = 0
    while True:
        seed = f"{count}\n{evidence}".encode("utf-8", "surrogatepass")
        marker = hashlib.sha256(seed).hexdigest()[:8]
        if not any(marker in text for text in folded):
            return marker
        count += 1


@cache
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        undefined=StrictUndefined,
        # Prompts are no HTML: escaping would change what the judge sees.
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_written,
    )
    environment.filters["number"] = lambda value: f"{value:.12g}"
    # Jinja's own tojson escapes for HTML, which a judge would read as written.
    environment.filters["quoted"] = environment.filters["tojson"] = _as_json
    return environment


@lru_cache(maxsize=256)
def _compiled(source: str, name: str) -> Template:
    from jinja2 import TemplateSyntaxError

    environment = _environment()
    try:
        code = environment.compile(source, name=name, filename=_filename(name))
    except TemplateSyntaxError as problem:
        raise InputError(
            str(Complaint(name, problem.lineno, f"not a valid template: {str(problem.message).rstrip('.')}."))
        ) from None
    except RecursionError:
        raise InputError(f"{name}: not a valid template: nested too deeply.") from None
    # `environment.from_string` would not keep the name, and the line of a mistake is found by it.
    uptodate: Callable[[], bool] | None = None
    return environment.template_class.from_code(environment, code, environment.make_globals(None), uptodate)


def _filename(name: str) -> str:
    return f"<template {name}>"


def _as_json(value: Any, indent: int | None = None) -> str:
    # Of an undefined variable the text is asked for, which is what says its name.
    return json.dumps(value, ensure_ascii=False, default=str, indent=indent)


class _NoValue(Exception):
    """A variable without a value was to be written into the prompt."""


def _written(value: Any) -> Any:
    if value is None:
        # "None" in a prompt would be read as the answer or the reference.
        raise _NoValue
    return getattr(value, "text", value) if isinstance(value, int | float) else value


def _complaint(problem: Exception, name: str, variables: Mapping[str, Any]) -> Complaint:
    from jinja2 import UndefinedError

    line = _line(problem, name)
    if isinstance(problem, _NoValue):
        return Complaint(name, line, "a variable on this line has no value (null); test it with `{% if … %}` first.")
    found = _UNDEFINED.search(str(problem)) if isinstance(problem, UndefinedError) else None
    if found is None:
        return Complaint(name, line, f"the template failed: {type(problem).__name__}: {str(problem).rstrip('.')}.")
    if found["attribute"] is not None:
        return Complaint(name, line, f'"{found["attribute"]}" is not defined here: {problem}.')
    known = sorted(variables)
    said = f'undefined variable "{found["owner"]}".{did_you_mean(found["owner"], known)}'
    return Complaint(name, line, f"{said} Known here: {', '.join(known) or 'none'}.")


def _line(problem: Exception, name: str) -> int | None:
    line, trace = None, problem.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _filename(name):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
