"""Many calls at once through a server that fails in every way: each ends, and each with its own."""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from typing import Any

from stub_server import FAULTS, Answer, Asked, Stub, reply

from judgekit.errors import ModelError
from judgekit.models.limits import Limits
from judgekit.models.retry import RetryPolicy
from judgekit.pool import run_tasks

N_CALLS = 300
SHARE_FAILING = 0.3

# What a call ends with whose last answer was this one.
ENDS_WITH = {
    "rate_limit": "rate_limit",
    "rate_limit_bare": "rate_limit",
    "request_timeout": "timeout",
    "error_500": "provider",
    "error_503": "provider",
    "hang": "timeout",
    "trickle": "timeout",
    "cut": "provider",
    "short": "provider",
    "not_json": "provider",
    "html": "provider",
    "no_choices": "reply: None",
    "refusal": "reply: None",
    "filter": "content_filter",
    "filter_in_reply": "content_filter",
    "auth": "auth",
    "not_found": "provider",
}
NEVER_AGAIN = {"no_choices", "refusal", "filter", "filter_in_reply", "auth", "not_found"}


def test_every_call_ends_with_its_own_reply_or_its_own_cause(stub: Stub, live: Any) -> None:
    met: defaultdict[str, list[str]] = defaultdict(list)
    chance, lock = random.Random(7), threading.Lock()

    def rule(asked: Asked) -> Answer:
        with lock:
            fails = asked.number > 0 and chance.random() < SHARE_FAILING
            name = chance.choice(list(FAULTS)) if fails else ""
            met[asked.text].append(name)
        return FAULTS[name]() if name else reply(f"to {asked.text}")

    stub.rule = rule
    model = live.model(
        limits=Limits(20),
        policy=RetryPolicy(first_wait_s=0.01),
        time_limit_s=1.5,
    )

    def ended(number: int) -> str:
        try:
            return f"reply: {live.ask(model, f'call {number}').text}"
        except ModelError as problem:
            return problem.cause

    results = run_tasks(range(N_CALLS), ended, concurrency=20).results

    for number, result in enumerate(results):
        text = f"call {number}"
        last = met[text][-1]
        assert result == (ENDS_WITH[last] if last else f"reply: to {text}"), (text, met[text])
        # Again only after what may pass, and never more than four times.
        assert not NEVER_AGAIN & set(met[text][:-1])
        assert len(met[text]) <= 4
    assert {name for names in met.values() for name in names} == {"", *FAULTS}
    assert ENDS_WITH.keys() == FAULTS.keys()
