"""A written review in, the share of its required sections that are there and filled out."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from pydantic import field_validator

from judgekit.reading.forms import Bool, TextList
from judgekit.records import Case, CheckResult, Output
from judgekit.rubrics.base import DeterministicRubric, Unparseable, listed, quoted
from judgekit.texts.folding import fold
from judgekit.texts.headings import Heading, find_headings, shows_content
from judgekit.texts.jsontext import find_object, meant_as_json, why_no_object
from judgekit.texts.visible import has_content

_NUMBER = re.compile(r"^\(?(?:\d{1,3}(?:\.\d{1,3})*[.):]|[ivx]{1,5}[.)])\s*")
_AFTER_TITLE = re.compile(r"[\s:：*_`#]*(?:</[a-z][a-z0-9]*\s*>[\s:：]*)*", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"</?[a-z][a-z0-9]*(?:\s[^<>]{0,200})?/?>", re.IGNORECASE)
_NOTHING = ("true", "false", "null")


class ReviewCompleteness(DeterministicRubric):
    """Share of the required sections that are present, by heading equality and with something below the heading.

    "No Key Risks" is not Key Risks: after folding case, form, numbering, emphasis and a final colon the titles must be
    equal. Headings are those of `judgekit.texts.headings`, or the top-level keys of a JSON object. A section is filled
    if something that is no heading itself stands before the next heading that is not below it; `**Conviction:** High`
    is filled, a plain `Conviction: High` is no heading. Punctuation, required titles, `true`, `false` and `null` alone
    fill nothing, nor does the input of the case. Whether what stands there fits its title it cannot tell.

    Example:
        >>> review = Output("## Recommendation\\nBuy.\\n## Conviction\\n## No Key Risks\\nNone seen.")
        >>> ReviewCompleteness().score(review, Case("a")).score
        Fraction(1, 5)
    """

    name: ClassVar[str] = "review_completeness"
    version: ClassVar[str] = "2"

    sections: TextList = ("Recommendation", "Conviction", "Key Positives", "Key Risks", "Reviewer Notes")
    """Titles that the review must have."""
    require_body: Bool = True
    """False: an empty section counts as present."""

    @field_validator("sections")
    @classmethod
    def _sections_differ(cls, sections: tuple[str, ...]) -> tuple[str, ...]:
        folded = [_fold(one) for one in sections]
        if not sections:
            raise ValueError("must name at least one section")
        if not all(folded):
            raise ValueError("holds an empty title")
        doubled = [one for index, one in enumerate(sections) if folded[index] in folded[:index]]
        if doubled:
            raise ValueError(f'names "{doubled[0]}" twice')
        return sections

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """Beside the general ones: headings without bodies or with bodies that say nothing, in Markdown and as JSON."""
        echo = " ".join(case.input.split())
        return {
            **super().degenerate(case),
            "headings without bodies": "".join(f"## {title}\n\n" for title in self.sections),
            "each title as its own body": "".join(f"## {title}\n\n{title}.\n\n" for title in self.sections),
            "the input below each heading": "".join(f"## {title}\n\n{echo}\n\n" for title in self.sections),
            "a dot below each heading": "".join(f"## {title}\n\n.\n\n" for title in self.sections),
            "keys without values": json.dumps(dict.fromkeys(self.sections, ""), ensure_ascii=False),
            "keys that are all false": json.dumps(dict.fromkeys(self.sections, False), ensure_ascii=False),
            "the titles in one sentence": f"{', '.join(self.sections)}.",
        }

    def measure(self, text: str, output: Output, case: Case) -> CheckResult:
        """Present sections over required ones; spans are their headings, or the object that was read."""
        wanted = [_fold(one) for one in self.sections]
        filler = _Filler(tuple(wanted), case.input)
        found = find_object(text, lambda value: any(_key(one) in wanted for one in value))
        # Keys of an object are read here, strictly and with their values.
        headings = [one for one in find_headings(text) if one.style != "key"]
        seen: dict[str, bool] = {}
        spans: dict[str, tuple[int, int]] = {}
        if not any(_fold(one.title) in wanted for one in headings):
            if found is None and meant_as_json(text):
                raise Unparseable(why_no_object(text))
            if found:
                seen = _keys(found.value, filler)
                spans = dict.fromkeys(seen, (found.start, found.end))
        for index, heading in enumerate(headings):
            title = _fold(heading.title)
            filled = title in wanted and _is_filled(text, headings, index, filler)
            if filled or title not in seen:
                seen[title], spans[title] = filled, (heading.start, heading.end)
        missing = [one for one, title in zip(self.sections, wanted, strict=True) if title not in seen]
        empty = [one for one, title in zip(self.sections, wanted, strict=True) if title in seen and not seen[title]]
        present = len(wanted) - len(missing) - (len(empty) if self.require_body else 0)
        others = [title for title in seen if title not in wanted]
        reason = f"{present} of {len(wanted)} sections are present"
        if missing:
            reason += f"; missing: {listed(missing, limit=20)}"
            reason += f" (other headings: {listed([quoted(one) for one in others])})" if others else ""
        if empty and self.require_body:
            reason += f"; empty: {listed(empty, limit=20)}"
        return CheckResult(
            "scored",
            Fraction(present, len(wanted)),
            reason,
            tuple(sorted({spans[title] for title in wanted if title in seen})),
            flags=("no_sections",) * (len(missing) == len(wanted)),
            detail={"required": len(wanted), "present": present, "missing": missing, "empty": empty},
        )


def _fold(title: str) -> str:
    return _NUMBER.sub("", fold(title).text.strip("*_`# ")).rstrip(": ").strip("*_`# ")


def _is_filled(text: str, headings: list[Heading], index: int, filler: _Filler) -> bool:
    heading = headings[index]
    if not heading.has_body:
        return False
    before = heading
    for following in headings[index + 1 :]:
        if _shows(text, before.end, following.mark_start, filler):
            return True
        if _fold(following.title) in filler.titles or not _is_below(following, heading):
            return False
        before = following
    return _shows(text, before.end, len(text), filler)


def _is_below(following: Heading, heading: Heading) -> bool:
    """`### Market` and `- **Churn:** 12%` below `## Key Risks` are its content, not the next section."""
    if following.style == "heading":
        return heading.style == "heading" and following.level > heading.level
    return following.style != heading.style


def _shows(text: str, start: int, end: int, filler: _Filler) -> bool:
    after = _AFTER_TITLE.match(text, start)
    body = _COMMENT.sub("", text[after.end() if after else start : end])
    return shows_content(body) and not filler.is_all_of(body)


@dataclass(frozen=True)
class _Filler:
    """What can stand in a section without filling it."""

    titles: Sequence[str]
    """Folded titles of the required sections."""
    input: str

    @cached_property
    def _words(self) -> re.Pattern[str]:
        longest_first = sorted((*self.titles, *_NOTHING), key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")

    @cached_property
    def _echo(self) -> str:
        return _plain(self.input)

    def is_all_of(self, body: str) -> bool:
        """True if a body is only titles, punctuation and words for nothing, or the input again."""
        plain = _plain(body)
        # One word may well be an answer to itself.
        is_echo = plain == self._echo and " " in plain
        return is_echo or not has_content(self._words.sub(" ", plain))


def _plain(text: str) -> str:
    return " ".join(fold(html.unescape(_TAG.sub(" ", text))).text.split())


def _keys(review: Mapping[str, Any], filler: _Filler) -> dict[str, bool]:
    """Folded key -> whether it holds something; `key_risks` and `keyRisks` are Key Risks."""
    seen: dict[str, bool] = {}
    for key, value in review.items():
        title = _key(key)
        seen[title] = seen.get(title, False) or _holds(value, filler)
    return seen


def _key(text: str) -> str:
    return _fold(_CAMEL.sub(" ", text).replace("_", " "))


def _holds(value: Any, filler: _Filler) -> bool:
    """True if a JSON value shows something: a text that fills, a number, or a list or object that holds one."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            if not filler.is_all_of(one):
                return True
        elif isinstance(one, list):
            waiting += one
        elif isinstance(one, dict):
            waiting += one.values()
        elif one is not None and not isinstance(one, bool):
            return True
    return False
