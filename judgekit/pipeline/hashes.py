"""Whatever JSON can hold in, a short hash that changes with it out."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from judgekit.records import Case
from judgekit.writing import clean

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode


def short(value: Any) -> str:
    """Twelve hexadecimal digits.

    Example:
        >>> short({"b": 1, "a": 2}) == short({"a": 2, "b": 1})
        True
    """
    try:
        text = _encode(value)
    except (TypeError, ValueError):
        text = _encode(clean(value))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def case_hash(case: Case) -> str:
    """Hash of what a case asks: input, turns, variables, context, reference, agent."""
    context = [[one.id, one.text] for one in case.context or ()]
    agent = case.agent_config.hash if case.agent_config else None
    return short([case.input, case.turns, case.vars, case.reference, context, agent, case.tools])


def asked(case: Case) -> list[str | None]:
    """Hashes of the input (with its turns), vars, context and reference of a case, None for what it has not.

    Two runs asked the same of a case if these are equal: the agent, its tools and its prompts are what is tested.

    Example:
        >>> [one is None for one in asked(Case("a", input="q"))]
        [False, True, True, True]
    """
    context = [[one.id, one.text] for one in case.context or ()]
    parts = ([case.input, case.turns], case.vars, context, case.reference)
    return [short(part) if part or part == "" else None for part in parts]
