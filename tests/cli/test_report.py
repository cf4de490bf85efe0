"""`judgekit report`: one page for one reader, or a page of several runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from report_page import opened


def doc_of(path: str) -> dict[str, object]:
    return opened(Path(path).read_text(encoding="utf-8"))


def test_one_file_is_written_where_it_is_asked_for_and_nothing_else(cli, passing):
    cli("score", "--run-id", "one")
    before = {path: path.stat().st_mtime_ns for path in Path("reports/one").iterdir()}
    done = cli("report", "one", "--out", "mail/boss.html", "--title", "For the boss")
    assert (done.code, done.lines) == (0, ["mail/boss.html"])
    assert [path.name for path in Path("mail").iterdir()] == ["boss.html"]
    assert {path: path.stat().st_mtime_ns for path in Path("reports/one").iterdir()} == before
    assert doc_of("mail/boss.html")["title"] == "For the boss"


def test_a_page_without_outputs_holds_none(cli, passing):
    cli("score", "--run-id", "one")
    cli("report", "one", "--out", "bare.html", "--no-outputs")
    doc = doc_of("bare.html")
    assert doc["omitted"] is True
    assert "Revenue rose." not in doc["texts"]


def test_a_single_file_is_shortened_and_never_comes_with_another(cli, write):
    write("scenarios/a.yaml", f"name: a\ninput: Q\nexpect: {{min_length: 3}}\noutput: {'x' * 300_000}\n")
    cli("score", "--run-id", "one")
    assert Path("reports/one/report.texts.html").is_file()
    cli("report", "one", "--out", "mail/one.html")
    assert [path.name for path in Path("mail").iterdir()] == ["one.html"]
    doc = doc_of("mail/one.html")
    assert doc["side"] == ""
    assert list(doc["cut"].values()) == [300_000]


def label(**cells: str) -> str:
    row = {"run_id": "one", "case_id": "a", "variant": "default", "rubric": "helpfulness", "label": "pass"} | cells
    return ",".join(row) + "\n" + ",".join(row.values()) + "\n"


def hash_of_the_output() -> str:
    import csv

    with Path("reports/one/cases.csv").open(encoding="utf-8", newline="") as file:
        return next(csv.DictReader(file))["output_hash"]


def test_ratings_of_people_are_shown_in_the_page(cli, passing, write):
    cli("score", "--run-id", "one")
    write("labels.csv", label(output_hash=hash_of_the_output(), comment="'=fine"))
    done = cli("report", "one", "--labels", "labels.csv")
    assert (done.code, done.err) == (0, "")
    (row,) = doc_of("reports/one/report.html")["labels"]
    assert (row["label"], row["comment"], row["trial"]) == ("pass", "=fine", "0")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"run_id": "two", "output_hash": "x"}, "line 2 (a): is of run two"),
        ({"output_hash": "x"}, "line 2 (a): the output is another than the one rated"),
        ({"case_id": "gone", "output_hash": "x"}, "line 2 (gone): this run has no such output"),
        ({"trial": "first", "output_hash": "x"}, 'line 2 (a): "first" is no trial'),
    ],
)
def test_a_rating_that_does_not_fit_is_named_and_left_out(cli, passing, write, cells, said):
    cli("score", "--run-id", "one")
    write("labels.csv", label(**cells))
    done = cli("report", "one", "--labels", "labels.csv")
    assert (done.code, done.err.strip()) == (0, f"warning: labels.csv: 1 ratings are not used: {said}.")
    assert doc_of("reports/one/report.html")["labels"] == []


def test_a_file_of_something_else_is_no_labels_file(cli, passing, write):
    cli("score", "--run-id", "one")
    write("labels.csv", "name,age\nx,1\n")
    done = cli("report", "one", "--labels", "labels.csv")
    assert done.code == 2
    assert "labels.csv: is no labels file: column case_id, rubric, output_hash, label or score is missing." in done.err


def test_an_index_shows_every_finished_run_oldest_first_with_links(cli, passing):
    for run_id in ("zebra", "apple"):
        cli("score", "--run-id", run_id)
    done = cli("report", "--index", "--title", "Ours")
    assert (done.code, done.lines) == (0, ["reports/index.html"])
    doc = doc_of("reports/index.html")
    assert doc["title"] == "Ours"
    assert [(run["run_id"], run["href"]) for run in doc["runs"]] == [
        ("zebra", "zebra/report.html"),
        ("apple", "apple/report.html"),
    ]
    assert {one["metric"] for one in doc["runs"][0]["estimates"]} == {"pass_rate", "contains"}


def test_an_index_elsewhere_links_back(cli, passing):
    cli("score", "--run-id", "one")
    cli("report", "one", "--index", "--out", "pages/all.html")
    (run,) = doc_of("pages/all.html")["runs"]
    assert run["href"] == "../reports/one/report.html"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--index", "--no-outputs"), "--index shows figures only"),
        (("one", "one"), "one RUN is rendered at a time; --index makes a page of several."),
        (("one", "--labels", "none.csv"), "none.csv: no such labels file."),
        (("gone",), 'no run "gone"'),
        (("gone", "--index"), 'no run "gone"'),
    ],
)
def test_what_can_not_be_had_is_said(cli, passing, arguments, said):
    cli("score", "--run-id", "one")
    done = cli("report", *arguments)
    assert done.code == 2
    assert said in done.err


def test_an_index_of_nothing_says_how_to_begin(cli, folder):
    done = cli("report", "--index")
    assert done.code == 2
    assert "holds no run yet: `judgekit score` makes one." in done.err
