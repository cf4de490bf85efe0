"""The document of a page in, JSON that is safe inside a `script` element out, and small enough to open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_PART = 500
"""Texts that are encoded at a time."""


def json_parts(document: Mapping[str, Any]) -> Iterator[str]:
    """The document as JSON text in parts that hold no `<`, `>`, `&`, U+2028 or U+2029 and no lone surrogate.

    Joined they stand safely inside a `script` element: no text of a run can end it. Parts, because one text of a
    non-Latin script would make a single string of the whole page four times as large in memory.
    """
    rest = {key: value for key, value in document.items() if key not in ("texts", "tables")}
    yield _escaped(json.dumps(rest, ensure_ascii=False, allow_nan=False, separators=(",", ":"))[:-1])
    yield ',"texts":['
    yield from _text_parts(document["texts"])
    yield "]"
    tables: Mapping[str, Any] = document["tables"]
    for number, (name, table) in enumerate(tables.items()):
        yield (',"tables":{' if number == 0 else ",") + json.dumps(name) + ":"
        yield _escaped(json.dumps(table, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    yield "}}"


def shortened(texts: list[str], room: int, most: int) -> tuple[list[str], dict[str, int]]:
    """The texts cut to one common length that lets them fit, and the true lengths of those that were cut."""
    lengths = [len(text) for text in texts]
    limit = _common_limit(lengths, room, most)
    # A character takes at most six bytes in the page (`<`, control characters), so small runs need no second look.
    if 6 * sum(min(length, limit) for length in lengths) > room:
        while limit > 1 and (size := _size(texts, limit)) > room:
            limit = min(limit - 1, int(0.98 * limit * room / size))
    limit = max(limit, 1)
    cut = {str(number): length for number, length in enumerate(lengths) if length > limit}
    return ([text[:limit] for text in texts] if cut else texts), cut


def _common_limit(lengths: Sequence[int], room: int, most: int) -> int:
    """The largest limit, at most `most`, under which the sum of all lengths is at most `room`."""
    if sum(min(length, most) for length in lengths) <= room:
        return most
    left = len(lengths)
    for length in sorted(lengths):
        if length * left > room:
            return min(room // left, most)
        room -= length
        left -= 1
    return most


def _size(texts: Sequence[str], limit: int) -> int:
    return sum(len(part.encode("utf-8")) for part in _text_parts([text[:limit] for text in texts]))


def _text_parts(texts: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(texts), _PART):
        part = json.dumps(texts[start : start + _PART], ensure_ascii=False, separators=(",", ":"))
        yield ("," if start else "") + _escaped(part[1:-1])


def _escaped(text: str) -> str:
    text = text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if text.isascii():
        return text
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        # Character for character, so that spans keep their places.
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text
