"""What an exchange offers a model, and what its calls are answered: by a script, by Python functions, or not at all."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from judgekit.checks.equality import json_within
from judgekit.pool import call_within
from judgekit.records import NO_FIELDS, Case, ToolCall
from judgekit.texts.scrubbing import scrub
from judgekit.writing import clean

Functions = Mapping[str, Callable[..., Any]]
"""Python functions by the name of the tool."""

LIMIT_S = 60.0
"""How long a function may take, in seconds."""


class ScriptedTools:
    """The tools of one exchange; entries without `when` are a sequence, so each exchange has its own object.

    A script is asked first, so a case can stage an outage; what it does not foresee goes to the function of that name.

    Args:
        tools: Description, parameters and scripted `results` by name.
        allowed: Names that the agent may call; None: all.
        functions: Called with the arguments of a call; what they return must have a JSON form.
        limit_s: How long a function may take.

    Example:
        >>> tools = ScriptedTools({"search": {"results": [{"when": {"q": "fee"}, "result": "5 EUR"}]}}, None)
        >>> tools.answer(ToolCall("search", {"q": "fee"}))
        '5 EUR'
        >>> tools.answer(ToolCall("fly"))["error"]
        'there is no tool "fly"'
    """

    def __init__(
        self,
        tools: Mapping[str, Any],
        allowed: tuple[str, ...] | None,
        *,
        functions: Functions = NO_FIELDS,
        limit_s: float = LIMIT_S,
    ) -> None:
        declared = {name: _declared(function) for name, function in functions.items()}
        declared |= tools
        self._tools = {name: tool for name, tool in declared.items() if allowed is None or name in allowed}
        self._declared = frozenset(declared)
        self._functions = functions
        self._limit_s = limit_s
        self._next: dict[str, int] = {}
        self.flags: list[str] = []
        """What was odd: calls of tools that are not there or not allowed, that failed, or that nothing answers."""

    @classmethod
    def of(cls, case: Case, functions: Functions = NO_FIELDS, *, limit_s: float = LIMIT_S) -> ScriptedTools:
        """The tools of a case: its own, and those of its agent's tools.json that the agent may call."""
        agent = case.agent_config
        tools = dict(agent.tools) if agent else {}
        for name, tool in case.tools.items():
            # A case may give no more than the results of a tool that its agent describes.
            tools[name] = {**tools.get(name, {}), **{key: value for key, value in tool.items() if value}}
        return cls(tools, agent.tools_allowed if agent else None, functions=functions, limit_s=limit_s)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the tools that are offered."""
        return tuple(self._tools)

    @property
    def withheld(self) -> tuple[str, ...]:
        """Names of the tools that are there, but that the agent may not call."""
        return tuple(self._declared - set(self._tools))

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
        """What the call is answered, JSON-ready; what can't be answered is an error result, and the loop goes on."""
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
            if entry.get("when") is not None and json_within(entry["when"], call.args):
                return entry["result"]
        sequence = [entry for entry in results if entry.get("when") is None]
        position = self._next.get(call.name, 0)
        if position < len(sequence):
            self._next[call.name] = position + 1
            return sequence[position]["result"]
        if call.name in self._functions:
            return self._called(self._functions[call.name], call)
        self.flags.append(f"unscripted_call:{call.name}")
        if sequence:
            return {"error": f'the scripted answers of "{call.name}" are used up: it has {len(sequence)} in sequence'}
        return {"error": f'no scripted answer of "{call.name}" fits these arguments'}

    def _called(self, function: Callable[..., Any], call: ToolCall) -> Any:
        try:
            # Its JSON form is made in there too: what is nested without end must not end the run.
            return call_within(lambda: clean(function(**dict(call.args))), self._limit_s)
        except BaseException as problem:
            # Even sys.exit() is, in a thread of its own, no more than a function that failed.
            self.flags.append(f"tool_failed:{call.name}")
            return {"error": scrub(f"{type(problem).__name__}: {problem}")[:1000]}


_KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
_KINDS_BY_NAME = {kind.__name__: said for kind, said in _KINDS.items()}


def _declared(function: Callable[..., Any]) -> dict[str, Any]:
    """Description and parameters of a function, from its docstring and signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        # Some built-in functions have none.
        return {"description": _first_line(function)}
    named = [one for one in signature.parameters.values() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    properties = {one.name: _kind(one.annotation) for one in named}
    required = [one.name for one in named if one.default is one.empty]
    parameters = {"type": "object", "properties": properties, "required": required}
    return {"description": _first_line(function), "parameters": parameters}


def _kind(annotation: Any) -> dict[str, str]:
    # With `from __future__ import annotations` they are texts.
    said = _KINDS_BY_NAME.get(annotation) if isinstance(annotation, str) else _KINDS.get(annotation)
    return {"type": said} if said else {}


def _first_line(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").strip().split("\n")[0]
