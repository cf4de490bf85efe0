"""A project folder to write scenario files into, and what judgekit makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from judgekit.errors import InputError
from judgekit.records import Case, Suite
from judgekit.scenarios.load import load_scenarios


class Folder:
    """The working folder, which is the project's root."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> Path:
        """A file, its folders made and its indentation removed."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8", newline="")
        return path

    def suites(self, *paths: str, has_rubrics: bool = False, allow_code: bool = False) -> Sequence[Suite]:
        """What stands under `paths`, or anywhere here."""
        found = [Path(path) for path in paths or (".",)]
        return load_scenarios(found, root=self.path, has_rubrics=has_rubrics, allow_code=allow_code)

    def cases(self, *paths: str, has_rubrics: bool = False) -> dict[str, Case]:
        """Cases by id."""
        return {case.case_id: case for suite in self.suites(*paths, has_rubrics=has_rubrics) for case in suite.cases}

    def case(self, text: str) -> Case:
        """The only case of a scenario file of this text."""
        self.write("a.yaml", text)
        (case,) = self.cases("a.yaml").values()
        return case

    def mistakes(self, text: str | None = None, *, has_rubrics: bool = False) -> list[str]:
        """The lines of the complaint; `text` is that of `a.yaml`."""
        if text is not None:
            self.write("a.yaml", text)
        with pytest.raises(InputError) as caught:
            self.suites(has_rubrics=has_rubrics)
        return str(caught.value).split("\n")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return Folder(tmp_path)
