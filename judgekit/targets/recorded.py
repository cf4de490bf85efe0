"""Outputs files, or a DataFrame, in; recorded outputs by case, variant and trial out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.reading.tables import Row, parse_cell, read_table
from judgekit.reading.text import shown, without_surrogates
from judgekit.records import NO_FIELDS, Case, Context, Output, Usage
from judgekit.targets.answer import read_context, read_tool_calls

_TEXT = ("id", "case_id", "variant", "output", "input", "reference", "model", "finish_reason", "cause", "message")
_COUNTS = ("trial", "input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")
_FIGURES = ("cost_usd", "latency_s")
_NESTED = ("context", "tool_calls", "vars", "flags", "transcript", "params_applied")
COLUMNS = (*_TEXT, *_COUNTS, *_FIGURES, *_NESTED)
"""Columns with a meaning; any other is a variable of the case."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One row of an outputs file."""

    file: str
    line: int
    output: Output
    input: str | None = None
    reference: str | None = None
    context: tuple[Context, ...] | None = None
    vars: Mapping[str, Any] = field(default_factory=lambda: NO_FIELDS)


def read_outputs(files: Iterable[tuple[str | None, Path]], columns: Iterable[str] = ()) -> list[Recording]:
    """The rows of outputs files, long or wide.

    Args:
        files: Variant (None: as the rows say) and path of each file.
        columns: Renamings as given to `--map`: `input=question`, or `output:v1=answer_v1` for a wide file.

    Raises:
        InputError: unreadable file, no `output` column, a figure that is none, a row given twice; with file and line.
    """
    renaming = _Renaming.parse(columns)
    recordings: list[Recording] = []
    complaints: list[Complaint] = []
    for variant, path in files:
        try:
            rows = read_table(path, what="outputs file")
            if not rows:
                raise InputError(f"{shown(path)}: holds no outputs.")
            recordings += _read(rows, shown(path), variant, renaming)
        except InputError as problem:
            complaints.append(Complaint("", None, str(problem)))
    raise_complaints(complaints)
    _raise_doubles(recordings)
    return recordings


def frame_outputs(frame: Any, columns: Iterable[str] = ()) -> list[Recording]:
    """The rows of a DataFrame; a missing value is a blank cell."""
    import pandas as pd

    doubled = sorted({str(name) for name in frame.columns[frame.columns.duplicated()]})
    if doubled:
        raise InputError(f'the DataFrame of outputs has the column "{doubled[0]}" twice.')
    frame = frame.set_axis([str(name) for name in frame.columns], axis="columns")
    cells = frame.astype(object).where(pd.notna(frame), "") if len(frame) else frame
    rows = [(number, dict(row)) for number, row in enumerate(cells.to_dict("records"))]
    if not rows:
        raise InputError("the DataFrame of outputs holds no rows.")
    recordings = _read(rows, "DataFrame row", None, _Renaming.parse(columns))
    _raise_doubles(recordings)
    return recordings


@dataclass(frozen=True)
class _Renaming:
    plain: Mapping[str, str]
    """Our column -> source column."""
    wide: Mapping[str, str]
    """Variant -> source column of its output."""

    @classmethod
    def parse(cls, columns: Iterable[str]) -> _Renaming:
        plain: dict[str, str] = {}
        wide: dict[str, str] = {}
        for text in columns:
            ours, equals, source = text.partition("=")
            name, colon, variant = ours.strip().partition(":")
            if not equals or not source or (colon and name != "output"):
                raise InputError(f'--map {text}: write OURS=THEIRS, such as "input=question" or "output:v1=answer_v1".')
            if name not in COLUMNS:
                raise InputError(f'--map {text}: unknown column "{name}".{did_you_mean(name, COLUMNS)}')
            if colon and not variant:
                raise InputError(f"--map {text}: a variant is missing after the colon.")
            if (variant in wide) if colon else (name in plain):
                raise InputError(f'--map {text}: "{ours.strip()}" is given twice.')
            if colon:
                wide[variant] = source
            else:
                plain[name] = source
        return cls(plain, wide)


def _read(rows: list[Row], file: str, variant: str | None, renaming: _Renaming) -> list[Recording]:
    known = {key for _, row in rows for key in row}
    for source in (*renaming.plain.values(), *renaming.wide.values()):
        if source not in known:
            raise InputError(
                f'{file}: --map: there is no column "{source}"; its columns are {", ".join(sorted(known))}.'
                f"{did_you_mean(source, sorted(known))}"
            )
    if not renaming.wide and "output" not in {*renaming.plain, *(known - set(renaming.plain.values()))}:
        raise InputError(
            f"{file}: there is no column `output`; its columns are {', '.join(sorted(known))}. "
            "Name it with --map output=COLUMN."
        )
    complaints: list[Complaint] = []
    recordings = []
    for line, row in rows:
        try:
            for name, cells in _cells(row, renaming, variant):
                recordings.append(recording(cells, file, line, name))
        except ValueError as problem:
            complaints.append(Complaint(file, line, f"{problem}."))
    raise_complaints(complaints)
    return recordings


def _cells(
    row: Mapping[str, Any], renaming: _Renaming, variant: str | None
) -> Iterator[tuple[str | None, dict[str, Any]]]:
    # A column that is renamed is no column of its own any more; one that it takes the name of gives way.
    renamed = {*renaming.plain.values(), *renaming.wide.values()}
    cells = {key: value for key, value in row.items() if key not in renamed}
    cells |= {ours: row[source] for ours, source in renaming.plain.items() if source in row}
    if not renaming.wide:
        yield variant, cells
    for name, source in renaming.wide.items():
        yield name, {**cells, "output": row.get(source)}


