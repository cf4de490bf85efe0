"""A project in a temporary folder whose models answer at the stub server, asked through real litellm."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from stub_server import Answer, Asked, Stub, reply

import judgekit
from judgekit.pipeline.result import Run

KEY = "sk-planted-7Qx2Lm9Vt4Rb"
"""The key of these tests; it must turn up in no file and no message."""


class Project:
    """A working folder with scenario files and settings, whose `gpt-4o` is the stub server."""

    key = KEY

    def __init__(self, folder: Path, stub: Stub) -> None:
        self.folder = folder
        self.stub = stub

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def numbered(self, n: int, *, rubrics: str = "{name: helpfulness, pass_at: 4}", extra: str = "") -> None:
        """A suite of n cases with recorded outputs; each output tells its number, so that a judge can repeat it."""
        cases = "".join(
            f"  - {{id: case-{number}, input: Which number?, output: This is number {number}.}}\n"
            for number in range(n)
        )
        self.write(
            "scenarios/numbers.yaml", f"suite: numbers\ndefaults: {{rubrics: [{rubrics}]}}\n{extra}cases:\n{cases}"
        )

    def score(self, *paths: str, **how: Any) -> Run:
        """A run in this process."""
        return judgekit.score(list(paths) or None, **how)

    def command(
        self, *arguments: str, environ: dict[str, str | None] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """`judgekit` in a process of its own."""
        environment = {**os.environ, **(environ or {})}
        known = {name: value for name, value in environment.items() if value is not None}
        command = [sys.executable, "-m", "judgekit", *arguments]
        return subprocess.run(command, cwd=self.folder, env=known, capture_output=True, text=True, timeout=120)

    @staticmethod
    def rows(run: Run | Path, table: str = "results", **wanted: str) -> list[dict[str, str]]:
        """The rows of results.csv or cases.csv that have certain cells, as text."""
        folder = run if isinstance(run, Path) else run.path
        with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            return [row for row in csv.DictReader(file) if all(row[key] == value for key, value in wanted.items())]

    @staticmethod
    def records(run: Run | Path, stream: str) -> list[dict[str, Any]]:
        folder = run if isinstance(run, Path) else run.path
        return [json.loads(line) for line in (folder / f"{stream}.jsonl").read_text(encoding="utf-8").splitlines()]

    @staticmethod
    def number_in(asked: Asked) -> int:
        """The number of the case that a request is about."""
        found = re.search(r"number (\d+)", str(asked.body["messages"]))
        assert found is not None
        return int(found[1])

    @staticmethod
    def own_score(asked: Asked) -> Answer:
        """A verdict whose score, from 1 to 5, follows from the number of the case."""
        number = Project.number_in(asked)
        return reply(json.dumps({"reason": f"number {number}", "score": Project.score_of(number)}))

    @staticmethod
    def score_of(number: int) -> int:
        return 1 + number % 5

    @property
    def runs(self) -> list[Path]:
        """The run folders, oldest first."""
        return sorted(path for path in (self.folder / "reports").glob("*") if path.is_dir())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: Stub) -> Project:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)
    return Project(tmp_path, stub)


class Fork:
    """One `judgekit` command under way in a process of its own, which has litellm imported already."""

    def __init__(self, host: subprocess.Popen[str], pid: int) -> None:
        self._host = host
        self.pid = pid

    def wait(self) -> int:
        """Its exit code, or minus the number of the signal that ended it."""
        assert self._host.stdout is not None
        return int(self._host.stdout.readline())

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal; a process that has ended is not there any more."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return


@pytest.fixture(scope="module")
def _host() -> Iterator[subprocess.Popen[str]]:
    script = str(Path(__file__).with_name("host.py"))
    with subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as host:
        assert host.stdout is not None
        host.stdout.readline()
        yield host
        assert host.stdin is not None
        host.stdin.close()


@pytest.fixture
def fork(_host: subprocess.Popen[str], project: Project) -> Callable[..., Fork]:
    """Start `judgekit` with these arguments; what it prints goes to out.txt and err.txt of its folder."""

    def start(*arguments: str, folder: Path = project.folder) -> Fork:
        asked = {
            "arguments": arguments,
            "folder": str(folder),
            "environ": {"OPENAI_BASE_URL": project.stub.url, "OPENAI_API_KEY": KEY},
        }
        assert _host.stdin is not None
        assert _host.stdout is not None
        _host.stdin.write(json.dumps(asked) + "\n")
        _host.stdin.flush()
        return Fork(_host, int(_host.stdout.readline()))

    return start
