"""Checks of the tools that an agent called: tool_calls, max_tool_calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field, model_validator

from judgekit.checks.base import Check, Findings, Item, NoResult, Reads, outcome
from judgekit.checks.equality import json_equal, json_within, plain
from judgekit.checks.values import Count
from judgekit.checks.wording import as_json, counted
from judgekit.reading.forms import Form, Text, TextList
from judgekit.records import Case, CheckResult, Output, ToolCall

Match = Literal["any_order", "in_order", "exact", "contains", "within"]
Arguments = Literal["partial", "exact", "ignore"]

_MOST_SHOWN = 10


class WantedCall(Form):
    """One call that is expected."""

    shorthand: ClassVar[Mapping[str, Any]] = {"type": "string"}
    name: Text = Field(description="Name of the tool.")
    args: Annotated[dict[str, Any], BeforeValidator(lambda value: plain(value))] | None = Field(
        None, description="Arguments; left out, any arguments do."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data


class ToolCalls(Check):
    """The expected tools were called; `match` says whether order and further calls matter.

    Calls are matched one for one: a call expected twice must be made twice.
    """

    name: ClassVar[str] = "tool_calls"
    reads: ClassVar[Reads] = "tools"
    shorthand: ClassVar[Mapping[str, Any]] = {"type": "array", "items": {"type": ["string", "object"]}}
    expect: tuple[WantedCall, ...] | None = Field(
        None, description="Expected calls: names, or mappings of name and args. An empty list: no call at all."
    )
    match: Match = Field(
        "any_order",
        description="any_order: these calls and no others; exact: in this order too; in_order: in this order, others "
        "between; contains: these and any others; within: no call that is not listed.",
    )
    arguments: Arguments = Field(
        "partial",
        description="partial: the given arguments are equal, others may be there; exact: all are equal; ignore.",
    )
    forbidden: TextList = Field((), description="Names or patterns such as delete* that must not be called.")
    before: tuple[tuple[Text, Text], ...] = Field(
        (), description="Pairs [first, then]: `then` may be called only after `first`."
    )

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, data: Any) -> Any:
        return {"expect": data} if isinstance(data, list | tuple) else data

    @model_validator(mode="after")
    def _asks_something(self) -> ToolCalls:
        if self.expect is None and not self.forbidden and not self.before:
            raise ValueError("asks for nothing: give `expect`, `forbidden` or `before`")
        return self

    def items(self, output: Output, case: Case) -> Findings | CheckResult:
        """One item per expected call, unexpected call, forbidden pattern and pair."""
        calls = made_calls(output)
        items = [*self._forbidden_items(calls), *self._before_items(calls)]
        matched = 0
        if self.expect is not None:
            pairs = self._pairs(self.expect, calls)
            matched = len(pairs)
            items = [*self._expected_items(self.expect, calls, pairs), *items]
        detail = {"matched": matched, "calls": [call.name for call in calls]}
        if not items:
            return outcome(True, "no tool was called" if not calls else "no call is out of place", detail=detail)
        return Findings(items, detail)

    def _fits(self, wanted: WantedCall, call: ToolCall) -> bool:
        if wanted.name != call.name:
            return False
        if wanted.args is None or self.arguments == "ignore":
            return True
        fits = json_equal if self.arguments == "exact" else json_within
        return fits(wanted.args, call.args)

    def _pairs(self, wanted: Sequence[WantedCall], calls: Sequence[ToolCall]) -> dict[int, int]:
        """Position of the expected call -> position of the call made, one for one, as many as possible."""

        def fits(one: int, other: int) -> bool:
            return self._fits(wanted[one], calls[other])

        if self.match == "exact":
            return {at: at for at in range(min(len(wanted), len(calls))) if fits(at, at)}
        if self.match == "in_order":
            return _longest_in_order(len(wanted), len(calls), fits)
        return _largest_matching(len(wanted), len(calls), fits)

    def _expected_items(
        self, wanted: Sequence[WantedCall], calls: Sequence[ToolCall], pairs: Mapping[int, int]
    ) -> list[Item]:
        used = set(pairs.values())
        items = []
        for at, one in enumerate(wanted):
            if at in pairs:
                items.append(Item(True, found=f"{_shown(one.name, one.args)} was called"))
            elif self.match != "within":
                items.append(Item(False, self._missing(at, one, calls, used)))
        lacking = [one.name for at, one in enumerate(wanted) if at not in pairs and self.match != "within"]
        return items + [Item(False, said) for said in self._unexpected(calls, used, lacking)]

    def _unexpected(self, calls: Sequence[ToolCall], used: set[int], lacking: Sequence[str]) -> list[str]:
        """What is said of calls too many; a call that stands in for a missing one is told with that one."""
        if self.match in ("in_order", "contains"):
            return []
        rest = [call for at, call in enumerate(calls) if at not in used]
        rest.sort(key=lambda call: call.name not in lacking)
        why = "is not listed" if self.match == "within" else "was not expected"
        if self.match == "any_order":
            why += " (`match: contains` allows further calls)"
        return [f"the call {_shown(call.name, call.args)} {why}" for call in rest[len(lacking) :]]

    def _missing(self, at: int, wanted: WantedCall, calls: Sequence[ToolCall], used: set[int]) -> str:
        said = f"{_shown(wanted.name, wanted.args)} was not called"
        if self.match == "exact" and at < len(calls):
            return f"{said} as call {at + 1}; that was {_shown(calls[at].name, calls[at].args)}"
        same = [call for place, call in enumerate(calls) if call.name == wanted.name and place not in used]
        if any(self._fits(wanted, call) for call in same):
            return f"{said} in this order; {_made(calls)}"
        if same:
            return f"{said}; {_other_args(wanted, same[0])}"
        if any(call.name == wanted.name for call in calls):
            often = sum(call.name == wanted.name for call in calls)
            return f"{said} often enough: {wanted.name} was called {counted(often, 'time')}"
        return f"{said}; {_made(calls)}"

    def _forbidden_items(self, calls: Sequence[ToolCall]) -> list[Item]:
        items = []
        for pattern in self.forbidden:
            hit = next((call for call in calls if fnmatchcase(call.name, pattern)), None)
            said = "" if hit is None else f"{_shown(hit.name, hit.args)} was called, which {pattern} forbids"
            items.append(Item(hit is None, said, f"nothing that {pattern} forbids was called"))
        return items

    def _before_items(self, calls: Sequence[ToolCall]) -> list[Item]:
        items = []
        for first, then in self.before:
            names = [call.name for call in calls]
            at = next((place for place, name in enumerate(names) if fnmatchcase(name, then)), None)
            met = at is None or any(fnmatchcase(name, first) for name in names[:at])
            said = f"{then} was called before {first}; {_made(calls)}"
            items.append(Item(met, said, f"{first} came before {then}"))
        return items


class MaxToolCalls(Check):
    """At most so many tool calls were made."""

    name: ClassVar[str] = "max_tool_calls"
    reads: ClassVar[Reads] = "tools"
    value: Count = Field(description="The greatest number of calls that passes.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the number of calls."""
        calls = made_calls(output)
        said = f"{counted(len(calls), 'tool call')}, at most {self.value}"
        passed = len(calls) <= self.value
        return outcome(passed, said if passed else f"{said}; {_made(calls)}", detail={"measured": len(calls)})


