"""Runs with a recorded judge, and labels by people of their outputs."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import judgekit
from judgekit.pipeline.calibrate import Calibration, calibrate
from judgekit.pipeline.result import Run

COLUMNS = ("run_id", "case_id", "variant", "trial", "rubric", "output_hash", "label", "score", "comment")
COLUMNS += ("annotator", "sampling", "blind")
RUBRIC = "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\npass_at: 4\nneeds: [input, output]\n"


@dataclass(frozen=True)
class Lab:
    """A project in a folder, with one suite `s` and one rubric `good`."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def score(self, judge: Mapping[str, Any], *, run_id: str = "r", rubric: str = RUBRIC, **how: Any) -> Run:
        """A run with one output for each `case` or `case/variant`; the judge's reply, or its score, is given."""
        self.write("rubrics/good.yaml", rubric)
        replies, outputs = [], []
        for key, said in judge.items():
            case_id, _, variant = key.partition("/")
            ids = {"case_id": case_id, "variant": variant or "default"}
            replies.append({**ids, "rubric": "good", "reply": _reply(said)})
            outputs.append({**ids, "input": f"About {case_id}", "output": f"{case_id} by {variant or 'default'}"})
        self.write("replies.jsonl", _jsonl(replies))
        self.write("s.jsonl", _jsonl(outputs))
        how = {"judge": "replay:replies.jsonl", "rubrics": ["good"], "no_gate": True, "outputs": "s.jsonl", **how}
        return judgekit.score(run_id=run_id, **how)

    def label(self, run: Run, people: Mapping[str, Any], name: str = "labels.csv", **more: Any) -> Path:
        """A label file for some outputs of a run: by `case` or `case/variant` a word, a score, or cells."""
        rows = []
        for case in run.data.cases:
            said = people.get(f"{case.case_id}/{case.variant}", people.get(case.case_id))
            for one in said if isinstance(said, list) else [said] if said is not None else []:
                row = {"run_id": run.path.name, "case_id": case.case_id, "variant": case.variant, "trial": case.trial}
                row |= {"rubric": "good", "output_hash": case.output_hash, "annotator": "ann"}
                row |= {"sampling": "random", "blind": "true"} | more
                rows.append(row | _cells(one))
        return self.rows(rows, name)

    def rows(self, rows: Sequence[Mapping[str, Any]], name: str = "labels.csv") -> Path:
        path = self.folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)
        return path

    def calibrate(self, labels: Path, **how: Any) -> Calibration:
        return calibrate(labels, **how)

    def summary(self, run: Run) -> dict[str, Any]:
        return dict(json.loads((run.path / "summary.json").read_text(encoding="utf-8")))


def _cells(one: Any) -> dict[str, Any]:
    if isinstance(one, dict):
        return one
    return {"label": one} if isinstance(one, str) else {"score": one}


def _reply(said: Any) -> str:
    return said if isinstance(said, str) else json.dumps({"reason": f"I say {said}", "score": said})


def _jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(one) + "\n" for one in rows)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judgekit.yaml").write_text("out: reports\n", encoding="utf-8")
    return Lab(tmp_path)


@pytest.fixture
def shared_data() -> Path:
    for folder in Path(__file__).resolve().parents:
        if (folder / "shared" / "data" / "expected.json").is_file():
            return folder / "shared" / "data"
    pytest.skip("the recorded data (shared/data) is not beside this checkout")
