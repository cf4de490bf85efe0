"""Settings in; agents with their thresholds, fixtures and rubric objects out, every mistake in one message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from judgekit import plugins
from judgekit.config import AgentEntry, Project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.reading.text import shown
from judgekit.records import Case, RubricUse, Suite
from judgekit.rubrics.base import DeterministicRubric
from judgekit.rubrics.files import builtin_rubrics, project_rubrics, resolve
from judgekit.scenarios.discover import find_files
from judgekit.scenarios.load import load_scenarios


@dataclass(frozen=True)
class Fixture:
    """One case of an agent with the rubrics that score it."""

    case: Case
    rubrics: Mapping[str, DeterministicRubric]
    """By registered name, with the options that the case gives."""
    suite: Suite
    """Its `outputs` file comes before the case's own `output`."""


@dataclass(frozen=True)
class Agent:
    """One agent of the registry, resolved."""

    name: str
    entry: AgentEntry
    """As the settings have it: format, label, limits."""
    fixtures: tuple[Fixture, ...]
    files: tuple[Path, ...]
    """Scenario files that hold its fixtures."""

    @property
    def thresholds(self) -> dict[str, Fraction]:
        """Threshold by registered name of the rubric."""
        return self.entry.thresholds

    def scored_by(self, rubric: str) -> list[Fixture]:
        """The fixtures that count for one of its rubrics."""
        return [one for one in self.fixtures if rubric in one.rubrics]


def load_agents(project: Project, names: Sequence[str] = ()) -> tuple[Agent, ...]:
    """The agents of the settings, or those of certain names, in the order of the settings.

    A fixture belongs to the agent that it names, else to the one whose `fixtures` list its file. It is scored by those
    of the agent's rubrics that it names itself, else by all of them.

    Args:
        project: Its settings hold the registry.
        names: Agents wanted; empty: all.

    Raises:
        InputError: no agent, an unknown agent or rubric, a rubric that a model scores, a fixture file that is missing
            or broken, a fixture of an agent that the registry lacks, an agent without fixtures; all in one message.
    """
    registry = project.settings.agents
    if not registry:
        said = "no agents: give the settings `agents: {NAME: {rubric: …, threshold: …, fixtures: …}}`."
        raise_complaints([Complaint(project.file or "judgekit.yaml", project.place("agents"), said)])
    for name in names:
        if name not in registry:
            raise InputError(
                f'unknown agent "{name}".{did_you_mean(name, list(registry))} {project.file} has {", ".join(registry)}.'
            )
    wanted = {name: entry for name, entry in registry.items() if not names or name in names}
    complaints = [one for name, entry in wanted.items() for one in _rubric_mistakes(project, name, entry)]
    files = {name: _files(project, name, entry, complaints) for name, entry in wanted.items()}
    raise_complaints(complaints)
    suites = load_scenarios(
        dict.fromkeys(path for paths in files.values() for path in paths),
        root=project.root,
        allow_code=project.settings.allow_code,
        has_rubrics=True,
        redact=project.settings.redact,
    )
    sorter = _Sorter(project, wanted, files)
    for suite in suites:
        for case in suite.cases:
            sorter.add(suite, case)
    raise_complaints([*sorter.complaints, *sorter.without_fixtures()])
    return tuple(Agent(name, entry, tuple(sorter.fixtures[name]), files[name]) for name, entry in wanted.items())


def _rubric_mistakes(project: Project, name: str, entry: AgentEntry) -> Iterator[Complaint]:
    known = plugins.names("rubrics")
    judged = {*builtin_rubrics(), *project_rubrics(project.root)}
    for rubric in entry.thresholds:
        if rubric in known:
            continue
        line = project.place("agents", name, *(("rubrics", rubric) if entry.rubrics else ("rubric",)))
        if rubric in judged:
            said = f'rubric "{rubric}" is scored by a model; the release gate takes {", ".join(known)}.'
        else:
            said = f'unknown rubric "{rubric}".{did_you_mean(rubric, known)} The release gate takes {", ".join(known)}.'
        yield Complaint(project.file, line, f'agent "{name}": {said}')


