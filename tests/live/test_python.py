"""`judgekit.score(...)` takes what the command line takes."""

from __future__ import annotations

import inspect

import judgekit
from judgekit.cli.score import command

ONLY_TERMINAL = {"summary", "as_json", "quiet", "verbose"}
ONLY_PYTHON = {"target", "tools", "progress"}
RENAMED = {"columns": "map", "expression": "select"}


def test_python_has_every_option_of_the_command() -> None:
    options = {RENAMED.get(one.name or "", one.name) for one in command.params} - ONLY_TERMINAL
    parameters = set(inspect.signature(judgekit.score).parameters)

    assert parameters - ONLY_PYTHON == options


def test_every_option_is_described() -> None:
    described = inspect.getdoc(judgekit.score) or ""

    assert [name for name in inspect.signature(judgekit.score).parameters if f"\n    {name}: " not in described] == []


def test_an_agents_tools_may_be_python_functions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fee.yaml").write_text(
        "name: fee\n"
        "input: What is the fee?\n"
        "expect: {contains: '5 EUR', tool_calls: [{name: fee_of, args: {kind: late}}]}\n"
        "faux:\n"
        "  - {content: '', tool_calls: [{name: fee_of, args: {kind: late}}]}\n"
        "  - The fee is 5 EUR.\n",
        encoding="utf-8",
    )
    asked = []

    def fee_of(kind: str) -> str:
        asked.append(kind)
        return "5 EUR"

    run = judgekit.score("fee.yaml", tools={"fee_of": fee_of})

    assert asked == ["late"]
    assert run.decision.passed
