"""The scripted model: queues, faults, matches, tool calls, usage, factories."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from judgekit.errors import InputError, ModelError
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.records import Case, ToolCall, Usage


def ask(model: FauxModel, text: str = "Hello?", case_id: str = "a", rubric: str = "") -> Reply:
    key = CallKey(case_id, "judge" if rubric else "target", rubric)
    return model.complete(Request(key, ({"role": "user", "content": text},)))


def cause_of(model: FauxModel, rubric: str = "") -> str:
    with pytest.raises(ModelError) as caught:
        ask(model, rubric=rubric)
    return caught.value.cause


def test_steps_are_answered_in_order() -> None:
    model = FauxModel(target={"a": ["one", "two"]})
    assert [ask(model).text, ask(model).text] == ["one", "two"]


def test_every_case_and_rubric_has_its_own_queue() -> None:
    model = FauxModel.of(
        [
            Case("a", faux_target=("A",), faux_judge={"tone": ("1",), "safety": ("2",)}),
            Case("b", faux_target=("B",)),
            Case("c"),
        ]
    )
    replies = [ask(model, case_id="b"), ask(model, rubric="safety"), ask(model), ask(model, rubric="tone")]
    assert [reply.text for reply in replies] == ["B", "2", "A", "1"]


@pytest.mark.parametrize("target", [{"a": []}, {}, None])
def test_exhausted_script_is_an_error_of_the_provider(target: Any) -> None:
    with pytest.raises(ModelError, match=r'^No more faux responses queued for case "a"\.$') as caught:
        ask(FauxModel(target=target))
    assert caught.value.cause == "provider"


def test_tool_calls_are_given_with_their_reason() -> None:
    reply = ask(FauxModel(target={"a": [{"tool_calls": [{"name": "search", "args": {"q": "fee"}}]}]}))
    assert (reply.text, reply.tool_calls, reply.finish_reason) == (
        None,
        (ToolCall("search", {"q": "fee"}, "call_1"),),
        "tool_calls",
    )


def test_usage_is_a_quarter_of_the_characters_rounded_up() -> None:
    # prompt "Hello?" 6 / 4 -> 2; reply "Revenue rose." 13 / 4 -> 4
    assert ask(FauxModel(target={"a": ["Revenue rose."]})).usage == Usage(2, 4)


def test_given_usage_replaces_the_estimate() -> None:
    step = {"content": "x", "usage": {"output_tokens": 70, "cached_tokens": 3}}
    assert ask(FauxModel(target={"a": [step]})).usage == Usage(math.ceil(6 / 4), 70, 3)


@pytest.mark.parametrize("fault", ["rate_limit", "timeout", "malformed"])
def test_fault_is_retried_with_the_next_step(fault: str) -> None:
    assert ask(FauxModel(target={"a": [{"error": fault}, "fine"]})).text == "fine"


def test_first_fault_stays_the_cause_when_the_script_ends() -> None:
    assert cause_of(FauxModel(target={"a": [{"error": "timeout"}, {"error": "rate_limit"}]})) == "timeout"


def test_call_gives_up_after_three_retries() -> None:
    # BR-102: the first call plus three.
    model = FauxModel(target={"a": [{"error": "rate_limit"}] * 5})
    with pytest.raises(ModelError, match="429") as caught:
        ask(model)
    assert caught.value.cause == "rate_limit"
    assert model.unused() == ['case "a": 1 unused faux step']


@pytest.mark.parametrize("fault", ["refusal", "truncated"])
def test_refusal_and_cut_reply_end_a_targets_call_at_once(fault: str) -> None:
    assert cause_of(FauxModel(target={"a": [{"error": fault}, "fine"]})) == fault


def test_refusal_of_a_judge_is_a_reply() -> None:
    reply = ask(FauxModel(judge={("a", "tone"): [{"error": "refusal"}]}), rubric="tone")
    assert (reply.text, reply.refusal) == (None, reply.raw["refusal"])


def test_cut_reply_of_a_judge_is_a_reply() -> None:
    reply = ask(FauxModel(judge={("a", "tone"): [{"error": "truncated"}]}), rubric="tone")
    assert (reply.finish_reason, reply.raw["finish_reason"]) == ("length", "length")


def test_malformed_body_is_named_for_a_target_and_the_providers_for_a_judge() -> None:
    target = FauxModel(target={"a": [{"error": "malformed"}]})
    judge = FauxModel(judge={("a", "tone"): [{"error": "malformed"}]})
    assert (cause_of(target), cause_of(judge, "tone")) == ("malformed", "provider")


def test_first_step_that_matches_is_taken() -> None:
    model = FauxModel(target={"a": [{"match": "renewal", "reply": "R"}, {"match": "(?i)FEE", "reply": "F"}, "other"]})
    assert [ask(model, "the fee?").text, ask(model, "hm?").text, ask(model, "renewals").text] == ["F", "other", "R"]


def test_nothing_that_matches_is_an_error_naming_the_patterns() -> None:
    with pytest.raises(ModelError, match="waiting: /renewal/"):
        ask(FauxModel(target={"a": [{"match": "renewal", "reply": "R"}]}), "fee?")


def test_endless_pattern_is_an_error() -> None:
    with pytest.raises(ModelError, match="longer than"):
        ask(FauxModel(target={"a": [{"match": "^(a|aa)+$", "reply": "R"}]}), "a" * 60 + "b")


def test_unused_steps_are_named() -> None:
    model = FauxModel(target={"a": ["1", "2"]}, judge={("a", "tone"): ["4"]})
    assert model.unused() == ['case "a": 2 unused faux steps', 'case "a", judge of "tone": 1 unused faux step']


def test_factory_answers_and_keeps_its_state_by_case() -> None:
    model = FauxModel(target=lambda request, state: f"{request.key.case_id}{state['calls']}")
    assert [ask(model, case_id=case).text for case in ("a", "b", "a")] == ["a1", "b1", "a2"]


def test_factory_may_give_a_step_or_a_reply() -> None:
    made: list[Any] = [{"error": "timeout"}, {"content": "step"}, Reply("reply")]
    model = FauxModel(target=lambda request, state: made.pop(0))
    assert [ask(model).text, ask(model).text] == ["step", "reply"]


def test_a_key_in_an_exception_of_a_factory_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "planted-7Qx2Lm9Vt4Rb")

    def leaks(request: Request, state: Any) -> str:
        raise RuntimeError("refused: planted-7Qx2Lm9Vt4Rb")

    with pytest.raises(ModelError, match=r"refused: \*\*\*$"):
        ask(FauxModel(target=leaks))


def test_exception_of_a_factory_is_an_error_with_its_type() -> None:
    # BR-093: one bad case is a result, and says RuntimeError.
    def fail(request: Request, state: dict[str, Any]) -> str:
        raise RuntimeError("boom")

    with pytest.raises(ModelError, match="RuntimeError: boom"):
        ask(FauxModel(target=fail))


def test_no_step_is_lost_or_given_twice_between_threads() -> None:
    model = FauxModel(target={"a": [str(number) for number in range(200)]})
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: ask(model).text, range(200)))
    assert sorted(map(int, filter(None, replies))) == list(range(200))


def test_what_is_no_step_is_named_with_case_and_number() -> None:
    with pytest.raises(InputError) as caught:
        FauxModel(judge={("a", "tone"): ["4", {"contnet": "x"}]})
    assert str(caught.value) == (
        'case "a", judge of "tone": faux: step 2: unknown key "contnet". Did you mean "content"?'
    )
