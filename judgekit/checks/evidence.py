"""Checks of an answer against its sources: cites, numbers_from_input."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field, model_validator

from judgekit.checks.base import Check, Findings, Item, NoResult, outcome
from judgekit.checks.figures import Figure, find_figures, values_in
from judgekit.checks.jsonpath import JsonPath, text_of, values_at
from judgekit.checks.nearest import nearest
from judgekit.checks.values import Asked, Count, as_true
from judgekit.checks.wording import counted, listed
from judgekit.reading.forms import Bool, TextList
from judgekit.records import Case, CheckResult, Context, Output
from judgekit.texts.folding import fold
from judgekit.texts.jsontext import json_in, why_not_json
from judgekit.texts.quoting import quote

_QUOTED = re.compile(
    r'"([^"\n]{1,2000})"|“([^“”]{1,2000})”|„([^„“”]{1,2000})[“”]|«([^«»]{1,2000})»|「([^「」]{1,2000})」'
)
_MARKER = re.compile(r"\[([^\[\]\n]{1,80})\](?!\()")
# Chinese and Japanese put no blanks between words: there a single stretch this long is a phrase.
_SHORTEST_WORDLESS = 20
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.\.\.)\s*\]|…|\.\.\.)\s*")


class Cites(Check):
    """Quotations stand word for word in the context; or, with `ids`, sources are cited by id."""

    name: ClassVar[str] = "cites"
    shorthand: ClassVar[Mapping[str, Any]] = {"const": True}
    ids: JsonPath | None = Field(None, description="JSONPath to the cited ids in the output's JSON.")
    min: Count = Field(1, description="How many citations there must be at least.")
    known: Bool = Field(
        False, description="Each cited id must be an id of the context; without `ids`, ids stand in square brackets."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        if isinstance(data, Mapping):
            return data
        as_true(data)
        return {}

    def items(self, output: Output, case: Case) -> Findings:
        """One item per citation, and one for each that is lacking."""
        if self.ids is None and not self.known:
            return self._counted(
                list(_quotations(output.text or "", context_of(output, case))), "quotation of two words or more"
            )
        text = output.text or ""
        cited = list(self._cited_ids(text))
        known = {one.id for one in context_of(output, case) if one.id is not None} if self.known else None
        if known is not None and not known:
            raise NoResult("no_context", "the context has no ids; write it as a list of {id, text}")
        items = [
            Item(True, found=f"cites {quote(one)}", spans=spans)
            if known is None or one in known
            else Item(False, f"{quote(one)} is no id of the context; ids there: {listed(sorted(known))}", spans=spans)
            for one, spans in cited
        ]
        findings = self._counted(items, "cited id")
        if self.ids is not None and json_in(text) is None:
            return replace(findings, remark=f"no JSON in the output: {why_not_json(text)}")
        return findings

    def _cited_ids(self, text: str) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
        if self.ids is None:
            for match in _MARKER.finditer(text):
                for part in re.split(r"[,;]", match.group(1)):
                    yield part.strip(), (match.span(1),)
            return
        found = json_in(text)
        for value in values_at(self.ids, found.value) if found else []:
            for one in value if isinstance(value, list) else [value]:
                yield text_of(one), ()

    def _counted(self, items: list[Item], noun: str) -> Findings:
        met = sum(item.met for item in items)
        detail = {"citations": len(items), "matched": met}
        if met == len(items) < self.min:
            lack = f"{counted(met, 'citation')} found, at least {self.min} wanted" if met else f"no {noun} found"
            items = items + [Item(False, lack)] + [Item(False)] * (self.min - met - 1)
        return Findings(items, detail)


def context_of(output: Output, case: Case) -> tuple[Context, ...]:
    """The evidence that the output rests on: what the target retrieved itself, else the case's context.

    Raises:
        NoResult: there is none.
    """
    context = output.context if output.context is not None else case.context
    if context is None:
        raise NoResult("no_context", "no context: give the case a `context`, or let the target return one")
    return context


def _quotations(text: str, context: Sequence[Context]) -> Iterator[Item]:
    """One item per quotation; a single word in quotes is a term."""
    source = "\n".join(one.text for one in context)
    folded = fold(source, case=False).text
    for match in _QUOTED.finditer(text):
        said = next(group for group in match.groups() if group is not None)
        parts = [fold(part, case=False).text.strip(" .,;:!?") for part in _ELLIPSIS.split(said)]
        parts = [part for part in parts if part]
        if not parts or (len(said.split()) == 1 and len(said) < _SHORTEST_WORDLESS):
            continue
        span = (match.start() + 1, match.end() - 1)
        if _stand_in_order(parts, folded):
            yield Item(True, found=f"quotes {quote(said)}", spans=(span,))
        else:
            yield Item(False, f"{quote(said)} is not in the context{nearest(said, source)}", spans=(span,))


def _stand_in_order(parts: Sequence[str], text: str) -> bool:
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


class NumbersFromInput(Check):
    """Each figure of the output stands in the input or the context: 4.2M is $4.2 million is 4,200,000.

    Figures are numbers in digits. Ordinals, numbers of lists and steps, labels such as Q1 and markers such as [3] are
    none. Sources are the case's input, turns, variables and context, and what tools answered.
    """

    name: ClassVar[str] = "numbers_from_input"
    value: Asked = Field(description="true")
    allow: TextList = Field((), description="Figures that may occur although no source has them.")

    def items(self, output: Output, case: Case) -> Sequence[Item] | CheckResult:
        """One item per figure."""
        sources = [source for source in _sources(output, case) if source.strip()]
        if not sources:
            raise NoResult("no_context", "neither input nor context to trace figures to")
        found = list(find_figures(output.text or ""))
        if not found:
            return outcome(True, "no figures in the output")
        known = values_in("\n".join([*sources, *self.allow]))
        return [
            Item(True, found=f"{quote(one.text)} is traceable", spans=((one.start, one.end),))
            if not known.keys().isdisjoint(one.values)
            else Item(False, f"{quote(one.text)} is not in the input or the context{_closest(one, known)}")
            for one in found
        ]


def _sources(output: Output, case: Case) -> Iterator[str]:
    yield case.input
    yield from _texts(case.turns)
    yield from _texts(case.vars)
    for one in output.context if output.context is not None else case.context or ():
        yield one.text
    for call in output.tool_calls or ():
        yield from _texts(call.result)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif value is not None and not isinstance(value, bool):
        yield str(getattr(value, "text", value))


def _closest(figure: Figure, known: Mapping[Any, str]) -> str:
    numbers = [value for value in known if not isinstance(value, str)]
    mine = next((value for value in figure.values if not isinstance(value, str)), None)
    if mine is None or not numbers:
        return ""
    nearby = min(numbers, key=lambda value: abs(value - mine))
    return f" (closest there: {quote(known[nearby])})"
