"""Live outputs of agents in; which of them leave the declared format, and which a rubric reads blindly, out.

An output *conforms* if it meets the format that its agent declares. A rubric reads an output *blindly* if it gives a
score that does not rest on what the format promises: because the format is not met, or because the rubric finds nothing
to count in it (its result is flagged `unparseable` or `no_…`), as when it still looks for the keys of an older format.
A blind score may be 0 or 1; neither says anything about quality. An output *drifts* if it does not conform or is read
blindly by one of the agent's rubrics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from judgekit.config import Project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.records import Case, CheckResult, RubricUse
from judgekit.release.formats import Format
from judgekit.release.lock import formats_of
from judgekit.release.outputs import read_live_rows
from judgekit.release.registry import Agent, Fixture, load_agents
from judgekit.rubrics.base import DeterministicRubric, apply
from judgekit.rubrics.files import resolve
from judgekit.targets.recorded import Recording

_MOST_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Example:
    """One output that shows a mistake."""

    case_id: str
    said: str
    file: str
    line: int
    """1-based; 0 where the file holds nothing else."""


@dataclass(frozen=True, slots=True)
class MistakeKind:
    """One way in which outputs leave the format."""

    kind: str
    n: int
    """Outputs that leave it in this way; one output may do so in several."""
    examples: tuple[Example, ...]
    """The first few of them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How one rubric reads the outputs of one agent."""

    rubric: str
    threshold: Fraction
    n_scored: int
    """Outputs that it gives a score."""
    n_off_format: int
    """Scored although the format is not met."""
    n_nothing: int
    """Scored although the format is met and there is nothing to count."""
    n_passing: int
    """Of those read blindly, the ones that reach the threshold: they would pass the gate unseen."""
    examples: tuple[Example, ...]
    """The first few outputs with nothing to count."""
    unscored: str = ""
    """Why the first output without a score has none, such as that its case has no labels; empty if all have one."""

    @property
    def n_blind(self) -> int:
        """Outputs that it reads blindly."""
        return self.n_off_format + self.n_nothing


@dataclass(frozen=True, slots=True)
class AgentDrift:
    """What the outputs of one agent look like."""

    agent: str
    format: str
    n_total: int
    """Rows of the outputs file."""
    n_outputs: int
    """Rows that hold an output, be it empty; the rest are calls that failed."""
    n_conforming: int
    n_drifting: int
    mistakes: tuple[MistakeKind, ...]
    """Most frequent first."""
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Drift:
    """What an outputs file looks like, and what follows."""

    agents: tuple[AgentDrift, ...]
    tolerated: Fraction | int
    """Share of an agent's rows that may drift, or their number."""

    def allowed(self, one: AgentDrift) -> Fraction:
        """How many rows of an agent may drift."""
        return Fraction(self.tolerated if isinstance(self.tolerated, int) else self.tolerated * one.n_total)

    @property
    def drifting(self) -> list[AgentDrift]:
        """Agents of which more rows drift than are tolerated."""
        return [one for one in self.agents if one.n_drifting > self.allowed(one)]

    @property
    def undecided(self) -> list[AgentDrift]:
        """Agents whose rows without an output could still exceed what is tolerated."""
        return [
            one
            for one in self.agents
            if one not in self.drifting and one.n_drifting + one.n_total - one.n_outputs > self.allowed(one)
        ]

    @property
    def exit_code(self) -> int:
        """0 no drift, or as little as is tolerated; 1 drift; 3 undecided."""
        return 1 if self.drifting else 3 if self.undecided else 0


def find_drift(
    project: Project,
    outputs: Path,
    *,
    agent: str | None = None,
    columns: Sequence[str] = (),
    tolerated: Fraction | int = 0,
) -> Drift:
    """How the outputs in a file stand to the formats that the agents declare.

    Args:
        project: Its settings name the agents and their formats.
        outputs: JSONL, CSV or Parquet file, or a folder as for `judgekit gate --outputs`.
        agent: Whose outputs these are. None: what its column `agent` says, else the agent that has a fixture of
            that id, else the only agent that declares a format.
        columns: Renamings as for `--map`.
        tolerated: Share of an agent's rows that may drift, or their number.

    Raises:
        InputError: no agent or not this one declares a format, a row that is nobody's, an unreadable file.
    """
    registry = project.settings.agents
    wanted = [agent] if agent is not None else [name for name, entry in registry.items() if entry.format]
    if registry and not wanted:
        raise InputError(f"{project.file}: no agent declares a `format`, such as scarlet/1, to compare with.")
    agents = {one.name: one for one in load_agents(project, wanted)}
    if agent is not None and agents[agent].entry.format is None:
        raise InputError(
            f'{project.file}: the agent "{agent}" declares no `format`, such as {agent}/1, to compare with.'
        )
    formats = formats_of(project, agents.values())
    fixtures = {fixture.case.case_id for one in agents.values() for fixture in one.fixtures}
    rows = _sorted(project, read_live_rows(outputs, fixtures, columns), agents, agent)
    return Drift(
        tuple(_drift(project, agents[name], formats[name], mine) for name, mine in rows.items() if mine), tolerated
    )


