"""The errors of judgekit, and which exit code each ends with.

JudgekitError
├── InputError            the user's files or arguments; found before money is spent     exit 2
│   └── ShapeError        arrays of unequal length, or empty where a value is needed
└── RunError              models, network: may pass on another try                       exit 3
    ├── ModelError        one call of a model failed; carries the cause of its row
    ├── TargetError       the thing under test failed; carries the cause of its row
    └── RunStopped        the whole run was stopped: key, first call, budget
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches


class JudgekitError(Exception):
    """Something judgekit can explain to the person who ran it."""

    exit_code = 3


class InputError(JudgekitError):
    """A file or an argument of the user's is wrong; nothing was run and nothing was spent."""

    exit_code = 2


class ShapeError(InputError):
    """Arrays do not fit each other."""


class RunError(JudgekitError):
    """A model, a target or the network failed."""


class ModelError(RunError):
    """One model call failed; `cause` is a cause of the contract such as `rate_limit`."""

    def __init__(self, message: str, cause: str = "provider") -> None:
        super().__init__(message)
        self.cause = cause


class TargetError(RunError):
    """The target failed on one case; `cause` is a cause of the contract such as `timeout`."""

    def __init__(self, message: str, cause: str = "target") -> None:
        super().__init__(message)
        self.cause = cause


class RunStopped(RunError):
    """The run as a whole cannot go on; `cause` is `budget`, or `interrupted` for everything else."""

    def __init__(self, message: str, cause: str = "interrupted") -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Complaint:
    """One mistake in a user's file."""

    file: str
    """Path as the user would write it; empty for arguments."""
    line: int | None
    """1-based line, where one is known."""
    message: str
    """What is wrong and how to mend it."""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}" if place else self.message


def raise_complaints(complaints: Sequence[Complaint]) -> None:
    """Raise one InputError that holds every complaint, in file and line order; do nothing for none."""
    if complaints:
        ordered = sorted(complaints, key=lambda one: (one.file, one.line or 0))
        raise InputError("\n".join(dict.fromkeys(str(one) for one in ordered)))


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """` Did you mean "x"?`, or nothing when no known word is close.

    Example:
        >>> did_you_mean("contian", ["contains", "regex"])
        ' Did you mean "contains"?'
    """
    close = get_close_matches(word.replace("-", "_").lower(), list(known), n=1, cutoff=0.6)
    return f' Did you mean "{close[0]}"?' if close else ""
