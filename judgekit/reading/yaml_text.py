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
_LONGEST_NUMBER = 300
"""Characters; a longer row of digits is text, as Python refuses to make a number of thousands."""
_DEEPEST = 100
_MOST_VALUES = 1_000_000
"""Values of a document with its aliases written out: what walks over it would take minutes beyond."""


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


def read_yaml(path: Path, *, complaints: list[Complaint] | None = None) -> list[Any]:
    """The documents of a YAML file, empty ones left out.

    Args:
        path: The file.
        complaints: As of `parse_yaml`.

    Raises:
        InputError: unreadable file, invalid YAML, duplicate keys, tags; each with file and line.
    """
    return parse_yaml(read_text(path), file=shown(path), complaints=complaints)


def parse_yaml(text: str, *, file: str = "", complaints: list[Complaint] | None = None) -> list[Any]:
    """The documents of a YAML text.

    Args:
        text: The text.
        file: Shown in complaints.
        complaints: Where mistakes go that leave the rest readable (a key given twice, a tag), so that they are told
            together with later ones; None: they are raised.

    Raises:
        InputError: as of `read_yaml`.

    Example:
        >>> parse_yaml("a: no\\nb: [1.10, true]")
        [{'a': 'no', 'b': [1.1, True]}]
    """
    found: list[Complaint] = []
    documents: list[Any] = []
    try:
        for node in _compose(text):
            documents.append(_Document(file, found).built(node))
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        said = " ".join(part for part in (problem.context, problem.problem) if part)
        raise InputError(str(Complaint(file, mark.line + 1 if mark else None, f"not valid YAML: {said}."))) from None
    except yaml.reader.ReaderError as problem:
        line = text.count("\n", 0, problem.position) + 1 if isinstance(problem.position, int) else None
        raise InputError(str(Complaint(file, line, f"not valid YAML: {problem.reason}."))) from None
    except RecursionError:
        raise InputError(str(Complaint(file, None, "not readable: nested too deeply."))) from None
    if complaints is None:
        raise_complaints(found)
    else:
        complaints += found
    return [one for one in documents if one is not None]


def _compose(text: str) -> Iterator[Any]:
    loader = _Loader(text)
    try:
        while loader.check_node():
            yield loader.get_node()
    finally:
        loader.dispose()


class _Document:
    """Builds the values of one document; what is wrong goes into `complaints`."""

    def __init__(self, file: str, complaints: list[Complaint]) -> None:
        self._file = file
        self._complaints = complaints
        # An alias is the same node again: building it once keeps nested aliases from growing without bound.
        self._seen: dict[int, Any] = {}
        self._sizes: dict[int, int] = {}
        self._open: set[int] = set()

    def built(self, root: Any) -> Any:
        """The values of the document."""
        value = self._value(root)
        if self._sizes.get(id(root), 0) > max(_MOST_VALUES, len(self._sizes)):
            self._complain(root, f"its aliases stand for more than {_MOST_VALUES} values.")
            return None
        return value

    def _complain(self, node: Any, message: str) -> None:
        self._complaints.append(Complaint(self._file, node.start_mark.line + 1, message))

    def _value(self, node: Any) -> Any:
        if id(node) in self._seen:
            return self._seen[id(node)]
        if id(node) in self._open:
            self._complain(node, "an alias stands inside the value that it names.")
            return None
        if len(self._open) > _DEEPEST:
            self._complain(node, f"nested too deeply: at most {_DEEPEST} levels.")
            return None
        if isinstance(node, yaml.ScalarNode):
            self._seen[id(node)], self._sizes[id(node)] = self._scalar(node), 1
            return self._seen[id(node)]
        if node.tag not in (_TAG + "map", _TAG + "seq"):
            self._complain(node, f"the tag {_shown(node.tag)} is not used here.")
        self._open.add(id(node))
        value = self._list(node) if isinstance(node, yaml.SequenceNode) else self._map(node)
        self._open.remove(id(node))
        self._seen[id(node)] = value
        return value

    def _list(self, node: Any) -> YamlList:
        items = YamlList()
        items.line, items.lines = node.start_mark.line + 1, []
        size = 1
        for child in node.value:
            items.append(self._value(child))
            items.lines.append(child.start_mark.line + 1)
            size += self._sizes.get(id(child), 1)
        self._sizes[id(node)] = size
        return items

    def _map(self, node: Any) -> YamlMap:
        mapping = YamlMap()
        mapping.line, mapping.lines = node.start_mark.line + 1, {}
        size = 1
        merged: list[YamlMap] = []
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self._complain(key_node, "a key must be text.")
                continue
            value = self._value(value_node)
            size += self._sizes.get(id(value_node), 1)
            if key_node.tag == _TAG + "merge":
                merged += self._sources(key_node, value)
                continue
            key = key_node.value
            if key in mapping:
                self._complain(key_node, f'duplicate key "{key}", first given on line {mapping.lines[key]}.')
                continue
            mapping[key], mapping.lines[key] = value, line
        for source in merged:
            for key, value in source.items():
                if key not in mapping:
                    mapping[key], mapping.lines[key] = value, source.lines.get(key, mapping.line)
        self._sizes[id(node)] = size
        return mapping

    def _sources(self, key_node: Any, value: Any) -> list[YamlMap]:
        """What `<<` takes keys from."""
        sources = value if isinstance(value, YamlList) else [value]
        if not all(isinstance(source, YamlMap) for source in sources):
            self._complain(key_node, "`<<` takes a mapping or a list of mappings.")
        return [source for source in sources if isinstance(source, YamlMap)]

    def _scalar(self, node: Any) -> Any:
        text: str = node.value
        tag = node.tag.removeprefix(_TAG)
        if tag == "null" and text in ("", "~", "null"):
            return None
        if tag == "bool" and text in ("true", "false"):
            return text == "true"
        if tag in ("int", "float") and _FLOAT.match(text):
            return _number(text, whole=tag == "int" and _INT.match(text) is not None)
        if tag not in ("str", "merge"):
            self._complain(node, f"the tag {_shown(node.tag)} does not fit here; write plain text in quotes.")
        return text


def _number(text: str, *, whole: bool) -> Any:
    if len(text) > _LONGEST_NUMBER:
        return text
    number = YamlInt(text) if whole else YamlFloat(text)
    number.text = text
    return number


def _shown(tag: str) -> str:
    return tag.replace(_TAG, "!!")


def line_of(tree: Any, path: tuple[str | int, ...]) -> int | None:
    """Line of the value at `path` in a tree of read_yaml, or of the last part of the path that exists."""
    line: int | None = getattr(tree, "line", None)
    for part in path:
        if isinstance(tree, YamlMap):
            spelled = next((one for one in tree if one == part), None)
            spelled = spelled or next((one for one in tree if one.replace("-", "_") == part), None)
            if spelled is None:
                # pydantic names the branch of a union in its paths; such a part is no key.
                continue
            line, tree = tree.lines.get(spelled, line), tree[spelled]
        elif isinstance(tree, YamlList) and isinstance(part, int) and part < len(tree):
            line, tree = tree.lines[part], tree[part]
        elif isinstance(tree, YamlList) and isinstance(part, str):
            continue
        else:
            break
    return line
