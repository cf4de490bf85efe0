"""tools.json of a config-dir: the tools of an agent in function-calling form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.records import AgentConfig
from judgekit.scenarios.config_dir import read_config_dir

Folder = Any

QUERY = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
SEARCH = {"name": "search", "description": "Finds things.", "parameters": QUERY}


def agent(folder: Folder, tools: Any) -> AgentConfig:
    folder.write("x/system-prompt.txt", "Be brief.")
    folder.write("x/tools.json", tools if isinstance(tools, str) else json.dumps(tools))
    return read_config_dir(folder.path / "x")


def mistakes(folder: Folder, tools: Any) -> list[str]:
    with pytest.raises(InputError) as caught:
        agent(folder, tools)
    return str(caught.value).split("\n")


@pytest.mark.parametrize("entry", [SEARCH, {"type": "function", "function": SEARCH}, {"type": "function", **SEARCH}])
def test_both_forms_of_a_tool_are_read(folder: Folder, entry: Any) -> None:
    assert agent(folder, [entry]).tools == {"search": {"description": "Finds things.", "parameters": QUERY}}


def test_keys_that_are_not_used_are_the_agents_own(folder: Folder) -> None:
    assert list(agent(folder, [{"name": "f", "strict": True, "x-owner": "me"}]).tools) == ["f"]


def test_a_name_is_enough_and_an_empty_list_is_no_mistake(folder: Folder) -> None:
    assert agent(folder, [{"name": "f"}]).tools == {"f": {"description": "", "parameters": {}}}
    assert agent(folder, []).tools == {}


def test_an_agent_without_the_file_has_no_tools(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "")
    assert read_config_dir(folder.path / "x").tools == {}


def test_the_hash_changes_with_the_tools(folder: Folder) -> None:
    before = agent(folder, [SEARCH]).hash
    assert agent(folder, [{**SEARCH, "description": "Finds."}]).hash != before


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ("[", "x/tools.json: not valid JSON: "),
        ("\0", "x/tools.json: not valid JSON: "),
        ("[" * 100_000, "x/tools.json: not valid JSON: nested too deeply"),
        ('[{"name": "a", "name": "b"}]', 'duplicate key "name"'),
        ({"tools": [SEARCH]}, "x/tools.json: must be a list of tools: [{"),
        ({"search": SEARCH}, "must be a list of tools"),
        (["search"], "tool 1: must be a mapping"),
        ([SEARCH, {"description": "?"}], 'tool 2: "name" is missing'),
        ([{"name": ["f"]}], 'tool 1: "name" must be text, not a list'),
        ([{"name": "my tool"}], 'tool 1: "my tool" can be no name of a tool'),
        ([{"name": "ω"}], 'tool 1: "ω" can be no name of a tool'),
        ([{"name": ""}], "can be no name of a tool"),
        ([SEARCH, {"type": "function", "function": SEARCH}], 'tool 2: a second tool "search"'),
        ([{"type": "web_search"}], 'tool 1: its type is "web_search"; only functions can be offered here'),
        ([{"type": "function", "function": "f"}], 'tool 1: "function" must be a mapping'),
        ([{"name": "f", "input_schema": QUERY}], 'give its JSON Schema as "parameters", not as "input_schema"'),
        ([{"name": "f", "parameters": []}], 'tool 1: "parameters" must be a mapping'),
        ([{"name": "f", "parameters": {"q": {"type": "string"}}}], '"parameters" must be a JSON Schema of an object'),
        ([{"name": "f", "parameters": {"type": "object", "required": "q"}}], "is no valid JSON Schema: "),
        (
            [{"name": "f", "parameters": {"type": "object", "properties": {"q": {"type": "strng"}}}}],
            "(at properties.q.type)",
        ),
    ],
)
def test_what_is_no_tool_is_named_by_its_number(folder: Folder, tools: Any, said: str) -> None:
    assert said in mistakes(folder, tools)[0]


def test_all_mistakes_are_told_together(folder: Folder) -> None:
    assert len(mistakes(folder, ["x", {"name": "a b"}, SEARCH, {"type": "x"}])) == 3


def test_the_case_that_names_the_agent_is_told_the_mistake(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "")
    folder.write("x/tools.json", "{}")
    folder.write("s/a.yaml", "id: a\nexpect: none\nconfig-dir: x\n")
    with pytest.raises(InputError, match=r"s/a.yaml:3: x/tools.json: must be a list of tools"):
        folder.suites("s")


def test_parameters_of_a_cases_own_tools_are_checked_too(folder: Folder) -> None:
    (said,) = folder.mistakes("id: a\nexpect: none\ntools:\n  f: {parameters: {type: object, required: q}}\n")
    assert said.startswith('a.yaml:4: "tools.f.parameters" is no valid JSON Schema')
