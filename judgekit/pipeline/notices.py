"""What the stages brought in; what a reader has to know of it out: warnings, applied parameters, drift."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgekit.errors import InputError, RunStopped
from judgekit.frame.rows import Measured
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit
from judgekit.pipeline.judging import Ask
from judgekit.pipeline.plan import Plan
from judgekit.reading.text import read_text
from judgekit.records import Judgment, Output
from judgekit.store import find_run

NO_EFFECT = ("agents", "cluster")
NOT_CALIBRATED = "the judge is not calibrated against people"


@dataclass
class Found:
    """What the stages of one run have brought so far."""

    outputs: list[Output]
    measured: list[list[Measured]]
    wanted: list[list[Ask]]
    judgments: list[list[list[Judgment]]]
    interrupted: bool
    stopped: RunStopped | None = None


def warnings(plan: Plan, units: Sequence[Unit], results: Sequence[ResultRow], found: Found) -> list[str]:
    """What a person has to know to read the numbers of a run rightly, each once."""
    said: list[str] = [
        f"the setting `{name}` has no effect in this version"
        for name in NO_EFFECT
        if getattr(plan.project.settings, name)
    ]
    no_judge = [row for row in results if row.cause == "no_judge"]
    if no_judge:
        names = ", ".join(dict.fromkeys(row.metric for row in no_judge))
        cases = len({row.case_id for row in no_judge})
        said.append(f"no judge was named: {names} not judged on {_cases(cases)} (--judge MODEL)")
    judged = [row for row in results if row.kind == "judge" and row.status in ("pass", "fail", "scored")]
    deciding = ", ".join(dict.fromkeys(row.metric for row in judged if row.required))
    if deciding:
        said.append(f"{NOT_CALIBRATED}, and yet its scores decide here: {deciding}")
    elif judged:
        said.append(f"{NOT_CALIBRATED}: its scores inform, they do not veto")
    required = {(row.case_id, row.variant) for row in results if row.required}
    vacuous = [unit for unit in units if unit.status == "pass" and (unit.case_id, unit.variant) not in required]
    if vacuous:
        said.append(f"{len(vacuous)} of {_cases(len(units))} with nothing required: passed whatever the output is")
    if not found.interrupted and not found.stopped:
        said += plan.faux.unused(_asked_of_faux(plan, found))
    said += not_applied(plan, found)
    said += drift(plan, judges(found))
    return list(dict.fromkeys(said))


def _cases(n: int) -> str:
    return f"{n} {'case' if n == 1 else 'cases'}"


def _asked_of_faux(plan: Plan, found: Found) -> set[tuple[str, str, str]]:
    """The queues that this run was to play: with another model, or none, it is no mistake to have a script."""
    asked = {("target", job.case.case_id, "") for job in plan.jobs if job.output is None}
    for group in found.wanted:
        asked |= {("judge", one.case.case_id, one.rubric.name) for one in group if one.judge == "faux" and not one.skip}
    return asked


def judges(found: Found) -> list[dict[str, Any]]:
    """What each judge was asked for and what was applied, once per judge identity."""
    seen: dict[str, dict[str, Any]] = {}
    for group in found.judgments:
        for many in group:
            for one in many:
                entry = seen.setdefault(
                    one.judge_identity,
                    {
                        "judge": one.judge,
                        "identity": one.judge_identity,
                        "rubric": one.rubric,
                        "params_requested": dict(one.params_requested),
                        "params_applied": dict(one.params_applied),
                        "models_returned": [],
                    },
                )
                if one.model_returned and one.model_returned not in entry["models_returned"]:
                    entry["models_returned"].append(one.model_returned)
    return list(seen.values())


def unpriced_targets(found: Found) -> list[str]:
    """Live models that answered cases and whose price is not known."""
    return sorted(
        {one.model or "" for one in found.outputs if one.live and one.text is not None and one.cost_usd is None}
    )


def note_applied(prompts: list[dict[str, Any]], found: Found) -> None:
    """Write into the manifest's prompts what each variant's model was really asked with."""
    for entry in prompts:
        for output in found.outputs:
            if output.variant == entry["variant"] and output.params_applied:
                entry["params_applied"] = dict(output.params_applied)
                break


def not_applied(plan: Plan, found: Found) -> Iterator[str]:
    """Parameters that a model was asked for and refused."""
    samples = plan.options.judge_samples or plan.project.settings.judge_samples
    judged = [one for group in found.judgments for many in group for one in many if one.params_applied]
    for judge in dict.fromkeys(one.judge for one in judged):
        asked = next(one for one in judged if one.judge == judge)
        for name in _missing(asked.params_requested, asked.params_applied):
            hint = (
                " --judge-samples 3 shows how much its verdicts vary." if name == "temperature" and samples == 1 else ""
            )
            yield f"{judge} does not take {name}: its verdicts are not at {name} {asked.params_requested[name]}.{hint}"
    requested = {entry["variant"]: entry.get("params_requested", {}) for entry in _asked(plan)}
    for output in found.outputs:
        if output.params_applied:
            for name in _missing(requested.get(output.variant, {}), output.params_applied):
                yield f"{output.model} does not take {name}: the outputs of {output.variant} were made without it."


def _missing(requested: Mapping[str, Any], applied: Mapping[str, Any]) -> list[str]:
    return [name for name in requested if name not in applied]


def _asked(plan: Plan) -> list[dict[str, Any]]:
    asked = []
    for job in plan.jobs:
        target = job.target
        if target is not None and hasattr(target, "asks"):
            asked.append({"variant": job.variant, **target.asks})
    return asked


def drift(plan: Plan, now: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Judges that answer under another model id, or with other parameters applied, than before or than elsewhere."""
    before = {one["identity"]: one for one in _latest_judges(plan)}
    for one in now:
        if len(one["models_returned"]) > 1:
            yield f"{one['judge']} answered as {' and as '.join(one['models_returned'])} within this run."
        old = before.get(one["identity"])
        if old is None or not one["models_returned"] or not old.get("models_returned"):
            continue
        if set(old["models_returned"]) != set(one["models_returned"]):
            was, now_is = ", ".join(old["models_returned"]), ", ".join(one["models_returned"])
            yield f"{one['judge']} answered as {was} in the run before and as {now_is} now: scores may have moved."
        lost = sorted(set(old.get("params_applied", {})) ^ set(one["params_applied"]))
        if lost:
            yield f"{one['judge']} was asked with other parameters than in the run before: {', '.join(lost)}."


def _latest_judges(plan: Plan) -> list[dict[str, Any]]:
    if plan.path is None or not plan.doors.live:
        return []
    try:
        manifest = json.loads(read_text(find_run("latest", plan.path.parent) / "manifest.json"))
    except (InputError, ValueError):
        return []
    return [one for one in manifest.get("judges", ()) if isinstance(one, dict) and "identity" in one]
