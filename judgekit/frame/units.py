"""Trials of a case in, one standing per case and variant out: the unit that counts, gates and JUnit speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judgekit.frame.tables import CaseRow
from judgekit.records import Trials

GOOD = ("pass", "negative_ok")


@dataclass(frozen=True, slots=True)
class Unit:
    """One case under one variant, over its trials."""

    case_id: str
    suite: str
    variant: str
    status: str
    """pass, fail, error, skipped or negative_ok."""
    n_trials: int
    n_passed: int
    n_open: int
    """Trials without a result."""
    negative: bool
    cause: str | None
    reason: str


def units_of(manifest: Mapping[str, Any], rows: Iterable[CaseRow]) -> list[Unit]:
    """The units of a run, by what its manifest says of each case: `should_pass` and `trials`."""
    cases: Mapping[str, Mapping[str, Any]] = manifest.get("cases") or {}
    return to_units(
        rows,
        negatives={case_id for case_id, about in cases.items() if about.get("should_pass") is False},
        trials={
            case_id: Trials(about["trials"]["n"], about["trials"]["require"])
            for case_id, about in cases.items()
            if "trials" in about
        },
    )


def to_units(rows: Iterable[CaseRow], *, negatives: set[str], trials: Mapping[str, Trials]) -> list[Unit]:
    """The units of a run, in the order of its rows.

    Args:
        rows: One row per case, variant and trial.
        negatives: Ids of cases with `should_pass: false`.
        trials: What each case asks of its trials; a case that is not in it needs all.
    """
    groups: dict[tuple[str, str], list[CaseRow]] = {}
    for row in rows:
        groups.setdefault((row.case_id, row.variant), []).append(row)
    return [_unit(group, case_id in negatives, trials.get(case_id, Trials())) for (case_id, _), group in groups.items()]


def within(units: Sequence[Unit], max_errors: Fraction | int) -> bool:
    """Whether the units without a result are as few as is tolerated: a count, or a share of all."""
    n_open = sum(unit.status == "error" for unit in units)
    return n_open <= (max_errors * len(units) if isinstance(max_errors, Fraction) else max_errors)


def _unit(rows: list[CaseRow], negative: bool, trials: Trials) -> Unit:
    passed = [row for row in rows if row.status in GOOD]
    open_rows = [row for row in rows if row.status == "error"]
    failed = [row for row in rows if row.status == "fail"]
    need = len(rows) if trials.require is None else min(trials.require, len(rows))
    if all(row.status == "skipped" for row in rows):
        status, deciding = "skipped", rows
    elif len(passed) >= need:
        status, deciding = ("negative_ok" if negative else "pass"), passed
    elif len(passed) + len(open_rows) < need:
        status, deciding = "fail", failed
    else:
        status, deciding = "error", open_rows
    first = deciding[0]
    return Unit(
        case_id=first.case_id,
        suite=first.suite,
        variant=first.variant,
        status=status,
        n_trials=len(rows),
        n_passed=len(passed),
        n_open=len(open_rows),
        negative=negative,
        cause=first.cause,
        reason=first.reason if len(rows) == 1 else _over_trials(first, len(deciding), len(rows), status),
    )


def _over_trials(first: CaseRow, n: int, of: int, status: str) -> str:
    return f"{n} of {of} trials {status}" + (f": {first.reason}" if first.reason else "")
