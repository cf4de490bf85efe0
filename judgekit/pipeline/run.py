"""The corridor itself: scenarios -> outputs -> checks and rubrics -> judges -> tables -> gate -> reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from judgekit.frame.alone import alone
from judgekit.frame.baselines.known import Baseline
from judgekit.frame.canaries import is_canary
from judgekit.frame.comparing.clusters import clusters_of
from judgekit.frame.comparing.sides import chosen_by_outcome
from judgekit.frame.pairwise import with_pairs
from judgekit.frame.panels import panels
from judgekit.frame.rows import (
    Measured,
    case_row,
    in_order,
    judged_row,
    judgment_record,
    measured_record,
    measured_row,
    output_hash,
    output_record,
    standing,
)
from judgekit.frame.summary import costs, count, count_by_variant, estimates, tokens
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.frame.units import Unit, units_of
from judgekit.frame.weighting import weighting, weighting_warnings
from judgekit.gate import decide
from judgekit.pipeline.baseline import against, find_baseline, raise_other_suite
from judgekit.pipeline.canaries import canary_results, controls, plant
from judgekit.pipeline.collecting import collect
from judgekit.pipeline.confirming import confirm, flagged
from judgekit.pipeline.describe import describe, names_of, texts_of
from judgekit.pipeline.doors import LEDGER_FILE
from judgekit.pipeline.economy import economy
from judgekit.pipeline.judging import asks, judge_all, judged_rows, saved_calls
from judgekit.pipeline.measure import measure
from judgekit.pipeline.notices import Found, all_judgments, judges, note_applied, unpriced_targets, warnings
from judgekit.pipeline.only import base_of, narrowed
from judgekit.pipeline.options import Options
from judgekit.pipeline.pairing import others_of, pair_asks
from judgekit.pipeline.panels import with_panels
from judgekit.pipeline.plan import Plan, make_plan, out_folder
from judgekit.pipeline.redact import Masker, mask_calls
from judgekit.pipeline.result import Run, decision_record
from judgekit.pipeline.resume import finished, place, raise_changed
from judgekit.pipeline.since import since
from judgekit.pipeline.sources import Job
from judgekit.pool import Interrupts
from judgekit.records import Case, Decision, Judgment, Output
from judgekit.reports.write import write_reports
from judgekit.store import RunFolder
from judgekit.telemetry.destination import destination
from judgekit.telemetry.emit import emit_run
from judgekit.texts.scrubbing import secret_values
from judgekit.trust.panels import beside_members
from judgekit.trust.records import TrustRecord, project_records, write_run_records
from judgekit.trust.run import RunTrust
from judgekit.writing import write_json


def run(options: Options) -> Run:
    """One run from scenario files to reports.

    Raises:
        InputError: the user's files or arguments; nothing was run.
        RunStopped: the key of a live model is not set; nothing was run. A run that is stopped later is returned.
    """
    plan = narrowed(make_plan(options, record=True))
    known = project_records(plan.project.root)
    baseline = _baseline(plan)
    path = plan.path
    assert path is not None
    receiver = destination(plan.project.settings.telemetry, asked=options.otel)
    masker = Masker(plan.project.settings.redact, secret_values())
    masker.raise_in_names(names_of(plan))
    manifest = describe(plan, path.name, _as_text(options.clock()), masker)
    kept = None
    if options.resume is not None:
        raise_changed(path, manifest)
        before = finished(plan.jobs, path)
        plan, kept = replace(plan, jobs=before.jobs), before.rows
    plan.doors.raise_missing_keys([*plan.live_targets, *plan.live_judges])
    # Held over everything that is written: Ctrl-C must find the run folder whole, whenever it comes.
    with (
        RunFolder(path.parent, path.name, kept=kept) as folder,
        plan.doors,
        Interrupts() as interrupts,
    ):
        write_json(folder.path / "manifest.json", manifest)
        records = Records(folder, masker, kept or ())
        found = _stages(plan, records, interrupts, baseline)
        data = tables(plan, folder, found, records, manifest, masker, known=known, baseline=baseline)
        write_reports(data)
        if options.only is None:
            folder.point_latest()
    if not data.summary["partial"]:
        mask_calls(path / LEDGER_FILE, masker)
    if receiver is not None:
        emit_run(receiver, data)
    return Run(data)


def _baseline(plan: Plan) -> Baseline | None:
    """What the run is held to, read before anything is run."""
    found = find_baseline(plan.project, plan.options, out_folder(plan.project, plan.options))
    if found is not None:
        raise_other_suite(
            found, {(job.case.case_id, job.variant) for job in plan.jobs}, (one.name for one in plan.suites)
        )
    return found


class Records:
    """The JSONL records of a run: written as they arrive, kept for the reports."""

    def __init__(self, folder: RunFolder, masker: Masker, kept: Sequence[dict[str, Any]]) -> None:
        self._folder = folder
        self._masker = masker
        self._prompts: set[str] = set()
        self._kept = {place(row) for row in kept}
        self.outputs: list[dict[str, Any]] = list(kept)
        self.checks: list[dict[str, Any]] = []
        self.verdicts: list[dict[str, Any]] = []

    def keep_output(self, job: Job, output: Output) -> None:
        """Write one output; one that was paid for is on the disk when this returns."""
        if (job.case.case_id, job.variant, job.trial) in self._kept:
            return
        record = self._masker.flagged(output_record(job.case, output))
        paid = output.live and "cached" not in output.flags
        self._folder.append("outputs", record, safe_from="power_loss" if paid else None)
        self.outputs.append(record)

    def keep_measured(self, case: Case, output: Output, measured: Sequence[Measured]) -> None:
        """Write the results of checks and deterministic rubrics."""
        masker = self._masker.beside(*texts_of(case, output))
        for one in measured:
            record = masker.flagged(measured_record(case, output, one))
            self._folder.append("checks", record, safe_from=None)
            self.checks.append(record)

    def keep_judgment(self, one: Judgment) -> None:
        """Write one judgment; one that was paid for outlives the process when this returns."""
        record = self._masker.flagged(judgment_record(one, with_prompt=one.prompt_hash not in self._prompts))
        self._prompts.add(one.prompt_hash)
        # The reply that was paid for is on the disk already, in the ledger: a second sync would only cost time.
        self._folder.append("verdicts", record, safe_from="crash" if one.live and not one.cached else None)
        self.verdicts.append(record)


def _stages(plan: Plan, records: Records, interrupts: Interrupts, baseline: Baseline | None) -> Found:
    collected = collect(plan, records.keep_output, interrupts)
    outputs = collected.outputs
    measured = []
    for job, output in zip(plan.jobs, outputs, strict=True):
        results = measure(job.case, output, plan.rubrics[job.case.case_id])
        records.keep_measured(job.case, output, results)
        measured.append(results)
    known = [(job.case, output, results) for job, output, results in zip(plan.jobs, outputs, measured, strict=True)]
    others = others_of(known)
    wanted = [[*asks(plan, *one), *pair_asks(plan, *one, others)] for one in known]
    flat = [one for group in wanted for one in group]
    if collected.stopped:
        nothing: list[list[list[Judgment]]] = [[[] for _ in group] for group in wanted]
        return Found(outputs, measured, wanted, nothing, collected.interrupted, collected.stopped)
    # After Ctrl-C this begins nothing, and every row says so.
    judged = judge_all(plan, flat, records.keep_judgment, interrupts)
    answers = iter(judged.judgments)
    judgments = [[next(answers) for _ in group] for group in wanted]
    found = Found(outputs, measured, wanted, judgments, judged.interrupted, judged.stopped)
    if baseline is not None and not found.interrupted and not found.stopped:
        again = confirm(plan, baseline, flat, judged.judgments, records.keep_judgment, interrupts)
        found.again, found.confirmed = again.judgments, again.said
        found.interrupted, found.stopped = again.interrupted, again.stopped
    if not found.interrupted and not found.stopped:
        found.planted = plant(plan, flat, dict(enumerate(judged.judgments)))
        tried = judge_all(plan, [one.ask for one in found.planted], records.keep_judgment, interrupts)
        found.canary_judgments = tried.judgments
        if not tried.interrupted and not tried.stopped:
            plain = controls(plan, found.planted, tried.judgments)
            tried = judge_all(plan, [one.ask for one in plain], records.keep_judgment, interrupts)
            found.planted = [*found.planted, *plain]
            found.canary_judgments = [*found.canary_judgments, *tried.judgments]
        found.interrupted, found.stopped = tried.interrupted, tried.stopped
    return found


def tables(
    plan: Plan,
    folder: RunFolder,
    found: Found,
    records: Records,
    manifest: dict[str, Any],
    masker: Masker,
    *,
    known: Sequence[TrustRecord] = (),
    baseline: Baseline | None = None,
    decision: Decision | None = None,
) -> RunData:
    """Everything that the reports of a run show; without a decision given, the gate of the settings decides."""
    results: list[ResultRow] = []
    cases: list[CaseRow] = []
    for number, (job, output) in enumerate(zip(plan.jobs, found.outputs, strict=True)):
        rows = [measured_row(folder.run_id, job.case, output, one) for one in found.measured[number]]
        judged = [
            (ask.rubric, judged_rows(plan, ask, judgments, found.stopped))
            for ask, judgments in zip(found.wanted[number], found.judgments[number], strict=True)
        ]
        said = [judged_row(folder.run_id, job.case, output, one) for one in with_panels(judged)]
        rows += [flagged(row, found.confirmed) for row in said]
        careful = masker.beside(*texts_of(job.case, output))
        results += [careful.row(row) for row in rows]
        row = case_row(folder.run_id, job.case, output, standing(job.case, rows, output))
        if masker.masks and output.text is not None:
            # Of the recorded text: from that of the unmasked one a short secret could be guessed.
            row = row._replace(output_hash=output_hash(masker.text(output.text)))
        cases.append(careful.row(row))
    units = units_of(manifest, cases)
    gate = plan.project.settings.gate
    held = None
    if baseline is not None:
        limits, margin = gate.max_errors, plan.options.margin
        held = against(baseline, manifest, units, results, cases, gated=plan.gated, max_errors=limits, margin=margin)
    canaries = canary_results(plan, found.planted, found.canary_judgments)
    trust = RunTrust(known, results, cases, units)
    decision = decision or decide(
        gate,
        units,
        results,
        gated=plan.gated,
        fail_under=plan.options.fail_under,
        interrupted=found.interrupted,
        stopped=str(found.stopped) if found.stopped else None,
        no_gate=plan.options.no_gate,
        baseline=held.rules if held else None,
        canaries=canaries,
        corrected=trust,
    )
    if trust.records:
        write_run_records(folder.path, trust.records)
    manifest["finished_at"] = _as_text(plan.options.clock())
    manifest["judges"] = judges(found)
    note_applied(manifest["prompts"], plan, found)
    column = plan.project.settings.cluster
    clusters = clusters_of(column, cases, records.outputs) if column else {}
    verdicts = [one for one in records.verdicts if not is_canary(one)]
    summary = _summary(plan, folder.run_id, units, results, cases, found, decision, clusters, verdicts, trust)
    chosen = chosen_by_outcome(manifest)
    if chosen is None:
        summary["comparisons"] = with_pairs(units, results, plan.references, verdicts, clusters=clusters)
        summary["alone"] = None if summary["comparisons"] else alone(units, summary["estimates"])
    elif plan.references:
        why = "its cases were chosen by how they came out, so a difference on them would come from the choice"
        summary["warnings"].append(f"variants are not compared in a rerun by {chosen}: {why}")
    summary["since"] = since(folder.path, manifest, cases, units, base=base_of(plan.options.only))
    summary["baseline"] = held.record if held else None
    summary["canaries"] = canaries
    outputs, verdicts = in_order(records.outputs, cases), in_order(records.verdicts, cases)
    return RunData(folder.path, manifest, summary, outputs, records.checks, verdicts, results, cases)


def _summary(
    plan: Plan,
    run_id: str,
    units: Sequence[Unit],
    results: Sequence[ResultRow],
    cases: Sequence[CaseRow],
    found: Found,
    decision: Decision,
    clusters: Mapping[str, str],
    verdicts: Sequence[dict[str, Any]],
    trust: RunTrust,
) -> dict[str, Any]:
    judgments = list(all_judgments(found))
    skipped = saved_calls(plan, (one for many in found.wanted for one in many))
    made = [one for one in judgments if one.prompt_hash]
    weighted = weighting(verdicts)
    return {
        "run_id": run_id,
        "partial": found.interrupted or found.stopped is not None,
        "decision": decision_record(decision),
        "counts": count(units),
        "by_variant": count_by_variant(units),
        "estimates": trust.beside(estimates(results, units, clusters=clusters)),
        "cost": costs(cases, judgments, skipped, unpriced_targets(plan, found)),
        "tokens": tokens(cases, judgments),
        "judge_calls": {
            "made": sum(one.n_calls - one.n_cached for one in made),
            "cached": sum(one.n_cached for one in made),
            "skipped": skipped,
        },
        "comparisons": [],
        "alone": None,
        "panels": panels(results),
        "weighted": weighted,
        "economy": economy(
            (ask, said)
            for asks, many in zip(found.wanted, found.judgments, strict=True)
            for ask, said in zip(asks, many, strict=True)
        ),
        "trust": beside_members(trust.entries, trust.records),
        "gated": {suite: list(names) for suite, names in plan.gated.items()},
        "warnings": [*warnings(plan, units, results, found, trust), *weighting_warnings(weighted)],
    }


def _as_text(moment: datetime) -> str:
    # Milliseconds, because `latest~1` goes by it and two small runs fit into one second.
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
