"""A comparison in, Markdown for a pull request out: short enough for a comment, found again by its first line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.frame.comparing.wording import (
    difference_text,
    interval_text,
    name_of,
    of_case_text,
    p_text,
    size_text,
    value_text,
)
from judgekit.reports.markdown import LIMIT, escaped, marker

_MOST_CASES = 20
_VERDICTS = {"better": "Better", "worse": "Worse"}


def comparison_markdown(
    comparisons: Sequence[Mapping[str, Any]], notes: Sequence[str], exit_code: int, reasons: Sequence[str]
) -> str:
    """The comparison as Markdown of under 60,000 characters: outcome, sentences, figures, cases, what differs.

    Args:
        comparisons: As in summary.json.
        notes: What was not compared, and what was although it differs.
        exit_code: 1 for a regression.
        reasons: Why.
    """
    who = ", ".join(dict.fromkeys(one["who"] for one in comparisons))
    better = all(one["verdict"] == "better" for one in comparisons if one["primary"])
    outcome = "**Regression.**" if exit_code else "**Better.**" if better else "**No regression.**"
    parts = [
        f"{marker('compare')}\n# {escaped(who, 300)}",
        "\n".join([outcome, "", *(f"- {escaped(one, 1000)}" for one in reasons)]).rstrip(),
        "\n".join(f"- {escaped(one['sentence'], 1500)}" for one in comparisons),
        _table(comparisons),
        *(_cases(one) for one in comparisons),
        _notes(notes),
    ]
    whole = "\n\n".join(part for part in parts if part) + "\n"
    if len(whole) < LIMIT:
        return whole
    note = "\n\n… shortened; `judgekit compare --json` has all of it.\n"
    kept = whole[: LIMIT - len(note) - 1]
    return kept[: kept.rfind("\n")] + note


def _notes(notes: Sequence[str]) -> str:
    lines = [f"- {escaped(one, 1000)}" for one in notes]
    return "\n".join(["## Not compared, or not alike", "", *lines]) if notes else ""


def _table(comparisons: Sequence[Mapping[str, Any]]) -> str:
    header = ("compared", "metric", "cases", "value", "against", "difference", "interval", "p", "adjusted p")
    lines = [_cells((*header, "detectable", "verdict")), _cells(["---"] * (len(header) + 2))]
    for one in comparisons:
        lines.append(
            _cells(
                (
                    escaped(one["who"]),
                    escaped(name_of(one)) + (" (primary)" if one["primary"] else ""),
                    str(one["n"]),
                    value_text(one, one["value"]),
                    value_text(one, one["value_against"]),
                    difference_text(one, one["difference"]),
                    interval_text(one) or "–",
                    p_text(one["p_value"]),
                    p_text(one["p_adjusted"]),
                    size_text(one, one["minimum_detectable_difference"]),
                    one["verdict"],
                )
            )
        )
    return "\n".join(lines)


def _cases(one: Mapping[str, Any]) -> str:
    lines = []
    for word, key, total in (("Worse", "regressions", one["losses"]), ("Better", "improvements", one["wins"])):
        flips = one[key][:_MOST_CASES]
        if flips:
            lines += [f"**{word}** on {total}:", ""]
            lines += [
                f"- {escaped(flip['case_id'])}: {of_case_text(one, flip['value_against'])} → "
                f"{of_case_text(one, flip['value'])}" + (f", {escaped(flip['reason'])}" if flip["reason"] else "")
                for flip in flips
            ]
            lines += [f"- … {total - len(flips)} more"] if total > len(flips) else []
            lines.append("")
    if not lines:
        return ""
    return "\n".join([f"<details><summary>{escaped(name_of(one))}: the cases</summary>", "", *lines, "</details>"])


def _cells(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
