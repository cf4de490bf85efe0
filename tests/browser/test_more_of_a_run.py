"""What a run may tell beyond its scores: agents over time, trust in the judge, flips, pairs of outputs."""

from __future__ import annotations

import copy
import csv
import dataclasses
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from judgekit.frame import RunData
from judgekit.pipeline.stored import read_manifest, read_run, read_summary
from judgekit.reports.document import Shown
from judgekit.reports.html import write_single_file
from judgekit.reports.index import write_index

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]
Shows = Callable[..., "Page"]


@pytest.fixture
def shows(show: Show, desk: Path, tmp_path: Path) -> Shows:
    """Opens a report of the desk run with something added to its summary."""

    def made(fragment: str, change: Callable[[RunData], RunData] = lambda run: run, **summary: Any) -> Page:
        run = read_run(desk)
        run = change(dataclasses.replace(run, summary=copy.deepcopy(run.summary) | summary))
        write_single_file(run, tmp_path / "more.html", Shown())
        return show(tmp_path / "more.html", fragment)

    return made


def test_agents_stand_with_threshold_and_their_earlier_runs(shows: Shows) -> None:
    agent = {"agent": "scarlet", "rubric": "source_coverage", "score": 0.7966, "threshold": 0.8, "passed": False}
    history = [
        {"at": f"2026-01-0{day}", "run_id": f"r{day}", "revision": "abc", "score": score, **about}
        for day, score in ((1, 0.9), (2, 0.7966))
        for about in ({"agent": "scarlet", "rubric": "source_coverage", "threshold": 0.8},)
    ]
    figures = {"n_golden": 4, "n_negative": 2, "n_violations": 1}
    page = shows("", agents=[agent | figures], history=history)
    row = page.locator("#agents tbody tr").inner_text()
    assert "0.7966 (at least 0.8)" in row
    assert page.locator("#agents .trend circle").count() == 2
    assert page.locator("#agents .trend circle.below").count() == 1


def test_trust_in_the_judge_stands_with_its_figures(shows: Shows) -> None:
    trust = {"abc123": {"helpfulness": {"rubric": "helpfulness", "badge": "weak", "n": 40, "kappa": 0.31}}}
    page = shows("", trust=trust)
    assert "trust: weak" in page.locator("#scores").inner_text()
    assert "n 40, kappa 0.31" in page.locator("#scores").inner_text()


def test_what_changed_since_the_earlier_run_is_counted_and_can_be_listed(shows: Shows) -> None:
    since = {
        "run": "r0",
        "newly_failing": [{"case_id": "late-parcel", "variant": "v2"}],
        "fixed": [{"case_id": "calls", "variant": "v1"}],
        "identical": 8,
    }
    page = shows("", since=since)
    assert "identical\n8" in page.locator("#since").inner_text()
    page.get_by_role("button", name="Every case that changed").click()
    assert page.locator("tr[data-entry] .tag").all_inner_texts() == ["newly failing", "fixed"]
    page.get_by_label("Since the earlier run").select_option("fixed")
    assert page.locator("tr[data-entry] th a").all_inner_texts() == ["calls"]


def with_pairs(run: RunData) -> RunData:
    """The run with a pairwise verdict on two cases, each asked in both orders."""
    first = next(row for row in run.results if row.kind == "judge")
    rows, verdicts = [], []
    for case_id, label, score in (("summary", "loss", 0.0), ("calls", "tie", 0.5)):
        about = {"case_id": case_id, "variant": "v2", "against": "v1", "metric": "better", "label": label}
        rows.append(first._replace(**about, status="scored", score=score, passed=None, scale_min=0.0, scale_max=1.0))
        for order in ("v1", "v2"):
            place = {"case_id": case_id, "variant": "v2", "against": "v1", "trial": 0, "order": order, "sample": 0}
            said = {"status": "scored", "label": label, "score": score, "reason": f"{order} was first"}
            verdicts.append(
                {**place, **said, "rubric": "better", "judge": first.judge, "reply": "B", "prompt_hash": ""}
            )
    return dataclasses.replace(run, results=[*run.results, *rows], verdicts=[*run.verdicts, *verdicts])


def test_a_pair_shows_the_verdict_of_both_orders(shows: Shows) -> None:
    page = shows("#case=summary&of=v2", with_pairs)
    judged = page.locator(".results > li", has_text="better against v1")
    assert "loss" in judged.inner_text()
    assert "v1 first: v1 was first" in judged.inner_text()
    assert "v2 first: v2 was first" in judged.inner_text()


def test_a_pair_is_rated_blind_as_a_and_b(shows: Shows) -> None:
    page = shows("#rate", with_pairs)
    page.get_by_label("Rubric").select_option("better")
    page.get_by_role("button", name="Rate 2", exact=True).click()
    assert page.locator(".beside h2").all_inner_texts() == ["A", "B"]
    first = page.locator(".beside pre, .beside .markdown").first.inner_text()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_text("the judge said").wait_for()
    page.get_by_role("button", name="Stop").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="ratings as CSV").click()
    (row,) = csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text(encoding="utf-8")))
    of_v2 = {"summary": "fell", "calls": "Found nothing."}[row["case_id"]] in first
    assert (row["variant"], row["against"], row["label"]) == ("v2", "v1", "win" if of_v2 else "loss")


def test_a_page_without_outputs_says_so_and_offers_no_rating(show: Show, desk: Path, tmp_path: Path) -> None:
    write_single_file(read_run(desk), tmp_path / "bare.html", Shown(outputs=False))
    page = show(tmp_path / "bare.html")
    assert "Inputs, outputs, prompts and replies are left out of this page" in page.locator("#warnings").inner_text()
    assert page.get_by_role("link", name="Rate").count() == 0
    page = show(tmp_path / "bare.html", "#case=late-parcel&of=v2&beside=v1")
    assert '"refund" is missing' in page.locator("main").inner_text()
    page = show(tmp_path / "bare.html", "#case=late-parcel&of=v2")
    assert page.locator("pre").count() == 0


def test_an_index_leads_to_the_reports(show: Show, desk: Path) -> None:
    write_index([(desk, read_manifest(desk), read_summary(desk))], desk.parent / "index.html", title="All of them")
    page = show(desk.parent / "index.html")
    assert "helpfulness" in page.locator("#metrics").inner_text()
    page.get_by_role("link", name="desk").click()
    page.locator("#decision").wait_for()
