"""A plan in, warnings out: what is allowed and yet probably not meant."""

from __future__ import annotations

from collections.abc import Iterator

from judgekit.pipeline.plan import Plan
from judgekit.records import Case, Rubric


def lint(plan: Plan) -> list[str]:
    """What a person would want to know before spending money on this plan, with file and line."""
    found: list[str] = []
    retrieved = {job.case.case_id for job in plan.jobs if job.output is not None and job.output.context}
    for case in plan.cases:
        where = f"{case.file}:{case.line}: " if case.line else f"{case.file}: "
        found += [f"{where}{message}" for message in _case(plan, case, retrieved)]
    found += [
        f'{job.case.file}:{job.case.line}: case "{job.case.case_id}" ({job.variant}): {job.output.message}'
        for job in plan.jobs
        if job.output is not None and job.output.cause == "no_output"
    ]
    return found


def _case(plan: Plan, case: Case, retrieved: set[str]) -> Iterator[str]:
    rubrics = plan.rubrics[case.case_id]
    for one in rubrics:
        if not isinstance(one.rubric, Rubric):
            continue
        if "reference" in one.rubric.needs and not (case.reference or "").strip():
            yield f'case "{case.case_id}": rubric "{one.name}" needs a `reference`; the row will be an error'
        if "context" in one.rubric.needs and not case.context and case.case_id not in retrieved:
            yield f'case "{case.case_id}": rubric "{one.name}" needs a `context`, unless the target retrieves one'
    required = any(use.required for use in case.checks) or any(one.required for one in rubrics)
    if not case.should_pass and not required:
        yield f'case "{case.case_id}" should fail, but nothing is required of it: it can never be negative_ok'
    elif not required and not case.no_expectation:
        yield f'case "{case.case_id}" has nothing required: it passes whatever the output is'
    if case.defect and case.should_pass:
        yield f'case "{case.case_id}" names a `defect` without `should_pass: false`'
