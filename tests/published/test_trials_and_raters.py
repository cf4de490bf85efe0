"""tau-bench, Newsroom and DICES: agents over trials, and people who rated the same texts."""

from __future__ import annotations

from typing import Any

import pytest
from published_data import Data
from published_ratings import dices, newsroom, tau_bench
from published_table import DICES, NEWSROOM, TAU_BENCH

pytestmark = pytest.mark.published


def test_tau_bench_passes_all_of_k_trials_as_published(data: Data) -> None:
    assert tau_bench(data) == pytest.approx(TAU_BENCH, abs=0.0005)


def test_newsroom_raters_agree_as_published(full: Data, expected: Any) -> None:
    assert newsroom(full) == pytest.approx(NEWSROOM, abs=0.0005)
    # The reference has one digit more; computed with irrCAC.
    assert newsroom(full) == pytest.approx(expected["newsroom_alpha_ordinal"], abs=5.1e-5)


def test_dices_raters_agree_as_published(full: Data, expected: Any) -> None:
    assert dices(full) == pytest.approx(DICES, abs=0.0005)
    assert dices(full) == pytest.approx(expected["dices_350_alpha_nominal"], abs=5.1e-5)
