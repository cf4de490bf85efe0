"""A run that cannot go on: nothing more is begun, and what is under way is kept."""

from __future__ import annotations

import threading

from judgekit.errors import RunStopped
from judgekit.pool import run_tasks


def test_nothing_is_begun_after_a_stop() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 2:
            raise RunStopped("the budget is spent", cause="budget")
        return number

    pooled = run_tasks(range(10), work, concurrency=1)

    assert begun == [0, 1, 2]
    assert pooled.results == [0, 1, *[None] * 8]
    assert pooled.stopped is not None
    assert pooled.stopped.cause == "budget"
    assert not pooled.interrupted


def test_what_is_under_way_at_a_stop_is_kept() -> None:
    under_way, stopped = threading.Event(), threading.Event()

    def work(number: int) -> int:
        if number == 0:
            assert under_way.wait(5)
            stopped.set()
            raise RunStopped("the key was refused")
        under_way.set()
        assert stopped.wait(5)
        return number

    assert run_tasks([0, 1], work, concurrency=2).results == [None, 1]
