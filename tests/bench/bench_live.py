"""Whole-process times of `judgekit score --judge gpt-4o` beside a bare loop of litellm calls, in one run.

    python tests/bench/bench_live.py                      # 1,000 cases, 50 at a time, 200 ms each; medians of three
    python tests/bench/bench_live.py --runs 5 --cases 300

Both ask the stub of tests/stub, a process of its own, with the same prompts; each import of litellm is included. Prints
the medians, their ratio and the bound that the project sets itself, then an identical second run, which has to do
without network and litellm, and first of all what the stub itself could serve.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
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
SUITE = """\
suite: bench
defaults:
  expect: {min_length: 10}
  rubrics: [helpfulness]
cases: cases.jsonl
outputs: outputs.jsonl
"""


@dataclass(frozen=True)
class Measured:
    """One run of a command."""

    seconds: float
    cpu_s: float
    peak_mb: float
    calls: int
    """Requests that reached the stub."""


@dataclass(frozen=True)
class Bench:
    """The stub, the folder with the cases, and how many calls go out at a time."""

    url: str
    folder: Path
    concurrency: int

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "LITELLM_"))}
        # Without it litellm's import waits for the network, on the bare side only.
        local = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "OPENAI_API_KEY": "sk-bench", "OPENAI_BASE_URL": self.url}
        return {**kept, **local, **more}

    def measure(self, command: list[str], environment: Mapping[str, str] | None = None) -> Measured:
        before, start = calls(self.url), time.perf_counter()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                command, cwd=self.folder, stdout=said, stderr=said, env=environment or self.environment()
            )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            if status:
                said.seek(0)
                sys.exit(f"{' '.join(command)} failed:\n{said.read().decode()[-2000:]}")
        cpu_s = usage.ru_utime + usage.ru_stime
        return Measured(seconds, cpu_s, usage.ru_maxrss / 1024, calls(self.url) - before)

    def score(self) -> list[str]:
        score = [sys.executable, "-m", "judgekit", "score", "suite.yaml", "--judge", "gpt-4o", "--no-gate", "-q"]
        return [*score, "--concurrency", str(self.concurrency)]

    def bare(self, form: str) -> list[str]:
        return [sys.executable, str(HERE / "plain_live.py"), "asked.json", str(self.concurrency), form]

    def forget(self) -> None:
        """Remove what a run leaves, its cache included."""
        for name in ("reports", ".judgekit"):
            shutil.rmtree(self.folder / name, ignore_errors=True)


@contextmanager
def serving(latency_s: float) -> Iterator[str]:
    """The stub in a process of its own; its address."""
    command = [sys.executable, str(HERE.parent / "stub" / "server.py"), "--port", "0", "--latency", str(latency_s)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as stub:
        try:
            assert stub.stdout is not None
            yield stub.stdout.readline().split()[1]
        finally:
            stub.kill()


def calls(url: str) -> int:
    """Requests that the stub has had so far."""
    with urllib.request.urlopen(url) as answer:
        return int(json.load(answer)["n_calls"])


def build(folder: Path, n: int) -> None:
    """A suite of n cases with recorded outputs of some 500 characters, and the settings that make it a project."""
    draw = random.Random(7)
    (folder / "suite.yaml").write_text(SUITE, encoding="utf-8")
    (folder / "judgekit.yaml").write_text("out: reports\n", encoding="utf-8")
    with (folder / "cases.jsonl").open("w", encoding="utf-8") as cases:
        for number in range(n):
            cases.write(json.dumps({"id": f"case-{number}", "input": f"Where is my refund, ticket-{number}?"}) + "\n")
    with (folder / "outputs.jsonl").open("w", encoding="utf-8") as outputs:
        for number in range(n):
            text = f"The refund of ticket-{number} is on its way. " + " ".join(draw.choices(WORDS, k=60))
            outputs.write(json.dumps({"case_id": f"case-{number}", "output": text}) + "\n")


def note_asked(bench: Bench) -> None:
    """Keep what judgekit asks, so that the bare loop asks the same."""
    from judgekit.models.parameters import strict_schema
    from judgekit.prompts import reply_schema
    from judgekit.rubrics.files import find_rubric

    run = next((bench.folder / "reports").glob("*/verdicts.jsonl"))
    verdicts = [json.loads(line) for line in run.read_text(encoding="utf-8").splitlines()]
    schema = strict_schema(reply_schema(find_rubric("helpfulness", root=bench.folder)))
    params = {**verdicts[0]["params_requested"], "response_format": schema}
    asked = {"prompts": [one["prompt"] for one in verdicts], "params": params}
    (bench.folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")


async def flood(bench: Bench) -> float:
    """Seconds that plain aiohttp needs for the same requests: what the stub can do."""
    import aiohttp

    asked = json.loads((bench.folder / "asked.json").read_text(encoding="utf-8"))
    turn = asyncio.Semaphore(bench.concurrency)

    async def ask(session: aiohttp.ClientSession, prompt: str) -> None:
        body: dict[str, Any] = {"model": "gpt-4o", "messages": [{"role": "user", "content": prompt}], **asked["params"]}
        async with turn, session.post(f"{bench.url}/chat/completions", json=body) as answer:
            await answer.json()

    start = time.perf_counter()
    async with aiohttp.ClientSession() as session:
        await asyncio.gather(*(ask(session, prompt) for prompt in asked["prompts"]))
    return time.perf_counter() - start


def medians(measured: list[Measured]) -> str:
    seconds, cpu_s = (statistics.median(getattr(one, name) for one in measured) for name in ("seconds", "cpu_s"))
    # More calls than cases: under load the client at times loses a connection, and somebody asks again.
    calls = "/".join(str(one) for one in sorted({one.calls for one in measured}))
    peak_mb = max(one.peak_mb for one in measured)
    return f"{seconds:.2f} s ({cpu_s:.1f} s of processor time, peak {peak_mb:.0f} MB, {calls} calls)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=50)
    parser.add_argument("--latency", type=float, default=0.2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, serving(options.latency) as url:
        bench = Bench(url, Path(name), options.concurrency)
        build(bench.folder, options.cases)
        # The first run of all also writes byte code and warms the disk: not counted.
        bench.measure(bench.score())
        note_asked(bench)
        print(f"ideal {options.cases * options.latency / options.concurrency:.2f} s, ", end="")
        print(f"aiohttp {asyncio.run(flood(bench)):.2f} s", flush=True)
        sides: dict[str, list[Measured]] = {"judgekit": [], "full": [], "bare": [], "cached": []}
        for _ in range(options.runs):
            bench.forget()
            # In turn, so that a slow moment of the machine hits all of them.
            sides["judgekit"].append(bench.measure(bench.score()))
            sides["cached"].append(bench.measure(bench.score()))
            for form in ("full", "bare"):
                sides[form].append(bench.measure(bench.bare(form)))
        print(f"judgekit                         {medians(sides['judgekit'])}")
        for form, what in (("full", "same parameters"), ("bare", "messages only")):
            pairs = zip(sides["judgekit"], sides[form], strict=True)
            ratio = statistics.median(ours.seconds / theirs.seconds for ours, theirs in pairs)
            print(f"bare litellm, {what:<18} {medians(sides[form])}: ratio {ratio:.2f} (at most 1.1)")
        print(f"identical second run             {medians(sides['cached'])} (at most 2 s, 0 calls)")
        trace = bench.environment(PYTHONPROFILEIMPORTTIME="1")
        print(f"its import of litellm: {imports_litellm(bench, trace)}")


def imports_litellm(bench: Bench, environment: Mapping[str, str]) -> str:
    """Whether an identical run imports litellm, as Python itself reports it."""
    done = subprocess.run(bench.score(), cwd=bench.folder, env=environment, capture_output=True, text=True, check=True)
    return "yes" if any(line.rstrip().endswith("| litellm") for line in done.stderr.splitlines()) else "none"


if __name__ == "__main__":
    main()
