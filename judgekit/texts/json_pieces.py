"""The text of an output in, each piece of JSON in it out, with what was meant as JSON and cannot be read.

What begins as JSON and cannot be read is not searched for pieces that can: of a list of triples that was cut off, the
first triple is not the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from judgekit.reading.tables import parse_json
from judgekit.reading.text import without_surrogates
from judgekit.texts.fences import code_blocks, unwrapped


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value and where it stands in the text."""

    value: Any
    start: int
    end: int
    alone: bool = False
    """True if the text, or the one fence that holds all of it, is nothing but this value."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An opening bracket from which on no JSON can be read."""

    start: int
    end: int
    """Where reading may go on."""
    kind: Literal["prose", "closed", "open"]
    """Not meant as JSON at all; meant so, and its brackets are closed again; meant so, and they never are."""
    why: str = ""


_Piece = TypeVar("_Piece", bound=Found | Broken)

BLANKS = "\ufeff \t\r\n"
_DECODER = json.JSONDecoder()
# Where a text ends too early, the error stands before its last token, such as `tru`.
_LAST_TOKEN = re.compile(r"(?:tr?u?|fa?l?s?|nu?l?|[-+.\deE]{1,10}|\\?u?[\da-fA-F]{0,4})\s*+\Z")
_OPENING = re.compile(r"\{(?=\s*+[\"'“\w}/])|\[(?=\s*+[\[{\"\]\dtfn-])")
TOKEN = re.compile(r"[{}\[\]]|\"(?:[^\"\\]|\\.)*+\"?", re.DOTALL)
_KEY = r"\"(?:[^\"\\]|\\.)*+(?:\"\s*+(?::|\Z)|\Z)|'[^'\n]{0,200}'\s*+:|“[^”\n]{0,200}”\s*+:|\w{1,200}+\s*+:"
_ITEM = r"\"(?:[^\"\\]|\\.)*+(?:\"\s*+(?:[,\]]|\Z)|\Z)|\]|\Z"
_OPENED_BY = {"}": "{", "]": "["}
MEANT = re.compile(rf"(?:\[\s*+){{0,50}}+\{{\s*+(?:{_KEY}|/[/*]|\}}|\Z)|(?:\[\s*+){{1,50}}+(?:{_ITEM})", re.DOTALL)
"""What is meant as JSON, readable or not; `{x}`, `[1] shows` and `[[page]]` are prose."""

# They bound the work on hostile text: reading on from an open bracket costs a look at the whole rest.
_MOST_FAILURES = 10_000
_COST_OF_OPEN = 500


def whole_json(text: str) -> Found:
    """The JSON value that the text is, one wrapping code fence allowed.

    Raises:
        ValueError: the text is not strict JSON; says why.

    Example:
        >>> whole_json("```json\\n{}\\n```").value
        {}
    """
    start, end = inside(text, *unwrapped(text))
    return Found(parsed(text[start:end]), start, end, alone=True)


def pieces_of(text: str) -> Iterator[Found | Broken]:
    """The JSON of a text in the order in which it counts, and what was meant as JSON and cannot be read.

    Where the answer or a code fence begins with JSON that never ends, neither pieces of it nor prose are the answer.
    """
    try:
        yield whole_json(text)
        return
    except ValueError:
        pass
    first = first_piece(text, 0, len(text))
    if not isinstance(first, Broken) or first.kind == "prose":
        yield from _pieces_after(text, 0)
        return
    yield first
    if first.kind == "closed":
        yield from _pieces_after(text, first.end)


def _pieces_after(text: str, after: int) -> Iterator[Found | Broken]:
    others: list[tuple[int, int]] = []
    is_open = False
    at = after
    for block in code_blocks(text):
        if block.start <= after:
            continue
        others.append((at, block.start))
        at = block.end
        first = first_piece(text, block.start, block.end)
        if isinstance(first, Found) and not text[first.end : block.end].strip(BLANKS):
            yield first
            continue
        if isinstance(first, Broken) and first.kind == "open":
            is_open = True
            yield first
        others.append((block.start, block.end))
    if is_open:
        return
    small: Found | None = None
    broken = after > 0
    for start, end in [*others, (at, len(text))]:
        for piece in _scan(text[start:end]):
            if isinstance(piece, Found) and _is_plain_list(piece.value):
                small = small or _moved(piece, start)
                continue
            broken = broken or isinstance(piece, Broken)
            yield _moved(piece, start)
    if small and not broken:
        yield small


