"""A project of one agent with a format of its own: what the lock holds together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgekit.config import load_project
from judgekit.release.lock import lock_violations, write_lock
from judgekit.release.registry import load_agents
from judgekit.release.violations import Violation

SETTINGS = """\
agents:
  scout:
    rubric: review_completeness
    threshold: 0.5
    format: scout/1
    fixtures: fixtures.yaml
"""
FORMAT = """\
name: scout
version: 1
json_schema: {type: object, required: [risks], properties: {risks: {type: string}}}
"""
FIXTURES = """\
suite: scout
defaults:
  rubrics: [{name: review_completeness, sections: [Risks]}]
cases:
  - {id: harbour, input: Name the risks., output: '{"risks": "Fog."}'}
  - {id: airport, input: And here?, output: '{"risks": "Birds."}'}
  - {id: silent, input: Name the risks., output: "None.", should_pass: false}
"""


class ProjectFolder:
    """Files of the project, and what the release gate says of its lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = folder / ".judgekit.lock"

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text
        self.write(name, text.replace(old, new))

    def relock(self, *agents: str) -> Path:
        project = load_project()
        return write_lock(project, load_agents(project, agents))

    def found(self, *agents: str) -> list[Violation]:
        project = load_project()
        return lock_violations(project, load_agents(project, agents))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectFolder:
    """Not locked yet."""
    monkeypatch.chdir(tmp_path)
    made = ProjectFolder(tmp_path)
    made.write("judgekit.yaml", SETTINGS)
    made.write("rubrics/formats/scout.yaml", FORMAT)
    made.write("fixtures.yaml", FIXTURES)
    return made


@pytest.fixture
def locked(project: ProjectFolder) -> ProjectFolder:
    project.relock()
    return project


@pytest.fixture
def format_of(tmp_path: Path) -> Callable[[str], object]:
    """The format that a file of this text declares."""
    from judgekit.release.formats import load_format

    def made(text: str) -> object:
        path = tmp_path / "made.yaml"
        path.write_text(text, encoding="utf-8")
        return load_format(path)

    return made
