"""Values and texts in, whole files of strict JSON and UTF-8 out: a reader never meets a half-written one."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

from judgekit.reading.text import without_surrogates


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A binary file that becomes `path` when the block ends well; if it does not, the old file stays.

    The file grows beside its target, because a rename is atomic only within one file system.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8 with its line ends as they are; lone surrogates become U+FFFD."""
    with replacing(path) as file:
        file.write(without_surrogates(text).encode("utf-8"))


def write_json(path: Path, value: Any) -> None:
    """Write strict JSON, laid out for people."""
    write_text(path, pretty(value))


def clean(value: Any) -> Any:
    """A copy that strict JSON can hold: NaN and infinities are None, fractions are floats, keys and other things text.

    Example:
        >>> clean({"a": 0.5, "b": float("nan"), "c": [float("inf"), Fraction(1, 4)]})
        {'a': 0.5, 'b': None, 'c': [None, 0.25]}
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value if value.isascii() else without_surrogates(value)
    if isinstance(value, Mapping):
        return {without_surrogates(str(key)): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if isinstance(value, float | Fraction):
        return float(value) if isfinite(value) else None
    if isinstance(value, set | frozenset):
        return sorted((clean(item) for item in value), key=str)
    return without_surrogates(str(value))


# Made once: json.dumps with options makes an encoder at every call.
_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_encoded_tight = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_line(row: Mapping[str, Any]) -> bytes:
    """The row as one line of strict JSON in UTF-8, its end included.

    Example:
        >>> json_line({"a": float("nan"), "b": "ü"}).decode()
        '{"a":null,"b":"ü"}\\n'
    """
    try:
        return _encoded_tight(row).encode() + b"\n"
    except (ValueError, TypeError):
        return _encoded_tight(clean(row)).encode() + b"\n"


def pretty(value: Any) -> str:
    """JSON text with a line for each entry down to the second level and a final newline.

    Example:
        >>> print(pretty({"run_id": "r1", "counts": {"pass": 1, "fail": 0}}), end="")
        {
          "run_id": "r1",
          "counts": {
            "pass": 1,
            "fail": 0
          }
        }
    """
    try:
        # Cleaning makes a copy of everything, which is hardly ever needed.
        return without_surrogates(_laid_out(value, "")) + "\n"
    except (ValueError, TypeError):
        return _laid_out(clean(value), "") + "\n"


def _laid_out(value: Any, margin: str) -> str:
    # json.dumps(indent=…) is written in Python and slow on ten thousand cases; below the second level C does the work.
    inner = margin + "  "
    if not value or not isinstance(value, dict | list) or len(inner) > 4:
        return _encoded(value)
    if isinstance(value, dict):
        entries = [f"{inner}{_encoded(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + _laid_out(item, inner) for item in value) + f"\n{margin}]"
