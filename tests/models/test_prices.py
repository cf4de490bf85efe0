"""What calls cost: own prices, listed ones, and none."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.models.prices import Price, listed_price, read_prices
from judgekit.records import Usage

LIST = {
    "m": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6, "litellm_provider": "openai"},
    "free/m": {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0, "litellm_provider": "free"},
    "images": {"litellm_provider": "openai", "output_cost_per_image": 0.04},
}


def test_prices_are_given_per_million_tokens() -> None:
    assert read_prices({"m": {"input": 3, "output": 15, "cached": 0.5}}) == {"m": Price(3e-6, 1.5e-5, 5e-7)}


def test_cached_input_costs_as_much_as_other_input_unless_said() -> None:
    assert read_prices({"m": {"input": 3, "output": 15}})["m"].cached == 3e-6


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (5, "must be a mapping"),
        ({"input": 1}, "needs both input and output"),
        ({"input": 1, "output": -1}, "output must be a number of at least 0"),
        ({"input": "1", "output": 1}, "input must be a number"),
        ({"input": True, "output": 1}, "input must be a number"),
        ({"input": float("nan"), "output": 1}, "input must be a number"),
        ({"inputs": 1, "output": 1}, 'Did you mean "input"'),
    ],
)
def test_mistake_in_the_settings_is_named(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_prices({"m": given})


@pytest.mark.parametrize("usage", [Usage(), Usage(5, None), Usage(None, 5)])
def test_unknown_tokens_have_no_cost(usage: Usage) -> None:
    assert Price(1, 1, 1).cost_usd(usage) is None


def test_listed_price_of_0_is_known() -> None:
    assert listed_price("free/m", LIST) == Price(0, 0, 0)


@pytest.mark.parametrize("name", ["images", "other", "free/other", "mistral/m", "openai/images", ""])
def test_unlisted_price_is_none(name: str) -> None:
    assert listed_price(name, LIST) is None


def test_provider_may_stand_before_the_name() -> None:
    assert listed_price("openai/m", LIST) == listed_price("m", LIST) == Price(1e-6, 2e-6, 1e-6)
