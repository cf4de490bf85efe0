"""A judge whose server fails in every way: each case ends with its own verdict or with its own cause."""

from __future__ import annotations

from typing import Any

import pytest
from stub_server import FAULTS, error, failing, filtered, no_choices, reply

from judgekit.cli.show import show_run

# Asking again does not help with these, and once the first call was answered they are troubles of one case.
FINAL = {"auth": "auth", "filter": "content_filter", "filter_in_reply": "content_filter", "not_found": "provider"}
# A call that is never answered takes its two minutes: tests/models has that one.
QUICK = [name for name in FAULTS if name not in ("hang", "trickle")]


@pytest.mark.slow
def test_of_300_cases_each_gets_its_own_verdict_or_its_own_cause(project: Any) -> None:
    project.numbered(300)
    project.stub.rule = failing(0.3, project.own_score, seed=3, faults=QUICK)

    run = project.score(judge="gpt-4o", concurrency=32)

    judged = project.rows(run, kind="judge")
    assert [row["case_id"] for row in judged] == [f"case-{number}" for number in range(300)]
    with_score = [row for row in judged if row["score"]]
    for row in with_score:
        assert float(row["score"]) == project.score_of(int(row["case_id"].removeprefix("case-"))), row
        assert row["reason"] == f"number {row['case_id'].removeprefix('case-')}"
    causes = {row["cause"] for row in judged if not row["score"]}
    # A third of the faults are for good, so one case in eight ends with one: 0.3 / 3 / (1 - 0.3 * 2 / 3). One in 600
    # meets a passing fault four times in a row: (0.3 * 2 / 3) ** 4.
    assert 300 * 7 / 8 - 20 < len(with_score) < 300 * 7 / 8 + 20
    assert causes <= {*FINAL.values(), "refusal", "empty", "rate_limit", "timeout", "provider"}
    assert {"auth", "content_filter", "refusal"} <= causes
    assert all(row["status"] in ("error", "unscored") for row in judged if not row["score"])
    assert run.summary["cost"]["unpriced"] == []


@pytest.mark.parametrize("fault", FINAL)
def test_what_is_final_is_asked_once_and_named(project: Any, fault: str) -> None:
    project.numbered(2)
    project.stub.rule = lambda asked: FAULTS[fault]() if project.number_in(asked) == 1 else reply()

    run = project.score(judge="gpt-4o", concurrency=1)

    first, second = project.rows(run, kind="judge")
    assert (first["status"], second["status"], second["cause"]) == ("pass", "error", FINAL[fault])
    assert project.stub.n_calls == 2
    assert run.decision.exit_code == 0


def test_a_key_that_is_refused_at_once_ends_the_run_and_leaves_a_folder(project: Any) -> None:
    project.numbered(3)
    project.stub.rule = lambda asked: error(401, "Incorrect API key provided.")

    run = project.score(judge="gpt-4o")

    assert project.stub.n_calls == 1
    assert run.decision.exit_code == 3
    assert "OPENAI_API_KEY" in run.decision.reasons[-1]
    assert {(row["status"], row["cause"]) for row in project.rows(run, kind="judge")} == {("skipped", "interrupted")}
    assert (run.path / "report.html").is_file()
    assert run.summary["cost"]["unpriced"] == []


def test_why_a_run_was_stopped_is_printed_once(project: Any, capsys: Any) -> None:
    project.write(
        "scenarios/a.yaml",
        "suite: s\ndefaults: {expect: {contains: fine}}\ncases: [{id: a, input: Q}, {id: b, input: R}]\n",
    )
    project.stub.rule = lambda asked: error(401, "Incorrect API key provided.")

    show_run(project.score(model="gpt-4o").data)

    printed = capsys.readouterr()
    assert (printed.out + printed.err).count("Incorrect API key provided.") == 1
    assert "without a result: a, b" in printed.out


def test_a_target_that_is_refused_at_once_ends_the_run_and_can_be_gone_on_with(project: Any) -> None:
    project.write("scenarios/a.yaml", "suite: s\ndefaults: {expect: {contains: [fine]}}\ncases: [{id: a, input: Q}]\n")
    project.stub.answers(error(401, "Incorrect API key provided."))
    stopped = project.score(model="gpt-4o")
    project.stub.answers(reply("fine"))

    run = project.score(model="gpt-4o", resume="latest")

    assert (stopped.decision.exit_code, run.decision.exit_code) == (3, 0)
    assert stopped.summary["counts"]["pass"] == 0
    assert run.path == stopped.path


@pytest.mark.parametrize(
    ("answers", "status", "cause"),
    [
        ([reply(None, refusal="I can't help with that.")], "unscored", "refusal"),
        ([reply('{"reason": "It', finish_reason="length")] * 2, "unscored", "truncated"),
        ([no_choices()] * 2, "unscored", "empty"),
        ([reply("no idea")] * 2, "unscored", "parse"),
        ([filtered()], "error", "content_filter"),
        ([filtered(in_reply=True)], "error", "content_filter"),
    ],
)
def test_an_answer_without_a_verdict_has_its_cause(project: Any, answers: Any, status: str, cause: str) -> None:
    project.numbered(1)
    project.stub.answers(*answers)

    run = project.score(judge="gpt-4o")

    (row,) = project.rows(run, kind="judge")
    assert (row["status"], row["cause"], row["score"]) == (status, cause, "")
    assert project.stub.n_calls == len(answers)
    assert run.summary["cost"]["unpriced"] == []


def test_a_repair_turn_is_counted_and_paid_for(project: Any) -> None:
    project.numbered(1)
    project.stub.answers(reply("I like it."), reply())

    run = project.score(judge="gpt-4o")

    (row,) = project.rows(run, kind="judge")
    one_call_usd = (10 * 2.5 + 5 * 10) / 1e6
    assert (row["status"], row["score"], row["input_tokens"], row["output_tokens"]) == ("pass", "4.0", "20", "10")
    assert float(row["cost_usd"]) == pytest.approx(2 * one_call_usd)
    assert run.summary["judge_calls"]["made"] == 2
    assert [one["repair"] for one in project.records(run, "calls")] == [False, True]


def test_an_unreadable_reply_is_asked_again_by_the_next_run(project: Any) -> None:
    # BR-091: an unreadable reply stuck in the cache. Each unreadable reply has its repair turn.
    project.numbered(1)
    project.stub.answers(reply("no idea"), reply("none at all"), reply())

    first, second, third = (project.score(judge="gpt-4o") for _ in range(3))

    assert [project.rows(run, kind="judge")[0]["status"] for run in (first, second, third)] == [
        "unscored",
        "pass",
        "pass",
    ]
    assert [run.summary["judge_calls"]["made"] for run in (first, second, third)] == [2, 1, 0]
    assert project.stub.n_calls == 3


def test_a_repair_from_the_cache_is_free_and_the_first_reply_is_not(project: Any) -> None:
    project.numbered(1)
    project.stub.answers(reply("no idea"), reply(), reply("no idea"))

    first, second = (project.score(judge="gpt-4o") for _ in range(2))

    assert [run.summary["judge_calls"] for run in (first, second)] == [
        {"made": 2, "cached": 0, "skipped": 0},
        {"made": 1, "cached": 1, "skipped": 0},
    ]
    assert [row["cached"] for run in (first, second) for row in project.rows(run, kind="judge")] == ["false", "false"]
    assert second.summary["cost"]["judge_usd"] == pytest.approx(first.summary["cost"]["judge_usd"] / 2)
