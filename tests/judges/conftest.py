"""Where the recorded public data stands, when it is there at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def shared_rows() -> Callable[[str], list[dict[str, Any]]]:
    """Rows of a JSONL file below `shared/`, which stands beside the project or above it; skips without it."""

    def rows(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in _find(name).read_text(encoding="utf-8").splitlines()]

    return rows


@pytest.fixture(scope="session")
def shared_json() -> Callable[[str], Any]:
    """A JSON file below `shared/`; skips without it."""
    return lambda name: json.loads(_find(name).read_text(encoding="utf-8"))


def _find(name: str) -> Path:
    for folder in Path(__file__).resolve().parents:
        if (folder / "shared" / name).is_file():
            return folder / "shared" / name
    pytest.skip(f"no shared/{name} beside the project")
