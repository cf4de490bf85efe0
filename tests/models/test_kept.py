"""The ledger, the cache, the budget and the model as one: nothing is paid for twice, whatever happens."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import ModelError, RunStopped
from judgekit.judges.reply import read_reply
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.budget import Budget, BudgetedModel
from judgekit.models.cache import ReplyCache
from judgekit.models.kept import KeptModel
from judgekit.models.ledger import Ledger
from judgekit.records import Scale, ToolCall, Usage


class Provider:
    """A model that charges 0.1 USD for each of these results, in their order; the last one stays."""

    name = "m"
    stateful = False
    live = True
    repairs = True

    def __init__(self, *results: Reply | Exception) -> None:
        self._results = results
        self.calls = 0

    def complete(self, request: Request) -> Reply:
        result = self._results[min(self.calls, len(self._results) - 1)]
        self.calls += 1
        if isinstance(result, Exception):
            raise result
        return result


GOOD = Reply('{"score": 1, "reason": "ok"}', usage=Usage(100, 20), cost_usd=0.1, latency_s=2.0)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    with ReplyCache(tmp_path / "cache.sqlite") as one:
        yield one


def ledger(folder: Path) -> Ledger:
    return Ledger(folder / "calls.jsonl")


def kept(
    inner: Any, cache: ReplyCache | None = None, ledger: Ledger | None = None, at_most: float | None = None
) -> KeptModel:
    return KeptModel(inner, base_url=None, cache=cache, ledger=ledger, price=lambda request: at_most)


def is_readable(reply: Reply) -> bool:
    return read_reply(reply.text, scale=Scale(0, 1)).status != "unscored"


def asked(case_id: str = "a", prompt: str = "p", repair: bool = False, **params: Any) -> Request:
    key = CallKey(case_id, "judge", "tone", repair=repair)
    return Request(key, ({"role": "user", "content": prompt},), params=params, is_usable=is_readable)


# -------------------------------------------------------------------------------------------------------- one run


def test_sampling_settings_belong_to_the_question(cache: ReplyCache) -> None:
    # BR-089
    provider = Provider(GOOD)
    model = kept(provider, cache)
    calls = [{"temperature": 0}, {"temperature": 0.7}, {"temperature": 0, "max_tokens": 50}, {"temperature": 0}]
    found = ["hit" if model.complete(asked(**params)).cached else "miss" for params in calls]
    assert (found, provider.calls) == (["miss", "miss", "miss", "hit"], 3)


def test_an_unreadable_reply_does_not_stick(cache: ReplyCache) -> None:
    # BR-091
    provider = Provider(Reply("no idea"), GOOD)
    replies = [kept(provider, cache).complete(asked()) for _ in range(2)]
    statuses = [read_reply(reply.text, scale=Scale(0, 1), threshold=1).status for reply in replies]
    assert (statuses, provider.calls) == (["unscored", "pass"], 2)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("Because", finish_reason="length"),
        Reply("Because", finish_reason="content_filter"),
        Reply("I can't help.", refusal="I can't help."),
        Reply(None, refusal="I can't help."),
        Reply(""),
        Reply(None),
    ],
    ids=str,
)
def test_an_incomplete_reply_is_not_kept(cache: ReplyCache, reply: Reply) -> None:
    kept(Provider(reply), cache).complete(Request(CallKey("a", "target"), ()))
    assert cache.info().entries == 0


def test_a_call_of_a_tool_is_a_complete_reply(cache: ReplyCache) -> None:
    reply = Reply(None, tool_calls=(ToolCall("search", {"q": "a"}),), finish_reason="tool_calls")
    kept(Provider(reply), cache).complete(Request(CallKey("a", "target"), ()))
    assert cache.info().models == {"m": 1}


def test_a_failed_call_is_not_kept(cache: ReplyCache, tmp_path: Path) -> None:
    provider = Provider(ModelError("too many requests", "rate_limit"), GOOD)
    with ledger(tmp_path) as calls:
        model = kept(provider, cache, calls)
        with pytest.raises(ModelError, match="too many requests"):
            model.complete(asked())
        assert model.complete(asked()).text == GOOD.text


def test_without_a_cache_everything_is_asked() -> None:
    provider = Provider(GOOD)
    model = kept(provider)
    assert [model.complete(asked()).cached for _ in range(2)] == [False, False]
    assert provider.calls == 2


def test_another_address_is_another_model(cache: ReplyCache) -> None:
    provider = Provider(GOOD)
    for base_url in (None, "http://127.0.0.1:8000/v1"):
        KeptModel(provider, base_url=base_url, cache=cache, ledger=None, price=lambda request: None).complete(asked())
    assert provider.calls == 2


def test_a_hit_costs_the_budget_nothing(cache: ReplyCache) -> None:
    kept(Provider(GOOD), cache).complete(asked())
    inner = BudgetedModel(Provider(GOOD), Budget(0), lambda request: 1.0)
    assert kept(inner, cache).complete(asked()).cached


def test_the_nature_of_the_model_is_that_of_the_inner_one() -> None:
    inner = Provider(GOOD)
    inner.repairs = False
    model = kept(inner)
    assert (model.name, model.stateful, model.live, model.repairs) == ("m", False, True, False)


def test_a_reply_is_the_same_at_once_and_after_a_resume(tmp_path: Path) -> None:
    strange = Reply("\ud800\x00", cost_usd=float("nan"), raw={"content": ("a", float("inf"), {1})})
    with ledger(tmp_path) as calls:
        first = kept(Provider(strange), ledger=calls).complete(asked())
    with ledger(tmp_path) as calls:
        assert kept(Provider(), ledger=calls).complete(asked()) == first


# ---------------------------------------------------------------------------------------------------- resumed runs


def test_a_resumed_run_repeats_no_finished_call(tmp_path: Path, cache: ReplyCache) -> None:
    replies = (GOOD, Reply("no idea", cost_usd=0.1), GOOD)
    wanted = [asked("a", "p"), asked("b", "q"), asked("b", "repair", repair=True)]
    with ledger(tmp_path) as calls:
        model = kept(Provider(*replies), cache, calls)
        first = [model.complete(one) for one in wanted]
    again = Provider(GOOD)
    with ledger(tmp_path) as calls:
        model = kept(again, cache, calls)
        # In another order, as threads come.
        second = [model.complete(one) for one in reversed(wanted)][::-1]
    assert (second, again.calls) == (first, 0)


def test_the_case_that_paid_for_a_reply_is_the_one_that_paid_after_a_resume_too(
    tmp_path: Path, cache: ReplyCache
) -> None:
    # Two cases with the same prompt: the first pays, the second finds the reply in the cache.
    with ledger(tmp_path) as calls:
        model = kept(Provider(GOOD), cache, calls)
        first = {case: model.complete(asked(case)).cost_usd for case in "ab"}
    with ledger(tmp_path) as calls:
        model = kept(Provider(), cache, calls)
        second = {case: model.complete(asked(case)).cost_usd for case in "ba"}
    assert first == second == {"a": 0.1, "b": 0.0}


def test_a_kill_between_ledger_and_cache_loses_nothing(tmp_path: Path, cache: ReplyCache) -> None:
    # The ledger comes first: without a cache the file is what such a kill leaves.
    with ledger(tmp_path) as calls:
        first = kept(Provider(GOOD), None, calls).complete(asked())
    with ledger(tmp_path) as calls:
        model = kept(Provider(), cache, calls)
        assert model.complete(asked()) == first
        assert model.complete(asked("another case")).cached


def test_the_ledger_comes_before_the_cache(tmp_path: Path) -> None:
    # Were it the other way round, a resumed run would take the reply for one of an earlier run, that cost nothing.
    class Watched(ReplyCache):
        def put(self, hashed: str, model: str, reply: Reply) -> None:
            seen.append((tmp_path / "calls.jsonl").read_text(encoding="utf-8").count(hashed))
            super().put(hashed, model, reply)

    seen: list[int] = []
    with Watched(tmp_path / "cache.sqlite") as cache, ledger(tmp_path) as calls:
        kept(Provider(GOOD), cache, calls).complete(asked())
    assert seen == [1]


def test_an_outage_is_asked_again_by_a_resumed_run(tmp_path: Path) -> None:
    with ledger(tmp_path) as calls, pytest.raises(ModelError):
        kept(Provider(ModelError("the server failed")), None, calls).complete(asked())
    with ledger(tmp_path) as calls:
        assert kept(Provider(GOOD), None, calls).complete(asked()).text == GOOD.text


def test_a_content_filter_is_not_asked_again_by_a_resumed_run(tmp_path: Path) -> None:
    filtered = Provider(ModelError("stopped by the filter", "content_filter"))
    for _ in range(2):
        with ledger(tmp_path) as calls, pytest.raises(ModelError, match="stopped by the filter"):
            kept(filtered, None, calls).complete(asked())
    assert filtered.calls == 1


def test_a_resumed_run_counts_what_it_spent_before(tmp_path: Path) -> None:
    def complete(number: int) -> Reply:
        with ledger(tmp_path) as calls:
            budget = Budget(0.5, spent_usd=calls.spent_usd)
            inner = BudgetedModel(Provider(GOOD), budget, lambda request: 0.3)
            return kept(inner, None, calls, at_most=0.3).complete(asked(prompt=str(number)))

    # 0.1 each: the third could bring the sum to 0.2 + 0.3 = 0.5, the fourth to 0.6.
    assert [complete(number).cost_usd for number in range(3)] == [0.1, 0.1, 0.1]
    with pytest.raises(RunStopped, match=r"\$0\.3 spent"):
        complete(3)


def test_an_unknown_cost_counts_as_the_most_it_may_be_after_a_resume(tmp_path: Path) -> None:
    with ledger(tmp_path) as calls:
        kept(Provider(Reply("4")), None, calls, at_most=0.3).complete(asked())
    with ledger(tmp_path) as calls:
        assert calls.spent_usd == 0.3


# ------------------------------------------------------------------------------------------------------- kill -9

RUN = """
import os, random, sys, threading, time
from pathlib import Path
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.cache import ReplyCache
from judgekit.models.kept import KeptModel
from judgekit.models.ledger import Ledger

