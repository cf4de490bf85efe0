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


def test_a_judge_that_took_no_parameter_at_all_is_told_from_one_that_does_not_say(shows: Shows) -> None:
    def took_none(run: RunData) -> RunData:
        judges = [one | {"params_applied": {}} for one in run.manifest["judges"]]
        return dataclasses.replace(run, manifest=dict(run.manifest) | {"judges": judges})

    assert shows("", took_none).locator("#judges tbody tr td strong").inner_text() == "none"


def test_agents_stand_with_threshold_and_their_earlier_runs(shows: Shows) -> None:
    agent = {"agent": "scarlet", "rubric": "source_coverage", "score": 0.7966, "threshold": 0.8, "passed": False}
    history = [
        {"time": f"2026-01-0{day}T00:00:00Z", "run_id": f"r{day}", "revision": "abc", "score": score, **about}
        for day, score in ((1, 0.9), (2, 0.7966))
        for about in ({"agent": "scarlet", "rubric": "source_coverage", "threshold": 0.8, "passed": score > 0.8},)
    ]
    figures = {"n_golden": 4, "n_negative": 2, "n_violations": 1, "n_scored": 3}

    def gated(run: RunData) -> RunData:
        run.summary["decision"]["agents"] = [agent | figures]
        return run

    page = shows("", gated, history=history)
    row = page.locator("#agents tbody tr").inner_text()
    assert "0.7966 (3 of 4) (at least 0.8)" in row
    assert page.locator("#agents .trend circle").count() == 2
    assert page.locator("#agents .trend circle.below").count() == 1
    assert "2026-01-01" in (page.locator("#agents .trend title").first.text_content() or "")


def test_trust_in_the_judge_stands_with_its_sentence_and_figures(shows: Shows) -> None:
    kappa = {"value": 0.31, "low": 0.12, "high": 0.5, "level": 0.95, "method": "", "n": 40}
    weak = {
        "metric": "helpfulness",
        "judge": "replay:judge.jsonl",
        "judge_identity": "abc",
        "rubric": "helpfulness",
        "run_id": "desk",
        "level": "weak",
        "sentence": "better than chance: kappa 0.31 [0.12, 0.50] on 40 labels",
        "figures": {"n_outputs": 40, "n_compared": 40, "n_cases": 20, "estimates": {"kappa": kappa}},
    }
    page = shows("", trust={"helpfulness": weak})
    scores = page.locator("#scores")
    assert scores.locator(".badge").all_inner_texts() == ["trust: weak"]
    assert "kappa 0.31 [0.12, 0.5]" in (scores.locator(".badge").get_attribute("title") or "")
    sentence = "helpfulness by replay:judge.jsonl: weak, better than chance: kappa 0.31 [0.12, 0.50] on 40 labels"
    assert scores.locator(".sentences").inner_text() == sentence


def test_an_uncalibrated_judge_is_spoken_of_once(shows: Shows) -> None:
    page = shows("", trust={"helpfulness": UNCALIBRATED})
    assert page.locator("main").inner_text().count("not calibrated") == 1


UNCALIBRATED = {
    "metric": "helpfulness",
    "judge": "replay:judge.jsonl",
    "judge_identity": "abc",
    "rubric": "helpfulness",
    "level": "uncalibrated",
    "sentence": "not calibrated against people",
    "figures": {},
}


def test_what_changed_since_the_earlier_run_is_said_and_can_be_listed(shows: Shows) -> None:
    since = {
        "sentence": "vs latest: 1 newly failing, 1 fixed, 2 outputs changed, 8 identical",
        "run": "latest",
        "run_id": "r0",
        "newly_failing": 1,
        "fixed": 1,
        "flips": [
            {"kind": "newly failing", "case_id": "late-parcel", "variant": "v2", "reason": "no refund"},
            {"kind": "fixed", "case_id": "calls", "variant": "v1", "reason": "no search"},
        ],
        "definitions_changed": [{"case_id": "nothing", "variant": "v1", "what": ["checks"]}],
    }
    page = shows("", since=since)
    said = page.locator("#since").inner_text()
    assert "vs latest: 1 newly failing, 1 fixed, 2 outputs changed, 8 identical (run r0)" in said
    assert "late-parcel: no refund" in said
    assert "calls: was: no search" in said
    page.get_by_role("button", name="Every case that changed").click()
    tags = page.locator("tr[data-entry] .tag").all_inner_texts()
    assert tags == ["newly failing", "fixed", "definition changed"]
    page.get_by_label("Since the earlier run").select_option("fixed")
    assert page.locator("tr[data-entry] th a").all_inner_texts() == ["calls"]


