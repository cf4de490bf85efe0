"""A judge's prose in, the same prose out with rows of tables as lines and spelt scores in digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORD = rf"(?:{'|'.join(_NUMBERS)})"
_MAXIMUM = rf"[ \t]*(?:/|out[ \t]+of|of)[ \t]*(?:{_WORD}\b|\d+)"
# "Score: one of the best", "four hundred" and "two or three" are no scores: what follows must end the value.
_ENDS = r"(?:[ \t]+(?:stars?|points?))?(?=[*_`\"'”)\]}. \t]*(?:$|[,;:!(\n]|\.\s|[ \t][-–—][ \t]))"
_LEFT_OF = re.compile(rf"(?P<before>\d[ \t]*(?:/|out[ \t]+of|of)[ \t]*)(?P<word>{_WORD})\b", re.IGNORECASE)
_ALONE = re.compile(
    rf"[\s*_`\"'(\[]*(?P<word>{_WORD})(?:{_MAXIMUM})?[ \t]*(?:stars?|points?)?[\s*_`\"')\].!]*", re.IGNORECASE
)
_ANY = re.compile(_WORD, re.IGNORECASE)
_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)*")


def in_digits(text: str, opening: str) -> str:
    """The text with a spelt number in digits where it is a score: after an opening, or as the whole text.

    Args:
        text: Prose, plain.
        opening: Regular expression of what names a score, such as "Score: "; without groups that are named.

    Example:
        >>> in_digits("Two faults. Score: four out of five", "score: ")
        'Two faults. Score: 4 out of 5'
        >>> in_digits("Score: one of the best", "score: ")
        'Score: one of the best'
    """
    if not _ANY.search(text):
        return text
    alone = _ALONE.fullmatch(text)
    if alone:
        text = f"{text[: alone.start('word')]}{_value(alone)}{text[alone.end('word') :]}"
    else:
        stated = re.compile(
            rf"(?P<before>{opening})(?P<word>{_WORD})\b(?=(?:{_MAXIMUM})?{_ENDS})", re.IGNORECASE | re.M
        )
        text = stated.sub(lambda found: f"{found['before']}{_value(found)}", text)
    return _LEFT_OF.sub(lambda found: f"{found['before']}{_value(found)}", text)


def _value(found: re.Match[str]) -> int:
    return _NUMBERS.index(found["word"].casefold())


def unrolled(lines: Sequence[str]) -> list[str]:
    """The lines with those of Markdown tables as `name: value`: what stands beside a name, or below it.

    Below counts in a table with one row under its head only: of several rows nobody can tell which one is the verdict.

    Example:
        >>> unrolled(["Fine.", "| Score | 4 |"])
        ['Fine.', 'Score: 4']
        >>> unrolled(["| Score | Reason |", "|---|---|", "| 4 | short |"])
        ['Score: 4', 'Reason: short']
    """
    found: list[str] = []
    for in_table, group in groupby(lines, lambda line: line.startswith("|") and line.count("|") > 1):
        block = list(group)
        found += _table(block) if in_table else block
    return found


def _table(lines: Sequence[str]) -> Iterator[str]:
    rows = [[cell.strip() for cell in line.strip("| \t").split("|")] for line in lines if not _RULE.fullmatch(line)]
    if len(lines) == 3 and _RULE.fullmatch(lines[1]) and len(rows) == 2 and len(rows[0]) == len(rows[1]):
        if not rows[1][0].strip("*_` ")[:1].isdigit():
            yield _line(rows[1])
        yield from (_line(column) for column in zip(*rows, strict=True))
    else:
        yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    name, *rest = cells
    return f"{name.rstrip(':')}: {' - '.join(rest)}" if rest else name
