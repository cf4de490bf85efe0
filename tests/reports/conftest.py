"""A small run as it would stand after `score`: two variants, checks, judged rubrics, and every status once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judgekit.frame import CaseRow, ResultRow, RunData

RUN_ID = "20250102T030405-ab12"


def result(case_id: str, variant: str, metric: str, status: str, **fields: Any) -> ResultRow:
    """A row of results with the given fields, and plain ones for the rest."""
    given: dict[str, Any] = {
        "run_id": RUN_ID,
        "case_id": case_id,
        "agent": "desk",
        "variant": variant,
        "against": "",
        "trial": 0,
        "kind": "check",
        "metric": metric,
        "required": True,
        "status": status,
        "cause": None,
        "passed": {"pass": True, "fail": False}.get(status),
        "score": {"pass": 1.0, "fail": 0.0}.get(status),
        "label": None,
        "scale_min": 0.0,
        "scale_max": 1.0,
        "threshold": None,
        "reason": "",
        "flags": "",
        **dict.fromkeys(ResultRow._fields[ResultRow._fields.index("judge") : -1]),
        "tags": "finance;q1",
    }
    return ResultRow(**(given | fields))


def judged(case_id: str, variant: str, metric: str, status: str, **fields: Any) -> ResultRow:
    """A row of a judged rubric on the scale 1 to 5."""
    about = {
        "kind": "judge",
        "required": False,
        "judge": "replay:judge.jsonl",
        "judge_identity": "c0ffee123456",
        "scale_min": 1.0,
        "scale_max": 5.0,
        "n_samples": int(status in ("pass", "fail", "scored")),
        "score": None,
    }
    return result(case_id, variant, metric, status, **(about | fields))


def case(case_id: str, variant: str, status: str, **fields: Any) -> CaseRow:
    """A row of cases with the given fields, and plain ones for the rest."""
    given: dict[str, Any] = {
        "run_id": RUN_ID,
        "case_id": case_id,
        "suite": "briefings",
        "agent": "desk",
        "variant": variant,
        "trial": 0,
        "status": status,
        "cause": None,
        "reason": "",
        "input": f"Summarise {case_id}.",
        "output": "Revenue rose.",
        "output_hash": "0" * 16,
        **dict.fromkeys(name for name in CaseRow._fields if name.startswith("target_")),
        "flags": "",
        "tags": "finance;q1",
        "file": "scenarios/briefings.yaml",
        "line": 3,
    }
    return CaseRow(**(given | fields))


def estimate(variant: str, metric: str, kind: str, n_scored: int, n_total: int, **fields: Any) -> dict[str, Any]:
    """One estimate of the summary, without a value unless one is given."""
    return {
        "suite": "briefings",
        "variant": variant,
        "metric": metric,
        "kind": kind,
        "n_scored": n_scored,
        "n_total": n_total,
        **dict.fromkeys(("mean", "ci_low", "ci_high", "pass_rate", "pass_rate_low", "pass_rate_high")),
        "level": 0.95,
        "method": "t",
        "reason": "",
        **fields,
    }


def rule(outcome: str, **fields: Any) -> dict[str, Any]:
    """One rule of the gate with its outcome."""
    return {
        "rule": "every case passes",
        "variant": "v2",
        "outcome": outcome,
        "value": 0.5,
        "n_scored": 2,
        "n_total": 4,
        "reason": "1 of 4 cases failed: late-parcel.",
        **fields,
    }


@pytest.fixture
def run(tmp_path: Path) -> RunData:
    """The small run: v1 is the reference, v2 is gated and fails on one case."""
    outputs: list[dict[str, Any]] = []
    cases: list[CaseRow] = []
    results: list[ResultRow] = []
    checks: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []

    def add(row: CaseRow, *found: ResultRow, **output: Any) -> None:
        cases.append(row)
        results.extend(found)
        key = {"case_id": row.case_id, "variant": row.variant, "trial": row.trial}
        outputs.append({**key, "input": row.input, "output": row.output, **output})
        for one in found:
            if one.kind != "judge":
                names = ("kind", "metric", "required", "status", "score", "reason")
                checks.append(key | {name: getattr(one, name) for name in names})
            elif one.status != "skipped":
                verdicts.append(
                    key
                    | {
                        "rubric": one.metric,
                        "judge": one.judge,
                        "judge_identity": one.judge_identity,
                        "sample": 0,
                        "status": one.status,
                        "score": one.score,
                        "label": None,
                        "passed": None,
                        "cause": one.cause,
                        "flags": [],
                        "reason": one.reason,
                        "prompt_hash": f"hash-{row.case_id}-{row.variant}",
                        "prompt": f"Rate this answer from 1 to 5.\n\n{row.output}",
                        "reply": '{"reason": "…", "score": ' + str(one.score) + "}",
                        "model_returned": "judge-2025",
                        "params_requested": {"temperature": 0, "seed": 7},
                        "params_applied": {"seed": 7},
                        "cached": False,
                        "repaired": False,
                        "input_tokens": 120,
                        "output_tokens": 20,
                        "cost_usd": 0.0004,
                        "latency_s": 0.8,
                    }
                )

    figures = {"target_input_tokens": 40, "target_output_tokens": 12, "target_latency_s": 0.5}
    good = "## Summary\nRevenue rose 12%.\n\n## Key decisions\n- renew two contracts"
    add(
        case("q1-report", "v1", "pass", output=good, **figures),
        result("q1-report", "v1", "contains", "pass", reason="all found"),
        judged("q1-report", "v1", "helpfulness", "scored", score=3.0, reason="Complete, but dry."),
        context=[{"id": "r1", "text": "Revenue $4.2M, up 12%."}],
        reference="Revenue rose 12%.",
    )
    add(
        case("q1-report", "v2", "pass", output=good + "\n\n🎉 done", **figures),
        result("q1-report", "v2", "contains", "pass", reason="all found"),
        judged("q1-report", "v2", "helpfulness", "scored", score=5.0, reason="Says what to do next."),
        tool_calls=[{"name": "search", "args": {"q": "renewals"}, "result": {"hits": 2}}],
    )
    add(
        case("late-parcel", "v1", "pass", output="Your parcel is late; the fee is refunded by Friday."),
        result("late-parcel", "v1", "contains", "pass", reason="found all of: deadline"),
        judged("late-parcel", "v1", "helpfulness", "unscored", cause="parse", reason="no score in the reply"),
    )
    missing = "missing: deadline"
    add(
        case("late-parcel", "v2", "fail", output="The fee is due at the office.", reason=f"contains: {missing}"),
        result("late-parcel", "v2", "contains", "fail", score=2 / 3, reason=missing),
        result("late-parcel", "v2", "golden", "fail", reason="differs from late-parcel.golden.md in 1 line"),
        judged("late-parcel", "v2", "helpfulness", "skipped", cause="check:contains"),
    )
    checks[-2] |= {"spans": [[4, 7], [22, 28]], "detail": {"found": ["fee", "office"]}}
    checks[-1] |= {"detail": {"diff": "--- golden\n+++ output\n@@ -1 +1 @@\n-by Friday\n+at the office"}}
    down = "rate_limit"
    add(
        case("outage", "v1", "error", output=None, cause=down, reason="contains: no output (rate_limit)"),
        result("outage", "v1", "contains", "error", cause=down, reason="no output"),
        cause=down,
        message="429 three times",
    )
    add(
        case("outage", "v2", "pass"),
        result("outage", "v2", "contains", "pass", reason="all found"),
        judged("outage", "v2", "helpfulness", "scored", score=4.0, reason="Short and right."),
    )
    for variant in ("v1", "v2"):
        add(
            case("bad-on-purpose", variant, "negative_ok", reason="fails as it should: source_coverage"),
            result("bad-on-purpose", variant, "source_coverage", "fail", kind="rubric", score=0.7966, threshold=0.8),
        )
        add(case("only-read", variant, "skipped", cause="no_expectation", reason="nothing is expected"))

    counts = {"cases": 10, "pass": 4, "fail": 1, "error": 1, "skipped": 2, "negative_ok": 2}
    summary = {
        "run_id": RUN_ID,
        "partial": False,
        "decision": {
            "passed": False,
            "exit_code": 1,
            "reasons": ["v2: 1 of 3 cases failed: late-parcel."],
            "rules": [rule("fails", reason="1 of 3 cases failed: late-parcel."), rule("holds", rule="max_errors")],
        },
        "counts": counts,
        "by_variant": {
            "v1": {"cases": 5, "pass": 2, "fail": 0, "error": 1, "skipped": 1, "negative_ok": 1},
            "v2": {"cases": 5, "pass": 2, "fail": 1, "error": 0, "skipped": 1, "negative_ok": 1},
        },
        "estimates": [
            estimate("v1", "contains", "check", 2, 3, mean=1.0, pass_rate=1.0, pass_rate_low=0.34, pass_rate_high=1.0),
            estimate("v2", "contains", "check", 3, 3, mean=8 / 9, ci_low=0.41, ci_high=1.0, pass_rate=2 / 3),
            estimate("v1", "helpfulness", "judge", 1, 2, mean=3.0, reason="one case has no interval"),
            estimate("v2", "helpfulness", "judge", 2, 3, mean=4.5, ci_low=1.9, ci_high=5.0),
        ],
        "cost": {"target_usd": None, "judge_usd": 0.0016, "saved_usd": 0.0004, "unpriced": ["house-model"]},
        "tokens": {"target_input": 80, "target_output": 24, "judge_input": 480, "judge_output": 80},
        "judge_calls": {"made": 4, "cached": 0, "skipped": 1},
        "comparisons": [
            {
                "suite": "briefings",
                "variant": "v2",
                "against": "v1",
                "metric": "helpfulness",
                "kind": "judge",
                "n": 1,
                "value": 5.0,
                "value_against": 3.0,
                "difference": 2.0,
                "ci_low": None,
                "ci_high": None,
                "level": 0.95,
                "p_value": None,
                "p_adjusted": None,
                "method": "paired t",
                "minimum_detectable_difference": None,
                "verdict": "unclear",
                "sentence": "helpfulness: v2 is 2 points above v1 on 1 case; one case cannot tell chance from effect.",
                "regressions": [{"case_id": "late-parcel", "reason": "pass to fail: missing: deadline"}],
                "improvements": [{"case_id": "q1-report", "reason": "3 to 5"}],
            }
        ],
        "warnings": ["temperature 0 was asked for and not applied by judge-2025."],
        "gated": {"briefings": ["v2"]},
    }
    manifest = {
        "run_id": RUN_ID,
        "started_at": "2025-01-02T03:04:05Z",
        "finished_at": "2025-01-02T03:04:09Z",
        "command": "judgekit score scenarios/ --judge replay:judge.jsonl",
        "versions": {"judgekit": "0.1.0", "python": "3.11.7"},
        "seed": 7,
        "suites": [
            {"name": "briefings", "file": "scenarios/briefings.yaml", "variants": ["v1", "v2"], "against": "v1"}
        ],
        "judges": [
            {
                "judge": "replay:judge.jsonl",
                "identity": "c0ffee1234567890",
                "rubric": "helpfulness",
                "params_requested": {"temperature": 0, "seed": 7},
                "params_applied": {"seed": 7},
            }
        ],
        "metrics": {
            "contains": {"kind": "check", "required": True, "definition": {"contains": ["revenue"]}, "hash": "aa"},
            "helpfulness": {
                "kind": "judge",
                "required": False,
                "definition": "helpfulness.yaml",
                "hash": "bb",
                "question": "Does the answer solve what the user asked?",
            },
        },
        "cases": {
            row.case_id: {
                "hash": "cc",
                "file": row.file,
                "line": row.line,
                "name": row.case_id,
                "description": "",
                "should_pass": row.status != "negative_ok",
            }
            for row in cases
        },
    }
    return RunData(tmp_path / RUN_ID, manifest, summary, outputs, checks, verdicts, results, cases)


@pytest.fixture
def with_output(run: RunData) -> Callable[[str], RunData]:
    """The small run with another text as the output of the failing case, and as its reasons."""

    def made(text: str) -> RunData:
        failing = ("late-parcel", "v2")
        outputs = [
            row | {"output": text} if (row["case_id"], row["variant"]) == failing else row for row in run.outputs
        ]
        cases = [
            row._replace(output=text, reason=text) if (row.case_id, row.variant) == failing else row
            for row in run.cases
        ]
        results = [row._replace(reason=text) if (row.case_id, row.variant) == failing else row for row in run.results]
        return RunData(run.path, run.manifest, run.summary, outputs, run.checks, run.verdicts, results, cases)

    return made
