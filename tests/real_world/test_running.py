"""Runs that meet failures, time-outs, interrupts and other people's event loops: errors are results, in order."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import judgekit as jk
from judgekit.frame.summary import costs
from judgekit.judges.pointwise import judge_once
from judgekit.models.base import Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.records import Case, Judgment, Output, Rubric, Scale, Usage

KIND = "running"

ANSWER = '{"score": 1, "reason": "ok"}'
CORRECT = Rubric("correct", "Is it right?", scale=Scale(0, 1))


def test_run(situation: Any, project: Any) -> None:
    HANDLERS[situation.id](situation, project)
    assert situation.leftover() == []


def suite_of(project: Any, ids: list[str], **keys: Any) -> None:
    cases = [{"id": one, "input": one, "expect": {"contains": "ok"}} for one in ids]
    project.write("suite.yaml", {"cases": cases, **keys})


def statuses(run: jk.Run) -> dict[str, str]:
    return {row.case_id: row.status for row in run.data.cases}


def asked(judge: FauxModel, case_id: str) -> Judgment:
    """One sample of a judge, as the pipeline asks for it."""
    output = Output("An answer.", case_id=case_id)
    return judge_once(judge, CORRECT, Case(case_id), output, sample=0, params={}, threshold=None)


def no_price_known(situation: Any, project: Any) -> None:
    script, expected = situation.input["faux_script"], situation.expected
    steps = dict(zip(("unknown", "priced"), script, strict=True))

    def target(case: Case) -> dict[str, Any]:
        step = steps[case.case_id]
        known = {name: step[name] for name in ("model", "usage", "cost_usd") if name in step}
        return {"output": "ok", **known}

    suite_of(project, list(steps))
    run = project.score("suite.yaml", target=target)
    assert {row.status for row in run.data.cases} == {expected["status"]}
    assert [row.target_cost_usd for row in run.data.cases] == expected["costs"]
    assert run.summary["cost"]["target_usd"] == expected["total_known_usd"]
    assert len(steps) - run.summary["cost"]["n_target_priced"] == expected["calls_without_price"]
    lines = (run.path / "outputs.jsonl").read_text(encoding="utf-8").splitlines()
    written = {row["case_id"]: row.get("cost_usd") for row in map(json.loads, lines)}
    assert [written[case_id] for case_id in steps] == expected["costs"]

    # The calls of a judge are summed in the same way.
    def judge(request: Request, state: Any) -> Reply:
        step = steps[request.key.case_id]
        usage = Usage(step["usage"]["prompt_tokens"], step["usage"]["completion_tokens"])
        return Reply(step["content"], usage=usage, cost_usd=step.get("cost_usd"), model_returned=step["model"])

    judgments = [asked(FauxModel(judge=judge), case_id) for case_id in steps]
    assert [one.cost_usd for one in judgments] == expected["costs"]
    assert [one.verdict.score for one in judgments] == [1, 1]
    cost = costs([], judgments, skipped=0)
    assert (cost["judge_usd"], cost["n_judge_priced"]) == (expected["total_known_usd"], 1)
    situation.sets_aside("never", because="follows from the equal costs; an exception would have ended the test")


def one_bad_case(situation: Any, project: Any) -> None:
    expected = situation.expected

    def target(case: Case) -> str:
        if case.case_id == "b":
            raise RuntimeError("a fault of b")
        return "ok"

    suite_of(project, situation.input["cases"])
    run = project.score("suite.yaml", target=target)
    assert statuses(run) == expected["statuses"].plain()
    assert run.decision.exit_code == situation.exit_code
    (bad,) = [row for row in run.data.cases if row.status == "error"]
    for word in expected["detail_mentions"]:
        assert word in bad.reason

    # A judge that fails is a result, too.
    def judge(request: Request, state: Any) -> str:
        return target(Case(request.key.case_id)) and ANSWER

    verdicts = [asked(FauxModel(judge=judge), one).verdict for one in situation.input["cases"]]
    assert [verdict.status for verdict in verdicts] == ["scored", "error", "scored"]
    assert "RuntimeError" in verdicts[1].reason


# Holds a lock as long as it lives, and notes each call before it answers; the one after the interrupt never answers.
SLOW_PROGRAM = """
import fcntl, json, pathlib, sys, time
held = open("held", "w")
fcntl.flock(held, fcntl.LOCK_EX)
case_id = json.load(sys.stdin)["case_id"]
with pathlib.Path("calls").open("a", encoding="utf-8") as file:
    file.write(case_id + "\\n")
