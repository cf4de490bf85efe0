"""A scripted model: requests in, the replies and faults of a script out, for runs without a network.

One queue per case for the target and one per case and rubric for the judge, so the order of other cases' calls never
matters. A fault is retried like a live model's, without waiting, by taking the next step.
"""

from __future__ import annotations

import json
import math
import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from judgekit.errors import InputError, ModelError
from judgekit.models.base import CallKey, Reply, Request
from judgekit.records import Case, ToolCall, Usage
from judgekit.scenarios.faux import ReplyForm, Step, UsageForm, parse_step, parse_steps
from judgekit.texts.scrubbing import scrub

MAX_RETRIES = 3

_RETRYABLE = frozenset(("rate_limit", "timeout", "malformed"))
_SAID = {
    "rate_limit": "rate limit reached (429)",
    "timeout": "no answer within the time limit (timeout)",
    "malformed": "the body of the answer is malformed",
    "refusal": "the model refused",
    "truncated": "the answer was cut off (truncated)",
}
_MATCH_LIMIT_S = 1.0

State = dict[str, Any]
Factory = Callable[[Request, State], Any]
Key = tuple[str, str, str]


class FauxModel:
    """A model whose replies stand in a script or come from a Python function.

    Args:
        target: Case id -> steps, or a factory.
        judge: (case id, rubric) -> steps, or a factory.

    A factory is called as `factory(request, state)` and returns text, a step as in a scenario file, or a Reply.
    `state` is a dict of its own for each case and role; `state["calls"]` is 1 at the first call.

    Raises:
        InputError: a script holds something that is no step.

    Example:
        >>> from judgekit.models.base import CallKey, Request
        >>> model = FauxModel(target={"a": ["Revenue rose."]})
        >>> model.complete(Request(CallKey("a", "target"), ({"role": "user", "content": "Q1?"},))).text
        'Revenue rose.'
    """

    name = "faux"
    stateful = True
    live = False
    repairs = True

    def __init__(
        self,
        target: Mapping[str, Iterable[Any]] | Factory | None = None,
        judge: Mapping[tuple[str, str], Iterable[Any]] | Factory | None = None,
    ) -> None:
        self._factories: dict[str, Factory] = {}
        self._queues: dict[Key, list[Step]] = {}
        if callable(target):
            self._factories["target"] = target
        else:
            for case_id, steps in (target or {}).items():
                self._queues["target", case_id, ""] = _parsed(steps, f'case "{case_id}"')
        if callable(judge):
            self._factories["judge"] = judge
        else:
            for (case_id, rubric), steps in (judge or {}).items():
                self._queues["judge", case_id, rubric] = _parsed(steps, f'case "{case_id}", judge of "{rubric}"')
        self._locks: defaultdict[Key, threading.Lock] = defaultdict(threading.Lock)
        self._states: defaultdict[tuple[str, str], State] = defaultdict(dict)
        self._registry = threading.Lock()

    @classmethod
    def of(cls, cases: Iterable[Case]) -> FauxModel:
        """The model that speaks the `faux:` scripts of some cases."""
        target: dict[str, Iterable[Any]] = {}
        judge: dict[tuple[str, str], Iterable[Any]] = {}
        for case in cases:
            if case.faux_target is not None:
                target[case.case_id] = case.faux_target
            judge |= {(case.case_id, rubric): steps for rubric, steps in case.faux_judge.items()}
        return cls(target, judge)

    def complete(self, request: Request) -> Reply:
        """The next reply of the request's queue.

        Raises:
            ModelError: a scripted fault, an exhausted script, or an exception of a factory.
        """
        asked = request.key
        key = (asked.role, asked.case_id, asked.rubric if asked.role == "judge" else "")
        # One lock a queue: retries of one call must not interleave with another call of the same case. The state of a
        # factory belongs to case and role, so there the lock does too.
        guarded = (asked.role, asked.case_id, "") if asked.role in self._factories else key
        with self._registry:
            lock = self._locks[guarded]
        with lock:
            return self._answer(request, key)

    def unused(self, asked: Collection[Key] | None = None) -> list[str]:
        """One line for each case or rubric with steps that nothing asked for.

        Args:
            asked: Role, case id and rubric of the queues that were to be played; None: all of them.
        """
        return [
            f"{_where(key)}: {len(steps)} unused faux {'step' if len(steps) == 1 else 'steps'}"
            for key, steps in self._queues.items()
            if steps and (asked is None or key in asked)
        ]

    def goes_on(self, asked: CallKey) -> bool:
        """True if there is more to come for the caller: queued steps, or a factory, which never ends."""
        key = (asked.role, asked.case_id, asked.rubric if asked.role == "judge" else "")
        return asked.role in self._factories or bool(self._queues.get(key))

    def _answer(self, request: Request, key: Key) -> Reply:
        first: str | None = None
        for _ in range(1 + MAX_RETRIES):
            try:
                step = self._next(request, key)
            except ModelError:
                if first is None:
                    raise
                break
            if isinstance(step, Reply):
                return step
            if step.reply is not None:
                return _reply(request, step.reply)
            if step.fault not in _RETRYABLE:
                return _ended(request, step.fault or "")
            first = first or step.fault
        cause = "provider" if first == "malformed" and request.key.role == "judge" else first or ""
        raise ModelError(f"{_where(key)}: {_SAID[first or '']}, as scripted.", cause)

    def _next(self, request: Request, key: Key) -> Step | Reply:
        factory = self._factories.get(request.key.role)
        if factory is not None:
            return self._made(factory, request, key)
        queue = self._queues.get(key)
        if not queue:
            raise ModelError(f"No more faux responses queued for {_where(key)}.")
        asked = _last_user_text(request)
        for place, step in enumerate(queue):
            if step.match is None or _matches(step.match, asked):
                return queue.pop(place)
        waiting = ", ".join(f"/{step.match}/" for step in queue)
        raise ModelError(f"No more faux responses queued for {_where(key)} that match; waiting: {waiting}.")

    def _made(self, factory: Factory, request: Request, key: Key) -> Step | Reply:
        with self._registry:
            state = self._states[key[0], key[1]]
        state["calls"] = state.get("calls", 0) + 1
        try:
            made = factory(request, state)
            return made if isinstance(made, Reply) else parse_step(made)
        except ModelError:
            raise
        except Exception as problem:
            raise ModelError(
                f"{_where(key)}: faux factory: {type(problem).__name__}: {scrub(str(problem))}"
            ) from problem


