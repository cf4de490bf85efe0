"""A live model over a real socket: replies, parameters, cost, and what reaches the server."""

from __future__ import annotations

import json
from typing import Any

import pytest
import stub_server as say
from stub_server import Stub

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.judges.reply import read_reply
from judgekit.models.limits import Limits
from judgekit.models.live import LiveModel, price_of
from judgekit.records import Scale, ToolCall, Usage

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}}
ONE_TO_FIVE = Scale(1, 5)


# ---------------------------------------------------------------------------------------------------------- the wire


def test_plain_name_goes_where_the_environment_says(stub: Stub, monkeypatch: pytest.MonkeyPatch, live: Any) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")

    live.ask(LiveModel("gpt-4o", limits=Limits(1)))

    asked = stub.asked[0]
    assert (asked.path, asked.headers["authorization"], asked.body["model"]) == (
        "/v1/chat/completions",
        "Bearer sk-environment",
        "gpt-4o",
    )


def test_explicit_address_needs_no_key(stub: Stub, live: Any) -> None:
    live.ask(live.model("openai/local"))

    assert (stub.asked[0].headers["authorization"], stub.asked[0].body["model"]) == ("Bearer none", "local")


def test_explicit_address_gets_the_key_where_there_is_one(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, live: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")

    live.ask(live.model("openai/local"))

    assert stub.asked[0].headers["authorization"] == "Bearer sk-environment"


def test_exactly_what_is_asked_for_is_sent(stub: Stub, live: Any) -> None:
    tool = {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}

    live.ask(live.model(), "Why?", params={"temperature": 0, "seed": 7}, tools=(tool,), reply_schema=SCHEMA)

    assert stub.asked[0].body == {
        "model": "local",
        "messages": [{"role": "user", "content": "Why?"}],
        "temperature": 0,
        "seed": 7,
        "tools": [tool],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True},
        },
    }


def test_half_a_surrogate_pair_is_sent_as_a_replacement(stub: Stub, live: Any) -> None:
    live.ask(live.model(), "a\ud800b\0c")

    assert stub.asked[0].text == "a\ufffdb\0c"


def test_nothing_is_printed(stub: Stub, live: Any, capfd: pytest.CaptureFixture[str]) -> None:
    model = live.met()
    stub.answers(say.error(500), say.page(503), say.reply("fine"), say.filtered())

    live.ask(model)
    with pytest.raises(ModelError):
        live.ask(model)

    assert capfd.readouterr() == ("", "")


# ----------------------------------------------------------------------------------------------------------- replies


def test_text_comes_with_its_circumstances(stub: Stub, live: Any) -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 20,
        "total_tokens": 120,
        "prompt_tokens_details": {"cached_tokens": 64},
        "completion_tokens_details": {"reasoning_tokens": 12},
    }
    stub.answers(say.reply("4", model="local-0613", reasoning="Let me see.", usage=usage).after(0.05))

    reply = live.ask(live.model())

    assert (reply.text, reply.finish_reason, reply.reasoning, reply.model_returned, reply.usage, reply.raw) == (
        "4",
        "stop",
        "Let me see.",
        "local-0613",
        Usage(100, 20, 64, 12),
        {"content": "4", "reasoning_content": "Let me see.", "finish_reason": "stop"},
    )
    assert 0.05 <= reply.latency_s < 5


def test_latency_is_that_of_the_attempt_that_succeeded(stub: Stub, live: Any) -> None:
    model = live.met()
    stub.answers(say.error(500).after(0.5), say.reply("fine"))

    assert live.ask(model).latency_s < 0.5


def test_usage_that_was_not_given_is_unknown(stub: Stub, live: Any) -> None:
    stub.answers(say.reply("4", usage={}))

    reply = live.ask(live.model("openai/gpt-4o"))

    assert (reply.usage, reply.cost_usd) == (Usage(), None)


def test_parallel_tool_calls_keep_their_order_ids_and_arguments(stub: Stub, live: Any) -> None:
    stub.answers(say.reply(None, tool_calls=[("search", {"q": "fee"}), ("clock", "")]))

    reply = live.ask(live.model(), role="target")

    assert (reply.text, reply.finish_reason, reply.tool_calls) == (
        None,
        "tool_calls",
        (ToolCall("search", {"q": "fee"}, "call_1"), ToolCall("clock", {}, "call_2")),
    )
    assert reply.raw["tool_calls"][0]["function"] == {"name": "search", "arguments": '{"q": "fee"}'}


