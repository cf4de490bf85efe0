"""Manifests and sides of two runs in; what they asked alike, and what not, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgekit.errors import InputError
from judgekit.frame.comparing.sides import NO_ROWS, Metric, Side

PARTS = ("input", "vars", "context", "reference")
CASE: Metric = ("case", "pass_rate")
"""The metric that every required one stands behind."""


@dataclass(frozen=True, slots=True)
class CaseChanges:
    """The cases of two runs by what was asked of them."""

    same: tuple[str, ...]
    """In the order of the newer run."""
    added: tuple[str, ...] = ()
    """Only in the newer run."""
    removed: tuple[str, ...] = ()
    """Only in the older run."""
    changed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """In both, but not asked the same: what of input, vars, context, reference and should_pass is another."""


def compare_cases(new: Mapping[str, Any], old: Mapping[str, Any]) -> CaseChanges:
    """Which cases two manifests ask alike.

    Raises:
        InputError: a manifest does not say what was asked.
    """
    then, now = _cases(old), _cases(new)
    changed = {
        case_id: parts for case_id, entry in now.items() if case_id in then and (parts := _other(entry, then[case_id]))
    }
    return CaseChanges(
        same=tuple(case_id for case_id in now if case_id in then and case_id not in changed),
        added=tuple(case_id for case_id in now if case_id not in then),
        removed=tuple(case_id for case_id in then if case_id not in now),
        changed=changed,
    )


def _cases(manifest: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    cases: Mapping[str, Mapping[str, Any]] = manifest.get("cases") or {}
    if any("asks" not in entry or "metrics" not in entry for entry in cases.values()):
        raise InputError(
            f"run {manifest.get('run_id')}: its manifest.json does not say what was asked of each case; score it again."
        )
    return cases


def _other(entry: Mapping[str, Any], before: Mapping[str, Any]) -> tuple[str, ...]:
    parts = [part for part, one, two in zip(PARTS, entry["asks"], before["asks"], strict=True) if one != two]
    if entry.get("should_pass", True) != before.get("should_pass", True):
        parts.append("should_pass")
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class MetricChange:
    """Where one metric does not mean the same in two runs."""

    case_ids: frozenset[str]
    why: str


class Definitions:
    """What the metrics of two runs mean on the cases that both ask.

    Args:
        new: Manifest of the newer run.
        old: Manifest of the older run.
        case_ids: The cases that both ask alike.
    """

    def __init__(self, new: Mapping[str, Any], old: Mapping[str, Any], case_ids: Iterable[str]) -> None:
        self._new, self._old = _cases(new), _cases(old)
        self._case_ids = tuple(case_ids)

    @property
    def names(self) -> tuple[set[str], set[str]]:
        """Metrics of the newer and of the older run on these cases."""
        return tuple(
            {name for one in self._case_ids for name in side[one]["metrics"]} for side in (self._new, self._old)
        )  # type: ignore[return-value]

    def change(self, metric: Metric, new: Side, old: Side) -> MetricChange | None:
        """On which cases the metric asks something else, or is scored by another judge; None: nowhere."""
        if metric == CASE:
            return self._of_cases(new, old)
        found: dict[str, str] = {}
        mine, theirs = new.rows.get(metric, NO_ROWS), old.rows.get(metric, NO_ROWS)
        for case_id in self._case_ids:
            if case_id not in mine or case_id not in theirs:
                continue
            if _definition(metric[1], self._new[case_id]) != _definition(metric[1], self._old[case_id]):
                found[case_id] = "its definition is another"
            elif metric[0] == "judge" and (said := _other_judge(mine[case_id], theirs[case_id])):
                found[case_id] = said
        return _as_change(found)

    def _of_cases(self, new: Side, old: Side) -> MetricChange | None:
        found: dict[str, str] = {}
        judged = {name for kind, name in new.rows if kind == "judge"}
        for case_id in self._case_ids:
            now, before = self._new[case_id], self._old[case_id]
            if case_id not in new.units or case_id not in old.units:
                continue
            mine, theirs = new.required(case_id), old.required(case_id)
            other = {one for one in mine & theirs if _definition(one, now) != _definition(one, before)} | (
                mine ^ theirs
            )
            other |= {
                one
                for one in mine & theirs & judged
                if _other_judge(new.rows["judge", one][case_id], old.rows.get(("judge", one), NO_ROWS).get(case_id, ()))
            }
            if other:
                found[case_id] = f"what it requires is another ({', '.join(sorted(other))})"
            elif (now.get("trials") or {}).get("require") != (before.get("trials") or {}).get("require"):
                found[case_id] = "how many trials have to pass is another"
        return _as_change(found)


def _as_change(found: Mapping[str, str]) -> MetricChange | None:
    if not found:
        return None
    return MetricChange(frozenset(found), "; ".join(list(dict.fromkeys(found.values()))[:3]))


def _definition(metric: str, entry: Mapping[str, Any]) -> str | None:
    """The hash of a metric; items of a checklist and criteria, `rubric.item`, are defined with their rubric."""
    known: Mapping[str, str] = entry["metrics"]
    while metric not in known and "." in metric:
        metric = metric.rpartition(".")[0]
    return known.get(metric)


def _other_judge(mine: Sequence[Any], theirs: Sequence[Any]) -> str:
    """What to say if two runs' rows of one metric of a case come from different judges."""
    now, before = ({row.judge_identity: row.judge for row in rows if row.judge} for rows in (mine, theirs))
    if now.keys() == before.keys() or not now or not before:
        return ""
    names, earlier = (", ".join(sorted(set(one.values()))) for one in (now, before))
    if names == earlier:
        return f"{names} judged it with another template or other parameters"
    return f"{names} judged it, before it was {earlier}"
