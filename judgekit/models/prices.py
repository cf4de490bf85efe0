"""What calls cost: the user's own prices first, then litellm's list; unknown stays unknown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.records import Usage

_FIELDS = ("input", "output", "cached")


@dataclass(frozen=True, slots=True)
class Price:
    """USD per token."""

    input: float
    output: float
    cached: float
    """For input that the provider had cached."""

    def cost_usd(self, usage: Usage) -> float | None:
        """USD of one call; None if its tokens are unknown.

        Example:
            >>> Price(0.5, 2, 0.25).cost_usd(Usage(100, 10, cached_tokens=40))
            60.0
        """
        if usage.input_tokens is None or usage.output_tokens is None:
            return None
        cached = min(usage.cached_tokens or 0, usage.input_tokens)
        return math.fsum(
            (
                (usage.input_tokens - cached) * self.input,
                cached * self.cached,
                usage.output_tokens * self.output,
            )
        )


def read_prices(prices: Mapping[str, Any]) -> dict[str, Price]:
    """The settings' `prices`: model -> `{input, output, cached?}` in USD per million tokens.

    Raises:
        InputError: not a mapping of numbers of at least 0, or an unknown key.

    Example:
        >>> read_prices({"local": {"input": 0.5, "output": 1}})["local"].cached
        5e-07
    """
    read = {}
    for model, given in prices.items():
        where = f'prices: "{model}"'
        if not isinstance(given, Mapping):
            raise InputError(
                f"{where} must be a mapping such as {{input: 2.5, output: 10}}, in USD per million tokens."
            )
        for name in given:
            if name not in _FIELDS:
                hint = did_you_mean(str(name), _FIELDS)
                raise InputError(f'{where}: unknown key "{name}".{hint} Known are input, output and cached.')
        values = {name: _amount(value, f"{where}: {name}") for name, value in given.items()}
        if "input" not in values or "output" not in values:
            raise InputError(f"{where} needs both input and output, in USD per million tokens.")
        read[str(model)] = Price(values["input"], values["output"], values.get("cached", values["input"]))
    return read


def listed_price(name: str, table: Mapping[str, Any]) -> Price | None:
    """The price of a model in litellm's table; None if it is not listed, or listed without a price.

    A name with its provider before it, such as `openai/gpt-4o`, is also looked up without, if the provider is the same.
    """
    provider, slash, bare = name.partition("/")
    entry = table.get(name)
    if entry is None and slash:
        other = table.get(bare)
        entry = other if other and str(other.get("litellm_provider", "")).startswith(provider) else None
    if not isinstance(entry, Mapping):
        return None
    read, written = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
    if not isinstance(read, int | float) or not isinstance(written, int | float):
        return None
    cached = entry.get("cache_read_input_token_cost")
    return Price(read, written, cached if isinstance(cached, int | float) else read)


def _amount(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise InputError(f"{where} must be a number of at least 0, not {value!r}.")
    return value / 1e6