@pytest.mark.parametrize("written", ['{"q": ', "[1]", '{"x": NaN}', '{"a": 1, "a": 2}', '{"q": ' + "[" * 200])
def test_arguments_that_are_no_object_are_kept_as_written(stub: Stub, live: Any, written: str) -> None:
    stub.answers(say.reply(None, tool_calls=[("search", written)]))

    assert live.ask(live.model(), role="target").tool_calls == (ToolCall("search", {"_unparsed": written}, "call_1"),)


def test_tool_call_of_a_judge_is_its_verdict(stub: Stub, live: Any) -> None:
    stub.answers(say.reply(None, tool_calls=[("verdict", {"reason": "ok", "score": 2})]))

    assert read_reply(live.ask(live.model()).raw, scale=ONE_TO_FIVE).score == 2


def test_refusal_is_a_reply_of_its_own_kind(stub: Stub, live: Any) -> None:
    stub.answers(say.reply(None, refusal="I can't help with that."))

    reply = live.ask(live.model())

    assert (reply.text, reply.refusal) == (None, "I can't help with that.")
    assert read_reply(reply.raw, scale=ONE_TO_FIVE).cause == "refusal"


def test_cut_reply_says_so(stub: Stub, live: Any) -> None:
    stub.answers(say.reply('{"reason": "It', finish_reason="length"))

    assert read_reply(live.ask(live.model()).raw, scale=ONE_TO_FIVE).cause == "truncated"


def test_answer_without_choices_is_empty_for_a_judge(stub: Stub, live: Any) -> None:
    stub.answers(say.no_choices())

    reply = live.ask(live.model())

    assert (reply.text, reply.raw) == (None, {"content": None, "finish_reason": None})
    assert read_reply(reply.raw, scale=ONE_TO_FIVE).cause == "empty"


def test_answer_without_choices_is_an_error_of_a_target(stub: Stub, live: Any) -> None:
    stub.answers(say.no_choices())

    with pytest.raises(ModelError, match="no choice") as caught:
        live.ask(live.model(), role="target")

    assert (caught.value.cause, stub.n_calls) == ("malformed", 1)


def test_log_probabilities_are_kept_where_they_were_asked_for(stub: Stub, live: Any) -> None:
    token = {"token": "4", "logprob": -0.25, "bytes": None, "top_logprobs": [{"token": "5", "logprob": -1.5}]}
    stub.answers(say.reply("4", logprobs={"content": [token]}))

    reply = live.ask(live.model(), params={"logprobs": True, "top_logprobs": 1})

    kept = reply.raw["logprobs"]["content"][0]
    assert (kept["token"], kept["logprob"], kept["top_logprobs"][0]["logprob"]) == ("4", -0.25, -1.5)
    assert stub.asked[0].body["top_logprobs"] == 1
    assert read_reply(reply.raw, scale=ONE_TO_FIVE).score == 4


def test_lone_surrogate_in_a_reply_becomes_a_replacement(stub: Stub, live: Any) -> None:
    body = json.loads(say.reply("half \ud83d of it").body)
    stub.answers(say.broken(json.dumps(body)))

    assert live.ask(live.model()).text == "half \ufffd of it"


# -------------------------------------------------------------------------------------------------------- parameters


def test_refused_parameter_is_left_out_once_and_for_all(stub: Stub, live: Any) -> None:
    stub.rule = say.refuses("temperature")
    model = live.model()

    first = live.ask(model, params={"temperature": 0, "seed": 1})
    second = live.ask(model, params={"temperature": 0, "seed": 2})

    assert [asked.body.get("temperature") for asked in stub.asked] == [0, None, None]
    assert (first.params_applied, second.params_applied) == ({"seed": 1}, {"seed": 2})


def test_several_refused_parameters_are_left_out_one_at_a_time(stub: Stub, live: Any) -> None:
    def rule(asked: say.Asked) -> say.Answer:
        for name in ("seed", "temperature"):
            if name in asked.body:
                return say.error(400, f"Unsupported parameter: '{name}' is not supported with this model.")
        return say.reply()

    stub.rule = rule

    reply = live.ask(live.model(), params={"temperature": 0, "seed": 1, "top_p": 0.5})

    sent = [sorted({"temperature", "seed", "top_p"} & asked.body.keys()) for asked in stub.asked]
    assert sent == [["seed", "temperature", "top_p"], ["temperature", "top_p"], ["top_p"]]
    assert reply.params_applied == {"top_p": 0.5}


