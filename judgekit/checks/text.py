"""Checks of the words of an output: contains, contains_any, starts_with, ends_with, equals."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import Field, PrivateAttr, field_validator

from judgekit.checks.base import Absent, Check, Item
from judgekit.checks.jsonpath import JsonPath, keys_beside, text_of, values_at
from judgekit.checks.nearest import difference, nearest, only_difference
from judgekit.checks.values import AtLeastOne
from judgekit.checks.wording import counted, listed
from judgekit.reading.forms import Bool, TextList
from judgekit.records import Case, Output
from judgekit.texts.folding import Folded, fold, fold_phrase
from judgekit.texts.jsontext import json_in, why_not_json
from judgekit.texts.quoting import quote

_MOST_SPANS = 10


class _Sought(NamedTuple):
    """One text to look for."""

    written: str
    shown: str
    """In quotes, for reasons."""
    folded: str


class _Phrased(Check):
    """Texts that are looked for in a folded output."""

    value: TextList = Field(description="A text, or a list of texts.")
    case_sensitive: Bool = Field(False, description="Tell upper from lower case.")
    normalize: Bool = Field(
        True, description="Fold width and form of characters, quotes, dashes, zero-width characters and white space."
    )
    word: Bool = Field(False, description="Only whole words: no letter or digit right before or after.")
    path: JsonPath | None = Field(None, description="JSONPath: look only at this value of the output's JSON.")
    _sought: tuple[_Sought, ...] = PrivateAttr(())

    @field_validator("value")
    @classmethod
    def _not_empty(cls, texts: tuple[str, ...]) -> tuple[str, ...]:
        if not texts:
            raise ValueError("is an empty list: name at least one text")
        if not all(fold_phrase(text) for text in texts):
            raise ValueError("holds an empty text, which every output would contain")
        return texts

    def model_post_init(self, context: Any) -> None:
        """Fold the texts once."""
        self._sought = tuple(_Sought(text, quote(text), self._folded(text)) for text in self.value)

    def _folded(self, text: str) -> str:
        # A block scalar ends in a line end that nobody means.
        return fold_phrase(text.strip("\r\n"), case=not self.case_sensitive, form=self.normalize)

    def items(self, output: Output, case: Case) -> Sequence[Item]:
        """One item per text."""
        source = text_at(output, self.path)
        folded = fold(source, case=not self.case_sensitive, form=self.normalize)
        return [self._item(one, folded) for one in self._sought]

    def _item(self, one: _Sought, folded: Folded) -> Item:
        raise NotImplementedError

    def _spans(self, folded: Folded, places: Sequence[int], phrase: str) -> tuple[tuple[int, int], ...]:
        # A value picked out by a path stands elsewhere in the output than it stands in itself.
        if self.path is not None:
            return ()
        return folded.spans(places[:_MOST_SPANS], len(phrase))

    def _places(self, text: str, phrase: str) -> Iterator[int]:
        at = text.find(phrase)
        while at >= 0:
            if not self.word or is_whole_word(text, at, at + len(phrase)):
                yield at
                at = text.find(phrase, at + len(phrase))
            else:
                at = text.find(phrase, at + 1)

    def _hint(self, one: _Sought, folded: Folded) -> str:
        """What stands in the output instead, in brackets; empty if nothing is near."""
        if self.word and one.folded in folded.text:
            return f" as a whole word (found only inside {quote(_word_around(folded, one.folded), 40)})"
        is_strict = self.case_sensitive or not self.normalize
        said = only_difference(one.written, folded.source) if is_strict else ""
        return f" ({said})" if said else nearest(one.written, folded.source)


class Contains(_Phrased):
    """Every listed text occurs in the output; case, quotes, dashes and white space are folded."""

    name: ClassVar[str] = "contains"
    value: TextList = Field(description="A text, or a list of texts that must all occur.")
    min_count: AtLeastOne = Field(1, description="How often each text must occur at least.")

    def _item(self, one: _Sought, folded: Folded) -> Item:
        places = list(self._places(folded.text, one.folded))
        if not places:
            return Item(False, f"{one.shown} is missing{self._hint(one, folded)}")
        spans = self._spans(folded, places, one.folded)
        often = counted(len(places), "time")
        if len(places) < self.min_count:
            return Item(False, f"{one.shown} found {often}, at least {self.min_count} wanted", spans=spans)
        return Item(True, found=f"found {one.shown}" if len(places) == 1 else f"found {one.shown} {often}", spans=spans)


class ContainsAny(Contains):
    """At least one of the listed texts occurs in the output; folds like `contains`."""

    name: ClassVar[str] = "contains_any"
    any_item: ClassVar[bool] = True
    value: TextList = Field(description="Texts of which one must occur.")


class _Edge(_Phrased):
    any_item: ClassVar[bool] = True
    side: ClassVar[str]

    def _stands(self, text: str, phrase: str) -> int | None:
        """Where the phrase stands at this end of the text, or None."""
        raise NotImplementedError

    def _edge(self, source: str) -> str:
        raise NotImplementedError

    def _folded(self, text: str) -> str:
        phrase = super()._folded(text)
        return phrase.strip() if self.normalize else phrase

    def _item(self, one: _Sought, folded: Folded) -> Item:
        at = self._stands(folded.text, one.folded)
        if at is not None and (not self.word or is_whole_word(folded.text, at, at + len(one.folded))):
            return Item(True, found=f"{self.side} {one.shown}", spans=self._spans(folded, [at], one.folded))
        edge = self._edge(folded.source)
        return Item(False, f"{self.side} {quote(edge)}, not with {one.shown}{self._near_miss(one.written, edge)}")

    def _near_miss(self, written: str, edge: str) -> str:
        loose, phrase = fold(edge), fold_phrase(written).strip()
        at = self._stands(loose.text, phrase)
        if at is None or not (self.case_sensitive or not self.normalize):
            return ""
        return f" ({difference(written, edge[slice(*loose.span(at, at + len(phrase)))])})"


class StartsWith(_Edge):
    """The output starts with one of the listed texts; folds like `contains`."""

    name: ClassVar[str] = "starts_with"
    side: ClassVar[str] = "starts with"
    value: TextList = Field(description="A text, or several of which one must stand at the start.")

    def _stands(self, text: str, phrase: str) -> int | None:
        return 0 if text.startswith(phrase) else None

    def _edge(self, source: str) -> str:
        return source.lstrip()[:60]


class EndsWith(_Edge):
    """The output ends with one of the listed texts; folds like `contains`."""

    name: ClassVar[str] = "ends_with"
    side: ClassVar[str] = "ends with"
    value: TextList = Field(description="A text, or several of which one must stand at the end.")

    def _stands(self, text: str, phrase: str) -> int | None:
        return len(text) - len(phrase) if text.endswith(phrase) else None

    def _edge(self, source: str) -> str:
        return source.rstrip()[-60:]


class Equals(Check):
    """The output is one of the listed texts, but for line ends, outer white space and composed accents."""

    name: ClassVar[str] = "equals"
    any_item: ClassVar[bool] = True
    value: TextList = Field(description="The text, or several of which one must be the output.")
    path: JsonPath | None = Field(None, description="JSONPath: compare this value of the output's JSON.")

    def items(self, output: Output, case: Case) -> Sequence[Item]:
        """One item per text."""
        source = text_at(output, self.path)
        said = canonical(source)
        whole = () if self.path is not None else ((0, len(source)),)
        return [
            Item(True, found=f"is {quote(text)}", spans=whole)
            if said == canonical(text)
            else Item(False, f"the output is {quote(source)}, not {quote(text)}{_unequal(canonical(text), said)}")
            for text in self.value
        ]


def canonical(text: str) -> str:
    """The text in NFC, line ends as \\n, outer white space removed."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _unequal(wanted: str, said: str) -> str:
    if fold(wanted).text == fold(said).text:
        return f" ({difference(wanted, said)})"
    if len(said) <= 40 and len(wanted) <= 40:
        return ""
    at = next((at for at, pair in enumerate(zip(wanted, said, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(wanted), len(said)) if at is None else at
    return f": from character {at + 1} it is {quote(said[at:], 30)}, wanted {quote(wanted[at:], 30)}"


def text_at(output: Output, path: str | None) -> str:
    """The text of the output, or of the value that the path picks from its JSON.

    Raises:
        Absent: no JSON, or nothing at the path.
    """
    text = output.text or ""
    if path is None:
        return text
    found = json_in(text)
    if found is None:
        raise Absent(f"the output holds no JSON in which {path} could be looked up: {why_not_json(text)}")
    values = values_at(path, found.value)
    if not values:
        keys = keys_beside(path, found.value)
        raise Absent(f"{path} is missing from the JSON" + (f"; keys there: {listed(keys)}" if keys else ""))
    return "\n".join(text_of(value) for value in values)


def is_whole_word(text: str, start: int, end: int) -> bool:
    """True if no letter or digit touches [start, end) where it has one itself.

    Example:
        >>> is_whole_word("Flights to Miami", 11, 14), is_whole_word("The answer is (42).", 15, 17)
        (False, True)
    """
    if start > 0 and text[start].isalnum() and _is_letter(text[start - 1]):
        return False
    return not (end < len(text) and text[end - 1].isalnum() and _is_letter(text[end]))


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character) == "Mn"


def _word_around(folded: Folded, phrase: str) -> str:
    at = folded.text.find(phrase)
    start, end = at, at + len(phrase)
    while start > 0 and folded.text[start - 1].isalnum():
        start -= 1
    while end < len(folded.text) and folded.text[end].isalnum():
        end += 1
    return folded.source[slice(*folded.span(start, end))]
