"""Two texts in, the words that differ out, as a terminal or plain text can show them."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import SequenceMatcher

MOST_WORDS = 2000
"""Of either text: difflib takes quadratic time."""
_AROUND = 8
_CLOSE = 2
"""Two changes with no more unchanged words between them are shown as one: nobody reads every other word."""
_WORD = re.compile(r"\S+[^\S\n]*|\n")


def word_diff(old: str, new: str, gone: Callable[[str], str], come: Callable[[str], str]) -> str:
    """The new text with what went and what came marked; long stretches without a change become an ellipsis.

    Args:
        old: The text before.
        new: The text now.
        gone: Marks words of `old` that are not in `new`.
        come: Marks words of `new` that were not in `old`.

    Example:
        >>> word_diff("We ship today or so.", "We ship it tomorrow or so.", "[-{}-]".format, "{{+{}+}}".format)
        'We ship [-today-] {+it tomorrow+} or so.'
    """
    a, b = _WORD.findall(old), _WORD.findall(new)
    cut = len(a) > MOST_WORDS or len(b) > MOST_WORDS
    a, b = a[:MOST_WORDS], b[:MOST_WORDS]
    steps = _steps(a, b)
    parts = []
    for number, (same, before, after) in enumerate(steps):
        if same:
            parts.append(_shortened(after, first=number == 0, last=number == len(steps) - 1 and not cut))
        else:
            parts.append(_marked(before, gone) + _marked(after, come))
    return "".join(parts).rstrip() + (" … (only the beginning of these long texts is compared)" if cut else "")


def _steps(a: list[str], b: list[str]) -> list[tuple[bool, list[str], list[str]]]:
    """Whether a stretch is the same, its words before and its words now."""
    before, after = ([word.rstrip() or word for word in words] for words in (a, b))
    steps: list[tuple[bool, list[str], list[str]]] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same = tag == "equal"
        if same and steps and a2 - a1 <= _CLOSE and "\n" not in a[a1:a2] and (a2, b2) != (len(a), len(b)):
            same = False
        if steps and steps[-1][0] == same:
            steps[-1] = (same, steps[-1][1] + a[a1:a2], steps[-1][2] + b[b1:b2])
        else:
            steps.append((same, a[a1:a2], b[b1:b2]))
    return steps


def _marked(words: list[str], mark: Callable[[str], str]) -> str:
    text = "".join(words)
    if not text.strip():
        return text
    # The blanks at its end stay outside of the mark.
    bare = text.rstrip()
    return mark(bare) + (text[len(bare) :] or " ")


def _shortened(words: list[str], *, first: bool, last: bool) -> str:
    before, after = (0 if first else _AROUND), (0 if last else _AROUND)
    if len(words) <= before + after + _AROUND:
        return "".join(words)
    ends = "".join(words[:before]), "".join(words[len(words) - after :])
    return f"{ends[0]}… {ends[1]}"
