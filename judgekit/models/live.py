"""A language model of a provider: requests in, replies out, with retries of our own and every change recorded.

The only place that imports litellm: it is slow to import, and eager to reach the network unless told otherwise.
"""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any, NoReturn

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.base import Reply, Request
from judgekit.models.chat import read_completion
from judgekit.models.faults import ENDS_RUN, RETRYABLE, Fault, read_fault
from judgekit.models.keys import PLACEHOLDER_KEY, key_variable, missing_key
from judgekit.models.limits import Limits
from judgekit.models.parameters import SCHEMA, Parameters, check_params, refused_name, strict_schema
from judgekit.models.prices import listed_price, read_prices
from judgekit.models.retry import RetryPolicy, retry_after_s
from judgekit.pool import call_within
from judgekit.records import NO_FIELDS
from judgekit.texts.scrubbing import scrub
from judgekit.writing import clean

TIME_LIMIT_S = 120.0
"""How long one attempt may take, from connecting to the last byte."""

_HINTS = {
    "auth": "Is the key right, and may it use this model?",
    "not_found": "Is the model's name right, and the address (--api-base)?",
    "unreachable": "Is the server running, and is the address (--api-base) right?",
    "client": "A server with the OpenAI API is asked as openai/NAME with --api-base URL.",
}


# One for all models of a process: litellm's shared client is made during a first call, and two at once would race.
_MEETING = threading.Lock()


class LiveModel:
    """A language model that litellm knows.

    The first call is made alone while others wait: a refused key, an unknown model or a server that is not there ends
    the run before more is asked. A parameter that the model refuses is left out from then on, one at a time, and
    `Reply.params_applied` holds what was really sent (`response_format` only by its kind).

    Args:
        name: As litellm knows it, such as `gpt-4o` or `openai/NAME`.
        base_url: Explicit address of the server; None: the provider's, or as its environment variable says.
        limits: Slots shared by all models of a run.
        prices: The settings' own prices, model -> `{input, output, cached?}` in USD per million tokens.
        strict_params: Whether a refused parameter ends the run instead of being left out.
        policy: How often a failed call is tried again.
        time_limit_s: How long one attempt may take.
        clock: Seconds, monotonic.
        now: Seconds since 1970, for dates that servers name.
        sleep: Waits.
        chance: Random numbers in [0, 1), for the spread of waits.

    Raises:
        InputError: the prices or a bound are not as they must be.
    """

    stateful = False
    live = True
    repairs = True

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        limits: Limits,
        prices: Mapping[str, Any] = NO_FIELDS,
        strict_params: bool = False,
        policy: RetryPolicy = RetryPolicy(),  # noqa: B008, a frozen record
        time_limit_s: float = TIME_LIMIT_S,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        if not time_limit_s > 0:
            raise InputError(f"the time limit of a call must be above 0 s, not {time_limit_s}.")
        self.name = name
        self.base_url = base_url
        self._limits = limits
        self._own_price = read_prices(prices).get(name)
        self._strict = strict_params
        self._policy = policy
        self._time_limit_s = time_limit_s
        self._clock = clock
        self._now = now
        self._sleep = sleep
        self._chance = chance
        self._parameters = Parameters()
        self._is_met = False
        self._stopped = ""
        # Looked up once: an explicit address may need no key, but the client insists on one.
        keyless = base_url is not None and missing_key(name) is not None
        self._address = {"api_base": base_url, "api_key": PLACEHOLDER_KEY} if keyless else {"api_base": base_url}

    def complete(self, request: Request) -> Reply:
        """The reply to one request.

        An answer without any choice is a Reply without text for a judge, whose reader names it `empty`.

        Raises:
            ModelError: no reply, with the cause `rate_limit, timeout, auth, content_filter, provider`, and for a target
                `malformed`.
            RunStopped: the first call was refused, or a parameter with `strict_params`.
            InputError: a parameter that is not a model's.
        """
        check_params(request.params, self.name)
        asked = dict(request.params)
        if request.reply_schema is not None:
            asked.setdefault(SCHEMA, strict_schema(request.reply_schema))
        left_s, failures = self._policy.total_s, 0
        while True:
            outcome = self._attempt(request, asked, min(self._time_limit_s, left_s))
            if isinstance(outcome, Reply):
                return self._whole(request, outcome)
            failures += 1
            wait_s = self._wait_s(outcome, failures)
            left_s -= outcome.took_s + (wait_s or 0)
            if wait_s is None or left_s <= 0:
                raise ModelError(self._failed(outcome, failures, wait_s), outcome.cause(request.key.role))
            self._sleep(wait_s)

    def _attempt(self, request: Request, asked: Mapping[str, Any], limit_s: float) -> Reply | Fault:
        if not self._is_met:
            with _MEETING:
                if not self._is_met:
                    return self._try(request, asked, limit_s)
        return self._try(request, asked, limit_s)

    def _try(self, request: Request, asked: Mapping[str, Any], limit_s: float) -> Reply | Fault:
        """One attempt, repeated only for parameters that have to be left out."""
        while True:
            if self._stopped:
                raise RunStopped(self._stopped)
            params = self._parameters.applicable(asked)
            outcome = self._ask(request, params, limit_s)
            if isinstance(outcome, Fault):
                refused = refused_name(outcome, params)
                if refused is not None:
                    self._leave_out(refused, outcome, request)
                    # Not met yet: the others would only be refused for the same reason.
                    continue
                if not self._is_met and outcome.kind in ENDS_RUN:
                    self._stop(f"{self._who(outcome.url)}: {outcome}. {self._hint(outcome)}")
            self._is_met = True
            return outcome

    def _ask(self, request: Request, params: Mapping[str, Any], limit_s: float) -> Reply | Fault:
        call: dict[str, Any] = {
            "model": self.name,
            # Half a surrogate pair cannot be sent.
            "messages": [clean(message) for message in request.messages],
            # Retries are ours: theirs ignore the date form of Retry-After and are not counted.
            "num_retries": 0,
            "max_retries": 0,
            # Always the same, because litellm keeps one client for each value.
            "timeout": self._time_limit_s,
            **self._address,
            **params,
        }
        if request.tools:
            call["tools"] = [dict(tool) for tool in request.tools]
        _litellm()
        with self._limits.slot() as slot:
            began = self._clock()
            try:
                # The client's own time limit starts anew with every byte, so a server that trickles would pass it.
                completion = call_within(lambda: _completion(call), limit_s)
            except Exception as problem:
                fault = replace(read_fault(problem), took_s=self._clock() - began)
                if fault.kind == "rate_limit":
                    self._limits.refused(slot)
                return fault
            latency_s = self._clock() - began
        self._limits.succeeded()
        reply = read_completion(completion)
        return replace(
            reply,
            latency_s=latency_s,
            cost_usd=self._cost_usd(completion, reply),
            params_applied={**params, SCHEMA: params[SCHEMA].get("type")} if SCHEMA in params else dict(params),
        )

    def _whole(self, request: Request, reply: Reply) -> Reply:
        """The reply, if it is one."""
        if reply.finish_reason == "content_filter":
            raise ModelError(
                f"{self._who()}: the reply was stopped by the provider's content filter (content_filter).",
                "content_filter",
            )
        if reply.finish_reason is None and reply.text is None and not reply.tool_calls and request.key.role == "target":
            raise ModelError(f"{self._who()}: the answer holds no choice.", "malformed")
        return reply

    def _leave_out(self, name: str, fault: Fault, request: Request) -> None:
        is_renamed = self._parameters.refuse(name, fault.said)
        # A reply schema is judgekit's own wish, and a bound under its other name is still that bound.
        if self._strict and not is_renamed and (name != SCHEMA or SCHEMA in request.params):
            self._stop(f"{self._who()} does not take {name}, and --strict-params is set: {fault}.")

    def _stop(self, message: str) -> NoReturn:
        self._stopped = message
        raise RunStopped(message)

    def _wait_s(self, fault: Fault, failures: int) -> float | None:
        """Seconds until the next attempt; None if there is none."""
        if fault.kind not in RETRYABLE or failures >= self._policy.attempts:
            return None
        return self._policy.wait_s(failures, self._chance(), retry_after_s(fault.headers, self._now()))

    def _failed(self, fault: Fault, failures: int, wait_s: float | None) -> str:
        attempts = f" ({failures} attempts)" if failures > 1 else ""
        late = "" if wait_s is None else f"; the next attempt, in {wait_s:.0f} s, would be too late"
        return f"{self._who()}: {fault}{late}{attempts}."

    def _cost_usd(self, completion: Any, reply: Reply) -> float | None:
        if reply.usage.total_tokens is None:
            return None
        if self._own_price is not None:
            return self._own_price.cost_usd(reply.usage)
        litellm = _litellm()
        # litellm takes an unlisted price for 0 and may ask a server for it, so it is asked only about listed ones.
        if listed_price(self.name, litellm.model_cost) is None:
            return None
        # litellm has already worked it out, for the model that answered; asking again would take its time twice.
        known = getattr(completion, "_hidden_params", {}).get("response_cost")
        with suppress(Exception):
            return float(litellm.completion_cost(completion, model=self.name) if known is None else known)
        return None

    def _who(self, url: str = "") -> str:
        place = self.base_url or url
        return scrub(f"{self.name} at {place}" if place else self.name)

    def _hint(self, fault: Fault) -> str:
        variable = key_variable(self.name)
        if fault.kind == "auth" and variable and self.base_url is None:
            return f"Is the key in {variable} right, and may it use this model?"
        return _HINTS[fault.kind]


