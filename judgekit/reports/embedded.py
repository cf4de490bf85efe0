"""The document of a page in, compressed blocks of inert letters and digits out, small enough to mail and to open."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

BLOCK = 1_000_000
"""Characters of one block of texts: the page unpacks no more than a block to show a case."""
_LEVEL = 5
"""Of gzip: half the time of 6, and 4 % more bytes."""


def blocks(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The document in compressed blocks: id of the element that holds it, and base64 of gzip of JSON.

    The first is `data`: everything but the texts, and in `blocks` the position of the first text of each block of
    texts, which follow as `texts-0`, `texts-1` and so on. Base64 has no letter that could end a `script` element.
    """
    texts: Sequence[str] = document["texts"]
    starts = _starts(texts, document["first"])
    rest = {key: value for key, value in document.items() if key != "texts"} | {"blocks": starts}
    yield "data", _packed(rest)
    for number, (start, end) in enumerate(pairwise([*starts, len(texts)])):
        yield f"texts-{number}", _packed(texts[start:end])


def _starts(texts: Sequence[str], first: int) -> list[int]:
    """Positions at which blocks begin: one at `first`, the others wherever a block is full."""
    ends = list(accumulate(len(text) + 3 for text in texts))
    starts: list[int] = []
    at = 0
    while at < len(texts):
        starts.append(at)
        full = (ends[at - 1] if at else 0) + BLOCK
        end = max(bisect_right(ends, full), at + 1)
        at = first if at < first < end else end
    return starts


def _packed(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # The same bytes from the same run: no time of day in the header.
    return b64encode(gzip.compress(_without_surrogates(text).encode("utf-8"), _LEVEL, mtime=0)).decode("ascii")


def _without_surrogates(text: str) -> str:
    """Character for character, so that spans keep their places."""
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= character <= "\udfff" else character for character in text)
    return text


def shortened(texts: list[str], room: int, most: int) -> tuple[list[str], dict[str, int]]:
    """The texts cut to one common length that lets them fit, and the true lengths of those that were cut."""
    lengths = [len(text) for text in texts]
    limit = _common_limit(lengths, room, most)
    # A character takes at most six bytes (control characters), so small runs need no second look.
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
    """Bytes of the cut texts as JSON in UTF-8; a few at a time, because one non-Latin text quadruples a string."""
    parts = (texts[start : start + 500] for start in range(0, len(texts), 500))
    return sum(
        len(json.dumps([text[:limit] for text in part], ensure_ascii=False).encode("utf-8", "replace"))
        for part in parts
    )
