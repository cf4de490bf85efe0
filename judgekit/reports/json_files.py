"""Run data in, summary.json and manifest.json out: strict JSON in UTF-8, in the order the run gave it."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from judgekit.frame import RunData
from judgekit.reading.text import without_surrogates
from judgekit.reports.files import write_text


def write_summary(run: RunData, path: Path) -> None:
    """Write summary.json: decision, counts, estimates, cost, comparisons."""
    write_text(path, pretty(run.summary))


def write_manifest(run: RunData, path: Path) -> None:
    """Write manifest.json: what was run, with which versions, prompts, judges and parameters."""
    write_text(path, pretty(run.manifest))


_encoded = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def clean(value: Any) -> Any:
    """A copy that strict JSON can hold: NaN and infinities are None, fractions are floats, keys and other things text.

    Example:
        >>> clean({"a": 0.5, "b": float("nan"), "c": [float("inf"), Fraction(1, 4)]})
        {'a': 0.5, 'b': None, 'c': [None, 0.25]}
    """
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return value if value.isascii() else without_surrogates(value)
    if isinstance(value, dict):
        return {without_surrogates(str(key)): clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean(item) for item in value]
    if isinstance(value, (float, Fraction)):
        return float(value) if isfinite(value) else None
    return without_surrogates(str(value))


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
    return _laid_out(clean(value), "") + "\n"


def _laid_out(value: Any, margin: str) -> str:
    # json.dumps(indent=…) is written in Python and slow on ten thousand cases; below the second level C does the work.
    inner = margin + "  "
    if not value or not isinstance(value, (dict, list)) or len(inner) > 4:
        return _encoded(value)
    if isinstance(value, dict):
        entries = [f"{inner}{_encoded(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
        return "{\n" + ",\n".join(entries) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + _laid_out(item, inner) for item in value) + f"\n{margin}]"
