"""What two runs do not ask alike in; the sentences about it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judgekit.frame.comparing.definitions import CASE, CaseChanges, Definitions, MetricChange
from judgekit.frame.comparing.sides import Metric
from judgekit.frame.tables import RunData


def nothing_common(new: RunData, old: RunData, changes: CaseChanges) -> str:
    """Why two runs can't be compared at all."""
    ids = f"{old.summary['run_id']} and {new.summary['run_id']}"
    if changes.changed:
        parts = ", ".join(dict.fromkeys(part for parts in changes.changed.values() for part in parts))
        return f"runs {ids}: no case is asked alike in both: {parts} changed on {len(changes.changed)} common cases."
    return (
        f"runs {ids} have no case in common ({counted(len(changes.removed), 'case')} in the one, "
        f"{len(changes.added)} in the other): compare runs of the same suite."
    )


def refused_primary(metric: Metric, change: MetricChange, new: RunData, old: RunData) -> str:
    """Why the metric that answers the question does not."""
    name = "the case pass rate" if metric == CASE else metric[1]
    return (
        f"{name} does not mean the same in {old.summary['run_id']} and {new.summary['run_id']}: {change.why}, on all "
        f"{counted(len(change.case_ids), 'case')} of both. --allow-mismatch compares it all the same, --primary NAME "
        "takes another metric."
    )


def described(
    changes: CaseChanges, definitions: Definitions, refused: Mapping[str, str], partly: Mapping[str, MetricChange]
) -> dict[str, Any]:
    """`Comparison.definitions`: cases and metrics added, removed, changed or refused, by name."""
    now, then = definitions.names
    return {
        "cases": {
            "n_same": len(changes.same),
            "added": list(changes.added),
            "removed": list(changes.removed),
            "changed": {case_id: list(parts) for case_id, parts in changes.changed.items()},
        },
        "metrics": {
            "added": sorted(now - then),
            "removed": sorted(then - now),
            "changed": {name: {"why": one.why, "case_ids": sorted(one.case_ids)} for name, one in partly.items()},
            "refused": dict(refused),
        },
    }


def notes_of(said: Mapping[str, Any], new: RunData, old: RunData, allowed: bool) -> list[str]:
    """What a reader has to know of the two runs, each in a sentence."""
    cases, metrics = said["cases"], said["metrics"]
    found = []
    for run in (old, new):
        if run.summary.get("partial"):
            found.append(f"run {run.summary['run_id']} is partial: it was stopped before all was done")
    found += _drift(new, old)
    for key, words in (("removed", f"only in {old.summary['run_id']}"), ("added", f"only in {new.summary['run_id']}")):
        if cases[key]:
            found.append(f"{counted(len(cases[key]), 'case')} {words}, not compared: {_listed(cases[key])}")
    if cases["changed"]:
        names = [f"{case_id} ({', '.join(parts)})" for case_id, parts in cases["changed"].items()]
        found.append(f"{counted(len(names), 'case')} asked something else, not compared: {_listed(names)}")
    for key, words in (("removed", "gone"), ("added", "new")):
        if metrics[key]:
            found.append(f"{counted(len(metrics[key]), 'metric')} {words}: {_listed(metrics[key])}")
    for name, why in metrics["refused"].items():
        found.append(f"{name} is not compared: {why} (--allow-mismatch compares it all the same)")
    for name, one in metrics["changed"].items():
        how = "is compared all the same" if allowed else "is compared on the other cases"
        found.append(
            f"{name}: {one['why']} on {counted(len(one['case_ids']), 'case')}; it {how}: {_listed(one['case_ids'])}"
        )
    return found


def _drift(new: RunData, old: RunData) -> Iterator[str]:
    """Judges that are the same by name and answered as another model."""
    before = {one["identity"]: one for one in old.manifest.get("judges") or ()}
    for one in new.manifest.get("judges") or ():
        was, now = (set(side.get("models_returned") or ()) for side in (before.get(one["identity"], {}), one))
        if was and now and was != now:
            yield (
                f"{one['judge']} answered as {', '.join(sorted(was))} in {old.summary['run_id']} and as "
                f"{', '.join(sorted(now))} in {new.summary['run_id']}: its scores may have moved"
            )


def counted(n: int, what: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(1, "case"), counted(2, "case")
        ('1 case', '2 cases')
    """
    return f"{n} {what}" + ("" if n == 1 else "s")


def _listed(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
