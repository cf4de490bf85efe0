"""The release gate from settings to reports: agents, fixtures and their outputs in, a run with its decision out.

No model can be asked here: outputs are those of the fixtures or of a file, and deterministic rubrics score them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from judgekit.config import Project, load_project
from judgekit.errors import InputError, did_you_mean
from judgekit.frame.rows import Measured
from judgekit.models.faux import FauxModel
from judgekit.pipeline.describe import describe, names_of, texts_of
from judgekit.pipeline.doors import Doors
from judgekit.pipeline.notices import Found
from judgekit.pipeline.options import Options, as_paths
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.result import Run
from judgekit.pipeline.rubrics import PlannedRubric
from judgekit.pipeline.run import Records, tables
from judgekit.pipeline.sources import DEFAULT, Job
from judgekit.records import Case, Decision, Output, RubricUse, Suite, Trials
from judgekit.release.decision import Judged, judge
from judgekit.release.history import append_history, history_rows, read_history
from judgekit.release.lock import lock_violations, write_lock
from judgekit.release.outputs import Live, outputs_of, read_live
from judgekit.release.registry import Agent, load_agents
from judgekit.release.revision import revision_of
from judgekit.release.scoring import AgentScore, score_agents
from judgekit.reports.write import write_reports
from judgekit.store import RunFolder, checked_run_id, new_run_id
from judgekit.telemetry.destination import destination
from judgekit.telemetry.emit import emit_evaluation
from judgekit.texts.scrubbing import secret_values
from judgekit.writing import write_json

_MOST_HISTORY = 100
"""Points of a trend that a report shows."""


@dataclass(frozen=True)
class GateOptions:
    """What is asked of the release gate; None means: as the settings say."""

    agents: tuple[str, ...] = ()
    """Names; empty: all."""
    outputs: Path | None = None
    """Live outputs in the place of those of the golden fixtures: a file, or a folder."""
    columns: tuple[str, ...] = ()
    """Renamings of columns of live outputs, as given to --map."""
    strict: bool = False
    history: Path | None = None
    """File that the scores are added to."""
    relock: bool = False
    """Whether formats, rubrics and fixtures are locked anew as they are."""
    out: Path | None = None
    run_id: str | None = None
    otel: bool = False
    command: str = ""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


@dataclass(frozen=True)
class _Assessed:
    """The gate's work before anything is written."""

    agents: tuple[Agent, ...]
    scores: list[AgentScore]
    judged: Judged
    masker: Masker


def gate(options: GateOptions) -> Run:
    """One run of the release gate, with its folder and reports.

    Raises:
        InputError: the registry, fixtures, outputs, lock or arguments are wrong; nothing was written.
    """
    project = load_project()
    run_id = new_run_id(options.clock()) if options.run_id is None else checked_run_id(options.run_id)
    receiver = destination(project.settings.telemetry, asked=options.otel)
    before = [] if options.history is None else read_history(options.history)
    assessed = _assess(project, options, run_id)
    decision, masker = assessed.judged.decision, assessed.masker
    plan = _plan(project, options, assessed)
    masker.raise_in_names(names_of(plan))
    started = options.clock()
    manifest = describe(plan, run_id, started.isoformat(timespec="milliseconds").replace("+00:00", "Z"), masker)
    manifest["title"] = f"judgekit release gate {run_id}"
    manifest["release"] = {
        "agents": {one.name: one.entry.model_dump(mode="json", exclude_defaults=True) for one in assessed.agents},
        "outputs": None if options.outputs is None else str(options.outputs),
        "strict": options.strict,
    }
    with RunFolder(options.out or project.root / project.settings.out, run_id) as folder:
        write_json(folder.path / "manifest.json", manifest)
        rows = history_rows(decision, started)
        if options.history is not None:
            append_history(options.history, rows)
        if options.relock:
            write_lock(project, assessed.agents)
        records, found = Records(folder, masker, ()), _found(plan, assessed.scores)
        for job, measured in zip(plan.jobs, found.measured, strict=True):
            assert job.output is not None
            records.keep_output(job, job.output)
            records.keep_measured(job.case, job.output, measured)
        data = tables(plan, folder, found, records, manifest, masker, decision=decision)
        data.summary["warnings"] = [*assessed.judged.warnings, *data.summary["warnings"]]
        if options.history is not None:
            # A trend over fixtures and live outputs by turns would be none of either.
            shown = {_line(one) for one in rows}
            data.summary["history"] = _newest([one for one in before if _line(one) in shown] + rows)
        write_reports(data)
        folder.point_latest()
    if receiver is not None:
        emit_evaluation(receiver, decision=decision, rows=data.results)
    return Run(data)


