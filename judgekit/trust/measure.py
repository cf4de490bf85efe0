"""Labelled outputs of one judge in; every figure of how far it agrees with people out, each over cases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgekit.trust.matching import Pair
from judgekit.trust.people import people_among_themselves
from judgekit.trust.rates import rate
from judgekit.trust.threshold import Threshold, best_threshold

if TYPE_CHECKING:
    from judgekit.stats import Estimate
    from judgekit.stats.correlations import Kind

LEAST_LABELS = 10
"""Below this many labelled outputs no coefficient is given: it would be noise with a name."""
LEVEL = 0.95
_MOST_POINTS = 101


@dataclass(frozen=True)
class Figures:
    """How far a judge agrees with people; what could not be measured has value None and a reason."""

    n_outputs: int
    """Labelled outputs with a verdict and a common rating of people."""
    n_compared: int
    """Those among them that the headline compares."""
    n_cases: int
    """Cases of those."""
    estimates: Mapping[str, Estimate]
    """By name: agreement, kappa, ac1, alpha, sensitivity, …; of labels and scores with `label_`, `score_` before it."""
    headline: str
    """Name of the estimate that the badge goes by; empty where there is none."""
    confusion: tuple[tuple[str, ...], tuple[tuple[int, ...], ...]] | None
    """Names, and rows by people with columns by the judge."""
    threshold: Threshold | None
    ceiling: Mapping[str, Estimate]
    """People among themselves, where an output has several annotators."""


def measure(
    pairs: Sequence[Pair], labels: Mapping[str, float], scale: tuple[float, float], *, level: float = LEVEL
) -> Figures:
    """The figures of some labelled outputs of one judge.

    Args:
        pairs: Outputs with what people and the judge say.
        labels: Labels of the rubric with their scores; empty for one with a scale.
        scale: Ends of the rubric's scale.
        level: Confidence level of all intervals.
    """
    # An output that splits the annotators says nothing of the judge, and much of the people.
    ceiling = people_among_themselves(pairs, level=level)
    pairs = [one for one in pairs if one.people.says_something]
    estimates: dict[str, Estimate] = {}
    confusion = None
    decided = [one for one in pairs if one.people.passed is not None and one.judge.passed is not None]
    named = [one for one in pairs if one.people.label is not None and one.judge.label is not None]
    scored = [one for one in pairs if one.people.score is not None and one.judge.score is not None]
    if decided:
        found, confusion = _binary(decided, level)
        estimates |= found
    if decided and len(labels) == 2:
        # Pass and fail by other names.
        named = scored = []
    if named and (labels or any(one.against for one in named)):
        names = list(labels) or ["loss", "tie", "win"]
        found, of_labels = _named(named, names, level)
        estimates |= found
        confusion = confusion or of_labels
    if scored:
        points = _points(scored, labels, scale)
        estimates |= _scored(scored, points, scale, level)
    estimates |= _ranks(pairs, level)
    threshold = best_threshold(pairs, level=level) if len(pairs) >= 2 * LEAST_LABELS else None
    if threshold is not None and not decided:
        estimates["threshold_kappa"] = threshold.kappa
    headline = next((name for name in _HEADLINES if name in estimates), "")
    compared = {"kappa": decided, "label_kappa": named, "threshold_kappa": pairs}.get(headline, scored)
    return Figures(
        n_outputs=len(pairs),
        n_compared=len(compared),
        n_cases=len({one.case_id for one in compared}),
        estimates=estimates,
        headline=headline,
        confusion=confusion,
        threshold=threshold,
        ceiling=ceiling,
    )


_HEADLINES = ("kappa", "label_kappa", "score_kappa", "score_alpha", "threshold_kappa")


def _coefficients(n: int, level: float, **ways: Callable[[], Estimate]) -> dict[str, Estimate]:
    """Each coefficient by its name, or the reason why so few labels can't give it."""
    from judgekit.stats.results import undefined

    if n < LEAST_LABELS:
        return dict.fromkeys(ways, undefined(too_few(n), level=level, method="none", n=n))
    return {name: way() for name, way in ways.items()}


def too_few(n: int) -> str:
    """What is said of fewer labels than any coefficient needs."""
    return f"only {n} {'label' if n == 1 else 'labels'}, at least {LEAST_LABELS} are needed"


def _binary(pairs: Sequence[Pair], level: float) -> tuple[dict[str, Estimate], Any]:
    from judgekit.stats import cohen_kappa, gwet_ac1, krippendorff_alpha

    people, judge = [bool(one.people.passed) for one in pairs], [bool(one.judge.passed) for one in pairs]
    cases = [one.case_id for one in pairs]
    on_passing = [(j, case) for p, j, case in zip(people, judge, cases, strict=True) if p]
    on_failing = [(not j, case) for p, j, case in zip(people, judge, cases, strict=True) if not p]
    found = {
        "agreement": rate([p == j for p, j in zip(people, judge, strict=True)], cases, level),
        "people_pass_rate": rate(people, cases, level),
        "judge_pass_rate": rate(judge, cases, level),
        "sensitivity": _hits(on_passing, "people passed none of these outputs", level),
        "specificity": _hits(on_failing, "people failed none of these outputs", level),
    }
    ratings = list(zip(people, judge, strict=True))
    found |= _coefficients(
        len(pairs),
        level,
        kappa=lambda: cohen_kappa(people, judge, cases, level=level),
        ac1=lambda: gwet_ac1(people, judge, cases, scale=[False, True], level=level),
        alpha=lambda: krippendorff_alpha(ratings, "nominal", cases, confidence=level),
    )
    return found, _table(_words(people), _words(judge))


