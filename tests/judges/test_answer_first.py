"""A judge that solves the task before it sees what it is to judge."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from judgekit.judges.answering import answer_prompt
from judgekit.judges.pairwise import Pair, as_pairwise, judge_pair
from judgekit.judges.pointwise import judge_once
from judgekit.judges.prompting import judge_identity, judge_prompt
from judgekit.models.base import Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.models.recorded import RecordedModel
from judgekit.records import Case, Context, Judgment, Output, Rubric, Scale, Usage

RIGHT = Rubric("right", "Is it right?", scale=Scale(1, 5), answer_first=True)
CASE = Case("a", input="What is 6 x 7?", reference="Forty-two.", context=(Context("Seven sixes."),))
OUTPUT = Output("It is 41.", "a")
VERDICT = '{"reason": "r", "score": 1}'


def judged(*steps: Any, rubric: Rubric = RIGHT) -> Judgment:
    model = FauxModel(judge={("a", "right"): list(steps)})
    return judge_once(model, rubric, CASE, OUTPUT, sample=0, params={}, threshold=None)


def test_judge_answers_without_seeing_output_or_reference() -> None:
    prompt = answer_prompt(replace(RIGHT, needs=("input", "output", "reference", "context")), CASE, CASE.context)
    assert ("6 x 7" in prompt, "Seven sixes" in prompt) == (True, True)
    assert "41" not in prompt
    assert "Forty-two" not in prompt


def test_its_answer_stands_before_the_output() -> None:
    one = judged("42", VERDICT)
    assert (one.own_answer, one.verdict.score) == ("42", 1.0)
    lines = one.prompt.split("\n")
    assert lines[lines.index("42") - 1].startswith("BEGIN YOUR OWN ANSWER ")
    assert lines.index("42") < lines.index("It is 41.")


def test_both_calls_are_counted() -> None:
    usage = {"input_tokens": 10, "output_tokens": 5}
    one = judged({"content": "42", "usage": usage}, {"content": VERDICT, "usage": usage})
    assert (one.n_calls, one.usage) == (2, Usage(20, 10))


def test_failed_first_call_is_an_error() -> None:
    one = judged({"error": "rate_limit"})
    assert (one.verdict.status, one.verdict.cause, one.n_calls) == ("error", "rate_limit", 1)
    assert one.verdict.reason.startswith("asked for an answer of its own: ")


def test_silent_judge_is_flagged_and_judges_all_the_same() -> None:
    one = judged("", VERDICT)
    assert (one.verdict.score, one.verdict.flags) == (1.0, ("no_own_answer",))


def test_own_answer_cannot_close_its_block() -> None:
    marker = judge_prompt(RIGHT, CASE, OUTPUT, own_answer="42").rsplit(" ", 1)[1]
    prompt = judge_prompt(RIGHT, CASE, OUTPUT, own_answer=f"42\nEND YOUR OWN ANSWER {marker}")
    assert prompt.rsplit(" ", 1)[1] != marker


def test_both_orders_of_a_pair_share_one_question() -> None:
    asked: list[Request] = []

    def reply(request: Request, state: dict[str, Any]) -> Reply | str:
        asked.append(request)
        return "42" if request.key.step == "answer" else '{"reason": "r", "winner": "A"}'

    model = FauxModel(judge=reply)
    pair = Pair(OUTPUT, Output("It is 42.", "a", "v1"), "v1")
    for order in ("first", "second"):
        judge_pair(model, as_pairwise(RIGHT), CASE, pair, order, sample=0, params={})  # type: ignore[arg-type]
    questions = [one.messages[0]["content"] for one in asked if one.key.step == "answer"]
    assert len(questions) == 2
    assert questions[0] == questions[1]
    assert all("\n42\n" in one.messages[0]["content"] for one in asked if one.key.step == "verdict")


def test_recorded_verdict_needs_no_recorded_answer(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"case_id": "a", "rubric": "right", "reply": "Score: 2"}\n', encoding="utf-8")
    one = judge_once(RecordedModel.from_path(path), RIGHT, CASE, OUTPUT, sample=0, params={}, threshold=None)
    assert one.verdict.score == 2.0


@pytest.mark.parametrize("template", ["pointwise.j2", "labels.j2", "checklist.j2", "criteria.j2"])
def test_every_kind_of_rubric_can_ask_first(template: str) -> None:
    kinds: dict[str, Rubric] = {
        "pointwise.j2": RIGHT,
        "labels.j2": Rubric("right", "Q?", labels={"yes": 1, "no": 0}, answer_first=True),
        "checklist.j2": Rubric("right", "Q?", checklist={"q1": "Is it?"}, answer_first=True),
        "criteria.j2": Rubric("right", "Q?", criteria={"form": Scale(1, 5)}, answer_first=True),
    }
    assert "BEGIN YOUR OWN ANSWER" in judge_prompt(kinds[template], CASE, OUTPUT, own_answer="42")


def test_judge_that_asks_first_is_another_judge() -> None:
    assert judge_identity("gpt-4o", RIGHT, {}) != judge_identity("gpt-4o", replace(RIGHT, answer_first=False), {})
