"""The folder of an agent, as it lies beside its own program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.scenarios.config_dir import read_config_dir

Folder = Any


@pytest.fixture
def agent(folder: Folder) -> Path:
    folder.write("x/system-prompt.txt", "Be brief.\n")
    folder.write("x/agent-card.json", '{"name": "Ada", "version": 2}')
    folder.write("x/prompts.json", json.dumps({"v1": "Short.", "v2": "Long."}))
    folder.write("x/agent-config.yaml", "tools: {allowed: [search, no]}\nloop: {max-iterations: 3}\nother: {x: 1}\n")
    folder.write("x/skills/b/SKILL.md", "---\nname: billing\ndescription: About bills\n---\nRead the bill.\n")
    folder.write("x/skills/a/SKILL.md", "Only a body.\n")
    path: Path = folder.path / "x"
    return path


def test_everything_in_the_folder_is_read(agent: Path) -> None:
    found = read_config_dir(agent)
    assert found.system_prompt == "Be brief.\n"
    assert found.card["name"] == "Ada"
    assert found.prompts == {"v1": "Short.", "v2": "Long."}
    assert found.tools_allowed == ("search", "no")
    assert found.max_iterations == 3
    assert [(one.name, one.description, one.body.strip()) for one in found.skills] == [
        ("a", "", "Only a body."),
        ("billing", "About bills", "Read the bill."),
    ]


def test_only_the_system_prompt_is_needed(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "")
    found = read_config_dir(folder.path / "x")
    assert (found.tools_allowed, found.max_iterations, found.skills) == (None, 10, ())


def test_an_empty_list_of_tools_allows_none(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "")
    folder.write("x/agent-config.yaml", "tools: {allowed: []}\n")
    assert read_config_dir(folder.path / "x").tools_allowed == ()


@pytest.mark.parametrize(
    "name", ["system-prompt.txt", "agent-card.json", "prompts.json", "agent-config.yaml", "skills/b/SKILL.md"]
)
def test_the_hash_changes_with_any_file(agent: Path, name: str) -> None:
    before = read_config_dir(agent).hash
    file = agent / name
    text = file.read_text()
    file.write_text(text.replace("}", " }", 1) if name.endswith("json") else text + "\n")
    assert read_config_dir(agent).hash != before


def test_the_hash_is_the_same_elsewhere(agent: Path, tmp_path: Path) -> None:
    before = read_config_dir(agent).hash
    moved = agent.rename(tmp_path / "moved")
    assert read_config_dir(moved).hash == before


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("prompts.json", '{"v1": 3}', 'prompts.json: the prompt "v1" must be text'),
        ("prompts.json", "[1]", "prompts.json: must be a JSON object"),
        ("prompts.json", '{"v1": "a", "v1": "b"}', 'duplicate key "v1"'),
        ("agent-card.json", "{", "agent-card.json: not valid JSON"),
        ("agent-config.yaml", "loop: {max_iterations: 0}", "agent-config.yaml:1: "),
        ("agent-config.yaml", "loop: {max_iterations: yes}", "agent-config.yaml:1: "),
        ("agent-config.yaml", "[1]", "agent-config.yaml"),
        ("skills/b/SKILL.md", "---\nname: x\n", "SKILL.md:1: the front matter is not closed"),
        ("skills/b/SKILL.md", "---\nname: x\nname: y\n---\n", "SKILL.md:3: duplicate key"),
        ("skills/b/SKILL.md", "---\n[1]\n---\n", "SKILL.md"),
    ],
)
def test_a_broken_file_is_named_with_its_line(agent: Path, name: str, text: str, said: str) -> None:
    (agent / name).write_text(text)
    with pytest.raises(InputError) as caught:
        read_config_dir(agent)
    assert said in str(caught.value)


def test_a_folder_without_a_system_prompt_is_refused(folder: Folder) -> None:
    folder.write("x/prompts.json", "{}")
    with pytest.raises(InputError, match="needs a system-prompt"):
        read_config_dir(folder.path / "x")


def test_the_project_root_is_looked_at_first_and_the_files_folder_then(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "of the root")
    folder.write("s/x/system-prompt.txt", "of the folder")
    folder.write("s/y/system-prompt.txt", "of the folder")
    folder.write(
        "s/a.yaml", "suite: s\ndefaults: {expect: none}\ncases: [{id: a, config-dir: x}, {id: b, config-dir: y}]\n"
    )
    assert [case.agent_config.system_prompt for case in folder.cases("s").values()] == ["of the root", "of the folder"]


def test_a_missing_folder_names_the_line_that_asks_for_it(folder: Folder) -> None:
    assert folder.mistakes("id: a\nexpect: none\nconfig-dir: nothing\n") == ["a.yaml:3: nothing: no such config-dir."]
