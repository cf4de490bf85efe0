"""The corridor itself: scenarios -> outputs -> checks and rubrics -> judges -> tables -> gate -> reports."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from judgekit.frame.compare import compare_variants
from judgekit.frame.rows import (
    Measured,
    case_row,
    judged_row,
    judgment_record,
    measured_record,
    measured_row,
    output_record,
    standing,
)
from judgekit.frame.summary import costs, count, count_by_variant, estimates, tokens
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.frame.units import Unit, units_of
from judgekit.gate import decide
from judgekit.pipeline.collecting import collect
from judgekit.pipeline.hashes import case_hash
from judgekit.pipeline.judging import Ask, asks, judge_all, judged_rows
from judgekit.pipeline.measure import measure
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import Plan, describe_metrics, make_plan
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.result import Run, decision_record
from judgekit.pipeline.sources import Job
from judgekit.pool import Interrupts
from judgekit.records import Case, Decision, Judgment, Output
from judgekit.reports.write import write_reports
from judgekit.store import RunFolder, new_run_id, write_json

NOT_CALIBRATED = "the judge is not calibrated against people: its scores inform, they do not veto"


@dataclass
class _Found:
    """What the stages of one run have brought so far."""

    outputs: list[Output]
    measured: list[list[Measured]]
    wanted: list[list[Ask]]
    judgments: list[list[list[Judgment]]]
    interrupted: bool


def run(options: Options) -> Run:
    """One run from scenario files to reports.

    Raises:
        InputError: the user's files or arguments; nothing was run.
    """
    plan = make_plan(options)
    started = _now()
    out = options.out or plan.project.root / plan.project.settings.out
    # Held over everything that is written: Ctrl-C must find the run folder whole, whenever it comes.
    with RunFolder(out, options.run_id or new_run_id()) as folder, Interrupts() as interrupts:
        manifest = _manifest(plan, folder.run_id, started)
        write_json(folder.path / "manifest.json", manifest)
        masker = Masker(plan.project.settings.redact)
        records = _Records(folder, masker)
        found = _stages(plan, records, interrupts)
        data = _tables(plan, folder, found, records, manifest, masker)
        write_reports(data)
        folder.point_latest()
    return Run(data)


class _Records:
    """The JSONL records of a run: written as they arrive, kept for the reports."""

    def __init__(self, folder: RunFolder, masker: Masker) -> None:
        self._folder = folder
        self._masker = masker
        self._prompts: set[str] = set()
        self.outputs: list[dict[str, Any]] = []
        self.checks: list[dict[str, Any]] = []
        self.verdicts: list[dict[str, Any]] = []

    def keep_output(self, job: Job, output: Output) -> None:
        """Write one output; one that was paid for is on the disk when this returns."""
        record = self._masker.value(output_record(job.case, output))
        self._folder.append("outputs", record, sync=output.live)
        self.outputs.append(record)

    def keep_measured(self, case: Case, output: Output, measured: Sequence[Measured]) -> None:
        """Write the results of checks and deterministic rubrics."""
        for one in measured:
            record = self._masker.value(measured_record(case, output, one))
            self._folder.append("checks", record, sync=False)
            self.checks.append(record)

    def keep_judgment(self, one: Judgment) -> None:
        """Write one judgment; one that was paid for is on the disk when this returns."""
        record = self._masker.value(judgment_record(one, with_prompt=one.prompt_hash not in self._prompts))
        self._prompts.add(one.prompt_hash)
        self._folder.append("verdicts", record, sync=one.live)
        self.verdicts.append(record)


def _stages(plan: Plan, records: _Records, interrupts: Interrupts) -> _Found:
    outputs, _ = collect(plan, records.keep_output, interrupts)
    measured = []
    for job, output in zip(plan.jobs, outputs, strict=True):
        results = measure(job.case, output, plan.rubrics[job.case.case_id])
        records.keep_measured(job.case, output, results)
        measured.append(results)
    wanted = [
        asks(plan, job.case, output, results) for job, output, results in zip(plan.jobs, outputs, measured, strict=True)
    ]
    flat = [one for group in wanted for one in group]
    # After Ctrl-C this begins nothing, and every row says so.
    judged, interrupted = judge_all(plan, flat, records.keep_judgment, interrupts)
    answers = iter(judged)
    judgments = [[next(answers) for _ in group] for group in wanted]
    return _Found(outputs, measured, wanted, judgments, interrupted)


def _tables(
    plan: Plan, folder: RunFolder, found: _Found, records: _Records, manifest: dict[str, Any], masker: Masker
) -> RunData:
    results: list[ResultRow] = []
    cases: list[CaseRow] = []
    for number, (job, output) in enumerate(zip(plan.jobs, found.outputs, strict=True)):
        rows = [measured_row(folder.run_id, job.case, output, one) for one in found.measured[number]]
        for ask, judgments in zip(found.wanted[number], found.judgments[number], strict=True):
            rows += [judged_row(folder.run_id, job.case, output, one) for one in judged_rows(plan, ask, judgments)]
        results += [masker.row(row) for row in rows]
        cases.append(masker.row(case_row(folder.run_id, job.case, output, standing(job.case, rows))))
    units = units_of(manifest, cases)
    decision = decide(
        plan.project.settings.gate,
        units,
        results,
        gated=plan.gated,
        fail_under=plan.options.fail_under,
        interrupted=found.interrupted,
        no_gate=plan.options.no_gate,
    )
    manifest["finished_at"] = _now()
    manifest["judges"] = _judges(found)
    summary = _summary(plan, folder.run_id, units, results, cases, found, decision)
    return RunData(folder.path, manifest, summary, records.outputs, records.checks, records.verdicts, results, cases)


def _summary(
    plan: Plan,
    run_id: str,
    units: Sequence[Unit],
    results: Sequence[ResultRow],
    cases: Sequence[CaseRow],
    found: _Found,
    decision: Decision,
) -> dict[str, Any]:
    judgments = [one for group in found.judgments for many in group for one in many]
    samples = plan.options.judge_samples or plan.project.settings.judge_samples
    skipped = samples * sum(row.kind == "judge" and (row.cause or "").startswith("check:") for row in results)
    made = [one for one in judgments if one.prompt_hash]
    return {
        "run_id": run_id,
        "partial": found.interrupted,
        "decision": decision_record(decision),
        "counts": count(units),
        "by_variant": count_by_variant(units),
        "estimates": estimates(results, units),
        "cost": costs(cases, judgments, skipped),
        "tokens": tokens(cases, judgments),
        "judge_calls": {
            "made": sum(not one.cached for one in made),
            "cached": sum(one.cached for one in made),
            "skipped": skipped,
        },
        "comparisons": compare_variants(units, results, plan.references),
        "trust": {},
        "gated": {suite: list(names) for suite, names in plan.gated.items()},
        "warnings": _warnings(plan, units, results, found),
    }


def _warnings(plan: Plan, units: Sequence[Unit], results: Sequence[ResultRow], found: _Found) -> list[str]:
    warnings: list[str] = []
    no_judge = [row for row in results if row.cause == "no_judge"]
    if no_judge:
        names = ", ".join(dict.fromkeys(row.metric for row in no_judge))
        cases = len({row.case_id for row in no_judge})
        warnings.append(f"no judge was named: {names} not judged on {cases} cases (--judge MODEL)")
    if any(row.kind == "judge" and row.status in ("pass", "fail", "scored") for row in results):
        warnings.append(NOT_CALIBRATED)
    required = {(row.case_id, row.variant) for row in results if row.required}
    vacuous = [unit for unit in units if unit.status == "pass" and (unit.case_id, unit.variant) not in required]
    if vacuous:
        warnings.append(f"{len(vacuous)} of {len(units)} cases have nothing required: they pass whatever the output is")
    if not found.interrupted and _uses_faux(plan):
        warnings += plan.faux.unused()
    return list(dict.fromkeys(warnings))


def _uses_faux(plan: Plan) -> bool:
    """True if the script of the cases was to be played at all: with a live model it is no mistake to have one."""
    return plan.faux in plan.models.values() or any(job.output is None for job in plan.jobs)


def _judges(found: _Found) -> list[dict[str, Any]]:
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


def _manifest(plan: Plan, run_id: str, started: str) -> dict[str, Any]:
    variants: dict[str, list[str]] = {}
    suite_of = {case.case_id: suite.name for suite in plan.suites for case in suite.cases}
    for job in plan.jobs:
        names = variants.setdefault(suite_of[job.case.case_id], [])
        if job.variant not in names:
            names.append(job.variant)
    return {
        "run_id": run_id,
        "started_at": started,
        "finished_at": None,
        "command": plan.options.command,
        "versions": {"judgekit": version("llm-judgekit"), "python": platform.python_version()},
        "seed": plan.options.seed,
        "judge_samples": plan.options.judge_samples or plan.project.settings.judge_samples,
        "suites": [
            {
                "name": suite.name,
                "file": suite.file,
                "variants": variants.get(suite.name, []),
                "against": plan.references.get(suite.name),
                "judge": list(plan.judges.get(suite.name, ())),
            }
            for suite in plan.suites
        ],
        "judges": [],
        "metrics": describe_metrics(plan),
        "cases": {
            case.case_id: {
                "hash": case_hash(case),
                "file": case.file,
                "line": case.line,
                **({"name": case.name} if case.name else {}),
                **({"description": case.description} if case.description else {}),
                **({} if case.should_pass else {"should_pass": False, "defect": case.defect}),
                **({"trials": _trials(plan, case)} if plan.trials[case.case_id].n > 1 else {}),
            }
            for case in plan.cases
        },
        "gate": plan.project.settings.gate.model_dump(mode="json", exclude_defaults=True),
        "fail_under": None if plan.options.fail_under is None else float(plan.options.fail_under),
    }


def _trials(plan: Plan, case: Case) -> dict[str, Any]:
    trials = plan.trials[case.case_id]
    return {"n": trials.n, "require": trials.require}


def _now() -> str:
    # Milliseconds, because `latest~1` goes by it and two small runs fit into one second.
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
