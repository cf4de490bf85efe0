"""A project in a temporary folder, and runs of it through the Python door."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import judgekit
from judgekit.pipeline.result import Run


class Project:
    """A working folder with scenario files, rubrics and settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str | list[dict[str, Any]]) -> Path:
        """A file of the project; a list becomes JSON lines."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text if isinstance(text, str) else "".join(json.dumps(one) + "\n" for one in text)
        path.write_text(content, encoding="utf-8")
        return path

    def scenario(self, text: str, name: str = "s") -> Path:
        return self.write(f"scenarios/{name}.yaml", text)

    def score(self, *paths: str, **how: Any) -> Run:
        return judgekit.score(list(paths) or None, **how)

    def rows(self, run: Run, **wanted: Any) -> list[dict[str, str]]:
        """The rows of results.csv that have certain cells, as text."""
        with (run.path / "results.csv").open(encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]

    def row(self, run: Run, **wanted: Any) -> dict[str, str]:
        (row,) = self.rows(run, **wanted)
        return row

    def records(self, run: Run, stream: str) -> list[dict[str, Any]]:
        text = (run.path / f"{stream}.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture
def status(project: Project) -> Callable[..., dict[str, str]]:
    """Status of each case of a scenario text."""

    def found(text: str, **how: Any) -> dict[str, str]:
        project.scenario(text)
        run = project.score(**how)
        return {unit.case_id: unit.status for unit in run.data.units}

    return found
