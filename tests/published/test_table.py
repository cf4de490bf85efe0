"""`reports/example/published.md` is what the replays give today, and the sample is a part of the recorded data."""

from __future__ import annotations

from typing import Any

import pytest
from published_build_sample import sample
from published_choices import Weighed, llmbar
from published_data import SAMPLE, TABLE, Data
from published_ratings import Correlated
from published_table import table

pytestmark = pytest.mark.published


def test_the_committed_table_is_what_is_computed(
    full: Data,
    from_raw: list[Correlated],
    from_scores: list[Correlated],
    weighed: list[Weighed],
    expected: Any,
    request: pytest.FixtureRequest,
) -> None:
    made = table(full, llmbar(full), from_raw, from_scores, weighed, expected)
    committed = TABLE.read_text(encoding="utf-8") if TABLE.is_file() else ""
    if made != committed and request.config.getoption("markexpr") == "published":
        TABLE.write_text(made, encoding="utf-8", newline="\n")
    # `pytest -m published` has rewritten it by now; look at what changed before committing that.
    assert made == committed


def test_the_sample_is_made_of_the_recorded_data(full: Data) -> None:
    for name, text in sample(full.folder).items():
        assert (SAMPLE / name).read_text(encoding="utf-8") == text
