"""The text of an output in; its code blocks, and the part inside the one fence that wraps all of it, out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

PROSE = frozenset(("", "markdown", "md", "mdx", "text", "txt", "plain", "plaintext", "html", "json"))
"""Languages of a fence that a model puts around a whole answer; a fence of another language is code."""

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})([^\r\n]*)$")


def opens_fence(line: str) -> tuple[str, str] | None:
    """The fence and its language if the line opens a code block.

    Example:
        >>> opens_fence("```python")
        ('```', 'python')
    """
    match = _FENCE.match(line)
    if not match or (match.group(1)[0] == "`" and "`" in match.group(2)):
        return None
    return match.group(1), match.group(2).strip()


def closes_fence(line: str, fence: str) -> bool:
    """True if the line closes the code block that `fence` opened."""
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


class Block(NamedTuple):
    """What stands inside one code fence."""

    start: int
    end: int
    """Up to the closing fence; the end of the text if there is none."""
    is_closed: bool


def code_blocks(text: str) -> Iterator[Block]:
    """The code blocks of a text in their order.

    Example:
        >>> text = "See:\\n```json\\n{}\\n```\\nDone."
        >>> [text[block.start : block.end] for block in code_blocks(text)]
        ['{}\\n']
    """
    if "```" not in text and "~~~" not in text:
        return
    fence, first, at = "", 0, 0
    for line in text.split("\n"):
        after = at + len(line) + 1
        if fence and closes_fence(line, fence):
            yield Block(first, at, True)
            fence = ""
        elif not fence:
            opened = opens_fence(line.rstrip("\r"))
            fence, first = (opened[0], min(after, len(text))) if opened else ("", 0)
        at = after
    if fence:
        yield Block(first, len(text), False)


def unwrapped(text: str, languages: Collection[str] | None = None) -> tuple[int, int]:
    """Start and end of the answer inside the one fence that wraps all of it, else of the whole text.

    Args:
        text: The output.
        languages: Languages of fences to open; None opens any.

    Example:
        >>> start, end = unwrapped("```json\\n[1]\\n```")
        >>> "```json\\n[1]\\n```"[start:end]
        '[1]'
    """
    whole = (0, len(text))
    stripped = text.strip("\ufeff \t\r\n")
    if not stripped.startswith(("```", "~~~")):
        return whole
    first, last = stripped.find("\n"), stripped.rfind("\n")
    opening = opens_fence(stripped[: max(first, 0)].rstrip("\r"))
    if not opening or (languages is not None and opening[1].lower() not in languages):
        return whole
    # With nothing inside, the one line end is both the first and the last.
    last = max(first, last)
    inner = stripped[first + 1 : last]
    if not closes_fence(stripped[last + 1 :], opening[0]) or not _is_one_block(inner, opening[0]):
        return whole
    offset = text.index(stripped)
    return offset + first + 1, offset + max(last, first + 1)


def _is_one_block(inner: str, fence: str) -> bool:
    """True if every fence inside is opened and closed again: two blocks with prose between them are not one answer."""
    inside = False
    for line in inner.split("\n"):
        opened = opens_fence(line.rstrip("\r"))
        if not opened or opened[0][0] != fence[0]:
            continue
        if not inside and closes_fence(line, fence):
            return False
        inside = not closes_fence(line, fence) and (inside or bool(opened[1]))
    return not inside
