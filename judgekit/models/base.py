"""The protocol that the faux, the recorded and the live model share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from judgekit.records import NO_FIELDS, ToolCall, Usage


@dataclass(frozen=True, slots=True)
class CallKey:
    """Who asks: what queues, recordings, budgets and logs go by; never part of the prompt."""

    case_id: str
    role: Literal["target", "judge"]
    rubric: str = ""
    variant: str = "default"
    trial: int = 0
    sample: int = 0
    repair: bool = False
    """True for the second try after an unreadable reply."""
    against: str = ""
    """Pairwise only: what the variant is compared with."""
    item: str = ""
    """The one item of the rubric that is asked for; empty: all."""
    step: Literal["verdict", "answer"] = "verdict"
    """What a judge is asked for: its verdict, or an answer of its own before it."""
    order: str = ""
    """Pairwise only: `first` or `second`, the place of the variant's output."""


@dataclass(frozen=True, slots=True)
class Request:
    """One call as it is asked for."""

    key: CallKey
    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tool schemas in function-calling form."""
    reply_schema: Mapping[str, Any] | None = None
    """JSON Schema for the reply, where the model takes one."""
    params: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)
    """Requested parameters such as temperature, seed, max_tokens."""
    is_usable: Callable[[Reply], bool] | None = None
    """Whether a reply may be kept for later runs; None: every complete one. Never part of a key."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One complete answer of a model."""

    text: str | None
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str | None = "stop"
    """`stop`, `length` (cut short), `tool_calls`, `content_filter`."""
    refusal: str | None = None
    reasoning: str | None = None
    usage: Usage = Usage()
    cost_usd: float | None = None
    latency_s: float | None = None
    model_returned: str | None = None
    params_applied: Mapping[str, Any] | None = None
    """None: not known; {}: the model took none."""
    cached: bool = False
    raw: Any = None
    """What is kept as the raw reply: text, or a chat message where there is more than text."""


class Model(Protocol):
    """A language model, or something that stands in for one behind the same interface."""

    name: str
    stateful: bool
    """True if replies depend on the order of calls: calls for one case then keep their order."""
    live: bool
    """True if calls cost money: replies are then synced to disk before they count, and may be repaired."""
    repairs: bool
    """True if an unreadable reply may be followed by one repair turn."""

    def complete(self, request: Request) -> Reply:
        """The reply to one request.

        Raises:
            ModelError: no reply; `cause` says which kind of failure.
        """
        ...