def release_gate_check(
    agents: str | Iterable[str] = (), *, outputs: str | Path | None = None, strict: bool = False
) -> Decision:
    """What the release gate of the project says; nothing is written and no model is asked.

    Args:
        agents: Names of agents in the settings; default all.
        outputs: File or folder of live outputs, in the place of those of the golden fixtures.
        strict: Whether loopholes and wrong defects fail the gate, too.

    Returns:
        Decision with `.passed`, `.reasons` and `.agents`: exact score and threshold of each agent and rubric.

    Raises:
        InputError: the registry, fixtures, outputs or lock are wrong.
    """
    options = GateOptions(
        agents=(agents,) if isinstance(agents, str) else tuple(agents),
        outputs=None if outputs is None else as_paths((outputs,))[0],
        strict=strict,
    )
    return _assess(load_project(), options, new_run_id(options.clock())).judged.decision


def agent_score(agent: str, rubric: str | None = None) -> Fraction:
    """The exact mean of an agent's golden fixtures on one of its rubrics.

    Args:
        agent: Its name in the settings.
        rubric: Registered name; needed where the agent has several.

    Returns:
        A fraction from 0 to 1.

    Raises:
        InputError: no such agent or rubric, several rubrics and none named, a fixture without a score; or mistakes in
            settings or fixtures.
    """
    agents = load_agents(load_project(), (agent,))
    thresholds = list(agents[0].thresholds)
    if rubric is None and len(thresholds) > 1:
        raise InputError(f'agent "{agent}" has several rubrics: name one of {", ".join(thresholds)}.')
    wanted = rubric or thresholds[0]
    if wanted not in thresholds:
        hint = did_you_mean(wanted, thresholds)
        raise InputError(f'agent "{agent}" is not scored by "{wanted}".{hint} It has {", ".join(thresholds)}.')
    one = next(one for one in score_agents(agents, outputs_of(agents, None)) if one.rubric == wanted)
    lacking = [each for each in one.golden if each.score is None]
    if lacking:
        raise InputError(f'agent "{agent}": {lacking[0].fixture.case.case_id} has no score: {lacking[0].reason}.')
    if one.score is None:
        raise InputError(f'agent "{agent}" has no golden fixture for {wanted}.')
    return one.score


def _assess(project: Project, options: GateOptions, run_id: str) -> _Assessed:
    agents = load_agents(project, options.agents)
    live = _live(project, agents, options)
    scores = score_agents(agents, outputs_of(agents, live))
    judged = judge(
        scores,
        lock_violations(project, agents, relock=options.relock),
        strict=options.strict,
        source="fixtures" if live is None else "outputs",
        run_id=run_id,
        revision=revision_of(project.root),
    )
    masker = Masker(project.settings.redact, secret_values())
    return _Assessed(agents, scores, _masked(judged, masker, scores, _notes(agents, live)), masker)


def _live(project: Project, agents: Sequence[Agent], options: GateOptions) -> Live | None:
    if options.outputs is None:
        if options.columns:
            raise InputError("--map renames columns of live outputs: give --outputs DIR|FILE.")
        return None
    # A file may hold the outputs of agents that are not gated now.
    everyone = load_agents(project) if options.agents else agents
    live = read_live(options.outputs, (one for agent in everyone for one in agent.fixtures), options.columns)
    mine = {one.case.case_id for agent in agents for one in agent.fixtures}
    if not mine & live.by_case.keys():
        names = ", ".join(agent.name for agent in agents)
        raise InputError(f"--outputs {live.place}: holds no output for a golden fixture of {names}.")
    return live


