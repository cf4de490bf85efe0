"""The whole loop by which a judge earns trust: scored, rated blind in the page, calibrated, reported again."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]

PAIRS = "name: better\nquestion: Which answer is better?\npairwise: true\nneeds: [input, output]\n"
RUBRIC = "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\npass_at: 4\nneeds: [input, output]\n"
CASES, RATED = 40, 64
"""Thirty labels of a variant are the least that its rate is corrected by."""


def judgekit(folder: Path, *arguments: str) -> str:
    """What a command prints; in a process of its own, as a loop of events runs here while the browser is driven."""
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_good(number: int, variant: str) -> bool:
    """v1 is good on every second case, v2 on two of three."""
    return number % 2 == 0 if variant == "v1" else number % 3 != 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Forty cases under two variants and a judge that passes every good output, and every fifth poor one too."""
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "good.yaml").write_text(RUBRIC, encoding="utf-8")
    outputs: dict[str, list[str]] = {"v1": [], "v2": []}
    replies = []
    for variant, rows in outputs.items():
        for number in range(CASES):
            place = {"case_id": f"c{number}", "variant": variant}
            quality = "good" if is_good(number, variant) else "poor"
            rows.append(json.dumps({**place, "input": f"Question {number}", "output": f"A {quality} answer."}))
            score = 5 if quality == "good" else 4 if number % 5 == 0 else 2
            reply = json.dumps({"reason": "As it reads.", "score": score})
            replies.append(json.dumps({**place, "rubric": "good", "reply": reply}))
    for variant, rows in outputs.items():
        (tmp_path / f"{variant}.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "replies.jsonl").write_text("\n".join(replies), encoding="utf-8")
    arguments = ["--outputs", "v1=v1.jsonl", "--outputs", "v2=v2.jsonl", "--judge", "replay:replies.jsonl"]
    judgekit(tmp_path, "score", *arguments, "--rubric", "good", "--run-id", "loop", "--no-gate")
    return tmp_path


def rate(page: Page) -> None:
    """Rate by keyboard what an output says of itself, until the queue is empty."""
    page.get_by_label("Your name").fill("ana")
    page.get_by_label("How many of", exact=False).fill(str(RATED))
    page.get_by_role("button", name=f"Rate {RATED}", exact=True).click()
    for _ in range(RATED):
        text = page.locator("main").inner_text()
        assert ("A good answer." in text) != ("A poor answer." in text)
        page.keyboard.press("p" if "A good answer." in text else "f")
        page.keyboard.press("Enter")
        page.get_by_text("the judge said").wait_for()
        page.keyboard.press("Enter")
        page.get_by_text("the judge said").wait_for(state="detached")


def test_ratings_from_the_page_make_the_badge_and_the_corrected_rate_of_the_next_report(
    show: Show, project: Path
) -> None:
    report = project / "reports" / "loop" / "report.html"
    page = show(report, "#rate")
    rate(page)
    if page.get_by_role("button", name="Stop").count():
        page.get_by_role("button", name="Stop").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="ratings as CSV").click()
    waiting.value.save_as(project / "labels.csv")

    said = judgekit(project, "calibrate", "labels.csv")
    judgekit(project, "report", "loop", "--labels", "labels.csv")

    rows = list(csv.DictReader((project / "labels.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == RATED
    # What people said and what the judge said of the labelled outputs, counted here anew.
    passed = [row["label"] == "pass" for row in rows]
    judged = [good or int(row["case_id"][1:]) % 5 == 0 for row, good in zip(rows, passed, strict=True)]
    agreement = 100 * sum(a == b for a, b in zip(passed, judged, strict=True)) / RATED
    assert f"agreement {agreement:.0f} %" in said

    page = show(report)
    scores = page.locator("#scores").inner_text()
    summary = json.loads((project / "reports" / "loop" / "summary.json").read_text(encoding="utf-8"))
    (trust,) = summary["trust"].values()
    assert f"trust: {trust['level']}" in scores
    assert trust["sentence"] in scores
    assert f"on {RATED} labels" in trust["sentence"]
    for one in summary["estimates"]:
        if one["kind"] == "judge":
            # The judge passes poor answers, and no good one fails: people's rate is lower.
            assert one["corrected_pass_rate"] < one["pass_rate"]
            assert f"{round(1000 * one['corrected_pass_rate']) / 10:g}% " in scores
            assert one["corrected"]["pass_rate"]["method"].startswith("PPI++")
            assert f"{one['corrected']['pass_rate']['method']}, {RATED // 2} labels" in scores
    assert "not calibrated" not in page.locator("main").inner_text()
    page.get_by_role("link", name="Rate").click()
    assert f"{RATED}, of them {RATED} random and blind" in page.locator(".agreement").inner_text()


def test_ratings_of_pairs_are_read_by_calibrate(show: Show, project: Path) -> None:
    (project / "rubrics" / "better.yaml").write_text(PAIRS, encoding="utf-8")
    replies = []
    for number in range(CASES):
        worth = {"v1": is_good(number, "v1"), "v2": is_good(number, "v2")}
        for order, (a, b) in (("first", ("v2", "v1")), ("second", ("v1", "v2"))):
            winner = "tie" if worth[a] == worth[b] else "A" if worth[a] else "B"
            place = {"case_id": f"c{number}", "variant": "v2", "against": "v1", "order": order, "rubric": "better"}
            replies.append(json.dumps({**place, "reply": json.dumps({"reason": "r", "winner": winner})}))
    (project / "pairs.jsonl").write_text("\n".join(replies), encoding="utf-8")
    arguments = ["--outputs", "v1=v1.jsonl", "--outputs", "v2=v2.jsonl", "--judge", "replay:pairs.jsonl"]
    judgekit(project, "score", *arguments, "--pairwise", "better", "--run-id", "pairs", "--no-gate")

    page = show(project / "reports" / "pairs" / "report.html", "#rate")
    page.get_by_label("How many of", exact=False).fill("12")
    page.get_by_role("button", name="Rate 12", exact=True).click()
    for _ in range(12):
        a, b = ("good" in text for text in page.locator(".beside pre, .beside .markdown").all_inner_texts())
        page.keyboard.press("2" if a == b else "1" if a else "3")
        page.keyboard.press("Enter")
        page.get_by_text("the judge preferred").wait_for()
        page.keyboard.press("Enter")
        page.get_by_text("the judge preferred").wait_for(state="detached")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="ratings as CSV").click()
    waiting.value.save_as(project / "labels.csv")

    # The judge and the person both go by the same word, whichever output stands first.
    assert "agreement 100 %" in judgekit(project, "calibrate", "labels.csv")
