"""Almost-JSON in, plain values out: single quotes, trailing commas, bare keys, Python literals. Never evaluated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

_SPACE = re.compile(r"\s*")
_BARE_KEY = re.compile(r"[^\W\d][\w-]{0,60}")
_LITERAL = re.compile(
    r"(?i:true|false|null|none|nan|[-+]?infinity)(?!\w)|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?!\w)"
)
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}
_CLOSERS = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CODED = re.compile(r"\\u([0-9a-fA-F]{4})")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_DEEPEST = 20

Pairs = list[tuple[str, Any]]


class NotNearJson(Exception):
    """The text at this place cannot be mended without guessing; `reached` says how far it was read."""

    def __init__(self, reached: int) -> None:
        super().__init__(reached)
        self.reached = reached


def parse_near_json(text: str, start: int, build: Callable[[Pairs], Any]) -> tuple[Any, int]:
    """The object that starts at `text[start]`, and the offset after it.

    Args:
        text: Any text.
        start: Offset of a `{`.
        build: Makes an object of its pairs, as `object_pairs_hook` of `json`.

    Raises:
        NotNearJson: more than quotes, commas, bare keys or literals is wrong.

    Example:
        >>> parse_near_json("{'score': 0.6, 'ok': True,} rest", 0, dict)
        ({'score': 0.6, 'ok': True}, 27)
    """
    reader = _Reader(text, build)
    value = reader.object(start, 0)
    return value, reader.at


class _Reader:
    def __init__(self, text: str, build: Callable[[Pairs], Any]) -> None:
        self.text, self.build, self.at = text, build, 0

    def skip(self) -> str:
        """Move over white space; the character that follows, or an empty text at the end."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def object(self, start: int, depth: int) -> Any:
        self.at = start + 1
        pairs: Pairs = []
        while True:
            if self.skip() == "}":
                self.at += 1
                return self.build(pairs)
            key = self.key()
            if self.skip() != ":":
                raise NotNearJson(self.at)
            self.at += 1
            pairs.append((key, self.value(depth)))
            self.comma("}")

    def array(self, depth: int) -> list[Any]:
        self.at += 1
        items: list[Any] = []
        while self.skip() != "]":
            items.append(self.value(depth))
            self.comma("]")
        self.at += 1
        return items

    def comma(self, closer: str) -> None:
        mark = self.skip()
        if mark == ",":
            self.at += 1
        elif mark != closer:
            raise NotNearJson(self.at)

    def key(self) -> str:
        if self.skip() in _CLOSERS:
            return self.string(":")
        bare = _BARE_KEY.match(self.text, self.at)
        if bare is None:
            raise NotNearJson(self.at)
        self.at = bare.end()
        return bare.group()

    def value(self, depth: int) -> Any:
        mark = self.skip()
        if mark in _CLOSERS and mark:
            return self.string(",}]")
        if mark in ("{", "["):
            if depth >= _DEEPEST:
                raise NotNearJson(self.at)
            return self.object(self.at, depth + 1) if mark == "{" else self.array(depth + 1)
        literal = _LITERAL.match(self.text, self.at)
        if literal is None or len(literal.group()) > 40:
            raise NotNearJson(self.at)
        self.at = literal.end()
        word = literal.group().lower()
        return _WORDS[word] if word in _WORDS else float(word)

    def string(self, followers: str) -> str:
        # A quote ends the text only where the object can go on after it: an apostrophe or an unescaped quotation
        # inside the reason then stays part of the reason.
        closer = _CLOSERS[self.text[self.at]]
        at = self.at + 1
        out: list[str] = []
        while at < len(self.text):
            character = self.text[at]
            coded = _CODED.match(self.text, at) if character == "\\" else None
            if coded:
                # Half of a pair stays half here and is joined below.
                out.append(chr(int(coded[1], 16)))
                at = coded.end()
                continue
            if character == "\\" and at + 1 < len(self.text):
                out.append(_ESCAPES.get(self.text[at + 1], self.text[at + 1]))
                at += 2
                continue
            if character == closer:
                after = _SPACE.match(self.text, at + 1)
                end = after.end() if after else at + 1
                if end == len(self.text) or self.text[end] in followers:
                    self.at = at + 1
                    return _PAIR.sub(_joined, "".join(out))
            out.append(character)
            at += 1
        raise NotNearJson(at)


def _joined(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")
