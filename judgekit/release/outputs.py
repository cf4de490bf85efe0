"""Fixtures, and where an agent's live outputs lie, in; the outputs to score out. Nobody is asked for one."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.reading.tables import SUFFIXES
from judgekit.reading.text import read_text, shown
from judgekit.records import Output, Suite
from judgekit.release.registry import Agent, Fixture
from judgekit.targets.recorded import Recording, read_outputs


@dataclass(frozen=True)
class Live:
    """The outputs that an agent gave in service, for the inputs of its fixtures."""

    place: str
    """File or folder, as shown to people."""
    by_case: Mapping[str, Sequence[Recording]]
    unused: tuple[str, ...] = ()
    """Negative fixtures that have a row: they keep the bad output that they are there for."""


def read_live(path: Path, fixtures: Iterable[Fixture], columns: Sequence[str] = ()) -> Live:
    """The live outputs in an outputs file, or in a folder.

    In a folder, JSONL, CSV and Parquet files are outputs files; any other file is the output of the case that it is
    named for, as `late-parcel.md` is that of `late-parcel`. Names that start with `.` or `_` are left out.

    Args:
        path: File or folder.
        fixtures: All that may be meant; rows of agents that are not gated now are no mistake.
        columns: Renamings of the columns of outputs files, as given to `--map`.

    Raises:
        InputError: nothing there, not UTF-8, a row that names no fixture, two outputs of one fixture and trial, or
            outputs of several variants; with file and line.
    """
    cases = {one.case.case_id: one.case for one in fixtures}
    if not path.exists():
        raise InputError(f"--outputs {shown(path)}: no such file or folder.")
    rows = read_live_rows(path, cases, columns)
    complaints = []
    by_case: dict[str, list[Recording]] = {}
    for one in rows:
        case_id = one.output.case_id
        if case_id not in cases:
            said = f'there is no fixture "{case_id}".{did_you_mean(case_id, list(cases))}'
            complaints.append(Complaint(one.file, one.line or None, said))
        by_case.setdefault(case_id, []).append(one)
    raise_complaints([*complaints, *_doubled(by_case)])
    return Live(
        shown(path),
        {case_id: many for case_id, many in by_case.items() if cases[case_id].should_pass},
        tuple(case_id for case_id in by_case if not cases[case_id].should_pass),
    )


def read_live_rows(path: Path, case_ids: Container[str], columns: Sequence[str] = ()) -> list[Recording]:
    """The rows of an outputs file, or of a folder as `read_live` reads it; a file of its own has line 0.

    Raises:
        InputError: nothing there, not UTF-8, or what is wrong with an outputs file.
    """
    rows = list(_of_folder(path, case_ids, columns)) if path.is_dir() else read_outputs([(None, path)], columns)
    if not rows:
        raise InputError(f"--outputs {shown(path)}: the folder holds no outputs.")
    return rows


def _of_folder(folder: Path, case_ids: Container[str], columns: Sequence[str]) -> Iterator[Recording]:
    tables = []
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        if hidden or not path.is_file():
            continue
        if path.suffix.lower() in SUFFIXES:
            tables.append(path)
            continue
        # An id may hold dots itself.
        case_id = path.name if path.name in case_ids else path.stem
        yield Recording(shown(path), 0, Output(read_text(path), case_id))
    if tables:
        yield from read_outputs([(None, path) for path in tables], columns)


def _doubled(by_case: Mapping[str, Sequence[Recording]]) -> Iterator[Complaint]:
    for case_id, many in by_case.items():
        seen: dict[int, Recording] = {}
        for one in many:
            first = seen.setdefault(one.output.trial, one)
            if first is not one:
                where = f"{first.file}:{first.line}" if first.line else first.file
                said = f'a second output for "{case_id}"; the first is in {where}.'
                if first.output.variant != one.output.variant:
                    said += " The release gate scores one variant at a time."
                yield Complaint(one.file, one.line or None, said)


def outputs_of(agents: Iterable[Agent], live: Live | None) -> dict[str, tuple[Output, ...]]:
    """The outputs of every fixture by case id, one a trial.

    A golden fixture takes its live output where there are live ones, else what its suite's outputs file holds, else its
    own `output`; a negative fixture is bad by what is written in it, and stays as it is.

    Raises:
        InputError: an outputs file that a suite names is missing, broken, holds a row of no case of the suite, or has
            several variants.
    """
    fixtures = [one for agent in agents for one in agent.fixtures]
    suites = {id(one.suite): one.suite for one in fixtures}
    complaints: list[Complaint] = []
    recorded = {key: _recorded(suite, complaints) for key, suite in suites.items()}
    raise_complaints(complaints)
    return {one.case.case_id: _outputs(one, recorded[id(one.suite)], live) for one in fixtures}


def _recorded(suite: Suite, complaints: list[Complaint]) -> dict[str, list[Recording]]:
    """The rows of a suite's own outputs file by case id; complaints gather."""
    found: dict[str, list[Recording]] = {}
    if suite.outputs is None:
        return found
    try:
        rows = read_outputs([(None, suite.outputs)])
    except InputError as problem:
        if suite.outputs.exists():
            complaints.append(Complaint("", None, str(problem)))
        else:
            complaints.append(Complaint(suite.file, suite.lines.get("outputs"), f"outputs: {problem}"))
        return found
    # A case that is no fixture of the agents asked about is none the less one of the suite.
    known = [case.case_id for case in suite.cases]
    for row in rows:
        case_id = row.output.case_id
        if case_id not in known:
            said = f'{suite.file} has no case "{case_id}".{did_you_mean(case_id, known)}'
            complaints.append(Complaint(row.file, row.line, said))
        found.setdefault(case_id, []).append(row)
    complaints += _doubled(found)
    return found


def _outputs(one: Fixture, recorded: Mapping[str, Sequence[Recording]], live: Live | None) -> tuple[Output, ...]:
    case = one.case
    if live is not None and case.should_pass:
        rows = live.by_case.get(case.case_id, ())
        lacking = f"{live.place} holds none for it"
    else:
        rows = recorded.get(case.case_id, ())
        lacking = "neither an outputs file of its suite nor `output` holds one, and the release gate asks no model"
        if not rows and case.output is not None:
            return (Output(case.output, case.case_id),)
    if not rows:
        return (Output(None, case.case_id, cause="no_output", message=lacking),)
    return tuple(row.output for row in sorted(rows, key=lambda row: row.output.trial))
