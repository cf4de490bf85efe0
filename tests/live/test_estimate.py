"""`judgekit estimate` against what the run then asks and costs."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest
from stub_server import Asked, reply

from judgekit.cli.main import main
from judgekit.pipeline.estimate import Expected, estimate
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import make_plan

SUITE = """\
suite: s
model: gpt-4o
params: {max_tokens: 20}
defaults: {expect: {contains: [fine]}, rubrics: [helpfulness]}
cases:
  - {id: a, input: How is it?}
  - {id: b, input: And now?}
  - {id: c, input: Is it bad?}
"""


def expected(options: Options) -> tuple[dict[str, Expected], int]:
    """By role, and the judgments that failed checks save."""
    plan = make_plan(options, record=options.resume is not None)
    with plan.doors:
        rows, skipped = estimate(plan)
    return {one.role: one for one in rows}, skipped


@pytest.fixture
def targets(project: Any) -> Any:
    """Three cases of a live target, of which one fails its check; the usage is what a tokenizer of 4 would count."""
    project.write("scenarios/s.yaml", SUITE)

    def rule(asked: Asked) -> Any:
        said = "Quite bad." if "Is it bad?" in asked.text else "It is fine."
        is_judge = "response_format" in asked.body
        text = json.dumps({"reason": "r", "score": 4}) if is_judge else said
        size = len(json.dumps(asked.body["messages"])) + len(json.dumps(asked.body.get("response_format", "")))
        return reply(text, usage={"prompt_tokens": math.ceil(size / 4), "completion_tokens": 150 if is_judge else 20})

    project.stub.rule = rule
    return project


def test_nothing_is_asked_and_the_run_then_costs_about_that(targets: Any) -> None:
    rows, skipped = expected(Options(judge=("gpt-4o",)))
    asked = targets.stub.n_calls
    run = targets.score(judge="gpt-4o", judge_all=True)

    assert asked == 0
    assert (rows["target"].calls, rows["judge"].calls, skipped) == (3, 3, 0)
    assert targets.stub.n_calls == 6
    assert rows["target"].cost_usd == pytest.approx(run.summary["cost"]["target_usd"], rel=0.1)
    # The judge is assumed to read replies of 400 tokens; these have three, at $2.50 a million.
    longer_usd = 3 * (400 - 3) * 2.5 / 1e6
    assert rows["judge"].cost_usd == pytest.approx(run.summary["cost"]["judge_usd"] + longer_usd, rel=0.1)


def test_after_a_run_all_is_known(targets: Any) -> None:
    targets.score(judge="gpt-4o")

    rows, skipped = expected(Options(judge=("gpt-4o",)))

    # Case c failed its check, also in the cache: its judgment is saved.
    assert {role: (one.calls, one.cached, one.cost_usd) for role, one in rows.items()} == {
        "target": (0, 3, 0.0),
        "judge": (0, 2, 0.0),
    }
    assert skipped == 1


def test_outputs_in_the_cache_are_judged_as_they_are(targets: Any) -> None:
    targets.score()

    rows, skipped = expected(Options(judge=("gpt-4o",)))
    run = targets.score(judge="gpt-4o")

    assert (rows["target"].calls, rows["judge"].calls, skipped) == (0, 2, 1)
    assert run.summary["judge_calls"] == {"made": 2, "cached": 0, "skipped": 1}
    assert rows["judge"].cost_usd == pytest.approx(run.summary["cost"]["judge_usd"], rel=0.1)


def test_without_the_cache_everything_is_asked_again(targets: Any) -> None:
    targets.score(judge="gpt-4o")

    rows, _ = expected(Options(judge=("gpt-4o",), no_cache=True))

    assert (rows["target"].calls, rows["judge"].calls) == (3, 3)


def test_of_a_run_to_resume_only_the_rest_is_counted(targets: Any) -> None:
    stopped = targets.score(no_cache=True, max_cost=0.0006, concurrency=1)
    done = targets.stub.n_calls

    rows, _ = expected(Options(no_cache=True, resume="latest"))

    assert stopped.decision.exit_code == 3
    assert 0 < done < 3
    assert (rows["target"].calls, rows["target"].cached) == (3 - done, done)


def test_samples_trials_and_equal_questions_are_counted(project: Any) -> None:
    project.numbered(2)
    project.write(
        "scenarios/twin.yaml", "name: twin\ninput: Which number?\noutput: This is number 0.\nrubrics: [helpfulness]\n"
    )

    rows, _ = expected(Options(judge=("gpt-4o",), judge_samples=3))
    run = project.score(judge="gpt-4o", judge_samples=3)

    assert (rows["judge"].calls, rows["judge"].cached) == (6, 3)
    assert run.summary["judge_calls"] == {"made": 6, "cached": 3, "skipped": 0}
    assert project.stub.n_calls == 6


def test_command_says_what_it_rests_on(project: Any, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    project.numbered(2)
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setattr(sys, "argv", ["judgekit", "estimate", "--judge", "gpt-4o", "--judge", "openai/unheard-of"])

    with pytest.raises(SystemExit) as end:
        main()

    printed = capsys.readouterr().out
    assert end.value.code == 0
    assert "judge gpt-4o: 2 calls, 0 known already" in printed
    assert "judge openai/unheard-of: 2 calls" in printed
    assert "no price known" in printed
    assert "and what has no known price" in printed.splitlines()[-1]
    assert project.stub.n_calls == 0
    assert project.runs == []


def test_the_own_answer_of_a_judge_is_a_call_and_shared_by_the_outputs_of_a_case(project: Any) -> None:
    project.write("rubrics/right.yaml", "name: right\nquestion: Q?\nscale: {min: 1, max: 5}\nanswer_first: true\n")
    project.write("scenarios/s.yaml", "suite: s\noutputs: o.csv\ncases: [{id: a, input: Q?, rubrics: [right]}]\n")
    project.write("scenarios/o.csv", "case_id,variant,output\na,v1,old\na,v2,new\n")
    project.stub.rule = lambda asked: reply('{"score": 3}' if "response_format" in asked.body else "Mine.")

    rows, _ = expected(Options(judge=("gpt-4o",)))
    run = project.score(judge="gpt-4o", concurrency=1)

    # One answer and two verdicts; the second time the answer is known.
    assert (rows["judge"].calls, project.stub.n_calls) == (3, 3)
    assert run.summary["judge_calls"] == {"made": 3, "cached": 1, "skipped": 0}
    assert {one["own_answer"] for one in project.records(run, "verdicts")} == {"Mine."}
