"""A suite in; whether it can fail, shown on damaged copies of its own good outputs, out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from judgekit.checks.golden import Golden
from judgekit.frame.panels import PANEL
from judgekit.frame.rows import Judged, Measured
from judgekit.gate import decide_kill_rate
from judgekit.pipeline.collecting import collect
from judgekit.pipeline.judging import Ask, asks, judge_all, judged_rows
from judgekit.pipeline.measure import measure
from judgekit.pipeline.options import Options
from judgekit.pipeline.panels import with_panels
from judgekit.pipeline.plan import Plan, make_plan
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.result import decision_record
from judgekit.pipeline.sources import Job
from judgekit.pipeline.spent import calls_made, usd_of
from judgekit.pool import Interrupts
from judgekit.reading.text import read_text
from judgekit.records import Case, Decision, Judgment, Output, Status
from judgekit.targets.prompted import PromptTarget
from judgekit.trust.mutants import Kill, KillRate, Mutant, Outcome, kill_rates, mutants_of

REPLAY = "replay:"
_DECIDED = ("pass", "fail", "scored")


@dataclass(frozen=True)
class Proof:
    """What a suite made of its mutants."""

    outcomes: tuple[Outcome, ...]
    rates: tuple[KillRate, ...]
    """Of the suite as a whole first, then of each check, rubric and judge, then by kind of damage."""
    left_out: Mapping[str, str]
    """Why a case gave no mutants, by case id."""
    notes: tuple[str, ...]
    decision: Decision
    calls: tuple[Judgment, ...]
    """What the judges were asked."""

    @property
    def survivors(self) -> list[Outcome]:
        """Mutants that no required check, rubric or judge noticed."""
        return [one for one in self.outcomes if one.killed is False]

    @property
    def unresolved(self) -> list[Outcome]:
        """Mutants without a result."""
        return [one for one in self.outcomes if one.killed is None]

    @property
    def record(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        return {
            "kill_rate": _rate_record(self.rates[0]),
            "metrics": [_rate_record(one) for one in self.rates[1:] if one.kind != "mutation"],
            "mutations": [_rate_record(one) for one in self.rates if one.kind == "mutation"],
            "survivors": [_outcome_record(one) for one in self.survivors],
            "unresolved": [_outcome_record(one) for one in self.unresolved],
            "left_out": dict(self.left_out),
            "notes": list(self.notes),
            "decision": decision_record(self.decision),
            "judge_calls": calls_made(self.calls),
            "judge_usd": usd_of(self.calls),
        }


def _rate_record(one: KillRate) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind,
        "rate": one.estimate.value,
        "low": one.estimate.low,
        "high": one.estimate.high,
        "level": one.estimate.level,
        "method": one.estimate.method,
        "killed": one.killed,
        "n": one.n,
        "n_open": one.n_open,
        "n_cases": one.n_cases,
    }


def _outcome_record(one: Outcome) -> dict[str, Any]:
    return {
        "case_id": one.mutant.case_id,
        "mutation": one.mutant.mutation,
        "change": one.mutant.change,
        "hint": hint_of(one),
        "noticed_by": one.noticed_by,
        "why_open": one.why_open,
    }


def hint_of(one: Outcome) -> str:
    """What would make the suite notice a mutant."""
    panels = {metric for _, name in one.by for metric, _, judge in [name.partition(" [")] if judge == f"{PANEL}]"}
    outvoted = [name for name in one.noticed_by if name.partition(" [")[0] in panels]
    if outvoted and outvoted == one.noticed_by:
        return f"{', '.join(outvoted)} notices it and is outvoted by the panel"
    if one.noticed_by:
        return f"{', '.join(one.noticed_by)} notices it and is not required: `required: true` makes it count"
    return one.mutant.hint


@dataclass(frozen=True)
class _Seen:
    """One text of one case with all results."""

    output: Output
    measured: Sequence[Measured]
    judged: Sequence[Judged]


@dataclass(frozen=True)
class _Base:
    """A good output of one case."""

    case: Case
    seen: _Seen


def prove(options: Options, *, judge: bool = True) -> Proof:
    """Damage the good outputs of a suite and see what its checks, rubrics and judges notice.

    Good outputs are recorded ones, a case's own `output`, those of a faux script and golden files, as far as they pass;
    no model, program or server is asked for one. One output a case is damaged, in each way that applies to it. A judge
    is asked where it would be in a run: about what the required checks let through.

    Args:
        options: What to prove, as for a run.
        judge: Whether to ask the judges.

    Raises:
        InputError: the user's files or arguments.
        RunStopped: a key is missing or refused, or the budget is spent.
        KeyboardInterrupt: a person interrupted.
    """
    plan = make_plan(options)
    plan, notes = _with_judges(plan, judge)
    plan.doors.raise_missing_keys(plan.live_judges)
    calls: list[Judgment] = []
    with plan.doors, Interrupts() as interrupts:
        bases, left_out = _bases(plan, calls, interrupts)
        notes += _nothing_required(bases)
        pairs = [(base, mutant) for base in bases for mutant in _mutants(plan, base)]
        texts = [(base.case, replace(base.seen.output, text=mutant.text)) for base, mutant in pairs]
        found = _see(plan, texts, calls, interrupts)
    masker = Masker(plan.project.settings.redact)
    outcomes = tuple(_outcome(base, mutant, seen, masker) for (base, mutant), seen in zip(pairs, found, strict=True))
    killed, n_open = sum(one.killed is True for one in outcomes), sum(one.killed is None for one in outcomes)
    decision = decide_kill_rate(
        plan.project.settings.gate.kill_rate, killed, n_open, len(outcomes), no_gate=options.no_gate
    )
    left_out = {case_id: masker.text(why) for case_id, why in left_out.items()}
    return Proof(outcomes, tuple(kill_rates(outcomes)), left_out, tuple(notes), decision, tuple(calls))


def _with_judges(plan: Plan, wanted: bool) -> tuple[Plan, list[str]]:
    """The plan with the judges that can judge a text that nobody has seen, and what is left out."""
    named = {name for names in plan.judges.values() for name in names}
    replays = sorted(name for name in named if name.startswith(REPLAY))
    kept = {suite: tuple(one for one in names if wanted and one not in replays) for suite, names in plan.judges.items()}
    plan = replace(plan, judges=kept)
    judged = {
        one.name: None
        for case in plan.cases
        for one in plan.rubrics[case.case_id]
        if one.judged and not kept[case.suite]
    }
    notes = []
    if judged and replays and wanted:
        notes.append(f"{', '.join(replays)}: a recording knows no damaged outputs and is not asked")
    if judged:
        notes.append(f"no judge is asked about {', '.join(judged)}: only checks and rubrics without a model are proved")
    return plan, notes


def _bases(plan: Plan, calls: list[Judgment], interrupts: Interrupts) -> tuple[list[_Base], dict[str, str]]:
    """One good output of each case, and why a case has none."""
    left_out: dict[str, str] = {}
    by_case: dict[str, list[Job]] = {}
    jobs = []
    for job in plan.jobs:
        if not job.case.should_pass or job.case.no_expectation:
            continue
        by_case.setdefault(job.case.case_id, []).append(job)
        if job.output is not None or (isinstance(job.target, PromptTarget) and job.target.scripted):
            jobs.append(job)
    collected = collect(replace(plan, jobs=tuple(jobs)), lambda job, output: None, interrupts)
    if collected.interrupted:
        raise KeyboardInterrupt
    candidates: dict[str, list[tuple[Case, Output]]] = {case_id: [] for case_id in by_case}
    for job, output in zip(jobs, collected.outputs, strict=True):
        candidates[job.case.case_id].append((job.case, output))
    chosen = []
    for case_id, mine in by_case.items():
        found = _good(plan, [*candidates[case_id], *_golden(mine[0].case)])
        if isinstance(found, str):
            left_out[case_id] = found
        else:
            chosen.append(found)
    seen = _see(plan, chosen, calls, interrupts)
    bases = []
    for (case, _), one in zip(chosen, seen, strict=True):
        wrong = [row for row in one.judged if row.required and row.verdict.status not in ("pass", "scored", "skipped")]
        if wrong:
            left_out[case.case_id] = f"its output does not pass {wrong[0].metric}: {wrong[0].verdict.reason}"
        else:
            bases.append(_Base(case, one))
    return bases, left_out


def _nothing_required(bases: Sequence[_Base]) -> list[str]:
    free = [
        base
        for base in bases
        if not any(one.required for one in base.seen.measured) and not any(one.required for one in base.seen.judged)
    ]
    if not free:
        return []
    n = f"{len(free)} of {len(bases)} {'case' if len(bases) == 1 else 'cases'}"
    return [f"{n} with nothing required: they pass whatever the output is, and every mutant survives"]


def _golden(case: Case) -> Iterable[tuple[Case, Output]]:
    for use in case.checks:
        if isinstance(use.check, Golden) and not use.negated and use.check.path.exists():
            yield case, Output(read_text(use.check.path, what="golden file"), case.case_id)


def _good(plan: Plan, candidates: Sequence[tuple[Case, Output]]) -> tuple[Case, Output] | str:
    """The first output that passes what is required without a judge, or why there is none."""
    why = "there is no recorded output, `output`, faux script or golden file; nobody is asked for one (--outputs FILE)"
    for number, (case, output) in enumerate(candidates):
        wrong = [
            one
            for one in measure(case, output, plan.rubrics[case.case_id])
            if one.required and one.result.status not in ("pass", "scored")
        ]
        if output.text is not None and not wrong:
            return case, output
        if not number and output.cause != "no_output":
            said = f"{wrong[0].metric}: {wrong[0].result.reason}" if wrong else output.message
            why = f"its output does not pass: {said}"
    return why


def _mutants(plan: Plan, base: _Base) -> list[Mutant]:
    judged = any(row.judge is not None for row in base.seen.judged)
    return mutants_of(base.seen.output.text or "", base.case, seed=plan.options.seed, judged=judged)


def _see(
    plan: Plan, texts: Sequence[tuple[Case, Output]], calls: list[Judgment], interrupts: Interrupts
) -> list[_Seen]:
    """All results of some outputs; a judge is asked about what the required checks let through."""
    measured = [measure(case, output, plan.rubrics[case.case_id]) for case, output in texts]
    wanted = [asks(plan, case, output, one) for (case, output), one in zip(texts, measured, strict=True)]
    judged = judge_all(plan, [ask for group in wanted for ask in group], calls.append, interrupts)
    if judged.interrupted:
        raise KeyboardInterrupt
    if judged.stopped:
        raise judged.stopped
    answers = iter(judged.judgments)

    def rows(group: Sequence[Ask]) -> list[Judged]:
        # Items of a checklist decide nothing by themselves; the rubric's own row comes first.
        return with_panels([(ask.rubric, judged_rows(plan, ask, next(answers))[:1]) for ask in group])

    return [_Seen(output, one, rows(group)) for (_, output), one, group in zip(texts, measured, wanted, strict=True)]


@dataclass(frozen=True, slots=True)
class _Result:
    """What one check, rubric or judge said of one text."""

    required: bool
    status: Status
    score: Fraction | float | None
    reason: str


def _results(seen: _Seen) -> dict[tuple[str, str], _Result]:
    found = {
        (one.kind, one.metric): _Result(one.required, one.result.status, one.result.score, one.result.reason)
        for one in seen.measured
    }
    for row in seen.judged:
        if row.judge is not None and row.verdict.status != "skipped":
            verdict = row.verdict
            said = _Result(row.required, verdict.status, verdict.score, verdict.reason or verdict.cause or "")
            found["judge", f"{row.metric} [{row.judge}]"] = said
    return found


def _outcome(base: _Base, mutant: Mutant, seen: _Seen, masker: Masker) -> Outcome:
    good, now = _results(base.seen), _results(seen)
    by: dict[tuple[str, str], Kill] = {}
    required: list[Kill] = []
    why = ""
    for key, one in now.items():
        before = good.get(key)
        if before is None or before.status not in ("pass", "scored"):
            continue
        kill = _noticed(before, one)
        by[key] = kill
        if one.required and one.status != "scored":
            required.append(kill)
            why = why or (f"{key[1]}: {one.reason}" if kill is None else "")
    killed = True if any(required) else None if None in required else False
    mutant = _masked(mutant, base.seen.output.text or "", masker)
    return Outcome(mutant, killed, by, masker.text(why) if killed is None else "")


def _masked(mutant: Mutant, text: str, masker: Masker) -> Mutant:
    """The mutant without what reports mask, nor a piece of it: a figure within a secret fits no pattern by itself."""
    shown = masker.text(text)
    if any(word in text and word not in shown for word in re.findall(r"\w{2,}", mutant.change)):
        return replace(mutant, change="a place that is masked", hint="nothing pins what is masked there")
    return replace(mutant, change=masker.text(mutant.change), hint=masker.text(mutant.hint))


def _noticed(before: _Result, now: _Result) -> Kill:
    """Failing where the good output passed; without a threshold, a lower score."""
    if now.status not in _DECIDED:
        return None
    if now.status != "scored":
        return now.status == "fail"
    if now.score is None or before.score is None:
        return None
    return now.score < before.score