if int(case_id) == {last}:
    time.sleep(60)
print("ok")
"""


def interrupted(situation: Any, project: Any) -> None:
    given, expected = situation.input, situation.expected
    done = given["interrupt_after"]
    project.write("slow.py", SLOW_PROGRAM.format(last=done))
    ids = [str(number) for number in range(given["cases"])]
    suite_of(project, ids, variants={"v1": {"command": [sys.executable, "slow.py"]}})
    process = project.start("score", "suite.yaml", "--allow-code", "--concurrency", "1")
    wait_for(lambda: len(calls(project)) == done + 1)
    process.send_signal(signal.SIGINT)
    # Calls under way may finish, unless a second Ctrl-C comes; this one never would.
    assert b"finishing the calls under way" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=30)
    assert process.returncode == situation.exit_code
    assert b"the run was interrupted" in printed
    run = project.run()
    assert len(run.data.outputs) == expected["results_on_disk"]
    (cases, *_) = run.summary["estimates"]
    assert (cases["n_scored"], cases["n_total"]) == (expected["summary_n"], given["cases"])
    assert run.summary[expected["summary_marks"]] is True
    assert statuses(run) == {one: "pass" if int(one) < done else "error" for one in ids}
    assert {row.cause for row in run.data.cases} == {None, "interrupted"}
    assert (run.path / "report.html").exists()
    # Nothing that the run started outlives it.
    with (project.root / "held").open() as held:
        wait_for(lambda: is_free(held), limit_s=10)


def is_free(held: Any) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def calls(project: Any) -> list[str]:
    path = project.root / "calls"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def wait_for(ready: Callable[[], bool], limit_s: float = 30) -> None:
    end = time.monotonic() + limit_s
    while not ready():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)


def completion_order(situation: Any, project: Any) -> None:
    given = situation.input
    by_id = {case["id"]: case for case in given["cases"]}
    # A share met stands for each score: none, one or both of two words.
    cases = [{"id": one, "expect": {"contains": ["red", "blue"]}} for one in by_id]
    project.write("suite.yaml", {"cases": cases})
    finished: list[str] = []

    def target(case: Case) -> str:
        one = by_id[case.case_id]
        time.sleep(one["delay_ms"] / 1000)
        finished.append(case.case_id)
        return {0.0: "none", 0.5: "red", 1.0: "red and blue"}[one["score"]]

    run = project.score("suite.yaml", target=target, concurrency=given["concurrency"])
    assert finished != list(by_id)
    wanted = [tuple(pair) for pair in situation.expected["results"]]
    assert [(row.case_id, row.score) for row in run.data.results] == wanted
    assert [(row.case_id, row.score) for row in project.run().data.results] == wanted


def from_a_notebook(situation: Any, project: Any) -> None:
    suite_of(project, ["a"])

    async def cell() -> jk.Run:
        return project.score("suite.yaml", target=lambda case: "ok")

    assert (statuses(asyncio.run(cell())) == {"a": "pass"}) is situation.expected["returns_results"]
    situation.sets_aside("never", because="an exception would have ended the test")


IMPORTER = """
import asyncio, sys
before = (asyncio.run, type(asyncio.new_event_loop()), asyncio.events._event_loop_policy)
import judgekit
for name in judgekit.__all__:
    getattr(judgekit, name)
import judgekit.pipeline.run, judgekit.cli.score, judgekit.models.faux
print(before == (asyncio.run, type(asyncio.new_event_loop()), asyncio.events._event_loop_policy))
print({"nest_asyncio", "uvloop"} & set(sys.modules))
"""


def import_changes_nothing(situation: Any, project: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTER], cwd=project.root, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split("\n")[:2] == [str(situation.expected["unchanged"]), "set()"]


def endless_retries(situation: Any, project: Any) -> None:
    expected = situation.expected
    # Three retries are what the faux model is given, as in the case; the live one takes the number as a setting.
    steps = [{"error": "rate_limit"}] * 10
    project.write("suite.yaml", {"cases": [{"id": "a", "expect": {"contains": "ok"}, "faux": steps}]})
    run = project.score("suite.yaml")
    (unused,) = run.summary["warnings"]
    assert unused == f'case "a": {10 - expected["calls"]} unused faux steps'
    (row,) = run.data.results
    assert (row.status, row.cause) == (expected["status"], "rate_limit")
    for word in expected["detail_mentions"]:
        assert word in row.reason


NEVER_ANSWERS = """
import threading

