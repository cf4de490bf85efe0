"""The report files of a run folder."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest
from report_page import opened

from judgekit.frame import RunData
from judgekit.reports.write import write_reports

NAMES = ["cases.csv", "junit.xml", "manifest.json", "report.html", "results.csv", "summary.json", "summary.md"]


def test_every_report_stands_in_the_run_folder_and_nothing_else(run: RunData) -> None:
    paths = write_reports(run)
    assert sorted(paths) == NAMES
    assert sorted(file.name for file in run.path.iterdir()) == NAMES


def test_writing_twice_gives_the_same_bytes(run: RunData) -> None:
    first = {name: path.read_bytes() for name, path in write_reports(run).items()}
    assert {name: path.read_bytes() for name, path in write_reports(run).items()} == first


def test_a_report_that_cannot_be_made_leaves_the_old_one(run: RunData) -> None:
    before = write_reports(run)["junit.xml"].read_bytes()
    summary = copy.deepcopy(run.summary)
    del summary["decision"]["rules"]
    with pytest.raises(KeyError):
        write_reports(dataclasses.replace(run, summary=summary))
    assert sorted(file.name for file in run.path.iterdir()) == NAMES
    assert (run.path / "junit.xml").read_bytes() == before


def test_every_failing_reason_is_in_every_report(run: RunData) -> None:
    for name, path in write_reports(run).items():
        if name != "manifest.json":
            text = path.read_text(encoding="utf-8")
            assert "missing: deadline" in (text if name != "report.html" else json.dumps(opened(text))), name
