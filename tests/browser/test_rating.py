"""Rating by people: blind, by keyboard, kept, saved and read again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judgekit.pipeline.stored import read_run
from judgekit.reports.document import Shown
from judgekit.reports.html import write_single_file
from judgekit.reports.ratings import COLUMNS, read_ratings

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]


def start(page: Page, name: str = "ana") -> None:
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Rate ", exact=False).last.click()


def saved(page: Page) -> str:
    with page.expect_download() as waiting:
        page.get_by_role("button", name="ratings as CSV").click()
    return Path(waiting.value.path()).read_text(encoding="utf-8")


def rate_by_keys(page: Page, keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.get_by_text("the judge said").wait_for()
        page.keyboard.press("Enter")
        page.get_by_text("the judge said").wait_for(state="detached")


def test_verdict_and_variant_are_hidden_until_a_rating_is_kept(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    before = page.locator("main").inner_text()
    for hidden in ("v1", "v2", "Sample 0", "late-parcel", "scored"):
        assert hidden not in before
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    revealed = page.locator(".revealed").inner_text()
    assert "You said 3; the judge said" in revealed
    assert " of v" in revealed


def test_ratings_by_keyboard_are_saved_in_the_label_format(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    page.keyboard.press("4")
    page.keyboard.press("c")
    page.keyboard.type("=good, I think")
    page.keyboard.press("Enter")
    page.get_by_text("the judge said").wait_for()
    page.keyboard.press("Enter")
    rate_by_keys(page, "25")
    page.get_by_role("button", name="Stop").click()
    assert "3 not saved as a file yet" in page.locator("main").inner_text()
    text = saved(page)
    assert "not saved as a file" not in page.locator("main").inner_text()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == list(COLUMNS)
    assert [row["score"] for row in rows] == ["4", "2", "5"]
    assert {(row["run_id"], row["rubric"], row["annotator"], row["sampling"], row["blind"]) for row in rows} == {
        ("desk", "helpfulness", "ana", "random", "true")
    }
    assert rows[0]["comment"] == "'=good, I think"


def test_what_was_saved_is_read_by_python_and_by_the_page(show: Show, desk: Path, tmp_path: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    rate_by_keys(page, "12345")
    page.get_by_role("button", name="Stop").click()
    file = tmp_path / "labels.csv"
    file.write_text(saved(page), encoding="utf-8")
    run = read_run(desk)
    ratings, notes = read_ratings(file, run)
    assert (len(ratings), notes) == (5, [])

    embedded = tmp_path / "labelled.html"
    write_single_file(run, embedded, Shown(labels=ratings, title="With ratings"))
    page.evaluate("() => localStorage.clear()")
    page = show(embedded, "#rate")
    assert "Save 5 ratings as CSV" in page.locator("main").inner_text()
    assert "5, of them 5 random and blind" in page.locator(".agreement").inner_text()

    page = show(desk, "#rate")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("5 ratings read from labels.csv").wait_for()
    assert "5, of them 5 random and blind" in page.locator(".agreement").inner_text()


def test_a_file_of_another_run_is_refused_row_by_row(show: Show, desk: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("run_id,case_id,variant,rubric,output_hash,label\nother,summary,v1,helpfulness,x,pass\n")
    page = show(desk, "#rate")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("Row 2 (summary): is of run other, not of this one.").wait_for()


def test_ratings_are_there_when_the_page_is_opened_again(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    rate_by_keys(page, "11")
    page.on("dialog", lambda dialog: dialog.accept())
    page = show(desk, "#rate")
    assert "Save 2 ratings as CSV" in page.locator("main").inner_text()
    start(page)
    # What is rated already does not come again: nine outputs have a score.
    assert "1 of 7" in page.locator(".bar").inner_text()


def test_the_browser_reminds_of_ratings_that_are_not_saved(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    rate_by_keys(page, "1")
    asked: list[str] = []

    def answer(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.accept()  # type: ignore[attr-defined]

    page.on("dialog", answer)
    page.goto("about:blank")
    assert asked == ["beforeunload"]


def test_a_case_that_was_picked_out_is_marked_as_chosen_and_not_blind(show: Show, desk: Path) -> None:
    page = show(desk, "#case=summary&of=v1")
    page.locator("summary", has_text="Rate this output").click()
    page.get_by_label("4", exact=False).check()
    page.get_by_role("button", name="Keep").click()
    page.get_by_text("kept: 4").wait_for()
    page.get_by_role("link", name="Rate").click()
    (row,) = csv.DictReader(io.StringIO(saved(page)))
    assert (row["case_id"], row["variant"], row["score"], row["sampling"], row["blind"]) == (
        "summary",
        "v1",
        "4",
        "chosen",
        "false",
    )
    assert "1, of them 0 random and blind" in page.locator(".agreement").inner_text()


def test_agreement_grows_with_the_ratings(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    start(page)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert "1, of them 1 random and blind" in page.locator(".agreement").inner_text()
    page.keyboard.press("Enter")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert "2, of them 2 random and blind" in page.locator(".agreement").inner_text()


def test_the_same_seed_draws_the_same(show: Show, desk: Path) -> None:
    def first(seed: str) -> list[str]:
        page = show(desk, "#rate")
        page.get_by_label("Seed of the draw").fill(seed)
        start(page)
        return page.locator("pre").all_inner_texts()

    assert first("7") == first("7")
    assert len({tuple(first(seed)) for seed in ("1", "2", "3", "4", "5", "6")}) > 1


@pytest.mark.parametrize("key", ["p", "f"])
def test_pass_or_fail_can_be_said_in_place_of_a_score(show: Show, desk: Path, key: str) -> None:
    page = show(desk, "#rate")
    start(page)
    page.get_by_role("button", name="pass or fail").click()
    page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.get_by_text("the judge said").wait_for()
    page.get_by_role("button", name="Stop").click()
    (row,) = csv.DictReader(io.StringIO(saved(page)))
    assert row["label"] == {"p": "pass", "f": "fail"}[key]