def answer(case):
    if case.case_id == "1":
        threading.Event().wait()
    return "ok"
"""


def one_call_never_answers(situation: Any, project: Any) -> None:
    expected, limit_s = situation.expected, situation.input["settings"]["timeout_s"]
    project.write("agent.py", NEVER_ANSWERS)
    ids = [str(number) for number in range(situation.input["cases"])]
    suite_of(project, ids, variants={"v1": {"function": "agent:answer", "timeout_s": limit_s}})
    start = time.monotonic()
    # In a process of its own: the call that never answers must not keep it alive either.
    done = project.process("score", "suite.yaml", "--allow-code")
    assert time.monotonic() - start < expected["within_s"]
    assert done.returncode == 3
    run = project.run()
    assert list(statuses(run).values()) == expected["statuses"]
    late = run.data.cases[1]
    for word in expected["detail_mentions"]:
        assert late.cause == word
    assert "no answer within 1 s" in late.reason


HANDLERS: dict[str, Callable[[Any, Any], None]] = {
    "BR-087": no_price_known,
    "BR-093": one_bad_case,
    "BR-095": interrupted,
    "BR-097": completion_order,
    "BR-099": from_a_notebook,
    "BR-100": import_changes_nothing,
    "BR-102": endless_retries,
    "BR-103": one_call_never_answers,
}


def test_a_function_that_exits_is_an_error_of_its_case_alone(project: Any) -> None:
    def target(case: Case) -> str:
        return sys.exit(0) if case.case_id == "b" else "ok"

    suite_of(project, ["a", "b", "c"])
    run = project.score("suite.yaml", target=target)
    assert statuses(run) == {"a": "pass", "b": "error", "c": "pass"}
    assert "SystemExit" in run.data.cases[1].reason


def test_code_that_exits_cleanly_never_passes_the_gate(project: Any) -> None:
    project.write("leaver.py", "import sys\nsys.exit(0)\n")
    suite_of(project, ["a"], variants={"v1": {"function": "leaver:answer"}})
    done = project.cli("score", "suite.yaml", "--allow-code")
    assert (done.returncode, "leaver:answer" in done.stderr) == (2, True)
    project.write("suite.yaml", {"cases": [{"id": "a", "output": "x", "expect": {"python": "leaver:check"}}]})
    assert project.cli("score", "suite.yaml", "--allow-code").returncode in (2, 3)


def test_calls_under_way_finish_after_one_ctrl_c(project: Any) -> None:
    def target(case: Case) -> str:
        if case.case_id == "1":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)
        return "ok"

    suite_of(project, ["0", "1", "2", "3"])
    run = project.score("suite.yaml", target=target, concurrency=1)
    assert list(statuses(run).values()) == ["pass", "pass", "error", "error"]
    assert run.decision.exit_code == 130


INTERRUPTING_CHECK = """
import os, signal

def check(output):
    os.kill(os.getpid(), signal.SIGINT)
    return True
"""


def test_ctrl_c_between_the_stages_keeps_the_run_folder(project: Any) -> None:
    project.write("strike.py", INTERRUPTING_CHECK)
    case = {"id": "a", "output": "ok", "expect": {"python": "strike:check"}, "rubrics": [project.rubric("q")]}
    project.write("suite.yaml", {"cases": [{**case, "faux": {"judge": {"q": [ANSWER]}}}]})
    run = project.score("suite.yaml", judge="faux", allow_code=True)
    assert [(row.metric, row.status, row.cause) for row in project.run().data.results] == [
        ("python", "pass", None),
        ("q", "skipped", "interrupted"),
    ]
    assert run.decision.exit_code == 130
