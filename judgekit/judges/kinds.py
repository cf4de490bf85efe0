"""The kinds of verdict a rubric can ask for; each finds its own in a JSON object and in prose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Protocol

from judgekit.judges.labels import label_of, line_label, stated_label
from judgekit.judges.prose import line_score, stated_score
from judgekit.judges.scan import JsonObject, plain_key
from judgekit.judges.written import Unread, boolean, exact, score_of
from judgekit.reading.text import without_surrogates
from judgekit.records import NO_FIELDS, Scale, Verdict

_SCORE = ("score", "rating", "overall_score", "final_score", "overall_rating", "final_rating")
_SCORE_TOO = ("overall", "grade", "mark")
_PASS = ("pass", "passed", "is_pass", "is_passed")
_LABEL = ("label", "verdict", "grade", "decision", "classification", "category", "judgment", "judgement", "result")
_LABEL_TOO = ("answer", "choice", "rating", "winner", "preference")
_REASON = ("reason", "reasoning", "explanation", "rationale", "justification", "analysis", "feedback", "comment")
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says, before a threshold decides."""

    score: Fraction | None = None
    label: str | None = None
    stated_pass: bool | None = None
    """The judge's own pass or fail, where it gave one."""
    reason: str = ""
    flags: tuple[str, ...] = ()
    items: Mapping[str, Verdict] = field(default_factory=lambda: NO_FIELDS)

    @property
    def says(self) -> tuple[Any, ...]:
        """What two readings must share to be the same verdict."""
        return self.score, self.label, self.stated_pass, {name: one.score for name, one in self.items.items()}


class Kind(Protocol):
    """One kind of verdict."""

    def from_object(self, value: JsonObject) -> Reading | None:
        """The verdict of an object; None if it holds none of the fields. Raises Unread for an unusable one."""
        ...

    def from_prose(self, text: str) -> Reading | None:
        """The verdict that prose states; None if there is none. Raises Unread for an unusable one."""
        ...

    def from_last_line(self, text: str) -> Reading | None:
        """The verdict of a line that is nothing else; asked of what follows an object."""
        ...


@dataclass(frozen=True, slots=True)
class ScaleKind:
    """A number on a scale, or the judge's own pass or fail."""

    scale: Scale
    key: str | None = None

    def from_object(self, value: JsonObject) -> Reading | None:
        """See Kind."""
        return _in_depth(value, self._flat)

    def _flat(self, value: JsonObject) -> Reading | None:
        # The rubric's own name counts less than "score": an object may also hold, say, the "length" it speaks of.
        own = (plain_key(self.key),) if self.key else ()
        passed = _stated_pass(value)
        for names in (_SCORE, own, _SCORE_TOO):
            present = _present(value, names)
            if present:
                scores = {score_of(value[name], self.scale) for name in present}
                if len(scores) > 1:
                    raise Unread("ambiguous", f"{' and '.join(present)} differ in one object")
                score = scores.pop()
                contradicts = (passed is True and score == exact(self.scale.min)) or (
                    passed is False and score == exact(self.scale.max)
                )
                return Reading(score, None, passed, reason_of(value), ("inconsistent",) if contradicts else ())
        return None if passed is None else Reading(stated_pass=passed, reason=reason_of(value))

    def from_prose(self, text: str) -> Reading | None:
        """See Kind."""
        stated = stated_score(text, self.scale, self.key)
        if stated is None:
            return None
        return Reading(stated.score, flags=("unlabelled",) if stated.unlabelled else ())

    def from_last_line(self, text: str) -> Reading | None:
        """See Kind."""
        score = line_score(text, self.scale, self.key)
        return None if score is None else Reading(score)


@dataclass(frozen=True, slots=True)
class LabelKind:
    """One of several labels, each worth a score."""

    labels: Mapping[str, float]
    key: str | None = None

    def from_object(self, value: JsonObject) -> Reading | None:
        """See Kind."""
        return _in_depth(value, self._flat)

    def _flat(self, value: JsonObject) -> Reading | None:
        for names in ((plain_key(self.key),),) if self.key else (_LABEL, _LABEL_TOO):
            present = _present(value, names)
            if not present:
                continue
            found, problems = set(), []
            for name in present:
                try:
                    found.add(label_of(value[name], self.labels))
                except Unread as problem:
                    problems.append(problem)
            if not found:
                raise problems[0]
            if len(found) > 1:
                raise Unread("ambiguous", f"{' and '.join(present)} name different labels: {', '.join(sorted(found))}")
            label = found.pop()
            score = value.get("score")
            known = isinstance(score, int | float) and not isinstance(score, bool) and score in self.labels.values()
            return self._reading(label, reason_of(value), differs=known and score != self.labels[label])
        return None

    def from_prose(self, text: str) -> Reading | None:
        """See Kind."""
        label = stated_label(text, self.labels, self.key)
        return None if label is None else self._reading(label)

    def from_last_line(self, text: str) -> Reading | None:
        """See Kind."""
        label = line_label(text, self.labels, self.key)
        return None if label is None else self._reading(label)

    def _reading(self, label: str, reason: str = "", differs: bool = False) -> Reading:
        return Reading(exact(self.labels[label]), label, None, reason, ("inconsistent",) if differs else ())


@dataclass(frozen=True, slots=True)
class BooleanKind:
    """Pass or fail and nothing else."""

    def from_object(self, value: JsonObject) -> Reading | None:
        """See Kind."""
        return _in_depth(value, _pass_reading)

    def from_prose(self, text: str) -> Reading | None:
        """See Kind."""
        return None

    def from_last_line(self, text: str) -> Reading | None:
        """See Kind."""
        return None


def _pass_reading(value: JsonObject) -> Reading | None:
    passed = _stated_pass(value)
    return None if passed is None else Reading(stated_pass=passed, reason=reason_of(value))


def _stated_pass(value: JsonObject) -> bool | None:
    present = _present(value, _PASS)
    if not present:
        return None
    said = {boolean(value[name]) for name in present}
    if None in said:
        raise Unread("unknown_label", f'"{present[0]}" is neither true nor false')
    if len(said) > 1:
        raise Unread("ambiguous", f"{' and '.join(present)} differ in one object")
    return said.pop()


def _present(value: JsonObject, names: Iterable[str]) -> list[str]:
    present = [name for name in dict.fromkeys(names) if name in value]
    doubled = next((name for name in present if name in value.doubled), None)
    if doubled:
        raise Unread("ambiguous", f'"{doubled}" is given twice with different values')
    return present


def reason_of(value: JsonObject) -> str:
    """The judge's reason in an object; empty where it gave none."""
    return without_surrogates(next((value[name] for name in _REASON if isinstance(value.get(name), str)), ""))


def _in_depth(value: JsonObject, read: Callable[[JsonObject], Reading | None]) -> Reading | None:
    """The reading of the object, else the one reading of the objects inside it."""
    level = [value]
    for _ in range(_DEEPEST):
        readings = [found for one in level if (found := read(one)) is not None]
        if readings:
            if any(one.says != readings[0].says for one in readings):
                raise Unread("ambiguous", "one object holds several verdicts that differ")
            reason = readings[-1].reason or reason_of(value)
            return replace(readings[-1], reason=reason)
        level = [inner for one in level for inner in _inner(one)]
    return None


def _inner(value: JsonObject) -> Iterator[JsonObject]:
    for item in value.values():
        if isinstance(item, JsonObject):
            yield item
        elif isinstance(item, list):
            yield from (one for one in item if isinstance(one, JsonObject))
