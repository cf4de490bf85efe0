"""One line of a text in, the heading that it is out, or none."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Style = Literal["heading", "bold", "bullet", "numbered", "colon", "capitals", "key"]
"""How a heading is written; `heading` is a Markdown or HTML one, `key` the top-level key of a JSON object."""

NUMBER = r"\d{1,3}(?:[.:]\d{1,3})*[.)]"
"""`1.`, `2)`, `3.1.` at the start of a line."""


class Mark(NamedTuple):
    """Offsets of one heading in the text."""

    title_start: int
    title_end: int
    body_start: int
    style: Style
    level: int
    line_start: int
    """Of an HTML heading the start of its tag."""


_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(={2,}|-{2,})[ \t]*$")
_PREFIX = r"[ \t]*(?:(?P<bullet>[-*+•][ \t]+)|(?P<number>" + NUMBER + r"[ \t]+))?"
_BOLD = re.compile(
    _PREFIX
    + r"(?P<mark>\*\*\*|\*\*|__|<(?P<tag>b|strong)>)(?P<title>(?:(?!\*\*|__|</?(?:b|strong)>).){1,200}?)"
    + r"(?:(?P=mark)|</(?P=tag)>)(?P<colon>[ \t]*:)?(?P<rest>.*)$"
)
_NUMBERED = re.compile(r" {0,3}" + NUMBER + r"[ \t]+(.*?)[ \t]*$")
_COLON = re.compile(r" {0,3}([^\s>|#*+•`-].*?)[ \t]*[:：][ \t]*$")
_LONGEST = 100
_MOST_WORDS = 10
_LONGEST_LINE = 1_000


def line_mark(start: int, line: str) -> Mark | None:
    """The heading that a line at offset `start` is by itself."""
    end = start + len(line)
    bold = _BOLD.match(line)
    if bold:
        return _bold_mark(start, bold)
    # No title is that long; and the patterns below would take long over a line of a hundred thousand blanks.
    if len(line) > _LONGEST_LINE:
        return None
    atx = _ATX.match(line)
    if atx:
        first, last = atx.span(2) if atx.group(2) else (len(line), len(line))
        return Mark(start + first, start + last, end, "heading", len(atx.group(1)), start)
    numbered = _NUMBERED.match(line)
    if numbered:
        title = numbered.group(1)
        if _heading_like(title) and not title[:1].islower():
            return Mark(start + numbered.start(1), start + numbered.end(1), end, "numbered", 7, start)
        return None
    colon = _COLON.match(line)
    if colon and _heading_like(colon.group(1)):
        return Mark(start + colon.start(1), start + colon.end(1), end, "colon", 7, start)
    bare = line.strip()
    if _is_capitals(bare):
        first = start + line.index(bare)
        return Mark(first, first + len(bare), end, "capitals", 7, start)
    return None


def _bold_mark(start: int, bold: re.Match[str]) -> Mark | None:
    title, rest = bold.group("title"), bold.group("rest")
    is_lead = bool(bold.group("colon")) or title.rstrip().endswith((":", "："))
    if rest.strip() and not is_lead:
        return None
    if len(title) > _LONGEST or (bold.group("bullet") and not is_lead):
        return None
    style: Style = "bullet" if bold.group("bullet") else "numbered" if bold.group("number") else "bold"
    return Mark(start + bold.start("title"), start + bold.end("title"), start + bold.start("rest"), style, 7, start)


def setext_mark(start: int, line: str, below_start: int, below: str) -> Mark | None:
    """The heading that a line is by the rule of `===` or `---` below it."""
    rule = _SETEXT.match(below)
    bare = line.strip()
    if not rule or len(bare) > _LONGEST or _ATX.match(line) or _SETEXT.match(line) or bare[0] in "-*+•<":
        return None
    # A rule right below a paragraph makes it a heading for a Markdown reader; a sentence is still no section title.
    if rule.group(1)[0] == "-" and bare.endswith((".", ";", ",", "!", "?")):
        return None
    first = start + line.index(bare)
    level = 1 if rule.group(1)[0] == "=" else 2
    return Mark(first, first + len(bare), below_start + len(below), "heading", level, start)


def _heading_like(title: str) -> bool:
    return (
        0 < len(title) <= _LONGEST
        and len(title.split()) <= _MOST_WORDS
        and not title.endswith((".", "!", "?", ";", ","))
        and any(character.isalpha() for character in title)
    )


def _is_capitals(line: str) -> bool:
    if not _heading_like(line) or line != line.upper() or line == line.lower():
        return False
    letters = sum(character.isalpha() for character in line)
    return letters >= 2 and 2 * letters >= len(line.replace(" ", ""))
