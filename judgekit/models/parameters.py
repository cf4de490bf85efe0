"""Which parameters a model takes: what it refuses is left out, one at a time, and remembered."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Collection, Mapping
from typing import Any

from judgekit.errors import InputError
from judgekit.models.faults import Fault

SCHEMA = "response_format"
"""The parameter that binds a reply to a JSON schema."""

# What would change how, whom or how often is asked behind the back of the run.
_OWN = frozenset(
    (
        "additional_drop_params",
        "allowed_openai_params",
        "api_base",
        "api_key",
        "base_url",
        "cache",
        "caching",
        "context_window_fallback_dict",
        "drop_params",
        "fallbacks",
        "max_retries",
        "messages",
        "mock_response",
        "model",
        "model_list",
        "n",
        "num_retries",
        "stream",
        "stream_options",
        "timeout",
        "tools",
    )
)
# The same bound under two names: newer models take only the second, older servers only the first.
_RENAMED = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_REFUSAL = re.compile(
    r"support|not permitted|extra_forbidden|extra inputs|unknown|unrecogni[sz]ed|unexpected|not allowed|deprecated"
    r"|only the default|invalid|must be|strictly|cannot|accept|incompatible|not compatible|no longer",
    re.IGNORECASE,
)
# How a message names a parameter, surest first: in quotes or as part of a path, or as the subject of its sentence.
_QUOTED = r"[`'\"\[.]{0}[`'\"\]]|\bbody\.{0}\b"
_BARE = r"\b(?:param(?:eter)?s?:?|support\w*|accept\w*|allow\w*)\s+{0}\b|\b{0}\s*(?:[=:]|(?:is|does|must|has|cannot)\b)"
# Words that a sentence may hold without speaking of a parameter.
_ORDINARY = frozenset(("stop", "store", "user"))


def check_params(params: Mapping[str, Any], where: str = "params") -> None:
    """Do nothing if the parameters can be sent to a model; those that steer the call itself belong to judgekit.

    Raises:
        InputError: names the first one that cannot.
    """
    for name, value in params.items():
        if name in _OWN:
            raise InputError(f'{where}: "{name}" is not a parameter of a model; judgekit sets it itself.')
        try:
            json.dumps(value, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            raise InputError(f'{where}: "{name}" must be a value that JSON can hold, not {value!r:.80}.') from None


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The value of `response_format` that binds a reply to a JSON schema."""
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema), "strict": True}}


class Parameters:
    """What one model was found to refuse; one object serves many threads.

    Example:
        >>> known = Parameters()
        >>> known.refuse("seed", "no seeds here")
        False
        >>> known.applicable({"temperature": 0, "seed": 7})
        {'temperature': 0}
    """

    def __init__(self) -> None:
        self._instead: dict[str, str | None] = {}
        self._lock = threading.Lock()

    def applicable(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters to send: those asked for, without what was refused, under the name that is taken."""
        instead = self._instead
        if not instead:
            return dict(asked)
        names = {name: instead.get(name, name) for name in asked}
        return {taken: asked[name] for name, taken in names.items() if taken is not None}

    def refuse(self, name: str, said: str) -> bool:
        """Remember that the model refuses `name`; True if `said` tells a name that it takes instead."""
        other = _RENAMED.get(name)
        with self._lock:
            if other and re.search(rf"\b{other}\b", said) and other not in self._instead:
                self._instead = {**self._instead, name: other}
                return True
            # A bound that was refused under both names is not asked for under either.
            gone = {old: None for old, new in self._instead.items() if new == name}
            self._instead = {**self._instead, **gone, name: None}
            return False


def refused_name(fault: Fault, sent: Collection[str]) -> str | None:
    """The parameter that a fault refuses, one of those that were sent; None if the fault is about something else.

    Example:
        >>> fault = Fault("request", "Only the default (1) value is supported.", 400, param="temperature")
        >>> refused_name(fault, ["temperature", "seed"])
        'temperature'
    """
    if not (fault.is_unsupported or (fault.kind == "request" and fault.status in (400, 422))):
        return None
    # "response_format.json_schema" and "reasoning.effort" speak of the parameter before the dot.
    head = re.split(r"[.\[]", fault.param)[0]
    if head:
        return head if head in sent else None
    if not (fault.is_unsupported or _REFUSAL.search(fault.said)):
        return None
    forms = [(_QUOTED, name) for name in sent] + [(_BARE, name) for name in sent if name not in _ORDINARY]
    return next(
        (name for form, name in forms if re.search(form.format(re.escape(name)), fault.said, re.IGNORECASE)), None
    )
