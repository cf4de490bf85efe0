"""Tools of an exchange: from the case, from the agent's tools.json, from Python functions; and the loop over them."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import pytest
from stub_server import Answer, Stub, reply

from judgekit.models.base import Request
from judgekit.models.faux import FauxModel
from judgekit.models.limits import Limits
from judgekit.models.live import LiveModel
from judgekit.records import AgentConfig, Case, Output, ToolCall, Variant
from judgekit.targets.prompted import MAX_ITERATIONS, PromptTarget
from judgekit.targets.tools import ScriptedTools

QUERY = {"type": "object", "properties": {"q": {"type": "string"}}}
LOOKUP = {"description": "Of the agent", "parameters": QUERY}


def agent(tools: dict[str, Any] | None = None, **more: Any) -> AgentConfig:
    return AgentConfig(Path(), "Be brief.", "hash", tools={"search": LOOKUP} if tools is None else tools, **more)


def calls(*made: tuple[str, dict[str, Any]], content: str | None = None) -> dict[str, Any]:
    """A step in which the model calls tools."""
    step: dict[str, Any] = {"tool_calls": [{"name": name, "args": args} for name, args in made]}
    return step if content is None else {**step, "content": content}


def collected(case: Case, **functions: Any) -> Output:
    return PromptTarget(Variant("v1"), FauxModel.of([case]), {}, functions=functions).collect(case, 0)


def offered(case: Case, **functions: Any) -> list[Any]:
    """The tools that the model is offered."""
    seen: list[Request] = []

    def note(request: Request, state: Any) -> str:
        seen.append(request)
        return "done"

    PromptTarget(Variant("v1"), FauxModel(target=note), {}, functions=functions).collect(case, 0)
    assert all(tool["type"] == "function" for tool in seen[0].tools)
    return [tool["function"] for tool in seen[0].tools]


def results(output: Output) -> list[Any]:
    return [call.result for call in output.tool_calls or ()]


# -------------------------------------------------------------------------------------------------- what is offered


def test_tools_of_the_agent_are_offered_beside_those_of_the_case() -> None:
    case = Case("a", agent_config=agent(), tools={"fly": {"description": "Of the case"}})
    assert [tool["name"] for tool in offered(case)] == ["search", "fly"]
    assert offered(case)[0] == {"name": "search", **LOOKUP}


def test_the_cases_tool_wins_by_its_name() -> None:
    case = Case("a", agent_config=agent(), tools={"search": {"description": "Of the case", "parameters": {}}})
    (tool,) = offered(case)
    assert tool["description"] == "Of the case"


def test_a_case_may_give_the_results_alone_of_a_tool_that_the_agent_describes() -> None:
    tools = {"search": {"description": "", "parameters": {}, "results": [{"when": None, "result": "5 EUR"}]}}
    case = Case("a", agent_config=agent(), tools=tools, faux_target=(calls(("search", {})), "5 EUR it is."))
    assert offered(case) == [{"name": "search", **LOOKUP}]
    assert results(collected(case)) == ["5 EUR"]


def test_what_the_agent_may_not_call_is_not_offered() -> None:
    case = Case("a", agent_config=agent(tools_allowed=("fly",)), tools={"fly": {}})
    assert [tool["name"] for tool in offered(case)] == ["fly"]


def test_a_tool_of_the_agent_without_results_is_answered_an_error_and_flagged() -> None:
    case = Case("a", agent_config=agent(), faux_target=(calls(("search", {"q": "fee"})), "I can't find it."))
    output = collected(case)
    assert output.text == "I can't find it."
    assert results(output) == [{"error": 'no scripted answer of "search" fits these arguments'}]
    assert output.flags == ("unscripted_call:search",)


def fee(q: str, limit: int = 3, **more: Any) -> Any:
    """Fees by name.

    More of it.
    """
    return {"q": q, "limit": limit}


def test_a_function_is_offered_as_its_signature_says() -> None:
    assert offered(Case("a"), fee=fee) == [
        {
            "name": "fee",
            "description": "Fees by name.",
            "parameters": {
                "type": "object",
                "properties": {"q": {"type": "string"}, "limit": {"type": "integer"}},
                "required": ["q"],
            },
        }
    ]


def test_the_description_of_a_case_or_an_agent_wins_over_that_of_a_function() -> None:
    assert offered(Case("a", agent_config=agent()), search=fee) == [{"name": "search", **LOOKUP}]


def test_a_function_without_a_signature_is_offered_too() -> None:
    (tool,) = offered(Case("a"), biggest=max)
    assert tool["parameters"] == {"type": "object", "properties": {}}


# --------------------------------------------------------------------------------------------------- what is answered


def test_a_function_is_called_with_the_arguments() -> None:
    case = Case("a", faux_target=(calls(("fee", {"q": "parcel", "limit": 1})), "done"))
    output = collected(case, fee=fee)
    assert results(output) == [{"q": "parcel", "limit": 1}]
    assert (output.text, output.flags) == ("done", ())


def test_a_script_comes_first_so_that_a_case_can_stage_an_outage() -> None:
    tools = {"fee": {"results": [{"when": {"q": "parcel"}, "result": {"error": "503"}}]}}
    steps = (calls(("fee", {"q": "parcel"}), ("fee", {"q": "letter"})), "done")
    assert results(collected(Case("a", tools=tools, faux_target=steps), fee=fee)) == [
        {"error": "503"},
        {"q": "letter", "limit": 3},
    ]


def test_a_function_that_the_agent_may_not_call_is_not_called() -> None:
    case = Case("a", agent_config=agent(tools_allowed=()), faux_target=(calls(("fee", {"q": "x"})), "done"))
    output = collected(case, fee=fee)
    assert output.flags == ("tool_not_allowed:fee",)


def hang(q: str) -> None:
    time.sleep(2)


def endless() -> Any:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda q: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda: None, "TypeError: "),
        (lambda q: sys.exit(3), "SystemExit: 3"),
        (lambda q: endless(), "RecursionError: "),
        (hang, "TimeoutError: no answer within 0.1 s"),
    ],
)
def test_a_function_that_fails_is_an_error_result_and_a_flag(function: Any, said: str) -> None:
    tools = ScriptedTools({}, None, functions={"f": function}, limit_s=0.1)
    assert tools.answer(ToolCall("f", {"q": "x"}))["error"].startswith(said)
    assert tools.flags == ["tool_failed:f"]


def test_what_a_function_returns_is_made_fit_for_json() -> None:
    tools = ScriptedTools({}, None, functions={"f": lambda: {"a": float("nan"), 1: (Path("x"), {2}), "s": "\ud83d"}})
    assert tools.answer(ToolCall("f")) == {"a": None, "1": ["x", [2]], "s": "\ufffd"}


@pytest.mark.parametrize(
    ("when", "args", "fits"),
    [
        ({"n": 1}, {"n": 1.0}, True),
        ({"n": 1}, {"n": True}, False),
        ({"n": 1}, {"n": "1"}, False),
        ({"q": None}, {}, False),
        ({"q": None}, {"q": None}, True),
        ({"at": {"city": "Oslo"}}, {"at": {"city": "Oslo", "zip": "1"}}, True),
        ({"tags": ["a"]}, {"tags": ["a", "b"]}, False),
    ],
)
def test_arguments_fit_as_json_does(when: Any, args: Any, fits: bool) -> None:
    tools = ScriptedTools({"f": {"results": [{"when": when, "result": "yes"}]}}, None)
    assert (tools.answer(ToolCall("f", args)) == "yes") is fits


# ------------------------------------------------------------------------------------------------------------ the loop


AGENT = Case(
    "a",
    input="hi",
    turns=("thanks",),
    agent_config=agent(),
    tools={
        "search": {"results": [{"when": {"q": "fee"}, "result": "5 EUR"}]},
        "send": {"results": [{"result": {"error": "503 Service Unavailable"}}, {"result": "sent"}]},
    },
    faux_target=(
        calls(("search", {"q": "fee"}), ("fly", {}), content="Let me look."),
        calls(("send", {"to": "Ada"})),
        calls(("send", {"to": "Ada"})),
        "Told Ada: 5 EUR.",
        "Bye.",
    ),
)
"""Two tools, an unknown one, a scripted outage, two turns."""


def test_an_agent_with_two_tools_an_unknown_one_and_an_outage() -> None:
    output = collected(AGENT)
    assert output.text == "Bye."
    assert results(output) == [
        "5 EUR",
        {"error": 'there is no tool "fly"'},
        {"error": "503 Service Unavailable"},
        "sent",
    ]
    assert output.flags == ("unknown_tool:fly",)
    assert [message["role"] for message in output.transcript] == [
        *("system", "user", "assistant", "tool", "tool"),
        *("assistant", "tool", "assistant", "tool", "assistant"),
        *("user", "assistant"),
    ]


def over_the_wire(step: Any) -> Answer:
    if isinstance(step, str):
        return reply(step)
    made = [(call["name"], call["args"]) for call in step["tool_calls"]]
    return reply(step.get("content"), tool_calls=made)


def test_a_live_model_has_the_same_exchange_over_a_socket(stub: Stub) -> None:
    stub.answers(*map(over_the_wire, AGENT.faux_target or ()))
    model = LiveModel("openai/agent", base_url=stub.url, limits=Limits(1))
    live = PromptTarget(Variant("v1"), model, {"temperature": 0}).collect(AGENT, 0)
    faux = collected(AGENT)
    assert (live.text, live.transcript, live.tool_calls, live.flags) == (
        (faux.text, faux.transcript, faux.tool_calls, faux.flags)
    )
    assert [tool["function"]["name"] for tool in stub.asked[0].body["tools"]] == ["search", "send"]


def test_each_parallel_call_is_answered_under_its_own_id() -> None:
    tools = {"search": {"results": [{"when": {"q": "a"}, "result": "A"}, {"when": {"q": "b"}, "result": "B"}]}}
    steps = (calls(("search", {"q": "b"}), ("search", {"q": "a"})), "done")
    output = collected(Case("a", tools=tools, faux_target=steps))
    asked = {call["id"]: call["function"]["arguments"] for call in output.transcript[1]["tool_calls"]}
    answered = {m["tool_call_id"]: m["content"] for m in output.transcript if m["role"] == "tool"}
    assert {asked[one]: said for one, said in answered.items()} == {'{"q": "b"}': "B", '{"q": "a"}': "A"}


def test_a_loop_that_does_not_end_is_stopped_at_the_usual_number_of_calls() -> None:
    steps = (calls(("fly", {})),) * (MAX_ITERATIONS + 5)
    output = collected(Case("a", tools={"search": {}}, faux_target=steps))
    assert (output.text, output.cause) == (None, "max_iterations")
    assert len(output.tool_calls or ()) == MAX_ITERATIONS
    assert output.flags == ("unknown_tool:fly",)


def test_each_turn_has_a_loop_of_its_own() -> None:
    steps = (*(calls(("search", {})) for _ in range(2)), "one", *(calls(("search", {})) for _ in range(2)), "two")
    case = Case("a", turns=("a?", "b?"), agent_config=agent(max_iterations=3), faux_target=steps)
    assert collected(case).text == "two"


def test_a_key_in_an_exception_of_a_tool_is_told_to_nobody(monkeypatch: Any) -> None:
    monkeypatch.setenv("MY_API_KEY", "planted-7Qx2Lm9Vt4Rb")

    def leaks() -> str:
        raise RuntimeError("refused: planted-7Qx2Lm9Vt4Rb")

    tools = ScriptedTools({}, None, functions={"leaks": leaks})
    assert tools.answer(ToolCall("leaks")) == {"error": "RuntimeError: refused: ***"}
