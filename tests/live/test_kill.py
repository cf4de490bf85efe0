"""A run that is ended at any moment goes on with --resume, and pays for no finished call again."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from stub_server import reply

from judgekit.errors import InputError

N_CASES = 40
LATENCY_S = 0.1
SCORE = ("score", "--judge", "gpt-4o", "--run-id", "r", "--concurrency", "4")
N_KILLS = int(os.environ.get("JUDGEKIT_KILLS", "5"))

_VARIES = ("run_id", "latency_s", "target_latency_s")


def tables(folder: Path) -> dict[str, Any]:
    """What must be the same however often a run was interrupted."""
    found: dict[str, Any] = {}
    for name in ("results", "cases"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            found[name] = [{key: row[key] for key in row if key not in _VARIES} for row in csv.DictReader(file)]
    found["summary"] = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    del found["summary"]["run_id"]
    return found


def recorded(folder: Path) -> set[str]:
    """The cases whose judge's reply stands in the ledger with its line end."""
    path = folder / "calls.jsonl"
    lines = path.read_text(encoding="ascii").split("\n")[:-1] if path.exists() else []
    return {json.loads(line)["case_id"] for line in lines}


def asked_about(project: Any, since: int = 0) -> list[str]:
    # A kill may cut off a request, too.
    return [f"case-{project.number_in(asked)}" for asked in project.stub.asked[since:] if asked.body]


def wait_for_calls(project: Any, n: int, run: Path) -> None:
    while project.stub.n_calls < n and not (run / "summary.json").exists():
        time.sleep(0.005)


@pytest.fixture
def numbers(project: Any) -> Any:
    """40 judged cases, at a server that takes its time and repeats each case's number."""
    project.numbered(N_CASES)
    project.stub.rule = project.own_score
    project.stub.latency_s = LATENCY_S
    return project


@pytest.fixture
def undisturbed(numbers: Any, fork: Any, tmp_path: Path) -> dict[str, Any]:
    """The tables of a run that nobody ended, in a folder of its own."""
    elsewhere = tmp_path / "undisturbed"
    shutil.copytree(tmp_path / "scenarios", elsewhere / "scenarios")
    assert fork(*SCORE, folder=elsewhere).wait() == 0
    numbers.stub.asked.clear()
    return tables(elsewhere / "reports" / "r")


