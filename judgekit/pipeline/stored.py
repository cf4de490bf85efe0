"""A run folder in, the run that it holds out; nothing is recomputed."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from judgekit.config import load_project
from judgekit.errors import InputError
from judgekit.frame.rows import in_order
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.gate import decide, exact
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import raise_gate_strangers
from judgekit.pipeline.result import Run, decision_record
from judgekit.pipeline.variants import gated_variants
from judgekit.reading.text import read_text, shown
from judgekit.reports.csv_tables import recover
from judgekit.store import find_run, read_stream
from judgekit.trust.records import read_run_records
from judgekit.trust.run import RunTrust

R = TypeVar("R", ResultRow, CaseRow)


def load_run(run: str | Path = "latest", *, out: str | Path | None = None) -> Run:
    """A run by path, id, `latest` or `latest~1`.

    Args:
        run: Which run.
        out: Folder of the run folders; default as the settings say.

    Raises:
        InputError: there is no such run, or its folder is damaged.
    """
    project = load_project()
    folder = find_run(run, Path(out) if out is not None else project.root / project.settings.out)
    return Run(read_run(folder))


def read_run(folder: Path) -> RunData:
    """Everything in a run folder.

    Raises:
        InputError: a file is missing or damaged.
    """
    summary = read_summary(folder)
    results = read_results(folder)
    bare = read_cases(folder)
    # A run that was stopped has rows of outputs that never came; what was judged came from a call.
    outputs = read_stream(folder, "outputs", needed=any(row.output_hash for row in bare))
    checks = read_stream(folder, "checks", needed=any(row.kind != "judge" for row in results))
    judged = any(row.kind == "judge" and row.score is not None for row in results)
    verdicts = read_stream(folder, "verdicts", needed=judged)
    cases = list(_with_texts(bare, outputs))
    return RunData(
        path=folder,
        manifest=read_manifest(folder),
        summary=summary,
        outputs=in_order(outputs, cases),
        checks=checks,
        verdicts=in_order(verdicts, cases),
        results=results,
        cases=cases,
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run alone.

    Raises:
        InputError: it is missing or damaged.
    """
    return _read_json(folder / "manifest.json", ("cases", "suites"))


def read_summary(folder: Path) -> dict[str, Any]:
    """The summary of a run alone.

    Raises:
        InputError: the run was not finished, or the file is damaged.
    """
    if not (folder / "summary.json").is_file():
        raise InputError(f"{shown(folder)}: the run was not finished: it has no summary.json.")
    return _read_json(
        folder / "summary.json", ("run_id", "decision", "counts", "estimates", "gated", "warnings", "partial")
    )


def read_results(folder: Path) -> list[ResultRow]:
    """The rows of results.csv alone.

    Raises:
        InputError: the file is missing or damaged.
    """
    return list(_read_csv(folder / "results.csv", ResultRow))


def read_cases(folder: Path) -> list[CaseRow]:
    """The rows of cases.csv alone; its cells can't tell no output from an empty one.

    Raises:
        InputError: the file is missing or damaged.
    """
    return list(_read_csv(folder / "cases.csv", CaseRow))


def _with_texts(rows: Iterable[CaseRow], outputs: Iterable[Mapping[str, Any]]) -> Iterator[CaseRow]:
    """The rows with input and output as recorded: a cell can't tell no output from an empty one, nor hold NUL."""
    recorded = {(one.get("case_id"), one.get("variant"), one.get("trial")): one for one in outputs}
    for row in rows:
        one = recorded.get((row.case_id, row.variant, row.trial))
        yield row if one is None else row._replace(input=one.get("input", ""), output=one.get("output"))


def decide_again(data: RunData) -> None:
    """Decide a stored run by the gate of the settings as they are now; its summary and manifest then say so.

    Raises:
        InputError: a rule that names a metric or variant the run hasn't; or a run of the release gate, which goes by
            the registry and not by those rules.
    """
    if data.summary["decision"].get("agents"):
        raise InputError(f"{shown(data.path)}: is a run of the release gate: `judgekit gate` decides again.")
    # Here, because a baseline may itself be a stored run.
    from judgekit.pipeline.baseline import against, find_baseline

    project = load_project()
    gate = project.settings.gate
    judged = {row.metric for row in data.results if row.kind == "judge"}
    raise_gate_strangers(project, {row.metric for row in data.results}, judged)
    variants = {suite["name"]: suite["variants"] for suite in data.manifest["suites"]}
    references = {suite["name"]: suite["against"] for suite in data.manifest["suites"] if suite["against"]}
    gated = gated_variants(variants, references, gate)
    rate = data.manifest.get("fail_under")
    asked = Options(baseline=data.manifest.get("baseline"))
    baseline = find_baseline(project, asked, data.path.parent)
    held = None
    if baseline is not None:
        rows, margin = (data.manifest, data.units, data.results, data.cases), data.manifest.get("margin")
        held = against(baseline, *rows, gated=gated, max_errors=gate.max_errors, margin=margin)
    decision = decide(
        gate,
        data.units,
        data.results,
        gated=gated,
        fail_under=None if rate is None else exact(rate),
        interrupted=data.summary["partial"],
        baseline=held.rules if held else None,
        canaries=data.summary.get("canaries"),
        corrected=RunTrust(read_run_records(data.path), data.results, data.cases, data.units),
    )
    data.summary["baseline"] = held.record if held else None
    data.summary["decision"] = decision_record(decision)
    data.summary["gated"] = {suite: list(names) for suite, names in gated.items()}
    data.manifest["gate"] = gate.model_dump(mode="json", exclude_defaults=True)


def _read_json(path: Path, wanted: Sequence[str]) -> dict[str, Any]:
    try:
        value = json.loads(read_text(path))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{shown(path)}: is damaged: {problem}.") from None
    if not isinstance(value, dict):
        raise InputError(f"{shown(path)}: is damaged: an object is wanted.")
    missing = [key for key in wanted if key not in value]
    if missing:
        raise InputError(f"{shown(path)}: is damaged: {', '.join(missing)} is missing.")
    return value


def _read_csv(path: Path, kind: type[R]) -> Iterator[R]:
    cells_of = {name: _cell_of(hint) for name, hint in get_type_hints(kind).items()}
    csv.field_size_limit(2**31 - 1)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            header = next(reader, None)
            if header is None:
                raise ValueError("it holds no table")
            lacking = [name for name in cells_of if name not in header]
            if lacking:
                raise ValueError(f"there is no column '{lacking[0]}'")
            # By position: a mapping for each row took half the time of `report`.
            cells = [(header.index(name), cell) for name, cell in cells_of.items()]
            for row in reader:
                if row:
                    if len(row) != len(header):
                        raise ValueError(f"line {reader.line_num} has {len(row)} cells, the header has {len(header)}")
                    yield kind(*[cell(row[at]) for at, cell in cells])
    except FileNotFoundError:
        raise InputError(f"{shown(path)}: no such file; the run folder is not whole.") from None
    except (ValueError, TypeError, csv.Error) as problem:
        raise InputError(f"{shown(path)}: is damaged: {problem}.") from None


def _cell_of(hint: Any) -> Callable[[str], Any]:
    """How the cells of a column are read, by the type of its field."""
    may_lack = type(None) in get_args(hint)
    kinds = [one for one in get_args(hint) if one is not type(None)] or [hint]
    read: Callable[[str], Any] = recover
    if bool in kinds:
        read = "true".__eq__
    elif int in kinds:
        read = int
    elif float in kinds:
        read = float
    return (lambda text: None if text == "" else read(text)) if may_lack else read
