"""Verdicts made of several: a yes/no checklist, and criteria with a scale each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judgekit.judges.kinds import Reading, reason_of
from judgekit.judges.scan import JsonObject, plain_key
from judgekit.judges.written import Unread, own_lines, score_of, shorten, yes_or_no
from judgekit.records import Scale, Verdict

_HOLDERS = ("items", "checklist", "answers", "results", "checks", "criteria", "scores", "verdicts", "")
_NAMES = ("item", "name", "id", "key", "criterion", "question", "check")
_ANSWERS = ("answer", "value", "result", "met", "verdict", "passed", "pass")
_SCORES = ("score", "rating", "value")


@dataclass(frozen=True, slots=True)
class ChecklistKind:
    """Yes or no to each question; the score is the share of yes. A partial reply is unscored as a whole."""

    questions: Mapping[str, str]

    def from_object(self, value: JsonObject) -> Reading | None:
        """See Kind."""
        found = _collect(value, self.questions, _ANSWERS)
        if not found:
            return None
        answers = {}
        for name, (answer, _) in found.items():
            said = yes_or_no(answer)
            if said is None:
                raise Unread("unknown_label", f'"{name}" is answered "{shorten(str(answer), 60)}", neither yes nor no')
            answers[name] = said
        return self._reading(answers, value, {name: reason for name, (_, reason) in found.items()})

    def from_prose(self, text: str) -> Reading | None:
        """See Kind."""
        answers = {}
        for name, rest in _lines(text, self.questions):
            word = re.match(r"[\s*_`\"'\[(]*(yes|no|true|false)\b", rest, re.IGNORECASE)
            if word:
                answers[name] = word.group(1).lower() in ("yes", "true")
        return self._reading(answers, JsonObject(), {}) if answers else None

    def from_last_line(self, text: str) -> Reading | None:
        """See Kind."""
        return None

    def _reading(self, answers: Mapping[str, bool], value: JsonObject, reasons: Mapping[str, str]) -> Reading:
        _all_there(answers, self.questions)
        score = Fraction(sum(answers.values()), len(self.questions))
        items = {
            name: Verdict(
                "pass" if answers[name] else "fail",
                float(answers[name]),
                "yes" if answers[name] else "no",
                answers[name],
                reason=reasons.get(name, ""),
            )
            for name in self.questions
        }
        stated = value.get("score")
        differs = (
            isinstance(stated, int | float)
            and not isinstance(stated, bool)
            # The judge may count its yeses instead of taking their share.
            and min(abs(stated - float(score)), abs(stated - sum(answers.values()))) > 0.01
        )
        return Reading(score, None, None, reason_of(value), ("inconsistent",) if differs else (), items)


@dataclass(frozen=True, slots=True)
class CriteriaKind:
    """A score for each criterion; the score of all is their mean. A partial reply is unscored as a whole."""

    criteria: Mapping[str, Scale]

    def from_object(self, value: JsonObject) -> Reading | None:
        """See Kind."""
        found = _collect(value, self.criteria, _SCORES)
        if not found:
            return None
        scores = {}
        for name, (stated, _) in found.items():
            try:
                scores[name] = score_of(stated, self.criteria[name])
            except Unread as problem:
                raise Unread(problem.cause, f"{name}: {problem}") from None
        return self._reading(scores, reason_of(value), {name: reason for name, (_, reason) in found.items()})

    def from_prose(self, text: str) -> Reading | None:
        """See Kind."""
        scores = {name: score_of(rest, self.criteria[name]) for name, rest in _lines(text, self.criteria)}
        return self._reading(scores, "", {}) if scores else None

    def from_last_line(self, text: str) -> Reading | None:
        """See Kind."""
        return None

    def _reading(self, scores: Mapping[str, Fraction], reason: str, reasons: Mapping[str, str]) -> Reading:
        _all_there(scores, self.criteria)
        items = {name: Verdict("scored", float(scores[name]), reason=reasons.get(name, "")) for name in self.criteria}
        return Reading(sum(scores.values(), Fraction(0)) / len(self.criteria), None, None, reason, (), items)


def _all_there(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    missing = [name for name in wanted if name not in found]
    if missing:
        raise Unread("missing_field", f"nothing is said about {', '.join(missing)}")


def _collect(value: JsonObject, wanted: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, tuple[Any, str]]:
    """Name -> what is said about it and why, from the object itself or from the field that holds the items."""
    names = {plain_key(name): name for name in wanted}
    names |= {plain_key(said): name for name, said in wanted.items() if isinstance(said, str)}
    for holder in (value, *(value[name] for name in _HOLDERS if name in value)):
        pairs = list(_pairs(holder))
        found: dict[str, tuple[Any, str]] = {}
        for key, item in pairs:
            name = names.get(plain_key(key))
            if name is None:
                continue
            answer = _unwrapped(item, fields)
            if (name in found and found[name] != answer) or plain_key(key) in getattr(holder, "doubled", ()):
                raise Unread("ambiguous", f'"{name}" is answered twice with different values')
            found[name] = answer
        if found:
            return found
    return {}


def _pairs(holder: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(holder, JsonObject):
        yield from holder.items()
    elif isinstance(holder, list):
        for entry in holder:
            if isinstance(entry, JsonObject):
                name = next((entry[key] for key in _NAMES if isinstance(entry.get(key), str)), None)
                if name is not None:
                    yield name, entry
                elif len(entry) == 1:
                    yield from entry.items()


def _unwrapped(item: Any, fields: tuple[str, ...]) -> tuple[Any, str]:
    if not isinstance(item, JsonObject):
        return item, ""
    return next((item[key] for key in fields if key in item), None), reason_of(item)


def _lines(text: str, wanted: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each line of the form `name: rest`, with the name as the rubric spells it."""
    names = {plain_key(name): name for name in wanted}
    names |= {plain_key(said): name for name, said in wanted.items() if isinstance(said, str)}
    for line in own_lines(text):
        head, mark, rest = line.lstrip("-*+•# ").partition(":")
        name = names.get(plain_key(re.sub(r"^\d+[.)]\s*", "", head))) if mark else None
        if name is not None:
            yield name, rest
