"""The data of a run in, what a terminal shows out."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from judgekit.frame.tables import CaseRow, RunData
from judgekit.reading.text import shown
from judgekit.reports.trust_lines import corrected_lines, trust_lines
from judgekit.reports.wording import harmless as _harmless
from judgekit.writing import clean

_COLOURS = {
    "pass": "green",
    "fail": "red",
    "error": "yellow",
    "passed": "green",
    "failed": "red",
    "undecided": "yellow",
}
MOST_FAILING = 20


def show_run(data: RunData, *, as_json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
    """Print a run: results to stdout with the report's path last, warnings to stderr."""
    for warning in data.summary["warnings"]:
        click.echo(f"warning: {_harmless(warning)}", err=True)
    if as_json:
        # Where the console lacks characters, escapes lose nothing.
        is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        click.echo(json.dumps(clean(data.summary), ensure_ascii=not is_unicode, indent=1))
        return
    parts = (_comparisons(data.summary), _table(data.summary, verbose), _trust(data.summary), _cases(data, verbose))
    lines = [] if quiet else [line for part in parts for line in part]
    for line in [*lines, *_footer(data.summary), *decision_lines(data.summary)]:
        click.echo(line)
    click.echo(shown(data.path / "report.html"))


def decision_lines(summary: Mapping[str, Any]) -> list[str]:
    """One sentence on what the gate says, then further reasons."""
    said = summary["decision"]
    word = _verdict(said)
    reasons = said["reasons"]
    note = "" if said["passed"] or said["exit_code"] else " (--no-gate: exit 0)"
    first = f"{_paint('gate ' + word, word)}{note}: {_harmless(reasons[0])}"
    return [first, *(f"  and {_harmless(reason)}" for reason in reasons[1:])]


def _verdict(said: Mapping[str, Any]) -> str:
    if said["passed"]:
        return "passed"
    failing = any(rule["outcome"] == "fails" for rule in said["rules"])
    return "failed" if failing else "undecided"


def _table(summary: Mapping[str, Any], verbose: bool) -> list[str]:
    """Cases, judged metrics and rubrics of each variant; of the checks only those that failed somewhere."""
    rows = [["variant", "metric", "scored", "mean", "95 % interval", "pass rate"]]
    quiet = [one for one in summary["estimates"] if one["kind"] == "check" and one["pass_rate"] == 1 and not verbose]
    for one in summary["estimates"]:
        if one in quiet:
            continue
        judge = f" [{one['judge']}]" if "judge" in one else ""
        case = one["kind"] == "case"
        rows.append(
            [
                _harmless(one["variant"]),
                "cases" if case else _harmless(one["metric"] + judge),
                f"{one['n_scored']}/{one['n_total']}",
                "" if case else _figure(one["mean"]),
                _interval(one, "pass_rate_low", "pass_rate_high", percent=True)
                if case
                else _interval(one, "ci_low", "ci_high"),
                _percent(one["pass_rate"]),
            ]
        )
    names = ", ".join(dict.fromkeys(one["metric"] for one in quiet))
    note = [f"met by every output of a variant, not shown (-v shows them): {names}"] if quiet else []
    return [*_aligned(rows), *note, ""]


def _trust(summary: Mapping[str, Any]) -> list[str]:
    lines = [_harmless(line) for line in (*corrected_lines(summary), *trust_lines(summary))]
    return [*lines, ""] if lines else []


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if sum(widths) + 2 * len(widths) <= _width():
        return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    # A narrow terminal gets one line of figures under each metric instead of a broken table.
    lines = []
    for row in rows[1:]:
        figures = [f"{name} {cell}" for name, cell in zip(rows[0][2:], row[2:], strict=True) if cell]
        lines += [f"{row[0]} · {row[1]}", *(f"  {figure}" for figure in figures)]
    return lines


def _comparisons(summary: Mapping[str, Any]) -> list[str]:
    lines = []
    for one in summary["comparisons"]:
        lines.append(_harmless(one["sentence"]))
        # The reason is that of the worse side: of the variant where it lost, of the other where it won.
        lines += _flips("worse", one["variant"], one["regressions"], one["losses"], 5)
        lines += _flips("better", one["against"], one["improvements"], one["wins"], 3 if one["primary"] else 0)
    return [*lines, ""] if lines else []


