"""YAML text in, plain values out that know their lines.

Stricter than YAML 1.1 on purpose: only `true` and `false` are booleans, keys are text, numbers keep the text they
were written with, dates are text, and a key given twice is a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import yaml

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.text import read_text, shown

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAG = "tag:yaml.org,2002:"
_INT = re.compile(r"[-+]?(0|[1-9][0-9]*)$")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")


class YamlMap(dict[str, Any]):
    """A mapping with the line of itself and of each key."""

    line: int = 0
    lines: dict[str, int]


class YamlList(list[Any]):
    """A list with the line of itself and of each item."""

    line: int = 0
    lines: list[int]


class YamlInt(int):
    """A whole number that remembers how it was written."""

    text: str


class YamlFloat(float):
    """A number that remembers how it was written, so `1.10` can be text again."""

    text: str


class _Loader(_Base):  # type: ignore[misc]
    yaml_implicit_resolvers: ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


def _resolve(tag: str, pattern: str | re.Pattern[str], first: str) -> None:
    compiled = re.compile(pattern) if isinstance(pattern, str) else pattern
    for character in first or [""]:
        _Loader.yaml_implicit_resolvers.setdefault(character, []).append((_TAG + tag, compiled))


_resolve("bool", r"(true|false)$", "tf")
_resolve("null", r"(~|null)$", "~n")
_resolve("null", r"$", "")
_resolve("int", _INT, "-+0123456789")
_resolve("float", _FLOAT, "-+.0123456789")
_resolve("merge", r"<<$", "<")


def read_yaml(path: Path) -> list[Any]:
    """The documents of a YAML file, empty ones left out.

    Raises:
        InputError: unreadable file, invalid YAML, duplicate keys, tags; each with file and line.
    """
    return parse_yaml(read_text(path), file=shown(path))


def parse_yaml(text: str, *, file: str = "") -> list[Any]:
    """The documents of a YAML text.

    Example:
        >>> parse_yaml("a: no\\nb: [1.10, true]")
        [{'a': 'no', 'b': [1.1, True]}]
    """
    complaints: list[Complaint] = []
    documents: list[Any] = []
    try:
        for node in _compose(text):
            documents.append(_construct(node, file, complaints, {}))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        said = " ".join(part for part in (problem.context, problem.problem) if part)
        raise InputError(str(Complaint(file, mark.line + 1 if mark else None, f"not valid YAML: {said}."))) from None
    except yaml.reader.ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1 if isinstance(problem.position, int) else None
        raise InputError(str(Complaint(file, line, f"not valid YAML: {problem.reason}."))) from None
    except RecursionError:
        raise InputError(str(Complaint(file, None, "not readable: nested too deeply."))) from None
    raise_complaints(complaints)
    return [one for one in documents if one is not None]


def _compose(text: str) -> Iterator[Any]:
    loader = _Loader(text)
    try:
        while loader.check_node():
            yield loader.get_node()
    finally:
        loader.dispose()


def _construct(node: Any, file: str, complaints: list[Complaint], seen: dict[int, Any]) -> Any:
    # An alias is the same node again: building it once keeps nested aliases from growing without bound.
    if id(node) in seen:
        return seen[id(node)]
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, file, line, complaints)
    if isinstance(node, yaml.SequenceNode):
        items = YamlList()
        items.line, items.lines = line, []
        seen[id(node)] = items
        for child in node.value:
            items.append(_construct(child, file, complaints, seen))
            items.lines.append(child.start_mark.line + 1)
        return items
    mapping = YamlMap()
    mapping.line, mapping.lines = line, {}
    seen[id(node)] = mapping
    merged: list[YamlMap] = []
    for key_node, value_node in node.value:
        key_line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            complaints.append(Complaint(file, key_line, "a key must be text."))
            continue
        value = _construct(value_node, file, complaints, seen)
        if key_node.tag == _TAG + "merge":
            for source in value if isinstance(value, YamlList) else [value]:
                if isinstance(source, YamlMap):
                    merged.append(source)
                else:
                    complaints.append(Complaint(file, key_line, "`<<` takes a mapping or a list of mappings."))
            continue
        key = key_node.value
        if key in mapping:
            complaints.append(
                Complaint(file, key_line, f'duplicate key "{key}", first given on line {mapping.lines[key]}.')
            )
            continue
        mapping[key] = value
        mapping.lines[key] = key_line
    for source in merged:
        for key, value in source.items():
            if key not in mapping:
                mapping[key] = value
                mapping.lines[key] = source.lines.get(key, line)
    return mapping


def _scalar(node: Any, file: str, line: int, complaints: list[Complaint]) -> Any:
    text: str = node.value
    tag = node.tag.removeprefix(_TAG)
    if tag == "null":
        return None
    if tag == "bool":
        return text == "true"
    if tag == "int" and _INT.match(text):
        whole = YamlInt(text)
        whole.text = text
        return whole
    if tag in ("int", "float") and _FLOAT.match(text):
        number = YamlFloat(text)
        number.text = text
        return number
    if tag not in ("str", "merge"):
        complaints.append(Complaint(file, line, f"the tag {node.tag} is not used here; write plain text in quotes."))
    return text


def line_of(tree: Any, path: tuple[str | int, ...]) -> int | None:
    """Line of the value at `path` in a tree of read_yaml, or of the last part of the path that exists."""
    line: int | None = getattr(tree, "line", None)
    for part in path:
        if isinstance(tree, YamlMap):
            spelled = next((one for one in tree if one == part or one.replace("-", "_") == part), None)
            if spelled is None:
                # pydantic names the branch of a union in its paths; such a part is no key.
                continue
            line, tree = tree.lines.get(spelled, line), tree[spelled]
        elif isinstance(tree, YamlList) and isinstance(part, int) and part < len(tree):
            line, tree = tree.lines[part], tree[part]
        else:
            break
    return line
