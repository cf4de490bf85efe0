"""A run and an earlier one in; which cases flipped, and how many outputs changed, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.frame.changed import Definitions, changed
from judgekit.frame.tables import CaseRow
from judgekit.frame.units import GOOD, Unit, units_of

MOST_LISTED = 200
"""Flips and changed cases that are listed one by one; all are counted."""

Key = tuple[str, str]
"""case_id, variant."""


@dataclass(frozen=True)
class Earlier:
    """The run that is looked back at."""

    name: str
    """As a person names it: latest, latest~1 or the run id."""
    manifest: Mapping[str, Any]
    cases: Sequence[CaseRow]


def flips(
    manifest: Mapping[str, Any], cases: Sequence[CaseRow], units: Sequence[Unit], before: Earlier, *, selected: bool
) -> dict[str, Any]:
    """What became of every case since an earlier run, as `since` in summary.json.

    A flip is a case that passed and fails now, or the reverse, with the same definition in both runs. A case whose
    input, checks or judge changed is listed under `definitions_changed` and is no flip; one that had no result then and
    fails now is listed as `failing`.

    Args:
        manifest: Of this run.
        cases: Its rows.
        units: Its case × variant units.
        before: The earlier run.
        selected: Whether this run is a selection of cases: then those that are left out are not gone.

    Returns:
        Counts (`compared` = `outputs_changed` + `identical` + `without_output`), lists and `sentence`.
    """
    then, now = Definitions(before.manifest), Definitions(manifest)
    old = {(unit.case_id, unit.variant): unit for unit in units_of(before.manifest, before.cases)}
    mine = [unit for unit in units if unit.status != "skipped"]
    both = [(unit, old[unit.case_id, unit.variant]) for unit in mine if (unit.case_id, unit.variant) in old]
    both = [(unit, other) for unit, other in both if other.status != "skipped"]
    outputs, old_outputs = _outputs(cases), _outputs(before.cases)
    found: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    counts = dict.fromkeys(("outputs_changed", "identical", "without_output", "lost", "again"), 0)
    for unit, other in both:
        key = (unit.case_id, unit.variant)
        what = changed(unit.case_id, then, now)
        if what:
            others.append({"case_id": unit.case_id, "variant": unit.variant, "what": what})
            continue
        one, was = outputs[key], old_outputs[key]
        known = all(one) and all(was)
        counts["without_output" if not known else "identical" if one == was else "outputs_changed"] += 1
        counts["lost"] += unit.status == "error" and other.status != "error"
        if other.status == "error" and unit.status != "error":
            counts["again"] += 1
            if unit.status == "fail":
                entry = {"case_id": unit.case_id, "variant": unit.variant, "reason": unit.reason}
                found.append({"kind": "failing", **entry})
        if {unit.status in GOOD, other.status in GOOD} == {True, False} and "error" not in (unit.status, other.status):
            worse = unit.status == "fail"
            kind = "newly failing" if worse else "fixed"
            found.append({"kind": kind, "case_id": unit.case_id, "variant": unit.variant, "reason": unit.reason})
            found[-1]["reason"] = unit.reason if worse else other.reason
    found.sort(key=lambda one: ("newly failing", "failing", "fixed").index(one["kind"]))
    suites = {unit.suite for unit in units}
    here = {(unit.case_id, unit.variant) for unit in units}
    gone = [] if selected else [one for key, one in old.items() if one.suite in suites and key not in here]
    said = {
        "run": before.name,
        "run_id": before.manifest.get("run_id"),
        "compared": len(both) - len(others),
        "newly_failing": sum(one["kind"] == "newly failing" for one in found),
        "fixed": sum(one["kind"] == "fixed" for one in found),
        "again_failing": sum(one["kind"] == "failing" for one in found),
        **counts,
        "new": len(mine) - len(both),
        "gone": len(gone),
        "changed": len(others),
        "prompts_changed": _prompts_changed(before.manifest, manifest),
        "flips": found[:MOST_LISTED],
        "definitions_changed": others[:MOST_LISTED],
    }
    return {"sentence": _sentence(said), **said}


def _outputs(cases: Iterable[CaseRow]) -> dict[Key, tuple[str, ...]]:
    """Hashes of a unit's outputs, in any order of its trials: which of them came first says nothing."""
    found: dict[Key, list[str]] = {}
    for row in cases:
        found.setdefault((row.case_id, row.variant), []).append(row.output_hash)
    return {key: tuple(sorted(hashes)) for key, hashes in found.items()}


def _prompts_changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Variants whose prompt, model or parameters are others than before, and `agent files` of a config-dir."""
    then, today = _asked_with(before), _asked_with(now)
    found = {variant for (suite, variant), one in today.items() if then.get((suite, variant), one) != one}
    old, new = before.get("cases") or {}, now.get("cases") or {}
    # The hash of a case counts its agent in, what it asks does not.
    agents = any(
        old[case_id].get("hash") != one.get("hash") and old[case_id].get("asks") == one.get("asks")
        for case_id, one in new.items()
        if case_id in old
    )
    return sorted(found) + (["agent files"] if agents else [])


def _asked_with(manifest: Mapping[str, Any]) -> dict[Key, Any]:
    found: dict[Key, Any] = {}
    for one in manifest.get("prompts") or ():
        found[one["suite"], one["variant"]] = {key: one[key] for key in one if key != "params_applied"}
    return found


def _sentence(said: Mapping[str, Any]) -> str:
    text = (
        f"vs {said['run']}: {said['newly_failing']} newly failing, {said['fixed']} fixed, "
        f"{said['outputs_changed']} outputs changed, {said['identical']} identical"
    )
    again = f"with a result again ({said['again_failing']} failing)"
    further = [
        (said["again"], again),
        (said["lost"], "without a result now"),
        (said["changed"], "not compared, as their definition changed"),
        (said["new"], "new"),
        (said["gone"], "gone"),
    ]
    text += "".join(f", {n} {what}" for n, what in further if n)
    if said["prompts_changed"]:
        text += f"; prompt changed: {', '.join(said['prompts_changed'])}"
    return text
