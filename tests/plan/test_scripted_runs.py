"""Runs with the faux model: the order of its queue, and the same files at any concurrency."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

Folder = Any


def test_one_queue_serves_variants_and_their_trials_in_order(folder: Folder) -> None:
    run = folder.score(
        """
        suite: s
        variants: {v1: {model: faux}, v2: {model: faux}}
        cases:
          - id: a
            trials: 2
            faux: ["v1 one", "v1 two", "v2 one", "v2 two"]
            expect: {contains: one}
        """
    )
    rows = list(zip(run.cases["variant"], run.cases["trial"], run.cases["output"], strict=True))
    assert rows == [("v1", 0, "v1 one"), ("v1", 1, "v1 two"), ("v2", 0, "v2 one"), ("v2", 1, "v2 two")]


def test_each_case_has_a_queue_of_its_own(folder: Folder) -> None:
    run = folder.score(
        "suite: s\ndefaults: {expect: {contains: x}, trials: 2, faux: [x1, x2]}\ncases: [{id: a}, {id: b}]\n"
    )
    assert list(run.cases["output"]) == ["x1", "x2", "x1", "x2"]


def test_an_exhausted_script_is_an_error_and_unused_steps_a_warning(folder: Folder) -> None:
    run = folder.score(
        "suite: s\ndefaults: {expect: {contains: x}}\n"
        "cases: [{id: a, trials: 2, faux: [x]}, {id: b, faux: [x, y, z]}]\n"
    )
    assert list(run.cases["status"]) == ["pass", "error", "pass"]
    assert "No more faux responses queued" in run.cases["reason"][1]
    assert 'case "b": 2 unused faux steps' in run.summary["warnings"]


def test_an_outage_is_undecided_and_not_a_failure(folder: Folder) -> None:
    run = folder.score("id: a\nfaux: [{error: timeout}]\nexpect: {contains: x}\n")
    assert (list(run.cases["cause"]), run.decision.exit_code) == (["timeout"], 3)


def test_a_fault_is_retried_with_the_next_step(folder: Folder) -> None:
    run = folder.score("id: a\nfaux: [{error: rate_limit}, {error: timeout}, x]\nexpect: {contains: x}\n")
    assert list(run.cases["output"]) == ["x"]


STABLE = {"run_id", "latency_s", "target_latency_s", "since"}


def files(run: Any) -> dict[str, Any]:
    """What a run wrote, without names and times of its own."""
    path: Path = run.path
    found: dict[str, Any] = {}
    for name in ("results.csv", "cases.csv"):
        with (path / name).open(encoding="utf-8", newline="") as file:
            found[name] = [{k: v for k, v in row.items() if k not in STABLE} for row in csv.DictReader(file)]
    for name in ("outputs.jsonl", "checks.jsonl", "verdicts.jsonl"):
        rows = [json.loads(line) for line in (path / name).read_text(encoding="utf-8").splitlines()]
        # Records stand in the order in which they arrived; the prompt is written with the first that has its hash.
        rows = [{k: v for k, v in row.items() if k not in (*STABLE, "prompt")} for row in rows]
        found[name] = sorted(json.dumps(row, sort_keys=True) for row in rows)
    summary = json.loads((path / "summary.json").read_text(encoding="utf-8"))
    found["summary"] = {k: v for k, v in summary.items() if k not in STABLE}
    return found


def test_concurrency_changes_nothing_that_is_written(folder: Folder) -> None:
    cases = [
        {
            "id": f"c{n}",
            "input": f"q{n}",
            "trials": 3,
            "expect": {"contains": "x"},
            "rubrics": ["tone"],
            "faux": {
                "target": [{"error": "rate_limit"}, "x1", "no", {"error": "refusal"}, "x2", "x3", "x4"],
                "judge": {"tone": [json.dumps({"reason": f"{k}", "score": 1 + (n + k) % 5}) for k in range(9)]},
            },
        }
        for n in range(12)
    ]
    folder.rows("scenarios/cases.jsonl", cases)
    text = "suite: s\nvariants: {v1: {model: faux}, v2: {model: faux}}\ncases: cases.jsonl\n"
    runs = [folder.score(text, judge="faux", concurrency=n, judge_samples=2, run_id=f"r{n}") for n in (1, 16)]
    alone, together = map(files, runs)
    assert len(alone["cases.csv"]) == 12 * 2 * 3
    assert {row["status"] for row in alone["cases.csv"]} == {"pass", "fail", "error"}
    for name in alone:
        assert alone[name] == together[name], name


@pytest.mark.parametrize("require", ["all", "any", "2"])
def test_how_many_trials_must_pass(folder: Folder, require: str) -> None:
    run = folder.score(f"id: a\nfaux: [x, y, x]\ntrials: {{n: 3, require: {require}}}\nexpect: {{contains: x}}\n")
    assert run.summary["counts"]["pass"] == (0 if require == "all" else 1)
    assert run.decision.exit_code == (1 if require == "all" else 0)
