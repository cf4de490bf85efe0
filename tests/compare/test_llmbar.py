"""Prompt variants of a published evaluation, compared as its authors' data have it.

`llmbar_gpt4.csv` holds, for the 419 items of LLMBar and three prompts of the GPT-4 evaluator, which output won in
either order (`12`: the first output when shown first, the second when shown last) and which is the better one. From
Z. Zeng, J. Yu, T. Gao, Y. Meng, T. Goyal, D. Chen (2023), Evaluating large language models at evaluating instruction
following, arXiv:2310.07641; github.com/princeton-nlp/LLMBar, MIT License, Copyright (c) 2023 Princeton Natural Language
Processing. An item counts as right if both orders name the better output. The expected figures were computed from the
published files with scipy and statsmodels.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import judgekit as jk

VARIANTS = ("Vanilla_NoRules", "Vanilla", "Metrics_Reference")


@pytest.fixture(scope="module")
def items() -> list[dict[str, str]]:
    with (Path(__file__).parent / "llmbar_gpt4.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(params=["checks", "labels"])
def run(request, project, items) -> jk.Run:
    """The verdicts as outputs with the expected one as a check, or with labels of a recorded judge."""
    outputs = [
        {"case_id": one["id"], "variant": name, "input": one["id"], "output": one[name]}
        for one in items
        for name in VARIANTS
    ]
    project.write("outputs.jsonl", outputs)
    if request.param == "checks":
        project.write("cases.jsonl", [{"id": one["id"], "expect": {"equals": 2 * one["gold"]}} for one in items])
        project.write("suite.yaml", "suite: llmbar\ncases: cases.jsonl\n")
        return jk.score("suite.yaml", outputs="outputs.jsonl", no_gate=True)
    project.write("rubrics/right.yaml", "name: right\nquestion: Right in both orders?\nlabels: {C: 1, I: 0}\n")
    labels = [
        {
            "case_id": one["id"],
            "variant": name,
            "rubric": "right",
            "reply": json.dumps({"label": "C" if one[name] == 2 * one["gold"] else "I"}),
        }
        for one in items
        for name in VARIANTS
    ]
    project.write("labels.jsonl", labels)
    return jk.score(outputs="outputs.jsonl", rubrics=["right"], judge="replay:labels.jsonl")


def test_rules_make_the_evaluator_better(run):
    (row,) = [one for one in jk.compare(run, against="Vanilla_NoRules").rows if one["variant"] == "Vanilla"]

    assert (row["n"], row["wins"], row["losses"], row["verdict"]) == (419, 41, 4, "better")
    assert f"{row['p_value']:.1e}" == "9.3e-09"
    # 339 and 302 of 419 are right in both orders.
    assert (row["value"], row["value_against"]) == (339 / 419, 302 / 419)


def test_a_reference_and_metrics_are_no_evidence_of_a_difference(run):
    (row,) = [one for one in jk.compare(run, against="Vanilla").rows if one["variant"] == "Metrics_Reference"]

    assert (row["wins"], row["losses"], round(row["p_value"], 2)) == (18, 9, 0.12)
    assert row["verdict"] == "no evidence of a difference"
    # 27 of 419 differ; from 3.6 points on the exact McNemar test finds a difference four times in five (by 2.8 standard
    # errors it would be 3.5, with a power of 76 %).
    assert row["minimum_detectable_difference"] == pytest.approx(0.0360, abs=1e-4)
    assert "show a true difference of" in row["sentence"]


def test_the_command_says_it_in_one_sentence(run, cli):
    code, out, _ = cli("compare", "latest", "--against", "Vanilla")

    # Without rules it is significantly worse.
    assert code == 1
    (line,) = [line for line in out.splitlines() if ": Metrics_Reference against Vanilla: " in line]
    assert "no evidence of a difference" in line
    assert "on 419 cases" in line
