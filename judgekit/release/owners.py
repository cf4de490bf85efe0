"""Suites and the registry of agents in; the same suites with the agent that each fixture belongs to out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from judgekit.config import Project
from judgekit.errors import InputError
from judgekit.reading.text import shown
from judgekit.records import Suite
from judgekit.scenarios.discover import find_files


def with_owners(project: Project, suites: Iterable[Suite]) -> list[Suite]:
    """The suites with `agent` filled in where a case names none and exactly one agent's `fixtures` list its file.

    This is what the release gate goes by. What the registry lists and is not there is the gate's to complain of.
    """
    listed: dict[str, set[str]] = {}
    for name, entry in project.settings.agents.items():
        for text in entry.fixtures:
            try:
                files = find_files([project.root / text]) if text.strip() else []
            except InputError:
                continue
            for path, _ in files:
                listed.setdefault(shown(path), set()).add(name)
    return [_named(suite, listed.get(suite.file, set())) for suite in suites]


def _named(suite: Suite, owners: set[str]) -> Suite:
    if len(owners) != 1:
        return suite
    [owner] = owners
    return replace(suite, cases=tuple(case if case.agent else replace(case, agent=owner) for case in suite.cases))
