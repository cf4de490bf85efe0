"""Run data in, summary.md out: the run in a page for a pull request, short enough for a comment on any forge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.frame import RunData
from judgekit.reports.agents import agents_of, score_text
from judgekit.reports.changes import baseline_texts, since_texts, trial_texts
from judgekit.reports.fold import Entry, entries, passed_of
from judgekit.reports.trust_lines import corrected_lines, trust_lines
from judgekit.reports.wording import calibration_note, figure, other_warnings, printable, share, usd
from judgekit.writing import write_text

LIMIT = 60_000
"""Characters; GitHub refuses comments from 65,536 on."""
_MOST_CASES, _MOST_METRICS, _MOST_SENTENCES, _MOST_CHANGES = 50, 60, 20, 20
_REASON = 300
_SPECIAL = re.compile(r"[\\`*_{}\[\]()#+!|<>~&$]")
_BIDI = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_SEPARATE = "\u200b"


def marker(command: str) -> str:
    """First line, which nobody sees: by it a CI job finds the comment that it wrote before, and replaces it.

    Example:
        >>> marker("score")
        '<!-- judgekit:score -->'
    """
    return f"<!-- judgekit:{command} -->"


def write_markdown(run: RunData, path: Path) -> None:
    """Write summary.md."""
    write_text(path, markdown(run))


def markdown(run: RunData) -> str:
    """The run as Markdown of under 60,000 characters: decision, variants, comparisons, failing cases, scores, cost."""
    found = entries(run)
    parts = [
        marker("gate" if agents_of(run) else "score"),
        _decision(run),
        _agents(run),
        _variants(run, found),
        _comparisons(run),
        _listed("Since the last run", since_texts(run.summary)),
        _listed("Baseline", baseline_texts(run.summary)),
        _failing(run, found),
        _judged(run),
        _listed("Trials", trial_texts(run.summary)),
        _cost(run),
        _warnings(run),
    ]
    whole = "\n\n".join(part for part in parts if part) + "\n"
    if len(whole) < LIMIT:
        return whole
    note = "\n\n… shortened; the rest stands in report.html.\n"
    kept = whole[: LIMIT - len(note) - 1]
    return kept[: kept.rfind("\n")] + note


def escaped(text: object, limit: int = _REASON) -> str:
    """Text of unknown origin as one line that Markdown shows as it is: no markup, no cell border, no mention.

    Example:
        >>> escaped("a|b <img> `x`\\nnext")
        'a\\\\|b \\\\<img\\\\> \\\\`x\\\\` next'
    """
    line = " ".join(_BIDI.sub("", printable(str(text))).split())
    if len(line) > limit:
        line = line[:limit].rstrip() + "…"
    line = _SPECIAL.sub(r"\\\g<0>", line)
    # What would start a list or a rule at the beginning of a line, and what backslashes do not reach.
    line = re.sub(r"^(?=[-=]|\d+[.)])", _SEPARATE, line)
    # A forge notifies @people and links #12 wherever they stand in the rendered text, escaped or not.
    return re.sub(r"(@|#)(?=\w)", rf"\1{_SEPARATE}", line)


def _decision(run: RunData) -> str:
    decision = run.summary["decision"]
    title = run.manifest.get("title") or f"judgekit run {run.summary['run_id']}"
    sentence = "**Passed.**" if decision["passed"] else f"**Not passed** (exit code {decision['exit_code']})."
    if not decision["passed"] and decision["exit_code"] == 0:
        sentence = "**Not passed**, and not enforced (exit code 0)."
    if run.summary.get("partial"):
        sentence += " The run is partial: not everything that was selected has been done."
    lines = [f"# {escaped(title)}", "", sentence, ""]
    lines += _bullets(decision["reasons"], _MOST_SENTENCES, "reasons")
    return "\n".join(lines).rstrip()


def _agents(run: RunData) -> str:
    rows = [
        [
            escaped(one["agent"]),
            escaped(one["rubric"]),
            score_text(one),
            figure(one["threshold"], one["score"]),
            "passed" if one["passed"] else "**failed**",
            *(str(one[key]) for key in ("n_golden", "n_negative", "n_violations")),
        ]
        for one in agents_of(run)
    ]
    header = ["agent", "rubric", "score", "threshold", "state", "golden", "negative", "violations"]
    return _table("Agents", header, rows, _MOST_METRICS)


def _variants(run: RunData, found: Sequence[Entry]) -> str:
    rates = passed_of(found)
    by_variant: Mapping[str, Mapping[str, int]] = run.summary["by_variant"]
    rows = []
    for variant, counts in by_variant.items():
        rows.append(
            [
                escaped(variant),
                share(*rates.get(variant, (0, 0))),
                *(str(counts[key]) for key in ("fail", "error", "skipped", "negative_ok", "cases")),
            ]
        )
    return _table(
        "Variants", ["variant", "passed", "fail", "error", "skipped", "negative ok", "cases"], rows, _MOST_METRICS
    )


def _comparisons(run: RunData) -> str:
    comparisons: Sequence[Mapping[str, Any]] = run.summary["comparisons"]
    if not comparisons:
        return ""
    lines = ["## Comparison", "", *_bullets([one["sentence"] for one in comparisons], _MOST_SENTENCES, "comparisons")]
    for word, key in (("Worse", "regressions"), ("Better", "improvements")):
        changes = list(dict.fromkeys((one["case_id"], one["reason"]) for pair in comparisons for one in pair[key]))
        if changes:
            lines += ["", f"{word} on:", ""]
            lines += [f"- {escaped(case_id)}: {escaped(reason)}" for case_id, reason in changes[:_MOST_CHANGES]]
            lines += _more(len(changes) - _MOST_CHANGES, "cases")
    return "\n".join(lines)


def _failing(run: RunData, all_entries: Sequence[Entry]) -> str:
    found = [entry for entry in all_entries if entry.status in ("fail", "error")]
    # What the gate decides on comes first: it is what a reader has to mend.
    gated: Mapping[str, Sequence[str]] = run.summary["gated"]
    found.sort(key=lambda entry: entry.first.variant not in gated.get(entry.first.suite, ()))

    def row(entry: Entry) -> list[str]:
        first = entry.first
        free = "" if first.variant in gated.get(first.suite, ()) else " (not gated)"
        return [escaped(first.case_id), escaped(first.variant) + free, entry.status, escaped(entry.reason)]

    rows = [row(entry) for entry in found[:_MOST_CASES]]
    return _table("Failing cases", ["case", "variant", "status", "reason"], rows, _MOST_CASES, total=len(found))


def _judged(run: RunData) -> str:
    estimates = [one for one in run.summary["estimates"] if one["kind"] not in ("check", "case")]
    rows = [
        [
            escaped(one["variant"]),
            escaped(one["metric"]),
            figure(one["mean"]) if one["mean"] is not None else escaped(f"- ({one.get('reason') or 'no score'})"),
            _interval(one),
            f"{one['n_scored']} of {one['n_total']}",
        ]
        for one in estimates[:_MOST_METRICS]
    ]
    table = _table(
        "Scores",
        ["variant", "metric", "mean", "interval", "scored"],
        rows,
        _MOST_METRICS,
        total=len(estimates),
    )
    said = [*corrected_lines(run.summary), *trust_lines(run.summary)]
    trust = "\n".join(_bullets(said, _MOST_METRICS, "lines"))
    return "\n\n".join(part for part in (table, trust, escaped(calibration_note(run))) if part)


def _interval(estimate: Mapping[str, Any]) -> str:
    if estimate["ci_low"] is None or estimate["ci_high"] is None:
        return "-"
    level = f"{100 * estimate['level']:g}%: " if estimate.get("level") is not None else ""
    return f"{level}{figure(estimate['ci_low'])} to {figure(estimate['ci_high'])}"


def _cost(run: RunData) -> str:
    cost, calls = run.summary["cost"], run.summary["judge_calls"]
    line = f"Cost: target {usd(cost['target_usd'])}"
    # Without a call there is nothing to know the cost of, nor what a skipped one would have cost.
    if calls["made"] or calls["cached"]:
        line += f", judge {usd(cost['judge_usd'])}, saved {usd(cost['saved_usd'])}"
    if any(calls.values()):
        line += f"; judge calls: {calls['made']} made, {calls['cached']} from the cache, {calls['skipped']} skipped"
    line += "."
    if cost["unpriced"]:
        line += " Without a known price: " + ", ".join(escaped(name, 100) for name in cost["unpriced"][:20]) + "."
    return line


def _listed(title: str, texts: Sequence[str]) -> str:
    return "\n".join([f"## {title}", "", *(f"- {escaped(text, 1000)}" for text in texts)]) if texts else ""


def _warnings(run: RunData) -> str:
    warnings = other_warnings(run)
    return "\n".join(["## Warnings", "", *_bullets(warnings, _MOST_SENTENCES, "warnings")]) if warnings else ""


def _bullets(texts: Sequence[object], most: int, what: str) -> list[str]:
    return [f"- {escaped(text, 1000)}" for text in texts[:most]] + _more(len(texts) - most, what)


def _more(left: int, what: str) -> list[str]:
    return [f"- … {left} more {what} in report.html"] if left > 0 else []


def _table(
    title: str, header: Sequence[str], rows: Sequence[Iterable[str]], most: int, *, total: int | None = None
) -> str:
    if not rows:
        return ""
    lines = [f"## {title}", "", _cells(header), _cells("---" for _ in header), *map(_cells, rows[:most])]
    left = (len(rows) if total is None else total) - min(len(rows), most)
    if left > 0:
        lines += ["", f"… {left} more in report.html"]
    return "\n".join(lines)


def _cells(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
