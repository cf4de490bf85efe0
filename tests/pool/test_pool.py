"""The pool: order, lanes, failures, and what Ctrl-C leaves."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from judgekit import pool
from judgekit.pool import Interrupts, call_within, run_tasks


def test_results_come_in_the_order_of_the_tasks() -> None:
    # The first is the slowest, so they arrive in reverse.
    delays = [0.06, 0.03, 0.0]

    def work(delay: float) -> float:
        time.sleep(delay)
        return delay

    assert run_tasks(delays, work, concurrency=3).results == delays


def test_no_more_than_the_wanted_number_run_at_once() -> None:
    lock = threading.Lock()
    running = most = 0

    def work(n: int) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.005)
        with lock:
            running -= 1

    run_tasks(range(20), work, concurrency=3)
    assert most <= 3


@pytest.mark.parametrize("concurrency", [1, 2, 16])
def test_tasks_of_one_lane_keep_their_order(concurrency: int) -> None:
    done: dict[int, list[int]] = {0: [], 1: [], 2: []}

    def work(n: int) -> None:
        time.sleep(0.002 if n % 5 else 0.0)
        done[n % 3].append(n)

    run_tasks(range(30), work, concurrency=concurrency, lane=lambda n: n % 3)
    assert all(numbers == sorted(numbers) for numbers in done.values())
    assert sum(map(len, done.values())) == 30


def test_a_lane_does_not_hold_up_the_others() -> None:
    slow = threading.Event()
    order: list[str] = []

    def work(task: str) -> None:
        if task == "a1":
            assert slow.wait(5)
        order.append(task)
        if task == "b2":
            slow.set()

    run_tasks(["a1", "a2", "b1", "b2"], work, concurrency=2, lane=lambda task: task[0])
    assert order.index("b2") < order.index("a1")


def test_results_are_told_in_the_calling_thread_as_they_come() -> None:
    told: list[tuple[int, int, str]] = []
    run_tasks(
        [1, 2, 3],
        lambda n: n * n,
        concurrency=2,
        on_done=lambda task, result: told.append((task, result, threading.current_thread().name)),
    )
    assert sorted(told) == [(n, n * n, threading.current_thread().name) for n in (1, 2, 3)]


def test_no_tasks_need_no_threads() -> None:
    before = threading.active_count()
    assert run_tasks([], lambda n: n, concurrency=8).results == []
    assert threading.active_count() == before


@pytest.mark.parametrize("problem", [ValueError("broken"), SystemExit(3), RecursionError()])
def test_an_exception_of_the_work_ends_the_run(problem: BaseException) -> None:
    def work(n: int) -> int:
        if n == 1:
            raise problem
        return n

    with pytest.raises(type(problem)):
        run_tasks(range(3), work, concurrency=1)


def test_an_exception_while_a_result_is_kept_ends_the_run() -> None:
    def keep(task: int, result: int) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run_tasks(range(3), lambda n: n, concurrency=2, on_done=keep)


def test_after_an_exception_nothing_is_begun_any_more() -> None:
    begun: list[int] = []

    def work(n: int) -> int:
        begun.append(n)
        if n == 0:
            raise ValueError
        time.sleep(0.01)
        return n

    with pytest.raises(ValueError):  # noqa: PT011, a bare ValueError is what was raised
        run_tasks(range(1000), work, concurrency=1)
    time.sleep(0.05)
    assert len(begun) < 100


def test_an_interrupt_while_a_result_is_kept_leaves_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    kept: list[int] = []

    def keep(task: int, result: int) -> None:
        kept.append(task)
        if len(kept) == 4:
            raise KeyboardInterrupt

    def work(n: int) -> int:
        time.sleep(0.01)
        return n

    pooled = run_tasks(range(100), work, concurrency=1, on_done=keep)
    assert pooled.interrupted
    assert pooled.results[:4] == [0, 1, 2, 3]
    # A call under way may still finish.
    assert pooled.results[6:] == [None] * 94
    assert "interrupted" in capsys.readouterr().err


def test_an_interrupt_before_the_first_task_begins_nothing() -> None:
    interrupts = Interrupts()
    interrupts.count = 1
    pooled = run_tasks([1, 2], lambda n: pytest.fail("was begun"), concurrency=1, interrupts=interrupts)
    assert (pooled.results, pooled.interrupted) == ([None, None], True)


def test_calls_under_way_get_some_time_after_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "GRACE_S", 0.1)
    interrupts = Interrupts()

    def work(n: int) -> int:
        if n == 0:
            interrupts.count += 1
            return n
        time.sleep(30)
        return n

    start = time.monotonic()
    pooled = run_tasks(range(4), work, concurrency=2, interrupts=interrupts)
    assert pooled.interrupted
    assert pooled.results == [0, None, None, None]
    assert time.monotonic() - start < 5


def test_a_second_interrupt_waits_for_nothing() -> None:
    interrupts = Interrupts()

    def work(n: int) -> int:
        interrupts.count = 2
        time.sleep(30)
        return n

    start = time.monotonic()
    assert run_tasks([1], work, concurrency=1, interrupts=interrupts).interrupted
    assert time.monotonic() - start < 5


def test_signals_are_counted_and_handed_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Interrupts() as interrupts:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            assert interrupts.count == 2
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_a_thread_signals_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen: list[object] = []

    def inside() -> None:
        with Interrupts():
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=inside)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_limit_on_one_call() -> None:
    assert call_within(lambda: 7, 5) == 7
    with pytest.raises(TimeoutError, match=r"no answer within 0\.05 s"):
        call_within(lambda: time.sleep(30), 0.05)
    with pytest.raises(KeyError):
        call_within(lambda: {}["x"], 5)


def test_a_call_that_never_ends_does_not_keep_the_process_alive() -> None:
    code = """
import threading
from judgekit.pool import call_within
try:
    call_within(threading.Event().wait, 0.05)
except TimeoutError:
    print("over")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "over\n"


SUITE = """
suite: s
variants: {v1: {function: "answers:answer"}}
cases:
  - {id: a, expect: {contains: x}}
  - {id: b, expect: {contains: x}}
  - {id: c, expect: {contains: x}}
"""

ANSWERS = """
import os, pathlib, signal, threading, time

def answer(case):
    if case.case_id == "b":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)  # until the main thread has met it
        if pathlib.Path("hang").exists():
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait()
    return "x"
"""


@pytest.mark.parametrize("hang", [False, True])
def test_a_real_interrupt_keeps_what_was_done_and_exits_130(tmp_path: Path, hang: bool) -> None:
    (tmp_path / "judgekit.yaml").write_text("allow-code: true\nconcurrency: 1\n")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "a.yaml").write_text(SUITE)
    (tmp_path / "scenarios" / "answers.py").write_text(ANSWERS)
    if hang:
        (tmp_path / "hang").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "judgekit", "score", "--run-id", "one"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 130, done.stderr
    outputs = (tmp_path / "reports" / "one" / "outputs.jsonl").read_text()
    assert '"case_id":"a"' in outputs
    assert '"case_id":"c"' not in outputs
    assert (tmp_path / "reports" / "one" / "summary.json").exists()
    assert "interrupted" in done.stdout + done.stderr