def price_of(name: str, prices: Mapping[str, Any] = NO_FIELDS) -> tuple[float, float] | None:
    """USD per token of input and of output, from the user's own prices or litellm's list; None if unknown.

    Raises:
        InputError: the prices are not as they must be.

    Example:
        >>> price_of("local", {"local": {"input": 0.5, "output": 2}})
        (5e-07, 2e-06)
    """
    price = read_prices(prices).get(name) or listed_price(name, _litellm().model_cost)
    return None if price is None else (price.input, price.output)


def _completion(call: Mapping[str, Any]) -> Any:
    """What litellm answers; to be called in a thread of its own."""
    litellm = _litellm()
    if not (litellm.success_callback or litellm.callbacks):
        # litellm makes a log entry of every call, in a thread of its own, which takes a quarter of a call's time; with
        # nobody to send it to it is thrown away. Should the switch go, only the speed does.
        with suppress(ImportError):
            from litellm._internal_context import is_internal_call

            is_internal_call.set(True)
    return litellm.completion(**call)


_IMPORTING = threading.Lock()


def _litellm() -> ModuleType:
    # functools.cache alone would let several threads import at once.
    with _IMPORTING:
        return _imported()


@cache
def _imported() -> ModuleType:
    """litellm, told to keep quiet and to stay off the network until it is asked something."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    # The environment may have switched these on; both change silently what is asked.
    litellm.drop_params = False
    litellm.modify_params = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logger = logging.getLogger(name)
        # Its handlers write to stderr, and what it logs may hold prompts and keys.
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
    return litellm
