"""The data of a run in, what a terminal shows out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from judgekit.cli.changes import alone_lines, baseline_lines, since_lines
from judgekit.cli.comparison import headline
from judgekit.cli.terminal import aligned, echo_json, one_line, paint
from judgekit.frame.canaries import canary_line
from judgekit.frame.panels import panel_lines
from judgekit.frame.rows import STOPPED
from judgekit.frame.tables import CaseRow, RunData
from judgekit.frame.weighting import weighting_lines
from judgekit.pipeline.economy import economy_lines
from judgekit.reading.text import shown
from judgekit.reports.agents import score_text
from judgekit.reports.changes import trial_texts
from judgekit.reports.trust_lines import corrected_lines, trust_lines
from judgekit.reports.wording import figure, harmless

MOST_FAILING = 20


def show_run(data: RunData, *, as_json: bool = False, quiet: bool = False, verbose: bool = False) -> None:
    """Print a run: results to stdout with the report's path last, warnings to stderr."""
    for warning in data.summary["warnings"]:
        click.echo(f"warning: {harmless(warning)}", err=True)
    if as_json:
        echo_json(data.summary)
        return
    summary = data.summary
    agents = summary["decision"].get("agents")
    if quiet:
        lines = []
    elif agents:
        lines = [*_agents(agents), *(_cases(data, verbose) if verbose else ())]
    else:
        first = [*headline(summary["comparisons"]), *alone_lines(summary), *since_lines(summary)]
        found = [*_table(summary, verbose), *_panels(summary), *_trust(summary), *_cases(data, verbose)]
        lines = [*first, *found, *baseline_lines(summary)]
    for line in [*lines, *_footer(data.summary), *decision_lines(data.summary)]:
        click.echo(line)
    click.echo(shown(data.path / "report.html"))


def decision_lines(summary: Mapping[str, Any]) -> list[str]:
    """One sentence on what the gate says, then further reasons."""
    said = summary["decision"]
    word = _verdict(said)
    reasons = said["reasons"]
    note = "" if said["passed"] or said["exit_code"] else " (--no-gate: exit 0)"
    first = f"{paint('gate ' + word, word)}{note}: {harmless(reasons[0])}"
    return [first, *(f"  and {harmless(reason)}" for reason in reasons[1:])]


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
        judge = f" against {one['against']}" if "against" in one else ""
        judge += f" [{one['judge']}]" if "judge" in one else ""
        case = one["kind"] == "case"
        rows.append(
            [
                harmless(one["variant"]),
                "cases" if case else harmless(one["metric"] + judge),
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
    return [*aligned(rows), *map(harmless, trial_texts(summary)), *note, ""]


def _agents(agents: Sequence[Mapping[str, Any]]) -> list[str]:
    """How each agent of a release gate stands on each of its rubrics."""
    rows = [["agent", "rubric", "score", "threshold", "golden", "negative", "violations", ""]]
    for one in agents:
        figures = [score_text(one), figure(one["threshold"], one["score"])]
        counts = [str(one[key]) for key in ("n_golden", "n_negative", "n_violations")]
        word = "passed" if one["passed"] else "failed"
        rows.append([harmless(one["agent"]), one["rubric"], *figures, *counts, paint(word, word)])
    return [*aligned(rows), ""]


def _trust(summary: Mapping[str, Any]) -> list[str]:
    lines = [harmless(line) for line in (*corrected_lines(summary), *trust_lines(summary))]
    return [*lines, ""] if lines else []


def _panels(summary: Mapping[str, Any]) -> list[str]:
    lines = [harmless(line) for line in panel_lines(summary.get("panels", ()))]
    return [*lines, ""] if lines else []


def _cases(data: RunData, verbose: bool) -> list[str]:
    several = len({row.variant for row in data.cases}) > 1
    repeated = {(row.case_id, row.variant) for row in data.cases if row.trial}
    wanted = data.cases if verbose else _wanting(data)
    shown_rows = wanted if verbose else _first(wanted, data.summary["gated"])
    lines = []
    for row in shown_rows:
        who = row.case_id + (f" [{row.variant}]" if several else "")
        who += f" trial {row.trial}" if (row.case_id, row.variant) in repeated else ""
        status = row.status.upper() if row.status in ("fail", "error") else row.status
        reason = f": {one_line(row.reason)}" if row.reason else ""
        lines.append(f"{paint(status, row.status)} {harmless(who)}{reason}")
    if len(wanted) > len(shown_rows):
        lines.append(f"… {len(wanted) - len(shown_rows)} more; the report shows all")
    return [*lines, ""] if lines else []


def _wanting(data: RunData) -> list[CaseRow]:
    """What failed where it counts, and every error but those that only repeat why the whole run was stopped."""
    gated = data.summary["gated"]
    return [
        row
        for row in data.cases
        if (row.status == "fail" and _counts(row, gated)) or (row.status == "error" and row.cause not in STOPPED)
    ]


def _first(rows: Iterable[CaseRow], gated: Mapping[str, Sequence[str]]) -> list[CaseRow]:
    """The first rows that count, and one of each other variant: a reference that does not work spoils comparisons."""
    counted: list[CaseRow] = []
    others: dict[tuple[str, str], CaseRow] = {}
    for row in rows:
        if _counts(row, gated):
            counted.append(row)
        else:
            others.setdefault((row.suite, row.variant), row)
    return [*counted[:MOST_FAILING], *others.values()]


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
    yield from (harmless(line) for line in economy_lines(summary.get("economy", ())))
    if summary.get("canaries"):
        yield harmless(canary_line(summary["canaries"]))
    yield from (harmless(line) for line in weighting_lines(summary.get("weighted", ())))
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
