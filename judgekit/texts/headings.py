"""The text of an output in, its headings out, whatever style they are written in.

A model asked for sections writes `## Summary`, `**Summary**`, `1. Summary`, `SUMMARY` or a JSON object with that key.
All of these count; lines that only look alike (a `# comment` in a code fence, a quotation, a table row, an HTML
comment) do not.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from judgekit.texts.fences import PROSE, closes_fence, opens_fence, unwrapped
from judgekit.texts.heading_lines import NUMBER, Mark, Style, line_mark, setext_mark
from judgekit.texts.visible import has_visible


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading of a text.

    Example:
        >>> find_headings("## 1. Key decisions:\\n- Hire.")[0]
        Heading(title='Key decisions', start=6, end=19, mark_start=0, body='- Hire.', style='heading', level=2)
    """

    title: str
    """Without markup, leading number and final colon; in a JSON key `_` is a blank."""
    start: int
    """Offset of the title in the text."""
    end: int
    mark_start: int
    """Offset of its markup: the start of its line, or of its HTML tag."""
    body: str
    """What follows, up to the next heading that is not below this one; HTML comments are blanked out."""
    style: Style = "heading"
    level: int = 1

    @property
    def has_body(self) -> bool:
        """True if the body shows anything but rules, empty bullets and empty HTML elements."""
        return shows_content(self.body)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of the text in which no heading is looked for."""

    start: int
    end: int
    kind: str
    """For people: "a code block", "a quotation", "a table", "a comment"."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a text and the parts that were passed over."""

    headings: tuple[Heading, ...]
    hidden: tuple[Hidden, ...] = ()


def shows_content(body: str) -> bool:
    """True if a body shows anything but rules, empty bullets and empty HTML elements.

    Example:
        >>> shows_content("- \\n---\\n<p></p>"), shows_content("- Hire.")
        (False, True)
    """
    return has_visible(_RULE.sub("", _LAYOUT.sub("", body)))


def find_headings(text: str) -> list[Heading]:
    """The headings of a text in their order.

    Example:
        >>> [one.title for one in find_headings("**Summary:** up 12%.\\n\\n```\\n# Setup\\n```\\nKEY RISKS\\nChurn.")]
        ['Summary', 'KEY RISKS']
    """
    return list(outline(text).headings)


def outline(text: str) -> Outline:
    """The headings of a text, and the code blocks, quotations, tables and comments that hold none."""
    start, end = unwrapped(text, PROSE)
    keys = _json_keys(text, start, end)
    if keys is not None:
        return Outline(tuple(keys))
    page = _Page(text, start, end)
    html = list(page.html_marks())
    taken = {line for line, _ in html}
    marks = [mark for line, mark in page.line_marks() if line not in taken] + [mark for _, mark in html]
    return Outline(tuple(_with_bodies(marks, page)), tuple(page.hidden))


# ---------------------------------------------------------------------------------------------------------- the lines

_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$")
_HTML = re.compile(r"<h([1-6])\b[^>]{0,300}>(.{0,400}?)</h\1\s*>", re.IGNORECASE | re.DOTALL)
_RULE = re.compile(r"^[ \t]*(?:(?:[-*_=][ \t]*)+|[•>|][ \t]*)$", re.MULTILINE)
_LAYOUT = re.compile(r"</?(?:p|div|span|section|br|ul|ol|li|b|strong|em|i|h[1-6])\b[^<>]{0,200}>", re.IGNORECASE)
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")


class _Line(NamedTuple):
    start: int
    text: str


