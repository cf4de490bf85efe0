"""Results of one output in; its rows, its status and its JSONL records out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from judgekit.checks.wording import figure
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.reading.text import without_surrogates
from judgekit.records import Case, CheckResult, Judgment, Output, Verdict

UNRESOLVED = ("error", "unscored")
STOPPED = ("budget", "interrupted")


@dataclass(frozen=True, slots=True)
class Measured:
    """One check or deterministic rubric of one output with its result."""

    kind: str
    metric: str
    required: bool
    result: CheckResult
    threshold: Fraction | None = None


# What only a judge's row has: everything between flags and tags.
_NO_JUDGE = (None,) * (len(ResultRow._fields) - 2 - ResultRow._fields.index("flags"))


def measured_row(run_id: str, case: Case, output: Output, one: Measured) -> ResultRow:
    """The row of a check or deterministic rubric."""
    result = one.result
    status = result.status
    # By position: forty thousand rows with thirty keywords each would take a third of a second longer.
    return ResultRow._make(
        (
            run_id,
            case.case_id,
            case.agent,
            output.variant,
            "",
            output.trial,
            one.kind,
            one.metric,
            one.required,
            status,
            result.cause,
            _passed(status),
            None if result.score is None else float(result.score),
            None,
            0.0,
            1.0,
            None if one.threshold is None else float(one.threshold),
            _cell(result.reason),
            ";".join(result.flags),
            *_NO_JUDGE,
            ";".join(case.tags),
        )
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """One judged metric of one output: the aggregate over samples and the calls behind it."""

    metric: str
    required: bool
    verdict: Verdict
    scale: tuple[float, float]
    threshold: Fraction | None = None
    n_samples: int | None = None
    score_sd: float | None = None
    judge: str | None = None
    judge_identity: str | None = None
    against: str = ""
    """Pairwise only: what the output is compared with."""
    calls: tuple[Judgment, ...] = ()
    """Empty for a row that was skipped, and for items of a checklist: their call is counted once, at the rubric."""


def judged_row(run_id: str, case: Case, output: Output, one: Judged) -> ResultRow:
    """The row of a judged rubric, or of one of its items; tokens, cost and latency are those of its calls."""
    verdict, calls = one.verdict, one.calls
    returned = list(dict.fromkeys(call.model_returned for call in calls if call.model_returned))
    temperatures = {_float(call.params_applied.get("temperature")) for call in calls if call.params_applied is not None}
    return ResultRow(
        run_id=run_id,
        case_id=case.case_id,
        agent=case.agent,
        variant=output.variant,
        against=one.against,
        trial=output.trial,
        kind="judge",
        metric=one.metric,
        required=one.required,
        status=verdict.status,
        cause=verdict.cause,
        passed=verdict.passed if verdict.status in ("pass", "fail") else None,
        score=verdict.score,
        label=verdict.label,
        scale_min=float(one.scale[0]),
        scale_max=float(one.scale[1]),
        threshold=None if one.threshold is None else float(one.threshold),
        reason=_cell(verdict.reason),
        flags=";".join(verdict.flags),
        judge=one.judge,
        judge_identity=one.judge_identity,
        model_returned=";".join(returned) or None,
        temperature=temperatures.pop() if len(temperatures) == 1 else None,
        n_samples=one.n_samples,
        score_sd=one.score_sd,
        cached=all(call.cached for call in calls) if calls else None,
        input_tokens=_total(call.usage.input_tokens for call in calls),
        output_tokens=_total(call.usage.output_tokens for call in calls),
        cached_tokens=_total(call.usage.cached_tokens for call in calls),
        reasoning_tokens=_total(call.usage.reasoning_tokens for call in calls),
        cost_usd=_float(_total(call.cost_usd for call in calls)),
        latency_s=_float(_total(call.latency_s for call in calls)),
        tags=";".join(case.tags),
    )


def _cell(text: str) -> str:
    """The text as a table can hold it, so that a run reads the same when it is loaded again."""
    return text if text.isascii() and "\0" not in text else without_surrogates(text.replace("\0", "\ufffd"))


def _float(value: Any) -> float | None:
    """As the column is read again: a float, or nothing where a provider reported something else."""
    return float(value) if isinstance(value, int | float) else None


def _passed(status: str) -> bool | None:
    return {"pass": True, "fail": False}.get(status)


def _total(values: Iterable[Any]) -> Any:
    """The sum, or None if there is nothing to add or any part is unknown."""
    parts = list(values)
    return None if not parts or any(part is None for part in parts) else sum(parts)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a case comes to: pass, fail, error, skipped or negative_ok, and why."""

    status: str
    cause: str | None = None
    reason: str = ""