def _sorted(
    project: Project, rows: Iterable[Recording], agents: Mapping[str, Agent], wanted: str | None
) -> dict[str, list[Recording]]:
    """The rows by agent; those that the file gives to agents which were not asked for are left out."""
    owners = {one.case.case_id: name for name, agent in agents.items() for one in agent.fixtures}
    only = next(iter(agents)) if len(agents) == 1 else ""
    sorted_rows: dict[str, list[Recording]] = {name: [] for name in agents}
    known = list(project.settings.agents)
    strays: dict[str, list[Recording]] = {}
    for row in rows:
        owner = str(row.vars.get("agent") or "") or wanted or owners.get(row.output.case_id, only)
        if owner in agents:
            sorted_rows[owner].append(row)
        elif owner not in known:
            strays.setdefault(owner, []).append(row)
    complaints = []
    for owner, many in strays.items():
        said = f'there is no agent "{owner[:60]}".{did_you_mean(owner, known)}'
        if not owner:
            how = f"as in `judgekit drift {next(iter(agents))} --outputs FILE`, or give a column `agent`."
            said = f'whose output is "{many[0].output.case_id}"? Name the agent, {how}'
        more = f" So it is with {len(many) - 1} more rows." if len(many) > 1 else ""
        complaints.append(Complaint(many[0].file, many[0].line or None, said + more))
    raise_complaints(complaints)
    if not any(sorted_rows.values()):
        raise InputError(f"the outputs file holds no row of {' or '.join(agents)}.")
    return sorted_rows


def _drift(project: Project, agent: Agent, declared: Format, rows: Sequence[Recording]) -> AgentDrift:
    readers = {name: _Reader(project, agent, name) for name in agent.thresholds}
    kinds: dict[str, list[Example]] = {}
    n_outputs = n_conforming = n_drifting = 0
    for row in rows:
        if row.output.text is None:
            continue
        n_outputs += 1
        told = {one.kind: one.said for one in reversed(declared.mistakes(row.output.text))}
        for kind, said in told.items():
            kinds.setdefault(kind, []).append(_example(row, said))
        n_conforming += not told
        blind = [reader.reads_blindly(row, conforms=not told) for reader in readers.values()]
        n_drifting += bool(told) or any(blind)
    return AgentDrift(
        agent.name,
        declared.id,
        len(rows),
        n_outputs,
        n_conforming,
        n_drifting,
        tuple(
            MistakeKind(kind, len(examples), tuple(examples[:_MOST_EXAMPLES]))
            for kind, examples in sorted(kinds.items(), key=lambda one: (-len(one[1]), one[0]))
        ),
        tuple(reader.reading() for reader in readers.values()),
    )


def _example(row: Recording, said: str) -> Example:
    return Example(row.output.case_id, said, row.file, row.line)


class _Reader:
    """One rubric of an agent, and what it made of the rows so far."""

    def __init__(self, project: Project, agent: Agent, name: str) -> None:
        self._use = RubricUse(name, pass_at=agent.thresholds[name])
        self._fixtures: dict[str, Fixture] = {one.case.case_id: one for one in agent.scored_by(name)}
        self._plain = _usual(project, self._use, list(self._fixtures.values()))
        self._counts = dict.fromkeys(("scored", "off_format", "nothing", "passing"), 0)
        self._examples: list[Example] = []
        self._unscored = ""

    def reads_blindly(self, row: Recording, *, conforms: bool) -> bool:
        """True if the rubric scores the row without resting on what the format promises."""
        fixture = self._fixtures.get(row.output.case_id)
        case = fixture.case if fixture else Case(row.output.case_id, file=row.file, line=row.line)
        case = replace(case, input=case.input or row.input or "", vars={**case.vars, **row.vars})
        rubric = fixture.rubrics[self._use.name] if fixture else self._plain
        result = apply(rubric, self._use, row.output, case)
        if result.score is None:
            self._unscored = self._unscored or result.reason
            return False
        self._counts["scored"] += 1
        nothing = counts_nothing(result)
        if conforms and nothing:
            self._examples.append(_example(row, result.reason))
        if conforms and not nothing:
            return False
        self._counts["nothing" if conforms else "off_format"] += 1
        self._counts["passing"] += result.status == "pass"
        return True

    def reading(self) -> Reading:
        """What it made of all rows."""
        return Reading(
            self._use.name,
            self._use.pass_at or Fraction(0),
            self._counts["scored"],
            self._counts["off_format"],
            self._counts["nothing"],
            self._counts["passing"],
            tuple(self._examples[:_MOST_EXAMPLES]),
            self._unscored,
        )


def counts_nothing(result: CheckResult) -> bool:
    """True if a rubric's result rests on nothing in the output, as it says with a flag `unparseable` or `no_…`.

    Example:
        >>> from judgekit.records import Output
        >>> from judgekit.rubrics.sources import SourceCoverage
        >>> counts_nothing(SourceCoverage().score(Output('{"facts": ["Ada wrote."]}'), Case("a")))
        True
    """
    return any(flag == "unparseable" or flag.startswith("no_") for flag in result.flags)


def _usual(project: Project, use: RubricUse, fixtures: Sequence[Fixture]) -> DeterministicRubric:
    """The rubric with the options that all fixtures give it; where they differ, without any."""
    given = [one.rubrics[use.name] for one in fixtures]
    if given and all(one == given[0] for one in given):
        return given[0]
    plain = resolve(use, root=project.root)
    assert isinstance(plain, DeterministicRubric)
    return plain
