"""A live model whose server fails: what is tried again, what ends the run, and under which cause the rest is kept."""

from __future__ import annotations

import time
from typing import Any

import pytest
import stub_server as say
from stub_server import Answer, Stub

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.limits import Limits
from judgekit.models.retry import RetryPolicy
from judgekit.pool import run_tasks

KEY = "sk-proj-0123456789abcdef"


def failure(live: Any, model: Any, **request: Any) -> ModelError:
    with pytest.raises(ModelError) as caught:
        live.ask(model, **request)
    return caught.value


# ------------------------------------------------------------------------------------------------------ trying again


@pytest.mark.parametrize(
    "fault",
    [
        say.rate_limit(),
        say.error(408),
        say.error(500),
        say.page(503),
        say.error(529, "Overloaded"),
        say.cut(),
        say.short(),
        say.broken(),
        say.broken(""),
        say.broken("null"),
        say.broken("{}"),
        say.page(),
        say.broken('{"error": {"message": "overloaded", "code": 503}}'),
    ],
    ids=lambda answer: f"{answer.status}-{answer.way}-{answer.body[:12]!r}",
)
def test_fault_that_may_pass_is_tried_again(stub: Stub, live: Any, fault: Answer) -> None:
    model = live.met()
    stub.answers(fault, say.reply("fine"))

    assert (live.ask(model).text, stub.n_calls) == ("fine", 2)


@pytest.mark.parametrize("role", ["judge", "target"])
@pytest.mark.parametrize(
    ("fault", "cause", "said"),
    [
        (say.rate_limit(), "rate_limit", r"\(429\): Rate limit reached for requests \(4 attempts\)"),
        (say.error(408), "timeout", r"\(408\)"),
        (say.error(500, "boom"), "provider", r"\(500\): boom \(4 attempts\)"),
        (say.page(502), "provider", r"\(502\): 502 Bad gateway"),
        (say.cut(), "provider", "connection was lost"),
        (say.short(), "malformed", "body is malformed"),
        (say.broken(), "malformed", "body is malformed: Unterminated string"),
        (say.page(), "malformed", "body is malformed"),
    ],
    ids=["429", "408", "500", "502", "cut", "short", "not-json", "html"],
)
def test_fault_that_stays_has_its_cause(stub: Stub, live: Any, fault: Answer, cause: str, said: str, role: str) -> None:
    model = live.met()
    stub.rule = lambda asked: fault

    problem = failure(live, model, role=role)

    # Only a target has a cause of its own for a body that cannot be read.
    expected = "provider" if cause == "malformed" and role == "judge" else cause
    assert (problem.cause, stub.n_calls) == (expected, 4)
    with pytest.raises(ModelError, match=said):
        raise problem


@pytest.mark.parametrize(
    ("fault", "cause"),
    [
        (say.error(400, "bad request"), "provider"),
        (say.error(401), "auth"),
        (say.error(403), "auth"),
        (say.error(404), "provider"),
        (say.error(413), "provider"),
        (say.filtered(), "content_filter"),
        (say.filtered(in_reply=True), "content_filter"),
        (say.error(400, "blocked", code="content_policy_violation"), "content_filter"),
        (say.error(400, "This model's maximum context length is 8 tokens", param="messages"), "provider"),
        # litellm takes this one for a rate limit, because of its words.
        (say.error(400, "The prompt says 429 rate limit"), "provider"),
    ],
    ids=["400", "401", "403", "404", "413", "filter", "filter-in-reply", "policy", "context", "words"],
)
def test_fault_that_will_not_pass_is_never_tried_again(stub: Stub, live: Any, fault: Answer, cause: str) -> None:
    model = live.met()
    stub.rule = lambda asked: fault

    assert (failure(live, model).cause, stub.n_calls, live.waits_s) == (cause, 1, [])


def test_waits_double_and_what_the_server_asks_for_is_kept(stub: Stub, live: Any) -> None:
    model = live.met(policy=RetryPolicy(attempts=5, first_wait_s=1))
    stub.answers(say.error(500), say.error(500), say.rate_limit("7"), say.error(500), say.reply())

    live.ask(model)

    # chance 0: the lower end of the spread, half of 1, 2, (the server's 7,) 8
    assert live.waits_s == [0.5, 1.0, 7.0, 4.0]


def test_wait_that_would_pass_the_total_time_is_not_begun(stub: Stub, live: Any) -> None:
    model = live.met(policy=RetryPolicy(total_s=60))
    stub.rule = lambda asked: say.rate_limit("3600")

    problem = failure(live, model)

    assert (problem.cause, stub.n_calls, live.waits_s) == ("rate_limit", 1, [])
    assert "in 3600 s, would be too late" in str(problem)


@pytest.mark.parametrize("fault", [say.hang(), say.trickle()], ids=["hang", "trickle"])
def test_call_that_never_ends_has_a_limit(stub: Stub, live: Any, fault: Answer) -> None:
    model = live.met(time_limit_s=0.3, policy=RetryPolicy(attempts=2))
    stub.rule = lambda asked: fault
    began = time.monotonic()

    problem = failure(live, model)

    assert (problem.cause, stub.n_calls) == ("timeout", 2)
    assert time.monotonic() - began < 5


def test_total_time_bounds_a_call_that_hangs(stub: Stub, live: Any) -> None:
    model = live.met(policy=RetryPolicy(total_s=0.3), time_limit_s=60)
    stub.rule = lambda asked: say.hang()

    assert (failure(live, model).cause, stub.n_calls) == ("timeout", 1)


