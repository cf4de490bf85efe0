"""Each shipped scenario catches outputs that were spoilt on purpose, and says what is wrong with them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

MUTANTS = [
    json.loads(line)
    for file in sorted((Path(__file__).parent / "mutants").glob("*.jsonl"))
    for line in file.read_text(encoding="utf-8").splitlines()
]
NAMES = [f"{one['case_id']}: {one['mutation']}" for one in MUTANTS]
SCENARIOS = ("cloud-spend-briefing", "executive-summary", "remote-work-policy", "resume-screening")


@pytest.mark.parametrize("mutant", MUTANTS, ids=NAMES)
def test_a_spoilt_output_fails_for_the_named_reason(mutant, score, tmp_path):
    outputs = tmp_path / "outputs.jsonl"
    # Only these two: any other column of an outputs file would become a variable of the case.
    outputs.write_text(json.dumps({key: mutant[key] for key in ("case_id", "output")}), encoding="utf-8")

    done = score(f"scenarios/{mutant['case_id']}.yaml", "--outputs", outputs, "--out", tmp_path / "runs")

    assert done.returncode == 1, done.stderr
    folder = next((tmp_path / "runs").glob("*/results.csv")).parent
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        failed = {row["metric"]: row["reason"] for row in csv.DictReader(file) if row["status"] == "fail"}
    # The golden file differs from every spoilt output; besides it only what was spoilt may fail.
    assert set(failed) - {"golden"} == {mutant["metric"], *mutant.get("also", ())}
    assert mutant["reason_mentions"] in failed[mutant["metric"]]
    assert failed[mutant["metric"]] in _junit_text(folder)
    assert mutant["reason_mentions"] in done.stdout


@pytest.mark.parametrize("name", SCENARIOS)
def test_each_scenario_has_at_least_three_spoilt_outputs(name):
    assert len({one["mutation"] for one in MUTANTS if one["case_id"] == name}) >= 3


def test_the_overlong_summary_is_one_character_over():
    overlong = next(one for one in MUTANTS if one["mutation"] == "501 characters")

    assert len(overlong["output"]) == 501


def _junit_text(folder: Path) -> str:
    tree = ElementTree.parse(folder / "junit.xml")
    return "\n".join(
        part for element in tree.iter() for part in (element.text, *element.attrib.values()) if part is not None
    )
