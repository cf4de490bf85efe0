"""A run folder in, the run that it holds out; nothing is recomputed."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from judgekit.config import load_project
from judgekit.errors import InputError
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.gate import decide, exact
from judgekit.pipeline.result import Run
from judgekit.reading.text import read_text, shown
from judgekit.records import Decision
from judgekit.reports.csv_tables import recover
from judgekit.store import find_run, read_rows

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
    return RunData(
        path=folder,
        manifest=_read_json(folder / "manifest.json"),
        summary=_read_json(folder / "summary.json"),
        outputs=read_rows(folder / "outputs.jsonl"),
        checks=read_rows(folder / "checks.jsonl"),
        verdicts=read_rows(folder / "verdicts.jsonl"),
        results=list(_read_csv(folder / "results.csv", ResultRow)),
        cases=[_with_empty_output(row) for row in _read_csv(folder / "cases.csv", CaseRow)],
    )


def _with_empty_output(row: CaseRow) -> CaseRow:
    # A blank cell is no output or an empty one; only an output has a hash.
    return row._replace(output="") if row.output is None and row.output_hash else row


def decide_again(data: RunData, *, no_gate: bool = False) -> Decision:
    """The decision of a stored run by the rules of the settings as they are now."""
    rate = data.manifest.get("fail_under")
    return decide(
        load_project().settings.gate,
        data.units,
        data.results,
        gated=data.summary["gated"],
        fail_under=None if rate is None else exact(rate),
        interrupted=data.summary["partial"],
        no_gate=no_gate,
    )


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_text(path))
    except ValueError as problem:
        raise InputError(f"{shown(path)}: is damaged: {problem}.") from None
    if not isinstance(value, dict):
        raise InputError(f"{shown(path)}: is damaged: an object is wanted.")
    return value


def _read_csv(path: Path, kind: type[R]) -> Iterator[R]:
    hints = get_type_hints(kind)
    with path.open(encoding="utf-8", newline="") as file:
        csv.field_size_limit(2**31 - 1)
        for cells in csv.DictReader(file):
            try:
                yield kind(**{name: _cell(cells[name], hint) for name, hint in hints.items()})
            except (KeyError, ValueError, TypeError) as problem:
                raise InputError(f"{shown(path)}: is damaged: {problem}.") from None


def _cell(text: str, hint: Any) -> Any:
    kinds = [one for one in get_args(hint) if one is not type(None)] or [hint]
    if text == "" and type(None) in get_args(hint):
        return None
    if bool in kinds:
        return text == "true"
    if int in kinds:
        return int(text)
    if float in kinds:
        return float(text)
    return recover(text)
