"""Rows of single trials in, one entry per case × variant out: what the table, JUnit and the counts speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judgekit.frame import CaseRow, RunData
from judgekit.frame.units import Unit


@dataclass(frozen=True, slots=True)
class Entry:
    """One case of one variant with all its trials."""

    unit: Unit
    """Status and reason of the whole, as the gate counts them."""
    trials: tuple[CaseRow, ...]

    @property
    def first(self) -> CaseRow:
        """What all trials share: case, variant, suite, tags, place."""
        return self.trials[0]

    @property
    def status(self) -> str:
        """pass, fail, error, skipped or negative_ok."""
        return self.unit.status

    @property
    def reason(self) -> str:
        """What decided, in words."""
        return self.unit.reason or self.unit.cause or ""

    @property
    def output(self) -> str | None:
        """The output that the reason speaks of: that of the first trial with the status of the whole."""
        return next((row for row in self.trials if row.status == self.status), self.trials[0]).output


def entries(run: RunData) -> list[Entry]:
    """One entry per case × variant, in order of first appearance."""
    grouped: dict[tuple[str, str], list[CaseRow]] = {}
    for row in run.cases:
        grouped.setdefault((row.case_id, row.variant), []).append(row)
    return [Entry(unit, tuple(rows)) for unit, rows in zip(run.units, grouped.values(), strict=True)]


def passed_of(found: Sequence[Entry]) -> dict[str, tuple[int, int]]:
    """By variant: cases that passed, and cases that could; skipped ones and negative fixtures enter no rate."""
    rates: dict[str, tuple[int, int]] = {}
    for entry in found:
        passed, of = rates.get(entry.first.variant, (0, 0))
        counts = entry.status != "skipped" and not entry.unit.negative
        rates[entry.first.variant] = (passed + (counts and entry.status == "pass"), of + counts)
    return rates
