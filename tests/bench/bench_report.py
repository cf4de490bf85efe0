"""Size and speed of report.html, in a real browser.

    python tests/bench/bench_report.py                 # 10,000 cases x 2 variants x 6 checks, then 50,000 rows
    python tests/bench/bench_report.py --cases 1000

Needs Playwright and a Chromium (`JUDGEKIT_CHROMIUM`, else the first `chromium` on the path).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

JUDGEKIT = Path(sys.executable).with_name("judgekit")
SUITE = """\
suite: bench
against: v1
defaults:
  expect:
    contains: [refund]
    regex: "ticket-[0-9]+"
    max_length: 1100
    not_contains: [lawyer]
    min_length: 20
    not_refusal: true
cases: cases.jsonl
"""
# Some 2,000 different words, drawn as words are in texts: a few often, most seldom.
SYLLABLES = [head + tail for head in "bdfgklmnprstvz" for tail in ("a", "e", "in", "or", "us", "ment")]


def words(draw: random.Random) -> list[str]:
    """A vocabulary."""
    return ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(2000)]


def build(folder: Path, n: int, characters: int) -> int:
    """A suite of n cases with outputs of two variants; returns the characters of all outputs."""
    draw = random.Random(7)
    vocabulary = words(draw)
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    total = 0
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")
    with (folder / "cases.jsonl").open("w", encoding="utf-8") as cases:
        for number in range(n):
            cases.write(json.dumps({"id": f"case-{number}", "input": f"Where is my refund, ticket-{number}?"}) + "\n")
    for variant in ("v1", "v2"):
        with (folder / f"{variant}.jsonl").open("w", encoding="utf-8") as file:
            for number in range(n):
                start = f"The refund of ticket-{number} is on its way. " if draw.random() < 0.95 else "We are sorry. "
                body: list[str] = []
                while sum(map(len, body)) + len(body) + len(start) < characters:
                    body += draw.choices(vocabulary, weights, k=20)
                text = (start + " ".join(body))[:characters]
                total += len(text)
                file.write(json.dumps({"case_id": f"case-{number}", "output": text}) + "\n")
    return total


def score(folder: Path) -> Path:
    """Run the suite and return its report."""
    outputs = [f"--outputs={variant}={folder / variant}.jsonl" for variant in ("v1", "v2")]
    command = [
        str(JUDGEKIT),
        "score",
        "suite.yaml",
        "-q",
        "--no-gate",
        "--against",
        "v1",
        "--run-id",
        "bench",
        *outputs,
    ]
    start = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(f"  score: {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    subprocess.run([str(JUDGEKIT), "report", "bench"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    print(f"  report: {time.perf_counter() - start:.1f} s")
    return folder / "reports" / "bench" / "report.html"


SCROLL = """
async () => {
  const box = document.querySelector(".scroller");
  let blank = 0, worst = 0, last = performance.now(), frames = 0;
  const isBlank = () => {
    const { top, height } = box.getBoundingClientRect();
    const at = document.elementFromPoint(innerWidth / 2, Math.min(top + height / 2, innerHeight - 10));
    return !at || !at.closest("tr[data-entry]");
  };
  for (let step = 0; step < 120; step += 1) {
    box.scrollTop += step % 30 === 29 ? box.scrollHeight / 5 : 700;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    blank = isBlank() ? blank + (now - last) : 0;
    worst = Math.max(worst, blank);
    last = now;
    frames += 1;
  }
  return { worst, frames };
}
"""


def opened(report: Path) -> dict[str, Any]:
    """Seconds until the page answers, of a search, and of a case; the longest blank while scrolling; MB of memory."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("JUDGEKIT_CHROMIUM") or shutil.which("chromium")
    found: dict[str, Any] = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-background-networking", "--enable-precise-memory-info"],
        )
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.on("pageerror", lambda problem: sys.exit(f"the page failed: {problem}"))
        start = time.perf_counter()
        page.goto(report.as_uri() + "#cases", wait_until="commit")
        page.wait_for_selector("tr[data-entry]")
        found["first rows, s"] = time.perf_counter() - start
        page.locator("#filter-status").select_option("fail")
        page.wait_for_selector("tr[data-entry]:first-child .badge.fail")
        found["interactive, s"] = time.perf_counter() - start
        page.locator("#filter-status").select_option("")
        page.wait_for_timeout(1500)
        found |= page.evaluate(SCROLL)
        start = time.perf_counter()
        page.fill("#filter-q", "ticket-777 ")
        page.get_by_text("2 of ").wait_for(timeout=20_000)
        found["search, s"] = time.perf_counter() - start
        start = time.perf_counter()
        page.locator("tr[data-entry] a").first.click()
        page.wait_for_selector("#case-title")
        found["case, s"] = time.perf_counter() - start
        found["memory, MB"] = page.evaluate("performance.memory.usedJSHeapSize / 1e6")
        browser.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, nargs="*", default=[10_000, 25_000])
    parser.add_argument("--characters", type=int, default=850)
    options = parser.parse_args()
    for n in options.cases:
        with tempfile.TemporaryDirectory() as name:
            total = build(Path(name), n, options.characters)
            print(f"{n} cases x 2 variants x 6 checks, {total / 1e6:.1f} MB of output text")
            report = score(Path(name))
            print(f"  size: {report.stat().st_size / 1e6:.1f} MB")
            for what, value in opened(report).items():
                print(f"  {what}: {value:.2f}" if isinstance(value, float) else f"  {what}: {value}")


if __name__ == "__main__":
    main()
