"""Checks of how long an output is: max_length, min_length."""

from __future__ import annotations

import unicodedata
from typing import ClassVar, Literal

from pydantic import Field

from judgekit.checks.base import Check, NoResult, outcome
from judgekit.checks.values import Count
from judgekit.records import Case, CheckResult, Output

Unit = Literal["characters", "words", "lines", "tokens", "bytes"]


class _Length(Check):
    unit: Unit = Field(
        "characters",
        description="characters (Unicode code points), words (split at white space), lines, bytes (UTF-8), or tokens "
        "(as recorded for the output).",
    )

    def measured(self, output: Output) -> int:
        """Length of the output in the unit.

        Raises:
            NoResult: tokens are asked for and were not recorded.
        """
        if self.unit == "tokens":
            # Characters divided by four would look like a measurement and be off by half for code or Chinese.
            tokens = output.usage.output_tokens
            if tokens is None:
                raise NoResult("unknown_usage", "the number of output tokens was not recorded")
            return tokens
        text = output.text or ""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
        text = text.strip()
        if self.unit == "words":
            return len(text.split())
        if self.unit == "lines":
            return len(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        if self.unit == "bytes":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text)

    def _result(self, measured: int, passed: bool, bound: str) -> CheckResult:
        unit = self.unit if measured != 1 else self.unit.removesuffix("s")
        return outcome(passed, f"{measured} {unit}, {bound}", detail={"measured": measured, "unit": self.unit})


class MaxLength(_Length):
    """The output has at most so many characters, outer white space not counted; see `unit`."""

    name: ClassVar[str] = "max_length"
    value: Count = Field(description="The greatest length that passes.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the length measured."""
        measured = self.measured(output)
        return self._result(measured, measured <= self.value, f"at most {self.value}")


class MinLength(_Length):
    """The output has at least so many characters, outer white space not counted; see `unit`."""

    name: ClassVar[str] = "min_length"
    value: Count = Field(description="The smallest length that passes.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the length measured."""
        measured = self.measured(output)
        return self._result(measured, measured >= self.value, f"at least {self.value}")
