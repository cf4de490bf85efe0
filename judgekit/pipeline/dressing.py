"""Judged outputs in; asked of the judge again, as they are and dressed otherwise, and what it made of them, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from judgekit.pipeline.judging import AllJudged, Ask, judge_all, judged_rows
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.spent import calls_made, usd_of
from judgekit.pool import Interrupts
from judgekit.records import Judgment, Verdict
from judgekit.trust.probes import Probe, Shown
from judgekit.trust.probing import Probed, ProbeResult, probe_results, repeat_result


@dataclass(frozen=True)
class JudgeProbed:
    """One judge on one rubric under all probes."""

    judge: str
    judge_identity: str
    metric: str
    results: tuple[ProbeResult, ...]
    """The repeat first."""
    costs: Mapping[str, float | None]
    """USD by name of the probe; None is unknown."""
    n_calls: Mapping[str, int]
    """Calls made by name of the probe; replies that were known already are none."""


@dataclass(frozen=True, slots=True)
class Dressing:
    """One output under one probe."""

    base: int
    """Which of the outputs as they were."""
    probe: Probe
    towards: int
    ask: Ask


def ask_judges(
    plan: Plan, bases: Sequence[Ask], probes: Sequence[Probe], interrupts: Interrupts
) -> tuple[tuple[JudgeProbed, ...], AllJudged]:
    """What each judge makes of some outputs as they are, asked again, and dressed otherwise.

    Args:
        plan: Models, parameters, concurrency.
        bases: What the judges are asked about the outputs as they are.
        probes: How the outputs are dressed.
        interrupts: Ctrl-C so far.

    Returns:
        The results for each judge and rubric, of as much as was judged; and what ended the judging early, if anything.
    """
    # The second sample is asked with another seed: the same call would be answered from the cache, without any noise.
    twice = replace(plan, options=replace(plan.options, judge_samples=2))
    first = judge_all(twice, bases, _keep_nothing, interrupts)
    if first.stopped:
        return (), first
    dressed = list(dressings(bases, probes))
    once = replace(plan, options=replace(plan.options, judge_samples=1))
    second = judge_all(once, [one.ask for one in dressed], _keep_nothing, interrupts)
    unchanged = [_by_sample(plan, ask, said) for ask, said in zip(bases, first.judgments, strict=True)]
    groups: dict[tuple[str, str], list[int]] = {}
    for number, ask in enumerate(bases):
        groups.setdefault((ask.judge or "", ask.rubric.name), []).append(number)
    found = []
    for numbers in groups.values():
        mine = set(numbers)
        repeats = [
            Probed(bases[n].case.case_id, unchanged[n][0], None, unchanged[n][1])
            for n in numbers
            if {0, 1} <= unchanged[n].keys()
        ]
        by_probe: dict[str, list[Probed]] = {}
        made: dict[str, list[Judgment]] = {"repeat": [one for n in numbers for one in first.judgments[n]]}
        for one, said in zip(dressed, second.judgments, strict=True):
            if one.base not in mine or not said or 0 not in unchanged[one.base]:
                continue
            now = _by_sample(plan, one.ask, said)[0]
            before = unchanged[one.base]
            probed = Probed(one.ask.case.case_id, before[0], before.get(1), now, one.towards)
            by_probe.setdefault(one.probe.name, []).append(probed)
            made.setdefault(one.probe.name, []).extend(said)
        ask = bases[numbers[0]]
        row = judged_rows(plan, ask, first.judgments[numbers[0]])[0]
        results = (repeat_result(repeats), *probe_results(by_probe, probes, ask.rubric.bounds))
        names = [one.probe for one in results]
        found.append(
            JudgeProbed(
                row.judge or "",
                row.judge_identity or "",
                row.metric,
                results,
                {name: usd_of(made.get(name, ())) for name in names},
                {name: calls_made(made.get(name, ())) for name in names},
            )
        )
    return tuple(found), second


def _keep_nothing(judgment: Judgment) -> None:
    """What was paid for stands in the ledger already."""


def _by_sample(plan: Plan, ask: Ask, judgments: Sequence[Judgment]) -> dict[int, Verdict]:
    return {
        sample: judged_rows(plan, ask, [one for one in judgments if one.sample == sample])[0].verdict
        for sample in {one.sample for one in judgments}
    }


def dressings(bases: Sequence[Ask], probes: Sequence[Probe]) -> Iterable[Dressing]:
    """Every output under every probe that applies to it."""
    for number, ask in enumerate(bases):
        text = ask.output.text or ""
        shown = Shown(ask.judge or "", _other(bases, number))
        for one in probes:
            made = one.dress(text, shown)
            if made is not None and made.text != text:
                output = replace(ask.output, text=made.text)
                yield Dressing(number, one, made.towards, replace(ask, output=output))


def _other(bases: Sequence[Ask], number: int) -> str:
    """The output of the next case, for the same rubric; empty if there is none that differs."""
    own = bases[number]
    for step in range(1, len(bases)):
        other = bases[(number + step) % len(bases)]
        if other.case.case_id != own.case.case_id and other.output.text != own.output.text:
            return other.output.text or ""
    return ""
