"""A project whose outputs and judge replies are recorded, so that every comparison is known beforehand."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import judgekit as jk
from judgekit.cli import main

Scores = Mapping[str, Mapping[str, float | str | None]]
"""By variant and case: a score, a raw reply, or None for no reply."""
SCALE = "name: q\nquestion: Good?\nscale: {min: 1, max: 5}\n"


class Project:
    """A working folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: str | Iterable[Mapping[str, Any]]) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else "".join(json.dumps(one) + "\n" for one in content)
        path.write_text(text, encoding="utf-8")
        return path

    def checked(self, passed: Mapping[str, str], *, run_id: str | None = None, suite: str = "", **how: Any) -> jk.Run:
        """A run of one required check: by variant a text with a letter per case, p for pass, f for fail, - for none."""
        variants = list(passed)
        ids = [f"c{number}" for number in range(len(next(iter(passed.values()))))]
        cases = [{"id": case_id, "input": f"Q {case_id}"} for case_id in ids]
        self.write("cases.jsonl", cases)
        self.write("suite.yaml", suite or "suite: s\ndefaults: {expect: {contains: [good]}}\ncases: cases.jsonl\n")
        said = {"p": "good", "f": "bad"}
        rows = [
            {"case_id": case_id, "variant": variant, "output": f"{said[letter]} {case_id}"}
            for variant in variants
            for case_id, letter in zip(ids, passed[variant], strict=True)
            if letter != "-"
        ]
        self.write("outputs.jsonl", rows)
        return jk.score("suite.yaml", outputs="outputs.jsonl", out="reports", run_id=run_id, **how)

    def judged(
        self,
        scores: Scores,
        *,
        run_id: str | None = None,
        judge: str = "replies.jsonl",
        rubric: str = SCALE,
        extra: Mapping[str, Mapping[str, Any]] | None = None,
        **how: Any,
    ) -> jk.Run:
        """A run of one judged rubric `q` with recorded replies; `extra` adds columns to the outputs of a case."""
        self.write("rubrics/q.yaml", rubric)
        rows, replies = [], []
        for variant, by_case in scores.items():
            for case_id, score in by_case.items():
                more = (extra or {}).get(case_id, {})
                rows.append({"case_id": case_id, "variant": variant, "input": f"Q {case_id}", "output": "x", **more})
                if score is not None:
                    reply = score if isinstance(score, str) else json.dumps({"reason": f"{score} of 5", "score": score})
                    replies.append({"case_id": case_id, "variant": variant, "rubric": "q", "reply": reply})
        self.write("outputs.jsonl", rows)
        self.write(judge, replies)
        return jk.score(
            outputs="outputs.jsonl", rubrics=["q"], judge=f"replay:{judge}", out="reports", run_id=run_id, **how
        )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(tmp_path)


@pytest.fixture
def cli(project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """The command: exit code, stdout and stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["judgekit", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return int(end.value.code or 0), printed.out, printed.err

    return run
