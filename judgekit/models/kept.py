"""A request in, its reply out: what this run has paid for already, what an earlier one kept, or else a call.

This is the one place that knows the order in which a reply is looked for and written down.
"""

from __future__ import annotations

from collections.abc import Callable

from judgekit.errors import ModelError
from judgekit.models.base import Model, Reply, Request
from judgekit.models.cache import ReplyCache
from judgekit.models.encoding import decode_reply, encode_reply, request_hash
from judgekit.models.ledger import FINAL_CAUSES, Ledger


class KeptModel:
    """A live model whose replies are never paid for twice.

    A reply is looked for in the ledger of the run, then in the cache, and only then is the inner model asked. A new
    one is written to the ledger first and to the cache after that: killed in between, a resumed run still finds it in
    the ledger and counts it as paid, as an undisturbed run does. What the ledger gives is exactly what was; what the
    cache gives is marked and costs 0.

    Failed calls are asked again by a resumed run, unless asking would not help (`FINAL_CAUSES`).

    Args:
        inner: The model that is paid; nothing but its name and nature is looked at unless it has to be asked.
        base_url: Where its calls go; None: the provider's own address.
        cache: Replies of earlier runs; None: neither read nor kept (`--no-cache`).
        ledger: Finished calls of this run; None: there is no run folder.
        price: What a request costs at most, in USD, noted where a reply's cost is unknown; None where no price is.
    """

    def __init__(
        self,
        inner: Model,
        *,
        base_url: str | None,
        cache: ReplyCache | None,
        ledger: Ledger | None,
        price: Callable[[Request], float | None],
    ) -> None:
        self.name = inner.name
        self.stateful = inner.stateful
        self.live = inner.live
        self.repairs = inner.repairs
        self._inner = inner
        self._base_url = base_url
        self._cache = cache
        self._ledger = ledger
        self._price = price

    def complete(self, request: Request) -> Reply:
        """The reply to one request.

        Raises:
            ModelError: as the inner model does, or the request or its reply can't be written down.
            RunStopped: the ledger can't be written, or the inner model stops the run.
        """
        hashed = request_hash(self.name, self._base_url, request)
        known = self._ledger.recall(hashed, request.key) if self._ledger else None
        if known is not None:
            if self._cache and may_be_kept(known, request):
                # A kill may have come between the two, and later runs should find it.
                self._cache.put(hashed, self.name, known)
            return known
        if self._cache is None:
            return self._asked(hashed, request)
        return self._cache.reply(
            hashed,
            self.name,
            ask=lambda: self._asked(hashed, request),
            may_be_kept=lambda reply: may_be_kept(reply, request),
        )

    def _asked(self, hashed: str, request: Request) -> Reply:
        try:
            # As it reads when written down, so that a resumed run works on the very same.
            reply = decode_reply(encode_reply(self._inner.complete(request)))
        except ModelError as problem:
            if self._ledger and problem.cause in FINAL_CAUSES:
                self._ledger.add(hashed, request.key, problem, at_most_usd=self._price(request))
            raise
        if self._ledger:
            at_most_usd = self._price(request) if reply.cost_usd is None else None
            self._ledger.add(hashed, request.key, reply, at_most_usd=at_most_usd)
        return reply


def may_be_kept(reply: Reply, request: Request) -> bool:
    """Whether a reply is complete, no refusal, and of use to whoever asks.

    Example:
        >>> from judgekit.models.base import CallKey
        >>> request = Request(CallKey("a", "judge"), ())
        >>> may_be_kept(Reply("4"), request), may_be_kept(Reply("Because", finish_reason="length"), request)
        (True, False)
    """
    is_complete = reply.finish_reason not in ("length", "content_filter") and not reply.refusal
    if not is_complete or not (reply.text or reply.tool_calls):
        return False
    return request.is_usable is None or request.is_usable(reply)
