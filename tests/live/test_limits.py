"""How many calls at a time, and how many a minute."""

from __future__ import annotations

import time
from typing import Any

import pytest
from stub_server import rate_limit


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_calls_than_allowed_are_under_way(project: Any, concurrency: int) -> None:
    project.numbered(9)
    project.stub.latency_s = 0.2

    project.score(judge="gpt-4o", concurrency=concurrency)

    # A call that arrives less than its time after another one runs beside it.
    at_s = [asked.at_s for asked in project.stub.asked]
    beside = [sum(0 <= one - other < 0.19 for other in at_s) for one in at_s]
    assert max(beside) == concurrency


def test_calls_are_spread_over_the_minute(project: Any) -> None:
    project.numbered(4)

    project.score(judge="gpt-4o", rpm=300)

    # 300 a minute, one each 0.2 s: three gaps, and what the way to the server takes away from them.
    at_s = [asked.at_s for asked in project.stub.asked]
    assert at_s[-1] - at_s[0] > 0.4


def test_settings_give_both(project: Any) -> None:
    project.write("judgekit.yaml", "concurrency: 1\nrpm: 300\n")
    project.numbered(3)
    began = time.monotonic()

    project.score(judge="gpt-4o")

    assert time.monotonic() - began > 0.4


def test_after_too_many_requests_fewer_are_under_way(project: Any) -> None:
    project.numbered(30)
    project.stub.rule = lambda asked: (
        rate_limit("0.1") if 8 <= asked.number < 16 else project.own_score(asked).after(0.05)
    )

    run = project.score(judge="gpt-4o", concurrency=16)

    assert {row["status"] for row in project.rows(run, kind="judge")} <= {"pass", "fail"}
    at_s = [asked.at_s for asked in project.stub.asked[20:]]
    beside = [sum(0 <= one - other < 0.045 for other in at_s) for one in at_s]
    assert max(beside) <= 10
