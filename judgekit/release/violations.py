"""What speaks against a release, as one record whatever its kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Weight = Literal["violation", "suspicion", "note"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that the release gate found."""

    agent: str
    kind: str
    """What is wrong, in one word such as `low_mean` or `loophole`."""
    message: str
    """One sentence: what, where, and how to mend it; the agent stands before it wherever it is shown."""
    rubric: str = ""
    """Registered name; empty where it is about the agent as a whole."""
    case_id: str = ""
    weight: Weight = "violation"
    """violation: fails the gate. suspicion: a warning, which fails it with --strict. note: always a warning."""
    file: str = ""
    line: int | None = None

    def fails(self, *, strict: bool) -> bool:
        """True if the gate fails because of it."""
        return self.weight == "violation" or (strict and self.weight == "suspicion")

    def __str__(self) -> str:
        about = f"{self.agent}, case {self.case_id}" if self.case_id else self.agent
        place = f" ({self.file}{f':{self.line}' if self.line else ''})" if self.file else ""
        return f"{about}: {self.message}{place}"


def split(found: Iterable[Violation], *, strict: bool) -> tuple[list[Violation], list[Violation]]:
    """Those that fail the gate, and those that are warnings."""
    found = list(found)
    return [one for one in found if one.fails(strict=strict)], [one for one in found if not one.fails(strict=strict)]