class _Page:
    """The text with comments blanked out, cut into lines, and the lines in which headings are looked for."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.source = text
        self.end = end
        self.hidden: list[Hidden] = []
        self.lines: list[_Line] = []
        self.open: list[bool] = []
        blanked: list[tuple[int, int]] = []
        fence = ""
        fence_start = 0
        in_comment = False
        for match in _LINE.finditer(text, start, end):
            line, at = match.group(1), match.start()
            if not fence and (in_comment or "<!--" in line):
                line, in_comment, parts = _without_comments(line, in_comment)
                blanked += [(at + first, at + last) for first, last in parts]
            if fence:
                self._add(at, line, False)
                if closes_fence(line, fence):
                    self.hidden.append(Hidden(fence_start, at + len(line), "a code block"))
                    fence = ""
                continue
            opened = opens_fence(line)
            if opened:
                fence, fence_start = opened[0], at
                self._add(at, line, False)
                continue
            self._add(at, line, True)
        if fence:
            self.hidden.append(Hidden(fence_start, end, "a code block"))
        self.hidden += [Hidden(first, last, "a comment") for first, last in blanked]
        self.shown = _blank(text, blanked)
        self._hide_quotes_and_tables()

    def _add(self, start: int, line: str, is_open: bool) -> None:
        self.lines.append(_Line(start, line))
        self.open.append(is_open)

    def _hide_quotes_and_tables(self) -> None:
        for index, line in enumerate(self.lines):
            if not self.open[index]:
                continue
            bare = line.text.lstrip()
            if bare.startswith(">"):
                self._hide(index, "a quotation")
            elif bare.startswith("|"):
                self._hide(index, "a table")
            elif "|" in bare and _TABLE_RULE.match(line.text):
                if index and "|" in self.lines[index - 1].text:
                    self._hide(index - 1, "a table")
                self._hide(index, "a table")
                for row in range(index + 1, len(self.lines)):
                    if "|" not in self.lines[row].text or not self.open[row]:
                        break
                    self._hide(row, "a table")

    def _hide(self, index: int, kind: str) -> None:
        self.open[index] = False
        line = self.lines[index]
        self.hidden.append(Hidden(line.start, line.start + len(line.text), kind))

    def line_marks(self) -> Iterator[tuple[int, Mark]]:
        """Headings that take a line, with the offset of the line."""
        for index, (start, line) in enumerate(self.lines):
            if not self.open[index] or not line.strip():
                continue
            below = self.lines[index + 1] if index + 1 < len(self.lines) and self.open[index + 1] else None
            mark = setext_mark(start, line, *below) if below else None
            mark = mark or line_mark(start, line)
            if mark:
                yield start, mark

    def html_marks(self) -> Iterator[tuple[int, Mark]]:
        """`<h1>` to `<h6>` outside of what is hidden, with the offset of their line."""
        if "<h" not in self.shown and "<H" not in self.shown:
            return
        starts = [line.start for line in self.lines]
        at = 0
        for match in _HTML.finditer(self.shown, starts[0] if starts else 0, self.end):
            while at + 1 < len(starts) and starts[at + 1] <= match.start():
                at += 1
            if self.open[at]:
                level = int(match.group(1))
                yield starts[at], Mark(match.start(2), match.end(2), match.end(), "heading", level, match.start())


def _without_comments(line: str, inside: bool) -> tuple[str, bool, list[tuple[int, int]]]:
    """The line with comments blanked, whether one is still open, and the places blanked."""
    parts = []
    at = 0
    while True:
        if not inside:
            first = line.find("<!--", at)
            if first < 0:
                break
            at = first
        last = line.find("-->", at)
        stop = len(line) if last < 0 else last + 3
        parts.append((at, stop))
        inside, at = last < 0, stop
        if inside or at >= len(line):
            break
    return _blank(line, parts), inside, parts


def _blank(text: str, parts: list[tuple[int, int]]) -> str:
    pieces, at = [], 0
    for first, last in parts:
        pieces += [text[at:first], " " * (last - first)]
        at = last
    return "".join([*pieces, text[at:]])


# --------------------------------------------------------------------------------------------------- titles and bodies

_LINK = re.compile(r"!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")
_TAG = re.compile(r"<[^>]{0,200}>")
_LEADING_NUMBER = re.compile(r"^(?:" + NUMBER + r"|\d{1,3}:|\d{1,3}(?:\.\d{1,3})+|[IVX]{1,5}[.)]|[A-Z][.)])\s+")
_MARKUP = re.compile(r"\*+|`+|~~|__|(?<!\w)_|_(?!\w)")


def _with_bodies(marks: list[Mark], page: _Page) -> Iterator[Heading]:
    marks.sort(key=lambda mark: mark.title_start)
    ends = [page.end] * len(marks)
    waiting: list[int] = []
    for index, mark in enumerate(marks):
        still = []
        for other in waiting:
            if _ends_body(marks[other], mark):
                ends[other] = mark.line_start
            else:
                still.append(other)
        waiting = [*still, index]
    for mark, end in zip(marks, ends, strict=True):
        title, first, last = _clean(page.source, mark.title_start, mark.title_end)
        body = page.shown[mark.body_start : max(mark.body_start, end)].strip("\r\n")
        yield Heading(title, first, last, mark.line_start, body, mark.style, mark.level)


def _ends_body(of: Mark, by: Mark) -> bool:
    """A list of `1. Approve the budget` below `## Key decisions` is its content, not the next section."""
    if by.style == "heading":
        return of.style != "heading" or by.level <= of.level
    return by.style == of.style


def _clean(source: str, start: int, end: int) -> tuple[str, int, int]:
    """The title without markup, and where it stands."""
    raw = source[start:end]
    number = _LEADING_NUMBER.match(raw.lstrip("*_` \t"))
    lead = len(raw) - len(raw.lstrip("*_` \t"))
    if number:
        lead += number.end()
    # An emblem in front ("📊 Summary") is decoration.
    while lead < len(raw) and unicodedata.category(raw[lead]) in ("So", "Mn", "Zs", "Cf"):
        lead += 1
    kept = raw[lead:]
    title = _MARKUP.sub("", _TAG.sub("", _LINK.sub(r"\1", kept)))
    title = " ".join(title.split()).rstrip(":： \t")
    trimmed = kept.rstrip(":： \t*_`#")
    return title, start + lead, start + lead + len(trimmed)


# -------------------------------------------------------------------------------------------------- keys of an object

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _json_keys(text: str, start: int, end: int) -> list[Heading] | None:
    """The top-level keys of the JSON object that the whole answer is, or None if it is not one."""
    source = text[start:end]
    offset = len(source) - len(source.lstrip("\ufeff \t\r\n"))
    if not source.startswith("{", offset):
        return None
    found: list[Heading] = []
    scan = json.JSONDecoder(parse_constant=_no_constant).raw_decode
    try:
        at = _past_blanks(source, offset + 1)
        while source[at] != "}":
            key, after = scan(source, at)
            colon = _past_blanks(source, after)
            if not isinstance(key, str) or source[colon] != ":":
                return None
            first = _past_blanks(source, colon + 1)
            value, last = scan(source, first)
            body = value if isinstance(value, str) else "" if value in (None, [], {}) else source[first:last]
            title = " ".join(_CAMEL.sub(" ", key).replace("_", " ").split())
            found.append(Heading(title, start + at + 1, start + after - 1, start + at, body, "key"))
            at = _past_blanks(source, last)
            if source[at] == ",":
                at = _past_blanks(source, at + 1)
            elif source[at] != "}":
                return None
    except (ValueError, IndexError, RecursionError):
        return None
    return None if source[at + 1 :].strip() else found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _past_blanks(text: str, at: int) -> int:
    while text[at] in " \t\r\n":
        at += 1
    return at
