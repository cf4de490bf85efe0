"""A config-dir in, the agent that it holds out."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, Field

from judgekit.errors import InputError, raise_complaints
from judgekit.reading.forms import Form, Text, TextList, Whole, fill
from judgekit.reading.tables import parse_json
from judgekit.reading.text import read_text, shown
from judgekit.reading.yaml_text import parse_yaml, read_yaml
from judgekit.records import AgentConfig, Skill
from judgekit.scenarios.tools import read_tools


class _AgentsOwn(Form):
    """A file of the agent's: keys that judgekit does not use are left alone."""

    model_config = ConfigDict(extra="ignore")


class _ToolsForm(_AgentsOwn):
    allowed: TextList | None = Field(None, description="Tools that the agent may call.")


class _LoopForm(_AgentsOwn):
    max_iterations: Whole = Field(10, description="Model calls before the loop is stopped.")


class _AgentForm(_AgentsOwn):
    tools: _ToolsForm = _ToolsForm()
    loop: _LoopForm = _LoopForm()


class _SkillForm(_AgentsOwn):
    name: Text | None = None
    description: Text = ""


def read_config_dir(folder: Path) -> AgentConfig:
    """The agent in a folder: its system-prompt.txt, and what is there of agent-card.json, prompts.json, tools.json,
    agent-config.yaml and skills.

    Raises:
        InputError: no such folder, no system prompt, or a file that cannot be read; with file and line.
    """
    if not folder.is_dir():
        raise InputError(f"{shown(folder)}: no such config-dir.")
    prompt_file = folder / "system-prompt.txt"
    if not prompt_file.is_file():
        raise InputError(f"{shown(folder)}: a config-dir needs a system-prompt.txt; there is none.")
    prompts = _json_object(folder / "prompts.json")
    wrong = [name for name, text in prompts.items() if not isinstance(text, str)]
    if wrong:
        raise InputError(f'{shown(folder / "prompts.json")}: the prompt "{wrong[0]}" must be text.')
    agent = _agent_form(folder / "agent-config.yaml")
    tools_file = folder / "tools.json"
    return AgentConfig(
        folder=folder,
        system_prompt=read_text(prompt_file),
        hash=_hash_files(folder),
        card=_json_object(folder / "agent-card.json"),
        prompts=prompts,
        tools=read_tools(tools_file) if tools_file.is_file() else {},
        tools_allowed=agent.tools.allowed,
        max_iterations=agent.loop.max_iterations,
        skills=tuple(_skill(path) for path in sorted(folder.glob("skills/*/SKILL.md"))),
    )


def _json_object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        value = parse_json(read_text(path))
    except ValueError as problem:
        raise InputError(f"{shown(path)}: not valid JSON: {problem}.") from None
    if not isinstance(value, dict):
        raise InputError(f"{shown(path)}: must be a JSON object.")
    return value


def _agent_form(path: Path) -> _AgentForm:
    if not path.is_file():
        return _AgentForm()
    documents = read_yaml(path)
    form, complaints = fill(_AgentForm, documents[0] if documents else {}, file=shown(path))
    raise_complaints(complaints)
    return form or _AgentForm()


def _skill(path: Path) -> Skill:
    text = read_text(path)
    lines = text.splitlines()
    data: Any = {}
    body = text
    if lines and lines[0].strip() == "---":
        end = next((number for number, line in enumerate(lines[1:], start=1) if line.strip() == "---"), None)
        if end is None:
            raise InputError(f"{shown(path)}:1: the front matter is not closed by a line of `---`.")
        # One empty line in the place of the first `---` keeps the line numbers of complaints right.
        documents = parse_yaml("\n" + "\n".join(lines[1:end]), file=shown(path))
        data, body = (documents[0] if documents else {}), "\n".join(lines[end + 1 :]).strip()
    form, complaints = fill(_SkillForm, data, file=shown(path), line=1)
    raise_complaints(complaints)
    return Skill((form and form.name) or path.parent.name, form.description if form else "", body)


def _hash_files(folder: Path) -> str:
    digest = hashlib.sha256()
    names = ["system-prompt.txt", "agent-card.json", "prompts.json", "agent-config.yaml", "tools.json"]
    files = [folder / name for name in names] + sorted(folder.glob("skills/*/SKILL.md"))
    for path in files:
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]
