"""A stored run in; what its judges are swayed by, measured on its own outputs, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from judgekit.config import Project, load_project
from judgekit.errors import InputError, RunStopped, did_you_mean
from judgekit.frame.tables import RunData
from judgekit.pipeline.doors import LEDGER_FILE, Doors
from judgekit.pipeline.dressing import JudgeProbed, ask_judges, dressings
from judgekit.pipeline.estimate import Expected, estimate_judging
from judgekit.pipeline.judging import Ask, judged_rows
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import Plan, make_plan
from judgekit.pipeline.prove import REPLAY
from judgekit.pipeline.redact import Masker, mask_calls
from judgekit.pipeline.sources import Job
from judgekit.pipeline.stored import read_run
from judgekit.pool import Interrupts
from judgekit.rubrics.files import find_rubric
from judgekit.store import find_run
from judgekit.trust.positions import PositionResult, position_results
from judgekit.trust.probes import PROBES, Probe
from judgekit.trust.probing import READABLE
from judgekit.trust.self_preference import SelfPreference, self_preferences
from judgekit.writing import write_json

FILE = "probe.json"
_FOLDER = "probe"
"""Folder in the run's for the ledger of the probe's own calls."""


@dataclass(frozen=True)
class Probing:
    """What a probe of a run has found."""

    path: Path
    """The run folder."""
    judges: tuple[JudgeProbed, ...]
    positions: tuple[PositionResult, ...]
    preferences: tuple[SelfPreference, ...]
    n_outputs: int
    seed: int
    notes: tuple[str, ...]
    interrupted: bool = False
    stopped: RunStopped | None = None

    @property
    def record(self) -> dict[str, Any]:
        """What probe.json holds."""
        return {
            "run_id": self.path.name,
            "partial": self.interrupted or self.stopped is not None,
            "n_outputs": self.n_outputs,
            "seed": self.seed,
            "judges": [
                {
                    "judge": one.judge,
                    "judge_identity": one.judge_identity,
                    "metric": one.metric,
                    "probes": [
                        {**result.record, "calls": one.n_calls[result.probe], "cost_usd": one.costs[result.probe]}
                        for result in one.results
                    ],
                }
                for one in self.judges
            ],
            "position": [one.record for one in self.positions],
            "self_preference": [one.record for one in self.preferences],
            "notes": list(self.notes),
        }


def probe(
    run: str, options: Options, *, probes: Iterable[str] = (), most: int | None = None, only_estimate: bool = False
) -> Probing | list[Expected]:
    """Judge the outputs of a run again, as they were and dressed otherwise, and say what sways the judge.

    Calls go through the doors of a run: cache, ledger (in the run folder), budget. What is found is written into the
    run folder as probe.json. Position bias is read from the pairwise verdicts that the run has, and self-preference
    from its judges where there are several.

    Args:
        run: Which run: path, id, `latest` or `latest~1`.
        options: Judge, rubrics, seed, prices and limits; the judge is the run's own where none is given.
        probes: Names of the probes; none: all.
        most: Number of outputs at most, drawn by the seed; None: all that were judged.
        only_estimate: Ask nobody, write nothing, and return what it would take.

    Raises:
        InputError: no such run or probe, nothing in it was judged, or its judge is a recording and its own
            verdicts tell nothing of position or self-preference.
        RunStopped: a key is missing; nothing was asked.
    """
    chosen = _chosen(probes)
    project = load_project()
    folder = find_run(run, options.out or project.root / project.settings.out)
    data = read_run(folder)
    positions = tuple(position_results(data.verdicts))
    preferences = tuple(self_preferences(data.results, data.cases))
    judged = _judged(data)
    if not judged:
        if positions and not only_estimate:
            # Comparisons alone were judged, and of those both orders are there already.
            return _written(Probing(folder, (), positions, preferences, 0, options.seed, ()))
        raise InputError(f"{folder.name}: no output has a verdict of a judge: there is nothing to probe.")
    replays = [name for name in _judges(data, options) if name.startswith(REPLAY)]
    if replays:
        said = f"{replays[0]} is a recording and knows no other outputs than its own: name a model with --judge"
        if options.judge or only_estimate or not (positions or preferences):
            raise InputError(f"{said}.")
        note = f"{said} to have the run's outputs judged again; what its own verdicts tell is below"
        return _written(Probing(folder, (), positions, preferences, 0, options.seed, (note,)))
    plan, notes = _plan(project, data, options, judged)
    jobs = _drawn(plan, judged, most, options.seed)
    if not jobs:
        raise InputError(f"{folder.name}: none of its judged outputs belongs to a case of the scenarios as they are.")
    bases = [ask for job in jobs for ask in _asks(plan, job, judged)]
    if only_estimate:
        with plan.doors:
            return estimate_judging(plan, once=[one.ask for one in dressings(bases, chosen)], twice=bases)
    plan.doors.raise_missing_keys(plan.live_judges)
    plan = _own_ledger(plan, folder)
    with plan.doors, Interrupts() as interrupts:
        judges, ended = ask_judges(plan, bases, chosen, interrupts)
    how = (plan.options.seed, notes, ended.interrupted, ended.stopped)
    found = Probing(folder, judges, positions, preferences, len(jobs), *how)
    if not found.record["partial"]:
        mask_calls(folder / _FOLDER / LEDGER_FILE, Masker(project.settings.redact))
    return _written(found)


def _chosen(names: Iterable[str]) -> tuple[Probe, ...]:
    known = {one.name: one for one in PROBES}
    wanted = tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, list(known))
            raise InputError(f'--probe: there is no probe "{name}".{hint} There are {", ".join(known)}.')
    return tuple(one for one in PROBES if not wanted or one.name in wanted)


_Judged = Mapping[tuple[str, str, int], frozenset[str]]
"""Metrics with a verdict by case id, variant and trial."""


def _judged(data: RunData) -> dict[tuple[str, str, int], frozenset[str]]:
    found: dict[tuple[str, str, int], set[str]] = {}
    for row in data.results:
        if row.kind == "judge" and not row.against and row.status in READABLE:
            found.setdefault((row.case_id, row.variant, row.trial), set()).add(row.metric)
    return {place: frozenset(metrics) for place, metrics in found.items()}


def _judges(data: RunData, options: Options) -> tuple[str, ...]:
    """The judges to be asked: those that were named, else the run's own."""
    own = tuple(dict.fromkeys(name for suite in data.manifest["suites"] for name in suite["judge"]))
    return tuple(options.judge) or own