def first_piece(text: str, start: int, end: int) -> Found | Broken | None:
    """What the text at [start, end) begins with, if with an opening bracket."""
    start, end = inside(text, start, end)
    return _moved(_read(text[start:end], 0), start) if text.startswith(("{", "["), start) else None


def _scan(source: str) -> Iterator[Found | Broken]:
    """Each JSON object or list of a text without fences, and what was meant as one."""
    failures = at = 0
    while failures < _MOST_FAILURES:
        opening = _OPENING.search(source, at)
        if not opening:
            return
        piece = _read(source, opening.start())
        at = piece.end
        if isinstance(piece, Broken):
            failures += _COST_OF_OPEN if piece.kind == "open" else 1
            if piece.kind == "prose":
                continue
        yield piece


def _read(source: str, at: int) -> Found | Broken:
    """What stands at an opening bracket."""
    try:
        _, end = _DECODER.raw_decode(source, at)
    except json.JSONDecodeError as problem:
        if _is_cut_off(problem, source):
            return Broken(at, len(source), "open", fault(source[at:]))
        reached = max(problem.pos, at + 1)
    except RecursionError:
        return Broken(at, len(source), "open", "nested too deeply")
    except ValueError:
        # A number of thousands of digits.
        reached = at + 1
    else:
        try:
            return Found(parsed(source[at:end]), at, end)
        except ValueError as problem:
            return Broken(at, end, "closed", str(problem))
    if not MEANT.match(source, at):
        # What the quotation mark of `{"a" and ["b"` seems to open may hold JSON.
        is_quote = source[at + 1 : reached].lstrip().startswith('"')
        return Broken(at, at + 1 if is_quote else reached, "prose")
    end = _closing(source, at)
    kind: Literal["closed", "open"] = "closed" if end else "open"
    return Broken(at, end or reached, kind, fault(source[at : end or len(source)]))


def _closing(source: str, at: int) -> int:
    """The end of what the bracket opens, whatever stands inside; 0 if it is never closed."""
    waiting: list[str] = []
    n_waiting = {"{": 0, "[": 0}
    for token in TOKEN.finditer(source, at):
        mark = token[0]
        if mark in n_waiting:
            waiting.append(mark)
            n_waiting[mark] += 1
        elif mark in _OPENED_BY and n_waiting[_OPENED_BY[mark]]:
            # A bracket of the other kind left open inside is closed with it.
            last = ""
            while last != _OPENED_BY[mark]:
                last = waiting.pop()
                n_waiting[last] -= 1
            if not waiting:
                return token.end()
    return 0


def _moved(piece: _Piece, by: int) -> _Piece:
    return replace(piece, start=piece.start + by, end=piece.end + by)


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(item, list | dict) for item in value)


def inside(text: str, start: int, end: int) -> tuple[int, int]:
    """The place without outer blanks."""
    bare = text[start:end].lstrip(BLANKS)
    return end - len(bare), end - len(bare) + len(bare.rstrip(BLANKS))


def parsed(source: str) -> Any:
    """The value of a strict JSON text; ValueError as of `parse_json`."""
    return parse_json(without_surrogates(source))


def fault(source: str) -> str:
    """What is wrong with a JSON text; empty if nothing is."""
    try:
        _DECODER.raw_decode(source)
    except json.JSONDecodeError as problem:
        if _is_cut_off(problem, source):
            lines = source.rstrip().split("\n")
            line = f"line {len(lines)}, " if len(lines) > 1 else ""
            return f"the JSON is cut off at {line}column {len(lines[-1]) + 1}"
    except (ValueError, RecursionError):
        # The strict reader below has the words for it.
        pass
    try:
        parsed(source)
    except ValueError as problem:
        # The standard library's "starting at" is followed by our "at column".
        return str(problem).replace("at at", "at").replace("Extra data at", "more text follows at")
    return ""


def _is_cut_off(problem: json.JSONDecodeError, source: str) -> bool:
    return problem.msg.startswith("Unterminated string") or bool(_LAST_TOKEN.match(source, problem.pos))