folder, n = Path(sys.argv[1]), int(sys.argv[2])

def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

class Provider:
    name, stateful, live, repairs = "m", False, True, True

    def complete(self, request):
        say("asked", request.key.case_id)
        time.sleep(random.random() * 0.008)
        return Reply("reply to " + request.messages[0]["content"], cost_usd=0.1)

cache, ledger = ReplyCache(folder / "cache.sqlite"), Ledger(folder / "calls.jsonl")
model = KeptModel(Provider(), base_url=None, cache=cache, ledger=ledger, price=lambda request: None)
todo = list(range(n))
random.shuffle(todo)

def work():
    while todo:
        try:
            number = todo.pop()
        except IndexError:
            return
        reply = model.complete(Request(CallKey(str(number), "target"), ({"role": "user", "content": f"{number}"},)))
        say("given", number, reply.text.split()[-1], reply.cost_usd, reply.cached)

threads = [threading.Thread(target=work) for _ in range(4)]
for one in threads:
    one.start()
for one in threads:
    one.join()
say("done")
"""


def run_until(folder: Path, n: int, lines: int) -> list[list[str]]:
    """What a run says until it has ended, or until it is killed after so many lines."""
    process = subprocess.Popen([sys.executable, "-c", RUN, str(folder), str(n)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process, process.stdout as said:
        heard = [line for _, line in zip(range(lines), said, strict=False)]
        if len(heard) == lines:
            process.kill()
        heard += said.readlines()
    return [line.decode().split() for line in heard]


def test_after_kill_9_no_reply_that_was_given_is_lost_or_asked_again(tmp_path: Path) -> None:
    n, chance = 120, random.Random(9)
    given: dict[str, list[str]] = {}
    kills = 0
    while True:
        said = run_until(tmp_path, n, lines=chance.randrange(20, 80) if kills < 6 else 10**6)
        asked_for = {words[1] for words in said if words[0] == "asked"}
        assert not asked_for & set(given)
        for word, *words in said:
            if word == "given":
                # A call given before is given again just as it was: it was paid for, and by this run.
                assert given.setdefault(words[0], words) == words
        with ReplyCache(tmp_path / "cache.sqlite") as cache:
            assert cache.info().entries >= len(given)
        kept_lines = (tmp_path / "calls.jsonl").read_bytes().split(b"\n")[:-1]
        assert {json.loads(line)["case_id"] for line in kept_lines} >= set(given)
        if said[-1] == ["done"]:
            break
        kills += 1
    assert kills
    # As an undisturbed run: each case has its own reply, paid for once.
    assert given == {str(number): [str(number), str(number), "0.1", "False"] for number in range(n)}


def test_a_run_that_was_not_killed_leaves_no_half_line(tmp_path: Path) -> None:
    run_until(tmp_path, 5, lines=10**6)
    data = (tmp_path / "calls.jsonl").read_bytes()
    assert data.endswith(b"}\n")
    assert data.count(b"\n") == 5


def test_each_paid_reply_is_synced_before_it_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda number: (synced.append(os.fstat(number).st_size), real(number)))
    with ledger(tmp_path) as calls:
        model = kept(Provider(GOOD), None, calls)
        for number in range(3):
            model.complete(asked(str(number)))
            assert synced[-1] == (tmp_path / "calls.jsonl").stat().st_size
