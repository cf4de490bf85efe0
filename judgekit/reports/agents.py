"""Run data in; what reports show of a release gate out: its agents, and how they stood in earlier runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.frame import RunData
from judgekit.reports.wording import figure

_AGENT = ("agent", "rubric", "score", "threshold", "passed", "n_golden", "n_negative", "n_violations", "n_scored")
_HISTORY = ("time", "run_id", "revision", "agent", "rubric", "score", "threshold", "passed")


def agents_of(run: RunData) -> list[dict[str, Any]]:
    """One per agent and rubric, in the order of the registry; none for a run that is no release gate's."""
    return _only(run.summary["decision"].get("agents", ()), _AGENT)


def score_text(one: Mapping[str, Any]) -> str:
    """An agent's score, with what it is the mean of where that is not every golden fixture.

    Example:
        >>> score_text({"score": 1.0, "threshold": 0.8, "n_golden": 8, "n_scored": 1})
        '1 (1 of 8)'
    """
    shown = figure(one["score"], one["threshold"])
    return f"{shown} ({one['n_scored']} of {one['n_golden']})" if 0 < one["n_scored"] < one["n_golden"] else shown


def history_of(run: RunData) -> list[dict[str, Any]]:
    """One per earlier run, agent and rubric, this run's last; none without `--history`."""
    return _only(run.summary.get("history", ()), _HISTORY)


def _only(rows: Any, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    found: list[Mapping[str, Any]] = list(rows)
    return [{key: row.get(key) for key in keys} for row in found]
