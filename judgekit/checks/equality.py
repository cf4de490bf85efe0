"""Two JSON values in, whether they are equal as JSON out; and values as plain Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def json_equal(one: Any, other: Any) -> bool:
    """True if both are the same JSON: 1 is 1.0, true is not 1, "1" is not 1, the order of keys does not matter.

    Example:
        >>> json_equal({"n": 1, "c": "Oslo"}, {"c": "Oslo", "n": 1.0}), json_equal(1, True), json_equal(1, "1")
        (True, False, False)
    """
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and one.keys() == other.keys()
            and all(json_equal(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list | tuple):
        return (
            isinstance(other, list | tuple)
            and len(one) == len(other)
            and all(json_equal(first, second) for first, second in zip(one, other, strict=True))
        )
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and bool(one == other)


def json_within(part: Any, whole: Any) -> bool:
    """True if `whole` has everything that `part` asks for: mappings may hold further keys, all else is equal.

    Example:
        >>> json_within({"q": "tariff"}, {"q": "tariff", "limit": 5})
        True
    """
    if isinstance(part, Mapping):
        return isinstance(whole, Mapping) and all(
            key in whole and json_within(value, whole[key]) for key, value in part.items()
        )
    return json_equal(part, whole)


def plain(value: Any) -> Any:
    """The value in built-in types only: numbers and mappings of a YAML file know their text and lines."""
    if isinstance(value, bool) or value is None:
        return value
    for kind in (int, float, str):
        if isinstance(value, kind):
            return kind(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
