"""`--max-cost`, prices of one's own, and models whose price nobody knows."""

from __future__ import annotations

from typing import Any

import pytest
from stub_server import reply

from judgekit.cli.show import show_run
from judgekit.errors import InputError
from judgekit.models.budget import DEFAULT_OUTPUT_TOKENS

# One USD for a thousand tokens that are written: the stub counts 5 for each reply.
PRICES = "prices: {openai/own: {input: 0, output: 1000}}\n"
CALL_USD = 0.005
RESERVED_USD = DEFAULT_OUTPUT_TOKENS / 1000

WITHOUT = {"summary.md": "Without a known price: openai/own", "report.html": "Without a known price: openai/own"}
"""What is said of a model without a price, by file."""


@pytest.fixture
def priced(project: Any) -> Any:
    project.write("judgekit.yaml", PRICES)
    project.numbered(10)
    return project


def own(project: Any, **how: Any) -> Any:
    return project.score(judge="openai/own", api_base=project.stub.url, **how)


def test_run_stops_before_the_call_that_could_exceed_the_limit(priced: Any) -> None:
    # A call may begin while what was spent and its reservation fit: after none, one and two calls, not after three.
    run = own(priced, max_cost=RESERVED_USD + 2.5 * CALL_USD, concurrency=1)

    judged = [(row["status"], row["cause"]) for row in priced.rows(run, kind="judge")]
    assert priced.stub.n_calls == 3
    assert judged == [("pass", "")] * 3 + [("skipped", "budget")] * 7
    assert run.decision.exit_code == 3
    assert "--max-cost" in run.decision.reasons[-1]
    assert run.summary["cost"]["judge_usd"] == pytest.approx(3 * CALL_USD)


def test_many_calls_at_once_stay_below_the_limit(priced: Any) -> None:
    # Every call writes all that was reserved for it, $4.096: three fit into $13, however many begin at once.
    everything = {"prompt_tokens": 10, "completion_tokens": DEFAULT_OUTPUT_TOKENS}
    priced.stub.rule = lambda asked: reply(usage=everything).after(0.05)

    run = own(priced, max_cost=13, concurrency=8)

    assert priced.stub.n_calls == 3
    assert run.summary["cost"]["judge_usd"] == pytest.approx(3 * RESERVED_USD)


def test_stopped_run_goes_on_with_a_higher_limit(priced: Any) -> None:
    stopped = own(priced, max_cost=RESERVED_USD, concurrency=1)
    # What was spent before counts: one call more fits.
    further = own(priced, max_cost=RESERVED_USD + 1.5 * CALL_USD, concurrency=1, resume="latest")
    asked_before = priced.stub.n_calls

    run = own(priced, max_cost=100, resume="latest")

    assert [one.decision.exit_code for one in (stopped, further, run)] == [3, 3, 0]
    assert (asked_before, priced.stub.n_calls) == (2, 10)
    assert run.summary["cost"]["judge_usd"] == pytest.approx(10 * CALL_USD)


def test_limit_of_nothing_allows_what_is_cached(priced: Any) -> None:
    refused = own(priced, max_cost=0)
    own(priced)
    asked = priced.stub.n_calls

    run = own(priced, max_cost=0)

    assert (refused.decision.exit_code, run.decision.exit_code) == (3, 0)
    assert (asked, priced.stub.n_calls) == (10, 10)


def test_limit_of_the_settings_stops_targets_and_no_judge_is_asked(project: Any) -> None:
    project.write("judgekit.yaml", PRICES + "max_cost: 0.012\nmodel: openai/own\nparams: {max_tokens: 5}\n")
    cases = "".join(f"  - {{id: c{number}, input: Q{number}}}\n" for number in range(4))
    project.write("scenarios/s.yaml", f"suite: s\ndefaults: {{rubrics: [helpfulness]}}\ncases:\n{cases}")

    run = own(project, concurrency=1)

    # Each target may write 5 tokens, $0.005: two fit into $0.012.
    assert project.stub.n_calls == 2
    assert [(row["status"], row["cause"]) for row in project.rows(run, kind="judge")] == [("skipped", "budget")] * 4
    assert [row["output"] != "" for row in project.rows(run, "cases")] == [True, True, False, False]
    assert run.decision.exit_code == 3


@pytest.mark.parametrize("how", [{"max_cost": 1.0}, {}])
def test_limit_without_a_known_price_is_refused(project: Any, how: Any) -> None:
    project.write("judgekit.yaml", "" if how else "max_cost: 1\n")
    project.numbered(1)

    with pytest.raises(InputError, match='no price is known for "openai/own"'):
        own(project, **how)

    assert project.stub.n_calls == 0
    assert project.runs == []


@pytest.mark.parametrize("amount", [-1.0, float("nan"), float("inf")])
def test_limit_that_is_no_amount_is_refused(project: Any, amount: float) -> None:
    project.numbered(1)

    with pytest.raises(InputError, match="max_cost must be an amount in USD"):
        own(project, max_cost=amount)


def test_unknown_price_is_empty_and_listed_everywhere(project: Any, capsys: pytest.CaptureFixture[str]) -> None:
    project.numbered(2)

    run = own(project)

    show_run(run.data)
    assert [row["cost_usd"] for row in project.rows(run, kind="judge")] == ["", ""]
    assert [row["input_tokens"] for row in project.rows(run, kind="judge")] == ["10", "10"]
    assert (run.summary["cost"]["judge_usd"], run.summary["cost"]["unpriced"]) == (None, ["openai/own"])
    assert "cost: no price known for openai/own" in capsys.readouterr().out
    for name in WITHOUT:
        assert WITHOUT[name] in (run.path / name).read_text(encoding="utf-8")


def test_cost_of_target_and_judge_stand_apart(project: Any) -> None:
    project.write("scenarios/a.yaml", "name: a\ninput: Q?\nrubrics: [helpfulness]\n")
    project.stub.answers(
        reply(
            "Fine.",
            usage={
                "prompt_tokens": 1000,
                "completion_tokens": 100,
                "prompt_tokens_details": {"cached_tokens": 400},
                "completion_tokens_details": {"reasoning_tokens": 60},
            },
        )
    )

    run = project.score(model="gpt-4o", judge="gpt-4o")

    (case,), (judged,) = project.rows(run, "cases"), project.rows(run, kind="judge")
    # gpt-4o in USD per million tokens: input 2.50, cached input 1.25, output 10.
    target_usd = (600 * 2.5 + 400 * 1.25 + 100 * 10) / 1e6
    assert float(case["target_cost_usd"]) == pytest.approx(target_usd)
    assert (case["target_cached_tokens"], case["target_reasoning_tokens"]) == ("400", "60")
    assert run.summary["cost"]["target_usd"] == pytest.approx(target_usd)
    assert float(judged["cost_usd"]) == pytest.approx((10 * 2.5 + 5 * 10) / 1e6)
    assert run.summary["tokens"]["target_input"] == 1000
    assert run.summary["tokens"]["judge_output"] == 5
