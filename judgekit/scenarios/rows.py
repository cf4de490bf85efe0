"""Rows of a case file (CSV, JSONL) in, case mappings as a scenario file would hold them out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.plugins import lookup
from judgekit.reading.forms import TextList
from judgekit.reading.tables import Row, parse_cell, read_table
from judgekit.reading.text import shown
from judgekit.scenarios.forms import CASE_KEYS

_LISTS = ("tags", "turns", "rubrics")
_JSON = ("vars", "expect", "tools", "trials", *_LISTS)
_KEPT_BLANK = ("input", "output", "id", "name")


def case_rows(path: Path) -> list[Row]:
    """The rows of a case file as case mappings.

    Known keys set the case; a dotted header sets a key inside (`expect.contains`); any other column is a variable.
    A CSV cell is text: lists are written as JSON or split on `;`, and a blank cell of a key says nothing, except
    that a blank `output` is an empty output. In JSONL, null says nothing.

    Raises:
        InputError: an unreadable file; two columns that say the same, with their line.
    """
    is_csv = path.suffix.lower() == ".csv"
    rows = read_table(path, what="case file")
    complaints: list[Complaint] = []
    # All rows of a CSV have the same columns: told once.
    for line, row in rows[:1] if is_csv else rows:
        said = _doubled(row) if is_csv else _doubled(key for key, value in row.items() if value is not None)
        if said:
            complaints.append(Complaint(shown(path), 1 if is_csv else line, said))
    cases: list[Row] = []
    for line, row in rows:
        try:
            cases.append((line, _case(row, is_csv)))
        except ValueError as problem:
            complaints.append(Complaint(shown(path), line, str(problem)))
    raise_complaints(complaints)
    return cases


def _doubled(columns: Iterable[str]) -> str:
    seen: dict[str, str] = {}
    for column in columns:
        key, _, inner = _split(column)
        if key not in CASE_KEYS:
            continue
        name = f"{key}.{inner.replace('-', '_')}" if inner else key
        if name in seen:
            return f'duplicate column: "{seen[name]}" and "{column}" are the same.'
        seen[name] = column
    return ""


def _split(column: str) -> tuple[str, str, str]:
    key, dot, inner = column.partition(".")
    return key.replace("-", "_"), dot, inner


def _case(row: dict[str, Any], is_csv: bool) -> dict[str, Any]:
    case: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    parts: dict[str, dict[str, Any]] = {}
    for column, value in row.items():
        key, dot, inner = _split(column)
        blank = value is None or (is_csv and not value.strip())
        if key not in CASE_KEYS:
            extra[column] = value
        elif dot:
            if not blank:
                parts.setdefault(key, {})[inner] = _inside(key, inner, value) if is_csv else value
        elif not blank or (is_csv and key in _KEPT_BLANK):
            case[key] = _cell(key, value) if is_csv else value
    for key, inside in parts.items():
        whole = case.get(key, {})
        if not isinstance(whole, dict):
            raise ValueError(f'"{key}" and "{key}.{next(iter(inside))}" exclude each other; leave one of them blank.')
        case[key] = {**whole, **inside}
    if extra and isinstance(case.get("vars", {}), dict):
        case["vars"] = {**extra, **case.get("vars", {})}
    return case


def _cell(key: str, value: str) -> Any:
    if key in ("context", "faux"):
        return _speech(key, value)
    found = parse_cell(value) if key in _JSON else value
    if key in _LISTS and isinstance(found, str):
        return [part.strip() for part in found.split(";") if part.strip()]
    return found


def _speech(key: str, value: str) -> Any:
    """Text that may itself be JSON, such as a record given as evidence: only what can be pieces of it is read."""
    found = parse_cell(value)
    if key == "faux":
        return (
            found
            if isinstance(found, list) or (isinstance(found, dict) and {"target", "judge"} & set(found))
            else value
        )
    pieces = isinstance(found, list) and all(
        isinstance(one, str) or (isinstance(one, dict) and "text" in one) for one in found
    )
    return found if pieces else value


def _inside(key: str, inner: str, value: str) -> Any:
    found = parse_cell(value)
    if key == "expect" and _takes_texts(inner):
        # `[1]` is a text that a check may look for, and no list of texts.
        if isinstance(found, list) and all(isinstance(one, str) for one in found):
            return found
        return [part.strip() for part in value.split(";") if part.strip()] if ";" in value else value
    return found


@cache
def _takes_texts(name: str) -> bool:
    try:
        check = lookup("checks", name.replace("-", "_").removeprefix("not_"))
    except InputError:
        return False
    field = check.model_fields.get("value")
    return field is not None and field.rebuild_annotation() == TextList
