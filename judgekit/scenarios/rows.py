"""Rows of a case file (CSV, JSONL) in, case mappings as a scenario file would hold them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.plugins import lookup
from judgekit.reading.forms import TextList
from judgekit.reading.tables import Row, read_table
from judgekit.scenarios.forms import CASE_KEYS

_LISTS = ("tags", "turns", "rubrics")
_KEPT_BLANK = ("input", "output", "id", "name")


def case_rows(path: Path) -> list[Row]:
    """The rows of a case file as case mappings.

    Known keys set the case; a dotted header sets a key inside (`expect.contains`); any other column is a variable.
    A CSV cell is text: lists are written as JSON or split on `;`, and a blank cell of a key says nothing, except
    that a blank `output` is an empty output.
    """
    is_csv = path.suffix.lower() == ".csv"
    return [(line, _case(row, is_csv)) for line, row in read_table(path, what="case file")]


def _case(row: dict[str, Any], is_csv: bool) -> dict[str, Any]:
    case: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for column, value in row.items():
        key, dot, inner = column.partition(".")
        key = key.replace("-", "_")
        if key not in CASE_KEYS:
            extra[column] = value
        elif dot:
            if is_csv and isinstance(value, str) and not value.strip():
                continue
            case.setdefault(key, {})[inner] = _inside(key, inner, value) if is_csv else value
        elif is_csv and isinstance(value, str):
            if value.strip() or key in _KEPT_BLANK:
                case[key] = _cell(key, value)
        else:
            case[key] = value
    if extra:
        case["vars"] = {**extra, **(case.get("vars") or {})}
    return case


def _cell(key: str, value: str) -> Any:
    text = value.strip()
    if text.startswith(("[", "{")) and key not in ("input", "output", "id", "name", "description", "reference"):
        try:
            return json.loads(text)
        except ValueError:
            return value
    return [part.strip() for part in text.split(";") if part.strip()] if key in _LISTS else value


def _inside(key: str, inner: str, value: str) -> Any:
    text = value.strip()
    if text.startswith(("[", "{")):
        try:
            return json.loads(text)
        except ValueError:
            return value
    if key == "expect" and ";" in value and _takes_texts(inner):
        return [part.strip() for part in value.split(";") if part.strip()]
    return value


def _takes_texts(name: str) -> bool:
    try:
        check = lookup("checks", name.replace("-", "_").removeprefix("not_"))
    except InputError:
        return False
    field = check.model_fields.get("value")
    return field is not None and field.rebuild_annotation() == TextList
