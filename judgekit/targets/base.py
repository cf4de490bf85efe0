"""What every target is."""

from __future__ import annotations

from typing import Protocol

from judgekit.errors import JudgekitError
from judgekit.records import Case, Output, Variant
from judgekit.texts.scrubbing import scrub


class Target(Protocol):
    """Something that answers cases; it keeps nothing between calls, so one object serves many threads."""

    variant: Variant

    def collect(self, case: Case, trial: int) -> Output:
        """The output for one case and trial; a failure is an Output without text, with its cause."""
        ...


def failed(case: Case, variant: str, trial: int, problem: JudgekitError | str, cause: str) -> Output:
    """The output that stands for a failed call; no key of the environment is in its message.

    Example:
        >>> failed(Case("a"), "v1", 0, "timed out after 5 s", "timeout").cause
        'timeout'
    """
    return Output(None, case.case_id, variant, trial, cause=cause, message=scrub(str(problem)))
