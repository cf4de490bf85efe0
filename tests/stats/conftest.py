"""Recorded data with known statistics, where it lies beside a checkout; tests that need it skip without it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Rows = list[dict[str, Any]]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    for folder in Path(__file__).resolve().parents:
        if (folder / "shared" / "data" / "expected.json").is_file():
            return folder / "shared" / "data"
    pytest.skip("the recorded data (shared/data) is not beside this checkout")


@pytest.fixture(scope="session")
def expected(shared_data: Path) -> dict[str, Any]:
    """Reference values, computed with scipy, scikit-learn, statsmodels and irrCAC; see shared/data/README.md."""
    return json.loads((shared_data / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def rows(shared_data: Path) -> Callable[[str], Rows]:
    def read(name: str) -> Rows:
        return [json.loads(line) for line in (shared_data / name).read_text(encoding="utf-8").splitlines()]

    return read
