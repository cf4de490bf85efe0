"""Whole-process times of `judgekit score` beside plain Python, in one run.

    python tests/bench/bench_score.py            # every comparison, medians of five
    python tests/bench/bench_score.py --runs 3 --sizes 1000 10000 50000

Prints a line per comparison: median seconds, peak memory, ratio and the bound that the project sets itself.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
JUDGEKIT = Path(sys.executable).with_name("judgekit")
WORDS = [
    "parcel",
    "order",
    "refund",
    "invoice",
    "warehouse",
    "delay",
    "courier",
    "address",
    "payment",
    "account",
    "replacement",
    "size",
    "colour",
]
SCHEMA = {
    "type": "object",
    "required": ["status", "answer", "confidence"],
    "properties": {
        "status": {"enum": ["open", "closed"]},
        "answer": {"type": "string", "minLength": 5},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}
SUITE = """\
suite: bench
defaults:
  expect:
    contains: [refund]
    regex: "ticket-[0-9]+"
    max_length: 900
    json_schema: schema.json
cases: cases.jsonl
outputs: outputs.jsonl
"""


def build(folder: Path, n: int) -> None:
    """A suite of n cases with recorded JSON outputs of some 500 characters; each passes its four checks."""
    draw = random.Random(7)
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    with (
        (folder / "cases.jsonl").open("w", encoding="utf-8") as cases,
        (folder / "outputs.jsonl").open("w", encoding="utf-8") as outputs,
    ):
        for number in range(n):
            answer = f"The refund of ticket-{number} is on its way. " + " ".join(draw.choices(WORDS, k=60))
            text = json.dumps(
                {"status": "open", "answer": answer, "confidence": draw.random(), "tags": draw.sample(WORDS, 3)}
            )
            cases.write(json.dumps({"id": f"case-{number}", "input": f"Where is my refund, ticket-{number}?"}) + "\n")
            outputs.write(json.dumps({"case_id": f"case-{number}", "output": text}) + "\n")


def measure(command: list[str], cwd: Path) -> tuple[float, float]:
    """Wall seconds and peak memory in MB of one run of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_maxrss / 1024


def compare(name: str, ours: list[str], theirs: list[str], cwd: Path, runs: int, bound: str) -> None:
    """Both commands in turn, so that a slow moment of the machine hits both."""
    mine, other = [], []
    for _ in range(runs + 1):
        shutil.rmtree(cwd / "reports", ignore_errors=True)
        mine.append(measure(ours, cwd))
        other.append(measure(theirs, cwd))
    a, b = (statistics.median(seconds for seconds, _ in one[1:]) for one in (mine, other))
    peak = max(memory for _, memory in mine)
    print(f"{name}: {a:.2f} s against {b:.2f} s, ratio {a / b:.2f} ({bound}); peak {peak:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1000, 10000, 50000])
    options = parser.parse_args()
    python = sys.executable
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, 10000)
        (folder / "small").mkdir()
        (folder / "small" / "one.yaml").write_text("name: one\nexpect: {contains: hi}\nfaux: [hi]\n", encoding="utf-8")
        score = [str(JUDGEKIT), "score", "suite.yaml", "-q"]
        loop = [python, str(HERE / "plain_loop.py"), "outputs.jsonl", "schema.json", "plain.csv"]
        compare(
            "10,000 outputs x 4 checks against a plain loop", score, loop, folder, options.runs, "at most 6, 250 MB"
        )
        compare(
            "--help against `import click`",
            [str(JUDGEKIT), "--help"],
            [python, "-c", "import click"],
            folder,
            options.runs,
            "at most 2",
        )
        compare(
            "one faux case against `import pandas`",
            [str(JUDGEKIT), "score", "small", "-q"],
            [python, "-c", "import pandas"],
            folder,
            options.runs,
            "at most 1.5 plus 0.3 s",
        )
    for n in options.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            build(folder, n)
            seconds, memory = min(measure([str(JUDGEKIT), "score", "suite.yaml", "-q"], folder) for _ in range(2))
            print(f"{n} cases: {seconds:.2f} s, {1000 * seconds / n:.3f} ms a case, peak {memory:.0f} MB")


if __name__ == "__main__":
    main()
