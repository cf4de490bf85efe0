"""A file of labels by people in; the run that they are of, measured, corrected and reported again, out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from judgekit.config import load_project
from judgekit.errors import InputError
from judgekit.frame.tables import RunData
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.stored import read_run
from judgekit.reports.write import write_reports
from judgekit.store import find_run
from judgekit.trust.disagreements import check_failures, disagreements
from judgekit.trust.labels import LabelFile, read_labels
from judgekit.trust.matching import Judged, Matched, match
from judgekit.trust.panels import beside_members, panel_notes, without_old
from judgekit.trust.records import (
    FILE,
    TrustRecord,
    keep_record,
    make_record,
    read_run_records,
    replaced,
    sound_records,
    write_run_records,
)
from judgekit.trust.run import NOT_CALIBRATED, RunTrust


@dataclass(frozen=True)
class Calibration:
    """What one file of labels says of the judges of one run."""

    run: RunData
    """With its summary as it is now."""
    records: tuple[TrustRecord, ...]
    details: dict[str, dict[str, Any]]
    """By record key: `disagreements`, `check_failures` and counts."""
    notes: tuple[str, ...]
    """Rows that were not used, or that a reader must know of, each kind in one sentence."""
    written: tuple[Path, ...]


def calibrate(
    labels: Path,
    *,
    run: str | None = None,
    out: Path | None = None,
    per_variant: bool = False,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Calibration:
    """Measure the judges of a run against labels by people, and write what follows into its summary and reports.

    Nobody is asked and nothing is decided anew: the decision changes only through `judgekit report RUN --gate`.

    Args:
        labels: CSV, JSONL or Parquet file with the columns of judgekit.trust.labels.
        run: Which run; None: the one that the column `run_id` names.
        out: Folder of the run folders; None: as the settings say.
        per_variant: Whether each variant is corrected by labels of its own outputs alone.
        clock: Now.

    Raises:
        InputError: no such file or run, or no label that can be used; the message names every row.
    """
    project = load_project()
    file = read_labels(labels)
    folder = find_run(run or _run_of(file), out or project.root / project.settings.out)
    data = read_run(folder)
    matched = match(file, data)
    known, damaged = sound_records(project.root)
    records = {one.key: one for one in known}
    notes = [*(note.sentence(file.file) for note in matched.notes), *damaged]
    now = clock().astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    masker = Masker(project.settings.redact)
    made: list[TrustRecord] = []
    details: dict[str, dict[str, Any]] = {}
    for one in matched.judged:
        before = records.get(f"{one.judge_identity}/{one.metric}")
        record = make_record(
            one, run_id=data.summary["run_id"], calibrated_at=now, per_variant=per_variant, before=before
        )
        if record is not None:
            made.append(record)
            details[record.key] = _details(one, masker)
            if before is not None and (n := replaced(record, before)):
                notes.append(_replaced(n, record, before))
    if not made:
        raise InputError("\n".join((*notes, f"{file.file}: {_nothing(matched)}.")))
    records |= {one.key: one for one in read_run_records(folder)} | {one.key: one for one in made}
    trust = RunTrust(records.values(), data.results, data.cases, data.units)
    notes += tuple(_of_panels(trust))
    _refresh(data, trust)
    write_run_records(folder, trust.records, beside={"details": details, "notes": notes})
    kept = [keep_record(project.root, one) for one in made]
    write_reports(data)
    return Calibration(data, tuple(made), details, tuple(notes), (folder / FILE, *kept))


def _run_of(file: LabelFile) -> str:
    runs = list(dict.fromkeys(one.run_id for one in file.labels if one.run_id))
    if not runs:
        raise InputError(f"{file.file}: no run_id says which run the labels are of: give --run, such as --run latest.")
    if len(runs) > 1:
        names = ", ".join(runs[:5])
        raise InputError(f"{file.file}: the labels are of {len(runs)} runs ({names}): choose one with --run.")
    return runs[0]


def _details(found: Judged, masker: Masker) -> dict[str, Any]:
    n_apart, apart = disagreements(found, masker.text)
    return {
        "n_labels": sum(len(one.annotators) for one in found.pairs),
        "n_without_verdict": found.n_without_verdict,
        "n_skipped": len(found.skipped),
        "check_failures": check_failures(found.skipped),
        "n_disagreements": n_apart,
        "disagreements": apart,
    }


def _replaced(n: int, record: TrustRecord, before: TrustRecord) -> str:
    of = f"run {before.run_id}" if before.run_id != record.run_id else "an earlier file"
    labels = "1 label" if n == 1 else f"{n} labels"
    said = f"{record.title} by {record.judge}: {labels} of {of} replaced"
    return f"{said}: a record holds one file's labels of a suite; to use more, put the rows of one run into one file"


def _nothing(matched: Matched) -> str:
    skipped = sum(len(one.skipped) + one.n_without_verdict for one in matched.judged)
    if skipped:
        which = "the labelled output" if skipped == 1 else f"any of the {skipped} labelled outputs"
        said = f"the judge gave no verdict on {which}: there is nothing to compare, and nothing was written"
        # The same for each judge of a panel: a check failed before any of them was asked.
        failures = next((found for one in matched.judged if (found := check_failures(one.skipped))), None)
        if failures is not None and failures["n_passed"]:
            said += f" ({failures['n_passed']} of {failures['n']} check failures would pass by people: too strict)"
        return said
    return "no row can be used"


def _refresh(data: RunData, trust: RunTrust) -> None:
    """Bring trust, corrected figures and warnings of the summary up to date; the decision stays."""
    summary = data.summary
    summary["trust"] = beside_members(trust.entries, trust.records)
    summary["estimates"] = trust.beside(summary["estimates"])
    others = [one for one in without_old(summary["warnings"]) if not one.startswith(NOT_CALIBRATED)]
    summary["warnings"] = list(dict.fromkeys([*trust.warnings(data.results), *_of_panels(trust), *others]))


def _of_panels(trust: RunTrust) -> list[str]:
    return [f"{metric}: {said}" for metric, said in panel_notes(trust.records).items()]