def standing(case: Case, rows: Sequence[ResultRow], output: Output | None = None) -> Standing:
    """Status of one trial of a case by its required rows; a case without an output can't pass, whatever it requires.

    A negative fixture (`should_pass: false`) passes as `negative_ok` if something required fails, and fails only if
    everything required has a result: a judge that was never asked can't have missed the defect.
    """
    if case.no_expectation:
        return Standing("skipped", "no_expectation", "only to be read")
    required = [row for row in rows if row.required]
    failed = [row for row in required if row.status == "fail"]
    if failed:
        said = "; ".join(_shortfall(row) for row in failed)
        return Standing("fail" if case.should_pass else "negative_ok", None, said)
    without_result = [row for row in required if _is_open(row) or (row.status == "skipped" and not case.should_pass)]
    if without_result:
        first = without_result[0]
        return Standing("error", first.cause, f"{first.metric}: {first.reason or first.cause}")
    if output is not None and output.text is None:
        return Standing("error", output.cause, f"no output: {output.message or output.cause}")
    if case.should_pass:
        return Standing("pass")
    defect = f" ({case.defect})" if case.defect else ""
    return Standing("fail", None, f"should fail, but nothing required failed{defect}")


def _shortfall(row: ResultRow) -> str:
    """What failed and why; a judge's words alone would not say how far from the threshold its score is."""
    said = row.metric
    if row.score is not None and row.threshold is not None:
        threshold = Fraction(str(row.threshold))
        said += f": {figure(row.score, threshold)}, at least {figure(threshold)} is wanted"
    return f"{said}: {row.reason}" if row.reason else said


def _is_open(row: ResultRow) -> bool:
    return row.status in UNRESOLVED or (row.status == "skipped" and row.cause in STOPPED)


def case_row(run_id: str, case: Case, output: Output, stands: Standing) -> CaseRow:
    """The row of one output in cases.csv."""
    return CaseRow(
        run_id=run_id,
        case_id=case.case_id,
        suite=case.suite,
        agent=case.agent,
        variant=output.variant,
        trial=output.trial,
        status=stands.status,
        cause=stands.cause,
        reason=stands.reason,
        input=case.input,
        output=output.text,
        output_hash=output_hash(output.text),
        target_model=output.model,
        target_finish_reason=output.finish_reason,
        target_input_tokens=output.usage.input_tokens,
        target_output_tokens=output.usage.output_tokens,
        target_cached_tokens=output.usage.cached_tokens,
        target_reasoning_tokens=output.usage.reasoning_tokens,
        target_cost_usd=_float(output.cost_usd),
        target_latency_s=_float(output.latency_s),
        flags=";".join(output.flags),
        tags=";".join(case.tags),
        file=case.file,
        line=case.line,
    )


def output_hash(text: str | None) -> str:
    """SHA-256 of an output's text in UTF-8, as 64 lower-case hexadecimal digits; empty where there is no output.

    Of the text as files can hold it, lone surrogates as U+FFFD: a browser that hashes what a report shows agrees.

    Example:
        >>> output_hash("")[:12], output_hash("\\ud800") == output_hash("\\ufffd")
        ('e3b0c44298fc', True)
    """
    return "" if text is None else hashlib.sha256(without_surrogates(text).encode("utf-8")).hexdigest()


# ------------------------------------------------------------------------------------------------- JSONL records


def _without_empty(row: Mapping[str, Any], keep: Sequence[str]) -> dict[str, Any]:
    return {
        key: value
        for key, value in row.items()
        if key in keep or not (value is None or value == () or value in ("", {}))
    }


