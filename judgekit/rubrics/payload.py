"""The text of an output in, the JSON object that it carries out: bare, fenced, or the first balanced one in prose.

Strict JSON only: NaN is none, and a key given twice leaves open which value counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.reading.tables import parse_json

_BLANKS = "\ufeff \t\r\n"
_FENCE = re.compile(r"[ \t]{0,3}(`{3,}|~{3,})")
_MEANT_AS_JSON = re.compile(r"\{|\[\s*[\[{\"\]]")
_OPENING = re.compile(r"\{\s*[\"}]")

# A broken object may be read to its end once for each brace in it; this bounds the sum, so hostile text stays cheap.
_WORK_PER_CHARACTER = 20


@dataclass(frozen=True, slots=True)
class Payload:
    """One JSON object found in a text."""

    value: dict[str, Any]
    start: int
    end: int
    alone: bool = False
    """True if the text, or the one fence that holds all of it, is nothing but this object."""


def find_object(text: str, fits: Callable[[Mapping[str, Any]], bool]) -> Payload | None:
    """The first object that fits, else the first object, else None.

    The whole text is looked at first, then code fences, then balanced objects in prose, each in the order of the text.

    Example:
        >>> find_object('In {x}: {"a": 1}, then {"triples": []}.', lambda value: "triples" in value).value
        {'triples': []}
    """
    first: Payload | None = None
    for found in _objects(text):
        if fits(found.value):
            return found
        first = first or found
    return first


def why_not_json(text: str) -> str:
    """What keeps the text, or the fence that it opens with, from being a JSON object.

    Example:
        >>> why_not_json('{"confidence": NaN}')
        'NaN is not JSON'
    """
    inner = _unfenced(text)
    if not _MEANT_AS_JSON.match(inner):
        return "no JSON object found"
    try:
        parse_json(inner)
    except ValueError as problem:
        return str(problem)
    return "the JSON is not an object in braces"


def meant_as_json(text: str) -> bool:
    """True if the text, or the fence that it opens with, starts as JSON does, readable or not.

    Example:
        >>> meant_as_json('{"claims": ["cut sho'), meant_as_json("[1] shows that")
        (True, False)
    """
    return bool(_MEANT_AS_JSON.match(_unfenced(text)))


def _objects(text: str) -> Iterator[Payload]:
    whole = _parsed(text, 0, len(text), alone=True)
    if whole:
        yield whole
        return
    for start, end, alone in _fences(text):
        fenced = _parsed(text, start, end, alone=alone)
        if fenced:
            yield fenced
    yield from _balanced(text)


def _parsed(text: str, start: int, end: int, *, alone: bool) -> Payload | None:
    inner = text[start:end].strip(_BLANKS)
    if not inner.startswith("{"):
        return None
    try:
        value = parse_json(inner)
    except ValueError:
        return None
    first = text.index("{", start)
    return Payload(value, first, first + len(inner), alone)


def _fences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Start and end of the inside of each closed code fence, and whether the text is nothing but this fence."""
    first = len(text) - len(text.lstrip(_BLANKS))
    last = len(text.rstrip(_BLANKS))
    offset = opened = inside = 0
    mark = ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if not mark and found:
            mark, opened, inside = found.group(1), offset, offset + len(line)
        elif mark and found and found.group(1).startswith(mark) and not line[found.end() :].strip():
            yield inside, offset, opened <= first and offset + len(line) >= last
            mark = ""
        offset += len(line)


def _unfenced(text: str) -> str:
    inner = text.strip(_BLANKS)
    if not _FENCE.match(inner):
        return inner
    closed = next(_fences(inner), None)
    start = inner.find("\n") + 1 or len(inner)
    return inner[start : closed[1] if closed else len(inner)].strip()


def _balanced(text: str) -> Iterator[Payload]:
    scan = json.JSONDecoder().raw_decode
    work = _WORK_PER_CHARACTER * len(text)
    opening = _OPENING.search(text)
    while opening and work > 0:
        start = opening.start()
        end = start + 1
        try:
            _, end = scan(text, start)
            # Read again strictly, so that doubled keys and NaN are refused here too.
            yield Payload(parse_json(text[start:end]), start, end)
        except json.JSONDecodeError as problem:
            # The error itself counts the lines before it, hence the second term.
            work -= problem.pos - start + problem.pos // 64
        except RecursionError:
            work -= len(text) - start
        except ValueError:
            pass
        work -= end - start
        opening = _OPENING.search(text, end)
