"""Recorded data for replays: all of it where it stands beside the project, a sample of it everywhere."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from published_choices import Cell, Weighed
    from published_data import Data
    from published_ratings import Correlated


def _load(name: str) -> None:
    # No test folder is a package to import from.
    spec = importlib.util.spec_from_file_location(f"published_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[f"published_{name}"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


# Each may import those before it.
for _name in ("data", "choices", "ratings", "table", "build_sample"):
    _load(_name)


@pytest.fixture(scope="session")
def full() -> Data:
    """All recorded data; skips without it."""
    from published_data import full_data

    found = full_data()
    if found is None:
        pytest.skip("the recorded data (shared/data) is not beside this checkout")
    return found


@pytest.fixture(scope="session", params=["sample", "full"])
def data(request: pytest.FixtureRequest) -> Data:
    """The sample, and all of the data where it is."""
    from published_data import SAMPLE, Data

    return Data(SAMPLE) if request.param == "sample" else request.getfixturevalue("full")


@pytest.fixture(scope="session")
def cells(data: Data) -> list[Cell]:
    """LLMBar, replayed."""
    from published_choices import llmbar

    return llmbar(data)


@pytest.fixture(scope="session")
def from_raw(full: Data) -> list[Correlated]:
    """Topical-Chat, from raw replies."""
    from published_ratings import topical_chat

    return topical_chat(full, raw=True)


@pytest.fixture(scope="session")
def from_scores(full: Data) -> list[Correlated]:
    """Topical-Chat, from the scores that the publication read."""
    from published_ratings import topical_chat

    return topical_chat(full, raw=False)


@pytest.fixture(scope="session")
def weighed(full: Data) -> list[Weighed]:
    """AlpacaEval's preferences, from log-probabilities."""
    from published_choices import alpaca_preferences

    return list(alpaca_preferences(full))


@pytest.fixture(scope="session")
def expected(full: Data) -> Any:
    """Published values, and references computed with other libraries."""
    return json.loads((full.folder / "expected.json").read_text(encoding="utf-8"))
