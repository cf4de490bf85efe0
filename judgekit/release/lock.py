"""Agents in; whether format, rubrics and fixtures are still those that were reviewed together out.

`.judgekit.lock` stands beside the settings and holds, per agent that declares a `format`, one line for the format, each
rubric and each fixture. A rubric's line changes with the `version` of its class and the options that fixtures give it
(and with the file of a class that is not judgekit's own), a format's with what it asks for, a fixture's with its data
and expectation; thresholds, descriptions, tags and the layout of files are not looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from judgekit.config import Project
from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.forms import Form, Text, fill
from judgekit.reading.text import shown
from judgekit.reading.yaml_text import YamlMap, read_yaml
from judgekit.release.digests import digest
from judgekit.release.formats import OFF_FORMAT, Format, find_format
from judgekit.release.outputs import outputs_of
from judgekit.release.registry import Agent, Fixture
from judgekit.release.rubric_line import rubric_line
from judgekit.release.violations import Violation, Weight
from judgekit.writing import write_text

LOCK_FILE = ".judgekit.lock"
_RELOCK = "`judgekit gate --relock`"
_MOST_NAMES = 5
_WORD = re.compile(r"[A-Za-z0-9_][\w./-]*(?: [A-Za-z0-9_][\w./-]*)*", re.ASCII)
_HEAD = f"""\
# Formats, rubrics and fixtures of the agents as they were reviewed together.
# Written by {_RELOCK}; commit it.
"""


class _Entry(Form):
    """What the lock holds of one agent."""

    format: Text
    rubrics: dict[str, Text]
    fixtures: dict[str, Text]


@dataclass(frozen=True)
class _State:
    """One agent as it is, or as it was locked."""

    format: str
    """`NAME/VERSION` and the hash of what it asks for."""
    rubrics: Mapping[str, str] = field(default_factory=dict)
    fixtures: Mapping[str, str] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """`NAME/VERSION`."""
        return self.format.partition(" ")[0]


def lock_path(project: Project) -> Path:
    """Where the lock of a project stands."""
    return project.root / LOCK_FILE


def lock_violations(project: Project, agents: Sequence[Agent], *, relock: bool = False) -> list[Violation]:
    """What speaks against the agents' formats, rubrics and fixtures belonging together.

    Args:
        project: The project; its root holds the lock.
        agents: Those that are asked about.
        relock: Whether they are about to be locked anew, so that nothing has changed.

    Returns:
        Violations: an agent that declares a format and is not in the lock, or whose format, rubrics and fixtures have
        not all changed together with a new version; and an entry of an agent that is gone or declares no format any
        more. Suspicions: a golden fixture that does not meet the format and is not tagged `off-format`; a new version
        in all three that is not locked yet. One note names the agents that declare no format.

    Raises:
        InputError: a damaged lock, an unknown or broken format, a rubric without a version, an unreadable outputs file.
    """
    path = lock_path(project)
    locked = _relocked(project, agents) if relock else _read(path) if path.exists() else {}
    found: list[Violation] = []
    formats = formats_of(project, agents)
    for agent in agents:
        known = locked.get(agent.name)
        if agent.name not in formats:
            if known is not None:
                said = f"{shown(path)} holds {known.version} for it, and the settings declare no format any more."
                found.append(_about(project, agent, "unlocked", f"{said} Declare it, or review and run {_RELOCK}."))
            continue
        declared = formats[agent.name]
        found += _off_format(agent, declared)
        if known is None:
            where = f"is not in {shown(path)}" if path.exists() else f"is not locked: there is no {shown(path)}"
            said = f"declares the format {declared.id} and {where}. Run {_RELOCK} and commit the file."
            found.append(_about(project, agent, "unlocked", said))
            continue
        found += _changes(project, agent, known, _state(agent, declared))
    for name, known in locked.items():
        if name not in project.settings.agents:
            said = f"{shown(path)} holds {known.version} for it, and the settings know no such agent. "
            found.append(Violation(name, "unlocked", f"{said}Restore it, or review and run {_RELOCK}."))
    without = [agent.name for agent in agents if agent.name not in formats and agent.name not in locked]
    if without:
        said = "no `format` is declared, so nothing is locked, and a change in what is emitted goes unnoticed."
        found.append(Violation(", ".join(without), "no_format", said, weight="note"))
    return found


def write_lock(project: Project, agents: Sequence[Agent]) -> Path:
    """Lock the agents as they are; entries of others that the settings know stay as they were.

    Returns:
        The path of the lock.

    Raises:
        InputError: as of `lock_violations`; no agent declares a format; or the lock is damaged and not all agents are
            locked anew.
    """
    path, states = lock_path(project), _relocked(project, agents)
    write_text(path, _HEAD + "".join(f"{line}\n" for name in sorted(states) for line in _lines(name, states[name])))
    return path


def _relocked(project: Project, agents: Sequence[Agent]) -> dict[str, _State]:
    path = lock_path(project)
    registry = project.settings.agents
    if not any(entry.format for entry in registry.values()):
        here = f" Without it {shown(path)} can go." if path.exists() else ""
        raise InputError(f"{project.file}: nothing to lock: no agent declares a format such as `scarlet/1`.{here}")
    names = {agent.name for agent in agents}
    others = _read(path) if path.exists() and names != set(registry) else {}
    states = {name: one for name, one in others.items() if name in registry and name not in names}
    formats = formats_of(project, agents)
    return states | {agent.name: _state(agent, formats[agent.name]) for agent in agents if agent.name in formats}


def formats_of(project: Project, agents: Iterable[Agent]) -> dict[str, Format]:
    """Format by agent, of those that declare one.

    Raises:
        InputError: an unknown or broken format, with the line of the settings that declare it.
    """
    found: dict[str, Format] = {}
    complaints: list[Complaint] = []
    for agent in agents:
        if agent.entry.format is None:
            continue
        try:
            found[agent.name] = find_format(agent.entry.format, root=project.root)
        except InputError as problem:
            line = project.place("agents", agent.name, "format")
            complaints.append(Complaint(project.file, line, f'agent "{agent.name}": {problem}'))
    raise_complaints(complaints)
    return found


# -------------------------------------------------------------------------------------------------------- as it is now


def _state(agent: Agent, declared: Format) -> _State:
    texts = _texts(agent)
    return _State(
        f"{declared.id} {declared.digest}",
        {name: rubric_line(agent, name) for name in agent.thresholds},
        {one.case.case_id: _fixture_line(one, texts[one.case.case_id]) for one in agent.fixtures},
    )


def _texts(agent: Agent) -> dict[str, list[str | None]]:
    """The texts that each fixture is scored on, whatever live outputs the gate is given."""
    return {case_id: [one.text for one in outputs] for case_id, outputs in outputs_of([agent], None).items()}


def _fixture_line(fixture: Fixture, texts: Sequence[str | None]) -> str:
    case = fixture.case
    return digest(
        {
            # A fixture that names one rubric no longer counts for the agent's others.
            "rubrics": sorted(use.name for use in case.rubrics if use.name in fixture.rubrics),
            "input": case.input,
            "turns": case.turns,
            "vars": case.vars,
            "reference": case.reference,
            "context": [[one.id, one.text] for one in case.context or ()],
            "config": case.agent_config.hash if case.agent_config else None,
            "should_pass": case.should_pass,
            "defect": case.defect,
            "outputs": texts,
        }
    )


# ------------------------------------------------------------------------------------------------------- what is wrong


def _about(project: Project, agent: Agent, kind: str, said: str, weight: Weight = "violation") -> Violation:
    line = project.place("agents", agent.name, *(("format",) if agent.entry.format else ()))
    return Violation(agent.name, kind, said, weight=weight, file=project.file, line=line)


def _changes(project: Project, agent: Agent, known: _State, now: _State) -> Iterator[Violation]:
    parts = {
        "format": [""] if known.format != now.format else [],
        "rubric": _differing(known.rubrics, now.rubrics),
        "fixtures": _differing(known.fixtures, now.fixtures),
    }
    moved = [f"{part} {_named(names)}".rstrip() for part, names in parts.items() if names]
    kept = [part for part, names in parts.items() if not names]
    if not moved:
        return
    if not kept and known.version != now.version:
        said = f"its format, rubric and fixtures have changed together from {known.version} to {now.version}: "
        yield _about(project, agent, "relock", f"{said}review them and run {_RELOCK}.", "suspicion")
        return
    rest = " and ".join(kept) if kept else f"the version {known.version}"
    said = f"{', '.join(moved)} changed since {known.version} was locked, {rest} did not."
    yield _about(project, agent, "drift", f"{said} Adapt what is behind, or review and run {_RELOCK}.")


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return sorted(name for name in {*before, *after} if before.get(name) != after.get(name))


def _named(names: Sequence[str]) -> str:
    shown_names = [name for name in names[:_MOST_NAMES] if name]
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"({', '.join(shown_names)}{more})" if shown_names else ""


def _off_format(agent: Agent, declared: Format) -> Iterator[Violation]:
    texts = _texts(agent)
    for fixture in agent.fixtures:
        case = fixture.case
        if not case.should_pass or OFF_FORMAT in case.tags:
            continue
        mistakes = [one for text in texts[case.case_id] for one in declared.mistakes(text or "")]
        if mistakes:
            said = f"does not meet {declared.id}: {mistakes[0].said}."
            mend = f'Mend it, or tag it "{OFF_FORMAT}" and say in its description why.'
            yield Violation(
                agent.name,
                "off_format",
                f"{said} {mend}",
                case_id=case.case_id,
                weight="suspicion",
                file=case.file,
                line=case.line,
            )


# ------------------------------------------------------------------------------------------------------------ the file


def _read(path: Path) -> dict[str, _State]:
    """The locked agents.

    Raises:
        InputError: not what `write_lock` writes, such as a merge conflict; with file and line.
    """
    try:
        return dict(_entries(path))
    except InputError as problem:
        raise InputError(
            f"{problem}\nThe lock is damaged: restore it, or review the agents and run {_RELOCK}."
        ) from None


def _entries(path: Path) -> Iterator[tuple[str, _State]]:
    documents = read_yaml(path)
    if len(documents) != 1 or not isinstance(documents[0], YamlMap):
        raise InputError(f"{shown(path)}: holds no agents.")
    complaints: list[Complaint] = []
    for name, data in documents[0].items():
        entry, wrong = fill(_Entry, data, file=shown(path), line=documents[0].lines.get(name))
        complaints += wrong
        if entry is not None:
            yield name, _State(entry.format, entry.rubrics, entry.fixtures)
    raise_complaints(complaints)


def _lines(name: str, state: _State) -> Iterator[str]:
    yield f"{_plain(name)}:"
    yield f"  format: {_plain(state.format)}"
    for part, held in (("rubrics", state.rubrics), ("fixtures", state.fixtures)):
        yield f"  {part}:"
        yield from (f"    {_plain(key)}: {_plain(held[key])}" for key in sorted(held))


def _plain(text: str) -> str:
    """The text as YAML reads it: bare where it is a harmless word, else in double quotes."""
    return text if _WORD.fullmatch(text) else json.dumps(text)
