"""results.csv and cases.csv: exact columns, recoverable text, no invented numbers."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from judgekit.frame import CaseRow, ResultRow, RunData
from judgekit.reports.csv_tables import case_header, neutral, recover, write_cases, write_results

FORMULAS = ['=HYPERLINK("http://example.test","open")', "+1 for this", "@team", "-cmd", "\t=1+1", "\r=1", "＝1"]


def results_of(run: RunData) -> list[dict[str, str]]:
    write_results(run, run.path / "results.csv")
    return list(csv.DictReader(io.StringIO((run.path / "results.csv").read_bytes().decode(), newline="")))


def cases_of(run: RunData) -> list[dict[str, str]]:
    write_cases(run, run.path / "cases.csv")
    return list(csv.DictReader(io.StringIO((run.path / "cases.csv").read_bytes().decode(), newline="")))


def changed(run: RunData, **fields: object) -> RunData:
    return dataclasses.replace(run, results=[run.results[0]._replace(**fields)])


def test_columns_of_results_are_the_fields_in_order(run: RunData) -> None:
    assert list(results_of(run)[0]) == list(ResultRow._fields)


def test_metrics_stand_after_output_in_cases(run: RunData) -> None:
    after = CaseRow._fields.index("output") + 1
    metrics = ["contains", "helpfulness", "golden", "source_coverage"]
    assert case_header(run) == [*CaseRow._fields[:after], *metrics, *CaseRow._fields[after:]]


def test_a_metric_cell_holds_the_score_or_the_status_word(run: RunData) -> None:
    rows = {(row["case_id"], row["variant"]): row for row in cases_of(run)}
    assert rows["late-parcel", "v2"]["contains"] == "0.6666666666666666"
    assert rows["late-parcel", "v2"]["helpfulness"] == "skipped"
    assert rows["late-parcel", "v1"]["helpfulness"] == "unscored"
    assert rows["outage", "v1"]["contains"] == "error"
    assert rows["only-read", "v1"]["contains"] == ""


def test_two_judges_of_one_metric_get_two_columns(run: RunData) -> None:
    other = next(row for row in run.results if row.kind == "judge")._replace(judge="gpt-4o", score=1.0)
    header = case_header(dataclasses.replace(run, results=[*run.results, other]))
    assert [name for name in header if name.startswith("helpfulness")] == [
        "helpfulness [replay:judge.jsonl]",
        "helpfulness [gpt-4o]",
    ]


def test_a_metric_named_like_a_column_is_told_apart(run: RunData) -> None:
    assert "metric:status" in case_header(changed(run, metric="status"))


@pytest.mark.parametrize("text", FORMULAS)
def test_cells_that_start_like_a_formula_get_one_apostrophe(run: RunData, text: str) -> None:
    assert results_of(changed(run, reason=text))[0]["reason"] == "'" + text


@pytest.mark.parametrize("text", [*FORMULAS, "'=1", "''=1", "'tis", "'", "", "a=b", " =1", "−5"])
def test_neutralised_text_is_recovered(text: str) -> None:
    assert recover(neutral(text)) == text


def test_numbers_are_left_alone(run: RunData) -> None:
    assert results_of(changed(run, score=-0.5))[0]["score"] == "-0.5"


@pytest.mark.parametrize("score", [float("nan"), float("inf"), None])
def test_a_score_that_is_no_number_is_an_empty_cell(run: RunData, score: float | None) -> None:
    assert results_of(changed(run, score=score))[0]["score"] == ""


def test_booleans_are_words_and_nothing_is_empty(run: RunData) -> None:
    row = results_of(changed(run, required=True, passed=False, cached=None))[0]
    assert (row["required"], row["passed"], row["cached"]) == ("true", "false", "")


def test_lines_end_with_a_newline_alone_and_cells_keep_theirs(run: RunData) -> None:
    text = 'one\r\ntwo\rthree, "four"'
    assert results_of(changed(run, reason=text))[0]["reason"] == text
    first_line = (run.path / "results.csv").read_bytes().split(b"\n")[0]
    assert first_line.endswith(b"tags")


def test_nul_and_lone_surrogates_are_replaced(run: RunData) -> None:
    assert results_of(changed(run, reason="a\0b\ud800c 🎉"))[0]["reason"] == "a\ufffdb\ufffdc 🎉"


def test_pandas_reads_as_many_rows_as_the_run_has(with_output: Callable[[str], RunData]) -> None:
    run = with_output('\r "quoted", \n\n\0 =1')
    write_cases(run, run.path / "cases.csv")
    assert len(pd.read_csv(run.path / "cases.csv")) == len(run.cases)


def test_a_run_without_rows_still_has_a_header(run: RunData, tmp_path: Path) -> None:
    write_results(dataclasses.replace(run, results=[]), tmp_path / "results.csv")
    assert (tmp_path / "results.csv").read_text() == ",".join(ResultRow._fields) + "\n"
