"""One sample of a judge: asked, read, repaired at most once; what goes wrong is in the verdict."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from judgekit.judges.pointwise import judge_once
from judgekit.models.base import Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.models.recorded import RecordedModel
from judgekit.records import Case, Judgment, Output, Rubric, Scale, Usage

TONE = Rubric("tone", "Is it kind?", scale=Scale(1, 5))
CASE = Case("a", input="Where is my parcel?")
OUTPUT = Output("On its way, sorry for the wait.", case_id="a", variant="v1", trial=2)


def judged(*steps: Any, rubric: Rubric = TONE, output: Output = OUTPUT, **more: Any) -> Judgment:
    model = FauxModel(judge={("a", rubric.name): list(steps)})
    options: dict[str, Any] = {"sample": 0, "params": {"temperature": 0}, "threshold": None} | more
    return judge_once(model, rubric, CASE, output, **options)


def test_judgment_holds_what_it_rests_on() -> None:
    one = judged('{"reason": "kind", "score": 4}', threshold=Fraction(4), sample=3)
    assert (one.verdict.status, one.verdict.score, one.verdict.reason) == ("pass", 4.0, "kind")
    assert (one.case_id, one.variant, one.trial, one.sample, one.rubric, one.judge) == ("a", "v1", 2, 3, "tone", "faux")
    assert one.reply == '{"reason": "kind", "score": 4}'
    assert OUTPUT.text is not None
    assert OUTPUT.text in one.prompt


def test_seed_counts_up_with_the_sample_and_leaves_the_identity_alone() -> None:
    first, second = (judged("4", sample=sample, params={"seed": 7}) for sample in (0, 1))
    assert (first.params_requested["seed"], second.params_requested["seed"]) == (7, 8)
    assert first.judge_identity == second.judge_identity


def test_request_carries_schema_and_params() -> None:
    asked: list[Request] = []

    def reply(request: Request, state: dict[str, Any]) -> str:
        asked.append(request)
        return "4"

    judge_once(FauxModel(judge=reply), TONE, CASE, OUTPUT, sample=0, params={"temperature": 0}, threshold=None)
    assert asked[0].reply_schema is not None
    assert (list(asked[0].reply_schema["properties"]), asked[0].params) == (["reason", "score"], {"temperature": 0})


@pytest.mark.parametrize(
    ("needs", "cause"), [(("output", "context"), "no_context"), (("output", "reference"), "no_reference")]
)
def test_missing_evidence_is_an_error_without_a_call(needs: tuple[str, ...], cause: str) -> None:
    one = judged(rubric=Rubric("tone", "Q?", scale=Scale(1, 5), needs=needs))
    assert (one.verdict.status, one.verdict.cause, one.prompt, one.reply) == ("error", cause, "", None)


def test_output_that_failed_keeps_its_cause() -> None:
    one = judged(output=Output(None, case_id="a", cause="timeout", message="no answer in 60 s"))
    assert (one.verdict.status, one.verdict.cause, one.verdict.reason) == ("error", "timeout", "no answer in 60 s")


def test_empty_output_is_judged() -> None:
    assert judged("1", output=Output("", case_id="a")).verdict.score == 1.0


def test_failed_call_is_an_error_with_the_models_cause() -> None:
    one = judged({"error": "rate_limit"})
    assert (one.verdict.status, one.verdict.cause) == ("error", "rate_limit")


@pytest.mark.parametrize("fault", ["refusal", "truncated"])
def test_refusal_and_cut_reply_of_a_judge_are_unscored(fault: str) -> None:
    one = judged({"error": fault})
    assert (one.verdict.status, one.verdict.cause) == ("unscored", fault)


def test_unreadable_reply_is_repaired_once_and_both_calls_are_counted() -> None:
    usage = {"input_tokens": 10, "output_tokens": 5}
    one = judged({"content": "Nice.", "usage": usage}, {"content": "4", "usage": usage})
    assert (one.verdict.score, one.repaired, one.reply, one.usage) == (4.0, True, "4", Usage(20, 10))


def test_repair_shows_the_judge_its_reply_and_what_was_wrong() -> None:
    asked: list[Request] = []

    def reply(request: Request, state: dict[str, Any]) -> str:
        asked.append(request)
        return "Nice." if state["calls"] == 1 else "4"

    judge_once(FauxModel(judge=reply), TONE, CASE, OUTPUT, sample=0, params={}, threshold=None)
    assert asked[1].key.repair
    assert [message["role"] for message in asked[1].messages] == ["user", "assistant", "user"]
    assert asked[1].messages[1]["content"] == "Nice."
    assert asked[1].messages[2]["content"].startswith('That reply could not be read: no verdict found in "Nice."')


def test_second_unreadable_reply_leaves_the_first_cause() -> None:
    one = judged('{"score": 9}', "Nice.")
    assert (one.verdict.cause, one.reply, one.repaired) == ("out_of_range", '{"score": 9}', True)


def test_no_step_for_the_repair_leaves_the_first_cause() -> None:
    one = judged("Nice.")
    assert (one.verdict.status, one.verdict.cause, one.repaired) == ("unscored", "parse", False)


def test_refusal_is_not_asked_again() -> None:
    assert judged("I'm sorry, I can't judge this.", "4").verdict.cause == "refusal"


def test_replayed_reply_is_never_repaired(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"case_id": "a", "rubric": "tone", "reply": "Nice."}\n', encoding="utf-8")
    one = judge_once(RecordedModel.from_path(path), TONE, CASE, OUTPUT, sample=0, params={}, threshold=None)
    assert (one.verdict.cause, one.repaired, one.cost_usd, one.usage) == ("parse", False, 0.0, Usage())


def test_unknown_cost_of_one_call_is_unknown_of_both() -> None:
    def reply(request: Request, state: dict[str, Any]) -> Reply:
        return Reply("Nice.", cost_usd=None) if state["calls"] == 1 else Reply("4", cost_usd=0.25)

    one = judge_once(FauxModel(judge=reply), TONE, CASE, OUTPUT, sample=0, params={}, threshold=None)
    assert (one.verdict.score, one.cost_usd) == (4.0, None)


@pytest.mark.parametrize(
    ("rubric", "reply", "score"),
    [
        (Rubric("tone", "Q?", labels={"kind": 1, "rude": 0}), '{"reason": "r", "label": "rude"}', 0.0),
        (Rubric("tone", "Q?", checklist={"a": "A?", "b": "B?"}), '{"items": {"a": "yes", "b": "no"}}', 0.5),
        (Rubric("tone", "Q?", criteria={"a": Scale(1, 5), "b": Scale(1, 5)}), '{"criteria": {"a": 4, "b": 5}}', 4.5),
        (TONE, "Tone: 4", 4.0),
    ],
)
def test_every_kind_of_rubric_is_read_by_its_own_form(rubric: Rubric, reply: str, score: float) -> None:
    assert judged(reply, rubric=rubric).verdict.score == score
