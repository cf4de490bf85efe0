"""Run data in, the JSON document out that the HTML page reads; the page knows nothing else of a run.

The document, version 1:

    version     1
    title       text
    run         {run_id, started_at, finished_at, command, versions, seed, partial}
    passed      {VARIANT: [cases that passed, cases that could]}
    note        what to know of an uncalibrated judge; may be empty
    summary     decision, counts, by_variant, estimates, comparisons, cost, tokens, judge_calls, warnings, gated, alone,
                since, baseline: as in summary.json; the last three are null where there is nothing to say
    agents      [{agent, rubric, score, threshold, passed, n_golden, n_negative, n_violations, n_scored}] of a
                release gate
    history     [{time, run_id, revision, agent, rubric, score, threshold, passed}], oldest first
    judges      as in manifest.json
    trust       [{metric, judge, judge_identity, rubric, level, sentence, figures}], one for each judged metric and
                judge; corrected rates stand in the estimates
    metrics     {NAME: {kind, required, question?, definition?, threshold?, scale_min, scale_max}}
    texts       every text of the tables, once each, perhaps cut
    cut         {position in `texts`: characters of the whole text}, for those that are cut
    tables      entries   one row per case × variant
                outputs   one per case × variant × trial; `entry` is a row of entries
                results   one per metric (and judge) of an output; `output` is a row of outputs
                verdicts  one per sample of a judge; `output` likewise

A table is {rows: N, columns: {NAME: {kind, cells: [N cells]}}}, or {kind, all: CELL} where all cells are the same.
By `kind` a cell is a `value` (number, boolean, null, or a list of numbers), a `text` (position in `texts`, or null) or
a `list` (of positions in `texts`, or null). Offsets in `spans` count Unicode characters: start, end, start, end, …
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

from judgekit.frame import CaseRow, ResultRow, RunData
from judgekit.frame.canaries import is_canary
from judgekit.reports.agents import agents_of, history_of
from judgekit.reports.embedded import shortened
from judgekit.reports.fold import Entry, entries, passed_of
from judgekit.reports.wording import calibration_note, other_warnings
from judgekit.writing import clean

VERSION = 1
TEXT_BYTES = 24_000_000
"""All texts of a page together, as they stand in it; with the rows this keeps 5,000 long cases below 30 MB."""
TEXT_CHARACTERS = 100_000
"""One text; browsers slow down on longer ones."""

_SUMMARY = (
    "decision",
    "counts",
    "by_variant",
    "estimates",
    "comparisons",
    "cost",
    "tokens",
    "judge_calls",
    "warnings",
    "gated",
    "alone",
    "since",
    "baseline",
)
_RESULT_TEXTS = ("kind", "metric", "status", "cause", "label", "reason", "flags", "judge", "against")
_RESULT_VALUES = ("required", "passed", "score", "threshold", "n_samples", "score_sd", "cost_usd", "latency_s")
_VERDICT_TEXTS = (
    "rubric",
    "judge",
    "status",
    "cause",
    "label",
    "reason",
    "against",
    "order",
    "model_returned",
)
_VERDICT_VALUES = (
    "sample",
    "score",
    "cached",
    "repaired",
    "input_tokens",
    "output_tokens",
    "cost_usd",
    "latency_s",
)
_OUTPUT_TEXTS = {
    "status": "status",
    "cause": "cause",
    "reason": "reason",
    "input": "input",
    "output": "output",
    "finish_reason": "target_finish_reason",
    "model": "target_model",
    "flags": "flags",
}
_OUTPUT_VALUES = {
    "trial": "trial",
    "input_tokens": "target_input_tokens",
    "output_tokens": "target_output_tokens",
    "cost_usd": "target_cost_usd",
    "latency_s": "target_latency_s",
}

Column = dict[str, Any]


def document(run: RunData, *, text_bytes: int = TEXT_BYTES, text_characters: int = TEXT_CHARACTERS) -> dict[str, Any]:
    """The document of a run, JSON-ready, as the docstring of this module lays it out.

    Args:
        run: The run.
        text_bytes: Room for all texts together, as they stand in the page. Where they are more, the longest are cut
            to one common length.
        text_characters: The most of one text.
    """
    texts = _Texts()
    found = entries(run)
    rows = [row for entry in found for row in entry.trials]
    place = {(row.case_id, row.variant, row.trial): number for number, row in enumerate(rows)}
    tables = {
        "entries": _entries(run, found, texts),
        "outputs": _outputs(run, found, rows, texts),
        "results": _results(run, place, texts),
        "verdicts": _verdicts(run, place, texts),
    }
    kept, cut = shortened(list(texts.position), text_bytes, text_characters)
    manifest = run.manifest
    return {
        "version": VERSION,
        "title": manifest.get("title") or f"judgekit run {run.summary['run_id']}",
        "run": clean(
            {
                "run_id": run.summary["run_id"],
                "partial": bool(run.summary.get("partial")),
                **{key: manifest.get(key) for key in ("started_at", "finished_at", "command", "versions", "seed")},
            }
        ),
        "note": calibration_note(run),
        "passed": passed_of(found),
        "summary": clean({key: run.summary.get(key) for key in _SUMMARY} | {"warnings": other_warnings(run)}),
        "agents": clean(agents_of(run)),
        "history": clean(history_of(run)),
        "judges": clean(manifest.get("judges") or []),
        "trust": clean(list((run.summary.get("trust") or {}).values())),
        "metrics": clean(_metrics(run)),
        "texts": kept,
        "cut": cut,
        "tables": tables,
    }


class _Texts:
    """Texts in, their positions out; equal texts share one."""

    def __init__(self) -> None:
        self.position: dict[str, int] = {}

    def of(self, text: str) -> int:
        return self.position.setdefault(text, len(self.position))

    def column(self, cells: Sequence[str | None]) -> Column:
        return _column("text", cells, self._positions)

    def lists(self, cells: Sequence[Sequence[str] | None]) -> Column:
        return _column("list", cells, self._positions_of_lists)

    def _positions(self, cells: Iterable[str | None]) -> list[int | None]:
        position = self.position
        return [None if text is None else position.setdefault(text, len(position)) for text in cells]

    def _positions_of_lists(self, cells: Iterable[Sequence[str] | None]) -> list[list[int] | None]:
        return [None if texts is None else [self.of(text) for text in texts] for texts in cells]


def _values(cells: Sequence[Any]) -> Column:
    return _column("value", cells, lambda some: [_value(cell) if isinstance(cell, float) else cell for cell in some])


def _column(kind: str, cells: Sequence[Any], convert: Callable[[Sequence[Any]], Sequence[Any]]) -> Column:
    if not cells:
        return {"kind": kind, "all": None}
    if cells.count(cells[0]) == len(cells):
        return {"kind": kind, "all": convert(cells[:1])[0]}
    return {"kind": kind, "cells": convert(cells)}


def _value(number: float) -> float | int | None:
    if not isfinite(number):
        return None
    # 1.0 is 1 to JavaScript, and half the bytes.
    return int(number) if number.is_integer() else number


def _entries(run: RunData, found: Sequence[Entry], texts: _Texts) -> dict[str, Any]:
    known: Mapping[str, Mapping[str, Any]] = run.manifest.get("cases") or {}
    gated: Mapping[str, Sequence[str]] = run.summary["gated"]
    first = [entry.first for entry in found]
    about = [known.get(row.case_id) or {} for row in first]
    columns = {name: texts.column([getattr(row, name) for row in first]) for name in _ENTRY_TEXTS}
    columns |= {
        "status": texts.column([entry.status for entry in found]),
        "reason": texts.column([entry.reason for entry in found]),
        "name": texts.column([str(one.get("name") or "") for one in about]),
        "description": texts.column([str(one.get("description") or "") for one in about]),
        "line": _values([row.line for row in first]),
        "gated": _values([row.variant in gated.get(row.suite, ()) for row in first]),
    }
    return {"rows": len(found), "columns": columns}


_ENTRY_TEXTS = ("case_id", "variant", "suite", "agent", "tags", "file")


def _outputs(run: RunData, found: Sequence[Entry], rows: Sequence[CaseRow], texts: _Texts) -> dict[str, Any]:
    by_key = {(row["case_id"], row["variant"], row.get("trial", 0)): row for row in run.outputs}
    nothing: dict[str, Any] = {}
    given = [by_key.get((row.case_id, row.variant, row.trial), nothing) for row in rows]
    columns = {
        "entry": _values([number for number, entry in enumerate(found) for _ in entry.trials]),
        **{name: texts.column([getattr(row, field) for row in rows]) for name, field in _OUTPUT_TEXTS.items()},
        **{name: _values([getattr(row, field) for row in rows]) for name, field in _OUTPUT_VALUES.items()},
        "reference": texts.column([_text_or_none(one.get("reference")) for one in given]),
        "message": texts.column([_text_or_none(one.get("message")) for one in given]),
        "vars": texts.column([as_json(one["vars"]) if one.get("vars") else None for one in given]),
        "context": texts.lists([_context(one.get("context")) for one in given]),
        "tool_calls": texts.lists([_tool_calls(one.get("tool_calls")) for one in given]),
    }
    return {"rows": len(rows), "columns": columns}


def _results(run: RunData, place: Mapping[tuple[str, str, int], int], texts: _Texts) -> dict[str, Any]:
    # Transposed once: a column at a time costs a fraction of a cell at a time.
    nothing: dict[str, Any] = {}
    by_name: dict[str, Sequence[Any]] = dict.fromkeys(ResultRow._fields, ())
    by_name |= zip(ResultRow._fields, zip(*run.results, strict=True), strict=False)
    keys = list(zip(by_name["case_id"], by_name["variant"], by_name["trial"], strict=True))
    columns = {"output": _values([place.get(key) for key in keys])}
    columns |= {name: texts.column(by_name[name]) for name in _RESULT_TEXTS}
    columns |= {name: _values(by_name[name]) for name in _RESULT_VALUES}
    extra = {
        (row["case_id"], row["variant"], row.get("trial", 0), row["metric"]): row
        for row in run.checks
        if row.get("spans") or row.get("detail")
    }
    rows = (
        [
            extra.get((*key, metric), nothing) if kind != "judge" else nothing
            for key, metric, kind in zip(keys, by_name["metric"], by_name["kind"], strict=True)
        ]
        if extra
        else [nothing] * len(keys)
    )
    columns |= {
        "spans": _values([_offsets(row.get("spans")) for row in rows]),
        "diff": texts.column([_text_or_none((row.get("detail") or nothing).get("diff")) for row in rows]),
        "detail": texts.column([_detail(row.get("detail")) for row in rows]),
    }
    return {"rows": len(keys), "columns": columns}


def _verdicts(run: RunData, place: Mapping[tuple[str, str, int], int], texts: _Texts) -> dict[str, Any]:
    rows = [row for row in run.verdicts if not is_canary(row)]
    prompts = {row["prompt_hash"]: row["prompt"] for row in rows if row.get("prompt")}
    columns = {
        "output": _values([place.get((row["case_id"], row["variant"], row.get("trial", 0))) for row in rows]),
        **{name: texts.column([_text_or_none(row.get(name)) for row in rows]) for name in _VERDICT_TEXTS},
        **{name: _values([row.get(name) for row in rows]) for name in _VERDICT_VALUES},
        "flags": texts.column([";".join(row.get("flags") or ()) for row in rows]),
        "items": texts.lists([_items(row.get("items")) for row in rows]),
        "prompt": texts.column([prompts.get(row.get("prompt_hash", "")) for row in rows]),
        "reply": texts.column([_text_or_none(row.get("reply")) for row in rows]),
        "params_requested": texts.column([_json_or_none(row.get("params_requested")) for row in rows]),
        "params_applied": texts.column([_json_unless_unknown(row.get("params_applied")) for row in rows]),
    }
    return {"rows": len(rows), "columns": columns}


def _metrics(run: RunData) -> dict[str, dict[str, Any]]:
    known: Mapping[str, Mapping[str, Any]] = run.manifest.get("metrics") or {}
    metrics: dict[str, dict[str, Any]] = {}
    for row in run.results:
        if row.metric not in metrics:
            about = known.get(row.metric) or {}
            metrics[row.metric] = {
                "kind": row.kind,
                "required": row.required,
                **{key: about[key] for key in ("question", "definition", "threshold", "anchors") if about.get(key)},
                "scale_min": row.scale_min,
                "scale_max": row.scale_max,
            }
    return metrics


def as_json(value: Any) -> str:
    """A value of unknown shape as JSON text for people.

    Example:
        >>> as_json({"q": "x"})
        '{"q": "x"}'
    """
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "(nested too deeply to be shown; it stands in the run folder)"


def _json_or_none(value: Any) -> str | None:
    return as_json(value) if value else None


def _json_unless_unknown(value: Any) -> str | None:
    # {} says that a model took no parameter at all.
    return None if value is None else as_json(value)


def _text_or_none(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return as_json(value)


def _context(pieces: Sequence[Any] | None) -> list[str] | None:
    """Pairs of id and text, flat."""
    if pieces is None:
        return None
    flat: list[str] = []
    for piece in pieces:
        given = piece if isinstance(piece, dict) else {"text": piece}
        flat += [str(given.get("id") or ""), str(given.get("text", ""))]
    return flat


def _tool_calls(calls: Sequence[Mapping[str, Any]] | None) -> list[str] | None:
    """Triples of name, arguments and result, flat."""
    if calls is None:
        return None
    flat: list[str] = []
    for call in calls:
        result = call.get("result")
        flat += [str(call.get("name", "")), as_json(call.get("args") or {}), _text_or_none(result) or ""]
    return flat


def _items(items: Mapping[str, Any] | None) -> list[str] | None:
    """Pairs of item and what was said of it, flat."""
    if not items:
        return None
    flat: list[str] = []
    for name, item in items.items():
        said = item if isinstance(item, dict) else {"label": item}
        words = [said.get("label"), said.get("score"), said.get("cause"), said.get("reason")]
        flat += [name, " · ".join(str(word) for word in words if word is not None and word != "")]
    return flat


def _offsets(spans: Sequence[Sequence[int]] | None) -> list[int] | None:
    """Starts and ends, flat."""
    return [offset for span in spans for offset in span] if spans else None


def _detail(detail: Mapping[str, Any] | None) -> str | None:
    """The figures of a check beside its diff, and beside what its reason already says."""
    return _json_or_none(
        {key: value for key, value in (detail or {}).items() if key not in ("diff", "measured", "unit")}
    )