@pytest.mark.slow
def test_killed_at_random_moments_a_run_repeats_no_finished_call(numbers: Any, fork: Any, undisturbed: Any) -> None:
    chance = random.Random(20)
    run = numbers.folder / "reports" / "r"
    since, finished = 0, set[str]()
    for _ in range(N_KILLS):
        is_begun = (run / "manifest.json").exists()
        going = fork(*(("score", "--judge", "gpt-4o", "--concurrency", "4", "--resume", "r") if is_begun else SCORE))
        # So that the last kill, too, finds the run at work: each leaves time for its share of the calls, or less.
        wait_for_calls(numbers, since + chance.randint(0, 2 * N_CASES // N_KILLS), run)
        time.sleep(chance.uniform(0, LATENCY_S))
        going.kill()
        going.wait()
        assert not finished & set(asked_about(numbers, since))
        since, finished = numbers.stub.n_calls, recorded(run)
        print(f"killed with {len(finished)} of {N_CASES} calls finished")

    code = fork("score", "--judge", "gpt-4o", "--resume", "r").wait()

    assert code == 0
    assert finished, "no kill came after a finished call: nothing was tried"
    assert not finished & set(asked_about(numbers, since))
    assert tables(run) == undisturbed


def test_ctrl_c_leaves_a_run_that_goes_on(numbers: Any, fork: Any, undisturbed: Any) -> None:
    run = numbers.folder / "reports" / "r"
    going = fork(*SCORE)
    wait_for_calls(numbers, 12, run)
    going.kill(signal.SIGINT)
    code = going.wait()
    partial, since, finished = tables(run), numbers.stub.n_calls, recorded(run)
    resumed = fork("score", "--judge", "gpt-4o", "--resume", "latest").wait()

    assert (code, resumed) == (130, 0)
    assert partial["summary"]["partial"] is True
    causes = [(row["status"], row["cause"]) for row in partial["results"]]
    assert causes.count(("skipped", "interrupted")) == N_CASES - len(finished)
    # Calls under way were waited for: all that was asked before is kept.
    assert len(finished) == since
    assert sorted(asked_about(numbers)) == sorted(f"case-{number}" for number in range(N_CASES))
    assert tables(run) == undisturbed


def test_a_cached_run_that_is_killed_stays_cached(numbers: Any, fork: Any, undisturbed: Any) -> None:
    assert fork(*SCORE).wait() == 0
    before = numbers.stub.n_calls
    going = fork("score", "--judge", "gpt-4o", "--run-id", "second")
    while not (numbers.folder / "reports" / "second" / "manifest.json").exists():
        time.sleep(0.005)
    going.kill()
    going.wait()

    code = fork("score", "--judge", "gpt-4o", "--resume", "second").wait()

    assert (code, numbers.stub.n_calls) == (0, before)
    summary = tables(numbers.folder / "reports" / "second")["summary"]
    assert summary["judge_calls"] == {"made": 0, "cached": N_CASES, "skipped": 0}


LIVE = """\
suite: live
model: gpt-4o
params: {max_tokens: 50}
defaults: {expect: {contains: [fine]}}
cases:
  - {id: a, input: How is it?}
  - {id: b, input: And now?}
"""


def stopped(project: Any) -> Any:
    """A run of two live cases that ended after the first one, for lack of money."""
    project.write("scenarios/live.yaml", LIVE)
    project.write("prompts/v1.j2", "Answer: {{ input }}")
    project.write("rubrics/clear.yaml", "name: clear\nquestion: Is it clear?\nscale: {min: 1, max: 5}\n")
    project.stub.rule = lambda asked: reply("It is fine.", usage={"prompt_tokens": 10, "completion_tokens": 50})
    # Both calls may cost 50 output tokens at $10 a million, and what they say: room for one of them.
    return project.score(variants={"v1": "prompts/v1.j2"}, rubrics="clear", judge=None, max_cost=0.0008, concurrency=1)


def resume(project: Any, **how: Any) -> Any:
    return project.score(**{"variants": {"v1": "prompts/v1.j2"}, "rubrics": "clear", "resume": "latest", **how})


def test_a_stopped_run_with_live_targets_goes_on(project: Any) -> None:
    first = stopped(project)

    run = resume(project)

    assert (first.decision.exit_code, run.decision.exit_code) == (3, 0)
    assert [row["status"] for row in project.rows(first.path, "cases")] == ["pass", "pass"]
    assert sorted(asked.text for asked in project.stub.asked) == ["Answer: And now?", "Answer: How is it?"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("scenarios/live.yaml", "How is it?", "How was it?", 'case "a" is another'),
        ("scenarios/live.yaml", "contains: [fine]", "contains: [good]", 'metric "contains" is another'),
        ("scenarios/live.yaml", "id: b", "id: c", 'case "c" is new'),
        ("scenarios/live.yaml", "max_tokens: 50", "max_tokens: 60", 'prompt "live" "v1" has params_requested'),
        ("prompts/v1.j2", "Answer", "Say", 'prompt "live" "v1" is another'),
        ("rubrics/clear.yaml", "Is it clear?", "Is it kind?", 'metric "clear" is another'),
    ],
)
def test_a_run_whose_files_changed_does_not_go_on(project: Any, file: str, old: str, new: str, said: str) -> None:
    stopped(project)
    path = project.folder / file
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    before = project.stub.n_calls

    with pytest.raises(InputError, match=said):
        resume(project)

    assert project.stub.n_calls == before


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"judge": "gpt-4o-mini"}, r'suite "live" has judge \["gpt-4o-mini"\], had \[\]'),
        ({"model": "gpt-4o-mini"}, 'prompt "live" "v1" has model "gpt-4o-mini", had "gpt-4o"'),
        ({"seed": 7}, "seed was 0, is 7"),
        ({"judge_samples": 3}, "judge_samples was 1, is 3"),
        ({"trials": 2}, 'case "a" has trials'),
        ({"api_base": "http://127.0.0.1:9/v1"}, 'model "gpt-4o" is asked at another address'),
        ({"run_id": "other"}, "leave out --run-id"),
    ],
)
def test_a_run_that_is_asked_for_otherwise_does_not_go_on(project: Any, how: Any, said: str) -> None:
    stopped(project)
    before = project.stub.n_calls

    with pytest.raises(InputError, match=said):
        resume(project, **how)

    assert project.stub.n_calls == before


