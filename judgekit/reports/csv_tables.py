"""Run data in, results.csv and cases.csv out: UTF-8, `\\n` line ends, neutralised text, no NaN.

`results.csv` has the fields of `ResultRow` as columns, `cases.csv` those of `CaseRow` with one column per metric after
`output`. A metric's cell holds the score where there is one and the status word (`error`, `skipped`, `unscored`)
where there is none, so a missing score can neither be read as 0 nor drop out of sight.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, get_args, get_type_hints

from judgekit.frame import CaseRow, ResultRow, RunData
from judgekit.reading.text import without_surrogates
from judgekit.writing import replacing

# What spreadsheets take for a formula, or strip before they look for one; full-width forms count in some locales.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")
_SUSPECTS = frozenset("'=+-@\t\r\n＝＋－＠")
_BLOCK = 250


def write_results(run: RunData, path: Path) -> None:
    """Write results.csv: one row per case × variant × trial × metric × judge, columns as in `ResultRow`."""
    cells = [_cells_of(hint) for hint in get_type_hints(ResultRow).values()]
    with replacing(path) as file:
        for block in _csv_blocks(ResultRow._fields, run.results, cells):
            file.write(block)


def write_cases(run: RunData, path: Path) -> None:
    """Write cases.csv: one row per case × variant × trial, columns as in `case_header`."""
    cells = [_cells_of(hint) for hint in get_type_hints(CaseRow).values()]
    after = CaseRow._fields.index("output") + 1
    metrics = metric_columns(run)
    cells[after:after] = [_score_or_word for _ in metrics]
    with replacing(path) as file:
        for block in _csv_blocks(case_header(run), case_rows(run), cells):
            file.write(block)


def case_header(run: RunData) -> list[str]:
    """Columns of cases.csv: the fields of `CaseRow` with one column per metric after `output`."""
    after = CaseRow._fields.index("output") + 1
    return [*CaseRow._fields[:after], *metric_columns(run).values(), *CaseRow._fields[after:]]


def case_rows(run: RunData) -> Iterator[list[Any]]:
    """Rows of cases.csv with typed cells, in the order of `case_header`; None is an empty cell."""
    column = {key: place for place, key in enumerate(metric_columns(run))}
    found: dict[tuple[str, str, int], list[Any]] = {}
    for row in run.results:
        cells = found.get((row.case_id, row.variant, row.trial))
        if cells is None:
            cells = found[row.case_id, row.variant, row.trial] = [None] * len(column)
        cells[column[row.metric, row.judge, row.against]] = row.status if row.score is None else row.score
    after = CaseRow._fields.index("output") + 1
    nothing = [None] * len(column)
    for case in run.cases:
        yield [*case[:after], *found.get((case.case_id, case.variant, case.trial), nothing), *case[after:]]


def metric_columns(run: RunData) -> dict[tuple[str, str | None, str], str]:
    """Column name of each metric × judge × opponent, in order of first appearance.

    The name is the metric's; the judge (`tone [gpt-4o]`) or the opponent (`tone vs v1`) is added only where the metric
    alone would name two columns, and `metric:` goes before one that is also a field of `CaseRow`.
    """
    keys = list(dict.fromkeys((row.metric, row.judge, row.against) for row in run.results))
    judges: dict[str, set[str | None]] = {}
    opponents: dict[str, set[str]] = {}
    for metric, judge, against in keys:
        judges.setdefault(metric, set()).add(judge)
        opponents.setdefault(metric, set()).add(against)
    names: dict[tuple[str, str | None, str], str] = {}
    for metric, judge, against in keys:
        name = f"metric:{metric}" if metric in CaseRow._fields else metric
        if against and len(opponents[metric]) > 1:
            name += f" vs {against}"
        if judge is not None and len(judges[metric]) > 1:
            name += f" [{judge}]"
        names[metric, judge, against] = name
    return names


def neutral(text: str) -> str:
    """The text with one `'` before it if a spreadsheet would otherwise take it for a formula.

    Example:
        >>> neutral("=1+1"), neutral("'=1+1"), neutral("'tis"), neutral("a=b")
        ("'=1+1", "''=1+1", "'tis", 'a=b')
    """
    return f"'{text}" if _FORMULA.match(text) else text


def recover(cell: str) -> str:
    """The text that `neutral` was given: exactly one `'` goes, and only where one was added.

    Example:
        >>> recover("'=1+1"), recover("''=1+1"), recover("'tis")
        ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if _NEUTRALISED.match(cell) else cell


def _csv_blocks(
    header: Sequence[str], rows: Iterable[Sequence[Any]], cells: Sequence[Callable[[Sequence[Any]], list[str]]]
) -> Iterator[bytes]:
    lines: list[str] = []

    class Lines:
        @staticmethod
        def write(line: str) -> None:
            # The writer quotes a lone \r only when its own line end holds one, so \r\n is asked for and cut off.
            lines.append(line[:-2])

    writer = csv.writer(Lines, lineterminator="\r\n")
    writer.writerow([neutral(name) for name in header])
    remaining = iter(rows)
    # Column by column and in blocks: a third of the time of cell by cell, and never a second copy of all outputs.
    while block := list(islice(remaining, _BLOCK)):
        columns = [convert(column) for convert, column in zip(cells, zip(*block, strict=True), strict=True)]
        writer.writerows(zip(*columns, strict=True))
        yield _encoded(lines)
        lines.clear()
    if lines:
        yield _encoded(lines)


def _encoded(lines: list[str]) -> bytes:
    text = "\n".join(lines) + "\n"
    # Many readers end a cell at NUL, and a lone surrogate cannot be encoded; the full text stands in outputs.jsonl.
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return without_surrogates(text).encode("utf-8")


def _cells_of(hint: Any) -> Callable[[Sequence[Any]], list[str]]:
    """How the cells of a column are written, by the type of its field."""
    kinds = {hint, *get_args(hint)}
    if bool in kinds:
        return _booleans
    if float in kinds or int in kinds:
        return _numbers
    return _texts


def _texts(column: Sequence[Any]) -> list[str]:
    suspects = _SUSPECTS
    return [(neutral(text) if text[0] in suspects else text) if text else "" for text in column]


def _booleans(column: Sequence[Any]) -> list[str]:
    return ["" if value is None else "true" if value else "false" for value in column]


def _numbers(column: Sequence[Any]) -> list[str]:
    return ["" if value is None else _number(value) for value in column]


def _number(value: Any) -> str:
    if isinstance(value, int):
        return str(int(value))
    return repr(float(value)) if isfinite(value) else ""


def _score_or_word(column: Sequence[Any]) -> list[str]:
    return ["" if value is None else neutral(value) if isinstance(value, str) else _number(value) for value in column]
