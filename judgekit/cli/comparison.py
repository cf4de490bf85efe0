"""A comparison in, what a terminal shows of it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.cli.terminal import harmless, one_line


def headline(comparisons: Sequence[Mapping[str, Any]]) -> list[str]:
    """The verdict sentences, each with the cases behind it; what `score` prints first."""
    lines = []
    for one in comparisons:
        lines.append(harmless(one["sentence"]))
        # The reason is that of the worse side: of the variant where it lost, of the other where it won.
        lines += _flips("worse", one["variant"], one["regressions"], one["losses"], 5)
        lines += _flips("better", one["against"], one["improvements"], one["wins"], 3 if one["primary"] else 0)
    return [*lines, ""] if lines else []


def _flips(name: str, worse: str, flips: Sequence[Mapping[str, Any]], total: int, most: int) -> list[str]:
    lines = []
    for flip in flips[:most]:
        reason = f", {harmless(worse)}: {one_line(flip['reason'])}" if flip["reason"] else ""
        lines.append(f"  {name}  {harmless(flip['case_id'])}{reason}")
    more = total - len(lines)
    if more and most:
        lines.append(f"  {name}  {more} {'more ' if lines else ''}{'case' if more == 1 else 'cases'}")
    return lines
