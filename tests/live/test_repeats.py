"""`--trials`: what is asked again, and what repeats can't say."""

from __future__ import annotations

from typing import Any

from stub_server import reply

TARGET = "name: a\ninput: Q?\nexpect: {contains: [fine]}\n"
SAY_NOTHING = "byte for byte"


def test_each_trial_has_a_seed_of_its_own(project: Any) -> None:
    project.write("scenarios/a.yaml", TARGET)
    project.stub.rule = lambda asked: reply(f"Fine, seed {asked.body['seed']}.")

    run = project.score(model="gpt-4o", trials=3, seed=7)

    assert sorted(asked.body["seed"] for asked in project.stub.asked) == [7, 8, 9]
    outputs = {row["trial"]: row["output"] for row in project.rows(run, "cases")}
    assert outputs == {"0": "Fine, seed 7.", "1": "Fine, seed 8.", "2": "Fine, seed 9."}
    assert not any(SAY_NOTHING in warning for warning in run.summary["warnings"])


def test_trials_that_only_repeat_each_other_are_told(project: Any) -> None:
    project.write("scenarios/a.yaml", TARGET)
    project.stub.rule = lambda asked: reply("Fine.")

    run = project.score(model="gpt-4o", trials=3)

    (said,) = [warning for warning in run.summary["warnings"] if SAY_NOTHING in warning]
    assert said.startswith("2 of 2 repeats are byte for byte what an earlier trial said")
    assert project.stub.n_calls == 3


def test_repeats_that_mostly_differ_are_no_news(project: Any) -> None:
    project.write("scenarios/a.yaml", TARGET)
    # Of three repeats one is the same.
    texts = {0: "Fine.", 1: "Fine.", 2: "Fine!", 3: "Fine?"}
    project.stub.rule = lambda asked: reply(texts[asked.body["seed"]])

    run = project.score(model="gpt-4o", trials=4)

    assert not any(SAY_NOTHING in warning for warning in run.summary["warnings"])
