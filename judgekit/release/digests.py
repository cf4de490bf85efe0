"""What was reviewed in, short hashes that change with its meaning and not with its layout out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

_REMARKS = ("title", "description", "$comment", "examples")
_NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_UNORDERED = ("required", "type", "enum")


def digest(value: Any) -> str:
    """Twelve hexadecimal digits that change with a JSON value, and not with the order of its keys.

    Example:
        >>> digest({"a": 1, "b": 2.0}) == digest({"b": 2, "a": 1})
        True
    """
    text = json.dumps(_canonical(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]


def _canonical(value: Any) -> Any:
    """Numbers of a YAML file know how they were written; here 1.0 is 1, as in JSON."""
    if isinstance(value, Mapping):
        return {str(key): _canonical(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_canonical(item) for item in value]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    return float(value) if isinstance(value, float) else str(value)


def without_remarks(schema: Any) -> Any:
    """A JSON Schema without what is for people only, and with lists sorted whose order means nothing.

    Example:
        >>> without_remarks({"description": "A person.", "required": ["name", "born"]})
        {'required': ['born', 'name']}
    """
    if isinstance(schema, list):
        return [without_remarks(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _REMARKS:
            continue
        if key in _NAMED and isinstance(value, Mapping):
            kept[key] = {name: without_remarks(one) for name, one in value.items()}
        elif key in _UNORDERED and isinstance(value, list):
            kept[key] = sorted(value, key=lambda one: json.dumps(one, sort_keys=True))
        else:
            kept[key] = value if key in ("const", "enum", "default") else without_remarks(value)
    return kept
