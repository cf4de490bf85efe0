"""A project with agents that declare formats, and outputs files of what they say in service."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judgekit.config import load_project
from judgekit.release.drift import Drift, find_drift

SETTINGS = """\
agents:
  scarlet: {rubric: source_coverage, threshold: 0.7, format: scarlet/1, fixtures: scarlet.yaml}
"""
SECOND = """\
  reagan: {rubric: review_completeness, threshold: 0.8, format: reagan/1, fixtures: reagan.yaml}
  plain: {rubric: review_completeness, threshold: 0.8, fixtures: plain.yaml}
"""
FIXTURE = "cases:\n  - {{id: {0}-fixture, input: Q., output: A.}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judgekit.yaml").write_text(SETTINGS, encoding="utf-8")
    for name in ("scarlet", "reagan", "plain"):
        (tmp_path / f"{name}.yaml").write_text(FIXTURE.format(name), encoding="utf-8")
    return tmp_path


@pytest.fixture
def three_agents(folder: Path) -> None:
    (folder / "judgekit.yaml").write_text(SETTINGS + SECOND, encoding="utf-8")


@pytest.fixture
def outputs(folder: Path) -> Callable[..., Path]:
    """A JSONL file of rows; a text is the output of a case called r0, r1 and so on."""

    def written(*rows: Any) -> Path:
        path = folder / "live.jsonl"
        lines = [
            json.dumps(one if isinstance(one, dict) else {"case_id": f"r{number}", "output": one})
            for number, one in enumerate(rows)
        ]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return written


@pytest.fixture
def drift(outputs: Callable[..., Path]) -> Callable[..., Drift]:
    """The drift of some rows."""

    def found(*rows: Any, **how: Any) -> Drift:
        return find_drift(load_project(), outputs(*rows), **how)

    return found
