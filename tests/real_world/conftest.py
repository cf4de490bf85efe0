"""The situations of `cases.jsonl` as tests: each one a parameter, and a small project in a temporary folder.

Each line is a situation in which tools of this kind gave a wrong or confusing result, with an `input` and an `expected`
in neutral words; the tests map them to judgekit's. A module names its kind in `KIND` and gets every situation of that
kind, so none can be forgotten; and `Situation.leftover` names what a test did not look at, so none can pass without a
claim.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import judgekit as jk
from judgekit.cli import main

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]

EXIT_CODES = {"ok": 0, "gate_failed": 1, "bad_input": 2, "run_error": 3, "interrupted": 130}

LIVE = {
    "BR-084": "faux faults carry no headers and wait for nothing: Retry-After is read by the live model only",
    "BR-086": "faux takes every parameter: only a live model can reject temperature 0",
    "BR-089": "only calls of live models are cached",
    "BR-091": "only calls of live models are cached",
    "BR-101": "faux has no HTTP status: telling a content filter from a rate limit is the live model's work",
}
"""Situations that need a live model, with the reason; they become tests together with it."""


SLOW = ("BR-114",)
"""Situations that take more than a few seconds."""


class Expected(Mapping[str, Any]):
    """What must come out; it remembers which of its keys were looked at, inner ones included."""

    def __init__(self, values: Mapping[str, Any], name: str = "") -> None:
        self._name = name
        self._values = {
            key: Expected(value, f"{name}{key}.") if isinstance(value, dict) else value for key, value in values.items()
        }
        self._unread = set(values)

    def __getitem__(self, key: str) -> Any:
        value = self._values[key]
        self._unread.discard(key)
        return value

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def plain(self) -> dict[str, Any]:
        """Everything as a plain mapping, for one comparison of the whole; all of it then counts as looked at."""
        return {key: value.plain() if isinstance(value, Expected) else value for key, value in self.items()}

    def leftover(self) -> list[str]:
        """Names of what nobody looked at."""
        inner = [one for value in self._values.values() if isinstance(value, Expected) for one in value.leftover()]
        return [self._name + key for key in sorted(self._unread)] + inner


class Situation:
    """One line of `cases.jsonl`."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.id: str = row["id"]
        self.input: dict[str, Any] = row["input"]
        self.expected = Expected(row["expected"])
        self._set_aside: dict[str, str] = {}

    @property
    def exit_code(self) -> int:
        """The exit code of judgekit for the expected class."""
        return EXIT_CODES[self.expected["exit_class"]]

    def sets_aside(self, key: str, *, because: str) -> None:
        """Say that an expected key does not apply to judgekit, or is met in another way, and why."""
        assert because, key
        part: Any = self.expected
        *outer, last = key.split(".")
        for name in outer:
            part = part[name]
        assert last in part, f"{self.id} expects no {key}"
        self._set_aside[key] = because

    def leftover(self) -> list[str]:
        """Expected keys that the test neither looked at nor set aside.

        `also_ok` lists other acceptable results, which nobody needs who gives the expected one.
        """
        return [
            name
            for name in self.expected.leftover()
            if name != "also_ok" and not any(name == key or name.startswith(f"{key}.") for key in self._set_aside)
        ]