def _words(passed: Sequence[bool]) -> list[str]:
    return ["pass" if one else "fail" for one in passed]


def _hits(found: Sequence[tuple[bool, str]], nothing: str, level: float) -> Estimate:
    from judgekit.stats.results import undefined

    if not found:
        return undefined(nothing, level=level, method="Wilson")
    return rate([hit for hit, _ in found], [case for _, case in found], level)


def _table(people: Sequence[str], judge: Sequence[str], names: Sequence[str] = ("fail", "pass")) -> Any:
    from judgekit.stats import confusion

    whole = confusion(people, judge, scale=names)
    return tuple(map(str, whole.names)), whole.table


def _named(pairs: Sequence[Pair], names: Sequence[str], level: float) -> tuple[dict[str, Estimate], Any]:
    from judgekit.stats import cohen_kappa, gwet_ac1, krippendorff_alpha

    people, judge = [str(one.people.label) for one in pairs], [str(one.judge.label) for one in pairs]
    cases = [one.case_id for one in pairs]
    found = {"label_agreement": rate([p == j for p, j in zip(people, judge, strict=True)], cases, level)}
    ratings = list(zip(people, judge, strict=True))
    found |= _coefficients(
        len(pairs),
        level,
        label_kappa=lambda: cohen_kappa(people, judge, cases, scale=names, level=level),
        label_ac1=lambda: gwet_ac1(people, judge, cases, scale=names, level=level),
        label_alpha=lambda: krippendorff_alpha(ratings, "nominal", cases, confidence=level),
    )
    return found, _table(people, judge, names)


def _points(pairs: Sequence[Pair], labels: Mapping[str, float], scale: tuple[float, float]) -> list[float] | None:
    """The points of an ordered scale, all of them; None where scores lie between points."""
    if labels or any(one.against for one in pairs):
        return sorted(set(labels.values())) or [0.0, 0.5, 1.0]
    low, high = scale
    if not (float(low).is_integer() and float(high).is_integer() and high - low < _MOST_POINTS):
        return None
    values = [score for one in pairs for score in (one.people.score, one.judge.score) if score is not None]
    return [float(one) for one in range(int(low), int(high) + 1)] if all(map(float.is_integer, values)) else None


def _scored(
    pairs: Sequence[Pair], points: list[float] | None, scale: tuple[float, float], level: float
) -> dict[str, Estimate]:
    from judgekit.stats import cohen_kappa, gwet_ac2, krippendorff_alpha, mean_interval

    people = [float(one.people.score or 0.0) for one in pairs]
    judge = [float(one.judge.score or 0.0) for one in pairs]
    cases: list[Hashable] = [one.case_id for one in pairs]
    differences = [j - p for p, j in zip(people, judge, strict=True)]
    found = {
        "score_people_mean": mean_interval(people, cases, level=level, bounds=scale),
        "score_judge_mean": mean_interval(judge, cases, level=level, bounds=scale),
        "score_difference": mean_interval(differences, cases, level=level),
    }
    if points is not None:
        found["score_agreement"] = rate([one == 0 for one in differences], [one.case_id for one in pairs], level)
    ratings = list(zip(people, judge, strict=True))
    if points is not None:
        full: list[Hashable] = list(points)
        found |= _coefficients(
            len(pairs),
            level,
            score_kappa=lambda: cohen_kappa(people, judge, cases, weights="quadratic", scale=full, level=level),
            score_ac2=lambda: gwet_ac2(ratings, cases, weights="quadratic", scale=full, level=level),
        )
    measurement: Any = "interval" if points is None else "ordinal"
    if len({*people, *judge}) <= _MOST_POINTS:
        found |= _coefficients(
            len(pairs), level, score_alpha=lambda: krippendorff_alpha(ratings, measurement, cases, confidence=level)
        )
    return found


def _ranks(pairs: Sequence[Pair], level: float) -> dict[str, Estimate]:
    """Rank correlations over all outputs, and within outputs to one and the same input where there are several."""
    from judgekit.stats import correlation, correlation_within

    ranked = [(_level(one), one.judge.score, one) for one in pairs if one.judge.score is not None]
    known = [(people, judge, one) for people, judge, one in ranked if people is not None]
    if len(known) < LEAST_LABELS:
        return {}
    people, judge = [one[0] for one in known], [float(one[1]) for one in known]
    if len(set(people)) <= 2 and len(set(judge)) <= 2:
        # Two values have no ranks; kappa says all there is.
        return {}
    cases, groups = [one.case_id for *_, one in known], [one.group for *_, one in known]
    kinds: tuple[Kind, ...] = ("spearman", "kendall", "pearson")
    found: dict[str, Estimate] = {
        kind: correlation(people, judge, cases, kind=kind, level=level, names=("people", "the judge")) for kind in kinds
    }
    if len(set(groups)) < len(groups):
        for kind in kinds[:2]:
            within = correlation_within(people, judge, groups, kind=kind, level=level)
            # One input alone speaks for no others.
            if within.n > 1:
                found[f"{kind}_within_input"] = within
    return found


def _level(pair: Pair) -> float | None:
    """What people say as a number to rank by."""
    if pair.people.score is not None:
        return pair.people.score
    return None if pair.people.passed is None else float(pair.people.passed)
