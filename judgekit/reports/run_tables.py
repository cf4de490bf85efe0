"""Run data in, the four tables of the page's document out; judgekit.reports.document says what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.frame import CaseRow, ResultRow, RunData
from judgekit.reports.columns import Column, Texts, as_json, text_or_none, values
from judgekit.reports.fold import Entry

Place = Mapping[tuple[str, str, int], int]

_ENTRY_TEXTS = ("case_id", "variant", "suite", "agent", "tags", "file")
_OUTPUT_TEXTS = {
    "status": "status",
    "cause": "cause",
    "reason": "reason",
    "finish_reason": "target_finish_reason",
    "model": "target_model",
    "flags": "flags",
    "hash": "output_hash",
}
_OUTPUT_VALUES = {
    "trial": "trial",
    "input_tokens": "target_input_tokens",
    "output_tokens": "target_output_tokens",
    "cost_usd": "target_cost_usd",
    "latency_s": "target_latency_s",
}
_RESULT_TEXTS = ("kind", "metric", "status", "cause", "label", "reason", "flags", "judge", "judge_identity", "against")
_RESULT_VALUES = ("required", "passed", "score", "threshold", "n_samples", "score_sd", "cost_usd", "latency_s")
_VERDICT_TEXTS = ("rubric", "judge", "status", "cause", "label", "reason", "against", "order", "model_returned")
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
_NOTHING: dict[str, Any] = {}


def tables(run: RunData, found: Sequence[Entry], texts: Texts, *, outputs: bool) -> tuple[dict[str, Any], int]:
    """The tables, and how many texts the page needs before it shows anything; those come first in `texts`.

    Args:
        run: The run.
        found: Its entries.
        texts: Where the texts go.
        outputs: Whether the texts of inputs, outputs, prompts and replies are shown.
    """
    rows = [row for entry in found for row in entry.trials]
    place = {(row.case_id, row.variant, row.trial): number for number, row in enumerate(rows)}
    made = {
        "entries": _entries(run, found, texts),
        "outputs": _outputs(found, rows, texts),
        "results": _results(run, place, texts),
        "verdicts": _verdicts(run, place, texts),
    }
    first = len(texts)
    if outputs:
        prompts = _prompts(run)
        _in_order_of_reading(run, rows, place, prompts, texts)
        made["outputs"] |= _long_outputs(run, rows, texts)
        made["verdicts"] |= _long_verdicts(run, prompts, texts)
    made["results"] |= _long_results(run, place, texts, outputs=outputs)
    sizes = {"entries": len(found), "outputs": len(rows), "results": len(run.results), "verdicts": len(run.verdicts)}
    return {name: {"rows": sizes[name], "columns": columns} for name, columns in made.items()}, first


def _entries(run: RunData, found: Sequence[Entry], texts: Texts) -> dict[str, Column]:
    known: Mapping[str, Mapping[str, Any]] = run.manifest.get("cases") or {}
    gated: Mapping[str, Sequence[str]] = run.summary["gated"]
    first = [entry.first for entry in found]
    about = [known.get(row.case_id) or _NOTHING for row in first]
    return {name: texts.column([getattr(row, name) for row in first]) for name in _ENTRY_TEXTS} | {
        "status": texts.column([entry.status for entry in found]),
        "cause": texts.column([entry.unit.cause for entry in found]),
        "reason": texts.column([entry.reason for entry in found]),
        "name": texts.column([str(one.get("name") or "") for one in about]),
        "description": texts.column([str(one.get("description") or "") for one in about]),
        "line": values([row.line for row in first]),
        "gated": values([row.variant in gated.get(row.suite, ()) for row in first]),
    }


def _outputs(found: Sequence[Entry], rows: Sequence[CaseRow], texts: Texts) -> dict[str, Column]:
    return {
        "entry": values([number for number, entry in enumerate(found) for _ in entry.trials]),
        **{name: texts.column([getattr(row, field) for row in rows]) for name, field in _OUTPUT_TEXTS.items()},
        **{name: values([getattr(row, field) for row in rows]) for name, field in _OUTPUT_VALUES.items()},
    }


def _long_outputs(run: RunData, rows: Sequence[CaseRow], texts: Texts) -> dict[str, Column]:
    given = _recorded(run, rows)
    return {
        "input": texts.column([row.input for row in rows]),
        "output": texts.column([row.output for row in rows]),
        "reference": texts.column([text_or_none(one.get("reference")) for one in given]),
        "message": texts.column([text_or_none(one.get("message")) for one in given]),
        "vars": texts.column([as_json(one["vars"]) if one.get("vars") else None for one in given]),
        "context": texts.lists([_context(one.get("context")) for one in given]),
        "tool_calls": texts.lists([_tool_calls(one.get("tool_calls")) for one in given]),
    }


def _recorded(run: RunData, rows: Sequence[CaseRow]) -> list[Mapping[str, Any]]:
    by_key = {(row["case_id"], row["variant"], row.get("trial", 0)): row for row in run.outputs}
    return [by_key.get((row.case_id, row.variant, row.trial), _NOTHING) for row in rows]


def _results(run: RunData, place: Place, texts: Texts) -> dict[str, Column]:
    # Transposed once: a column at a time costs a fraction of a cell at a time.
    by_name: dict[str, Sequence[Any]] = dict.fromkeys(ResultRow._fields, ())
    by_name |= zip(ResultRow._fields, zip(*run.results, strict=True), strict=False)
    keys = zip(by_name["case_id"], by_name["variant"], by_name["trial"], strict=True)
    return {
        "output": values([place.get(key) for key in keys]),
        **{name: texts.column(by_name[name]) for name in _RESULT_TEXTS},
        **{name: values(by_name[name]) for name in _RESULT_VALUES},
    }


def _long_results(run: RunData, place: Place, texts: Texts, *, outputs: bool) -> dict[str, Column]:
    """What a check says beside its reason; spans and diffs are parts of outputs."""
    extra = {
        (row["case_id"], row["variant"], row.get("trial", 0), row["metric"]): row
        for row in run.checks
        if row.get("spans") or row.get("detail")
    }
    if not extra or not outputs:
        return {"spans": values([]), "diff": texts.column([]), "detail": texts.column([])}
    rows: list[Mapping[str, Any]] = [
        extra.get((row.case_id, row.variant, row.trial, row.metric), _NOTHING) if row.kind != "judge" else _NOTHING
        for row in run.results
    ]
    return {
        "spans": values([_offsets(row.get("spans")) for row in rows]),
        "diff": texts.column([text_or_none((row.get("detail") or _NOTHING).get("diff")) for row in rows]),
        "detail": texts.column([_detail(row.get("detail")) for row in rows]),
    }


def _verdicts(run: RunData, place: Place, texts: Texts) -> dict[str, Column]:
    rows = run.verdicts
    return {
        "output": values([place.get((row["case_id"], row["variant"], row.get("trial", 0))) for row in rows]),
        **{name: texts.column([text_or_none(row.get(name)) for row in rows]) for name in _VERDICT_TEXTS},
        **{name: values([row.get(name) for row in rows]) for name in _VERDICT_VALUES},
        "flags": texts.column([";".join(row.get("flags") or ()) for row in rows]),
        "items": texts.lists([_items(row.get("items")) for row in rows]),
        "params_requested": texts.column([_json_or_none(row.get("params_requested")) for row in rows]),
        "params_applied": texts.column([_json_unless_unknown(row.get("params_applied")) for row in rows]),
    }


def _prompts(run: RunData) -> list[str | None]:
    """The prompt of each verdict; it is recorded once for each hash."""
    prompts = {row["prompt_hash"]: row["prompt"] for row in run.verdicts if row.get("prompt")}
    return [prompts.get(row.get("prompt_hash", "")) for row in run.verdicts]


def _long_verdicts(run: RunData, prompts: Sequence[str | None], texts: Texts) -> dict[str, Column]:
    return {
        "prompt": texts.column(prompts),
        "reply": texts.column([text_or_none(row.get("reply")) for row in run.verdicts]),
    }


def _in_order_of_reading(
    run: RunData, rows: Sequence[CaseRow], place: Place, prompts: Sequence[str | None], texts: Texts
) -> None:
    """Give positions case by case: the page loads what it shows together, and a prompt that repeats its output within
    a few thousand characters costs next to nothing when it is compressed."""
    asked: dict[int, list[str]] = {}
    for row, prompt in zip(run.verdicts, prompts, strict=True):
        at = place.get((row["case_id"], row["variant"], row.get("trial", 0)))
        if at is not None and prompt is not None:
            asked.setdefault(at, []).append(prompt)
    for number, shown in enumerate(rows):
        texts.of(shown.input)
        if shown.output is not None:
            texts.of(shown.output)
        for prompt in asked.get(number, ()):
            texts.of(prompt)


def _json_unless_unknown(value: Any) -> str | None:
    # {} says that a model took no parameter at all.
    return None if value is None else as_json(value)


def _json_or_none(value: Any) -> str | None:
    return as_json(value) if value else None


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
        flat += [
            str(call.get("name", "")),
            as_json(call.get("args") or {}),
            text_or_none(call.get("result")) or "",
        ]
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
