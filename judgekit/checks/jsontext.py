"""The text of an output in, the JSON that it carries out; JSONPaths into it.

Strict JSON only: NaN is none, and a key given twice leaves open which value counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import jsonpath_rfc9535
from pydantic import BeforeValidator, WithJsonSchema

from judgekit.checks.base import Absent
from judgekit.checks.fences import closes_fence, opens_fence, unwrapped
from judgekit.checks.wording import quote
from judgekit.reading.forms import as_text
from judgekit.reading.tables import parse_json
from judgekit.reading.text import without_surrogates

# A broken value may be read to its end once for each bracket in it; this bounds the sum.
_MOST_TRIES = 200
_BRACKET = re.compile(r"[{\[]")


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value and where it stands in the text."""

    value: Any
    start: int
    end: int


def whole_json(text: str) -> Found:
    """The JSON value that the text is, one wrapping code fence allowed.

    Raises:
        ValueError: the text is not strict JSON; says why.

    Example:
        >>> whole_json("```json\\n{}\\n```").value
        {}
    """
    start, end = unwrapped(text)
    inner = text[start:end]
    bare = inner.strip("\ufeff \t\r\n")
    start += inner.index(bare)
    return Found(parse_json(without_surrogates(bare)), start, start + len(bare))


@lru_cache(maxsize=8)
def json_in(text: str) -> Found | None:
    """The JSON value of an answer: all of it, else a code fence, else the first complete value in prose.

    In prose a list of plain values such as `[3]` counts only if nothing else is found: it is usually a reference.

    Example:
        >>> json_in('See item [3]. Here you go: {"state": "done"}').value
        {'state': 'done'}
    """
    try:
        return whole_json(text)
    except ValueError:
        pass
    small = None
    for found in _candidates(without_surrogates(text)):
        if _is_plain_list(found.value):
            small = small or found
        else:
            return found
    return small


def why_not_json(text: str) -> str:
    """What keeps the text from being JSON, for people.

    Example:
        >>> why_not_json('{"confidence": NaN}')
        'NaN is not JSON'
    """
    try:
        whole_json(text)
    except ValueError as problem:
        # The standard library's "starting at" is followed by our "at column".
        said = str(problem).replace("at at", "at")
    else:
        return ""
    inner = text[slice(*unwrapped(text))].strip()
    if inner[:1] not in ("{", "[", '"'):
        return f"the text begins {quote(inner, 40)}"
    return said


def _candidates(text: str) -> Iterator[Found]:
    yield from _fenced(text)
    at = 0
    for _ in range(_MOST_TRIES):
        match = _BRACKET.search(text, at)
        if not match:
            return
        at = match.start()
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
            continue
        yield Found(value, at, end)
        at = end


def _fenced(text: str) -> Iterator[Found]:
    if "```" not in text and "~~~" not in text:
        return
    fence, first, at = "", 0, 0
    for line in text.split("\n"):
        after = at + len(line) + 1
        if fence and closes_fence(line, fence):
            fence = ""
            inner = text[first:at].strip()
            if inner[:1] in ("{", "["):
                try:
                    start = text.index(inner, first)
                    yield Found(parse_json(inner), start, start + len(inner))
                except ValueError:
                    pass
        elif not fence:
            opened = opens_fence(line.rstrip("\r"))
            fence, first = (opened[0], after) if opened else ("", 0)
        at = after


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(item, list | dict) for item in value)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key is given twice")
    return result


_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_doubles)


# --------------------------------------------------------------------------------------------------------------- paths


@lru_cache(maxsize=256)
def compile_path(path: str) -> jsonpath_rfc9535.JSONPathQuery:
    """The JSONPath (RFC 9535); the leading `$.` may be left out, and a bare key may hold any character.

    Raises:
        ValueError: no valid path.

    Example:
        >>> compile_path("user-name").find({"user-name": 1}).values()
        [1]
    """
    full = path if path.startswith("$") else f"${path}" if path.startswith(("[", ".")) else f"$.{path}"
    try:
        return jsonpath_rfc9535.compile(full)
    except jsonpath_rfc9535.JSONPathError as problem:
        if path and not set(path) & set("$.[]'\"\\*@"):
            return jsonpath_rfc9535.compile(f"$['{path}']")
        raise ValueError(f"is no valid JSONPath: {str(problem).split(', line')[0]}") from None


def values_at(path: str, value: Any) -> list[Any]:
    """The values that the path finds.

    Raises:
        Absent: the value is nested too deeply to search.
    """
    try:
        return list(compile_path(path).find(value).values())
    except (jsonpath_rfc9535.JSONPathError, RecursionError):
        raise Absent(f"{path} cannot be looked up: the JSON is nested too deeply") from None


def keys_beside(path: str, value: Any) -> list[str]:
    """Keys that stand where the last key of the path was looked for, for people."""
    parent = re.sub(r"(\.[^.\[\]]+|\[[^\[\]]*\])$", "", path if path.startswith("$") else f"$.{path}")
    try:
        holders = values_at(parent or "$", value)
    except (ValueError, Absent):
        return []
    return [str(key) for key in holders[0]] if holders and isinstance(holders[0], dict) else []


def text_of(value: Any) -> str:
    """A JSON value as text: a string as it is, anything else as JSON.

    Raises:
        Absent: the value is nested too deeply to write.
    """
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        raise Absent("the JSON is nested too deeply") from None


def _as_path(value: Any) -> str:
    path = as_text(value).strip()
    compile_path(path)
    return path


JsonPath = Annotated[str, BeforeValidator(_as_path), WithJsonSchema({"type": "string"})]
"""A JSONPath of a user's, checked."""
