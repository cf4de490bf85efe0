"""Scores of several judges on outputs of several models in; whether a judge favours its own family, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.models.families import family_of
from judgekit.trust.probing import LEVEL, Finding, least_cases, said_p, upper_tail


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """How much better a judge scores its own family than a judge without a stake does, beside how it scores others."""

    judge: str
    metric: str
    family: str
    others: tuple[str, ...]
    """The judges of other families that it is compared with."""
    n: int
    """Cases with outputs of its own family and of another one."""
    up: int
    """Cases where its own family does better by it."""
    down: int
    difference: float | None
    """Mean over cases, in units of the rubric's scale."""
    low: float | None
    high: float | None
    p_value: float | None
    finding: Finding
    sentence: str

    @property
    def record(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        return asdict(self)


_Place = tuple[str, str, int]


def self_preferences(results: Iterable[ResultRow], cases: Iterable[CaseRow]) -> list[SelfPreference]:
    """Self-preference of each judge, as far as a run can tell; nobody is asked.

    For each output: the judge's score minus that of a judge of another family. For each case: the mean of that over
    outputs of the judge's own family, minus the mean over outputs of families that neither judge is of. That its own
    family is better, or that one judge is milder, cancels; what remains is this judge's. Exact sign test over cases,
    one-sided. With judges and outputs of only two families nobody could say which of the two judges is biased: then
    nothing is measured.

    Args:
        results: Rows of a run.
        cases: Its outputs; the model of each says which family wrote it.
    """
    families = {(row.case_id, row.variant, row.trial): family_of(row.target_model or "") for row in cases}
    scores: dict[str, dict[str, dict[_Place, float]]] = {}
    for row in results:
        if row.kind == "judge" and row.judge and row.score is not None and not row.against:
            place = (row.case_id, row.variant, row.trial)
            scores.setdefault(row.metric, {}).setdefault(row.judge, {})[place] = row.score
    found = []
    for metric, by_judge in scores.items():
        for judge in by_judge:
            family = family_of(judge)
            others = tuple(one for one in by_judge if family_of(one) not in (None, family))
            if family and others:
                one = _measured(judge, metric, family, others, by_judge, families)
                found += [one] if one.n else []
    return found


def _measured(
    judge: str,
    metric: str,
    family: str,
    others: tuple[str, ...],
    by_judge: Mapping[str, Mapping[_Place, float]],
    families: Mapping[_Place, str | None],
) -> SelfPreference:
    from judgekit.stats import mean_interval

    apart_by_case: dict[str, list[float]] = {}
    for other in others:
        cases: dict[str, tuple[list[float], list[float]]] = {}
        for place, score in by_judge[judge].items():
            wrote = families.get(place)
            # The other judge must have no stake: a favour of its own would look like disfavour of this one's.
            if wrote and wrote != family_of(other) and place in by_judge[other]:
                cases.setdefault(place[0], ([], []))[wrote != family].append(score - by_judge[other][place])
        for case_id, (own, rest) in cases.items():
            if own and rest:
                apart_by_case.setdefault(case_id, []).append(sum(own) / len(own) - sum(rest) / len(rest))
    apart = [sum(many) / len(many) for many in apart_by_case.values()]
    up, down = sum(one > 1e-9 for one in apart), sum(one < -1e-9 for one in apart)
    p_value = upper_tail(up, up + down) if up + down else None
    mean = mean_interval(apart)
    ends = "" if mean.low is None else f" [{mean.low:+.2f}, {mean.high or 0:+.2f}]"
    n_cases = f"{len(apart)} {'case' if len(apart) == 1 else 'cases'}"
    figures = f"{mean.value or 0:+.2f}{ends} in {n_cases}, {up} up and {down} down{said_p(p_value)}"
    finding: Finding = "not shown"
    sentence = f"not shown: answers of the family {family} against others, beside {', '.join(others)}: {figures}"
    if p_value is not None and p_value <= LEVEL:
        finding = "biased"
        sentence = f"the judge favours its own family {family}, beside {', '.join(others)}: {figures}"
    elif len(apart) < (least := least_cases(1, two_sided=False)):
        finding, sentence = "too few", f"too few: at least {least} cases are needed to show anything; {figures}"
    return SelfPreference(
        judge, metric, family, others, len(apart), up, down, mean.value, mean.low, mean.high, p_value, finding, sentence
    )
