"""A project folder to write files into, and what judgekit plans and runs with them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import judgekit as jk
from judgekit.errors import InputError
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import Plan, make_plan


class Folder:
    """The working folder, which is the project's root."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.write("judgekit.yaml", "")

    def write(self, name: str, text: str) -> Path:
        """A file, its folders made and its indentation removed."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8", newline="")
        return path

    def rows(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Path:
        """A JSONL file."""
        return self.write(name, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def plan(self, scenario: str | None = None, **options: Any) -> Plan:
        """The plan for `scenarios/a.yaml` with this text, or for what is there."""
        if scenario is not None:
            self.write("scenarios/a.yaml", scenario)
        return make_plan(Options(**options))

    def mistakes(self, scenario: str | None = None, **options: Any) -> list[str]:
        """The lines of the complaint about it."""
        with pytest.raises(InputError) as caught:
            self.plan(scenario, **options)
        return str(caught.value).split("\n")

    def score(self, scenario: str | None = None, **options: Any) -> jk.Run:
        """The run of it, in a folder `runs`."""
        if scenario is not None:
            self.write("scenarios/a.yaml", scenario)
        return jk.score(**{"out": self.path / "runs", **options})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)
