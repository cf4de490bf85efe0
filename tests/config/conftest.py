"""A project folder to write settings into."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgekit.config import Project, load_project
from judgekit.errors import InputError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def settings(folder: Path) -> Callable[[str], Project]:
    """The project that a judgekit.yaml makes."""

    def made(text: str) -> Project:
        (folder / "judgekit.yaml").write_text(text, encoding="utf-8")
        return load_project()

    return made


@pytest.fixture
def mistakes(settings: Callable[[str], Project]) -> Callable[[str], list[str]]:
    """The complaints about a judgekit.yaml."""

    def told(text: str) -> list[str]:
        with pytest.raises(InputError) as caught:
            settings(text)
        return str(caught.value).split("\n")

    return told
