"""Options in, a plan out: everything is read, checked and paired before anything is run or spent."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from judgekit.config import GateSettings, Project, load_project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.judges.prompting import judge_prompt, missing_evidence
from judgekit.models.base import Model
from judgekit.models.faux import FauxModel
from judgekit.models.recorded import RecordedModel
from judgekit.pipeline.options import Options
from judgekit.pipeline.select import selection
from judgekit.pipeline.sources import Job, RowsByCase, Sources, by_case, raise_strangers, trials_of
from judgekit.records import Case, Output, Rubric, RubricUse, Suite, Trials
from judgekit.rubrics.base import DeterministicRubric
from judgekit.rubrics.files import resolve
from judgekit.scenarios.build import rubric_use
from judgekit.scenarios.load import from_folder, load_scenarios
from judgekit.targets.recorded import Recording, cases_from, frame_outputs, read_outputs

DEFAULT_PATH = Path("scenarios")
NOT_YET = {
    "kill_rate": "kill_rate needs `judgekit prove`, which this version does not have",
    "corrected_pass_rate": "corrected_pass_rate needs `judgekit calibrate`, which this version does not have",
    "baseline": "baseline is not supported by this version",
}


@dataclass(frozen=True, slots=True)
class PlannedRubric:
    """One rubric of one case, found and with its threshold settled."""

    rubric: Rubric | DeterministicRubric
    use: RubricUse
    name: str
    threshold: Fraction | None
    required: bool

    @property
    def judged(self) -> bool:
        """True if a model scores by it."""
        return isinstance(self.rubric, Rubric)


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

    @property
    def cases(self) -> list[Case]:
        """All selected cases."""
        return [case for suite in self.suites for case in suite.cases]


def make_plan(options: Options) -> Plan:
    """The plan of a run.

    Raises:
        InputError: whatever is wrong with files, settings or arguments; nothing has been run.
    """
    project = load_project()
    refuse_unready(project)
    recordings = _recordings(options)
    suites = _suites(project, options, recordings)
    own = _suite_recordings(suites)
    raise_strangers(recordings, (case.case_id for suite in suites for case in suite.cases))
    suites = _selected(suites, options)
    rubrics = _Rubrics(project, options).by_case(suites)
    _raise_unrendered(suites, rubrics)
    cases = [case for suite in suites for case in suite.cases]
    faux = FauxModel.of(cases)
    judges = {suite.name: _judges(suite, project, options) for suite in suites}
    models = _models(suites, judges, project, options, faux)
    sources = Sources(project, options, by_case(recordings), models, faux)
    jobs = [job for suite in suites for job in sources.jobs(suite, own[suite.name])]
    raise_complaints(sources.complaints)
    variants = _variants(suites, jobs)
    references = _references(suites, variants, project, options)
    plan = Plan(
        project=project,
        options=options,
        suites=tuple(suites),
        jobs=tuple(jobs),
        rubrics=rubrics,
        judges=judges,
        models=models,
        faux=faux,
        references=references,
        gated=gated_variants(variants, references, project.settings.gate),
        trials={case.case_id: trials_of(case, project, options) for case in cases},
    )
    _raise_nothing_to_do(plan)
    raise_gate_strangers(
        project, {name for case in plan.cases for name in metric_names(case, plan.rubrics[case.case_id])}
    )
    return plan


def refuse_unready(project: Project) -> None:
    """Refuse what the settings ask for and this version can't do yet.

    Raises:
        InputError: every such setting.
    """
    settings = project.settings
    gate, corrected = settings.gate, any(one.corrected_pass_rate for one in settings.gate.metrics.values())
    wanted = [("gate", "kill_rate")] if gate.kill_rate else []
    wanted += [("gate", "corrected_pass_rate")] if corrected else []
    wanted += [("baseline", "baseline")] if settings.baseline else []
    raise_complaints([Complaint(project.file, project.line(key), f"{NOT_YET[one]}.") for key, one in wanted])


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
    return load_scenarios(
        options.paths or (DEFAULT_PATH,),
        root=project.root,
        allow_code=options.allow_code or project.settings.allow_code,
        has_rubrics=bool(options.rubrics or project.settings.rubrics),
        redact=project.settings.redact,
    )


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


class _Rubrics:
    """Finds the rubrics of each case: its own, its suite's (merged already), the settings', the flag's."""

    def __init__(self, project: Project, options: Options) -> None:
        self._project = project
        line = project.line("rubrics")
        self._settings = [rubric_use(one, project.file, line) for one in project.settings.rubrics]
        self._flags = [RubricUse(name, file="") for name in options.rubrics]
        self._found: dict[tuple[Any, ...], Rubric | DeterministicRubric | None] = {}
        self._complaints: list[Complaint] = []

    def by_case(self, suites: Iterable[Suite]) -> dict[str, tuple[PlannedRubric, ...]]:
        """The planned rubrics of every case.

        Raises:
            InputError: unknown rubrics, broken rubric files, thresholds off the scale; all of them.
        """
        result = {}
        for suite in suites:
            for case in suite.cases:
                uses: dict[str, RubricUse] = {}
                for use in (*case.rubrics, *self._settings, *self._flags):
                    uses.setdefault(use.name, use)
                planned = () if case.no_expectation else tuple(self._planned(use, case) for use in uses.values())
                # By the rubric's own name: a flag may give the file of a rubric that the case names, and the case wins.
                named: dict[str, PlannedRubric] = {}
                for one in planned:
                    if one is not None:
                        named.setdefault(one.name, one)
                result[case.case_id] = tuple(named.values())
        raise_complaints(self._complaints)
        return result

    def _planned(self, use: RubricUse, case: Case) -> PlannedRubric | None:
        rubric = self._find(use)
        if rubric is None:
            return None
        if isinstance(rubric, Rubric):
            threshold = use.pass_at if use.pass_at is not None else rubric.pass_at
            gated = rubric.name in self._project.settings.gate.metrics
            required = use.required if use.required is not None else rubric.required or gated
            return PlannedRubric(rubric, use, rubric.name, threshold, required)
        for message in rubric.check_case(case):
            self._complaints.append(Complaint(case.file, case.line, f'case "{case.case_id}": {use.name}: {message}'))
        required = use.pass_at is not None and use.required is not False
        return PlannedRubric(rubric, use, rubric.name, use.pass_at, required)

    def _find(self, use: RubricUse) -> Rubric | DeterministicRubric | None:
        is_path = "/" in use.name or "." in use.name
        key = (use.name, repr(sorted(use.options.items())), use.file if is_path else "", use.pass_at)
        if key not in self._found:
            try:
                self._found[key] = resolve(use, root=self._project.root)
            except InputError as problem:
                self._complaints.append(Complaint("", None, str(problem)))
                self._found[key] = None
        return self._found[key]


