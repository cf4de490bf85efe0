"""The command in this process: arguments in; exit code, stdout and stderr out."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from judgekit.cli import main

PASSING = "name: a\ninput: Q?\noutput: Revenue rose.\nexpect: {contains: [revenue]}\n"
FAILING = "name: a\ninput: Q?\noutput: Costs rose.\nexpect: {contains: [revenue]}\n"
OUTAGE = "name: a\ninput: Q?\nexpect: {contains: [revenue]}\nfaux: [{error: timeout}]\n"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Cli = Callable[..., Done]


@pytest.fixture(autouse=True)
def _same_garbage_collector() -> Iterator[None]:
    # `score` sets the thresholds for its process; here the process goes on.
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write(folder: Path) -> Callable[[str, str], Path]:
    def written(name: str, text: str) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def cli(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["judgekit", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Done(end.value.code, printed.out, printed.err)

    return run


@pytest.fixture
def passing(write: Callable[[str, str], Path]) -> Path:
    return write("scenarios/a.yaml", PASSING)


@pytest.fixture
def failing(write: Callable[[str, str], Path]) -> Path:
    return write("scenarios/a.yaml", FAILING)


@pytest.fixture
def outage(write: Callable[[str, str], Path]) -> Path:
    return write("scenarios/a.yaml", OUTAGE)
