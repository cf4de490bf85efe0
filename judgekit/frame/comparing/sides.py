"""Units and rows of a run in; what one side of a comparison is made of, by metric and case, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.errors import InputError
from judgekit.frame.panels import deciding
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.frame.units import Unit

Metric = tuple[str, str]
"""Kind and name."""


class CaseRows(Mapping[str, Sequence[ResultRow]]):
    """The rows of one metric by case: nearly always one, so no list is made for it.

    Three hundred thousand lists would double the time and the memory of a large comparison.
    """

    def __init__(self) -> None:
        self._first: dict[str, ResultRow] = {}
        self._all: dict[str, list[ResultRow]] = {}
        self.required: set[str] = set()
        """Cases that have to meet this metric."""

    def add(self, row: ResultRow) -> None:
        """Add one more row of a case."""
        first = self._first.setdefault(row.case_id, row)
        if row.required:
            self.required.add(row.case_id)
        if first is not row:
            self._all.setdefault(row.case_id, [first]).append(row)

    def __getitem__(self, case_id: str) -> Sequence[ResultRow]:
        return self._all.get(case_id) or (self._first[case_id],)

    def rows(self, case_id: str) -> Sequence[ResultRow]:
        """The rows of one case, none if it has not the metric."""
        first = self._first.get(case_id)
        return () if first is None else self._all.get(case_id) or (first,)

    def __contains__(self, case_id: object) -> bool:
        return case_id in self._first

    def __iter__(self) -> Iterator[str]:
        return iter(self._first)

    def __len__(self) -> int:
        return len(self._first)

    def raise_repeated(self) -> None:
        """Raise if the same trial was scored twice by the same judge.

        Raises:
            InputError: the first such case.
        """
        for case_id, rows in self._all.items():
            if len({(row.trial, row.judge) for row in rows}) < len(rows):
                one = rows[0]
                raise InputError(
                    f'case "{case_id}" has two rows of {one.metric} for the same trial and judge (variant '
                    f"{one.variant}): which one counts? Keep one of them."
                )


NO_ROWS = CaseRows()


@dataclass(frozen=True, slots=True)
class Side:
    """What one variant of one run came to."""

    name: str
    """The variant."""
    units: Mapping[str, Unit]
    """By case."""
    rows: Mapping[Metric, CaseRows]
    """By metric and case: one row per trial and judge."""
    apart: frozenset[str]
    """Negative fixtures and cases that are only to be read: they are in no comparison."""

    def required(self, case_id: str) -> frozenset[str]:
        """The metrics that decide whether this case passes."""
        return frozenset(metric for (_, metric), by_case in self.rows.items() if case_id in by_case.required)


def sides_of(units: Iterable[Unit], results: Iterable[ResultRow]) -> dict[str, Side]:
    """The sides of a run by variant, cases and metrics in the order of its rows.

    Raises:
        InputError: two rows hold the same metric of the same output by the same judge.
    """
    by_variant: dict[str, dict[str, Unit]] = {}
    for unit in units:
        by_variant.setdefault(unit.variant, {})[unit.case_id] = unit
    rows: dict[str, dict[Metric, CaseRows]] = {variant: {} for variant in by_variant}
    # Pairs are compared by who won, not by score.
    for row in deciding([row for row in results if not row.against]):
        mine = rows.setdefault(row.variant, {})
        key = (row.kind, row.metric)
        if key not in mine:
            mine[key] = CaseRows()
        mine[key].add(row)
    for by_metric in rows.values():
        for by_case in by_metric.values():
            by_case.raise_repeated()
    return {variant: _side(variant, by_variant.get(variant, {}), mine) for variant, mine in rows.items()}


def _side(name: str, units: Mapping[str, Unit], rows: Mapping[Metric, CaseRows]) -> Side:
    apart = frozenset(case_id for case_id, unit in units.items() if unit.negative or unit.status == "skipped")
    return Side(name, units, rows, apart)


def chosen_by_outcome(manifest: Mapping[str, Any]) -> str | None:
    """The selection of a run whose cases were chosen for how they came out; None for any other run.

    Among cases that were chosen because one variant failed, that variant loses to every other: nothing follows.

    Example:
        >>> chosen_by_outcome({"selection": {"only": "failed:latest~1"}}), chosen_by_outcome({"selection": {}})
        ('--only failed:latest~1', None)
    """
    only = (manifest.get("selection") or {}).get("only")
    return f"--only {only}" if only and str(only).partition(":")[0] in ("failed", "error") else None


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