def _judges(suite: Suite, project: Project, options: Options) -> tuple[str, ...]:
    names = (
        options.judge or suite.judge or tuple(from_folder(one, project.root) for one in project.settings.judge or ())
    )
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'judge "{name}" is named twice; ask one judge repeatedly with --judge-samples.')
    return names


def _raise_unrendered(suites: Iterable[Suite], rubrics: Mapping[str, Sequence[PlannedRubric]]) -> None:
    """Render each case's own judge templates once, before anything is spent; built-in ones are known to render.

    Raises:
        InputError: a template asks for a variable that a case does not have.
    """
    complaints = []
    for case in (case for suite in suites for case in suite.cases):
        for one in rubrics[case.case_id]:
            rubric = one.rubric
            if not isinstance(rubric, Rubric) or not rubric.template:
                continue
            output = Output("…")
            if missing_evidence(rubric, case, output):
                continue
            try:
                judge_prompt(rubric, case, output)
            except InputError as problem:
                complaints.append(Complaint(case.file, case.line, f'case "{case.case_id}": {problem}'))
    raise_complaints(complaints)


def _models(
    suites: Sequence[Suite],
    judges: Mapping[str, Sequence[str]],
    project: Project,
    options: Options,
    faux: FauxModel,
) -> dict[str, Model]:
    names = [name for suite in suites for name in judges[suite.name]]
    names += [name for name in (options.model, project.settings.model) if name]
    names += [form.model for form in project.settings.variants.values() if form.model]
    for suite in suites:
        names += [name for name in (suite.model, *(variant.model for variant in suite.variants)) if name]
    return {name: _open(name, faux) for name in dict.fromkeys(names)}


