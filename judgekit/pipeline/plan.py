"""Options in, a plan out: everything is read, checked and paired before anything is run or spent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judgekit.config import Project, load_project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.frame.panels import PANEL
from judgekit.models.base import Model
from judgekit.models.faux import FauxModel
from judgekit.pipeline.clusters import raise_unknown_cluster
from judgekit.pipeline.doors import Doors
from judgekit.pipeline.options import Options
from judgekit.pipeline.replay import replayed
from judgekit.pipeline.rubrics import PlannedRubric, RubricPlanner, metric_names, names_of_rubric, raise_unrendered
from judgekit.pipeline.select import selection
from judgekit.pipeline.sources import Job, RowsByCase, Sources, by_case, raise_strangers, trials_of
from judgekit.pipeline.variants import (
    gated_variants,
    pairs_of,
    raise_unnamed_opponents,
    reference_variants,
    variants_of,
)
from judgekit.records import Case, Suite, Trials
from judgekit.release.owners import with_owners
from judgekit.scenarios.load import from_folder, load_scenarios
from judgekit.store import checked_run_id, find_run, list_runs, new_run_id
from judgekit.targets.prompted import PromptTarget
from judgekit.targets.recorded import Recording, cases_from, frame_outputs, read_outputs

DEFAULT_PATH = Path("scenarios")


@dataclass(frozen=True)
class Plan:
    """What one run will do."""

    project: Project
    options: Options
    suites: tuple[Suite, ...]
    """Suites with their selected cases."""
    jobs: tuple[Job, ...]
    """Every output to be had, in scenario order."""
    rubrics: Mapping[str, tuple[PlannedRubric, ...]]
    """By case id."""
    pairwise: tuple[PlannedRubric, ...]
    """Rubrics that compare outputs in pairs."""
    pairs: Mapping[str, tuple[tuple[str, str], ...]]
    """Variant and what it is compared with, by suite."""
    judges: Mapping[str, tuple[str, ...]]
    """Names of the judges by suite."""
    models: Mapping[str, Model]
    """Opened models by name."""
    faux: FauxModel
    """Answers the cases that have a script and no other model."""
    references: Mapping[str, str]
    """Reference variant of each suite that has several."""
    gated: Mapping[str, tuple[str, ...]]
    """Variants that decide, by suite."""
    trials: Mapping[str, Trials]
    """By case id."""
    doors: Doors
    """What the live models share; to be closed after the run."""
    path: Path | None
    """The run folder; None where nothing is recorded."""

    @property
    def cases(self) -> list[Case]:
        """All selected cases."""
        return [case for suite in self.suites for case in suite.cases]

    @property
    def live_targets(self) -> list[str]:
        """Names of the live models that cases are to be answered by; what is only named somewhere is not among them."""
        asked = [job.target.asks["model"] for job in self.jobs if isinstance(job.target, PromptTarget)]
        return [name for name in dict.fromkeys(asked) if name in self.doors.live]

    @property
    def live_judges(self) -> list[str]:
        """Names of the live models that may be asked to judge."""
        judged = {case.suite for case in self.cases if any(one.judged for one in self.rubrics[case.case_id])}
        judged |= {suite for suite, pairs in self.pairs.items() if pairs}
        asked = [name for suite in self.suites if suite.name in judged for name in self.judges[suite.name]]
        return [name for name in dict.fromkeys(asked) if name in self.doors.live]


def make_plan(options: Options, *, record: bool = False) -> Plan:
    """The plan of a run.

    Args:
        options: What is asked for.
        record: Whether the run gets a folder; linting, estimating and blessing need none.

    Raises:
        InputError: whatever is wrong with files, settings or arguments; nothing has been run.
    """
    project = load_project()
    options = replayed(options, out_folder(project, options), DEFAULT_PATH)
    path = _run_path(project, options) if record else None
    recordings = _recordings(options)
    suites = _suites(project, options, recordings)
    own = _suite_recordings(suites)
    raise_strangers(recordings, (case.case_id for suite in suites for case in suite.cases))
    suites = _selected(suites, options)
    planner = RubricPlanner(project, options)
    rubrics = planner.by_case(suites)
    known = {name for suite in suites for case in suite.cases for name in metric_names(case, rubrics[case.case_id])}
    pairwise = planner.pairwise()
    if pairwise and not options.rubrics:
        rubrics = {case_id: tuple(one for one in many if not one.judged) for case_id, many in rubrics.items()}
    raise_unrendered(suites, {case_id: (*many, *pairwise) for case_id, many in rubrics.items()})
    cases = [case for suite in suites for case in suite.cases]
    raise_unknown_cluster(project, cases)
    faux = FauxModel.of(cases)
    judges = {suite.name: _judges(suite, project, options) for suite in suites}
    doors = Doors(project, options, faux, path)
    models = doors.open(_model_names(suites, judges, project, options))
    sources = Sources(project, options, by_case(recordings), models, faux, functions=options.tools)
    jobs = [job for suite in suites for job in sources.jobs(suite, own[suite.name])]
    raise_complaints(sources.complaints)
    variants = variants_of(suites, jobs)
    references = reference_variants(suites, variants, project, options)
    plan = Plan(
        project=project,
        options=options,
        suites=tuple(suites),
        jobs=tuple(jobs),
        rubrics=rubrics,
        pairwise=pairwise,
        pairs=pairs_of(variants, references, options),
        judges=judges,
        models=models,
        faux=faux,
        references=references,
        gated=gated_variants(variants, references, project.settings.gate),
        trials={case.case_id: trials_of(case, project, options) for case in cases},
        doors=doors,
        path=path,
    )
    _raise_nothing_to_do(plan)
    raise_unnamed_opponents(plan.pairs.values(), models)
    doors.raise_unpriced([*plan.live_targets, *plan.live_judges])
    if options.expression or options.tags or options.only:
        # A part of the cases need not have every metric.
        return plan
    judged = {name for many in rubrics.values() for one in many if one.judged for name in names_of_rubric(one)}
    pairs = {one.name for one in pairwise}
    raise_gate_strangers(project, known | pairs, judged | pairs)
    return plan


def out_folder(project: Project, options: Options) -> Path:
    """The folder of the run folders."""
    return options.out or project.root / project.settings.out


def _run_path(project: Project, options: Options) -> Path:
    out = out_folder(project, options)
    if options.resume is not None:
        if options.run_id is not None:
            raise InputError("--resume goes on in the folder of its run: leave out --run-id.")
        # A run that was killed never became `latest`: to go on, the newest one is meant.
        runs = list_runs(out)
        return runs[-1] if options.resume == "latest" and runs else find_run(options.resume, out)
    return out / (new_run_id() if options.run_id is None else checked_run_id(options.run_id))


def _recordings(options: Options) -> list[Recording]:
    found = read_outputs(options.outputs, options.columns) if options.outputs else []
    if options.frame is not None:
        found += frame_outputs(options.frame, options.columns)
    if options.columns and not found:
        raise InputError("--map renames columns of outputs files: give --outputs FILE.")
    return found


def _suites(project: Project, options: Options, recordings: Sequence[Recording]) -> list[Suite]:
    brings_inputs = any(one.input is not None for one in recordings)
    if recordings and brings_inputs and not options.paths:
        by_suite: dict[str, list[Case]] = {}
        for case in cases_from(recordings):
            by_suite.setdefault(case.suite, []).append(case)
        return [Suite(name, tuple(cases)) for name, cases in by_suite.items()]
    if not options.paths and not DEFAULT_PATH.exists():
        raise InputError(
            "no scenarios: there is no folder `scenarios/` here; name a path, or start with `judgekit init`."
        )
    loaded = load_scenarios(
        options.paths or (DEFAULT_PATH,),
        root=project.root,
        allow_code=options.allow_code or project.settings.allow_code,
        has_rubrics=bool(options.rubrics or options.pairwise or project.settings.rubrics),
        redact=project.settings.redact,
    )
    return with_owners(project, loaded)


def _suite_recordings(suites: Iterable[Suite]) -> dict[str, RowsByCase]:
    """The rows of each suite's own outputs file.

    Raises:
        InputError: what is wrong with any of the files, in one message.
    """
    found: dict[str, RowsByCase] = {}
    complaints: list[Complaint] = []
    for suite in suites:
        rows: list[Recording] = []
        try:
            if suite.outputs is not None:
                rows = read_outputs([(None, suite.outputs)])
                raise_strangers(rows, (case.case_id for case in suite.cases))
        except InputError as problem:
            complaints.append(Complaint("", None, str(problem)))
        found[suite.name] = by_case(rows)
    raise_complaints(complaints)
    return found


def _selected(suites: Iterable[Suite], options: Options) -> list[Suite]:
    wanted = selection(options.expression, options.tags)
    chosen = [replace(suite, cases=tuple(case for case in suite.cases if wanted(case))) for suite in suites]
    kept = [suite for suite in chosen if suite.cases]
    if not kept:
        raise InputError("nothing to run: no case fits -k and --tag; `judgekit score` without them runs all.")
    return kept


def _judges(suite: Suite, project: Project, options: Options) -> tuple[str, ...]:
    names = (
        options.judge or suite.judge or tuple(from_folder(one, project.root) for one in project.settings.judge or ())
    )
    for name in names:
        if name == PANEL:
            raise InputError(f'judge "{name}": that is what the common verdict of several judges is called.')
        if names.count(name) > 1:
            raise InputError(f'judge "{name}" is named twice; ask one judge repeatedly with --judge-samples.')
    return names


def _raise_nothing_to_do(plan: Plan) -> None:
    has_checks = any(case.checks or case.no_expectation for case in plan.cases)
    has_rubrics = any(plan.rubrics.values()) or bool(plan.pairwise)
    if not has_checks and not has_rubrics:
        raise InputError("nothing to score: no check and no rubric; give --rubric NAME, such as --rubric helpfulness.")
    judged = any(one.judged for uses in plan.rubrics.values() for one in uses)
    if plan.options.canary and not (any(plan.judges.values()) and (judged or plan.pairwise)):
        raise InputError("--canary plants outputs to test a judge: name one with --judge MODEL, and a rubric for it.")
    if plan.options.judge and not judged and not plan.pairwise:
        raise InputError("--judge has nothing to judge: no case has a judged rubric; give --rubric NAME.")


def _model_names(
    suites: Sequence[Suite], judges: Mapping[str, Sequence[str]], project: Project, options: Options
) -> list[str]:
    """Every model that anything names."""
    names = [name for suite in suites for name in judges[suite.name]]
    names += [name for name in (options.model, project.settings.model) if name is not None]
    names += [form.model for form in project.settings.variants.values() if form.model]
    for suite in suites:
        names += [name for name in (suite.model, *(variant.model for variant in suite.variants)) if name]
    return list(dict.fromkeys(names))


def raise_gate_strangers(project: Project, known: Collection[str], judged: Collection[str]) -> None:
    """Raise for rules of the gate that name a metric which is not in `known`, or want to correct one without a judge.

    Raises:
        InputError: every such rule.
    """
    said = []
    for name, rule in project.settings.gate.metrics.items():
        if name not in known:
            said.append(f'gate: no case has the metric "{name}".{did_you_mean(name, sorted(known))}')
        elif rule.corrected_pass_rate and name not in judged:
            said.append(f'gate: "{name}" has no judge whose mistakes could be corrected; write pass_rate.')
    raise_complaints([Complaint(project.file, project.line("gate"), one) for one in said])
