"""A limit of the cost that holds whatever is under way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.budget import Budget, BudgetedModel, upper_cost


def asked(number: int = 0, content: str = "Q?", **params: Any) -> Request:
    return Request(CallKey(str(number), "target"), ({"role": "user", "content": content},), params=params)


class Provider:
    """Charges what `costs` says of the case, and fails where that is an error."""

    name = "m"
    stateful = False
    live = True
    repairs = True

    def __init__(self, *costs: float | Exception | None, during: Callable[[], None] = lambda: None) -> None:
        self._costs = costs
        self._during = during
        self.asked: list[str] = []

    def complete(self, request: Request) -> Reply:
        self.asked.append(request.key.case_id)
        self._during()
        cost = self._costs[int(request.key.case_id)]
        if isinstance(cost, Exception):
            raise cost
        return Reply("Yes.", cost_usd=cost)


def budgeted(provider: Provider, budget: Budget, *at_most: float | None) -> BudgetedModel:
    return BudgetedModel(provider, budget, lambda request: at_most[int(request.key.case_id)])


def test_a_call_costs_what_it_did_cost_and_not_what_it_might_have() -> None:
    budget = Budget(1)
    budgeted(Provider(0.2), budget, 0.9).complete(asked())
    assert (budget.spent_usd, budget.reserved_usd) == (0.2, 0)


def test_the_call_that_could_exceed_the_limit_is_not_made() -> None:
    provider = Provider(0.8, 0.1)
    model = budgeted(provider, Budget(1), 0.9, 0.3)
    model.complete(asked(0))
    with pytest.raises(RunStopped) as caught:
        model.complete(asked(1))
    assert caught.value.cause == "budget"
    assert str(caught.value) == (
        "the limit of $1 is reached (--max-cost): $0.8 spent, $0 reserved for calls under way, and the next call may "
        "cost up to $0.3. What was paid for is kept: --resume goes on with a higher limit."
    )
    assert provider.asked == ["0"]


def test_the_limit_itself_may_be_spent() -> None:
    # As binary fractions 0.1 + 0.1 + 0.1 is more than 0.3.
    budget = Budget(0.3)
    model = budgeted(Provider(0.1, 0.1, 0.1), budget, 0.1, 0.1, 0.1)
    for number in range(3):
        model.complete(asked(number))
    assert budget.spent_usd == 0.3


def test_nothing_is_asked_once_the_run_was_stopped() -> None:
    provider = Provider(0.1, 0.1)
    model = budgeted(provider, Budget(1), 2, 0.1)
    for number in range(2):
        with pytest.raises(RunStopped, match="up to \\$2"):
            model.complete(asked(number))
    assert provider.asked == []


def test_what_a_resumed_run_spent_before_counts() -> None:
    with pytest.raises(RunStopped, match=r"\$0.95 spent"):
        budgeted(Provider(0), Budget(1, spent_usd=0.95), 0.1).complete(asked())


@pytest.mark.parametrize("cost", [None, float("nan"), float("inf"), -1.0])
def test_an_unknown_cost_is_the_most_it_may_be(cost: float | None) -> None:
    budget = Budget(1)
    budgeted(Provider(cost), budget, 0.4).complete(asked())
    assert budget.spent_usd == 0.4


@pytest.mark.parametrize(
    ("problem", "spent"),
    [
        (ModelError("too many requests", "rate_limit"), 0),
        (ModelError("the server failed", "provider"), 0),
        (ModelError("the key was refused", "auth"), 0),
        (RunStopped("the key was refused"), 0),
        (ModelError("no answer in time", "timeout"), 0.4),
        (ModelError("cut short", "malformed"), 0.4),
        (ModelError("stopped by the filter", "content_filter"), 0.4),
        (ValueError("a mistake of ours"), 0.4),
    ],
    ids=lambda one: str(one),
)
def test_a_failed_call_costs_what_the_provider_may_have_billed(problem: Exception, spent: float) -> None:
    budget = Budget(1)
    with pytest.raises(type(problem)):
        budgeted(Provider(problem), budget, 0.4).complete(asked())
    assert (budget.spent_usd, budget.reserved_usd) == (spent, 0)


def test_a_call_without_a_price_is_not_made() -> None:
    provider = Provider(0.1)
    with pytest.raises(RunStopped, match="no price is known for m") as caught:
        budgeted(provider, Budget(1), None).complete(asked())
    assert (caught.value.cause, provider.asked) == ("budget", [])


@pytest.mark.parametrize("limit", [-0.01, float("nan"), float("inf")])
def test_a_limit_that_is_no_amount_is_refused(limit: float) -> None:
    with pytest.raises(InputError, match=r"must be an amount in USD such as 2\.50"):
        Budget(limit)


def test_a_limit_of_nothing_lets_free_calls_through() -> None:
    assert budgeted(Provider(0.0), Budget(0), 0).complete(asked()).text == "Yes."


def test_a_call_waits_for_those_under_way_where_only_their_reservations_are_in_the_way() -> None:
    # Two calls may cost 0.6 each: together more than 1. Each costs 0.1, so one after the other both fit.
    begun, go_on = threading.Event(), threading.Event()
    budget = Budget(1)

    def during() -> None:
        begun.set()
        go_on.wait(5)

    provider = Provider(0.1, 0.1, during=during)
    model = budgeted(provider, budget, 0.6, 0.6)
    first = threading.Thread(target=model.complete, args=(asked(0),), daemon=True)
    second = threading.Thread(target=model.complete, args=(asked(1),), daemon=True)
    first.start()
    begun.wait(5)
    second.start()
    time.sleep(0.05)
    assert provider.asked == ["0"]
    go_on.set()
    first.join(5)
    second.join(5)
    assert (provider.asked, budget.spent_usd) == (["0", "1"], 0.2)


def test_a_call_that_waits_ends_with_the_run() -> None:
    # The first call costs all that it may, so the second, which waited for it, no longer fits.
    begun, go_on = threading.Event(), threading.Event()
    stopped: list[str] = []

    def during() -> None:
        begun.set()
        go_on.wait(5)

    model = budgeted(Provider(0.6, 0.1, during=during), Budget(1), 0.6, 0.6)

    def ask_second() -> None:
        try:
            model.complete(asked(1))
        except RunStopped as problem:
            stopped.append(str(problem))

    first, second = (
        threading.Thread(target=model.complete, args=(asked(0),), daemon=True),
        threading.Thread(target=ask_second, daemon=True),
    )
    first.start()
    begun.wait(5)
    second.start()
    go_on.set()
    first.join(5)
    second.join(5)
    assert [text.partition(": ")[2].partition(",")[0] for text in stopped] == ["$0.6 spent"]


cents = st.integers(0, 100).map(lambda number: number / 100)


@settings(max_examples=40, deadline=None)
@given(
    limit=cents,
    calls=st.lists(st.tuples(cents, cents, st.sampled_from(["paid", "unknown", "failed", "timeout"])), max_size=20),
    threads=st.integers(1, 6),
)
def test_calls_under_way_never_exceed_the_limit_together(
    limit: float, calls: Sequence[tuple[float, float, str]], threads: int
) -> None:
    bills: list[Fraction] = []
    outcomes: dict[str, float | Exception | None] = {
        "unknown": None,
        "failed": ModelError("no", "provider"),
        "timeout": ModelError("no", "timeout"),
    }
    at_most = [max(pair[:2]) for pair in calls]
    costs = [outcomes.get(kind, min(pair)) for *pair, kind in calls]
    billed = [min(pair) if kind == "paid" else 0 if kind == "failed" else max(pair) for *pair, kind in calls]
    budget = Budget(limit)
    under_way = Fraction(0)
    lock = threading.Lock()
    peaks: list[Fraction] = []

    class Billing(Provider):
        def complete(self, request: Request) -> Reply:
            # What the calls so far were billed, and the most that those under way can be.
            nonlocal under_way
            number = int(request.key.case_id)
            with lock:
                under_way += Fraction(str(at_most[number]))
                peaks.append(sum(bills, under_way))
            time.sleep(0.0005)
            with lock:
                under_way -= Fraction(str(at_most[number]))
                bills.append(Fraction(str(billed[number])))
            return super().complete(request)

    model = budgeted(Billing(*costs), budget, *at_most)
    todo = list(range(len(calls)))

    def work() -> None:
        while True:
            with lock:
                if not todo:
                    return
                number = todo.pop(0)
            try:
                model.complete(asked(number))
            except (ModelError, RunStopped):
                continue

    workers = [threading.Thread(target=work, daemon=True) for _ in range(threads)]
    for one in workers:
        one.start()
    for one in workers:
        one.join(10)
    assert not any(one.is_alive() for one in workers)
    assert max(peaks, default=0) <= Fraction(str(limit))
    assert sum(bills) == Fraction(str(budget.spent_usd))


def test_the_longest_reply_is_what_the_call_allows() -> None:
    cost = [
        upper_cost(asked(**params), usd_per_input_token=0, usd_per_output_token=1)
        for params in ({"max_tokens": 7}, {"max_completion_tokens": 9}, {}, {"max_tokens": None}, {"max_tokens": True})
    ]
    assert cost == [7, 9, 4096, 4096, 4096]


@pytest.mark.parametrize(("content", "tokens"), [("x" * 300, 100), ("好" * 100, 100), ("\ud800" * 100, 100)], ids=ascii)
def test_three_bytes_are_a_token(content: str, tokens: int) -> None:
    # An empty message has [{"role": "user", "content": ""}], 33 bytes, so 11 tokens.
    cost = upper_cost(asked(content=content, max_tokens=1), usd_per_input_token=1, usd_per_output_token=0)
    assert cost == 11 + tokens


def test_tools_and_reply_schema_are_paid_for_too() -> None:
    plain = asked(max_tokens=1)
    full = Request(plain.key, plain.messages, ({"name": "f"},), {"type": "object"}, plain.params)
    costs = [upper_cost(one, usd_per_input_token=3, usd_per_output_token=0) for one in (plain, full)]
    # [{"name": "f"}] has 15 bytes and {"type": "object"} 18: 35 + 33 = 68 bytes are 23 tokens instead of 12.
    assert costs == [36, 69]
