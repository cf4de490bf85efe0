"""Rows of a run in, what a baseline remembers of it out: per case × variant the standing of each check and judge.

The same records are made of the run that is held to the baseline, so that both are compared like with like.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from typing import Any

from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.frame.units import Unit

ALL_CHECKS = "all checks in one trial"
"""Stands beside the checks of a case with several trials: each may pass in enough of them, and never all together."""
SHOULD_FAIL = "should fail"
"""Stands in the place of the checks of a negative fixture, which are there to be failed."""
FLAKY = "flaky"
CONFIRMED = "confirmed"
UNCONFIRMED = "unconfirmed"
"""Flags of a judged row that is worse than the baseline and was asked again: it was not meant, it was, nobody knows."""

Place = tuple[str, str]
"""case_id, variant."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How a case stands on one required check or deterministic rubric."""

    status: str
    """pass, fail or error, over the trials."""
    definition: str
    """Hash of what it asks."""


@dataclass(frozen=True, slots=True)
class Scored:
    """How a case stands with one judge on one rubric, over its trials."""

    score: float | None
    passed: float | None
    """Share of the trials that pass; None where the rubric has no threshold."""
    definition: str
    """Hash of rubric and threshold."""
    identity: str
    """Of the judge."""
    flaky: float = 0.0
    """Share of the trials whose worse verdict was not meant: asked again, the judge took it back."""
    open: bool = False
    """Whether there is no score against the user's will; False too where judging was skipped on purpose."""


@dataclass(frozen=True, slots=True)
class Known:
    """One case under one variant, as a baseline knows it."""

    case_id: str
    variant: str
    suite: str
    asks: tuple[str | None, ...]
    """Hashes of input, vars, context and reference."""
    status: str
    """pass, fail or negative_ok."""
    outputs: str = ""
    """Hash of its outputs."""
    checks: Mapping[str, Checked] = field(default_factory=dict)
    judged: Mapping[tuple[str, str], Scored] = field(default_factory=dict)
    """By rubric and judge."""

    @property
    def place(self) -> Place:
        """What it is found by."""
        return self.case_id, self.variant


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a run is held to."""

    name: str
    """File or run, as the user named it."""
    cases: Mapping[Place, Known]


@dataclass(frozen=True, slots=True)
class Held:
    """One rule of the baseline, as the gate decides it."""

    rule: str
    variant: str
    outcome: str
    """holds, fails or undecided."""
    value: Fraction | None
    n_scored: int
    n_total: int
    reason: str


def baseline_of(
    name: str,
    manifest: Mapping[str, Any],
    units: Iterable[Unit],
    results: Iterable[ResultRow],
    cases: Iterable[CaseRow],
    gated: Mapping[str, Collection[str]],
) -> Baseline:
    """The baseline that a run makes: its gated units with a result.

    Args:
        name: How it is called.
        manifest: Of the run.
        units: Its case × variant units.
        results: Its rows.
        cases: Its outputs.
        gated: Variants that count, by suite.
    """
    known = [unit for unit in units if unit.variant in gated.get(unit.suite, ()) and unit.status != "skipped"]
    return Baseline(
        name, {one.place: one for one in standings(manifest, known, results, cases) if one.status != "error"}
    )


def standings(
    manifest: Mapping[str, Any], units: Iterable[Unit], results: Iterable[ResultRow], cases: Iterable[CaseRow]
) -> list[Known]:
    """What is known of each of these units; arguments as in `baseline_of`."""
    units = list(units)
    wanted = {(unit.case_id, unit.variant) for unit in units}
    rows: dict[Place, list[ResultRow]] = {}
    for row in results:
        if (row.case_id, row.variant) in wanted and not row.against:
            rows.setdefault((row.case_id, row.variant), []).append(row)
    outputs: dict[Place, list[str]] = {}
    for case in cases:
        outputs.setdefault((case.case_id, case.variant), []).append(case.output_hash)
    entries: Mapping[str, Mapping[str, Any]] = manifest.get("cases") or {}
    return [
        _known(
            unit,
            entries[unit.case_id],
            rows.get((unit.case_id, unit.variant), []),
            outputs.get((unit.case_id, unit.variant), []),
        )
        for unit in units
    ]


def _known(unit: Unit, entry: Mapping[str, Any], rows: Sequence[ResultRow], outputs: Sequence[str]) -> Known:
    definitions: Mapping[str, str] = entry.get("metrics") or {}
    require = (entry.get("trials") or {}).get("require")
    need = unit.n_trials if require is None else min(require, unit.n_trials)
    groups: dict[str, list[ResultRow]] = {}
    judged: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows:
        if row.kind != "judge":
            if row.required:
                groups.setdefault(row.metric, []).append(row)
        elif row.judge is not None and row.metric in definitions:
            # The items of a checklist are parts of their rubric, not further metrics.
            judged.setdefault((row.metric, row.judge), []).append(row)
    if unit.negative:
        status = "pass" if unit.status == "negative_ok" else unit.status
        every = sha256(repr(sorted(definitions.items())).encode()).hexdigest()[:12]
        checks = {SHOULD_FAIL: Checked(status, every)}
    else:
        checks = {
            metric: Checked(_over_trials([row.status for row in mine], need), definitions.get(metric, ""))
            for metric, mine in groups.items()
        }
        if unit.n_trials > 1 and checks:
            together = Checked(_over_trials(_by_trial(groups.values()), need), "")
            checks[ALL_CHECKS] = together
    return Known(
        unit.case_id,
        unit.variant,
        unit.suite,
        tuple(entry.get("asks") or ()),
        unit.status,
        _together(outputs),
        checks,
        {} if unit.negative else {key: _scored(mine, definitions[key[0]]) for key, mine in judged.items()},
    )


def _together(outputs: Sequence[str]) -> str:
    """One hash for the outputs of all trials; empty where one is missing."""
    if not all(outputs):
        return ""
    return outputs[0] if len(outputs) == 1 else sha256("+".join(sorted(outputs)).encode()).hexdigest()[:12]


def _by_trial(groups: Iterable[Sequence[ResultRow]]) -> list[str]:
    """Over all checks of a trial: fail if one fails, else error if one has no result."""
    trials: dict[int, set[str]] = {}
    for rows in groups:
        for row in rows:
            trials.setdefault(row.trial, set()).add(row.status)
    return ["fail" if "fail" in one else "pass" if one <= {"pass"} else "error" for one in trials.values()]


def _over_trials(statuses: Sequence[str], need: int) -> str:
    passed, failed = statuses.count("pass"), statuses.count("fail")
    if passed >= need:
        return "pass"
    return "fail" if len(statuses) - failed < need else "error"


def _scored(rows: Sequence[ResultRow], definition: str) -> Scored:
    scored = [(row, FLAKY in row.flags.split(";")) for row in rows if row.score is not None or row.passed is not None]
    meant = [row for row, flaky in scored if not flaky] or [row for row, _ in scored]
    scores = [row.score for row in meant if row.score is not None]
    # With a threshold only a failure is asked again, and one that was not meant is a pass.
    passed = [float(row.passed or flaky) for row, flaky in scored if row.passed is not None]
    return Scored(
        sum(scores) / len(scores) if scores else None,
        sum(passed) / len(passed) if passed else None,
        definition,
        rows[0].judge_identity or "",
        sum(flaky for _, flaky in scored) / len(scored) if scored else 0.0,
        not scored and any(_is_open(row) for row in rows),
    )


def _is_open(row: ResultRow) -> bool:
    return row.status in ("error", "unscored") or (row.status == "skipped" and row.cause in _OPEN)


_OPEN = ("budget", "interrupted", "no_judge")
