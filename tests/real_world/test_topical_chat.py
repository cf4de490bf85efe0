"""Real judgments, replayed: the mean of twenty recorded replies per response correlates with people as published."""

from __future__ import annotations

import csv
import importlib.util
import json
import statistics
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("build_topical_chat.py")

# Table of arXiv:2310.05657, variant analyze_rate: Pearson r of naturalness with people over all responses. From the raw
# replies (decimals kept, numbers off the scale unread) every published cell stays within .010.
PUBLISHED_R, TOLERANCE = 0.524, 0.010

RUBRIC = """
name: naturalness
question: Is the response natural, as something that a person would say in this conversation?
scale: {min: 1, max: 3, anchors: {1: unnatural, 2: somewhat natural, 3: natural}}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The files of one run of the command line on the published replies, read as anyone would."""
    specification = importlib.util.spec_from_file_location("build_topical_chat", SCRIPT)
    assert specification is not None
    assert specification.loader is not None
    script = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(script)
    data = script.find_data()
    if data is None:
        pytest.skip("no shared/data/topical_chat beside the project: its rows may not be copied into it")
    folder = tmp_path_factory.mktemp("topical_chat")
    outputs, replies = script.build(data, folder)
    (folder / "naturalness.yaml").write_text(RUBRIC, encoding="utf-8")
    (folder / "judgekit.yaml").write_text("", encoding="utf-8")
    command = ["score", "--outputs", outputs.name, "--rubric", "naturalness.yaml", "--judge", f"replay:{replies.name}"]
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", *command, "--judge-samples", "20", "--run-id", "t", "--out", "runs"],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    with (folder / "runs" / "t" / "results.csv").open(encoding="utf-8", newline="") as file:
        results = list(csv.DictReader(file))
    verdicts = _lines(folder / "runs" / "t" / "verdicts.jsonl")
    human = {row["case_id"]: row["human"] for row in _lines(outputs)}
    return {"results": results, "verdicts": verdicts, "human": human}


def _lines(path: Path) -> list[dict[str, Any]]:
    # Not splitlines: the texts hold separators that are no line ends.
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def test_mean_of_samples_correlates_with_people_as_published(run: dict[str, Any]) -> None:
    scored = [row for row in run["results"] if row["score"]]
    assert len(scored) == len(run["human"]) == 360
    means = [float(row["score"]) for row in scored]
    people = [run["human"][row["case_id"]] for row in scored]
    assert statistics.correlation(means, people) == pytest.approx(PUBLISHED_R, abs=TOLERANCE)


def test_unreadable_samples_are_unscored_and_never_zero(run: dict[str, Any]) -> None:
    samples = run["verdicts"]
    assert len(samples) == 360 * 20
    unread = [row for row in samples if row["status"] == "unscored"]
    # The publication has no score for 51 samples: 49 of these are words only, two rate in a way that its reader missed.
    # For one more it took 2 out of the year 2002 of a quoted response.
    assert len(unread) == 49 + 1
    assert [row["case_id"] for row in unread if "2002" in row["reply"]] == ["c17-new-human-generated"]
    assert {row["score"] for row in unread} == {None}
    assert all(1 <= row["score"] <= 3 for row in samples if row["status"] == "scored")
    assert {row["status"] for row in samples} == {"scored", "unscored"}


def test_rows_count_their_readable_samples(run: dict[str, Any]) -> None:
    readable: Counter[str] = Counter(row["case_id"] for row in run["verdicts"] if row["status"] == "scored")
    assert {row["case_id"]: int(row["n_samples"]) for row in run["results"]} == readable
