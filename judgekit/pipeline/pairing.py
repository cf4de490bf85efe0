"""Outputs of a case in; the pairs that a judge is to compare out, with what is skipped and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judgekit.frame.rows import Measured
from judgekit.judges.pairwise import REFERENCE, Pair
from judgekit.pipeline.judging import Ask, failed_check
from judgekit.pipeline.plan import Plan
from judgekit.records import Case, Output

Others = Mapping[tuple[str, str, int], tuple[Output, Sequence[Measured]]]
"""Output and its measured results by case id, variant and trial."""


def others_of(found: Iterable[tuple[Case, Output, Sequence[Measured]]]) -> Others:
    """What an output can be compared with."""
    return {(case.case_id, output.variant, output.trial): (output, measured) for case, output, measured in found}


def pair_asks(plan: Plan, case: Case, output: Output, measured: Sequence[Measured], others: Others) -> list[Ask]:
    """What the judges are to be asked about one output beside others, with what is skipped and why.

    A pair is skipped if either output failed a required check, unless `--judge-all`.
    """
    if case.no_expectation:
        return []
    judges = plan.judges.get(case.suite, ())
    found = []
    for planned in plan.pairwise:
        for variant, against in plan.pairs.get(case.suite, ()):
            if variant != output.variant:
                continue
            other, its_results = _other(case, against, output, others)
            failed = failed_check([*measured, *its_results])
            skip = f"check:{failed}" if failed and not plan.options.judge_all else None
            pair = Pair(output, other, against)
            if not judges:
                found.append(Ask(case, output, planned, None, "no_judge", pair))
            found += [Ask(case, output, planned, judge, skip, pair) for judge in judges]
    return found


def _other(case: Case, against: str, output: Output, others: Others) -> tuple[Output, Sequence[Measured]]:
    nothing = Output(None, case.case_id, against, output.trial, cause="no_output")
    found = others.get((case.case_id, against, output.trial))
    if found is None and against == REFERENCE:
        return Output(case.reference if (case.reference or "").strip() else None, case.case_id, REFERENCE), ()
    return found or (nothing, ())
