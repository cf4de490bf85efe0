"""Chromium, and reports of real runs to open in it; without a Chromium these tests skip, saying so."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from judgekit.pipeline.options import Options
from judgekit.pipeline.run import run as score_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("JUDGEKIT_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
# Nothing that a browser does by itself may look like a request of the page.
ARGUMENTS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"]

SUITE = """\
suite: desk
against: v1
defaults:
  rubrics: [helpfulness]
cases:
  - id: late-parcel
    agent: desk
    tags: [parcel, urgent]
    input: "My parcel is late. Where is it?"
    context: [{id: rule, text: "Late parcels are replaced."}]
    reference: "We replace it."
    vars: {city: Oslo}
    expect:
      contains: [refund, "by Friday"]
      max_length: 400
      golden: late-parcel.golden.md
  - id: summary
    agent: writer
    tags: [finance]
    input: "Summarise the report."
    expect: {has_sections: [Summary], not_contains: [lawyer]}
  - id: figures
    agent: writer
    input: "The figures as JSON."
    expect: {json: true}
  - id: calls
    agent: desk
    input: "Look it up."
    expect: {tool_calls: {expect: [{name: search}], match: contains}}
  - id: nothing
    agent: desk
    input: "Answer."
    expect: {contains: [x]}
"""
OUTPUTS: dict[str, dict[str, dict[str, Any]]] = {
    "v1": {
        "late-parcel": {"output": "We are sorry.\nThe refund is sent by Friday.\nYour desk"},
        "summary": {
            "output": "## Summary\nRevenue **rose** 12%, see [the table](https://example.test/t).\n\n- one\n- two"
        },
        "figures": {"output": '{"revenue": 4.2, "parts": ["a", "b"]}'},
        "calls": {
            "output": "Found two hits.",
            "tool_calls": [
                {"name": "search", "args": {"q": "renewals"}, "result": {"hits": 2}},
                {"name": "open", "args": {"id": 7}, "result": "a page"},
            ],
        },
        "nothing": {"output": "x marks it"},
    },
    "v2": {
        "late-parcel": {"output": "We are sorry.\nA replacement is sent by Monday.\nYour desk"},
        "summary": {"output": "## Summary\nRevenue **fell**.\n\n- one"},
        "figures": {"output": "no figures"},
        "calls": {"output": "Found nothing.", "tool_calls": []},
        "nothing": {"output": "x"},
    },
}


def write_desk(folder: Path) -> Path:
    """A suite of five cases with two variants, recorded outputs and replies of a judge asked twice."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "desk.yaml").write_text(SUITE, encoding="utf-8")
    golden = "We are sorry.\nThe refund is sent by Friday.\nYour desk\n"
    (folder / "late-parcel.golden.md").write_text(golden, encoding="utf-8")
    for variant, outputs in OUTPUTS.items():
        rows = [
            {"case_id": case_id, "cost_usd": 0.001, "latency_s": 0.5, "input_tokens": 40, "output_tokens": 12, **row}
            for case_id, row in outputs.items()
        ]
        (folder / f"{variant}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    replies = []
    for number, case_id in enumerate(OUTPUTS["v1"]):
        for variant in ("v1", "v2"):
            for sample in (0, 1):
                score = 1 + (number + sample + (variant == "v2")) % 5
                reply = json.dumps({"reason": f"Sample {sample} of {case_id} under {variant}.", "score": score})
                if (case_id, variant) == ("nothing", "v2"):
                    reply = "I like it."
                row = {
                    "case_id": case_id,
                    "variant": variant,
                    "rubric": "helpfulness",
                    "sample": sample,
                    "reply": reply,
                }
                replies.append(json.dumps(row))
    (folder / "judge.jsonl").write_text("\n".join(replies), encoding="utf-8")
    return folder


def score(folder: Path, *paths: str, **options: Any) -> Path:
    """Score with a fixed clock and return the run folder."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        return score_run(
            Options(
                paths=tuple(Path(path) for path in paths),
                out=folder / "reports",
                command="judgekit score",
                no_gate=True,
                clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
                **options,
            )
        ).path
    finally:
        os.chdir(before)


def score_desk(folder: Path, *, run_id: str = "desk", **options: Any) -> Path:
    """Score the desk suite."""
    outputs = tuple((variant, folder / f"{variant}.jsonl") for variant in OUTPUTS)
    return score(
        folder,
        "desk.yaml",
        run_id=run_id,
        outputs=outputs,
        judge=("replay:judge.jsonl",),
        judge_samples=2,
        judge_all=True,
        **options,
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a scored run of the desk suite."""
    return score_desk(write_desk(tmp_path_factory.mktemp("desk")))


@dataclass
class Seen:
    """A page with what it did that it should not."""

    page: Page
    trouble: list[str] = field(default_factory=list)


# One a module, closed at its end: while it is driven an event loop runs, and other tests start their own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on the path (JUDGEKIT_CHROMIUM names one)")
    with sync_api.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    yield made
    made.close()


@pytest.fixture
def watched(context: BrowserContext) -> Iterator[Seen]:
    """A page; the test fails if it wrote to the console, failed, or asked for anything but itself."""
    page = context.new_page()
    seen = Seen(page)
    page.on("console", lambda message: seen.trouble.append(f"console {message.type}: {message.text}"))
    page.on("pageerror", lambda problem: seen.trouble.append(f"error: {problem}"))

    def asked(request: Any) -> None:
        if request.resource_type != "document" and not request.url.startswith("blob:"):
            seen.trouble.append(f"request: {request.url}")

    page.on("request", asked)
    page.set_default_timeout(10_000)
    yield seen
    assert seen.trouble == []


@pytest.fixture
def show(watched: Seen) -> Callable[[Path, str], Page]:
    """Opens a report at an address within it."""

    def opened(path: Path, fragment: str = "") -> Page:
        report = path / "report.html" if path.is_dir() else path
        watched.page.goto("about:blank")
        watched.page.goto(report.as_uri() + fragment)
        watched.page.wait_for_selector("html[data-ready]")
        return watched.page

    return opened