def test_another_judge_is_told_as_that_and_not_as_another_address(project: Any) -> None:
    project.numbered(1)
    project.score(judge="gpt-4o")

    with pytest.raises(InputError) as refused:
        project.score(judge="gpt-4o-mini", resume="latest")

    assert 'has judge ["gpt-4o-mini"], had ["gpt-4o"]' in str(refused.value)
    assert "address" not in str(refused.value)


def test_a_recorded_output_that_changed_is_a_change(project: Any) -> None:
    project.numbered(2)
    project.score(judge="gpt-4o")
    path = project.folder / "scenarios" / "numbers.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("number 1.", "number 9."), encoding="utf-8")

    with pytest.raises(InputError, match='case "case-1" has other outputs'):
        project.score(judge="gpt-4o", resume="latest")


def test_outputs_of_a_function_are_on_the_disk_while_a_resumed_run_asks_for_the_rest(project: Any) -> None:
    # No ledger holds them: killed a second time, the run must still have them.
    project.write(
        "scenarios/s.yaml",
        "suite: s\ndefaults: {expect: {contains: [one]}}\ncases: [{id: a, input: Q}, {id: b, input: Q}]\n",
    )
    asked, on_disk = list[str](), list[str]()

    def answers(case: Any) -> str:
        asked.append(case.case_id)
        if case.case_id == "b" and asked.count("b") == 1:
            raise OSError("no answer")
        on_disk.extend(path.read_text(encoding="utf-8") for path in Path("reports").glob("*/outputs.jsonl"))
        return "one"

    first = project.score(target=answers, concurrency=1)
    kept = project.records(first, "outputs")[0]
    on_disk.clear()
    second = project.score(target=answers, concurrency=1, resume="latest")

    assert asked == ["a", "b", "b"]
    assert [json.loads(line) for text in on_disk for line in text.splitlines()] == [kept]
    assert [row["status"] for row in project.rows(second, "cases")] == ["pass", "pass"]
    assert project.records(second, "outputs")[0] == kept


def test_what_a_kill_left_half_written_is_cleared_away(project: Any) -> None:
    project.numbered(1)
    first = project.score(judge="gpt-4o")
    left = first.path / ".results.csv.4711.part"
    left.write_text("run_id,case", encoding="utf-8")

    second = project.score(judge="gpt-4o", resume="latest")

    assert not left.exists()
    assert tables(second.path) == tables(first.path)
    assert project.stub.n_calls == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"case_id": "case-0", "variant": "default"}', "a record lacks trial"),
        ('{"case_id": "case-0", "variant": "default", "trial": 0, "output": "x", "latency_s": "soon"}', "is damaged"),
    ],
)
def test_damaged_outputs_are_named_before_a_run_goes_on(project: Any, line: str, said: str) -> None:
    project.write("scenarios/s.yaml", "suite: s\ncases: [{id: case-0, input: Q, expect: {contains: [one]}}]\n")
    first = project.score(target=lambda case: "one")
    (first.path / "outputs.jsonl").write_text(line + "\n", encoding="utf-8")

    with pytest.raises(InputError, match=said):
        project.score(target=lambda case: "one", resume="latest")
