"""Scores weighted by a live model's log-probabilities: asked for, kept, and said where there are none."""

from __future__ import annotations

from typing import Any

import pytest
from stub_server import Answer, Asked, error, reply, tokens

RUBRIC = "name: clear\nquestion: Is it clear?\nscale: {min: 1, max: 5}\nweighted: true\n"
SPREAD = {"4": 0.5, " 4": 0.1, "5": 0.3, "good": 0.1}


def weighted(asked: Asked) -> Answer:
    text = '{"reason": "r", "score": 4}'
    if not asked.body.get("logprobs"):
        return reply(text)
    return reply(text, logprobs=tokens('{"reason": "r", "', "score", '": ', ("4", SPREAD), "}"))


def without_logprobs(asked: Asked) -> Answer:
    for name in ("top_logprobs", "logprobs"):
        if name in asked.body:
            return error(400, f"{name} is not supported by this model.", param=name, code="unsupported_parameter")
    return weighted(asked)


@pytest.fixture
def judged(project: Any) -> Any:
    project.numbered(2, rubrics="clear")
    project.write("rubrics/clear.yaml", RUBRIC)
    project.stub.rule = weighted
    return project


def test_score_is_weighted_and_what_is_missing_is_told(judged: Any) -> None:
    run = judged.score(judge="gpt-4o")

    # (.6 · 4 + .3 · 5) / .9
    assert [float(row["score"]) for row in judged.rows(run)] == [pytest.approx(13 / 3)] * 2
    assert judged.stub.asked[0].body["top_logprobs"] == 20
    (told,) = run.summary["weighted"]
    assert (told["n"], told["n_weighted"], told["n_without"]) == (2, 2, 0)
    assert told["max_missing"] == pytest.approx(0.1)


def test_more_than_a_tenth_on_no_point_is_a_warning(judged: Any) -> None:
    text = '{"score": 4}'
    spread = {"4": 0.7, "high": 0.3}
    judged.stub.rule = lambda asked: reply(text, logprobs=tokens('{"score": ', ("4", spread), "}"))

    run = judged.score(judge="gpt-4o")

    assert [row["flags"] for row in judged.rows(run)] == ["weighted;missing_mass"] * 2
    assert any("on 2 of 2 verdicts more than 0.1 of the probability" in one for one in run.summary["warnings"])


def test_replies_are_kept_with_their_log_probabilities(judged: Any) -> None:
    first = judged.score(judge="gpt-4o")
    asked = judged.stub.n_calls
    again = judged.score(judge="gpt-4o")
    replayed = judged.score(judge=f"replay:{first.path}")

    assert judged.stub.n_calls == asked
    scores = [[row["score"] for row in judged.rows(run)] for run in (first, again, replayed)]
    assert scores[0] == scores[1] == scores[2]


def test_model_without_log_probabilities_gives_the_mean_of_its_samples_and_says_so(judged: Any) -> None:
    judged.stub.rule = without_logprobs

    run = judged.score(judge="gpt-4o", judge_samples=2, concurrency=1)

    assert [(row["score"], row["flags"]) for row in judged.rows(run)] == [("4.0", "no_logprobs")] * 2
    assert any("gives no log-probabilities for 4 of 4 verdicts" in one for one in run.summary["warnings"])
    assert any("gpt-4o does not take logprobs" in one for one in run.summary["warnings"])


def test_weighted_and_plain_judges_are_two_judges(judged: Any) -> None:
    first = judged.score(judge="gpt-4o")
    judged.write("rubrics/clear.yaml", RUBRIC.replace("weighted: true\n", ""))
    plain = judged.score(judge="gpt-4o")

    identities = [{row["judge_identity"] for row in judged.rows(run)} for run in (first, plain)]
    assert identities[0].isdisjoint(identities[1])


def test_pairs_are_weighted_too(project: Any) -> None:
    project.write("rubrics/better.yaml", "name: better\nquestion: Which?\npairwise: true\nweighted: true\n")
    project.write("scenarios/s.yaml", "suite: s\noutputs: o.csv\ncases: [{id: a, input: Q?}]\n")
    project.write("scenarios/o.csv", "case_id,variant,output\na,v1,old\na,v2,new\n")

    def rule(asked: Asked) -> Answer:
        new_first = asked.text.index("\nnew\n") < asked.text.index("\nold\n")
        p = {"A": 0.8, "B": 0.2} if new_first else {"A": 0.4, "B": 0.6}
        word = max(p, key=lambda one: p[one])
        return reply(f'{{"winner": "{word}"}}', logprobs=tokens('{"winner": "', (word, p), '"}'))

    project.stub.rule = rule
    run = project.score(judge="gpt-4o", pairwise="better")

    (found,) = [one for one in run.summary["comparisons"] if one["kind"] == "pairwise"]
    # Shown first .8, shown second .6: a win in both orders, and .7 on average.
    assert (found["rules"]["strict"]["wins"], found["rules"]["mean"]["win_rate"]) == (1, pytest.approx(0.7))
