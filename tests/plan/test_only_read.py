"""Cases that are only to be read, and cases that only a rubric of elsewhere scores."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any


def test_a_case_to_be_read_is_skipped_and_enters_no_rate(folder: Folder) -> None:
    run = folder.score(
        "suite: s\ncases: [{id: a, output: x, expect: {contains: x}}, {id: b, output: y, expect: none}]\n",
        fail_under=1,
    )
    assert list(run.cases["status"]) == ["pass", "skipped"]
    assert run.cases["cause"][1] == "no_expectation"
    assert (run.summary["counts"]["pass"], run.summary["counts"]["skipped"]) == (1, 1)
    assert run.decision.exit_code == 0
    assert "1 of 1" in run.decision.reasons[0]


def test_it_gets_no_rubric_of_settings_or_flag(folder: Folder) -> None:
    folder.write("judgekit.yaml", "rubrics: [{name: source_coverage, pass_at: 1}]\n")
    plan = folder.plan("id: a\noutput: x\nexpect: none\n", rubrics=("filter_accuracy",))
    assert plan.rubrics["a"] == ()


def test_its_output_is_collected_for_the_reader(folder: Folder) -> None:
    run = folder.score("id: a\nfaux: [to be read]\nexpect: none\n")
    assert list(run.cases["output"]) == ["to be read"]


@pytest.mark.parametrize("by", ["flag", "settings"])
def test_a_rubric_of_elsewhere_is_enough_for_a_case(folder: Folder, by: str) -> None:
    folder.write("judgekit.yaml", "rubrics: [source_coverage]\n" if by == "settings" else "")
    run = folder.score(
        "id: a\noutput: '{\"triples\": []}'\n", rubrics=["source_coverage"] if by == "flag" else [], no_gate=True
    )
    assert list(run.results["metric"]) == ["source_coverage"]


def test_without_it_the_case_is_a_mistake(folder: Folder) -> None:
    assert "has no checks" in folder.mistakes("id: a\noutput: x\n")[0]
