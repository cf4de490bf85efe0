"""The text of a TOML file in, its tables with the line of each key out.

tomllib keeps no lines. Here they are found by asking it again: a key stands on the line after the longest beginning of
the file that can be read without it. That is slow, and meant for complaints only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from judgekit.reading.yaml_text import YamlList, YamlMap


def with_lines(text: str, *, start: str = "") -> YamlMap:
    """The tables of a TOML text as a tree that knows its lines.

    Args:
        text: TOML that tomllib reads.
        start: Lines before the first that begins with this are left out, as a long file takes long; empty: none are.

    Example:
        >>> with_lines('a = 1\\n\\n[b]\\nc = [\\n  2,\\n]\\n')["b"].lines
        {'c': 4}
    """
    lines = text.split("\n")
    before = next((number for number, line in enumerate(lines) if start and line.startswith(start)), 0)
    places: dict[tuple[str | int, ...], int] = {}
    read = before
    data: dict[str, Any] = {}
    for end in range(before + 1, len(lines) + 1):
        try:
            data = tomllib.loads("\n".join(lines[before:end]))
        except tomllib.TOMLDecodeError:
            # Amid a value of several lines.
            continue
        _note(data, (), places, read + 1)
        read = end
    if before and read < len(lines):
        # What looked like the start of a table stands inside a text.
        return with_lines(text)
    tree: YamlMap = _tree(data, (), places)
    return tree


def _note(value: Any, path: tuple[str | int, ...], places: dict[tuple[str | int, ...], int], line: int) -> None:
    items = value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        places.setdefault((*path, key), line)
        _note(item, (*path, key), places, line)


def _tree(value: Any, path: tuple[str | int, ...], places: Mapping[tuple[str | int, ...], int]) -> Any:
    if isinstance(value, Mapping):
        table = YamlMap({key: _tree(item, (*path, key), places) for key, item in value.items()})
        table.line = places.get(path, 1)
        table.lines = {key: places[*path, key] for key in value}
        return table
    if isinstance(value, list):
        row = YamlList(_tree(item, (*path, number), places) for number, item in enumerate(value))
        row.line = places.get(path, 1)
        row.lines = [places[*path, number] for number in range(len(value))]
        return row
    return value
