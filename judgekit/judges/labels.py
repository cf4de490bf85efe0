"""Labels as judges write them in, one of the rubric's own labels out, or the cause why none can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from judgekit.judges.written import Unread, own_lines, plain, shorten

_WRAPPING = " \t\r\n*_`\"'“”‘’[](){}"
_GENERIC = (
    "label|verdict|grade|answer|classification|category|decision|choice|judge?ment|rating|result|winner|conclusion"
)
_GAP = r"[*_`\"']{0,3}[ \t]*(?:\([^()\n]{0,60}\)[ \t]*)?[*_`]{0,3}[ \t]*(?::|=|->|→)[ \t]*\n?"
# After a label the value ends or is explained; "I think", "C or I", "C-" and "not relevant" are no such thing.
_ENDS = re.compile(r"[*_`\"'”’\])}]{0,4}(?:[.!]?[ \t]*(?:\n|$)|[ \t]*[.,;:][ \t]+|[ \t]+[-–—(])")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_BETTER = (
    r"(?:is|was|would be|remains|seems|appears)(?: (?!not\b)\w+){0,3}?"
    r" (?:better|best|superior|preferable|preferred|stronger|winner)"
)
# No sentence ends so. In lower case only: "Option A" may well be the end.
_CUT_OFF = re.compile(r"(?:\b(?:an?|the|and|or|but|of|because|than|that|which|while|its|their)|,)\s*$")
_TIED = re.compile(r"\b(?:both|neither|equally|tie|tied|equal)\b", re.IGNORECASE)
_EVEN = re.compile(r"\b(?:neither|equally|tie|tied|equal|if|unless)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|n't|n’t|fails?|lacks?|less|worse|neither|cannot)\b", re.IGNORECASE)


def label_of(value: Any, labels: Iterable[str]) -> str:
    """The label that a JSON value names.

    Raises:
        Unread: none of the labels, or several.

    Example:
        >>> label_of("relevant (mostly)", ["relevant", "unrelated"])
        'relevant'
    """
    table = _Table.of(tuple(labels))
    if isinstance(value, bool):
        word = "true" if value else "false"
        found = table.exact(word) or table.exact("yes" if value else "no")
    elif isinstance(value, int | float):
        word = f"{value:g}" if abs(value) < 1e15 else str(value)
        found = table.exact(word)
    elif isinstance(value, str):
        word = value
        found = table.exact(word) or table.at_start(plain(value))
    else:
        raise Unread("unknown_label", f"the label is {'null' if value is None else 'no text'}")
    if found is None:
        raise table.unknown(word)
    return found


def stated_label(text: str, labels: Iterable[str], key: str | None = None) -> str | None:
    """The label that prose states, or None if it states none.

    Args:
        text: Prose without thoughts and JSON.
        labels: The labels of the rubric.
        key: The only word that names the label, such as GRADE; None: "label", "verdict", "answer" and the like do,
            and so does a concluding sentence about a label of several words.

    Raises:
        Unread: a value that is no label, or several labels with equal right.

    Example:
        >>> stated_label("GRADE: C\\nI see no ground to downgrade: it is fine.", ["C", "I"], "GRADE")
        'C'
    """
    table = _Table.of(tuple(labels))
    text = "\n".join(own_lines(text)).strip()
    named = _named(text, table, key)
    if named is not None:
        return named
    lines = [line for line in text.split("\n") if line.strip()]
    if not lines:
        return None
    ends = {lines[-1]} if key else {lines[0], lines[-1]}
    bare = {found for line in ends if (found := table.exact(line.lstrip("-+•# \t")))}
    if len(bare) > 1:
        raise Unread("ambiguous", f"two labels stand alone: {', '.join(sorted(bare))}")
    if bare and not (key and len(lines) > 1):
        return bare.pop()
    return None if key else table.concluded(text)


def line_label(text: str, labels: Iterable[str], key: str | None = None) -> str | None:
    """The label of the last line that names one and nothing else; None if there is none."""
    table = _Table.of(tuple(labels))
    last = None
    for line in own_lines(text):
        match = _marker(key).match(line.lstrip(" \t*_`#-"))
        found = table.exact(match.string[match.end() :]) if match else None
        last = found or last
    return last


@lru_cache(maxsize=64)
def _marker(key: str | None) -> re.Pattern[str]:
    words = r"[ \t_-]+".join(re.escape(part) for part in re.split(r"[\s_-]+", plain(key))) if key else _GENERIC
    return re.compile(rf"(?<![\w-])(?P<word>{words}){_GAP}", re.IGNORECASE)


def _named(text: str, table: _Table, key: str | None) -> str | None:
    last: str | None = None
    unknown: str | None = None
    for match in _marker(key).finditer(text):
        rest = text[match.end() : match.end() + 400]
        found = table.at_start(rest)
        line_start = text.rfind("\n", 0, match.start()) + 1
        own_line = not text[line_start : match.start()].strip(" \t*_`#-")
        if found is not None:
            last, unknown = found, None
        elif key and own_line:
            # The judge gave its label here and it is none of ours: an earlier one may be a quotation.
            last, unknown = None, rest.split("\n")[0]
    for match in re.finditer(r"\[\[([^\[\]\n]{1,100})\]\]", text) if not key else ():
        last = table.exact(match.group(1)) or last
    if unknown is not None:
        raise table.unknown(unknown)
    return last


class _Table:
    """Labels prepared for comparison."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels = sorted(labels, key=len, reverse=True)
        self.as_written = {label.strip(): label for label in labels}
        folded: dict[str, list[str]] = {}
        for label in labels:
            folded.setdefault(_fold(label), []).append(label)
        self.folded = {name: same[0] for name, same in folded.items() if len(same) == 1}
        words = [(label, rf"(?<!\w){re.escape(plain(label).strip())}(?!\w)") for label in self.labels if label.strip()]
        self.words = [
            # One letter is a word of prose in lower case ("a", "i"), so only its own case counts.
            (label, re.compile(pattern, re.IGNORECASE if len(label.strip()) > 1 else 0))
            for label, pattern in words
        ]

    @staticmethod
    @lru_cache(maxsize=256)
    def of(labels: tuple[str, ...]) -> _Table:
        return _Table(labels)

    def exact(self, text: str) -> str | None:
        if len(text) > 1000:
            return None
        return self.as_written.get(text.strip()) or self.folded.get(_fold(text))

    def at_start(self, text: str) -> str | None:
        # A label may itself open with a bracket, so the bracket is taken off in a second try.
        for head in (text.lstrip(_WRAPPING.replace("(", "")), text.lstrip(_WRAPPING)):
            for label in self.labels:
                name = plain(label).strip()
                if name and head[: len(name)].casefold() == name.casefold() and _ENDS.match(head, len(name)):
                    return self.exact(head[: len(name)]) or label
        return None

    def mentioned(self, text: str) -> list[str]:
        return [label for label, word in self.words if word.search(text)]

    def unknown(self, text: str) -> Unread:
        if len(self.mentioned(plain(text[:2000]))) > 1:
            return Unread("ambiguous", f'"{shorten(text)}" names several labels')
        return Unread("unknown_label", f'"{shorten(text)}" is none of the labels {", ".join(self.as_written)}')

    def concluded(self, text: str) -> str | None:
        """The label of the last sentence that names one; only labels of several words can be told from prose."""
        if any(len(re.findall(r"\w+", label)) < 2 for label in self.labels):
            return None
        sentences = [one for one in _SENTENCE.split(text) if self.mentioned(one)]
        for sentence in reversed(sentences):
            preferred = {label for label, word in self.words if re.search(f"{word.pattern} {_BETTER}", sentence, re.I)}
            if len(preferred) == 1 and not _EVEN.search(sentence):
                return preferred.pop()
        if not sentences:
            return None
        last = sentences[-1]
        if _CUT_OFF.search(last) and not last.rstrip().endswith(tuple(self.labels)):
            # "… the fact that Output (a) precisely executes the": it might have gone on either way.
            raise Unread("truncated", f'the conclusion "{shorten(last)}" is cut off')
        named = self.mentioned(last)
        if len(named) > 1 or _TIED.search(last):
            raise Unread("ambiguous", f'the conclusion "{shorten(last)}" names no single label')
        if _DENIED.search(last):
            raise Unread("ambiguous", f'the conclusion "{shorten(last)}" denies more than it says')
        return named[0]


def _fold(text: str) -> str:
    return " ".join(plain(text).strip(_WRAPPING + ".!:").casefold().split())


def lower_label(names: Iterable[str], labels: Mapping[str, float]) -> str:
    """The label with the lowest score, by name where scores are equal: how ties between labels end."""
    return min(names, key=lambda name: (labels[name], name))
