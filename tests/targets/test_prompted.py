"""Prompts, agents and the faux model: what is asked, and how tools and turns go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgekit.models.base import Reply, Request
from judgekit.models.faux import FauxModel
from judgekit.records import AgentConfig, Case, Context, Output, Skill, Variant
from judgekit.targets.prompted import PromptTarget, opening
from judgekit.targets.tools import ScriptedTools

CALL = {"tool_calls": [{"name": "search", "args": {"q": "fee"}}]}
SEARCH = {"search": {"description": "Finds", "parameters": {}, "results": [{"when": {"q": "fee"}, "result": "5 EUR"}]}}


def agent(**more: Any) -> AgentConfig:
    return AgentConfig(Path(), "Be brief.", "hash", **more)


def collected(case: Case, variant: Variant | None = None, **params: Any) -> Output:
    return PromptTarget(variant or Variant("v1"), FauxModel.of([case]), params).collect(case, 1)


def asked(case: Case, variant: Variant | None = None, *, trial: int = 0, **params: Any) -> list[Request]:
    """The requests that a model gets which answers at once."""
    seen: list[Request] = []

    def note(request: Request, state: Any) -> str:
        seen.append(request)
        return "done"

    PromptTarget(variant or Variant("v1"), FauxModel(target=note), params).collect(case, trial)
    return seen


def test_the_input_is_the_user_message() -> None:
    assert opening(Case("a", input="hi"), Variant("v1")) == [{"role": "user", "content": "hi"}]


def test_the_system_prompt_of_the_agent_comes_first() -> None:
    messages = opening(Case("a", input="hi", agent_config=agent()), Variant("v1"))
    assert messages[0] == {"role": "system", "content": "Be brief."}


@pytest.mark.parametrize("variant", [Variant("long"), Variant("v1", prompt="long")])
def test_a_prompt_of_the_agent_is_found_by_its_name(variant: Variant) -> None:
    case = Case("a", input="hi", agent_config=agent(prompts={"long": "Be long. {{ kept }}"}))
    assert opening(case, variant)[0]["content"] == "Be long. {{ kept }}"


def test_skills_follow_the_system_prompt() -> None:
    case = Case("a", agent_config=agent(skills=(Skill("billing", "About bills", "Read them."),)))
    assert (
        opening(case, Variant("v1"))[0]["content"] == "Be brief.\n\n# Skills\n\n## billing\nAbout bills\n\nRead them."
    )


def test_a_plain_file_is_a_system_prompt(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("Be kind.")
    messages = opening(Case("a", input="hi"), Variant("v1", prompt="p.txt", folder=tmp_path))
    assert messages == [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "hi"}]


def test_a_template_is_the_user_message(tmp_path: Path) -> None:
    (tmp_path / "p.j2").write_text("{{ tier }}: {{ input }} ({{ context }}) {{ case_id }}")
    case = Case("a", input="{{ tier }}", vars={"tier": "gold"}, context=(Context("c"), Context("d")))
    messages = opening(case, Variant("v1", prompt="p.j2", folder=tmp_path))
    assert messages == [{"role": "user", "content": "gold: {{ tier }} (c\n\nd) a"}]


def test_the_first_turn_is_the_input_of_a_template(tmp_path: Path) -> None:
    (tmp_path / "p.j2").write_text("Q: {{ input }}")
    case = Case("a", turns=("one", "two"), faux_target=("1", "2"))
    output = collected(case, Variant("v1", prompt="p.j2", folder=tmp_path))
    assert [message["content"] for message in output.transcript] == ["Q: one", "1", "two", "2"]


def test_a_template_never_sees_the_reference(tmp_path: Path) -> None:
    (tmp_path / "p.j2").write_text("{{ reference }}")
    case = Case("a", input="hi", reference="secret", faux_target=("x",))
    output = collected(case, Variant("v1", prompt="p.j2", folder=tmp_path))
    assert output.cause == "target"
    assert "secret" not in output.message


def test_parameters_and_seed_go_out_with_each_call() -> None:
    (request,) = asked(Case("a", input="hi"), trial=3, temperature=0, seed=7)
    assert dict(request.params) == {"temperature": 0, "seed": 10}


def test_tools_are_offered_with_their_schema() -> None:
    (request,) = asked(Case("a", tools=SEARCH))
    assert request.tools[0]["function"]["name"] == "search"


def test_only_allowed_tools_are_offered() -> None:
    case = Case("a", tools={**SEARCH, "fly": {}}, agent_config=agent(tools_allowed=("fly",)))
    (request,) = asked(case)
    assert [tool["function"]["name"] for tool in request.tools] == ["fly"]


def test_a_tool_is_answered_and_the_loop_goes_on() -> None:
    output = collected(Case("a", input="hi", tools=SEARCH, faux_target=(CALL, "It is 5 EUR.")))
    assert output.text == "It is 5 EUR."
    assert output.tool_calls is not None
    assert [(call.name, call.args, call.result) for call in output.tool_calls] == [("search", {"q": "fee"}, "5 EUR")]
    assert [message["role"] for message in output.transcript] == ["user", "assistant", "tool", "assistant"]
    assert output.flags == ()


def test_an_answer_of_a_tool_that_is_no_text_is_its_json() -> None:
    tools = {"search": {"results": [{"result": {"fee": [5, "€"]}}]}}
    output = collected(Case("a", tools=tools, faux_target=(CALL, "x")))
    assert json.loads(output.transcript[2]["content"]) == {"fee": [5, "€"]}


def test_answers_without_a_condition_are_given_in_order() -> None:
    tools = {"search": {"results": [{"result": 1}, {"result": 2}]}}
    output = collected(Case("a", tools=tools, faux_target=(CALL, CALL, CALL, "x")))
    assert output.tool_calls is not None
    assert [call.result for call in output.tool_calls] == [
        1,
        2,
        {"error": 'the scripted answers of "search" are used up: it has 2 in sequence'},
    ]
    assert output.flags == ("unscripted_call:search",)


def test_each_exchange_begins_its_sequence_anew() -> None:
    case = Case("a", tools={"search": {"results": [{"result": 1}]}}, faux_target=(CALL, "x", CALL, "y"))
    target = PromptTarget(Variant("v1"), FauxModel.of([case]), {})
    outputs = [target.collect(case, trial) for trial in range(2)]
    assert [output.flags for output in outputs] == [(), ()]


@pytest.mark.parametrize(
    ("tools", "allowed", "flag"),
    [
        (SEARCH, None, "unknown_tool:fly"),
        ({**SEARCH, "fly": {}}, ("search",), "tool_not_allowed:fly"),
        ({"fly": {}}, (), "tool_not_allowed:fly"),
        ({"fly": {}}, None, "unscripted_call:fly"),
    ],
)
def test_an_odd_call_is_flagged_and_the_loop_goes_on(tools: Any, allowed: Any, flag: str) -> None:
    fly = {"tool_calls": [{"name": "fly"}]}
    case = Case("a", tools=tools, agent_config=agent(tools_allowed=allowed), faux_target=(fly, "sorry"))
    output = collected(case)
    assert (output.text, output.flags) == ("sorry", (flag,))
    assert output.tool_calls is not None
    assert "error" in output.tool_calls[0].result


def test_a_condition_asks_for_some_of_the_arguments_only() -> None:
    from judgekit.records import ToolCall

    tools = ScriptedTools({"f": {"results": [{"when": {"x": 1}, "result": "one"}, {"result": "any"}]}}, None)
    calls = [ToolCall("f", {"x": 1, "y": 2}), ToolCall("f", {"x": 2}), ToolCall("f", {"x": 2})]
    assert [tools.answer(call) for call in calls][:2] == ["one", "any"]
    assert tools.flags == ["unscripted_call:f"]


def test_too_many_calls_are_an_error_of_their_own() -> None:
    case = Case("a", tools=SEARCH, agent_config=agent(max_iterations=3), faux_target=(CALL,) * 9)
    output = collected(case)
    assert (output.text, output.cause) == (None, "max_iterations")
    assert "after 3 model calls" in output.message
    assert output.tool_calls is not None
    assert len(output.tool_calls) == 3


def test_an_exhausted_script_is_an_error_that_says_so() -> None:
    output = collected(Case("a", tools=SEARCH, faux_target=(CALL,)))
    assert output.cause == "provider"
    assert "No more faux responses queued" in output.message
    assert output.tool_calls is not None


def test_a_single_scripted_reply_with_calls_and_no_tools_is_final() -> None:
    output = collected(Case("a", faux_target=({**CALL, "content": "Searching."},)))
    assert (output.text, output.flags) == ("Searching.", ())
    assert output.tool_calls is not None
    assert output.tool_calls[0].args == {"q": "fee"}


def test_a_script_that_goes_on_is_played_to_its_end_without_tools_too() -> None:
    assert collected(Case("a", faux_target=(CALL, "It is 5 EUR."))).text == "It is 5 EUR."


def test_turns_are_asked_one_after_the_other() -> None:
    case = Case("a", input="hi", turns=("and?", "bye"), faux_target=("1", CALL, "2", "3"), tools=SEARCH)
    output = collected(case)
    assert output.text == "3"
    assert [m["content"] for m in output.transcript if m["role"] == "user"] == ["hi", "and?", "bye"]


def test_usage_is_summed_and_unknown_parts_make_it_unknown() -> None:
    known = {"content": "1", "usage": {"input_tokens": 3, "output_tokens": 4}}
    case = Case("a", input="hi", turns=("and?",), faux_target=(known, known))
    assert collected(case).usage.total_tokens == 14

    def partly(request: Request, state: Any) -> Any:
        return Reply("x") if state["calls"] == 1 else known

    output = PromptTarget(Variant("v1"), FauxModel(target=partly), {}).collect(case, 0)
    assert output.usage.total_tokens is None


@pytest.mark.parametrize(
    ("step", "cause"),
    [
        ({"error": "refusal"}, "refusal"),
        ({"error": "truncated"}, "truncated"),
        ({"error": "malformed"}, "malformed"),
        ({"error": "rate_limit"}, "rate_limit"),
        ({"error": "timeout"}, "timeout"),
    ],
)
def test_a_fault_is_an_error_with_its_cause(step: Any, cause: str) -> None:
    output = collected(Case("a", faux_target=(step,)))
    assert (output.text, output.cause) == (None, cause)


def test_what_was_called_before_a_fault_is_kept() -> None:
    output = collected(Case("a", tools=SEARCH, faux_target=(CALL, {"error": "refusal"})))
    assert output.cause == "refusal"
    assert output.tool_calls is not None
    assert output.usage.total_tokens is not None


def test_a_prompt_that_goes_missing_is_an_error_of_the_case() -> None:
    output = collected(Case("a", faux_target=("x",)), Variant("v1", prompt="nothing.txt"))
    assert output.cause == "target"
