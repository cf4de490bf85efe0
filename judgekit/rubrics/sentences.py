"""A written answer in, the sentences that claim something out, with their places.

Left out because they claim nothing: headings, table heads, rules, lines that end in a colon (they introduce what
follows), questions, and what a code fence holds. A line that ends as a sentence does is no heading, however it is set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:[ \t]|$)|[ \t]*(?:\*\*|__)[^*_]*[^*_.!](?:\*\*|__)[ \t]*(?::[ \t]*)?$")
_BULLET = re.compile(r"[ \t>]*(?:[-*+•‣–][ \t]+|\(?\d{1,3}[.)][ \t]+|[a-zA-Z]\)[ \t]+|>[ \t]*)+")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?:[ \t]*+\[[^\]\n]{1,40}\])*+(?=\s)|[。！？]++[」』”）]*+")
_WRAPPED_AT = 60
"""A line at least this long that does not end a sentence is taken to go on in the next."""

_ABBREVIATION = re.compile(
    r"dr|mr|mrs|ms|prof|st|sr|jr|vs|cf|eg|ie|e\.g|i\.e|approx|ca|figs?|eq|sec|nos?|vol|pp|eds?|al|dept|gen|col|lt|sgt|rev"
    r"|hon|gov|sen|rep|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mt|ft|est|resp|incl|excl|max|min"
    r"|inc|ltd|corp|co|llc|plc|gmbh|bros|etc|a\.m|p\.m|u\.s|u\.k|u\.n|e\.u|u\.s\.a|d\.c|ph\.d|[^\W\d_]"
)
"""A full stop after one of these ends a sentence only before a common first word."""
_FIRST_WORD = re.compile(
    r"The|A|An|Its?|He|She|They|This|That|These|Those|In|On|At|By|For|From|We|Our|Their|His|Her|There|However|But|And"
    r"|As|When|While|After|Before|Since|Both"
)


def claim_spans(text: str) -> list[Span]:
    """Start and end of each sentence that claims something, in order, list marks and outer blanks excluded.

    Example:
        >>> text = "# Facts\\n- Dr. Lee raised 4.2 million. She left.\\n- Who leads now?"
        >>> [text[start:end] for start, end in claim_spans(text)]
        ['Dr. Lee raised 4.2 million.', 'She left.']
    """
    return [
        (start, end)
        for block in _blocks(text)
        for start, end in (_trimmed(text, *span) for span in _sentences(text, *block))
        if re.search(r"\w", text[start:end])
        and not text[start:end].rstrip("\"'”’»)]*_").endswith(("?", "？", ":", "："))
    ]


def _trimmed(text: str, start: int, end: int) -> Span:
    """The span without white space at its ends, as a quotation mark alone on a line leaves it."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))


def _blocks(text: str) -> Iterator[Span]:
    """Paragraphs, list items and table rows; lines that an editor wrapped are joined."""
    fenced = False
    opened: Span | None = None
    last = ""
    offset = 0
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        bare = line.rstrip()
        fence = bool(_FENCE.match(line))
        underline = _is_underline(bare.lstrip())
        if fence or fenced or underline or not bare or _HEADING.match(bare):
            fenced = fenced != fence
            # A single line right above a row of dashes is a heading, or the head of a table.
            is_head = underline and opened and text[slice(*opened)] == last and not last.endswith((".", "!"))
            if opened and not is_head:
                yield opened
            opened = None
            continue
        bullet = _BULLET.match(line)
        content = start + (bullet.end() if bullet else len(line) - len(line.lstrip()))
        end = max(content, start + len(bare))
        apart = bullet or text.startswith("|", content)
        if opened and (apart or not _goes_on(last, text[content:end])):
            yield opened
            opened = None
        opened = (opened[0] if opened else content, end)
        last = text[content:end]
    if opened:
        yield opened


def _is_underline(line: str) -> bool:
    """True for a row of `=`, a rule, and the row of dashes below the head of a table."""
    marks = set(line)
    if "--" in line and marks <= set("-|:+ \t"):
        return True
    return marks == {"="} or (len(line) >= 3 and marks in ({"*"}, {"_"}))


def _goes_on(last: str, line: str) -> bool:
    if last.endswith((":", "|")):
        return False
    if last.endswith((".", "!", "?", "…")):
        # It may be an abbreviation; the splitter decides.
        return len(last) >= _WRAPPED_AT
    return line[:1].islower() or last.endswith((",", ";")) or len(last) >= _WRAPPED_AT


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    visible = re.compile(r"\S")
    for found in _END.finditer(text, start, end):
        if _ends_here(text, start, found):
            yield start, found.end()
            following = visible.search(text, found.end(), end)
            start = following.start() if following else end
    if start < end:
        yield start, end


def _ends_here(text: str, start: int, found: re.Match[str]) -> bool:
    before = re.search(r"[\w.&]*$", text[max(start, found.start() - 20) : found.start()])
    word = before.group().casefold() if before else ""
    following = re.match(r"\s*(\w*)", text[found.end() : found.end() + 40])
    first = following.group(1) if following else ""
    if found.group() == "." and _ABBREVIATION.fullmatch(word):
        return bool(_FIRST_WORD.fullmatch(first))
    # A short word before a full stop and a small letter is an abbreviation that no list has.
    return not (first[:1].islower() and (len(word) <= 3 or found.group() == "…"))