def test_slots_are_halved_by_a_rate_limit(stub: Stub, live: Any) -> None:
    limits = Limits(8)
    model = live.met(limits=limits)
    stub.answers(say.rate_limit(), say.reply())

    live.ask(model)

    assert limits.allowed == 4


def test_other_providers_faults_are_read_as_well(stub: Stub, live: Any) -> None:
    model = live.model("anthropic/claude-3-5-sonnet-20240620")
    stub.rule = lambda asked: say.rate_limit("2")

    problem = failure(live, model, params={"temperature": 0, "seed": 1})

    # litellm knows that this provider takes no seed, and says so before anything is sent.
    assert (problem.cause, live.waits_s, stub.n_calls) == ("rate_limit", [2.0, 2.0, 2.0], 4)


# --------------------------------------------------------------------------------------------------------- first call


@pytest.mark.parametrize(
    ("status", "said"),
    [(401, "Is the key right"), (403, "Is the key right, and may it"), (404, "Is the model's name right")],
)
def test_first_call_that_is_refused_ends_the_run(stub: Stub, live: Any, status: int, said: str) -> None:
    stub.rule = lambda asked: say.error(status, "Refused.")
    model = live.model("openai/local")

    for _ in range(2):
        with pytest.raises(RunStopped, match=rf"openai/local at {stub.url}: .*\({status}\): Refused\. {said}"):
            live.ask(model)

    assert stub.n_calls == 1


def test_key_that_is_refused_is_named_by_its_variable(stub: Stub, live: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    stub.rule = lambda asked: say.error(401, f"Incorrect API key provided: {asked.headers['authorization']}")

    with pytest.raises(RunStopped, match=r"gpt-4o at .*Is the key in OPENAI_API_KEY right") as caught:
        live.ask(live.model("gpt-4o", base_url=None))

    assert KEY not in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "http://no-such-host.invalid/v1"])
def test_server_that_is_not_there_ends_the_run(live: Any, url: str) -> None:
    with pytest.raises(RunStopped, match=rf"{url}: no connection: .*Is the server running"):
        live.ask(live.model(base_url=url))


def test_name_that_no_provider_knows_ends_the_run(stub: Stub, live: Any) -> None:
    with pytest.raises(RunStopped, match="openai/NAME with --api-base"):
        live.ask(live.model("qwerty"))

    assert stub.n_calls == 0


def test_server_that_goes_away_later_is_an_error_of_the_call(live: Any) -> None:
    with say.Stub() as other:
        model = live.model(base_url=other.url)
        live.ask(model)
        other.rule = lambda asked: say.cut()
        assert failure(live, model).cause == "provider"


def test_others_wait_for_the_first_call(stub: Stub, live: Any) -> None:
    model = live.model()
    stub.answers(say.reply().after(0.3))

    run_tasks(range(5), lambda number: live.ask(model), concurrency=5)

    times = [asked.at_s for asked in stub.asked]
    assert times[1] - times[0] >= 0.3
    # The others do not wait for each other.
    stub.reset()
    stub.latency_s = 0.5
    began = time.monotonic()
    run_tasks(range(5), lambda number: live.ask(model), concurrency=5)
    assert time.monotonic() - began < 5 * 0.5


def test_one_refused_key_is_one_call_however_many_wait(stub: Stub, live: Any) -> None:
    model = live.model()
    stub.rule = lambda asked: say.error(401).after(0.1)

    def stopped(number: int) -> bool:
        with pytest.raises(RunStopped):
            live.ask(model)
        return True

    assert run_tasks(range(8), stopped, concurrency=8).results == [True] * 8
    assert stub.n_calls == 1


def test_one_refused_parameter_is_one_call_however_many_wait(stub: Stub, live: Any) -> None:
    model = live.model()
    stub.rule = say.refuses("temperature")

    run_tasks(range(8), lambda number: live.ask(model, params={"temperature": 0}), concurrency=8)

    assert stub.n_calls == 8 + 1


def test_first_call_that_failed_otherwise_lets_the_others_go(stub: Stub, live: Any) -> None:
    model = live.model(policy=RetryPolicy(attempts=1))
    stub.answers(say.error(500))

    assert failure(live, model).cause == "provider"
    assert live.ask(model).text == say.VERDICT


# ------------------------------------------------------------------------------------------------------------ secrets


@pytest.mark.parametrize("status", [400, 500, 502])
def test_no_message_repeats_a_key(stub: Stub, live: Any, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("TEAM_TOKEN", "swordfish-9")
    model = live.met()
    stub.rule = lambda asked: say.error(status, f"headers: {dict(asked.headers)}, team swordfish-9")

    said = str(failure(live, model))

    assert "***" in said
    assert KEY not in said
    assert "swordfish-9" not in said


def test_failure_carries_no_exception_of_the_client(stub: Stub, live: Any) -> None:
    # Its text and its request hold the headers, and a traceback would print them.
    model = live.met()
    stub.rule = lambda asked: say.error(400, "bad request")

    problem = failure(live, model)

    assert (problem.__cause__, problem.__context__) == (None, None)


def test_password_of_an_address_is_not_shown(stub: Stub, live: Any) -> None:
    url = stub.url.replace("http://", "http://me:secret-word@")
    stub.rule = lambda asked: say.error(404)

    with pytest.raises(RunStopped) as caught:
        live.ask(live.model(base_url=url))

    assert "secret-word" not in str(caught.value)


@pytest.mark.parametrize("options", [{"time_limit_s": 0}, {"prices": {"m": {"input": -1, "output": 1}}}])
def test_impossible_bound_is_a_mistake(live: Any, options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        live.model(**options)
