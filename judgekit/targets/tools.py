"""A case's scripted tools: schemas for the model, answers for its calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.records import ToolCall


class ScriptedTools:
    """The tools of one exchange; entries without `when` are a sequence, so each exchange has its own object.

    Example:
        >>> tools = ScriptedTools({"search": {"results": [{"when": {"q": "fee"}, "result": "5 EUR"}]}}, None)
        >>> tools.answer(ToolCall("search", {"q": "fee"}))
        '5 EUR'
        >>> tools.answer(ToolCall("fly"))["error"]
        'there is no tool "fly"'
    """

    def __init__(self, tools: Mapping[str, Any], allowed: tuple[str, ...] | None) -> None:
        self._tools = {name: tool for name, tool in tools.items() if allowed is None or name in allowed}
        self._declared = frozenset(tools)
        self._next: dict[str, int] = {}
        self.flags: list[str] = []
        """What was odd: calls of tools that are not there or not allowed, or that no scripted answer fits."""

    @property
    def schemas(self) -> tuple[dict[str, Any], ...]:
        """The tools in function-calling form."""
        return tuple(
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": tool.get("description", ""),
                    "parameters": tool.get("parameters") or {"type": "object", "properties": {}},
                },
            }
            for name, tool in self._tools.items()
        )

    def answer(self, call: ToolCall) -> Any:
        """The scripted answer; an unknown tool or an unforeseen call is an error result, and the loop goes on."""
        tool = self._tools.get(call.name)
        if tool is None:
            if call.name in self._declared:
                self.flags.append(f"tool_not_allowed:{call.name}")
                return {"error": f'the tool "{call.name}" is not allowed'}
            if self._declared:
                self.flags.append(f"unknown_tool:{call.name}")
            return {"error": f'there is no tool "{call.name}"'}
        results = tool.get("results") or ()
        for entry in results:
            when = entry.get("when")
            if when is not None and all(call.args.get(key) == value for key, value in when.items()):
                return entry["result"]
        sequence = [entry for entry in results if entry.get("when") is None]
        position = self._next.get(call.name, 0)
        if position < len(sequence):
            self._next[call.name] = position + 1
            return sequence[position]["result"]
        self.flags.append(f"unscripted_call:{call.name}")
        return {"error": f'no scripted answer of "{call.name}" fits these arguments'}
