"""`judgekit score --judge gpt-4o` on the shipped scenarios, as a user types it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from report_page import data_of

from judgekit.models.keys import PLACEHOLDER_KEY

SHIPPED = Path(__file__).parents[2] / "scenarios"


@pytest.fixture
def shipped(project: Any) -> Any:
    shutil.copytree(SHIPPED, project.folder / "scenarios")
    # The thresholds of the agents stand there.
    shutil.copy(SHIPPED.parent / "pyproject.toml", project.folder)
    return project


def judged(run: Path) -> dict[str, Any]:
    return json.loads((run / "summary.json").read_text(encoding="utf-8"))


def test_first_run_judges_and_the_second_asks_nobody_and_imports_no_litellm(shipped: Any) -> None:
    first = shipped.command("score", "--judge", "gpt-4o")
    asked = shipped.stub.n_calls
    command = [sys.executable, "-X", "importtime", "-m", "judgekit", "score", "--judge", "gpt-4o"]
    second = subprocess.run(command, cwd=shipped.folder, capture_output=True, text=True, timeout=60)

    assert (first.returncode, second.returncode) == (0, 0)
    before, after = map(judged, shipped.runs)
    assert before["judge_calls"]["made"] == asked > 0
    # gpt-4o: $2.50 and $10 per million tokens; the stub counts 10 in and 5 out.
    assert before["cost"]["judge_usd"] == pytest.approx(asked * (10 * 2.5 + 5 * 10) / 1e6)
    assert f"judge: {asked} calls made" in first.stdout
    assert "judge $" in first.stdout
    assert first.stdout.splitlines()[-1] == str(shipped.runs[0].relative_to(shipped.folder) / "report.html")
    assert "gpt-4o" in data_of((shipped.runs[0] / "report.html").read_text(encoding="utf-8"))

    assert shipped.stub.n_calls == asked
    assert after["judge_calls"] == {**before["judge_calls"], "made": 0, "cached": asked}
    assert after["cost"]["judge_usd"] == 0
    assert after["estimates"] == before["estimates"]
    assert re.search(r"\| +judgekit\.models\.live$", second.stderr, re.MULTILINE)
    assert not re.search(r"\| +(litellm|openai|httpx)$", second.stderr, re.MULTILINE)


def test_without_a_key_nothing_is_run(shipped: Any) -> None:
    ended = shipped.command("score", "--judge", "gpt-4o", environ={"OPENAI_API_KEY": None})

    assert (ended.returncode, ended.stdout) == (3, "")
    assert 'model "gpt-4o" needs a key: set OPENAI_API_KEY' in ended.stderr
    assert shipped.stub.n_calls == 0
    assert shipped.runs == []


def test_a_server_of_ones_own_needs_no_key(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    project.numbered(1)

    run = project.score(judge="openai/local", api_base=project.stub.url)

    assert run.summary["judge_calls"]["made"] == 1
    assert project.stub.asked[0].headers["authorization"] == f"Bearer {PLACEHOLDER_KEY}"
    assert project.stub.asked[0].body["model"] == "local"


def test_a_model_that_nothing_asks_needs_no_key(project: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    project.write("judgekit.yaml", "judge: gpt-4o\nmodel: gpt-4o\nmax_cost: 1\n")
    project.write("scenarios/a.yaml", "name: a\ninput: Q?\noutput: Revenue rose.\nexpect: {contains: [revenue]}\n")

    run = project.score()

    assert run.decision.exit_code == 0
