"""Judgments that are worse than the baseline in; what the judge says when it is asked again out.

One verdict of a judge is no regression: an answer on the edge passes today and fails tomorrow. So a new judged failure
is asked again, and counts as one only if more than half of the new answers say so, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from judgekit.errors import RunStopped
from judgekit.frame.baselines.known import CONFIRMED, FLAKY, UNCONFIRMED, Baseline, Scored
from judgekit.frame.changed import parts_changed
from judgekit.frame.tables import ResultRow
from judgekit.judges.prompting import judge_identity
from judgekit.pipeline.describe import case_definitions
from judgekit.pipeline.hashes import asked
from judgekit.pipeline.judging import Ask, judge_all, judge_params, judged_rows, samples_of
from judgekit.pipeline.plan import Plan
from judgekit.pool import Interrupts
from judgekit.records import Judgment, Verdict

TIMES = 3
"""How often a new judged failure is asked again, where --confirm does not say."""

Key = tuple[str, str, int, str, str]
"""case_id, variant, trial, rubric, judge."""


@dataclass
class Confirmed:
    """What asking again has brought."""

    said: dict[Key, str] = field(default_factory=dict)
    """FLAKY, CONFIRMED, or UNCONFIRMED where no new answer could be read."""
    judgments: list[Judgment] = field(default_factory=list)
    interrupted: bool = False
    stopped: RunStopped | None = None


def flagged(row: ResultRow, said: Mapping[Key, str]) -> ResultRow:
    """The row with what asking again has shown among its flags."""
    flag = said.get((row.case_id, row.variant, row.trial, row.metric, row.judge or ""))
    return row if flag is None else row._replace(flags=";".join(one for one in (row.flags, flag) if one))


@dataclass(frozen=True, slots=True)
class _Doubt:
    ask: Ask
    before: Scored
    key: Key


def confirm(
    plan: Plan,
    baseline: Baseline,
    wanted: Sequence[Ask],
    judgments: Sequence[Sequence[Judgment]],
    keep: Callable[[Judgment], None],
    interrupts: Interrupts,
) -> Confirmed:
    """Ask again about every judgment that is worse than the baseline's.

    Only as often as it takes: two of three answers that agree decide.

    Args:
        plan: Models, and how often to ask.
        baseline: What was.
        wanted: What was asked.
        judgments: What came of each.
        keep: Called with each new judgment as it arrives.
        interrupts: Ctrl-C so far.
    """
    found = Confirmed()
    times = TIMES if plan.options.confirm is None else plan.options.confirm
    open_ones = list(_doubts(plan, baseline, wanted, judgments)) if times else []
    worse: dict[Key, int] = dict.fromkeys((one.key for one in open_ones), 0)
    read: dict[Key, int] = dict(worse)
    first = samples_of(plan)
    need = times // 2 + 1
    start = 0
    while open_ones and start < times and not found.interrupted and not found.stopped:
        # As many at once as could decide, then one at a time.
        stop = need if not start else start + 1
        again = judge_all(
            plan, [one.ask for one in open_ones], keep, interrupts, samples=range(first + start, first + stop)
        )
        found.interrupted, found.stopped = again.interrupted, again.stopped
        for one, answers in zip(open_ones, again.judgments, strict=True):
            found.judgments += answers
            for answer in answers:
                is_worse = _is_worse(one.before, answer.verdict)
                if is_worse is not None:
                    read[one.key] += 1
                    worse[one.key] += is_worse
        start = stop
        open_ones = [one for one in open_ones if not _is_decided(worse[one.key], read[one.key], times - start)]
    for key, n in read.items():
        found.said[key] = UNCONFIRMED if not n else CONFIRMED if 2 * worse[key] > n else FLAKY
    return found


def _is_decided(worse: int, read: int, left: int) -> bool:
    """Whether the answers that are left could change what more than half of all say."""
    return 2 * worse > read + left or 2 * (worse + left) <= read + left


def _doubts(
    plan: Plan, baseline: Baseline, wanted: Sequence[Ask], judgments: Sequence[Sequence[Judgment]]
) -> list[_Doubt]:
    definitions = case_definitions(plan)
    params = judge_params(plan)
    found = []
    for ask, answers in zip(wanted, judgments, strict=True):
        output = ask.output
        # A baseline holds verdicts on single outputs.
        if (
            ask.judge is None
            or ask.pair is not None
            or not answers
            or output.variant not in plan.gated.get(ask.case.suite, ())
        ):
            continue
        known = baseline.cases.get((ask.case.case_id, output.variant))
        name = plan.models[ask.judge].name
        before = known.judged.get((ask.rubric.name, name)) if known is not None else None
        if known is None or before is None or parts_changed(list(known.asks), asked(ask.case)):
            continue
        same = before.definition == definitions[ask.case.case_id].get(ask.rubric.name)
        if not same or before.identity != judge_identity(name, ask.rubric, params):
            continue
        verdict = judged_rows(plan, ask, answers)[0].verdict
        if _is_worse(before, verdict):
            key = (ask.case.case_id, output.variant, output.trial, ask.rubric.name, name)
            found.append(_Doubt(ask, before, key))
    return found


def _is_worse(before: Scored, verdict: Verdict) -> bool | None:
    """Whether a verdict is worse than the baseline; None where it can't be read."""
    if verdict.status not in ("pass", "fail", "scored"):
        return None
    if before.passed is not None:
        return None if verdict.passed is None else float(verdict.passed) < before.passed
    return None if verdict.score is None or before.score is None else verdict.score < before.score
