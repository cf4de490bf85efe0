"""A real language model as target and as judge, over a real wire: the one test whose replies nobody wrote.

It claims nothing about what the model says, only that everything it says is taken for what it is.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from stub_server import Answer, Asked, Stub, error

NAME = "smollm2"  # as in serve.py
MODEL = f"openai/{NAME}"
UNREADABLE = ("parse", "truncated", "refusal", "empty", "missing_field", "out_of_range", "not_a_number")
UNREADABLE += ("unknown_label", "ambiguous", "inconsistent")

FILES = {
    "suite.yaml": """\
suite: small-talk
params: {max_tokens: 60}
defaults:
  expect: {min_length: 1}
  rubrics: [rude, useful]
cases:
  - {id: barks, input: Which animal barks? Answer in one sentence.}
  - {id: capital, input: What is the capital of France? Answer in one sentence.}
""",
    "rubrics/useful.yaml": """\
name: useful
question: Is the question answered?
scale: {min: 1, max: 5}
needs: [input, output]
""",
    # A template that asks for a word of prose: only the schema sent with it makes the reply JSON.
    "rubrics/rude.yaml": """\
name: rude
question: Is it rude?
labels: {no: 1, yes: 0}
template: rude.j2
""",
    "rubrics/rude.j2": 'Is "{{ output }}" rude? Yes or no?\n',
}


@dataclass(frozen=True)
class Scored:
    """What one run left behind."""

    folder: Path

    @property
    def summary(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "summary.json").read_text(encoding="utf-8")))

    def records(self, name: str) -> list[dict[str, Any]]:
        lines = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        return sorted(map(json.loads, lines), key=lambda one: (one["case_id"], one.get("rubric")))

    def rows(self, name: str) -> list[dict[str, str]]:
        with (self.folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))


@pytest.mark.slow
def test_a_real_model_answers_and_judges(model_url: str, stub: Stub, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    bound = _score(tmp_path, "bound", model_url)
    _assert_complete(bound)
    assert [one["params_applied"].get("response_format") for one in bound.records("verdicts")] == ["json_schema"] * 4

    again = _score(tmp_path, "again", model_url)
    _assert_kept(bound, again)

    stub.rule = lambda asked: _without_schemas(asked, model_url)
    free = _score(tmp_path, "free", stub.url)
    _assert_complete(free)
    assert [one["params_applied"].get("response_format") for one in free.records("verdicts")] == [None] * 4
    # Two judges may be asked at the same time before the first refusal is known.
    assert 1 <= sum("response_format" in asked.body for asked in stub.asked) <= 2


def _score(folder: Path, run_id: str, url: str) -> Scored:
    options = ["--model", MODEL, "--judge", MODEL, "--api-base", url, "--run-id", run_id]
    options += ["--concurrency", "2", "--judge-all", "--no-gate", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "score", "suite.yaml", *options],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "default"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return Scored(folder / "reports" / run_id)


def _without_schemas(asked: Asked, url: str) -> Answer:
    """The answer of the model behind `url`, as a server gives it that knows no reply schemas."""
    if "response_format" in asked.body:
        return error(400, "response_format is not supported by this model.", param="response_format")
    request = urllib.request.Request(
        f"{url}/chat/completions", json.dumps(asked.body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answered:
        return Answer(answered.read())


def _assert_complete(run: Scored) -> None:
    """Every case has an output and two verdicts, each readable or with its cause; use and time of all are known."""
    outputs, verdicts = run.records("outputs"), run.records("verdicts")
    assert [one["case_id"] for one in outputs] == ["barks", "capital"]
    assert [(one["case_id"], one["rubric"]) for one in verdicts] == [
        (case_id, rubric) for case_id in ("barks", "capital") for rubric in ("rude", "useful")
    ]
    for one in outputs:
        assert one["output"].strip()
        assert one["finish_reason"] in ("stop", "length")
    for one in verdicts:
        lowest, highest = (1, 5) if one["rubric"] == "useful" else (0, 1)
        if one["status"] == "scored":
            assert lowest <= one["score"] <= highest
        else:
            assert one["status"] == "unscored"
            assert one["cause"] in UNREADABLE
            assert one["score"] is None
    for one in outputs + verdicts:
        assert one["input_tokens"] > 0
        assert one["output_tokens"] > 0
        assert one["latency_s"] > 0
        assert one.get("model_returned", one.get("model")) == NAME
        assert one["params_applied"]["temperature"] == 0
    # What a local model costs nobody knows, which is not 0.
    cost = run.summary["cost"]
    assert (cost["target_usd"], cost["judge_usd"]) == (None, None)
    assert [name.removeprefix("openai/") for name in cost["unpriced"]] == [NAME]
    assert {row["cost_usd"] for row in run.rows("results")} == {""}
    # A second try for an unreadable reply is a call, too.
    assert run.summary["judge_calls"]["made"] == 4 + sum(one.get("repaired", False) for one in verdicts)
    assert (run.folder / "report.html").is_file()


def _assert_kept(first: Scored, again: Scored) -> None:
    """What was whole and readable at the first try is not asked for again; a hit costs 0."""
    outputs = list(zip(first.records("outputs"), again.records("outputs"), strict=True))
    verdicts = list(zip(first.records("verdicts"), again.records("verdicts"), strict=True))
    whole = [(one, same) for one, same in outputs if one["finish_reason"] == "stop"]
    read = [(one, same) for one, same in verdicts if one["status"] == "scored" and not one.get("repaired")]
    # All of them wherever this was tried; on other processors the model may ramble now and then.
    assert whole
    assert read
    for one, same in whole:
        assert same["flags"] == ["cached"]
        assert (same["output"], same["cost_usd"]) == (one["output"], 0)
    for one, same in read:
        assert same["cached"]
        assert (same["reply"], same["cost_usd"]) == (one["reply"], 0)
    assert (again.summary["judge_calls"]["made"] == 0) == (len(read) == len(verdicts))


@pytest.mark.slow
def test_a_real_model_compares_in_pairs_by_its_log_probabilities(model_url: str, tmp_path: Path) -> None:
    (tmp_path / "rubrics").mkdir()
    rubric = "name: right\nquestion: Which answer is right?\npairwise: true\nweighted: true\n"
    (tmp_path / "rubrics/right.yaml").write_text(rubric, encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(
        "suite: s\noutputs: o.csv\ncases:\n  - {id: barks, input: Which animal barks?}\n", encoding="utf-8"
    )
    (tmp_path / "o.csv").write_text(
        "case_id,variant,output\nbarks,v1,A cat.\nbarks,v2,The dog barks.\n", encoding="utf-8"
    )
    options = ["--pairwise", "right", "--judge", MODEL, "--api-base", model_url, "--run-id", "pairs"]
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "score", "suite.yaml", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr

    run = Scored(tmp_path / "reports/pairs")
    verdicts = run.records("verdicts")
    assert sorted(one["order"] for one in verdicts) == ["first", "second"]
    read = [one for one in verdicts if one["status"] == "scored"]
    # Both wherever this was tried; the grammar of the reply schema leaves three words.
    assert read
    for one in read:
        assert "weighted" in one["flags"]
        assert 0 <= one["score"] <= 1
        assert sum(one["weights"].values()) + one["missing_mass"] == pytest.approx(1, abs=1e-6)
    assert run.summary["weighted"][0]["n_weighted"] == len(read)
