"""What the stages brought in; what a reader has to know of it out: warnings, applied parameters, drift."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgekit.errors import InputError, RunStopped
from judgekit.frame.panels import PANEL
from judgekit.frame.rows import Measured
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit
from judgekit.pipeline.canaries import Planted
from judgekit.pipeline.clusters import cluster_notes
from judgekit.pipeline.judging import Ask
from judgekit.pipeline.plan import Plan
from judgekit.reading.text import read_text
from judgekit.records import Judgment, Output
from judgekit.store import list_runs
from judgekit.targets.prompted import PromptTarget
from judgekit.trust.run import RunTrust


@dataclass
class Found:
    """What the stages of one run have brought so far."""

    outputs: list[Output]
    measured: list[list[Measured]]
    wanted: list[list[Ask]]
    judgments: list[list[list[Judgment]]]
    interrupted: bool
    stopped: RunStopped | None = None
    again: list[Judgment] = field(default_factory=list)
    """Answers to what was asked again because it was worse than the baseline."""
    confirmed: Mapping[tuple[str, str, int, str, str], str] = field(default_factory=dict)
    """What asking again has shown, by case, variant, trial, rubric and judge."""
    planted: Sequence[Planted] = ()
    """Canaries."""
    canary_judgments: Sequence[Sequence[Judgment]] = ()
    """What was said of each of them."""


def warnings(
    plan: Plan, units: Sequence[Unit], results: Sequence[ResultRow], found: Found, trust: RunTrust
) -> list[str]:
    """What a person has to know to read the numbers of a run rightly, each once."""
    said: list[str] = list(cluster_notes(plan.project, plan.cases))
    if plan.project.settings.gate.kill_rate:
        said.append("the gate's kill_rate is decided by `judgekit prove`, not by a run")
    no_judge = [row for row in results if row.cause == "no_judge"]
    if no_judge:
        names = ", ".join(dict.fromkeys(row.metric for row in no_judge))
        cases = len({row.case_id for row in no_judge})
        said.append(f"no judge was named: {names} not judged on {_cases(cases)} (--judge MODEL)")
    said += trust.warnings(results)
    said += without_score(results)
    said += not_reached(plan)
    required = {(row.case_id, row.variant) for row in results if row.required}
    vacuous = [unit for unit in units if unit.status == "pass" and (unit.case_id, unit.variant) not in required]
    if vacuous:
        said.append(f"{len(vacuous)} of {_cases(len(units))} with nothing required: passed whatever the output is")
    if not found.interrupted and not found.stopped:
        said += plan.faux.unused(_asked_of_faux(plan, found))
    said += repeats(found.outputs)
    said += not_applied(plan, found)
    said += drift(plan, judges(found))
    return list(dict.fromkeys(said))


def without_score(results: Sequence[ResultRow]) -> Iterator[str]:
    """Judged metrics with results that are missing against the user's will, and why."""
    causes: dict[str, Counter[str]] = {}
    for row in results:
        if row.kind == "judge" and row.judge != PANEL and row.status in ("unscored", "error"):
            causes.setdefault(row.metric, Counter())[row.cause or row.status] += 1
    for metric, counts in causes.items():
        listed = ", ".join(f"{n} {cause}" for cause, n in counts.most_common())
        yield f"{metric}: {counts.total()} without a score ({listed})"


def not_reached(plan: Plan) -> Iterator[str]:
    """Cases that keep their own output although a flag names who shall answer."""
    own = {job.case.case_id for job in plan.jobs if job.target is None}
    if own and (plan.options.model or plan.options.variants):
        yield f"{_cases(len(own))} with an output of their own: --model and --variant do not reach them"


def _cases(n: int) -> str:
    return f"{n} {'case' if n == 1 else 'cases'}"


def _asked_of_faux(plan: Plan, found: Found) -> set[tuple[str, str, str]]:
    """The queues that this run was to play: with another model, or none, it is no mistake to have a script."""
    asked = {("target", job.case.case_id, "") for job in plan.jobs if job.output is None}
    for group in found.wanted:
        asked |= {("judge", one.case.case_id, one.rubric.name) for one in group if one.judge == "faux" and not one.skip}
    return asked


def judges(found: Found) -> list[dict[str, Any]]:
    """What each judge was asked for and what was applied in all its calls, once per judge identity."""
    seen: dict[str, dict[str, Any]] = {}
    for one in all_judgments(found):
        entry = seen.setdefault(
            one.judge_identity,
            {
                "judge": one.judge,
                "identity": one.judge_identity,
                "rubric": one.rubric,
                "params_requested": dict(one.params_requested),
                "params_applied": None,
                "models_returned": [],
            },
        )
        if one.reply is None:
            # A call that failed says nothing of what the model takes.
            continue
        if one.model_returned and one.model_returned not in entry["models_returned"]:
            entry["models_returned"].append(one.model_returned)
        if one.params_applied is None:
            continue
        applied, before = dict(one.params_applied), entry["params_applied"]
        if before is not None:
            applied = {name: value for name, value in before.items() if name in applied}
        entry["params_applied"] = applied
    return list(seen.values())


def all_judgments(found: Found) -> Iterator[Judgment]:
    """Everything that judges said, also when asked again, and of planted outputs."""
    yield from (one for group in found.judgments for many in group for one in many)
    yield from found.again
    yield from (one for many in found.canary_judgments for one in many)


