"""A value read from an output's JSON in, what a JSONPath finds in it out."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from judgekit.checks.base import Absent
from judgekit.reading.forms import as_text

if TYPE_CHECKING:
    import jsonpath_rfc9535


@lru_cache(maxsize=256)
def compile_path(path: str) -> jsonpath_rfc9535.JSONPathQuery:
    """The JSONPath (RFC 9535); the leading `$.` may be left out, and a bare key may hold any character.

    Raises:
        ValueError: no valid path.

    Example:
        >>> compile_path("user-name").find({"user-name": 1}).values()
        [1]
    """
    # Slow to import, and most runs have no path.
    import jsonpath_rfc9535

    full = path if path.startswith("$") else f"${path}" if path.startswith(("[", ".")) else f"$.{path}"
    try:
        return jsonpath_rfc9535.compile(full)
    except jsonpath_rfc9535.JSONPathError as problem:
        if path and not set(path) & set("$.[]'\"\\*@"):
            return jsonpath_rfc9535.compile(f"$['{path}']")
        raise ValueError(f"is no valid JSONPath: {str(problem).split(', line')[0]}") from None


def values_at(path: str, value: Any) -> list[Any]:
    """The values that the path finds.

    Raises:
        Absent: the value is nested too deeply to search.
    """
    import jsonpath_rfc9535

    try:
        return list(compile_path(path).find(value).values())
    except (jsonpath_rfc9535.JSONPathError, RecursionError):
        raise Absent(f"{path} cannot be looked up: the JSON is nested too deeply") from None


def keys_beside(path: str, value: Any) -> list[str]:
    """Keys that stand where the last key of the path was looked for, for people."""
    parent = re.sub(r"(\.[^.\[\]]+|\[[^\[\]]*\])$", "", path if path.startswith("$") else f"$.{path}")
    try:
        holders = values_at(parent or "$", value)
    except (ValueError, Absent):
        return []
    return [str(key) for key in holders[0]] if holders and isinstance(holders[0], dict) else []


def text_of(value: Any) -> str:
    """A JSON value as text: a string as it is, anything else as JSON.

    Raises:
        Absent: the value is nested too deeply to write.
    """
    try:
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except RecursionError:
        raise Absent("the JSON is nested too deeply") from None


def _as_path(value: Any) -> str:
    path = as_text(value).strip()
    compile_path(path)
    return path


JsonPath = Annotated[str, BeforeValidator(_as_path), WithJsonSchema({"type": "string"})]
"""A JSONPath of a user's, checked."""
