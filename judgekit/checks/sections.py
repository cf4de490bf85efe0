"""The check of an answer's structure: has_sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field, PrivateAttr, field_validator, model_validator

from judgekit.checks.base import Check, Findings, Item
from judgekit.checks.text import is_whole_word
from judgekit.checks.wording import listed
from judgekit.reading.forms import Bool, TextList
from judgekit.records import Case, Output
from judgekit.texts.folding import fold
from judgekit.texts.headings import Heading, Outline, outline
from judgekit.texts.jsontext import meant_as_json, why_not_json
from judgekit.texts.quoting import quote


class HasSections(Check):
    """Every listed section has a heading: Markdown, HTML, bold, numbered, `X:` alone, capitals, or a JSON key."""

    name: ClassVar[str] = "has_sections"
    value: TextList = Field(description="Titles of sections that must all be there.")
    match: Literal["word", "exact", "prefix"] = Field(
        "word", description="word: a whole-word phrase inside the heading; exact: the whole heading; prefix: its start."
    )
    ordered: Bool = Field(False, description="The sections must come in the listed order.")
    require_body: Bool = Field(False, description="A section must hold more than its heading.")
    _phrases: tuple[str, ...] = PrivateAttr(())

    @field_validator("value")
    @classmethod
    def _not_empty(cls, titles: tuple[str, ...]) -> tuple[str, ...]:
        if not titles or not all(_folded(title) for title in titles):
            raise ValueError("must name at least one section, none of them empty")
        return titles

    @model_validator(mode="after")
    def _fold(self) -> HasSections:
        self._phrases = tuple(_folded(title) for title in self.value)
        return self

    def items(self, output: Output, case: Case) -> Findings:
        """One item per section."""
        text = output.text or ""
        page = outline(text)
        titles = [_folded(heading.title) for heading in page.headings]
        items: list[Item] = []
        after = -1
        for written, phrase in zip(self.value, self._phrases, strict=True):
            found = [at for at, title in enumerate(titles) if self._is_in(phrase, title)]
            filled = [at for at in found if page.headings[at].has_body or not self.require_body]
            place = next((at for at in filled if at >= after or not self.ordered), None)
            if place is None:
                items.append(Item(False, self._missing(written, phrase, found, filled, page, text)))
                continue
            after = place
            heading = page.headings[place]
            items.append(Item(True, found=f"found the section {quote(heading.title)}", spans=(_span(heading),)))
        return Findings(items, remark=_listing(page.headings, text))

    def _is_in(self, phrase: str, title: str) -> bool:
        if self.match == "exact":
            return title == phrase
        if self.match == "prefix":
            return title.startswith(phrase) and is_whole_word(title, 0, len(phrase))
        return _word_at(phrase, title) is not None

    def _missing(
        self, written: str, phrase: str, found: Sequence[int], filled: Sequence[int], page: Outline, text: str
    ) -> str:
        if filled:
            return f"the section {quote(written)} stands before one that is listed earlier"
        if found:
            return f"the section {quote(written)} is empty"
        said = f"no section {quote(written)}"
        near = next((one.title for one in page.headings if _word_at(phrase, _folded(one.title)) is not None), None)
        if near is not None:
            return f"{said}: the heading {quote(near)} does not {_HOW[self.match]}"
        folded = fold(text)
        at = _word_at(fold(written).text, folded.text)
        if at is None:
            return said
        start, end = folded.span(at, at + len(phrase))
        kind = next((one.kind for one in page.hidden if one.start <= start and end <= one.end), "")
        return f"{said}: it stands only in {kind}" if kind else f"{said}: it stands only in the text, not in a heading"


_HOW = {"word": "hold it as a word", "exact": "equal it", "prefix": "start with it"}


def _folded(title: str) -> str:
    return fold(title.replace("_", " ").strip().rstrip(":：")).text


def _word_at(phrase: str, text: str) -> int | None:
    at = text.find(phrase)
    while at >= 0:
        if is_whole_word(text, at, at + len(phrase)):
            return at
        at = text.find(phrase, at + 1)
    return None


def _span(heading: Heading) -> tuple[int, int]:
    return heading.start, heading.end


def _listing(headings: Sequence[Heading], text: str) -> str:
    if not headings:
        why = why_not_json(text) if meant_as_json(text) else ""
        return f"no headings found: {why}" if why else "no headings found"
    return f"headings found: {listed(heading.title for heading in headings)}"
