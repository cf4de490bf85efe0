"""What a run's summary says of an earlier run and of its baseline in, lines for a terminal out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgekit.cli.terminal import one_line, paint
from judgekit.reports.wording import harmless

MOST_FLIPS = 5
_LISTED = 10


def alone_lines(summary: Mapping[str, Any]) -> list[str]:
    """The estimate of the only variant, with what so few cases could show."""
    one = summary.get("alone")
    return [harmless(one["sentence"]), ""] if one else []


def since_lines(summary: Mapping[str, Any]) -> list[str]:
    """One line on what became of the cases since an earlier run, then the first flips with their reasons."""
    since = summary.get("since")
    if not since:
        return []
    flips: Sequence[Mapping[str, Any]] = since["flips"]
    lines = [harmless(since["sentence"])]
    several = len(summary["by_variant"]) > 1
    for one in flips[:MOST_FLIPS]:
        who = one["case_id"] + (f" [{one['variant']}]" if several else "")
        was = "was: " if one["kind"] == "fixed" else ""
        reason = f": {was}{one_line(one['reason'])}" if one["reason"] else ""
        kind = paint(one["kind"].ljust(13), "pass" if one["kind"] == "fixed" else "fail")
        lines.append(f"  {kind}  {harmless(who)}{reason}")
    more = since["newly_failing"] + since["fixed"] + since.get("again_failing", 0) - len(flips[:MOST_FLIPS])
    lines += [f"  … {more} more"] if more else []
    # Pairs are compared within their run.
    judged = any(one["kind"] == "judge" and one["n_scored"] and not one.get("against") for one in summary["estimates"])
    if judged and since["run"] == "latest~1" and since["compared"]:
        lines.append("  judged scores of both runs: judgekit compare")
    changed: Sequence[Mapping[str, Any]] = since["definitions_changed"]
    if changed:
        lines.append(f"  not compared, as their definition changed: {_changes(changed, since['changed'])}")
    return [*lines, ""]


def baseline_lines(summary: Mapping[str, Any]) -> list[str]:
    """What became of the cases of the baseline, and what asking the judge again has shown."""
    held = summary.get("baseline")
    if not held:
        return []
    lines = [harmless(held["sentence"])]
    for key, word in (("newly_failing", "newly failing"), ("unknown_failing", "failing"), ("missing", "missing")):
        entries: Sequence[Mapping[str, Any]] = held[key]
        for one in entries[:_LISTED]:
            why = f" ({', '.join(one['what'])})" if key == "unknown_failing" else ""
            reason = f": {one_line(one['reason'])}" if one.get("reason") else ""
            lines.append(f"  {paint(word.ljust(13), 'fail')}  {harmless(_who(one) + why)}{reason}")
        more = held["counts"][key] - len(entries[:_LISTED])
        lines += [f"  {word.ljust(13)}  … {more} more"] if more else []
    if held["changed"]:
        lines.append(f"  changed since: {_changes(held['changed'], held['counts']['changed'])}")
    told = summary["decision"]["reasons"]
    lines += [f"  {harmless(one['reason'])}" for one in held["judged"] if one["reason"] not in told]
    again: Mapping[str, Sequence[Mapping[str, Any]]] = held["asked_again"]
    total = sum(map(len, again.values()))
    if total:
        said = "; ".join(f"{len(ones)} {word} ({_names(ones)})" for word, ones in again.items() if ones)
        lines.append(f"  new judged failures, asked again: {harmless(said)}")
    return [*lines, ""]


def _changes(entries: Sequence[Mapping[str, Any]], total: int) -> str:
    """Cases by what of them changed: a check that changed for all is said once."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for one in entries:
        groups.setdefault(", ".join(one["what"]), []).append(one)
    said = [f"{what} ({_names(ones, 3)})" for what, ones in list(groups.items())[:_LISTED]]
    more = total - sum(len(ones) for ones in list(groups.values())[:_LISTED])
    return harmless("; ".join(said) + (f"; {more} more" if more else ""))


def _names(entries: Iterable[Mapping[str, Any]], most: int = 5) -> str:
    names = list(dict.fromkeys(_who(one) for one in entries))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _who(one: Mapping[str, Any]) -> str:
    return str(one["case_id"]) + ("" if one["variant"] == "default" else f" [{one['variant']}]")
