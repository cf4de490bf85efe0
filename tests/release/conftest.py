"""Projects with a registry: a copy of what is shipped, to be mutated, or small agents whose scores are chosen."""

from __future__ import annotations

import gc
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import judgekit
from judgekit.cli import main
from judgekit.records import Decision

ROOT = Path(__file__).parents[2]
SETTINGS = """\
agents:
  scarlet:
    rubric: source_coverage
    threshold: 0.70
    fixtures: scenarios/agents/source_coverage.yaml
  ayana:
    rubric: filter_accuracy
    threshold: 0.80
    fixtures: scenarios/agents/filter_accuracy.yaml
  eliza:
    rubric: grounding_score
    threshold: 0.70
    fixtures: scenarios/agents/grounding_score.yaml
  reagan:
    rubric: review_completeness
    threshold: 0.80
    fixtures: scenarios/agents/review_completeness.yaml
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def run(self) -> Path:
        """The run folder: the last line is the path of its report."""
        return Path(self.lines[-1]).parent


@dataclass(frozen=True)
class Workplace:
    """A working folder with settings and fixtures."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def change(self, name: str, old: str, new: str) -> None:
        """Mutate a file: `old` must stand in it."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def check(self, *agents: str, **how: Any) -> Decision:
        return judgekit.release_gate_check(agents, **how)

    def kinds(self, *agents: str, **how: Any) -> list[str]:
        """What fails, a rule each, without the agent and rubric that it is about."""
        rules = self.check(*agents, **how).rules
        return [str(rule["rule"]).partition(": ")[2] for rule in rules if rule["outcome"] == "fails"]

    def agent(self, golden: Sequence[Fraction | int], negative: Sequence[Fraction | int], **entry: Any) -> None:
        """The agent `f`, whose filter_accuracy on each fixture is the score given."""
        cases = [_case(f"g{number}", score, True) for number, score in enumerate(golden)]
        cases += [_case(f"n{number}", score, False) for number, score in enumerate(negative)]
        self.write("fixtures.yaml", json.dumps({"suite": "f", "cases": cases}, indent=1))
        given = {"rubric": "filter_accuracy", "threshold": 0.8, "fixtures": "fixtures.yaml", **entry}
        self.write("judgekit.yaml", json.dumps({"agents": {"f": given}}, indent=1))


def _case(case_id: str, score: Fraction | int, should_pass: bool) -> dict[str, Any]:
    """Sixty items, kept and dropped by turns, with as many right decisions as the score says."""
    right = score * 60
    assert right == int(right)
    labels = ["keep" if number % 2 else "drop" for number in range(60)]
    decided = [
        label if number < right else "drop" if label == "keep" else "keep" for number, label in enumerate(labels)
    ]
    return {
        "id": case_id,
        "input": f"Sort the items of {case_id}.",
        "rubrics": ["filter_accuracy"],
        "should_pass": should_pass,
        "vars": {"items": [{"id": number, "label": label} for number, label in enumerate(labels)]},
        "output": json.dumps({"decisions": [{"id": number, "decision": one} for number, one in enumerate(decided)]}),
    }


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return Workplace(tmp_path)


@pytest.fixture
def shipped(place: Workplace) -> Workplace:
    """The four shipped agents with their fixtures and thresholds."""
    shutil.copytree(ROOT / "scenarios" / "agents", place.folder / "scenarios" / "agents")
    place.write("judgekit.yaml", SETTINGS)
    return place


@pytest.fixture
def gate(place: Workplace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """`judgekit gate …` in this process."""
    before = gc.get_threshold()
    yield _command("gate", monkeypatch, capsys)
    gc.set_threshold(*before)


@pytest.fixture
def judgekit_check(place: Workplace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """`judgekit check …` in this process."""
    return _command("check", monkeypatch, capsys)


def _command(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["judgekit", name, *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Done(end.value.code, printed.out, printed.err)

    return run
