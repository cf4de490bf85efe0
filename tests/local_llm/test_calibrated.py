"""A real, tiny judge on 40 items of LLMBar gets the sentence that its figures deserve, whatever it says."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ITEMS = Path(__file__).parents[1] / "data" / "llmbar_40.jsonl"
RUBRIC = """\
name: better
question: Is the first output better?
labels: {a: 1, b: 0}
pass_at: 1
needs: [input, output]
template: better.j2
"""
TEMPLATE = """\
Which output follows the instruction better, a or b?

Instruction: {{ input }}

{{ output }}
"""


@pytest.mark.slow
def test_a_tiny_model_is_trusted_as_far_as_it_agrees_with_people(model_url: str, tmp_path: Path) -> None:
    items = [json.loads(line) for line in ITEMS.read_text(encoding="utf-8").splitlines()]
    _write(tmp_path, items)
    _judgekit(tmp_path, "score", *_options(model_url))
    _label(tmp_path, items)

    said = _judgekit(tmp_path, "calibrate", "labels.csv", "--run", "real").splitlines()

    (entry,) = json.loads((tmp_path / "reports/real/summary.json").read_text(encoding="utf-8"))["trust"].values()
    kappa = entry["figures"]["estimates"].get("kappa") or {"low": None}
    n = entry["figures"]["n_outputs"]
    assert said[:2] == [f"better by openai/smollm2: {entry['level']}", f"  {entry['sentence']}"]
    # As often right as a coin wherever this was tried; a sentence that says more is not deserved.
    if kappa["low"] is not None and kappa["low"] <= 0:
        assert entry["level"] == "weak"
        assert entry["sentence"].startswith("not shown to be better than chance: kappa ")
        assert f"] on {n} labels, agreement " in entry["sentence"]
    else:
        assert entry["level"] in ("uncalibrated", "weak")


def _write(folder: Path, items: list[dict[str, Any]]) -> None:
    (folder / "judgekit.yaml").write_text("out: reports\n", encoding="utf-8")
    (folder / "rubrics").mkdir()
    (folder / "rubrics" / "better.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "rubrics" / "better.j2").write_text(TEMPLATE, encoding="utf-8")
    rows = [
        {
            "case_id": one["item_id"],
            "input": one["instruction"],
            "output": f"a: {one['output_1']}\nb: {one['output_2']}",
        }
        for one in items
    ]
    (folder / "o.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")


def _options(url: str) -> list[str]:
    asked = ["--outputs", "o.jsonl", "--rubric", "better", "--judge", "openai/smollm2", "--api-base", url]
    return [*asked, "--run-id", "real", "--concurrency", "2", "--no-gate", "--quiet"]


def _label(folder: Path, items: list[dict[str, Any]]) -> None:
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["case_id", "label", "sampling", "blind"])
        rows.writerows([one["item_id"], "a" if one["label"] == 1 else "b", "random", "true"] for one in items)


def _judgekit(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", *arguments], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
