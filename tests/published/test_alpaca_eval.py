"""AlpacaEval 2: preferences from log-probabilities, win rates and standard errors of its leaderboard."""

from __future__ import annotations

import math

import pytest
from published_choices import Weighed, alpaca_models
from published_data import Data

from judgekit.judges.weighted import preference

pytestmark = pytest.mark.published


def test_every_preference_is_the_recorded_one(weighed: list[Weighed]) -> None:
    assert len(weighed) == 9_634
    assert max(abs(one.bare - one.recorded) for one in weighed) < 1e-9


def test_all_spellings_of_a_token_change_next_to_nothing(weighed: list[Weighed]) -> None:
    assert 0 < max(abs(one.summed - one.recorded) for one in weighed) < 1e-6


def test_the_reader_of_pairs_computes_the_preference_of_two_tokens(full: Data, weighed: list[Weighed]) -> None:
    rows = [one["top_logprobs"] for one in full.rows("alpaca_eval/preferences.jsonl") if one.get("top_logprobs")]
    for top, one in zip(rows, weighed, strict=True):
        first = preference(top.get("M", -math.inf), top.get("m", -math.inf))
        assert one.bare == pytest.approx(first, abs=1e-12) or one.bare == pytest.approx(1 - first, abs=1e-12)


def test_win_rates_and_standard_errors_are_those_of_the_leaderboard(full: Data, weighed: list[Weighed]) -> None:
    known = {one["model"]: one for one in full.rows("alpaca_eval/published.jsonl")}
    models = alpaca_models(full, weighed)
    assert len(models) == 16
    for one in models:
        published = known[one.model]
        assert one.n == published["n_total"]
        assert one.win_rate == pytest.approx(published["win_rate"], abs=1e-6)
        assert one.standard_error == pytest.approx(published["standard_error"], abs=1e-6)
