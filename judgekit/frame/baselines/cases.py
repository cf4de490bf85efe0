"""A run and the baseline that it is held to in; what became of each case, and the gate's rules about it, out.

Checks and deterministic rubrics are held to the baseline case by case: what passed has to pass again, what failed may
fail. What the baseline does not know (a new case, a case or check that asks something else now) has to pass, as it has
to without a baseline: nothing excuses it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgekit.frame.baselines.judged import judged_rules
from judgekit.frame.baselines.known import ALL_CHECKS, Baseline, Held, Known
from judgekit.frame.changed import parts_changed

MOST_LISTED = 200
"""Entries of a list in summary.json; all are counted."""
_LISTS = ("newly_failing", "unknown_failing", "missing", "fixed", "changed", "lost", "known_failing", "new")


@dataclass(frozen=True)
class Against:
    """How a run stands against its baseline."""

    rules: tuple[Held, ...]
    record: dict[str, Any]
    """As `baseline` in summary.json."""


@dataclass
class _Found:
    """What became of the cases, by list; each entry has case_id, variant and more."""

    lists: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in _LISTS})
    n_compared: int = 0

    def add(self, name: str, one: Known, **more: Any) -> None:
        """Put a case on a list."""
        self.lists[name].append({"case_id": one.case_id, "variant": one.variant, **more})

    def of(self, name: str, variant: str) -> list[dict[str, Any]]:
        """What a list has of one variant."""
        return [one for one in self.lists[name] if one["variant"] == variant]


def held_to(
    baseline: Baseline,
    now: Sequence[Known],
    *,
    reasons: Mapping[tuple[str, str], str],
    present: Collection[tuple[str, str]],
    within: Mapping[str, bool],
    bounds: Mapping[str, tuple[float, float]],
    selected: bool,
    margin: float | None = None,
    chosen: str | None = None,
) -> Against:
    """What the baseline says of a run.

    Args:
        baseline: What was.
        now: What is: every gated unit of the run.
        reasons: Why a unit stands as it does, by case and variant.
        present: Every case × variant of the run, gated or not: what is not here is missing.
        within: By variant, whether what has no result is within `max_errors` and may be left out.
        bounds: Scale of each judged metric.
        selected: Whether the run is a selection of the cases: then nothing is missing.
        margin: Drop of a judged metric that is accepted at most; None: only a significant one counts.
        chosen: The selection, where it went by how cases came out: then judged metrics are held to nothing.
    """
    found = _Found()
    for one in now:
        _compare(one, baseline.cases.get(one.place), reasons.get(one.place, ""), found)
    if not selected:
        for place, was in baseline.cases.items():
            if place not in present:
                found.add("missing", was, suite=was.suite)
    variants = dict.fromkeys([*(one.variant for one in now), *(one["variant"] for one in found.lists["missing"])])
    rules = [_rule(variant, now, found) for variant in variants]
    judged = judged_rules(baseline, now, within, bounds, margin, chosen)
    rules += [rule for rule, _ in judged]
    record = _record(baseline, found, [one for _, one in judged], selected, margin)
    return Against(tuple(rules), record)


def _compare(now: Known, before: Known | None, reason: str, found: _Found) -> None:
    failing = [metric for metric, one in now.checks.items() if one.status == "fail"]
    if len(failing) > 1:
        # That all together fail follows from the one that does.
        failing = [metric for metric in failing if metric != ALL_CHECKS]
    what = ["new"] if before is None else parts_changed(list(before.asks), list(now.asks))
    if before is None or what:
        found.add("new" if before is None else "changed", now, what=what)
        if failing:
            found.add("unknown_failing", now, metrics=failing, what=what, reason=reason)
        return
    found.n_compared += 1
    otherwise = _otherwise(before, now)
    if otherwise:
        found.add("changed", now, what=[text for metric, text in otherwise.items() if metric != ALL_CHECKS])
    if any(one.status == "error" for one in now.checks.values()):
        found.add("lost", now, reason=reason)
    newly = [metric for metric in failing if metric not in otherwise and before.checks[metric].status != "fail"]
    unknown = [metric for metric in failing if metric in otherwise]
    if newly:
        found.add("newly_failing", now, metrics=newly, reason=reason)
    elif unknown:
        found.add("unknown_failing", now, metrics=unknown, what=[otherwise[one] for one in unknown], reason=reason)
    elif failing:
        found.add("known_failing", now, metrics=failing, reason=reason)
    elif any(one.status == "fail" for one in before.checks.values()) and not otherwise and now.status != "error":
        found.add("fixed", now)


def _otherwise(before: Known, now: Known) -> dict[str, str]:
    """Checks that ask something else than before, are new or gone, each in words."""
    found = {}
    for metric in {**before.checks, **now.checks}:
        if metric == ALL_CHECKS:
            continue
        if metric not in before.checks:
            found[metric] = f"{metric} is new"
        elif metric not in now.checks:
            found[metric] = f"{metric} is gone"
        elif before.checks[metric].definition != now.checks[metric].definition:
            found[metric] = metric
    if ALL_CHECKS in now.checks and (found or ALL_CHECKS not in before.checks):
        # Of other checks, or of other trials, it is another rule.
        found[ALL_CHECKS] = ALL_CHECKS
    return found


def _rule(variant: str, now: Sequence[Known], found: _Found) -> Held:
    who = "" if variant == "default" else f" ({variant})"
    n_total = sum(one.variant == variant for one in now)
    n_scored = sum(one.variant == variant and one.status != "error" for one in now)
    parts = [
        f"{len(entries)} {words}: {_named(entries)}"
        for name, words in (
            ("newly_failing", "newly failing"),
            ("unknown_failing", "failing that the baseline does not excuse, new or changed since"),
            ("missing", "missing"),
        )
        if (entries := found.of(name, variant))
    ]
    said = f"no case worse than the baseline{who}: "
    if parts:
        return Held("baseline cases", variant, "fails", None, n_scored, n_total, said + "; ".join(parts))
    known = len(found.of("known_failing", variant))
    said += f"none of {n_total} is"
    said += f", {known} {'fails' if known == 1 else 'fail'} as before" if known else ""
    if not n_scored:
        return Held("baseline cases", variant, "undecided", None, 0, n_total, f"{said}, as no case has a result")
    return Held("baseline cases", variant, "holds", None, n_scored, n_total, said)


def _named(entries: Sequence[Mapping[str, Any]], most: int = 5) -> str:
    names = [one["case_id"] + (f" ({', '.join(one['metrics'])})" if one.get("metrics") else "") for one in entries]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _record(
    baseline: Baseline, found: _Found, judged: Iterable[Mapping[str, Any]], selected: bool, margin: float | None
) -> dict[str, Any]:
    counts = {name: len(entries) for name, entries in found.lists.items()}
    words = {
        "newly_failing": "newly failing",
        "unknown_failing": "failing that are new or changed",
        "missing": "missing",
        "fixed": "fixed",
        "known_failing": "failing as before",
        "changed": "with a changed definition",
        "new": "new",
        "lost": "without a result now",
    }
    said = [f"{counts[name]} {text}" for name, text in words.items() if counts[name] or name == "newly_failing"]
    return {
        "name": baseline.name,
        "sentence": f"baseline {baseline.name}: {found.n_compared} compared, {', '.join(said)}",
        "compared": found.n_compared,
        "counts": counts,
        **{name: entries[:MOST_LISTED] for name, entries in found.lists.items()},
        "judged": list(judged),
        "selected": selected,
        "margin": margin,
    }