def _notes(agents: Iterable[Agent], live: Live | None) -> list[str]:
    said = []
    if live and live.unused:
        said.append(
            f"{live.place}: {len(live.unused)} outputs are for negative fixtures, which keep their own bad output: "
            f"not scored ({', '.join(live.unused[:3])}{', …' if len(live.unused) > 3 else ''})"
        )
    checked = sum(bool(one.case.checks) for agent in agents for one in agent.fixtures)
    if checked:
        said.append(f"{checked} fixtures have checks: `judgekit score` runs those, the release gate only rubrics")
    return said


def _masked(judged: Judged, masker: Masker, scores: Iterable[AgentScore], notes: Iterable[str]) -> Judged:
    """The decision with secrets masked in what it quotes."""
    if not masker.masks:
        return replace(judged, warnings=(*judged.warnings, *notes))
    texts = (
        text
        for one in scores
        for each in one.cases
        for output in each.outputs
        for text in texts_of(each.fixture.case, output)
    )
    careful = masker.beside(*texts)
    decision = replace(
        judged.decision,
        reasons=tuple(careful.text(one) for one in judged.decision.reasons),
        rules=tuple({**rule, "reason": careful.text(rule["reason"])} for rule in judged.decision.rules),
    )
    return Judged(decision, tuple(careful.text(one) for one in (*judged.warnings, *notes)))


def _plan(project: Project, options: GateOptions, assessed: _Assessed) -> Plan:
    """The fixtures as a plan whose outputs are all there; it opens no model."""
    how = Options(out=options.out, run_id=options.run_id, no_cache=True, command=options.command, clock=options.clock)
    planned: dict[str, tuple[PlannedRubric, ...]] = {}
    outputs: dict[str, tuple[Output, ...]] = {}
    cases: dict[str, Case] = {}
    for one in assessed.scores:
        for each in one.cases:
            # Checks are a matter for `score`; here they would be metrics without results.
            case = replace(each.fixture.case, checks=())
            rubric, use = each.fixture.rubrics[one.rubric], RubricUse(one.rubric, pass_at=one.threshold)
            mine = PlannedRubric(rubric, use, one.rubric, one.threshold, True)
            planned[case.case_id] = (*planned.get(case.case_id, ()), mine)
            cases[case.case_id], outputs[case.case_id] = case, each.outputs
    by_suite: dict[str, list[Case]] = {}
    for case in cases.values():
        by_suite.setdefault(case.suite, []).append(case)
    faux = FauxModel.of(())
    return Plan(
        project=project,
        options=how,
        suites=tuple(Suite(name, tuple(many), file=many[0].file) for name, many in by_suite.items()),
        jobs=tuple(
            Job(case, DEFAULT, output.trial, output=replace(output, case_id=case.case_id, variant=DEFAULT))
            for case in cases.values()
            for output in outputs[case.case_id]
        ),
        rubrics=planned,
        pairwise=(),
        pairs={},
        judges={},
        models={},
        faux=faux,
        references={},
        gated=dict.fromkeys(by_suite, (DEFAULT,)),
        trials=dict.fromkeys(cases, Trials()),
        doors=Doors(project, how, faux, None),
        path=None,
    )


def _found(plan: Plan, scores: Iterable[AgentScore]) -> Found:
    results: dict[tuple[str, int], list[Measured]] = {}
    for one in scores:
        for each in one.cases:
            for output, result in zip(each.outputs, each.results, strict=True):
                measured = Measured("rubric", one.rubric, True, result, one.threshold)
                results.setdefault((each.fixture.case.case_id, output.trial), []).append(measured)
    return Found(
        outputs=[job.output for job in plan.jobs if job.output is not None],
        measured=[results[job.case.case_id, job.trial] for job in plan.jobs],
        wanted=[[] for _ in plan.jobs],
        judgments=[[] for _ in plan.jobs],
        interrupted=False,
    )


def _line(row: Mapping[str, object]) -> tuple[object, ...]:
    """What the lines of one trend have in common."""
    return row["agent"], row["rubric"], row.get("source", "fixtures")


def _newest(rows: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The last lines of each agent and rubric, oldest first."""
    counts: dict[tuple[object, object], int] = {}
    kept = []
    for row in reversed(rows):
        key = (row["agent"], row["rubric"])
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= _MOST_HISTORY:
            kept.append(row)
    return kept[::-1]
