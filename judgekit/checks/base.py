"""What every check is: a form that the user fills, with one method that judges an output.

A check is a class whose fields are the value and the options of its YAML form, so the loader, the lint and the JSON
Schema for editors all read the same definition. A subclass says which items it looks for and which it found; negation,
empty outputs and failed calls are decided here, once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Literal

from pydantic import Field

from judgekit.reading.forms import Bool, Form
from judgekit.records import NO_FIELDS, Case, CheckResult, Output
from judgekit.texts.visible import has_visible

Reads = Literal["text", "tools", "budget", "nested"]
"""What a check looks at. Text checks fail on an empty output; the others read their own field, groups their members."""

_MOST_REASONS = 8
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a check asked for."""

    met: bool
    missing: str = ""
    """Said when it is not met: what is missing and what was found instead."""
    found: str = ""
    """Said when a negated check met it: what was found and where."""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """Items with figures that go into the result's detail, and a remark said once at the end of a failure."""

    items: Sequence[Item]
    detail: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    remark: str = ""
    """Such as the headings that were found instead."""


class NoResult(Exception):
    """Raised by a check that cannot answer: the result is `error` with this cause."""

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause


class Absent(Exception):
    """Raised by a check whose subject is not in the output: the result is `fail`, negated or not."""


class Check(Form):
    """Base of all checks."""

    name: ClassVar[str]
    reads: ClassVar[Reads] = "text"
    any_item: ClassVar[bool] = False
    """True: one item met is enough."""
    takes_mapping: ClassVar[bool] = False
    """True: `value` itself is a mapping, so not every mapping is the option form."""
    required: Bool = Field(True, description="false: the result is reported and does not decide the case.")

    def items(self, output: Output, case: Case) -> Sequence[Item] | Findings | CheckResult:
        """Each thing asked for, with whether it is met; or a finished result, where items do not fit.

        Raises:
            NoResult: the check cannot answer on this output.
            Absent: what the check looks into is not there.
        """
        raise NotImplementedError

    def evaluate(self, output: Output, case: Case, *, negated: bool = False) -> CheckResult:
        """Result of this check on one output; `negated` passes only if none of the items is met."""
        if output.text is None:
            cause = output.cause or "no_output"
            return CheckResult("error", None, f"no output: {output.message or cause}", cause=cause)
        if self.reads == "text" and not has_visible(output.text):
            return outcome(False, "the output is empty")
        try:
            found = self.items(output, case)
        except NoResult as problem:
            return CheckResult("error", None, str(problem), cause=problem.cause)
        except Absent as problem:
            return outcome(False, str(problem))
        if isinstance(found, CheckResult):
            return _negate(found) if negated else found
        findings = found if isinstance(found, Findings) else Findings(found)
        return _none_met(findings) if negated else _met(findings, self.any_item)


def _met(findings: Findings, any_item: bool) -> CheckResult:
    items = findings.items
    met = [item for item in items if item.met]
    spans = tuple(span for item in met for span in item.spans)
    if len(met) == len(items) or (any_item and met):
        said = (met[0].found or "found") if any_item and met else "all found" if len(items) > 1 else "found"
        return CheckResult("pass", _ONE, said, spans, detail=findings.detail)
    said = _joined([item.missing for item in items if not item.met])
    if findings.remark:
        said = f"{said}; {findings.remark}"
    score = _ZERO if any_item else Fraction(len(met), len(items))
    return CheckResult("fail", score, said, spans, detail=findings.detail)


def _none_met(findings: Findings) -> CheckResult:
    met = [item for item in findings.items if item.met]
    if not met:
        return CheckResult("pass", _ONE, "none found", detail=findings.detail)
    said = _joined([item.found or "found what must not be there" for item in met])
    spans = tuple(span for item in met for span in item.spans)
    score = Fraction(len(findings.items) - len(met), len(findings.items))
    return CheckResult("fail", score, said, spans, detail=findings.detail)


def _joined(reasons: Sequence[str]) -> str:
    """The reasons without repetitions, the first of them: an output may hold thousands of figures."""
    different = list(dict.fromkeys(reason for reason in reasons if reason))
    said = "; ".join(different[:_MOST_REASONS])
    return f"{said}; and {len(different) - _MOST_REASONS} more" if len(different) > _MOST_REASONS else said


def _negate(result: CheckResult) -> CheckResult:
    if result.status not in ("pass", "fail"):
        return result
    turned = outcome(result.status == "fail", result.reason)
    reason = result.reason if turned.status == "pass" else f"must not hold, but does: {result.reason}"
    return replace(result, status=turned.status, score=turned.score, reason=reason)


def outcome(passed: bool, reason: str, **more: Any) -> CheckResult:
    """A pass with score 1 or a fail with score 0.

    Example:
        >>> outcome(False, "12 words, at most 10").status
        'fail'
    """
    return CheckResult("pass" if passed else "fail", _ONE if passed else _ZERO, reason, **more)