def _flips(name: str, worse: str, flips: Sequence[Mapping[str, Any]], total: int, most: int) -> list[str]:
    lines = []
    for flip in flips[:most]:
        reason = f", {_harmless(worse)}: {_one_line(flip['reason'])}" if flip["reason"] else ""
        lines.append(f"  {name}  {_harmless(flip['case_id'])}{reason}")
    more = total - len(lines)
    if more and most:
        lines.append(f"  {name}  {more} {'more ' if lines else ''}{'case' if more == 1 else 'cases'}")
    return lines


def _cases(data: RunData, verbose: bool) -> list[str]:
    gated = data.summary["gated"]
    several = len({row.variant for row in data.cases}) > 1
    wanted = [row for row in data.cases if verbose or (row.status in ("fail", "error") and _counts(row, gated))]
    shown_rows = wanted if verbose else wanted[:MOST_FAILING]
    lines = []
    for row in shown_rows:
        who = row.case_id + (f" [{row.variant}]" if several else "") + (f" trial {row.trial}" if row.trial else "")
        status = row.status.upper() if row.status in ("fail", "error") else row.status
        reason = f": {_one_line(row.reason)}" if row.reason else ""
        lines.append(f"{_paint(status, row.status)} {_harmless(who)}{reason}")
    if len(wanted) > len(shown_rows):
        lines.append(f"… {len(wanted) - len(shown_rows)} more; the report shows all")
    return [*lines, ""] if lines else []


def _counts(row: CaseRow, gated: Mapping[str, Sequence[str]]) -> bool:
    return row.variant in gated.get(row.suite, ())


def _footer(summary: Mapping[str, Any]) -> Iterable[str]:
    calls, cost = summary["judge_calls"], summary["cost"]
    if calls["made"] or calls["cached"] or calls["skipped"]:
        parts = [f"judge: {calls['made']} {'call' if calls['made'] == 1 else 'calls'} made"]
        if calls["cached"]:
            parts.append(f"{calls['cached']} cached")
        if calls["skipped"]:
            saved = f", {_usd(cost['saved_usd'])} saved" if cost["saved_usd"] else ""
            parts.append(f"{calls['skipped']} skipped after failed checks{saved} (--judge-all asks them too)")
        yield ", ".join(parts)
    known = [
        f"{who} {_usd(cost[key])}" for who, key in (("targets", "target_usd"), ("judge", "judge_usd")) if cost[key]
    ]
    if cost["unpriced"]:
        known.append(f"no price known for {', '.join(cost['unpriced'])}")
    if known:
        yield f"cost: {', '.join(known)}"


def _usd(value: float | None) -> str:
    return "unknown" if value is None else f"${value:.4f}" if value < 1 else f"${value:.2f}"


def _figure(value: float | None) -> str:
    return (
        "–" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") if value == round(value, 3) else f"{value:.3f}"
    )


def _percent(value: float | None) -> str:
    if value is None:
        return ""
    # 99.96 % is not 100 %: rounding must turn neither a failure into none nor a pass into none.
    text = f"{100 * value:.1f}".removesuffix(".0")
    if text == "100" and value < 1:
        return "99.9 %"
    return "0.1 %" if text == "0" and value > 0 else f"{text} %"


def _interval(one: Mapping[str, Any], low: str, high: str, *, percent: bool = False) -> str:
    if one[low] is None or one[high] is None:
        return ""
    if percent:
        return f"{100 * one[low]:.0f} to {100 * one[high]:.0f} %"
    return f"{one[low]:.2f} to {one[high]:.2f}"


def _one_line(text: str) -> str:
    line = _harmless(" ".join(text.split()))
    room = _width() * 3
    return line if not sys.stdout.isatty() or len(line) <= room else line[: room - 1] + "…"


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120


def _paint(text: str, kind: str) -> str:
    plain_terminal = not sys.stdout.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain_terminal else click.style(text, fg=_COLOURS.get(kind), bold=kind in ("fail", "failed"))
