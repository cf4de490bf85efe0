"""Paths of the command line in, the scenario files they mean out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.reading.text import shown

SUFFIXES = (".yaml", ".yml")
AGENT_MARK = "system-prompt.txt"
_NAMING = frozenset(("cases", "command", "file", "golden", "json_schema", "outputs", "prompt", "rubrics", "variants"))
"""Keys whose texts may be names of files."""


def find_files(paths: Iterable[Path]) -> list[tuple[Path, bool]]:
    """Scenario files with whether each was named itself (True) or found in a folder, without doubles.

    Folders are searched recursively and in order of name. Left out there: names starting with `_` or `.`,
    `judgekit.yaml`, and everything in a folder that holds an agent (`system-prompt.txt`).

    Raises:
        InputError: a path does not exist, or is a file of another kind.
    """
    found: dict[Path, bool] = {}
    searched: set[Path] = set()
    for path in paths:
        if path.is_dir():
            for file in _search(path, searched):
                found.setdefault(file.resolve(), False)
        elif not path.exists():
            raise InputError(f"{path.as_posix()}: no such file or folder.")
        elif path.suffix.lower() not in SUFFIXES:
            raise InputError(f"{path.as_posix()}: a scenario file ends in .yaml or .yml; outputs go with --outputs.")
        else:
            found[path.resolve()] = True
    return list(found.items())


def _search(folder: Path, searched: set[Path]) -> Iterator[Path]:
    # A link to a folder above would be followed without end.
    real = folder.resolve()
    if real in searched:
        return
    searched.add(real)
    try:
        entries = sorted(folder.iterdir())
    except OSError as problem:
        raise InputError(f"{shown(folder)}: cannot be read: {problem.strerror}.") from None
    if any(entry.name == AGENT_MARK for entry in entries):
        return
    for entry in entries:
        if entry.name.startswith(("_", ".")) or entry.name == "judgekit.yaml":
            continue
        if entry.is_dir():
            yield from _search(entry, searched)
        elif entry.suffix.lower() in SUFFIXES:
            yield entry


def named_files(document: Any, folder: Path) -> set[Path]:
    """YAML files that a document names (a rubric, a schema): they stand beside scenarios without being some.

    What an input or a check quotes is no name of a file: only keys that take files count.
    """
    return {
        (folder / text).resolve()
        for text in _names(document, False)
        if text.endswith(SUFFIXES) and text.isprintable() and len(text) < 1000
    }


def _names(value: Any, naming: bool) -> Iterator[str]:
    if isinstance(value, str):
        if naming:
            yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            plain = key.replace("-", "_")
            # `variants: {v1: FILE}` and `{name: FILE}` of a rubric: below such a key, texts of any key count.
            yield from _names(item, plain in _NAMING or (naming and isinstance(item, str)))
    elif isinstance(value, list):
        for item in value:
            yield from _names(item, naming)