def _open(name: str, faux: FauxModel) -> Model:
    if name == "faux":
        return faux
    scheme, colon, path = name.partition(":")
    if scheme == "replay" and colon:
        return RecordedModel.from_path(Path(path))
    raise InputError(
        f'model "{name}": this version has no live models yet; use `faux`, or `replay:PATH` with recorded replies.'
    )


def _variants(suites: Iterable[Suite], jobs: Iterable[Job]) -> dict[str, list[str]]:
    suite_of = {case.case_id: suite.name for suite in suites for case in suite.cases}
    found: dict[str, list[str]] = {}
    for job in jobs:
        names = found.setdefault(suite_of[job.case.case_id], [])
        if job.variant not in names:
            names.append(job.variant)
    return found


def _references(
    suites: Iterable[Suite], variants: Mapping[str, Sequence[str]], project: Project, options: Options
) -> dict[str, str]:
    everything = {name for names in variants.values() for name in names}
    if options.against is not None and options.against not in everything:
        known = ", ".join(sorted(everything))
        raise InputError(f'--against: there is no variant "{options.against}"; there are {known}.')
    references = {}
    for suite in suites:
        names = variants[suite.name]
        wanted = next((one for one in (options.against, suite.against, project.settings.against) if one in names), None)
        if suite.against is not None and suite.against not in names and not options.against:
            hint = did_you_mean(suite.against, names)
            where = Complaint(suite.file, suite.lines.get("against"), f'there is no variant "{suite.against}".{hint}')
            raise InputError(str(where))
        if len(names) > 1:
            references[suite.name] = wanted or names[0]
    general = project.settings.against
    if general is not None and general not in everything and references:
        said = f'there is no variant "{general}".{did_you_mean(general, sorted(everything))}'
        raise InputError(str(Complaint(project.file, project.line("against"), said)))
    return references


def gated_variants(
    variants: Mapping[str, Sequence[str]], references: Mapping[str, str], gate: GateSettings
) -> dict[str, tuple[str, ...]]:
    """The variants that decide, by suite: those that the gate names, else all but the reference variant.

    Args:
        variants: All variants of each suite.
        references: Reference variant of each suite that has several.
        gate: The settings' gate.

    Raises:
        InputError: the gate names a variant that no suite has.
    """
    everything = {name for names in variants.values() for name in names}
    for name in gate.variants:
        if name not in everything:
            raise InputError(f'gate: there is no variant "{name}".{did_you_mean(name, sorted(everything))}')
    result = {}
    for suite, names in variants.items():
        if gate.variants:
            result[suite] = tuple(name for name in names if name in gate.variants)
        else:
            result[suite] = tuple(name for name in names if name != references.get(suite))
    return result


def _raise_nothing_to_do(plan: Plan) -> None:
    has_checks = any(case.checks or case.no_expectation for case in plan.cases)
    has_rubrics = any(plan.rubrics.values())
    if not has_checks and not has_rubrics:
        raise InputError("nothing to score: no check and no rubric; give --rubric NAME, such as --rubric helpfulness.")
    judged = any(one.judged for uses in plan.rubrics.values() for one in uses)
    if plan.options.judge and not judged:
        raise InputError("--judge has nothing to judge: no case has a judged rubric; give --rubric NAME.")


def metric_names(case: Case, rubrics: Iterable[PlannedRubric]) -> list[str]:
    """Names of the rows that a case can have."""
    names = [use.metric for use in case.checks]
    for one in rubrics:
        names.append(one.name)
        if isinstance(one.rubric, Rubric):
            names += [f"{one.name}.{item}" for item in (*one.rubric.checklist, *one.rubric.criteria)]
    return names


def raise_gate_strangers(project: Project, known: Collection[str]) -> None:
    """Raise for rules of the gate that name a metric which is not in `known`.

    Raises:
        InputError: every such rule.
    """
    line = project.line("gate")
    raise_complaints(
        [
            Complaint(project.file, line, f'gate: no case has the metric "{name}".{did_you_mean(name, sorted(known))}')
            for name in project.settings.gate.metrics
            if name not in known
        ]
    )
