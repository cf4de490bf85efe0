"""What every deterministic rubric is: a form of options with one method that scores an output exactly.

A subclass measures a text that is there and not empty; failed calls, empty and unreadable outputs are decided here,
once. Scores are fractions, so a mean meets its threshold exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

from judgekit.reading.forms import Form, as_exact
from judgekit.reading.text import without_surrogates
from judgekit.records import Case, CheckResult, Output, RubricUse
from judgekit.texts.quoting import quote


class Unparseable(Exception):
    """The output is not in the form that the rubric reads; it scores 0."""


class NoEvidence(Exception):
    """The case lacks what the rubric compares with; the result is `error` with this cause."""

    def __init__(self, cause: str, reason: str) -> None:
        super().__init__(reason)
        self.cause = cause


class DeterministicRubric(Form):
    """Base of all rubrics that need no model; the fields are the options of its YAML form."""

    name: ClassVar[str]
    version: ClassVar[str]
    """Rises whenever the same output may score otherwise."""

    def measure(self, text: str, output: Output, case: Case) -> CheckResult:
        """The result `scored` with an exact fraction in [0, 1] for a text that holds something.

        A flag that starts with `no_`, such as `no_triples`, says that there was nothing to count: the score is 0 and
        tells nothing of quality.

        Raises:
            Unparseable: the text is not in the form that this rubric reads.
            NoEvidence: the case lacks what the output is compared with.
        """
        raise NotImplementedError

    def score(self, output: Output, case: Case) -> CheckResult:
        """Result of this rubric on one output: `scored`, or `error` where there is no output or nothing to compare."""
        if output.text is None:
            return CheckResult("error", None, f"no output: {output.message or output.cause}", cause=output.cause)
        if not output.text.strip():
            return _unparseable("the output is empty")
        try:
            return self.measure(without_surrogates(output.text), output, case)
        except Unparseable as problem:
            return _unparseable(str(problem))
        except NoEvidence as problem:
            return CheckResult("error", None, str(problem), cause=problem.cause)

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """What an agent that does no work could answer to a case, by name, in the form that this rubric reads.

        The release gate scores these: a rubric, or a set of fixtures, that one of them satisfies proves nothing.
        """
        return {"the empty output": "", "the echo of the input": case.input}

    def check_case(self, case: Case) -> list[str]:
        """Mistakes of the case's own data that would keep this rubric from scoring it; empty if it is sound."""
        return []


def _unparseable(why: str) -> CheckResult:
    return CheckResult("scored", Fraction(0), f"unparseable: {why}", flags=("unparseable",))


def apply(rubric: DeterministicRubric, use: RubricUse, output: Output, case: Case) -> CheckResult:
    """The rubric's result, with `scored` turned to pass or fail where the use sets a threshold.

    The comparison is exact: 7/10 meets `pass_at: 0.70`, whatever floats would say.

    Example:
        >>> from judgekit.rubrics.sources import SourceCoverage
        >>> output = Output('{"triples": [{"subject": "Ada", "source": "p. 4"}, {"subject": "Bo", "source": ""}]}')
        >>> apply(SourceCoverage(), RubricUse("source_coverage", pass_at=Fraction(1, 2)), output, Case("a")).status
        'pass'
    """
    result = rubric.score(output, case)
    if result.status != "scored" or result.score is None or use.pass_at is None:
        return result
    # A rubric of another package may give a float: 0.7 then means 7/10.
    return replace(result, status="pass" if as_exact(result.score) >= use.pass_at else "fail")


def quoted(value: Any, limit: int = 60) -> str:
    """A short, one-line quotation of what an output holds, safe to write to any file.

    Example:
        >>> quoted("Acme  Ltd")
        '"Acme Ltd"'
    """
    return quote(str(value)[: 4 * limit], limit - 1)


def listed(parts: list[str], limit: int = 5) -> str:
    """The first few parts joined by commas, and how many more there are.

    Example:
        >>> listed(["a", "b", "c"], limit=2)
        'a, b and 1 more'
    """
    more = f" and {len(parts) - limit} more" if len(parts) > limit else ""
    return ", ".join(parts[:limit]) + more
