"""The summary of a run in; what it says of trust and corrected figures, in lines for a terminal or a page, out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def trust_lines(summary: Mapping[str, Any]) -> list[str]:
    """A line for each calibrated judge: its badge with the figures behind it. Others are spoken of once, elsewhere."""
    entries: Mapping[str, Mapping[str, Any]] = summary.get("trust") or {}
    return [f"{name}: {one['level']}, {one['sentence']}" for name, one in entries.items() if _is_known(one)]


def corrected_lines(summary: Mapping[str, Any]) -> list[str]:
    """A line for each judged metric and variant that people have labelled: the raw figure and the corrected one."""
    entries: Mapping[str, Mapping[str, Any]] = summary.get("trust") or {}
    known = {one["metric"] for one in entries.values() if one.get("run_id")}
    lines = []
    for one in summary["estimates"]:
        figures = one.get("corrected") or {}
        if one["metric"] not in known or not figures:
            continue
        judge = f" [{one['judge']}]" if "judge" in one else ""
        against = f" against {one['against']}" if one.get("against") else ""
        who = f"{one['metric']}{judge} ({one['variant']}{against})"
        if "pass_rate" in figures:
            lines.append(f"{who}: {_rate(one, figures)}")
        if "mean" in figures:
            lines.append(f"{who}: {_mean(one, figures['mean'])}")
    return lines


def _is_known(entry: Mapping[str, Any]) -> bool:
    return entry["level"] != "uncalibrated" or bool(entry.get("run_id"))


def _rate(estimate: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    found = figures["pass_rate"]
    raw = "-" if estimate["pass_rate"] is None else f"{100 * estimate['pass_rate']:.0f} %"
    if estimate["corrected_pass_rate"] is None:
        return f"pass rate {raw} by the judge, {found.get('reason') or 'not corrected'}"
    said = f"pass rate {raw} by the judge, {_percent(found)} by people ({_how(found)}) of {estimate['n_scored']} judged"
    overall = figures.get("overall_pass_rate")
    if overall and overall["value"] is not None:
        said += f"; {_percent(overall)} of all {estimate['n_total']}, those that failed a check counted as failed"
    return said


def _mean(estimate: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    raw = f"mean {estimate['mean']:.2f} by the judge"
    if found["method"].startswith("raw") or found["value"] is None:
        return f"{raw}, {found.get('reason') or 'not corrected'}"
    ends = "" if found["low"] is None else f" [{found['low']:.2f}, {found['high']:.2f}]"
    return f"{raw}, {found['value']:.2f}{ends} by people ({_how(found)})"


def _percent(found: Mapping[str, Any]) -> str:
    ends = "" if found["low"] is None else f" [{100 * found['low']:.0f}, {100 * found['high']:.0f}]"
    return f"{100 * found['value']:.0f} %{ends}"


def _how(found: Mapping[str, Any]) -> str:
    """The method with what it rests on."""
    n, reason = found.get("n_labels"), found.get("reason") or ""
    labels = "" if n is None else "1 label" if n == 1 else f"{n} labels"
    if found["method"].startswith("labels alone"):
        return f"{labels} alone, too few to correct by" if reason.startswith("only") else f"{labels} alone"
    said = f"{found['method']}, {labels}" if labels else found["method"]
    return f"{said}: {reason}" if reason else said