def _files(project: Project, name: str, entry: AgentEntry, complaints: list[Complaint]) -> tuple[Path, ...]:
    """The scenario files of an agent; what is wrong with them is told with the line of the settings."""
    found: dict[Path, None] = {}
    wrong: list[str] = []
    for text in entry.fixtures:
        path = project.root / text
        try:
            if not text.strip():
                raise InputError("a path is empty.")
            found |= {file: None for file, _ in find_files([path])}
        except InputError as problem:
            wrong.append(f"fixtures: {str(problem).replace(path.as_posix(), shown(path), 1)}")
    if not found and not wrong:
        wrong.append("has no fixtures: list scenario files, or folders that hold some, under `fixtures`.")
    if wrong:
        line = project.place("agents", name, "fixtures") or project.place("agents", name)
        complaints += [Complaint(project.file, line, f'agent "{name}": {said}') for said in wrong]
    return tuple(found)


class _Sorter:
    """Cases in, fixtures by agent out; complaints gather here."""

    def __init__(self, project: Project, wanted: Mapping[str, AgentEntry], files: Mapping[str, Iterable[Path]]) -> None:
        self._project = project
        self._wanted = wanted
        self._listed: dict[str, list[str]] = {}
        for name, paths in files.items():
            for path in paths:
                self._listed.setdefault(shown(path), []).append(name)
        self.fixtures: dict[str, list[Fixture]] = {name: [] for name in wanted}
        self.complaints: list[Complaint] = []

    def add(self, suite: Suite, case: Case) -> None:
        """Give one case to its agent."""
        owners = self._listed.get(suite.file, [])
        owner = case.agent
        registry = self._project.settings.agents
        if not owner:
            if len(owners) != 1:
                self._complain(case, f"names no `agent`, and its file is listed by {' and '.join(owners)}.")
                return
            owner = owners[0]
        elif owner not in registry:
            hint = did_you_mean(owner, list(registry))
            said = f'is of the agent "{owner}", which the registry in {self._project.file} lacks.{hint}'
            self._complain(case, said)
            return
        elif owner in self._wanted and owner not in owners:
            self._complain(case, f'is of the agent "{owner}", whose `fixtures` do not list this file.')
            return
        if owner in self._wanted and not case.no_expectation:
            rubrics = self._rubrics(owner, case)
            self.fixtures[owner].append(Fixture(replace(case, agent=owner), rubrics, suite))

    def _rubrics(self, owner: str, case: Case) -> dict[str, DeterministicRubric]:
        thresholds = self._wanted[owner].thresholds
        own = {use.name: use for use in case.rubrics if use.name in thresholds}
        found: dict[str, DeterministicRubric] = {}
        for name in own or thresholds:
            # The registry's threshold decides; one that the case gives for `score` is checked all the same.
            use = own.get(name) or RubricUse(name, file=case.file, line=case.line)
            try:
                rubric = resolve(use, root=self._project.root)
            except InputError as problem:
                self.complaints.append(Complaint("", None, str(problem)))
                continue
            assert isinstance(rubric, DeterministicRubric)
            found[name] = rubric
            for message in rubric.check_case(case):
                self._complain(case, f"can't be scored by {name}: {message}.")
        return found

    def _complain(self, case: Case, said: str) -> None:
        self.complaints.append(Complaint(case.file, case.line, f'case "{case.case_id}" {said}'))

    def without_fixtures(self) -> Iterator[Complaint]:
        """Agents whose files hold no case of theirs."""
        for name, fixtures in self.fixtures.items():
            if not fixtures and not self.complaints:
                line = self._project.place("agents", name, "fixtures")
                said = f'agent "{name}" has no fixtures: no case of the files that it lists is its own.'
                yield Complaint(self._project.file, line, said)
