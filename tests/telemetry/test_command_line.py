"""`judgekit score --otel` as a person meets it: exit codes, stderr, and what happens without the extra."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PASSING = "name: a\ninput: Q?\noutput: Revenue rose.\nexpect: {contains: [revenue]}\n"
FAILING = PASSING.replace("Revenue", "Costs")
# Ends the run as if the package were not installed.
WITHOUT_EXTRA = "import sys; sys.modules['opentelemetry'] = None\n"
MAIN = "from judgekit.cli import main; main()"

Ran = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def judgekit(tmp_path: Path) -> Ran:
    """The command in a process of its own: only there does the SDK find no log configured, as for a person."""

    def ran(
        *arguments: str, before: str = "", cwd: Path = tmp_path, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
        return subprocess.run(
            [sys.executable, "-c", before + MAIN, *arguments],
            cwd=cwd,
            env=inherited | environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )

    return ran


def test_the_environment_alone_turns_it_on(judgekit, project, receiver):
    project("scenarios/a.yaml", PASSING)

    done = judgekit("score", OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)

    assert (done.returncode, done.stderr) == (0, "")
    assert [event.attributes["eval_status"] for event in receiver.events] == ["pass"]


def test_a_gate_that_fails_sends_and_still_ends_with_1(judgekit, project, receiver):
    project("judgekit.yaml", f"telemetry: {{endpoint: '{receiver.url}'}}\n")
    project("scenarios/a.yaml", FAILING)

    done = judgekit("score", "--otel")

    assert (done.returncode, done.stderr) == (1, "")
    assert [event.attributes["eval_status"] for event in receiver.events] == ["fail"]


@pytest.mark.parametrize(("scenario", "code"), [(PASSING, 0), (FAILING, 1)])
def test_a_collector_that_is_gone_is_one_line_and_changes_no_exit_code(scenario, code, judgekit, project, nobody):
    project("judgekit.yaml", "telemetry: {timeout_s: 0.8}\n")
    project("scenarios/a.yaml", scenario)

    done = judgekit("score", OTEL_EXPORTER_OTLP_ENDPOINT=nobody)

    assert done.returncode == code
    assert done.stderr == (
        f"warning: telemetry: 0 of 1 events were taken by {nobody}/v1/logs (it can't be reached by OTLP/HTTP); "
        "the results are not affected.\n"
    )
    assert done.stdout.splitlines()[-1].endswith("report.html")


def test_what_the_sdk_has_to_say_about_the_environment_stays_off_stderr(judgekit, project, receiver):
    project("scenarios/a.yaml", PASSING)

    done = judgekit("score", OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url, OTEL_RESOURCE_ATTRIBUTES="a=b,nonsense")

    assert (done.returncode, done.stderr) == (0, "")
    assert receiver.events[0].resource["a"] == "b"


def test_a_collector_that_hangs_does_not_keep_the_process(judgekit, project, receiver, clock):
    project("judgekit.yaml", "telemetry: {timeout_s: 0.8}\n")
    project("scenarios/a.yaml", PASSING)
    receiver.will(trickle=True)

    done = judgekit("score", OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)

    assert done.returncode == 0
    assert "(no answer within 0.8 s)" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert clock.s < 50


def test_asked_for_without_the_extra_nothing_is_run(judgekit, project, tmp_path):
    project("scenarios/a.yaml", PASSING)

    done = judgekit("score", "--otel", before=WITHOUT_EXTRA)

    assert done.returncode == 2
    assert done.stderr.startswith(
        "error: telemetry (--otel) needs the extra `otel` (opentelemetry-sdk, opentelemetry-exporter-otlp-proto-http): "
    )
    assert not (tmp_path / "reports").exists()


def test_wanted_by_the_environment_alone_without_the_extra_is_one_warning(judgekit, project):
    project("scenarios/a.yaml", PASSING)

    done = judgekit("score", before=WITHOUT_EXTRA, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:1")

    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("warning: telemetry is off: OTEL_EXPORTER_OTLP_ENDPOINT is set, but the extra `otel` (")


def test_off_it_imports_nothing_of_opentelemetry(judgekit, project):
    project("scenarios/a.yaml", PASSING)
    at_exit = "import atexit, sys; atexit.register(lambda: print('opentelemetry' in sys.modules))\n"

    done = judgekit("score", before=at_exit)

    assert done.stdout.splitlines()[-1] == "False"


def test_the_gate_of_this_repository_sends_its_agents_by_their_labels_and_every_row(judgekit, receiver, tmp_path):
    done = judgekit("gate", "--otel", "--out", str(tmp_path), cwd=ROOT, OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)

    assert done.returncode == 0, done.stdout + done.stderr
    agents = receiver.named("agent_eval_complete")
    assert [(one.attributes["eval_agent"], one.attributes["eval_rubric"]) for one in agents] == [
        ("scarlet", "SourceCoverage"),
        ("ayana", "FilterAccuracy"),
        ("eliza", "GroundingScore"),
        ("reagan", "ReviewCompleteness"),
    ]
    (results,) = tmp_path.glob("*/results.csv")
    with results.open(encoding="utf-8", newline="") as file:
        assert len(receiver.named("gen_ai.evaluation.result")) == len(list(csv.DictReader(file))) > 0
    assert len({one.attributes["eval_run_id"] for one in receiver.events}) == 1


def test_a_release_gate_that_fails_sends_that_it_does_and_ends_with_1(judgekit, project, receiver):
    project("judgekit.yaml", "agents: {ada: {rubric: review_completeness, threshold: 0.5, fixtures: fixtures.yaml}}\n")
    project(
        "fixtures.yaml", "{id: one, agent: ada, input: Review it., rubrics: [review_completeness], output: Fine.}\n"
    )

    done = judgekit("gate", OTEL_EXPORTER_OTLP_ENDPOINT=receiver.url)

    assert done.returncode == 1, done.stdout + done.stderr
    (event,) = receiver.named("agent_eval_complete")
    assert event.attributes["eval_passed"] is False
    assert event.attributes["eval_n_violations"] > 0


def test_an_unfinished_run_is_sent_when_it_has_been_resumed(judgekit, project, receiver):
    project("judgekit.yaml", "prices: {openai/local: {input: 1000000, output: 1000000}}\n")
    project("scenarios/a.yaml", PASSING.replace("output: Revenue rose.\n", ""))
    settings = {"OPENAI_API_KEY": "x", "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url}

    done = judgekit("score", "--model", "openai/local", "--max-cost", "0", **settings)

    assert done.returncode == 3
    assert "telemetry: nothing is sent of an unfinished run; it all is when it has been resumed." in done.stderr
    assert receiver.requests == []
