"""What every check is: a form that the user fills, with one method that judges an output.

A check is a class whose fields are the value and the options of its YAML form, so the loader, the lint and the JSON
Schema for editors all read the same definition. A subclass says which items it looks for and which it found; negation,
empty outputs and failed calls are decided here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from judgekit.reading.forms import Form
from judgekit.records import Case, CheckResult, Output

Reads = Literal["text", "tools", "budget"]
"""What a check looks at. Text checks fail on an empty output; the others read their own field."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing a check asked for."""

    met: bool
    missing: str
    """Said when it is not met: what is missing and what was found instead."""
    found: str = ""
    """Said when a negated check met it: what was found and where."""
    spans: tuple[tuple[int, int], ...] = ()


class NoResult(Exception):
    """Raised by a check that cannot answer: the result is `error` with this cause."""

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause


class Check(Form):
    """Base of all checks."""

    name: ClassVar[str]
    reads: ClassVar[Reads] = "text"
    any_item: ClassVar[bool] = False
    """True: one item met is enough."""
    required: bool = True
    """False: the result is reported and does not decide the case."""

    def items(self, output: Output, case: Case) -> Sequence[Item] | CheckResult:
        """Each thing asked for, with whether it is met; or a finished result, where items do not fit.

        Raises:
            NoResult: the check cannot answer on this output.
        """
        raise NotImplementedError

    def evaluate(self, output: Output, case: Case, *, negated: bool = False) -> CheckResult:
        """Result of this check on one output; `negated` passes only if none of the items is met."""
        if output.text is None:
            return CheckResult("error", None, f"no output: {output.message or output.cause}", cause=output.cause)
        if self.reads == "text" and not output.text.strip():
            return CheckResult("fail", Fraction(0), "the output is empty")
        try:
            items = self.items(output, case)
        except NoResult as problem:
            return CheckResult("error", None, str(problem), cause=problem.cause)
        if isinstance(items, CheckResult):
            return _negate(items) if negated else items
        return self._count(items, negated)

    def _count(self, items: Sequence[Item], negated: bool) -> CheckResult:
        met = [item for item in items if item.met]
        spans = tuple(span for item in met for span in item.spans)
        if negated:
            said = "; ".join(item.found or "found what must not be there" for item in met)
            return _result(not met, Fraction(len(items) - len(met), len(items) or 1), said or "none found", spans)
        missed = [item for item in items if not item.met]
        passed = bool(met) if self.any_item else not missed
        score = Fraction(int(passed)) if self.any_item else Fraction(len(met), len(items) or 1)
        said = "; ".join(item.missing for item in missed) if not passed else "all found"
        if passed and self.any_item:
            said = met[0].found or "one found"
        return _result(passed, score, said, spans)


def _result(passed: bool, score: Fraction, reason: str, spans: tuple[tuple[int, int], ...]) -> CheckResult:
    return CheckResult("pass" if passed else "fail", score, reason, spans)


def _negate(result: CheckResult) -> CheckResult:
    if result.status not in ("pass", "fail"):
        return result
    passed = result.status == "fail"
    reason = result.reason if passed else f"must not hold, but does: {result.reason}"
    return CheckResult(
        "pass" if passed else "fail",
        Fraction(int(passed)),
        reason,
        result.spans,
        result.cause,
        result.flags,
        result.detail,
    )


def outcome(passed: bool, reason: str, **more: Any) -> CheckResult:
    """A pass with score 1 or a fail with score 0.

    Example:
        >>> outcome(False, "12 words, at most 10").status
        'fail'
    """
    return CheckResult("pass" if passed else "fail", Fraction(int(passed)), reason, **more)
