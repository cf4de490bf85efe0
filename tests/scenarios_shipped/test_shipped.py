"""What the first command of README shows: the shipped scenarios pass, and two prompts are compared on forty emails."""

from __future__ import annotations

import csv
import json
import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import judgekit
from judgekit.reading.tables import read_table
from judgekit.reading.yaml_text import read_yaml

SEED = """\
name: executive-summary
description: Agent should produce a structured summary from a report
config-dir: testdata/executive-assistant
input: |
  Summarize this Q1 report: Revenue $4.2M, up 12%.
  Key driver: Enterprise segment grew 25%.
  Risk: Two large renewals pending in Q2.
expect:
  contains:
    - "revenue"
    - "enterprise"
    - "risk"
  max_length: 500
  has_sections:
    - "Summary"
    - "Key decisions"
"""


@dataclass(frozen=True)
class Shipped:
    done: subprocess.CompletedProcess[str]
    folder: Path
    summary: dict[str, Any]
    results: list[dict[str, str]]
    cases: list[dict[str, str]]

    def replies(self, variant: str) -> list[dict[str, str]]:
        return [row for row in self.cases if row["suite"] == "support-replies" and row["variant"] == variant]

    def helpfulness(self, variant: str) -> list[dict[str, str]]:
        return [row for row in self.results if row["metric"] == "helpfulness" and row["variant"] == variant]


@pytest.fixture(scope="module")
def shipped(score, tmp_path_factory) -> Shipped:
    out = tmp_path_factory.mktemp("runs")
    done = score("--out", out)
    folder = next(out.glob("*/summary.json")).parent
    return Shipped(
        done, folder, json.loads((folder / "summary.json").read_text(encoding="utf-8")), *map(_rows, _tables(folder))
    )


def test_the_shipped_scenarios_pass(shipped):
    assert shipped.done.returncode == 0, shipped.done.stdout + shipped.done.stderr


def test_each_single_scenario_passes_with_its_scripted_reply(shipped):
    names = {"cloud-spend-briefing", "executive-summary", "remote-work-policy", "resume-screening"}

    assert {row["case_id"]: row["status"] for row in shipped.cases if row["suite"] in names} == dict.fromkeys(
        names, "pass"
    )


def test_the_last_line_is_the_path_of_the_report(shipped):
    last = shipped.done.stdout.splitlines()[-1]

    assert Path(last).name == "report.html"
    assert Path(last).is_file()


def test_forty_emails_are_answered_by_both_prompts(shipped):
    assert len(shipped.replies("v1")) == len(shipped.replies("v2")) == 40
    assert len({row["input"] for row in shipped.replies("v1")}) == 40


def test_the_new_prompt_passes_where_the_old_one_fails(shipped):
    assert Counter(row["status"] for row in shipped.replies("v1")) == {"pass": 27, "fail": 13}
    assert Counter(row["status"] for row in shipped.replies("v2")) == {"pass": 40}


def test_failed_replies_are_not_judged(shipped):
    skipped = [row for row in shipped.helpfulness("v1") if row["status"] == "skipped"]

    assert len(skipped) == 13
    assert all(row["cause"].startswith("check:") for row in skipped)


def test_two_recorded_verdicts_cannot_be_read_and_are_no_zeros(shipped):
    unread = [row for variant in ("v1", "v2") for row in shipped.helpfulness(variant) if row["status"] == "unscored"]

    assert [(row["case_id"], row["variant"], row["score"]) for row in unread] == [
        ("two-questions", "v1", ""),
        ("customs-charge", "v2", ""),
    ]


def test_the_new_prompt_is_mostly_more_helpful_and_sometimes_less(shipped):
    old, new = (
        {row["case_id"]: float(row["score"]) for row in shipped.helpfulness(variant) if row["score"]}
        for variant in ("v1", "v2")
    )

    # 27 replies of v1 are judged; one verdict of each prompt is unreadable, on different emails: 25 pairs.
    signs = Counter((new[case] > old[case]) - (new[case] < old[case]) for case in old if case in new)
    assert signs == {1: 15, 0: 5, -1: 5}


def test_both_comparisons_of_the_two_prompts_find_the_new_one_better(shipped):
    found = {
        one["metric"]: (one["variant"], one["against"], one["verdict"], one["wins"], one["losses"])
        for one in shipped.summary["comparisons"]
        if one["suite"] == "support-replies"
    }

    assert found == {
        "pass_rate": ("v2", "v1", "better", 13, 0),
        "helpfulness": ("v2", "v1", "better", 15, 5),
    }
    assert "v2 against v1: better" in shipped.done.stdout


def test_a_reply_can_get_worse_without_failing_the_run(shipped):
    worse = {
        (row["case_id"], row["metric"])
        for row in shipped.results
        if row["variant"] == "v2" and row["kind"] == "check" and row["status"] == "fail"
    }

    assert {
        ("exchange-before-trip", "contains"),
        ("membership-renewal", "contains_any"),
        ("price-drop", "not_contains"),
        ("price-drop", "numbers_from_input"),
        ("lost-gift-card", "numbers_from_input"),
    } <= worse


def test_the_example_of_the_contract_is_unchanged_but_for_a_scripted_reply(root):
    text = (root / "scenarios/executive-summary.yaml").read_text(encoding="utf-8")

    assert text.startswith(SEED)
    assert re.findall(r"^\S.*", text.removeprefix(SEED), flags=re.MULTILINE) == ["faux:"]


@pytest.mark.parametrize("name", ["cloud-spend-briefing", "remote-work-policy", "resume-screening"])
def test_the_golden_file_holds_the_scripted_reply(name, root):
    (document,) = read_yaml(root / f"scenarios/{name}.yaml")

    assert (root / f"scenarios/{name}.golden.md").read_text(encoding="utf-8") == document["faux"][0]


def test_every_reply_of_both_prompts_has_a_recorded_verdict(root):
    outputs = read_table(root / "scenarios/support-replies.outputs.jsonl")
    verdicts = read_table(root / "scenarios/support-replies.judge.jsonl")

    assert sorted((row["case_id"], row["variant"]) for _, row in outputs) == sorted(
        (row["case_id"], row["variant"]) for _, row in verdicts if "order" not in row
    )


def test_every_pair_of_replies_has_a_recorded_verdict_in_both_orders(root):
    outputs = read_table(root / "scenarios/support-replies.outputs.jsonl")
    verdicts = read_table(root / "scenarios/support-replies.judge.jsonl")

    pairs = [(row["case_id"], row["variant"], row["against"], row["order"]) for _, row in verdicts if "order" in row]
    assert sorted(pairs) == sorted(
        (case_id, "v2", "v1", order)
        for case_id in {row["case_id"] for _, row in outputs}
        for order in ("first", "second")
    )


def test_the_shipped_variants_are_compared_in_pairs(root, tmp_path):
    run = judgekit.score(root / "scenarios/support-replies.yaml", pairwise="helpfulness", out=tmp_path)

    (found,) = [one for one in run.summary["comparisons"] if one["kind"] == "pairwise"]
    # 13 pairs are skipped after a failed check of either reply, and one reply has no verdict; the rest adds up.
    assert (found["n"], found["n_left_out"], found["unread"]["parse"]) == (26, 14, 1)
    assert found["wins"] + found["ties"] + found["losses"] == 26
    assert f"both orders agree on {found['orders']['consistent']} of 26" in found["sentence"]


def _tables(folder: Path) -> tuple[Path, Path]:
    return folder / "results.csv", folder / "cases.csv"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
