"""A kind and a name in, the object that implements it out; built-ins and other packages' come through the same door."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from judgekit.errors import InputError, did_you_mean

Kind = Literal["checks", "rubrics", "targets"]


@cache
def _entries(kind: Kind) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=f"judgekit.{kind}")}


def names(kind: Kind) -> list[str]:
    """Sorted names of all installed objects of a kind; nothing is imported."""
    return sorted(_entries(kind))


@cache
def lookup(kind: Kind, name: str) -> Any:
    """The object registered under `name`, imported on first use.

    Raises:
        InputError: no such name; the message suggests the closest one.

    Example:
        >>> lookup("checks", "contains").name
        'contains'
    """
    entry = _entries(kind).get(name)
    if entry is None:
        hint = did_you_mean(name, names(kind))
        raise InputError(f'unknown {kind[:-1]} "{name}".{hint} `judgekit list {kind}` shows all {len(_entries(kind))}.')
    return entry.load()
