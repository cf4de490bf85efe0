"""Units and rows of a run in; what one side of a comparison is made of, by metric and case, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from judgekit.errors import InputError
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.frame.units import Unit

Metric = tuple[str, str]
"""Kind and name."""


@dataclass(frozen=True, slots=True)
class Side:
    """What one variant of one run came to."""

    name: str
    """The variant."""
    units: Mapping[str, Unit]
    """By case."""
    rows: Mapping[Metric, Mapping[str, list[ResultRow]]]
    """By metric and case: one row per trial and judge."""

    def required(self, case_id: str) -> frozenset[str]:
        """The metrics that decide whether this case passes."""
        return frozenset(
            metric for (_, metric), by_case in self.rows.items() for row in by_case.get(case_id, ()) if row.required
        )

    @property
    def has_required(self) -> bool:
        """True if any case can fail."""
        return any(row.required for by_case in self.rows.values() for rows in by_case.values() for row in rows)


def sides_of(units: Iterable[Unit], results: Iterable[ResultRow]) -> dict[str, Side]:
    """The sides of a run by variant, cases and metrics in the order of its rows.

    Raises:
        InputError: two rows hold the same metric of the same output by the same judge.
    """
    by_variant: dict[str, dict[str, Unit]] = {}
    for unit in units:
        by_variant.setdefault(unit.variant, {})[unit.case_id] = unit
    rows: dict[str, dict[Metric, dict[str, list[ResultRow]]]] = {variant: {} for variant in by_variant}
    for row in results:
        mine = rows.setdefault(row.variant, {}).setdefault((row.kind, row.metric), {})
        there = mine.get(row.case_id)
        if there is None:
            mine[row.case_id] = [row]
        else:
            there.append(row)
    for by_metric in rows.values():
        for by_case in by_metric.values():
            _raise_repeated(by_case)
    return {variant: Side(variant, by_variant.get(variant, {}), mine) for variant, mine in rows.items()}


def _raise_repeated(by_case: Mapping[str, list[ResultRow]]) -> None:
    for case_id, rows in by_case.items():
        if len(rows) > 1 and len({(row.trial, row.judge) for row in rows}) < len(rows):
            one = rows[0]
            raise InputError(
                f'case "{case_id}" has two rows of {one.metric} for the same trial and judge (variant {one.variant}): '
                "which one counts? Keep one of them."
            )


def raise_repeated_outputs(cases: Iterable[CaseRow], where: str) -> None:
    """Raise if a case has two rows for one variant and trial: it would count as one trial more.

    Raises:
        InputError: the first such case.
    """
    seen = set()
    for row in cases:
        key = (row.case_id, row.variant, row.trial)
        if key in seen:
            raise InputError(
                f'{where}: is damaged: case "{row.case_id}" (variant {row.variant}, trial {row.trial}) is there twice.'
            )
        seen.add(key)
