"""JSONL, CSV and Parquet files in, rows with their line numbers out."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.text import read_text, shown, without_surrogates

Row = tuple[int, dict[str, Any]]
"""1-based line (for Parquet: row number) and the cells by column name."""

DEEPEST = 100
"""Levels of nesting in a row; what writes and hashes rows walks them recursively."""

SUFFIXES = (".jsonl", ".ndjson", ".csv", ".parquet")


def read_table(path: Path, *, what: str = "file") -> list[Row]:
    """The rows of a table file; CSV cells are text, JSONL values keep their types.

    Raises:
        InputError: missing or unreadable file, unknown suffix, malformed lines (all of them, with line numbers).
    """
    suffix = path.suffix.lower()
    wanted = f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
    if path.is_dir():
        raise InputError(f"{shown(path)}: is a folder, {wanted} is wanted.")
    if suffix in (".jsonl", ".ndjson"):
        return parse_jsonl(read_text(path, what=what), file=shown(path))
    if suffix == ".csv":
        return parse_csv(read_text(path, what=what), file=shown(path))
    if suffix == ".parquet":
        return _read_parquet(path, what)
    raise InputError(f'{shown(path)}: {wanted} ends in {", ".join(SUFFIXES)}, not in "{suffix}".')


def parse_csv(text: str, *, file: str = "") -> list[Row]:
    """Rows of a CSV text with a header line; an empty cell is an empty text.

    A column without a name is left out: it is the row number that pandas writes, or what a spreadsheet adds at the end.

    Example:
        >>> parse_csv("id,input\\n007,Hello\\n")
        [(2, {'id': '007', 'input': 'Hello'})]
    """
    csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    complaints: list[Complaint] = []
    rows: list[Row] = []
    header: list[str] = []
    start = 1
    try:
        for cells in reader:
            line, start = start, reader.line_num + 1
            if not cells:
                continue
            if not header:
                header = [name.strip() for name in cells]
                doubled = sorted({name for name in header if name and header.count(name) > 1})
                if doubled:
                    raise InputError(str(Complaint(file, line, f'duplicate column "{doubled[0]}".')))
                continue
            if len(cells) != len(header):
                complaints.append(
                    Complaint(
                        file,
                        line,
                        f"line {line} has {len(cells)} cells, the header has {len(header)}. "
                        "Put a cell that holds a comma in double quotes, and double the quotes inside it.",
                    )
                )
                continue
            rows.append((line, {name: cell for name, cell in zip(header, cells, strict=True) if name}))
    except csv.Error as problem:
        raise InputError(str(Complaint(file, start, f"not valid CSV: {problem}."))) from None
    raise_complaints(complaints)
    return rows


def parse_jsonl(text: str, *, file: str = "") -> list[Row]:
    """Rows of a JSONL text; blank lines are skipped but counted.

    Example:
        >>> parse_jsonl('{"id": "a"}\\n\\n{"id": "b"}')
        [(1, {'id': 'a'}), (3, {'id': 'b'})]
    """
    complaints: list[Complaint] = []
    rows: list[Row] = []
    # Not splitlines: U+2028 and form feeds may stand inside a JSON text.
    for line, source in enumerate(text.split("\n"), start=1):
        if not source.strip():
            continue
        try:
            value = parse_json(source)
        except ValueError as problem:
            complaints.append(Complaint(file, line, f"line {line} is not valid JSON: {problem}."))
            continue
        if not isinstance(value, dict):
            complaints.append(Complaint(file, line, f"line {line} must be a JSON object in braces."))
            continue
        if source.count("[") + source.count("{") > DEEPEST and depth(value) > DEEPEST:
            complaints.append(Complaint(file, line, f"line {line} is nested too deeply: at most {DEEPEST} levels."))
            continue
        rows.append((line, value))
    raise_complaints(complaints)
    return rows


def parse_cell(text: str) -> Any:
    """The value of a cell that may hold JSON: a list or a mapping, else the text as it is.

    Example:
        >>> parse_cell('["a", "b"]'), parse_cell("[see above"), parse_cell("007")
        (['a', 'b'], '[see above', '007')
    """
    if not text.lstrip().startswith(("[", "{")):
        return text
    try:
        value = parse_json(text)
    except ValueError:
        return text
    return text if depth(value) > DEEPEST else value


def depth(value: Any) -> int:
    """Levels of lists and mappings, counted without recursion, up to one more than DEEPEST.

    Example:
        >>> depth("x"), depth({"a": [1]})
        (0, 2)
    """
    level, depth = [value], 0
    while level and depth <= DEEPEST:
        inner = [one for one in level if isinstance(one, list | dict)]
        level = [item for one in inner for item in (one.values() if isinstance(one, dict) else one)]
        depth += bool(inner)
    return depth


def parse_json(text: str) -> Any:
    """Strict JSON: NaN and Infinity are no JSON, a key given twice is a mistake.

    Raises:
        ValueError: says what is wrong, without the text.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        line = f"line {problem.lineno}, " if problem.lineno > 1 else ""
        raise ValueError(f"{problem.msg} at {line}column {problem.colno}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return _clean(value) if "\\ud" in text or "\\uD" in text else value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f'duplicate key "{next(key for key in keys if keys.count(key) > 1)}"')
    return result


# Made once: json.loads with hooks makes a decoder at every call.
_DECODER = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_doubles)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): _clean(item) for key, item in value.items()}
    return value


def _read_parquet(path: Path, what: str) -> list[Row]:
    if not path.is_file():
        raise InputError(f"{shown(path)}: no such {what}.")
    try:
        from pyarrow import parquet
    except ImportError:
        raise InputError(f"{shown(path)}: reading Parquet needs the extra `parquet` (pyarrow).") from None
    try:
        table = parquet.read_table(path)
    except Exception as problem:
        raise InputError(f"{shown(path)}: not readable as Parquet: {problem}.") from problem
    return list(_numbered(table.to_pylist()))


def _numbered(rows: list[dict[str, Any]]) -> Iterator[Row]:
    yield from enumerate(rows, start=1)
