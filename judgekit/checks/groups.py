"""Checks made of checks: any_of, all_of, at_least."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationInfo, WithJsonSchema, model_validator

from judgekit.checks.base import Check, Reads, outcome
from judgekit.checks.values import AtLeastOne
from judgekit.errors import Complaint
from judgekit.records import Case, CheckResult, CheckUse, Output, Place
from judgekit.scenarios.expect import NestedMistakes, parse_expect
from judgekit.texts.visible import has_visible

Member = tuple[CheckUse, ...]


class _Group(Check):
    """Members are evaluated each on its own; an error of one counts only if it could change the answer."""

    reads: ClassVar[Reads] = "nested"
    _members: tuple[Member, ...] = PrivateAttr(())

    @property
    def members(self) -> tuple[Member, ...]:
        """The checks of each listed entry; an entry of several checks holds if all of them do."""
        return self._members

    @property
    def _listed(self) -> Any:
        raise NotImplementedError

    @property
    def _needed(self) -> int:
        raise NotImplementedError

    @model_validator(mode="after")
    def _parse(self, info: ValidationInfo) -> _Group:
        place = info.context if isinstance(info.context, Place) else Place()
        self._members = _parsed(self._listed, place)
        if self._needed > len(self._members):
            raise ValueError(f"asks for {self._needed} of {len(self._members)}, which can't be met")
        return self

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass, fail or error over the members."""
        results = [evaluate_all(member, output, case) for member in self._members]
        return _combined(results, self._needed, [_names(member) for member in self._members])

    def evaluate(self, output: Output, case: Case, *, negated: bool = False) -> CheckResult:
        """Result of this group on one output; `negated` passes only if no member holds."""
        if not negated or output.text is None:
            return super().evaluate(output, case)
        # An empty output fails its text checks, and must not pass for having failed them.
        if not has_visible(output.text) and any(_reads_text(use) for member in self._members for use in member):
            return outcome(False, "the output is empty")
        results = [evaluate_all(member, output, case) for member in self._members]
        return _none_holds(results, [_names(member) for member in self._members])


def _as_members(value: Any) -> Any:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError("must be a list of checks, such as `- contains: text`")
    return value


# Left as it is, and not copied into a plain list: a list of a YAML file knows its lines.
Members = Annotated[
    Any,
    BeforeValidator(_as_members),
    WithJsonSchema({"type": "array", "items": {"type": "object"}, "minItems": 1}),
]


class AnyOf(_Group):
    """At least one of the listed groups of checks holds."""

    name: ClassVar[str] = "any_of"
    value: Members = Field(description="List of mappings as under `expect`.")

    @property
    def _listed(self) -> Any:
        return self.value

    @property
    def _needed(self) -> int:
        return 1


class AllOf(_Group):
    """All of the listed groups of checks hold."""

    name: ClassVar[str] = "all_of"
    value: Members = Field(description="List of mappings as under `expect`.")

    @property
    def _listed(self) -> Any:
        return self.value

    @property
    def _needed(self) -> int:
        return len(self._members)


class AtLeast(_Group):
    """At least `n` of the listed groups of checks hold."""

    name: ClassVar[str] = "at_least"
    n: AtLeastOne = Field(description="How many must hold.")
    of: Members = Field(description="List of mappings as under `expect`.")

    @property
    def _listed(self) -> Any:
        return self.of

    @property
    def _needed(self) -> int:
        return self.n


def evaluate_all(uses: Sequence[CheckUse], output: Output, case: Case) -> CheckResult:
    """Result of several checks that must all hold; of one check its own result."""
    results = [use.check.evaluate(output, case, negated=use.negated) for use in uses]
    if len(results) == 1:
        return results[0]
    return _combined(results, len(results), [use.metric for use in uses])


def _parsed(listed: Any, place: Place) -> tuple[Member, ...]:
    members: list[Member] = []
    mistakes: list[Complaint] = []
    for entry, line in zip(listed, getattr(listed, "lines", [None] * len(listed)), strict=True):
        uses, complaints = parse_expect(entry, place=place, file="", line=line)
        mistakes += complaints
        if not uses and not complaints:
            mistakes.append(Complaint("", line, "an entry of the list names no check."))
        members.append(uses)
    if mistakes:
        raise NestedMistakes(mistakes)
    return tuple(members)


def _names(member: Member) -> str:
    return " + ".join(use.metric for use in member)


def _reads_text(use: CheckUse) -> bool:
    if isinstance(use.check, _Group):
        return any(_reads_text(inner) for member in use.check.members for inner in member)
    return getattr(use.check, "reads", "text") == "text"


def _combined(results: Sequence[CheckResult], needed: int, names: Sequence[str]) -> CheckResult:
    """Three-valued: a member without a result matters only if it could change the answer."""
    passed = [result.status in ("pass", "scored") for result in results]
    unknown = [result for result in results if result.status not in ("pass", "fail", "scored")]
    spans = tuple(span for result, good in zip(results, passed, strict=True) if good for span in result.spans)
    score = Fraction(min(sum(passed), needed), needed)
    if sum(passed) >= needed:
        held = [name for name, good in zip(names, passed, strict=True) if good]
        said = "all hold" if needed == len(results) else f"{', '.join(held)} held"
        return CheckResult("pass", Fraction(1), said, spans)
    said = "; ".join(
        f"{name}: {result.reason}" for name, result, good in zip(names, results, passed, strict=True) if not good
    )
    if needed < len(results):
        said = f"{sum(passed)} of {len(results)} hold, at least {needed} wanted: {said}"
    if sum(passed) + len(unknown) >= needed:
        return CheckResult("error", None, said, cause=unknown[0].cause)
    return CheckResult("fail", score, said, spans)


def _none_holds(results: Sequence[CheckResult], names: Sequence[str]) -> CheckResult:
    held = [at for at, result in enumerate(results) if result.status in ("pass", "scored")]
    unknown = [result for result in results if result.status not in ("pass", "fail", "scored")]
    if held:
        said = "; ".join(f"{names[at]} must not hold, but does: {results[at].reason}" for at in held)
        spans = tuple(span for at in held for span in results[at].spans)
        return CheckResult("fail", Fraction(len(results) - len(held), len(results)), said, spans)
    if unknown:
        return CheckResult("error", None, unknown[0].reason, cause=unknown[0].cause)
    return outcome(True, "none holds")
