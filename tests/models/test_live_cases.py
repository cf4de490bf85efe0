"""Situations that broke other tools, on a live model: the cases stand in tests/real_world/cases.jsonl."""

from __future__ import annotations

import json
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import stub_server as say
from stub_server import Stub

from judgekit.errors import ModelError
from judgekit.judges.reply import read_reply
from judgekit.models.limits import Limits
from judgekit.models.live import LiveModel, price_of
from judgekit.models.retry import RetryPolicy
from judgekit.records import Scale

_LINES = (Path(__file__).parents[1] / "real_world" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
CASES: dict[str, Any] = {case["id"]: case for case in map(json.loads, _LINES)}


def queue(stub: Stub, script: list[Any]) -> None:
    stub.answers(*(say.from_step(step) for step in script))


def test_retry_after_as_a_date(stub: Stub, live: Any) -> None:
    case = CASES["BR-084"]
    now = datetime.fromisoformat(case["input"]["now"]).timestamp()
    queue(stub, case["input"]["faux_script"])

    reply = live.ask(live.model(now=lambda: now))

    assert (stub.n_calls, live.waits_s) == (case["expected"]["calls"], case["expected"]["waits_s"])
    assert read_reply(reply.raw, scale=Scale(0, 1), threshold=1).status == case["expected"]["status"]


def test_model_rejects_temperature_0(stub: Stub, live: Any) -> None:
    case = CASES["BR-086"]
    queue(stub, case["input"]["faux_script"])

    reply = live.ask(live.model(), params={"temperature": 0})

    assert stub.n_calls == case["expected"]["calls"]
    assert ("temperature" in stub.asked[1].body) is case["expected"]["second_call_has_temperature"]
    assert "temperature" not in reply.params_applied
    assert read_reply(reply.raw, scale=Scale(0, 1), threshold=1).status == case["expected"]["status"]


def test_no_price_known_for_the_model(stub: Stub, live: Any) -> None:
    case = CASES["BR-087"]
    queue(stub, case["input"]["faux_script"])
    unknown, priced = case["expected"]["costs"]
    # 0.002 USD for 100 tokens in and 20 out: say 10 USD and 50 USD per million.
    prices = {"openai/priced": {"input": 10, "output": 50}}

    costs = [live.ask(live.model(name, prices=prices)).cost_usd for name in ("openai/unknown", "openai/priced")]

    assert costs == [unknown, pytest.approx(priced)]
    assert price_of("local/unknown") is None


def test_content_filter_taken_for_a_rate_limit(stub: Stub, live: Any) -> None:
    case = CASES["BR-101"]
    queue(stub, case["input"]["faux_script"]["a"] + case["input"]["faux_script"]["b"])
    model = live.model()

    with pytest.raises(ModelError, match=case["expected"]["detail_mentions"][0]) as caught:
        live.ask(model, "a")
    live.ask(model, "b")

    assert caught.value.cause == "content_filter"
    assert [asked.text for asked in stub.asked] == ["a", "b"]


def test_endless_retries(stub: Stub, live: Any) -> None:
    case = CASES["BR-102"]
    stub.rule = lambda asked: say.from_step(case["input"]["faux_script"]["always"])
    policy = RetryPolicy(attempts=1 + case["input"]["settings"]["max_retries"])

    with pytest.raises(ModelError, match=case["expected"]["detail_mentions"][0]):
        live.ask(live.model(policy=policy))

    assert stub.n_calls == case["expected"]["calls"]


def test_one_call_never_answers(stub: Stub, live: Any) -> None:
    case = CASES["BR-103"]
    settings = case["input"]["settings"]
    queue(stub, [say.VERDICT, case["input"]["faux_script"]["1"], say.VERDICT])
    model = LiveModel(
        "openai/local",
        base_url=stub.url,
        limits=Limits(1),
        policy=RetryPolicy(attempts=1 + settings["max_retries"]),
        time_limit_s=settings["timeout_s"],
    )
    began = time.monotonic()

    live.ask(model)
    with pytest.raises(ModelError, match=case["expected"]["detail_mentions"][0]) as caught:
        live.ask(model)
    live.ask(model)

    assert caught.value.cause == "timeout"
    assert time.monotonic() - began < case["expected"]["within_s"]
