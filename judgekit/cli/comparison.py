"""A comparison in, what a terminal shows of it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from judgekit.cli.terminal import aligned, has_colours, one_line
from judgekit.cli.word_diff import word_diff
from judgekit.frame.comparing.wording import (
    difference_text,
    equals,
    interval_text,
    name_of,
    p_text,
    size_text,
    value_text,
)
from judgekit.reports.wording import harmless

Texts = Mapping[tuple[str, int], str | None]
"""Output by case and trial."""


def headline(comparisons: Sequence[Mapping[str, Any]]) -> list[str]:
    """The verdict sentences, each with the cases behind it; what `score` prints first."""
    lines = []
    for one in comparisons:
        lines += [harmless(one["sentence"]), *(f"  {harmless(note)}" for note in one.get("notes", ()))]
        if one["kind"] == "pairwise":
            lines += _flips("loss", "", one["regressions"], one["losses"], 5)
            lines += _flips("win", "", one["improvements"], one["wins"], 3)
            continue
        # The reason is that of the worse side: of the variant where it lost, of the other where it won.
        lines += _flips("worse", one["variant"], one["regressions"], one["losses"], 5)
        lines += _flips("better", one["against"], one["improvements"], one["wins"], 3 if one["primary"] else 0)
    return [*lines, ""] if lines else []


def comparison_lines(
    comparisons: Sequence[Mapping[str, Any]], texts: Mapping[int, tuple[Texts, Texts]] | None = None
) -> list[str]:
    """The sentences with the cases behind them, then one line of figures per metric.

    Args:
        comparisons: As in summary.json.
        texts: By row, the outputs of `variant` and of `against`: then each case is followed by what changed in it.
    """
    lines = []
    for number, one in enumerate(comparisons):
        both = texts.get(number) if texts else None
        who, other = _sides(one)
        lines.append(harmless(one["sentence"]))
        lines += _flips("worse", who, one["regressions"], one["losses"], 10, both)
        lines += _flips("better", other, one["improvements"], one["wins"], 10 if one["primary"] else 5, both)
        lines += _checks(one)
    return [*lines, "", *_tables(comparisons)]


def _sides(one: Mapping[str, Any]) -> tuple[str, str]:
    """What to call the two sides beside a case: variants, or runs where the variant is the same."""
    if one["run"] is None or one["variant"] != one["against"]:
        return one["variant"], one["against"]
    return "now", "before"


def _flips(
    name: str,
    worse: str,
    flips: Sequence[Mapping[str, Any]],
    total: int,
    most: int,
    texts: tuple[Texts, Texts] | None = None,
) -> list[str]:
    """The cases, each with the reason of the worse side: of the variant where it lost, of the other where it won."""
    lines = []
    for flip in flips[:most]:
        side = f", {harmless(worse)}" if worse else ""
        reason = f"{side}: {one_line(flip['reason'])}" if flip["reason"] else ""
        lines.append(f"  {name}  {harmless(flip['case_id'])}{reason}")
        if texts is not None:
            lines += _diff(flip, *texts)
    more = total - min(most, len(flips))
    if more and most:
        lines.append(f"  {name}  {more} {'more ' if flips else ''}{'case' if more == 1 else 'cases'}")
    return lines


def _diff(flip: Mapping[str, Any], new: Texts, old: Texts) -> list[str]:
    key = (flip["case_id"], flip["trial"])
    now, then = new.get(key), old.get(key)
    if now is None or then is None:
        return ["      (one of the two has no output)"]
    if now == then:
        return ["      (the outputs are the same)"]
    lines = word_diff(_lines(then), _lines(now), _gone, _come).split("\n")
    return [f"      {line}" for line in lines]


def _lines(text: str) -> str:
    return "\n".join(harmless(line) for line in text.split("\n"))


def _gone(text: str) -> str:
    return _marked(text, "[-", "-]", fg="red", strikethrough=True)


def _come(text: str) -> str:
    return _marked(text, "{+", "+}", fg="green", bold=True)


def _marked(text: str, left: str, right: str, **style: Any) -> str:
    # Line by line, so that no colour runs into the margin of the next line.
    colours = has_colours()
    parts = [
        (click.style(part, **style) if colours else f"{left}{part}{right}") if part else "" for part in text.split("\n")
    ]
    return "\n".join(parts)


def _checks(one: Mapping[str, Any]) -> list[str]:
    if not one.get("checks"):
        return []
    parts = [f"{harmless(check['metric'])} {' and '.join(_gained(check))}" for check in one["checks"]]
    return [f"  by check: {'; '.join(parts)}"]


def _gained(check: Mapping[str, Any]) -> list[str]:
    said = [f"{check[key]} {word}" for key, word in (("wins", "better"), ("losses", "worse")) if check[key]]
    if check.get("p_adjusted") is not None:
        said[-1] += f" (adjusted p {equals(p_text(check['p_adjusted']))})"
    return said


def _tables(comparisons: Sequence[Mapping[str, Any]]) -> list[str]:
    """A table for each pair, under its name where there are several."""
    pairs = list(dict.fromkeys(one["who"] for one in comparisons))
    lines = []
    for who in pairs:
        name = [harmless(who)] if len(pairs) > 1 else []
        lines += [*name, *_table([one for one in comparisons if one["who"] == who]), ""]
    return lines


def _table(comparisons: Sequence[Mapping[str, Any]]) -> list[str]:
    rows = [["metric", "n", "value", "against", "difference", "95 % interval", "p", "adjusted", *_LAST]]
    for one in comparisons:
        rows.append(
            [
                harmless(name_of(one)),
                str(one["n"]),
                value_text(one, one["value"]),
                value_text(one, one["value_against"]),
                difference_text(one, one["difference"]),
                interval_text(one),
                p_text(one["p_value"]),
                p_text(one["p_adjusted"]),
                size_text(one, one["minimum_detectable_difference"]),
                f"{one['wins']}/{one['losses']}/{one['ties']}",
            ]
        )
    return aligned(rows)


_LAST = ("detectable", "won/lost/tied")