def with_pairs(run: RunData) -> RunData:
    """The run with a pairwise verdict on two cases, each asked in both orders."""
    first = next(row for row in run.results if row.kind == "judge")
    rows, verdicts = [], []
    for case_id, label, score in (("summary", "loss", 0.0), ("calls", "tie", 0.5)):
        about = {"case_id": case_id, "variant": "v2", "against": "v1", "metric": "better", "label": label}
        rows.append(first._replace(**about, status="scored", score=score, passed=None, scale_min=0.0, scale_max=1.0))
        for order, shown_first in (("second", "v1"), ("first", "v2")):
            place = {"case_id": case_id, "variant": "v2", "against": "v1", "trial": 0, "order": order, "sample": 0}
            said = {"status": "scored", "label": label, "score": score, "reason": f"{shown_first} was first"}
            verdicts.append(
                {**place, **said, "rubric": "better", "judge": first.judge, "reply": "B", "prompt_hash": ""}
            )
    return dataclasses.replace(run, results=[*run.results, *rows], verdicts=[*run.verdicts, *verdicts])


def test_a_pair_shows_the_verdict_of_both_orders(shows: Shows) -> None:
    page = shows("#case=summary&of=v2", with_pairs)
    judged = page.locator(".results > li", has_text="better against v1")
    assert "loss" in judged.inner_text()
    assert "v1 shown first: v1 was first" in judged.inner_text()
    assert "v2 shown first: v2 was first" in judged.inner_text()


def test_a_lost_pair_is_a_regression(shows: Shows) -> None:
    page = shows("#cases&worse=1", with_pairs)
    row = page.locator("tr[data-entry]", has_text="summary")
    assert "better lost the pair" in row.inner_text()


def test_a_comparison_of_pairs_is_in_points_with_its_counts(shows: Shows, desk: Path) -> None:
    orders = {"n": 2, "consistent": 2}
    pair = dict(read_summary(desk)["comparisons"][0]) | {
        "metric": "better",
        "kind": "pairwise",
        "judge": "replay:judge.jsonl",
        "scale_min": 0.0,
        "scale_max": 1.0,
        **{"n": 9, "n_left_out": 1, "left_out": [{"reason": "parse", "n": 1, "case_ids": ["nothing"]}]},
        **{"value": 0.75, "value_against": 0.25, "difference": 0.5, "ci_low": -0.125, "ci_high": 0.9},
        **{
            "wins": 6,
            "ties": 2,
            "losses": 1,
            "minimum_detectable_difference": 0.4,
            "p_value": 0.02,
            "p_adjusted": 0.04,
        },
        **{"sentence": "better, in pairs: …", "notes": ["both orders agree"], "orders": orders, "n_tests": 2},
    }
    page = shows("", comparisons=[pair])
    row = page.locator("#comparison tbody tr").inner_text()
    assert "better, in pairs" in row
    assert "9 · 1 left out" in row
    assert "+50 points 95%: -12.5 to +90" in row
    assert "6 / 2 / 1" in row
    assert "0.04 adjusted" in row
    assert "40 points" in row
    assert "both orders agree" in page.locator("#comparison").inner_text()


@pytest.mark.parametrize(
    ("place", "said", "summary"),
    [
        (
            "#judges",
            "none of 4 planted outputs fooled",
            {"canaries": {"planted": 4, "fooled": 0, "open": 0, "rows": []}},
        ),
        (
            "#variants",
            "another variant would have to differ",
            {"alone": {"n": 5, "sentence": "another variant would have to differ by 90 points"}},
        ),
    ],
)
def test_what_a_figure_rests_on_stands_beside_it(shows: Shows, place: str, said: str, summary: dict[str, Any]) -> None:
    assert said in shows("", **summary).locator(place).inner_text()


def test_a_pair_is_rated_blind_as_a_and_b(shows: Shows) -> None:
    page = shows("#rate", with_pairs)
    page.get_by_label("Rubric").select_option("better")
    page.get_by_role("button", name="Rate 2", exact=True).click()
    assert page.locator(".beside h2").all_inner_texts() == ["A", "B"]
    first = page.locator(".beside pre, .beside .markdown").first.inner_text()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    page.get_by_text("the judge preferred").wait_for()
    # Key 1 is the left one, whichever variant that was; both are named in the letters that the rater saw.
    assert "You preferred A (v" in page.locator(".revealed").inner_text()
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
