"""Pairs judged by a live model: both orders asked, kept, resumed, foreseen."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from stub_server import Answer, Asked, error, reply

from judgekit.pipeline.estimate import estimate
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import make_plan

SUITE = """\
suite: s
outputs: outputs.jsonl
against: v1
cases:
  - {id: a, input: Q1?}
  - {id: b, input: Q2?}
"""
LENGTHS = {("a", "v1"): 3, ("a", "v2"): 9, ("b", "v1"): 7, ("b", "v2"): 2}


def longer(asked: Asked) -> Answer:
    """A judge that prefers the longer output, wherever it stands."""
    first, second = re.findall(r"^(x+)$", asked.text, re.MULTILINE)
    return reply(json.dumps({"reason": "length", "winner": "A" if len(first) > len(second) else "B"}))


def first_slot(asked: Asked) -> Answer:
    """A judge that always prefers what it is shown first."""
    return reply(json.dumps({"reason": "it came first", "winner": "A"}))


@pytest.fixture
def pairs(project: Any) -> Any:
    project.write("scenarios/s.yaml", SUITE)
    rows = [{"case_id": case, "variant": name, "output": "x" * n} for (case, name), n in LENGTHS.items()]
    project.write("scenarios/outputs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    project.stub.rule = longer
    return project


def score(project: Any, **how: Any) -> Any:
    return project.score(judge="gpt-4o", pairwise="helpfulness", **how)


def test_a_fair_judge_is_consistent(pairs: Any) -> None:
    run = score(pairs)

    assert [(row["case_id"], row["label"]) for row in pairs.rows(run)] == [("a", "win"), ("b", "loss")]
    orders = run.summary["comparisons"][0]["orders"]
    assert (orders["consistent"], orders["n"], pairs.stub.n_calls) == (2, 2, 4)


def test_a_judge_that_takes_the_first_wins_nothing_for_anybody(pairs: Any) -> None:
    pairs.stub.rule = first_slot

    run = score(pairs)

    assert [row["label"] for row in pairs.rows(run)] == ["tie", "tie"]
    orders = run.summary["comparisons"][0]["orders"]
    assert (orders["consistent"], orders["first_slot"], orders["second_slot"]) == (0, 2, 0)


def test_the_reply_schema_asks_for_the_reason_before_the_winner(pairs: Any) -> None:
    score(pairs)

    schema = pairs.stub.asked[0].body["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == ["reason", "winner"]
    assert schema["properties"]["winner"]["enum"] == ["A", "B", "tie"]


def test_the_second_run_asks_nobody(pairs: Any) -> None:
    first = score(pairs)
    again = score(pairs)

    assert pairs.stub.n_calls == 4
    assert again.summary["judge_calls"] == {"made": 0, "cached": 4, "skipped": 0}
    assert [row["label"] for row in pairs.rows(again)] == [row["label"] for row in pairs.rows(first)]


def test_equal_outputs_are_asked_in_both_orders(pairs: Any) -> None:
    rows = [{"case_id": case, "variant": name, "output": "xx"} for case, name in LENGTHS]
    pairs.write("scenarios/outputs.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    pairs.stub.rule = first_slot

    run = score(pairs)

    # The questions of case a and b differ in their input, the two orders of a case in nothing.
    assert pairs.stub.n_calls == 4
    assert run.summary["comparisons"][0]["ties"] == 2


def test_a_stopped_run_goes_on_and_repeats_no_call(pairs: Any) -> None:
    pairs.stub.answers(longer_of("A"), error(400, "insufficient quota", code="insufficient_quota"))
    run = score(pairs, concurrency=1, no_cache=True)
    asked = pairs.stub.n_calls

    resumed = score(pairs, resume=run.path.name, no_cache=True)

    assert [row["label"] for row in pairs.rows(resumed)] == ["win", "loss"]
    assert pairs.stub.n_calls - asked == 4 - sum(one.get("reply") is not None for one in verdicts_of(run))


def longer_of(winner: str) -> Answer:
    return reply(json.dumps({"reason": "length", "winner": winner}))


def verdicts_of(run: Any) -> list[dict[str, Any]]:
    return list(run.data.verdicts)


def test_estimate_counts_both_orders(pairs: Any) -> None:
    plan = make_plan(Options(judge=("gpt-4o",), pairwise=("helpfulness",), judge_samples=3))
    with plan.doors:
        (judge,), skipped = estimate(plan)

    assert (judge.calls, judge.cached, skipped) == (2 * 2 * 3, 0, 0)
    assert pairs.stub.n_calls == 0


def test_estimate_knows_what_a_run_has_kept(pairs: Any) -> None:
    score(pairs)

    plan = make_plan(Options(judge=("gpt-4o",), pairwise=("helpfulness",)))
    with plan.doors:
        (judge,), _ = estimate(plan)

    assert (judge.calls, judge.cached) == (0, 4)
