"""A reply's text in; the JSON objects and the prose that are the judge's own words out.

Thoughts (`<think>` and its kin) and quoted objects are left out: nothing in them is a verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judgekit.judges.near_json import NotNearJson, parse_near_json

_THOUGHT = "think|thinking|thought|thoughts|reasoning"
_EVENT = re.compile(
    rf"\{{(?=\s{{0,40}}[\"'“”‘’\w}}])|\[(?=\s{{0,40}}\{{)|<(/?)({_THOUGHT})(?:\s[^<>]*)?>", re.IGNORECASE
)
# What undecodable braces may cost: a hostile reply could otherwise make every brace read the rest of the text.
_BUDGET = 2_000_000
_TOO_DEEP = 10_000


class JsonObject(dict[str, Any]):
    """A JSON object that remembers the keys it was given twice with different values."""

    doubled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Found:
    """One JSON object of the reply."""

    value: JsonObject
    end: int
    """Offset in `Scan.prose` up to which the prose stands before it."""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """The judge's own words."""

    objects: tuple[Found, ...]
    prose: str
    """The text without thoughts, with "…" in place of each object."""
    broken: str | None = None
    """Start of the last object that never ends, where no readable one follows it."""
    open_thought: bool = False
    """True if the reply ends inside a thought."""
    ends_with_object: bool = False
    """True if nothing but white space, a bracket or a code fence follows the last object."""


def scan(text: str) -> Scan:
    """The objects and the prose of a reply, in order.

    Example:
        >>> found = scan('<think>{"score": 1}?</think> Mine: {"score": 4}')
        >>> [dict(one.value) for one in found.objects], found.prose
        ([{'score': 4}], ' Mine: …')
    """
    objects: list[Found] = []
    prose: list[str] = []
    length = 0
    at, budget, broken, open_thought = 0, _BUDGET, None, False
    while event := _EVENT.search(text, at):
        prose.append(text[at : event.start()])
        length += event.start() - at
        if event.group(2):
            if event.group(1):
                # The opening tag was left out, as some chat templates do: everything so far was thought.
                objects.clear()
                prose.clear()
                length, at, broken = 0, event.end(), None
                continue
            close = re.compile(rf"</{event.group(2)}\s*>", re.IGNORECASE).search(text, event.end())
            if close is None:
                at, open_thought = len(text), True
                break
            at = close.end()
            continue
        value, end, repaired, cost = _decode(text, event.start()) if budget > 0 else (None, 0, False, 0)
        budget -= cost
        if value is None:
            broken = text[event.start() : event.start() + 4000]
            prose.append(text[event.start()])
            length, at = length + 1, event.start() + 1
            continue
        broken, at = None, end
        # Something stays where the object stood, so that the words around it do not join.
        prose.append("…")
        length += 1
        if not _quoted(text, event.start(), end):
            objects += [Found(one, length, repaired) for one in _objects_in(value)]
    rest = text[at:]
    prose.append(rest)
    ends = bool(objects) and objects[-1].end == length and not rest.strip(" \t\r\n`]~")
    return Scan(tuple(objects), "".join(prose), broken, open_thought, ends)


def _objects_in(value: Any) -> Iterator[JsonObject]:
    # A list of objects is one object without a name, so that lists of items can be read as a whole.
    if isinstance(value, JsonObject):
        yield value
    elif len(value) == 1:
        yield value[0]
    else:
        yield JsonObject({"": value})


def _decode(text: str, start: int) -> tuple[Any, int, bool, int]:
    """Value (None: not decodable), its end, whether it was repaired, and the characters read in vain."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as problem:
        # The error counts the lines before it, so its making costs a little for all of the text.
        cost = problem.pos - start + problem.pos // 50
    except RecursionError:
        return None, 0, False, _TOO_DEEP
    else:
        return _kept(value), end, False, 0
    if text[start] != "{":
        return None, 0, False, cost
    try:
        value, end = parse_near_json(text, start, json_object)
    except NotNearJson as problem:
        return None, 0, False, cost + (problem.reached - start)
    return value, end, True, 0


def _kept(value: Any) -> Any:
    if isinstance(value, JsonObject):
        return value
    return value if value and all(isinstance(one, JsonObject) for one in value) else None


def json_object(pairs: list[tuple[str, Any]]) -> JsonObject:
    """The object of some pairs; keys compare by `plain_key`, so `Score` and `score` are one."""
    value = JsonObject()
    doubled = set()
    for key, item in pairs:
        name = plain_key(key)
        if name in value and value[name] != item:
            doubled.add(name)
        value[name] = item
    value.doubled = frozenset(doubled)
    return value


def plain_key(key: str) -> str:
    """The key without case, outer marks, and the difference of blank, hyphen and underscore.

    Example:
        >>> plain_key("Overall Score:")
        'overall_score'
    """
    return re.sub(r"[\s_-]+", "_", key.strip(" \t\r\n*`:?.\"'").casefold())


def as_objects(value: Any, depth: int = 0) -> Any:
    """Mappings from elsewhere (tool arguments, a reply given as a mapping) as JsonObject, at every level."""
    if depth > 50:
        return None
    if isinstance(value, dict):
        return json_object([(str(key), as_objects(item, depth + 1)) for key, item in value.items()])
    if isinstance(value, list | tuple):
        return [as_objects(item, depth + 1) for item in value]
    return value


def _whole(text: str) -> float | int:
    # int() refuses very long digit strings; such a number is out of any scale anyway.
    return int(text) if len(text) < 300 else float("inf")


_DECODER = json.JSONDecoder(object_pairs_hook=json_object, parse_int=_whole, strict=False)


def _quoted(text: str, start: int, end: int) -> bool:
    """True for an object in quotation marks or in a Markdown quotation: somebody else's words."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if (before, after) in (('"', '"'), ("“", "”"), ("«", "»"), ("„", "“")):
        return True
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line.lstrip(" \t").startswith(">")