def output_record(case: Case, output: Output) -> dict[str, Any]:
    """The record of outputs.jsonl: itself a row of an outputs file."""
    usage = output.usage
    context = output.context if output.context is not None else case.context
    row = {
        "case_id": case.case_id,
        "variant": output.variant,
        "trial": output.trial,
        "input": case.input,
        "output": output.text,
        "reference": case.reference,
        "context": [_without_empty(asdict(one), ("text",)) for one in context] if context is not None else None,
        "vars": dict(case.vars),
        "tool_calls": None
        if output.tool_calls is None
        else [{"name": one.name, "args": one.args, "result": one.result} for one in output.tool_calls],
        "finish_reason": output.finish_reason,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost_usd": output.cost_usd,
        "latency_s": output.latency_s,
        "model": output.model,
        "cause": output.cause,
        "message": output.message,
        "flags": list(output.flags),
        "transcript": list(output.transcript),
    }
    kept = {key: value for key, value in row.items() if key == "output" or value not in (None, "", [], {})}
    if output.tool_calls == ():
        # "None made" and "not known" are different facts.
        kept["tool_calls"] = []
    if output.params_applied is not None:
        # Nor is "with nothing" the same as "not known".
        kept["params_applied"] = dict(output.params_applied)
    return kept


_WHO = ("rubric", "judge", "against", "item", "order")


def in_order(records: Iterable[dict[str, Any]], cases: Iterable[CaseRow]) -> list[dict[str, Any]]:
    """Records in the order of the cases, whatever order they arrived in: calls run side by side."""
    place: dict[Any, int] = {(row.case_id, row.variant, row.trial): number for number, row in enumerate(cases)}

    def key(record: Mapping[str, Any]) -> tuple[Any, ...]:
        at = place.get((record.get("case_id"), record.get("variant"), record.get("trial")), len(place))
        return at, *(record.get(name) or "" for name in _WHO), record.get("sample") or 0

    return sorted(records, key=key)


def measured_record(case: Case, output: Output, one: Measured) -> dict[str, Any]:
    """The record of checks.jsonl."""
    result = one.result
    row: dict[str, Any] = {
        "case_id": case.case_id,
        "variant": output.variant,
        "trial": output.trial,
        "kind": one.kind,
        "metric": one.metric,
        "required": one.required,
        "status": result.status,
        "score": None if result.score is None else float(result.score),
        "reason": result.reason,
    }
    if one.threshold is not None:
        row["threshold"] = float(one.threshold)
    if result.cause:
        row["cause"] = result.cause
    if result.spans:
        row["spans"] = result.spans
    if result.flags:
        row["flags"] = result.flags
    if result.detail:
        row["detail"] = dict(result.detail)
    return row


def judgment_record(one: Judgment, *, with_prompt: bool) -> dict[str, Any]:
    """The record of verdicts.jsonl; the prompt is written once for each hash."""
    row = {
        "case_id": one.case_id,
        "variant": one.variant,
        "trial": one.trial,
        "rubric": one.rubric,
        "judge": one.judge,
        "judge_identity": one.judge_identity,
        "sample": one.sample,
        **verdict_record(one.verdict),
        "item": one.item,
        "against": one.against,
        "order": one.order,
        "prompt_hash": one.prompt_hash,
        "prompt": one.prompt if with_prompt else "",
        "own_answer": one.own_answer,
        "reply": one.reply,
        "model_returned": one.model_returned,
        "params_requested": dict(one.params_requested),
        "params_applied": one.params_applied,
        "cached": one.cached or None,
        "repaired": one.repaired or None,
        "input_tokens": one.usage.input_tokens,
        "output_tokens": one.usage.output_tokens,
        "cached_tokens": one.usage.cached_tokens,
        "reasoning_tokens": one.usage.reasoning_tokens,
        "cost_usd": one.cost_usd,
        "latency_s": one.latency_s,
    }
    known = ("params_applied",) if one.params_applied is not None else ()
    return _without_empty(row, ("score", "reply", *known))


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """The JSON-ready form of a verdict, its items included."""
    row: dict[str, Any] = {
        "status": verdict.status,
        "score": verdict.score,
        "label": verdict.label,
        "passed": verdict.passed,
        "cause": verdict.cause,
        "flags": list(verdict.flags) or None,
        "reason": verdict.reason,
        "weights": dict(verdict.weights),
        "missing_mass": verdict.missing_mass,
        "token": verdict.token,
    }
    if verdict.items:
        row["items"] = {name: _without_empty(verdict_record(item), ("score",)) for name, item in verdict.items.items()}
    return row
