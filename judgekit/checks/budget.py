"""Checks of what an output cost: max_cost_usd, max_latency_s, max_tokens, finish_reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from judgekit.checks.base import Check, Item, NoResult, Reads, outcome
from judgekit.checks.values import Count
from judgekit.checks.wording import figure, listed
from judgekit.reading.forms import Exact, TextList, as_exact
from judgekit.records import Case, CheckResult, Output
from judgekit.texts.quoting import quote

Limit = Annotated[Exact, Field(ge=0)]


class _Budget(Check):
    reads: ClassVar[Reads] = "budget"
    unknown: ClassVar[str] = "unknown_usage"

    def _within(self, measured: float, limit: Fraction, unit: str) -> CheckResult:
        try:
            exact = as_exact(measured)
        except ValueError:
            raise NoResult(self.unknown, f"{measured} is no figure") from None
        said = f"{figure(exact, limit)} {unit}, at most {figure(limit)}"
        return outcome(exact <= limit, said, detail={"measured": measured})


class MaxCostUsd(_Budget):
    """The output cost at most so many US dollars; an unknown cost is an error, never 0."""

    name: ClassVar[str] = "max_cost_usd"
    unknown: ClassVar[str] = "unknown_cost"
    value: Limit = Field(description="The greatest cost that passes, in US dollars.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the cost."""
        if output.cost_usd is None:
            raise NoResult(self.unknown, "the cost is unknown: the model has no price, or none was recorded")
        return self._within(output.cost_usd, self.value, "USD")


class MaxLatencyS(_Budget):
    """The output took at most so many seconds; an unknown time is an error."""

    name: ClassVar[str] = "max_latency_s"
    value: Limit = Field(description="The longest time that passes, in seconds.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the time."""
        if output.latency_s is None:
            raise NoResult(self.unknown, "the latency was not recorded")
        return self._within(output.latency_s, self.value, "s")


class MaxTokens(_Budget):
    """The call used at most so many tokens, input and output together (see `of`); unknown usage is an error."""

    name: ClassVar[str] = "max_tokens"
    value: Count = Field(description="The greatest number of tokens that passes.")
    of: Literal["total", "input", "output"] = Field("total", description="Which tokens are counted.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the number of tokens."""
        usage = output.usage
        parts = {"input": usage.input_tokens, "output": usage.output_tokens}
        wanted = list(parts.values()) if self.of == "total" else [parts[self.of]]
        known = [number for number in wanted if number is not None]
        # One half alone may already be too much; then the other half cannot change the answer.
        if len(known) < len(wanted) and sum(known) <= self.value:
            raise NoResult("unknown_usage", f"the number of {self.of} tokens was not recorded")
        said = f"{sum(known)} {self.of} tokens, at most {self.value}"
        return outcome(sum(known) <= self.value, said, detail={"measured": sum(known)})


class FinishReason(Check):
    """The model stopped for one of the listed reasons, such as stop, length, tool_calls or content_filter."""

    name: ClassVar[str] = "finish_reason"
    reads: ClassVar[Reads] = "budget"
    any_item: ClassVar[bool] = True
    value: TextList = Field(description="A finish reason, or several of which one must be the output's.")

    def items(self, output: Output, case: Case) -> list[Item]:
        """One item: the reason."""
        said = output.finish_reason
        if said is None:
            raise NoResult("unknown_usage", "the finish reason was not recorded")
        met = said.casefold() in (reason.casefold() for reason in self.value)
        wanted = " or ".join(map(quote, self.value)) if len(self.value) < 4 else f"one of {listed(self.value)}"
        return [Item(met, f"the finish reason is {quote(said)}, not {wanted}", f"the finish reason is {quote(said)}")]
