"""`--max-cost`, prices and models without one."""

from __future__ import annotations

from typing import Any

import pytest
from stub_server import reply

from judgekit.errors import InputError

PRICES = "prices: {openai/own: {input: 1000, output: 1000}}\n"
"""One USD for a thousand tokens: sums that can be done in the head."""
CALL_USD = 0.015
"""The stub counts 10 tokens in and 5 out."""


@pytest.fixture
def priced(project: Any) -> Any:
    project.write("judgekit.yaml", PRICES)
    project.numbered(10)
    return project


def own(project: Any, **how: Any) -> Any:
    return project.score(judge="openai/own", api_base=project.stub.url, concurrency=1, **how)


def test_the_run_stops_before_the_call_that_could_exceed_the_limit(priced: Any) -> None:
    # A call reserves 4,096 output tokens, $4.096, and its prompt of several hundred tokens.
    run = own(priced, max_cost=5)

    judged = priced.rows(run, kind="judge")
    assert run.decision.exit_code == 3
    assert 1 < priced.stub.n_calls < 10 or priced.stub.n_calls == 10
    assert run.summary["cost"]["judge_usd"] == pytest.approx(priced.stub.n_calls * CALL_USD)
    assert [row["status"] for row in judged] == ["pass"] * priced.stub.n_calls + ["skipped"] * (
        10 - priced.stub.n_calls
    )


def test_dbg(priced: Any) -> None:
    run = own(priced, max_cost=5)
    print(priced.stub.n_calls, run.decision, run.summary["cost"])
    run = own(priced, max_cost=4.2, no_cache=True)
    print(priced.stub.n_calls, run.decision, run.summary["cost"])
    assert 0
