"""The text of an output in, the JSON that it carries out: bare, fenced, or in prose.

Strict JSON only: NaN is none, and a key given twice leaves open which value counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from judgekit.texts.fences import code_blocks
from judgekit.texts.json_pieces import (
    BLANKS,
    MEANT,
    TOKEN,
    Broken,
    Found,
    fault,
    first_piece,
    inside,
    parsed,
    pieces_of,
    whole_json,
)
from judgekit.texts.quoting import quote

__all__ = [
    "Found",
    "find_object",
    "json_in",
    "meant_as_json",
    "whole_json",
    "why_no_object",
    "why_not_json",
]


@lru_cache(maxsize=8)
def json_in(text: str) -> Found | None:
    """The JSON value of an answer: all of it, else a code fence, else the first complete value in prose.

    In prose a list of plain values such as `[3]` counts only if nothing else is found: it is usually a reference.

    Example:
        >>> json_in('See item [3]. Here you go: {"state": "done"}').value
        {'state': 'done'}
        >>> json_in('{"items": [{"state": "done"}, {"state": "op') is None
        True
    """
    return next((piece for piece in pieces_of(text) if isinstance(piece, Found)), None)


def find_object(text: str, fits: Callable[[Mapping[str, Any]], bool]) -> Found | None:
    """The first JSON object that fits, else the first object, else None.

    The order is that of `json_in`; objects in a list count, objects in an object do not.

    Example:
        >>> find_object('In {x}: {"a": 1}, then {"triples": []}.', lambda value: "triples" in value).value
        {'triples': []}
    """
    first: Found | None = None
    for piece in pieces_of(text):
        for found in _objects(text, piece) if isinstance(piece, Found) else ():
            if fits(found.value):
                return found
            first = first or found
    return first


def why_not_json(text: str) -> str:
    """What keeps the text from being JSON, for people; empty if it is.

    Example:
        >>> why_not_json('{"confidence": NaN}')
        'NaN is not JSON'
        >>> why_not_json('Here: {"items": [1, 2')
        'the JSON is cut off at column 16'
    """
    said = ""
    for piece in pieces_of(text):
        if isinstance(piece, Broken):
            said = piece.why
            break
        if piece.alone:
            return ""
    if not said and meant_as_json(text):
        said = fault(text[slice(*_unfenced(text))])
    return said or f"the text begins {quote(text.strip(BLANKS), 40)}"


def why_no_object(text: str) -> str:
    """What keeps a text in which `find_object` finds nothing from being a JSON object, for people.

    Example:
        >>> why_no_object('["a"]'), why_no_object("Rain tomorrow.")
        ('the JSON is not an object in braces', 'no JSON object found: the text begins "Rain tomorrow."')
    """
    why = why_not_json(text)
    if not why or (json_in(text) and meant_as_json(text)):
        return "the JSON is not an object in braces"
    return f"no JSON object found: {why}" if why.startswith("the text begins") else why


def meant_as_json(text: str) -> bool:
    """True if the text, or the fence that it opens with, starts as a JSON object or list does, readable or not.

    So is a text with a fence in which JSON is cut off, whatever stands before.

    Example:
        >>> meant_as_json('{"claims": ["cut sho'), meant_as_json("[1] shows that")
        (True, False)
    """
    if MEANT.match(text, *_unfenced(text)):
        return True
    firsts = (first_piece(text, block.start, block.end) for block in code_blocks(text))
    return any(isinstance(first, Broken) and first.kind == "open" for first in firsts)


def _unfenced(text: str) -> tuple[int, int]:
    """The place of the text, or of what the fence that it opens with holds, without outer blanks."""
    start, end = inside(text, 0, len(text))
    if text.startswith(("```", "~~~"), start):
        block = next(code_blocks(text), None)
        return inside(text, block.start, block.end) if block else (start, end)
    return start, end


def _objects(text: str, found: Found) -> Iterator[Found]:
    """The object that was found, or the outermost ones in the list that was."""
    if isinstance(found.value, dict):
        yield found
        return
    depth = start = 0
    for token in TOKEN.finditer(text, found.start, found.end):
        if token[0] == "{":
            start = start if depth else token.start()
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if not depth:
                yield Found(parsed(text[start : token.end()]), start, token.end())
