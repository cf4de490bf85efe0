"""`judgekit.score(...)` takes what the command line takes."""

from __future__ import annotations

import inspect

import judgekit
from judgekit.cli.score import command

ONLY_TERMINAL = {"summary", "as_json", "quiet", "verbose"}
ONLY_PYTHON = {"target", "progress"}
RENAMED = {"columns": "map", "expression": "select"}


def test_python_has_every_option_of_the_command() -> None:
    options = {RENAMED.get(one.name or "", one.name) for one in command.params} - ONLY_TERMINAL
    parameters = set(inspect.signature(judgekit.score).parameters)

    assert parameters - ONLY_PYTHON == options


def test_every_option_is_described() -> None:
    described = inspect.getdoc(judgekit.score) or ""

    assert [name for name in inspect.signature(judgekit.score).parameters if f"\n    {name}: " not in described] == []