def test_parameter_that_litellm_itself_knows_to_be_refused_is_left_out(stub: Stub, live: Any) -> None:
    reply = live.ask(live.model("o1"), params={"temperature": 0, "seed": 1})

    assert (reply.params_applied, stub.n_calls) == ({"seed": 1}, 1)


def test_model_that_refuses_a_schema_is_asked_in_words_only(stub: Stub, live: Any) -> None:
    stub.rule = say.refuses("response_format", "This model does not take response_format.")
    model = live.model(strict_params=True)

    first = live.ask(model, params={"seed": 1}, reply_schema=SCHEMA)
    live.ask(model, params={"seed": 1}, reply_schema=SCHEMA)

    assert ["response_format" in asked.body for asked in stub.asked] == [True, False, False]
    assert first.params_applied == {"seed": 1}


def test_schema_that_was_taken_is_among_the_applied_parameters(live: Any) -> None:
    reply = live.ask(live.model(), params={"seed": 1}, reply_schema=SCHEMA)

    assert reply.params_applied == {"seed": 1, "response_format": "json_schema"}


def test_bound_of_tokens_is_asked_for_under_its_other_name(stub: Stub, live: Any) -> None:
    stub.rule = say.refuses(
        "max_tokens", "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    )

    reply = live.ask(live.model(strict_params=True), params={"max_tokens": 50})

    assert stub.asked[1].body["max_completion_tokens"] == 50
    assert reply.params_applied == {"max_completion_tokens": 50}


def test_strict_params_ends_the_run_and_names_the_parameter(stub: Stub, live: Any) -> None:
    stub.rule = say.refuses("temperature")
    model = live.model(strict_params=True)

    for _ in range(2):
        with pytest.raises(RunStopped, match="does not take temperature"):
            live.ask(model, params={"temperature": 0})

    assert stub.n_calls == 1


def test_refused_request_that_names_no_parameter_is_not_repeated(stub: Stub, live: Any) -> None:
    stub.rule = lambda asked: say.error(400, "The temperature in Rome is not a valid question.", param="messages")

    with pytest.raises(ModelError, match=r"\(400\)") as caught:
        live.ask(live.met(), params={"temperature": 0})

    assert (caught.value.cause, stub.n_calls) == ("provider", 1)


@pytest.mark.parametrize("name", ["stream", "drop_params", "num_retries", "fallbacks", "mock_response", "n"])
def test_parameter_that_steers_the_call_is_a_mistake(stub: Stub, live: Any, name: str) -> None:
    with pytest.raises(InputError, match=name):
        live.ask(live.model(), params={name: 2})

    assert stub.n_calls == 0


# -------------------------------------------------------------------------------------------------------------- cost


def test_cost_of_a_listed_model_follows_the_list(live: Any) -> None:
    read, written = price_of("gpt-4o")

    # The stub counts 10 tokens in and 5 out.
    assert live.ask(live.model("openai/gpt-4o")).cost_usd == pytest.approx(10 * read + 5 * written)


def test_own_price_wins_over_the_list(stub: Stub, live: Any) -> None:
    model = live.model("openai/gpt-4o", prices={"openai/gpt-4o": {"input": 100, "output": 300, "cached": 10}})
    stub.answers(
        say.reply(
            usage={
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "total_tokens": 15,
                "prompt_tokens_details": {"cached_tokens": 4},
            }
        )
    )

    # 6 tokens at 100, 4 cached ones at 10 and 5 at 300 USD per million
    assert live.ask(model).cost_usd == pytest.approx((6 * 100 + 4 * 10 + 5 * 300) / 1e6)


def test_unlisted_model_has_no_cost_even_if_it_answers_under_a_listed_name(stub: Stub, live: Any) -> None:
    stub.answers(say.reply(model="gpt-4o"))

    assert live.ask(live.model("openai/local")).cost_usd is None


@pytest.mark.parametrize("name", ["local/unknown", "openai/local", "", "/", "gpt-4o/x"])
def test_unknown_price_is_none(name: str) -> None:
    assert price_of(name) is None


def test_listed_price_is_found_with_its_provider_before_the_name() -> None:
    assert price_of("openai/gpt-4o") == price_of("gpt-4o") is not None
    assert price_of("mistral/gpt-4o") is None