def _plan(project: Project, data: RunData, options: Options, judged: _Judged) -> tuple[Plan, tuple[str, ...]]:
    """The plan of judging the run's outputs again, by its scenario files where they are still there."""
    metrics = {metric for names in judged.values() for metric in names}
    rubrics = [*options.rubrics, *(name for name in sorted(metrics) if _is_found(name, project))]
    files = list(dict.fromkeys(suite["file"] for suite in data.manifest["suites"]))
    scenarios = tuple(Path(file) for file in files if file and Path(file).suffix in (".yaml", ".yml"))
    if len(scenarios) < len(files) or not all(path.is_file() for path in scenarios):
        # A run of outputs alone: its records hold input and evidence, too.
        scenarios = ()
    plan = make_plan(
        replace(
            options,
            paths=scenarios,
            outputs=((None, data.path / "outputs.jsonl"),),
            judge=_judges(data, options),
            rubrics=tuple(dict.fromkeys(rubrics)),
            judge_samples=None,
            seed=options.seed or data.manifest.get("seed") or 0,
        )
    )
    return plan, tuple(_changed(plan, data))


def _is_found(name: str, project: Project) -> bool:
    try:
        find_rubric(name, root=project.root)
    except InputError:
        # The scenario names it by its file, or --rubric does.
        return False
    return True


def _changed(plan: Plan, data: RunData) -> Iterable[str]:
    """Rubrics that the run was judged by in another form: then it is the judge as it is now that is probed."""
    # Comparisons by the same rubric are asked in other words: they have an identity of their own.
    then = {
        (row.metric, row.judge): row.judge_identity for row in data.results if row.judge_identity and not row.against
    }
    now: dict[tuple[str, str | None], str | None] = {}
    for job in plan.jobs:
        if job.output is not None:
            for ask in _asks(plan, job, None):
                if (ask.rubric.name, ask.judge) not in now:
                    row = judged_rows(plan, ask, ())[0]
                    now[row.metric, row.judge] = row.judge_identity
    for (metric, judge), identity in now.items():
        if (metric, judge) in then and then[metric, judge] != identity:
            yield f"{metric} by {judge} is not what the run was judged by: rubric, template or parameters have changed"


def _drawn(plan: Plan, judged: _Judged, most: int | None, seed: int) -> list[Job]:
    """The outputs to be probed, in the order of the run."""
    jobs = [
        job
        for job in plan.jobs
        if job.output is not None
        and job.output.text
        and (job.case.case_id, job.variant, job.trial) in judged
        and _asks(plan, job, judged)
    ]
    if most is None or len(jobs) <= most:
        return jobs
    kept = set(Random(seed).sample(range(len(jobs)), most))
    return [job for number, job in enumerate(jobs) if number in kept]


def _asks(plan: Plan, job: Job, judged: _Judged | None) -> list[Ask]:
    """What each judge is asked about one output; `judged` None: whatever the plan has."""
    assert job.output is not None
    metrics = None if judged is None else judged.get((job.case.case_id, job.variant, job.trial), frozenset())
    return [
        Ask(job.case, job.output, planned, judge)
        for planned in plan.rubrics[job.case.case_id]
        if planned.judged and (metrics is None or planned.name in metrics)
        for judge in plan.judges.get(job.case.suite, ())
    ]


def _own_ledger(plan: Plan, folder: Path) -> Plan:
    """The plan with doors that keep the calls of this probe; one that was not finished goes on."""
    own = folder / _FOLDER
    own.mkdir(exist_ok=True)
    if (folder / FILE).is_file():
        # That one is finished: its replies are in the cache, unless nobody wanted them there.
        (own / LEDGER_FILE).unlink(missing_ok=True)
    doors = Doors(plan.project, plan.options, plan.faux, own)
    with plan.doors:
        return replace(plan, doors=doors, models=doors.open(plan.models))


def _written(found: Probing) -> Probing:
    if found.record["partial"]:
        return found
    write_json(found.path / FILE, found.record)
    return found