def recording(cells: dict[str, Any], file: str, line: int, variant: str | None = None) -> Recording:
    """The recording that one row stands for.

    Args:
        cells: By column name, ours.
        file: Shown in complaints.
        line: Shown in complaints.
        variant: The whole file's variant; None: as the row says.

    Raises:
        ValueError: a cell is not as its column must be.
    """
    values: dict[str, Any] = {}
    for key in COLUMNS:
        if key in cells:
            values[key] = _value(key, cells[key])
    extra = {key: value for key, value in cells.items() if key not in COLUMNS}
    given = _mapping(values.get("vars"))
    # A table cannot tell a missing output from an empty one, but for the cause that stands beside it.
    text = values.get("output") or (None if values.get("cause") else values.get("output"))
    context = read_context(values.get("context"))
    case_input = values.get("input")
    case_vars = {**extra, **given}
    case_id = values.get("case_id") or values.get("id")
    if not case_id:
        if case_input is None:
            raise ValueError("a row needs a `case_id`, or an `input` to make one from")
        case_id = short_hash(case_input, case_vars, context)
    usage = Usage(*(values.get(key) for key in ("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens")))
    output = Output(
        text,
        case_id=case_id,
        variant=variant or values.get("variant") or "default",
        trial=values.get("trial") or 0,
        tool_calls=read_tool_calls(values.get("tool_calls")),
        finish_reason=values.get("finish_reason") or None,
        usage=usage,
        cost_usd=values.get("cost_usd"),
        latency_s=values.get("latency_s"),
        model=values.get("model") or None,
        context=context,
        cause=None if text is not None else values.get("cause") or "no_output",
        message="" if text is not None else values.get("message") or "the recording holds no output",
        flags=_flags(values.get("flags")),
        transcript=_transcript(values.get("transcript")),
    )
    return Recording(file, line, output, case_input, values.get("reference") or None, context, case_vars)


def _value(key: str, cell: Any) -> Any:
    """The cell as its column wants it; a blank one is unknown, but a blank output is an empty output."""
    if cell is None or (cell == "" and key not in ("output", "input")):
        return None
    if key in _TEXT:
        return _as_text(cell)
    if key in _COUNTS or key in _FIGURES:
        return _number(key, cell)
    return parse_cell(cell) if isinstance(cell, str) else cell


def _as_text(cell: Any) -> str:
    if isinstance(cell, str):
        return without_surrogates(cell)
    # What JSON has no form for, such as a time stamp of a DataFrame, is its own text.
    is_json = isinstance(cell, bool | int | float | list | dict)
    return json.dumps(cell, ensure_ascii=False, default=str) if is_json else str(cell)


def _flags(value: Any) -> tuple[str, ...]:
    parts = value.split(";") if isinstance(value, str) else value or ()
    if not isinstance(parts, list | tuple):
        raise ValueError("`flags` must be a list of texts, or a text that `;` divides")
    return tuple(str(one) for one in parts if one)


def _transcript(value: Any) -> tuple[Mapping[str, Any], ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(one, Mapping) for one in value):
        raise ValueError("`transcript` must be a list of chat messages")
    return tuple(value)


def _number(key: str, cell: Any) -> float | int:
    try:
        number = float("" if isinstance(cell, bool) else cell)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f'"{key}" must be a number, not "{str(cell)[:40]}"') from None
    if number < 0 or number - number != 0:
        raise ValueError(f'"{key}" must be a number of at least 0, not {cell}')
    if key in _FIGURES:
        return number
    if number != int(number):
        raise ValueError(f'"{key}" must be a whole number, not {cell}')
    return int(number)


def _mapping(value: Any) -> Mapping[str, Any]:
    if value is None or isinstance(value, Mapping):
        return value or NO_FIELDS
    raise ValueError("`vars` must be a mapping")


def short_hash(case_input: str, case_vars: Mapping[str, Any], context: tuple[Context, ...] | None) -> str:
    """The id of a case that was given none: it changes with what the case asks, not with where it stands."""
    evidence = [[one.id, one.text] for one in context or ()]
    text = json.dumps([case_input, case_vars, evidence], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:10]


def _raise_doubles(recordings: Iterable[Recording]) -> None:
    seen: dict[tuple[str, str, int], Recording] = {}
    complaints = []
    for one in recordings:
        key = (one.output.case_id, one.output.variant, one.output.trial)
        first = seen.setdefault(key, one)
        if first is not one:
            complaints.append(
                Complaint(
                    one.file,
                    one.line,
                    f'a second output for case "{key[0]}", variant "{key[1]}", trial {key[2]}; '
                    f"the first is in {first.file}:{first.line}.",
                )
            )
    raise_complaints(complaints)


def cases_from(recordings: Iterable[Recording]) -> list[Case]:
    """One case for each id, in order of first appearance, as the rows describe it.

    Raises:
        InputError: two rows of one id have different inputs.
    """
    cases: dict[str, Case] = {}
    complaints = []
    for one in recordings:
        case_id = one.output.case_id
        known = cases.get(case_id)
        if known is None:
            cases[case_id] = Case(
                case_id=case_id,
                input=one.input or "",
                suite=Path(one.file).stem.removesuffix(".outputs"),
                vars=one.vars,
                reference=one.reference,
                context=one.context,
                file=one.file,
                line=one.line,
            )
        elif one.input is not None and one.input != known.input:
            complaints.append(
                Complaint(one.file, one.line, f'case "{case_id}" has another input than in {known.file}:{known.line}.')
            )
    raise_complaints(complaints)
    return list(cases.values())
