"""A limit in USD in, calls out that together cannot exceed it, however many are under way at once."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from fractions import Fraction

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.base import Model, Reply, Request
from judgekit.models.encoding import outgoing_text

DEFAULT_OUTPUT_TOKENS = 4096
"""Output tokens that a call is bounded by when it asks for no limit of its own."""

BYTES_PER_TOKEN = 3
"""Fewer than any text has on average: three characters of English, one of Chinese."""

_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")

# The provider had begun to answer, so it may send a bill; whatever else fails was turned away at its door.
_MAYBE_BILLED = frozenset(("timeout", "truncated", "malformed", "content_filter", "refusal"))


class Budget:
    """What a run may spend: spent so far, and reserved for calls under way. One object may serve many threads.

    Sums are exact in the decimals that prices are written in: three calls of 0.1 USD fit into 0.3 USD.

    Args:
        max_usd: The limit, 0 or more.
        spent_usd: What was spent already: for a resumed run, `Ledger.spent_usd`.

    Raises:
        InputError: the limit is no amount.

    Example:
        >>> budget = Budget(1.0, spent_usd=0.5)
        >>> budget.settle(budget.reserve(0.4), 0.1)
        >>> budget.spent_usd, budget.reserved_usd
        (0.6, 0.0)
    """

    def __init__(self, max_usd: float, *, spent_usd: float = 0.0) -> None:
        if not math.isfinite(max_usd) or max_usd < 0:
            raise InputError(f"the limit of the cost must be an amount in USD such as 2.50, not {max_usd}.")
        self._limit = _exact(max_usd)
        self._spent = _exact(spent_usd)
        self._reserved = Fraction(0)
        self._stopped: str | None = None
        self._changed = threading.Condition()

    @property
    def spent_usd(self) -> float:
        """What settled calls cost."""
        return float(self._spent)

    @property
    def reserved_usd(self) -> float:
        """What the calls under way may cost at most."""
        return float(self._reserved)

    def reserve(self, at_most_usd: float) -> Fraction:
        """Set the amount aside for one call and return it, to be handed to `settle` when the call has ended.

        If only the calls under way stand in the way, this waits for one of them: most cost far less than they may.

        Raises:
            RunStopped: the call could exceed the limit; from then on every call is refused.
        """
        amount = _exact(at_most_usd)
        with self._changed:
            while True:
                if self._stopped is None and self._spent + amount > self._limit:
                    self._stopped = (
                        f"the limit of {_usd(self._limit)} is reached (--max-cost): {_usd(self._spent)} spent, "
                        f"{_usd(self._reserved)} reserved for calls under way, and the next call may cost up to "
                        f"{_usd(amount)}. What was paid for is kept: --resume goes on with a higher limit."
                    )
                if self._stopped is not None:
                    raise RunStopped(self._stopped, cause="budget")
                if self._spent + self._reserved + amount <= self._limit:
                    self._reserved += amount
                    return amount
                self._changed.wait()

    def settle(self, reserved: Fraction, cost_usd: float | None) -> None:
        """Put what the call did cost in the place of what was reserved; None, unknown, spends all of that."""
        spent = reserved
        if cost_usd is not None and math.isfinite(cost_usd) and cost_usd >= 0:
            spent = _exact(cost_usd)
        with self._changed:
            self._reserved -= reserved
            self._spent += spent
            self._changed.notify_all()


class BudgetedModel:
    """A model that is asked only while the budget holds.

    A call that failed with a time-out, a body cut short or a content filter may have been billed: its reservation is
    spent. Any other failed call is taken to be free.

    Args:
        inner: The model that costs money.
        budget: Shared by all models of a run.
        price: What a request costs at most, in USD, as `upper_cost` reckons; None where no price is known.
    """

    def __init__(self, inner: Model, budget: Budget, price: Callable[[Request], float | None]) -> None:
        self.name = inner.name
        self.stateful = inner.stateful
        self.live = inner.live
        self.repairs = inner.repairs
        self._inner = inner
        self._budget = budget
        self._price = price

    def complete(self, request: Request) -> Reply:
        """The reply of the inner model.

        Raises:
            ModelError: as the inner model does.
            RunStopped: the call could exceed the limit, or nobody knows what it costs (`budget`); nothing was asked.
        """
        at_most = self._price(request)
        if at_most is None:
            raise RunStopped(f"no price is known for {self.name}, so --max-cost cannot hold.", cause="budget")
        reserved = self._budget.reserve(at_most)
        cost: float | None = None
        try:
            reply = self._inner.complete(request)
            cost = reply.cost_usd
        except ModelError as problem:
            cost = None if problem.cause in _MAYBE_BILLED else 0.0
            raise
        except RunStopped:
            cost = 0.0
            raise
        finally:
            self._budget.settle(reserved, cost)
        return reply


def upper_cost(request: Request, *, usd_per_input_token: float, usd_per_output_token: float) -> float:
    """What the request may cost, in USD: its text at one token for three bytes, and the longest reply it allows.

    The longest reply is the requested `max_tokens` (or `max_completion_tokens`, `max_output_tokens`), else
    4,096 tokens (`DEFAULT_OUTPUT_TOKENS`).

    Example:
        >>> from judgekit.models.base import CallKey
        >>> request = Request(CallKey("a", "judge"), ({"role": "user", "content": "Q?"},), params={"max_tokens": 10})
        >>> # [{"role": "user", "content": "Q?"}] has 35 bytes: 12 tokens.
        >>> upper_cost(request, usd_per_input_token=1, usd_per_output_token=100)
        1012.0
    """
    size = len(outgoing_text(request).encode("utf-8", "surrogatepass"))
    asked = [request.params[name] for name in _LIMITS if _is_count(request.params.get(name))]
    output_tokens = max(asked, default=DEFAULT_OUTPUT_TOKENS)
    return float(math.ceil(size / BYTES_PER_TOKEN) * usd_per_input_token + output_tokens * usd_per_output_token)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _exact(usd: float) -> Fraction:
    return Fraction(str(usd))


def _usd(amount: Fraction) -> str:
    return f"${float(amount):.6g}"
