"""A finished run as Python code meets it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.frame.frames import case_hints, results_frame, to_frame, verdicts_frame
from judgekit.frame.tables import RunData
from judgekit.records import Decision
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
        return Decision(said["passed"], said["exit_code"], tuple(said["reasons"]), tuple(said["rules"]))

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
    """The decision as summary.json holds it."""
    return {
        "passed": decision.passed,
        "exit_code": decision.exit_code,
        "reasons": list(decision.reasons),
        "rules": [dict(rule) for rule in decision.rules],
    }