def unpriced_targets(plan: Plan, found: Found) -> list[str]:
    """What answered cases for an unknown price: models by the name that they were asked for under, else the variant."""
    names = set()
    for job, output in zip(plan.jobs, found.outputs, strict=True):
        if output.live and output.text is not None and output.cost_usd is None:
            names.add(job.target.asks["model"] if isinstance(job.target, PromptTarget) else job.variant)
    return sorted(names)


def note_applied(prompts: list[dict[str, Any]], plan: Plan, found: Found) -> None:
    """Write into the manifest's prompts what each variant's model was really asked with."""
    applied: dict[tuple[str, str], dict[str, Any]] = {}
    for job, output in zip(plan.jobs, found.outputs, strict=True):
        if output.params_applied is not None:
            applied.setdefault((job.case.suite, job.variant), dict(output.params_applied))
    for entry in prompts:
        if (entry["suite"], entry["variant"]) in applied:
            entry["params_applied"] = applied[entry["suite"], entry["variant"]]


def not_applied(plan: Plan, found: Found) -> Iterator[str]:
    """Parameters that a model was asked for and refused."""
    samples = plan.options.judge_samples or plan.project.settings.judge_samples
    judged = [one for one in all_judgments(found) if one.params_applied is not None]
    for judge in dict.fromkeys(one.judge for one in judged):
        mine = [one for one in judged if one.judge == judge]
        lacking = [(name, one) for one in mine for name in _missing(one.params_requested, one.params_applied)]
        for name in dict.fromkeys(name for name, _ in lacking):
            without = [one for missing, one in lacking if missing == name]
            some = "its" if len(without) == len(mine) else f"{len(without)} of its {len(mine)}"
            hint = (
                " --judge-samples 3 shows how much its verdicts vary." if name == "temperature" and samples == 1 else ""
            )
            asked = without[0].params_requested[name]
            yield f"{judge} does not take {name}: {some} verdicts are not at {name} {asked}.{hint}"
    for job, output in zip(plan.jobs, found.outputs, strict=True):
        if isinstance(job.target, PromptTarget):
            asks = job.target.asks
            for name in _missing(asks["params_requested"], output.params_applied):
                yield f"{asks['model']} does not take {name}: the outputs of {output.variant} were made without it."


# One bound under two names, and models take the one or the other.
_BOUND = frozenset(("max_tokens", "max_completion_tokens"))


def _missing(requested: Mapping[str, Any], applied: Mapping[str, Any] | None) -> list[str]:
    if applied is None:
        return []
    taken = {*applied, *(_BOUND if _BOUND & applied.keys() else ())}
    return [name for name in requested if name not in taken]


def repeats(outputs: Iterable[Output]) -> Iterator[str]:
    """That trials only repeat each other, byte for byte: then they are one trial counted several times."""
    trials: dict[tuple[str, str], list[str]] = {}
    outputs = list(outputs)
    if not any(one.trial for one in outputs):
        return
    for one in outputs:
        if one.text is not None:
            trials.setdefault((one.case_id, one.variant), []).append(one.text)
    further = sum(len(texts) - 1 for texts in trials.values())
    same = sum(len(texts) - len(set(texts)) for texts in trials.values())
    if 2 * same > further:
        yield (
            f"{same} of {further} repeats are byte for byte what an earlier trial said: they say nothing about how "
            "much outputs vary. Ask at a higher temperature, or leave out the trials."
        )


def drift(plan: Plan, now: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Judges that answer under another model id, or with other parameters applied, than before or than elsewhere."""
    answered = {one["identity"]: one for one in now if one["models_returned"]}
    before = _judges_before(plan, answered)
    for identity, one in answered.items():
        judge = one["judge"]
        if len(one["models_returned"]) > 1:
            yield f"{judge} answered as {' and as '.join(one['models_returned'])} within this run."
        if identity not in before:
            continue
        run, old = before[identity]
        if set(old["models_returned"]) != set(one["models_returned"]):
            was, now_is = ", ".join(old["models_returned"]), ", ".join(one["models_returned"])
            yield f"{judge} answered as {was} in run {run} and as {now_is} now: scores may have moved."
        then, applied = old.get("params_applied"), one["params_applied"]
        changed = [] if then is None or applied is None else sorted(set(then) ^ set(applied))
        if changed:
            yield f"{judge} was asked with other parameters in run {run} than now: {', '.join(changed)}."


_RUNS_BACK = 5


def _judges_before(plan: Plan, wanted: Collection[str]) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """The newest earlier entry of each judge identity that a live model has, with the name of its run."""
    found: dict[str, tuple[str, Mapping[str, Any]]] = {}
    if plan.path is None or not plan.live_judges:
        return found
    runs = [run for run in list_runs(plan.path.parent) if run.name != plan.path.name]
    for run in reversed(runs[-_RUNS_BACK:]):
        try:
            entries = json.loads(read_text(run / "manifest.json"))["judges"]
            for one in entries:
                if one["identity"] in wanted and one["models_returned"]:
                    found.setdefault(one["identity"], (run.name, one))
        except (InputError, ValueError, TypeError, KeyError):
            # Somebody else's folder, or a damaged one: no reason to spoil this run.
            continue
        if len(found) == len(wanted):
            break
    return found
