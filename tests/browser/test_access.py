"""Readable by everyone: WCAG 2.2 AA by axe, light and dark, narrow and wide."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from judgekit.pipeline.stored import read_manifest, read_run, read_summary
from judgekit.reports.html import write_single_file
from judgekit.reports.index import write_index

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]
VIEWS = {
    "overview": "#overview",
    "cases": "#cases&metric=helpfulness",
    "case": "#case=late-parcel&of=v2",
    "beside": "#case=late-parcel&of=v2&beside=v1",
    "markdown": "#case=summary&of=v1",
    "tools": "#case=calls&of=v1",
    "rate": "#rate",
}


def violations(page: Page) -> list[str]:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
    found = axe.Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(show: Show, desk: Path, view: str, scheme: str) -> None:
    page = show(desk)
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page = show(desk, VIEWS[view])
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert violations(page) == []


def test_axe_finds_nothing_in_a_queue(show: Show, desk: Path) -> None:
    page = show(desk, "#rate")
    page.get_by_role("button", name="Rate ").last.click()
    assert violations(page) == []


def test_axe_finds_nothing_in_an_index(show: Show, desk: Path, tmp_path: Path) -> None:
    write_index([(desk, read_manifest(desk), read_summary(desk))], tmp_path / "index.html")
    assert violations(show(tmp_path / "index.html")) == []


def test_axe_finds_nothing_in_a_gate_with_an_earlier_run(show: Show, desk: Path, tmp_path: Path) -> None:
    run = read_run(desk)
    agent = {"agent": "scarlet", "rubric": "tone", "score": 0.7, "threshold": 0.8, "passed": False}
    agent |= {"n_golden": 4, "n_negative": 2, "n_violations": 1, "n_scored": 3}
    flip = {"kind": "newly failing", "case_id": "calls", "variant": "v2", "reason": "no search"}
    since = {"sentence": "vs latest: 1 newly failing", "run_id": "r0", "newly_failing": 1, "fixed": 0, "flips": [flip]}
    decision = dict(run.summary["decision"]) | {"agents": [agent]}
    history = [{"time": "2026-01-02T03:04:05Z", "run_id": "r0", "revision": "abc", **agent}]
    summary = dict(run.summary) | {"decision": decision, "history": history}
    summary |= {"since": since | {"definitions_changed": []}}
    write_single_file(dataclasses.replace(run, summary=summary), tmp_path / "gate.html")
    assert violations(show(tmp_path / "gate.html")) == []


@pytest.mark.parametrize("view", VIEWS)
def test_at_320_pixels_nothing_sticks_out(show: Show, desk: Path, view: str) -> None:
    page = show(desk)
    page.set_viewport_size({"width": 320, "height": 640})
    page = show(desk, VIEWS[view])
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_every_view_is_reached_by_tab_and_enter(show: Show, desk: Path) -> None:
    page = show(desk)
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("table.cases").wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.closest('tr[data-entry]') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.locator("#case-title").is_visible()
    assert page.evaluate("() => document.activeElement.id") == "case-title"
