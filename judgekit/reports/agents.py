"""Run data in; what reports show of a release gate out: its agents, and how they stood in earlier runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.frame import RunData

_AGENT = ("agent", "rubric", "score", "threshold", "passed", "n_golden", "n_negative", "n_violations")
_HISTORY = ("time", "run_id", "revision", "agent", "rubric", "score", "threshold", "passed")


def agents_of(run: RunData) -> list[dict[str, Any]]:
    """One per agent and rubric, in the order of the registry; none for a run that is no release gate's."""
    return _only(run.summary["decision"].get("agents", ()), _AGENT)


def history_of(run: RunData) -> list[dict[str, Any]]:
    """One per earlier run, agent and rubric, this run's last; none without `--history`."""
    return _only(run.summary.get("history", ()), _HISTORY)


def _only(rows: Any, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    found: list[Mapping[str, Any]] = list(rows)
    return [{key: row.get(key) for key in keys} for row in found]