class Project:
    """A project in a temporary folder, which is the working folder too."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("judgekit.yaml", "")

    def write(self, name: str, content: Any) -> Path:
        """Write a file: text or bytes as they are, a list as JSONL, anything else as JSON, which is YAML too."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        elif isinstance(content, list):
            path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), encoding="utf-8")
        else:
            path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        return path

    def rubric(self, name: str, low: float = 0, high: float = 1, **more: Any) -> str:
        """Write a judged rubric on a numeric scale; its file name."""
        rubric = {"name": name, "question": "How good is the answer?", "scale": {"min": low, "max": high}, **more}
        return self.write(f"{name}.yaml", rubric).name

    def scored(self, name: str, scores: list[Any], **more: Any) -> list[str]:
        """Files of cases c0, c1, … that a recorded judge scored so by a rubric; None is a call that failed.

        The rubric is `name`.yaml; the arguments of `judgekit score` come back.
        """
        ids = [f"c{number}" for number in range(len(scores))]
        rubric = self.rubric(name, **more)
        replies = [
            {"case_id": case_id, "rubric": name, "reply": json.dumps({"reason": "as seen", "score": score})}
            for case_id, score in zip(ids, scores, strict=True)
            if score is not None
        ]
        self.write("replies.jsonl", replies)
        self.write("suite.yaml", {"cases": [{"id": one, "output": "An answer.", "rubrics": [rubric]} for one in ids]})
        return ["suite.yaml", "--judge", "replay:replies.jsonl"]

    def score(self, *paths: str, **options: Any) -> jk.Run:
        """Score in this process."""
        return jk.score(list(paths) or None, out=self.root / "runs", **options)

    def cli(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """Run the command line in this process, from arguments to exit code."""
        words = self.command(*argv)[2:]
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with (
            mock.patch("sys.argv", words),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as end,
        ):
            main()
        printed, said = (stream.buffer.getvalue().decode("utf-8") for stream in (out, err))
        assert isinstance(end.value.code, int)
        return subprocess.CompletedProcess(words, end.value.code, printed, said)

    def process(self, *argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the command line in a process of its own, where the environment or the end of the process matters."""
        started = self.start(*argv, **environment)
        printed, said = started.communicate(timeout=60)
        return subprocess.CompletedProcess(
            argv, started.returncode, printed.decode("utf-8", "replace"), said.decode("utf-8", "replace")
        )

    def start(self, *argv: str, **environment: str) -> subprocess.Popen[bytes]:
        """The command line in a process of its own, under way."""
        return subprocess.Popen(
            self.command(*argv),
            cwd=self.root,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def command(self, *argv: str) -> list[str]:
        """The command line; run folders go to `runs`."""
        out = ["--out", "runs"] if argv[0] == "score" else []
        return [sys.executable, "-m", "judgekit", *argv, *out]

    def run(self) -> jk.Run:
        """The newest stored run."""
        return jk.load_run(self.root / "runs" / (self.root / "runs" / "latest").read_text("utf-8").strip())


def ours(neutral: str) -> str:
    """A scenario file in neutral words, in judgekit's: `cases`, `expect`, and one key for each check."""
    text = neutral.replace("scenarios:", "cases:").replace("checks:", "expect:").replace("is_json", "json")
    text = re.sub(r"- type: (\w+)\n\s+value: (.*)", r"- \1: \2", text)
    text = re.sub(r"\{type: (\w+), value: ([^,}]+)\}", r"{\1: \2}", text)
    return re.sub(r"\{type: (\w+), (value: [^}]+)\}", r"{\1: {\2}}", text)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for a `situation` every one of its module's kind."""
    if "situation" in metafunc.fixturenames:
        rows = [row for row in CASES if row["kind"] == metafunc.module.KIND]
        marks = {name: pytest.mark.skip(reason=f"needs a live model: {why}") for name, why in LIVE.items()}
        marks |= dict.fromkeys(SLOW, pytest.mark.slow)
        parameters = [pytest.param(row, id=row["id"], marks=marks.get(row["id"], ())) for row in rows]
        metafunc.parametrize("situation", parameters, indirect=True)


@pytest.fixture
def situation(request: pytest.FixtureRequest) -> Situation:
    """One situation, untouched."""
    return Situation(request.param)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty project."""
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture
def translated() -> Any:
    """`ours`, for tests: modules of this folder cannot import it."""
    return ours


@pytest.fixture
def live() -> dict[str, str]:
    """`LIVE`, for the test that looks after it."""
    return LIVE


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    """Every line of `cases.jsonl`."""
    return CASES


@pytest.fixture
def as_situation() -> type[Situation]:
    """`Situation`, for the test that looks after it."""
    return Situation
