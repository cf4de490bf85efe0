"""Outputs in; results of checks and deterministic rubrics out, without a model."""

from __future__ import annotations

from judgekit.frame.rows import STOPPED, Measured
from judgekit.pipeline.rubrics import PlannedRubric
from judgekit.records import Case, CheckResult, Output, Rubric
from judgekit.rubrics.base import apply


def measure(case: Case, output: Output, rubrics: tuple[PlannedRubric, ...]) -> list[Measured]:
    """Every check and deterministic rubric of a case on one output."""
    if output.cause in STOPPED:
        stopped = CheckResult("skipped", None, output.message, cause=output.cause)
        found = [Measured("check", use.metric, use.required, stopped) for use in case.checks]
        return found + [Measured("rubric", one.name, one.required, stopped) for one in rubrics if not one.judged]
    found = [
        Measured("check", use.metric, use.required, use.check.evaluate(output, case, negated=use.negated))
        for use in case.checks
    ]
    for one in rubrics:
        if not isinstance(one.rubric, Rubric):
            result = apply(one.rubric, one.use, output, case)
            found.append(Measured("rubric", one.name, one.required, result, one.threshold))
    return found
