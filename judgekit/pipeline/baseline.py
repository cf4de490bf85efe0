"""A run in, its baseline file out, and back: what `judgekit baseline` writes and `--baseline` reads.

The file is JSONL: one line for the form, then one for each case × variant, sorted, without run id, time or scores'
reasons. So it is small, a diff shows which cases changed, and two branches that changed different cases merge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator

from judgekit.config import Project
from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.frame.baselines.cases import Against, held_to
from judgekit.frame.baselines.known import (
    CONFIRMED,
    FLAKY,
    UNCONFIRMED,
    Baseline,
    Checked,
    Known,
    Scored,
    baseline_of,
    standings,
)
from judgekit.frame.comparing.sides import chosen_by_outcome
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.frame.units import Unit, within
from judgekit.pipeline.options import Options
from judgekit.pipeline.stored import read_run
from judgekit.reading.forms import Form, fill
from judgekit.reading.tables import parse_jsonl
from judgekit.reading.text import read_text, shown
from judgekit.store import find_run
from judgekit.writing import json_line, write_text

VERSION = 1
NONE = "none"
_CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


class _Line(Form):
    """One case × variant of a baseline file."""

    case_id: str = Field(min_length=1)
    variant: str = Field(min_length=1)
    suite: str
    asks: tuple[str | None, ...]
    status: Literal["pass", "fail", "negative_ok"]
    outputs: str = ""
    checks: dict[str, tuple[Literal["pass", "fail", "error"], str]] = Field(default_factory=dict)
    judged: dict[str, dict[str, tuple[float | None, float | None, str, str]]] = Field(default_factory=dict)

    @field_validator("judged")
    @classmethod
    def _has_values(cls, judged: Any) -> Any:
        for one in (values for judges in judged.values() for values in judges.values()):
            if one[0] is None and one[1] is None:
                raise ValueError("holds neither a score nor a share that passed")
            if one[1] is not None and not 0 <= one[1] <= 1:
                raise ValueError(f"a share that passed lies between 0 and 1, not at {one[1]:g}")
        return judged


def baseline_from_run(name: str, data: RunData) -> Baseline:
    """The baseline that a whole run makes.

    Raises:
        InputError: the run is partial, a rerun of a selection, or has more cases without a result than its gate
            tolerates.
    """
    said = None
    if data.summary.get("partial"):
        said = "it was stopped before its end: go on with `judgekit score --resume`"
    elif (data.manifest.get("selection") or {}).get("only"):
        said = "it is a rerun of a selection (--only): score all of its cases"
    elif any(rule["rule"] == "max_errors" for rule in data.summary["decision"]["rules"]):
        n = data.summary["counts"]["error"]
        said = "1 case has no result: run it again" if n == 1 else f"{n} cases have no result: run them again"
    if said is not None:
        raise InputError(f"{shown(data.path)}: the run is incomplete and can't be a baseline: {said}.")
    found = baseline_of(name, data.manifest, data.units, data.results, data.cases, data.summary["gated"])
    if not found.cases:
        raise InputError(f"{shown(data.path)}: no gated case of the run has a result: it can't be a baseline.")
    if any(not one.asks for one in found.cases.values()):
        raise InputError(f"{shown(data.path)}: was written by an older version: score once more.")
    return found


def write_baseline(data: RunData, file: Path) -> Baseline:
    """Write the baseline file of a run and return what it holds.

    Raises:
        InputError: as of `baseline_from_run`, or the file can't be written.
    """
    if file.is_dir():
        raise InputError(f"{shown(file)}: is a folder, a file such as baseline.jsonl is wanted.")
    found = baseline_from_run(shown(file), data)
    lines = [json_line({"judgekit_baseline": VERSION})]
    lines += [json_line(_row(one)) for _, one in sorted(found.cases.items())]
    try:
        write_text(file, b"".join(lines).decode())
    except OSError as problem:
        raise InputError(f"{shown(file)}: cannot be written: {problem.strerror}.") from problem
    return found


def _row(one: Known) -> dict[str, Any]:
    row: dict[str, Any] = {
        "case_id": one.case_id,
        "variant": one.variant,
        "suite": one.suite,
        "status": one.status,
        "asks": list(one.asks),
        "outputs": one.outputs,
        "checks": {metric: [held.status, held.definition] for metric, held in sorted(one.checks.items())},
    }
    judged: dict[str, dict[str, Any]] = {}
    for (metric, judge), held in sorted(one.judged.items()):
        if held.score is not None or held.passed is not None:
            judged.setdefault(metric, {})[judge] = [held.score, held.passed, held.definition, held.identity]
    return {**row, "judged": judged} if judged else row


def read_baseline(file: Path) -> Baseline:
    """The baseline in a file.

    Raises:
        InputError: missing or damaged, every mistake with its line.
    """
    name = shown(file)
    text = read_text(file, what="baseline file")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.startswith(_CONFLICT):
            said = "holds a merge conflict: keep the lines of one side, or write it anew with `judgekit baseline`."
            raise InputError(str(Complaint(name, number, said)))
    if '"judgekit_baseline"' not in text.split("\n", 1)[0]:
        raise InputError(f"{name}:1: is no baseline file: `judgekit baseline RUN FILE` writes one.")
    rows = parse_jsonl(text, file=name)
    first = rows[0][1]
    if first.get("judgekit_baseline") != VERSION:
        said = f"is a baseline of form {first.get('judgekit_baseline')!r:.20}, this version reads {VERSION}"
        raise InputError(f"{name}:1: {said}: write it anew with `judgekit baseline`.")
    complaints: list[Complaint] = []
    cases: dict[tuple[str, str], Known] = {}
    lines: dict[tuple[str, str], int] = {}
    for number, row in rows[1:]:
        form, wrong = fill(_Line, row, file=name, line=number)
        complaints += wrong
        if form is None:
            continue
        place = (form.case_id, form.variant)
        if place in cases:
            said = f'the case "{form.case_id}" ({form.variant}) stands on line {lines[place]} already; keep one.'
            complaints.append(Complaint(name, number, said))
        cases[place], lines[place] = _known(form), number
    raise_complaints(complaints)
    if not cases:
        raise InputError(f"{name}: the baseline holds no case.")
    return Baseline(name, cases)


def _known(form: _Line) -> Known:
    return Known(
        form.case_id,
        form.variant,
        form.suite,
        form.asks,
        form.status,
        form.outputs,
        {metric: Checked(*held) for metric, held in form.checks.items()},
        {(metric, judge): Scored(*held) for metric, judges in form.judged.items() for judge, held in judges.items()},
    )


def find_baseline(project: Project, options: Options, out: Path) -> Baseline | None:
    """The baseline of `--baseline`, else of the settings; None where neither names one.

    A name is a file, or else a run; `none` goes without, whatever the settings say.

    Raises:
        InputError: there is no such file or run, or it is none to be held to; `--margin` or `--confirm` without it.
    """
    given, setting = options.baseline, project.settings.baseline
    if given == NONE:
        setting = given = None
    if given is None and setting is None:
        for name, value in (("--margin", options.margin), ("--confirm", options.confirm)):
            if value is not None:
                raise InputError(
                    f"{name} speaks of a baseline: give --baseline FILE|RUN, or `baseline` in the settings."
                )
        return None
    text = setting if given is None else given
    assert text is not None
    try:
        return _found(text, Path(text) if given is not None else project.root / text, out)
    except InputError as problem:
        where = "" if given is not None else f"{project.file}:{project.line('baseline')}: baseline: "
        hint = "" if given is not None else f" `judgekit score --baseline {NONE}` runs without it."
        raise InputError(f"{where}{problem}{hint}") from None


def _found(text: str, path: Path, out: Path) -> Baseline:
    if not text.strip():
        raise InputError("--baseline is empty: is a variable of the shell not set?")
    if path.is_file():
        return read_baseline(path)
    if path.suffix in (".jsonl", ".json"):
        raise InputError(f"{shown(path)}: no such baseline file: `judgekit baseline RUN {shown(path)}` writes one.")
    folder = path if (path / "manifest.json").is_file() else find_run(text, out)
    return baseline_from_run(text, read_run(folder))


def raise_other_suite(baseline: Baseline, places: Collection[tuple[str, str]], suites: Iterable[str]) -> None:
    """Raise if no case × variant of the run is in the baseline, before anything is run.

    Raises:
        InputError: with the suites of both.
    """
    if not any(place in baseline.cases for place in places):
        theirs = ", ".join(sorted({one.suite for one in baseline.cases.values()})[:5])
        mine = ", ".join(sorted(set(suites))[:5])
        variants = {one.variant for one in baseline.cases.values()}
        if {case_id for case_id, _ in places} & {case_id for case_id, _ in baseline.cases}:
            mine, theirs = (", ".join(sorted(one)[:5]) for one in ({variant for _, variant in places}, variants))
            raise InputError(f"{baseline.name}: is the baseline of other variants ({theirs}); this run has {mine}.")
        raise InputError(f"{baseline.name}: holds no case of this run: it is of {theirs}, the run of {mine}.")


def against(
    baseline: Baseline,
    manifest: Mapping[str, Any],
    units: Iterable[Unit],
    results: Iterable[ResultRow],
    cases: Iterable[CaseRow],
    *,
    gated: Mapping[str, Collection[str]],
    max_errors: Any,
    margin: float | None,
) -> Against:
    """How the gated part of a run stands against its baseline."""
    units, results = list(units), list(results)
    counted = [unit for unit in units if unit.variant in gated.get(unit.suite, ()) and unit.status != "skipped"]
    by_variant: dict[str, list[Unit]] = {}
    for unit in counted:
        by_variant.setdefault(unit.variant, []).append(unit)
    held = held_to(
        baseline,
        standings(manifest, counted, results, cases),
        reasons={(unit.case_id, unit.variant): unit.reason for unit in counted},
        present={(unit.case_id, unit.variant) for unit in units},
        within={variant: within(mine, max_errors) for variant, mine in by_variant.items()},
        bounds={row.metric: (row.scale_min, row.scale_max) for row in results if row.kind == "judge"},
        selected=bool(manifest.get("selection")),
        margin=margin,
        chosen=chosen_by_outcome(manifest),
    )
    return replace(held, record={**held.record, "asked_again": _asked_again(results)})


def _asked_again(results: Iterable[ResultRow]) -> dict[str, list[dict[str, Any]]]:
    """Judged rows that were worse than the baseline at first, by what asking again has shown."""
    found: dict[str, list[dict[str, Any]]] = {CONFIRMED: [], FLAKY: [], UNCONFIRMED: []}
    for row in results:
        for flag in row.flags.split(";") if row.kind == "judge" else ():
            if flag in found:
                one = {"case_id": row.case_id, "variant": row.variant, "trial": row.trial, "metric": row.metric}
                found[flag].append({**one, "reason": row.reason})
    return found
