"""A finished run as Python code meets it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.frame.frames import case_hints, results_frame, to_frame, verdicts_frame
from judgekit.frame.tables import RunData
from judgekit.records import AgentResult, Decision
from judgekit.reports.csv_tables import case_header, case_rows

if TYPE_CHECKING:
    import pandas as pd


class Run:
    """Results, decision and place of one run; the frames are made on first use."""

    def __init__(self, data: RunData) -> None:
        self.data = data
        self._frames: dict[str, pd.DataFrame] = {}

    @property
    def path(self) -> Path:
        """The run folder."""
        return self.data.path

    @property
    def summary(self) -> dict[str, Any]:
        """What summary.json holds."""
        return self.data.summary

    @property
    def decision(self) -> Decision:
        """What the gate says."""
        said = self.data.summary["decision"]
        return Decision(
            said["passed"],
            said["exit_code"],
            tuple(said["reasons"]),
            tuple(said["rules"]),
            agents=tuple(_agent_result(one) for one in said.get("agents", ())),
            run_id=said.get("run_id", ""),
            revision=said.get("revision", ""),
            source=said.get("source", ""),
        )

    @property
    def results(self) -> pd.DataFrame:
        """One row per case × variant × trial × metric × judge; the columns are those of results.csv."""
        return self._frame("results", lambda: results_frame(self.data.results))

    @property
    def cases(self) -> pd.DataFrame:
        """One row per case × variant × trial, with one column per metric; the columns are those of cases.csv."""
        return self._frame("cases", lambda: to_frame(case_header(self.data), case_rows(self.data), case_hints()))

    @property
    def verdicts(self) -> pd.DataFrame:
        """One row per judge sample, with prompt hash and raw reply."""
        return self._frame("verdicts", lambda: verdicts_frame(self.data.verdicts))

    def _frame(self, name: str, make: Any) -> pd.DataFrame:
        if name not in self._frames:
            self._frames[name] = make()
        return self._frames[name]

    def __repr__(self) -> str:
        counts = self.summary["counts"]
        return f"Run({self.path.name}: {counts['pass']} of {counts['cases']} pass, {self.decision.reasons[0]})"


def decision_record(decision: Decision) -> dict[str, Any]:
    """The decision as summary.json holds it; agents, run and revision are there for a release gate's only."""
    record: dict[str, Any] = {
        "passed": decision.passed,
        "exit_code": decision.exit_code,
        "reasons": list(decision.reasons),
        "rules": [dict(rule) for rule in decision.rules],
    }
    if decision.agents:
        record["agents"] = [_agent_record(one) for one in decision.agents]
        record |= {"run_id": decision.run_id, "revision": decision.revision, "source": decision.source}
    return record


def _agent_record(one: AgentResult) -> dict[str, Any]:
    return {
        "agent": one.agent,
        "rubric": one.rubric,
        "label": one.label,
        "score": None if one.score is None else float(one.score),
        "threshold": float(one.threshold),
        "passed": one.passed,
        "n_golden": one.n_golden,
        "n_negative": one.n_negative,
        "n_violations": one.n_violations,
        "n_scored": one.n_scored,
        "exact": {"score": None if one.score is None else str(one.score), "threshold": str(one.threshold)},
    }


def _agent_result(record: dict[str, Any]) -> AgentResult:
    exact = record["exact"]
    return AgentResult(
        **{key: value for key, value in record.items() if key not in ("score", "threshold", "exact")},
        score=None if exact["score"] is None else Fraction(exact["score"]),
        threshold=Fraction(exact["threshold"]),
    )