def _parsed(steps: Iterable[Any], where: str) -> list[Step]:
    try:
        return list(parse_steps(list(steps)))
    except InputError as problem:
        raise InputError("\n".join(f"{where}: faux: {line}" for line in str(problem).split("\n"))) from None


def _where(key: Key) -> str:
    role, case_id, rubric = key
    return f'case "{case_id}"' if role == "target" else f'case "{case_id}", judge of "{rubric}"'


def _matches(pattern: str, text: str) -> bool:
    import regex

    try:
        return regex.search(pattern, text, timeout=_MATCH_LIMIT_S) is not None
    except TimeoutError:
        raise ModelError(f"the faux step's match /{pattern}/ took longer than {_MATCH_LIMIT_S:g} s.") from None


def _last_user_text(request: Request) -> str:
    for message in reversed(request.messages):
        if message.get("role") == "user":
            return str(message.get("content") or "")
    return ""


def _ended(request: Request, fault: str) -> Reply:
    """A refusal or a reply cut short: an error of the target; a judge's reply, which its reader then names."""
    key = request.key
    if key.role == "target":
        raise ModelError(f'case "{key.case_id}": {_SAID[fault]}, as scripted.', fault)
    usage = Usage(_tokens(_asked(request)), 0)
    if fault == "refusal":
        raw = {"content": None, "refusal": "I can't help with that.", "finish_reason": "stop"}
        return Reply(None, refusal="I can't help with that.", usage=usage, cost_usd=0.0, latency_s=0.0, raw=raw)
    raw = {"content": "", "finish_reason": "length"}
    return Reply("", finish_reason="length", usage=usage, cost_usd=0.0, latency_s=0.0, raw=raw)


def _reply(request: Request, form: ReplyForm) -> Reply:
    calls = tuple(
        ToolCall(call.name, dict(call.args), f"call_{number}") for number, call in enumerate(form.tool_calls, start=1)
    )
    arguments = [json.dumps(call.args, ensure_ascii=False, default=str) for call in calls]
    reason = form.finish_reason or ("tool_calls" if calls else "stop")
    raw: Any = form.content
    if calls or form.finish_reason:
        raw = {"content": form.content, "finish_reason": reason}
    if calls:
        raw["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": written}}
            for call, written in zip(calls, arguments, strict=True)
        ]
    said = "".join((form.content or "", *(call.name for call in calls), *arguments))
    # Nobody is paid for a scripted reply and nobody waits for it: both are known to be 0, not unknown.
    return Reply(
        form.content,
        calls,
        reason,
        usage=_usage(form.usage, _tokens(_asked(request)), _tokens(said)),
        cost_usd=0.0,
        latency_s=0.0,
        model_returned="faux",
        params_applied=dict(request.params),
        raw=raw,
    )


def _usage(given: UsageForm | None, asked: int, said: int) -> Usage:
    if given is None:
        return Usage(asked, said)
    return Usage(
        asked if given.input_tokens is None else given.input_tokens,
        said if given.output_tokens is None else given.output_tokens,
        given.cached_tokens,
        given.reasoning_tokens,
    )


def _asked(request: Request) -> str:
    return "".join(str(message.get("content") or "") for message in request.messages)


def _tokens(text: str) -> int:
    return math.ceil(len(text) / 4)
