"""How many calls run at once, and how fast they begin."""

from __future__ import annotations

import threading
from contextlib import ExitStack

import pytest

from judgekit.errors import InputError
from judgekit.models.limits import Limits
from judgekit.pool import run_tasks


class Time:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_no_more_than_allowed_run_at_once() -> None:
    limits, lock = Limits(3), threading.Lock()
    running: list[int] = [0]
    most: list[int] = []

    def work(number: int) -> None:
        with limits.slot():
            with lock:
                running[0] += 1
                most.append(running[0])
            threading.Event().wait(0.005)
            with lock:
                running[0] -= 1

    run_tasks(range(40), work, concurrency=10)

    assert max(most) == 3


def test_one_burst_of_refusals_halves_once() -> None:
    limits = Limits(8)
    with ExitStack() as stack:
        burst = [stack.enter_context(limits.slot()) for _ in range(5)]
        for slot in burst:
            limits.refused(slot)
    assert limits.allowed == 4


def test_refusal_after_the_halving_halves_again() -> None:
    limits = Limits(8)
    for _ in range(2):
        with limits.slot() as slot:
            limits.refused(slot)
    assert limits.allowed == 2


def test_one_slot_always_stays() -> None:
    limits = Limits(2)
    for _ in range(5):
        with limits.slot() as slot:
            limits.refused(slot)
    assert limits.allowed == 1


def test_as_many_successes_as_slots_make_one_slot_more() -> None:
    limits = Limits(8)
    with limits.slot() as slot:
        limits.refused(slot)
    grown = []
    for _ in range(4 + 5 + 6 + 7 + 20):
        limits.succeeded()
        grown.append(limits.allowed)
    # 4 successes for the fifth slot, then 5, 6, 7; never more than at first
    assert [grown.index(allowed) + 1 for allowed in (5, 6, 7, 8)] == [4, 9, 15, 22]
    assert max(grown) == 8


def test_refusal_ends_a_run_of_successes() -> None:
    limits = Limits(4)
    with limits.slot() as old, limits.slot() as late:
        limits.refused(old)
        limits.succeeded()
        limits.refused(late)
        limits.succeeded()
    assert limits.allowed == 2


def test_slot_comes_back_from_a_call_that_failed() -> None:
    limits = Limits(1)
    with pytest.raises(ValueError, match="boom"), limits.slot():
        raise ValueError("boom")
    with limits.slot() as slot:
        assert slot.era == 0


def test_calls_begin_evenly() -> None:
    time, begun = Time(), []
    limits = Limits(5, rpm=30, clock=time.clock, sleep=time.sleep)
    for _ in range(4):
        with limits.slot():
            begun.append(time.now_s)
    # 30 a minute: one every 2 s, the first at once
    assert begun == [100, 102, 104, 106]


def test_time_without_calls_is_not_made_up_for() -> None:
    time, begun = Time(), []
    limits = Limits(5, rpm=60, clock=time.clock, sleep=time.sleep)
    for pause in (0, 10, 0):
        time.now_s += pause
        with limits.slot():
            begun.append(time.now_s)
    assert begun == [100, 110, 111]


@pytest.mark.parametrize("bounds", [{"concurrency": 0}, {"concurrency": 1, "rpm": 0}, {"concurrency": -2}])
def test_impossible_bound_is_a_mistake(bounds: dict[str, int]) -> None:
    with pytest.raises(InputError, match="at least 1"):
        Limits(**bounds)
