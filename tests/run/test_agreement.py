"""Printed verdict, summary.json, junit.xml and exit code of one run say the same, whatever the suite and the gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import judgekit
from judgekit.cli.show import decision_lines
from judgekit.pipeline.result import Run
from judgekit.pipeline.stored import decide_again

KINDS = {
    "pass": {"output": "yes"},
    "fail": {"output": "no"},
    "error": {"faux": [{"error": "timeout"}]},
    "negative_ok": {"output": "no", "should_pass": False},
    "negative_fail": {"output": "yes", "should_pass": False},
    "negative_error": {"faux": [{"error": "timeout"}], "should_pass": False},
    "skipped": {"output": "no", "expect": "none"},
    "not_required": {"output": "no", "expect": {"equals": {"value": "yes", "required": False}}},
    "trials": {"input": "Q?", "trials": {"n": 3, "require": 2}, "faux": ["yes", "no", {"error": "timeout"}]},
}
RATES = st.sampled_from([">= 0.5", ">= 0.75", ">= 1", "> 0", "<= 0.5"])
GATES = st.fixed_dictionaries(
    {},
    optional={
        "pass_rate": RATES,
        "case_pass_rate": RATES,
        "max_errors": st.sampled_from([0, 1, "50%", "100%"]),
        "metrics": st.fixed_dictionaries({}, optional={"equals": st.fixed_dictionaries({"mean": RATES})}),
    },
)
SUITES = st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=6)


def _write(folder: Path, kinds: list[str], gate: dict[str, Any]) -> None:
    cases = [{"id": f"c{n}", "expect": {"equals": "yes"}, **KINDS[kind]} for n, kind in enumerate(kinds)]
    (folder / "judgekit.yaml").write_text(json.dumps({"gate": gate}), encoding="utf-8")
    (folder / "s.yaml").write_text(json.dumps({"suite": "s", "cases": cases}), encoding="utf-8")


def _said_by_junit(path: Path) -> bool:
    """What a CI server makes of the file: passed if no test case failed or broke."""
    root = ElementTree.parse(path).getroot()
    return not list(root.iter("failure")) and not list(root.iter("error"))


def _agree(run: Run) -> None:
    decision, summary = run.decision, json.loads((run.path / "summary.json").read_text(encoding="utf-8"))
    stored, first = summary["decision"], decision_lines(summary)[0]
    outcomes = {rule["outcome"] for rule in decision.rules}
    word = "passed" if decision.passed else "failed" if "fails" in outcomes else "undecided"

    assert (stored["passed"], stored["exit_code"]) == (decision.passed, decision.exit_code)
    assert first.startswith(f"gate {word}")
    assert _said_by_junit(run.path / "junit.xml") is decision.passed
    assert decision.exit_code == {"passed": 0, "failed": 1, "undecided": 3}[word]
    markdown = (run.path / "summary.md").read_text(encoding="utf-8")
    assert ("**Passed.**" in markdown) is decision.passed
    # Every reason that is printed is one that the files hold.
    assert list(decision.reasons) == stored["reasons"]


@given(kinds=SUITES, gate=GATES)
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_all_four_say_the_same(project, kinds, gate):
    # A gate on a metric that no case has is a mistake of the settings, and no run.
    if gate.get("metrics") and set(kinds) == {"skipped"}:
        gate = {key: value for key, value in gate.items() if key != "metrics"}
    _write(project.folder, kinds, gate)

    run = judgekit.score("s.yaml")

    _agree(run)


@given(kinds=SUITES, gate=GATES)
@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_deciding_again_by_the_same_rules_says_the_same(project, kinds, gate):
    gate = {key: value for key, value in gate.items() if key != "metrics"}
    _write(project.folder, kinds, gate)
    run = judgekit.score("s.yaml")
    loaded = judgekit.load_run(run.path)

    decide_again(loaded.data)

    assert loaded.decision == run.decision


def test_thirty_one_scores_of_which_three_fail(project):
    # The mean of 28 ones and three quarters is 28.75/31 = 0.927, above its bound, and three cases fail theirs.
    project.write("judgekit.yaml", "gate: {case_pass_rate: 1, metrics: {source_coverage: {mean: '>= 0.8'}}}")
    quarter = json.dumps({"triples": [{"source": "x"}, {}, {}, {}]})
    whole = json.dumps({"triples": [{"source": "x"}]})
    project.write(
        "o.jsonl",
        [{"case_id": f"c{n}", "input": "Q", "output": quarter if n > 27 else whole} for n in range(31)],
    )
    project.scenario(
        json.dumps(
            {
                "suite": "s",
                "cases": [{"id": f"c{n}", "rubrics": [{"name": "source_coverage", "pass_at": 0.8}]} for n in range(31)],
            }
        )
    )

    run = project.score("scenarios", outputs="o.jsonl")

    assert {rule["rule"]: rule["outcome"] for rule in run.decision.rules} == {
        "case_pass_rate >= 1": "fails",
        "source_coverage mean >= 0.8": "holds",
    }
    _agree(run)


@pytest.mark.parametrize("kind", ["fail", "error"])
def test_without_the_gate_the_verdict_stays_and_only_the_code_changes(project, kind):
    _write(project.folder, ["pass", kind], {})

    run = judgekit.score("s.yaml", no_gate=True)

    assert (run.decision.passed, run.decision.exit_code) == (False, 0)
    assert " (--no-gate: exit 0)" in decision_lines(run.summary)[0]
    assert not _said_by_junit(run.path / "junit.xml")