def made_calls(output: Output) -> tuple[ToolCall, ...]:
    """The tool calls of the output.

    Raises:
        NoResult: they were not recorded, which is not the same as none made.
    """
    if output.tool_calls is None:
        raise NoResult("not_recorded", "tool calls were not recorded for this output")
    return output.tool_calls


def _shown(name: str, args: Mapping[str, Any] | None) -> str:
    return name if not args else f"{name}({as_json(dict(args))})"


def _made(calls: Sequence[ToolCall]) -> str:
    if not calls:
        return "no tool was called"
    names = ", ".join(call.name for call in calls[:_MOST_SHOWN])
    more = f" and {len(calls) - _MOST_SHOWN} more" if len(calls) > _MOST_SHOWN else ""
    return f"calls made: {names}{more}"


def _other_args(wanted: WantedCall, call: ToolCall) -> str:
    asked = wanted.args or {}
    for key, value in asked.items():
        if key not in call.args:
            return f"it was called without {key}"
        if not json_within(value, call.args[key]):
            return f"{key} was {as_json(call.args[key], 60)}, wanted {as_json(value, 60)}"
    return f"it was called with {as_json(dict(call.args))}"


Fits = Callable[[int, int], bool]


def _longest_in_order(wanted: int, made: int, fits: Fits) -> dict[int, int]:
    """The most expected calls that are found in their order, others between them."""
    best = [[0] * (made + 1) for _ in range(wanted + 1)]
    for one in reversed(range(wanted)):
        for other in reversed(range(made)):
            here = best[one + 1][other + 1] + 1 if fits(one, other) else 0
            best[one][other] = max(here, best[one + 1][other], best[one][other + 1])
    pairs: dict[int, int] = {}
    one = other = 0
    while one < wanted and other < made:
        if fits(one, other) and best[one][other] == best[one + 1][other + 1] + 1:
            pairs[one] = other
            one, other = one + 1, other + 1
        elif best[one + 1][other] >= best[one][other + 1]:
            one += 1
        else:
            other += 1
    return pairs


def _largest_matching(wanted: int, made: int, fits: Fits) -> dict[int, int]:
    """The largest one-for-one matching in any order.

    Taking the first call that fits is not enough: a call expected without arguments would take the one that a call
    expected with arguments needs. Each expected call looks for a chain of others that can move on instead.
    """
    edges = [[other for other in range(made) if fits(one, other)] for one in range(wanted)]
    taken: dict[int, int] = {}
    for start in range(wanted):
        came_from: dict[int, int] = {}
        waiting = [start]
        end = None
        while waiting and end is None:
            one = waiting.pop(0)
            for other in edges[one]:
                if other in came_from:
                    continue
                came_from[other] = one
                if other not in taken:
                    end = other
                    break
                waiting.append(taken[other])
        held = {one: other for other, one in taken.items()}
        while end is not None:
            one = came_from[end]
            taken[end] = one
            end = held.get(one)
    return {one: other for other, one in sorted(taken.items(), key=lambda pair: pair[1])}
