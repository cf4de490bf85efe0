"""All pairs of a comparison in; intervals, tests, adjusted p-values and verdicts out.

Each pair of variants has one primary metric, and its p-value answers the question that was asked; the primary metrics
of several variants are one family for Holm, all other metrics are another. Everything is computed on columns at once:
the same resamples and the same sign patterns serve every metric.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgekit.frame.comparing.definitions import CASE
from judgekit.frame.comparing.flips import changed_checks, flips
from judgekit.frame.comparing.pairing import Pairs
from judgekit.frame.comparing.sides import Side
from judgekit.frame.comparing.wording import sentence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from judgekit.stats import Estimate, Test

BOOTSTRAP_FROM = 30
"""Independent cases from which on the interval is bootstrapped; of fewer cases the bootstrap is too narrow."""
MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """One metric of one pair of sides, to be compared."""

    pairs: Pairs
    new: Side
    old: Side
    names: Mapping[str, Any]
    """What the row says of the two: suite, variant, against, run, run_against, who."""
    primary: bool
    mismatch: str = ""
    """What is not the same in the two runs, and was compared all the same."""
    margin: float | None = None


def compare_all(
    asked: Sequence[Asked], clusters: Mapping[str, str], *, level: float = 0.95, seed: int = 0
) -> list[dict[str, Any]]:
    """One row per metric and pair, as `comparisons` in summary.json.

    Args:
        asked: What to compare.
        clusters: Cluster of each case; a case that is not in it is independent of all others.
        level: Confidence level of intervals, and 1 - level the limit for adjusted p-values.
        seed: Seed of resamples and sign patterns.
    """
    if not asked:
        return []
    table = _Table(asked, clusters)
    tests = table.tests(seed)
    bootstrapped = table.intervals(level, seed)
    adjusted, n_tests = holm_by_family([one.primary for one in asked], [test.p_value for test in tests])
    rows = []
    for number, one in enumerate(asked):
        row = _row(one, table.labels(number), tests[number], adjusted[number], bootstrapped.get(number), level)
        row["n_tests"] = n_tests[one.primary]
        row["sentence"] = sentence(row)
        row["regressions"], row["improvements"] = flips(one.pairs, one.new, one.old)
        rows.append(row)
    return rows


class _Table:
    """Cases by rows, metrics of pairs by columns."""

    def __init__(self, asked: Sequence[Asked], clusters: Mapping[str, str]) -> None:
        import numpy as np

        place: dict[str, int] = {}
        for one in asked:
            for case_id in one.pairs.case_ids:
                place.setdefault(case_id, len(place))
        self._asked = asked
        self._all = [clusters.get(case_id, case_id) for case_id in place]
        self._labels = [_labels(one.pairs.case_ids, clusters) for one in asked]
        self.new = np.zeros((len(place), len(asked)))
        self.old = np.zeros((len(place), len(asked)))
        self.there = np.zeros((len(place), len(asked)), dtype=bool)
        for number, one in enumerate(asked):
            at = [place[case_id] for case_id in one.pairs.case_ids]
            self.new[at, number], self.old[at, number] = one.pairs.new, one.pairs.old
            self.there[at, number] = True

    def labels(self, number: int) -> list[str] | None:
        """Clusters of the cases of one column, None if all are independent."""
        return self._labels[number]

    def tests(self, seed: int) -> list[Test]:
        """Exact McNemar for zeros and ones of independent cases, else sign flips; cases left out flip nothing."""
        from judgekit.stats import mcnemar, sign_flip_tests

        found: dict[int, Test] = {}
        for number in range(len(self._asked)):
            if self.labels(number) is None and self._is_binary(number):
                new, old = self._column(number)
                found[number] = mcnemar(int((new > old).sum()), int((new < old).sum()))
        others = [number for number in range(len(self._asked)) if number not in found]
        if others:
            flipped = sign_flip_tests(self.new[:, others], self.old[:, others], self._all, seed=seed)
            found |= dict(zip(others, flipped, strict=True))
        return [found[number] for number in range(len(self._asked))]

    def intervals(self, level: float, seed: int) -> dict[int, Estimate]:
        """Bootstrap intervals of the columns with enough independent cases and any spread.

        Not of zeros and ones: their means move in steps, and a bootstrap of steps ends on one of them, often on 0.
        """
        from judgekit.stats import bootstrap_intervals

        many = [
            number
            for number, one in enumerate(self._asked)
            if len(set(self._labels[number] or one.pairs.case_ids)) >= BOOTSTRAP_FROM and not self._is_binary(number)
        ]
        if not many:
            return {}
        estimates = bootstrap_intervals(
            self.new[:, many] - self.old[:, many], self._all, level=level, seed=seed, present=self.there[:, many]
        )
        return {
            number: one
            for number, one in zip(many, estimates, strict=True)
            if one.se is not None and "boot" in one.method
        }

    def _is_binary(self, number: int) -> bool:
        import numpy as np

        return all(bool(np.isin(side, (0.0, 1.0)).all()) for side in self._column(number))

    def _column(self, number: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        there = self.there[:, number]
        return self.new[there, number], self.old[there, number]


def _labels(case_ids: Sequence[str], clusters: Mapping[str, str]) -> list[str] | None:
    labels = [clusters.get(case_id, case_id) for case_id in case_ids] if clusters else []
    return labels if len(set(labels)) < len(labels) else None


def holm_by_family(
    primary: Sequence[bool], p_values: Sequence[float | None]
) -> tuple[list[float | None], dict[bool, int]]:
    """p-values adjusted by Holm within the primary metrics and within the others, and the sizes of the two families."""
    from judgekit.stats import holm

    found: list[float | None] = [None] * len(p_values)
    sizes = {}
    for is_primary in (True, False):
        family = [
            (number, p_value)
            for number, (one, p_value) in enumerate(zip(primary, p_values, strict=True))
            if one is is_primary and p_value is not None
        ]
        sizes[is_primary] = len(family)
        if family:
            for (number, _), p in zip(family, holm([p for _, p in family]).tolist(), strict=True):
                found[number] = p
    return found, sizes


def _row(
    one: Asked,
    labels: list[str] | None,
    test: Test,
    adjusted: float | None,
    bootstrapped: Estimate | None,
    level: float,
) -> dict[str, Any]:
    from judgekit.stats import difference_verdict, paired_rate_difference

    pairs = one.pairs
    new, old, n = pairs.new, pairs.old, len(pairs.case_ids)
    said = difference_verdict(new, old, labels, level=level, adjusted_p=adjusted, test=test)
    rates = said.test.method == "exact McNemar" and said.n_higher + said.n_lower > 0 and n > 1
    interval = bootstrapped or said.estimate
    if rates:
        interval = paired_rate_difference(said.n_higher, said.n_lower, n, level=level)
    if interval.low is None and n > 1:
        interval = _without_spread(new, old, labels, pairs.scale, level) or interval
    low, high = _cut(interval, pairs.scale)
    wins = sum(a > b and not math.isclose(a, b, rel_tol=1e-12) for a, b in zip(new, old, strict=True))
    losses = sum(a < b and not math.isclose(a, b, rel_tol=1e-12) for a, b in zip(new, old, strict=True))
    kind, metric = pairs.metric
    left_out = [
        {"reason": reason, "n": len(ids), "case_ids": ids[:MOST_NAMED]} for reason, ids in pairs.left_out.items()
    ]
    return {
        **one.names,
        "metric": metric,
        "kind": kind,
        "primary": one.primary,
        "scale_min": pairs.scale[0] if pairs.has_scale else None,
        "scale_max": pairs.scale[1] if pairs.has_scale else None,
        "n": n,
        "n_clusters": None if labels is None else len(set(labels)),
        "n_left_out": sum(len(ids) for ids in pairs.left_out.values()),
        "left_out": left_out,
        "value": sum(new) / n if n else None,
        "value_against": sum(old) / n if n else None,
        "difference": said.estimate.value,
        "ci_low": low,
        "ci_high": high,
        "level": level,
        "interval_method": interval.method,
        "method": test.method,
        "p_value": test.p_value,
        "p_adjusted": adjusted,
        "minimum_detectable_difference": said.detectable.value,
        "n_needed": least_cases(level),
        "wins": wins,
        "losses": losses,
        "ties": n - wins - losses,
        "pass_rate": None if pairs.pass_rates is None else pairs.pass_rates[0],
        "pass_rate_against": None if pairs.pass_rates is None else pairs.pass_rates[1],
        "newly_passing": None if pairs.passed is None else pairs.passed[0],
        "newly_failing": None if pairs.passed is None else pairs.passed[1],
        "margin": one.margin,
        "within_margin": None
        if one.margin is None
        else within(new, old, labels, one.margin, pairs.scale, level, (said.n_higher, said.n_lower) if rates else None),
        "mismatch": one.mismatch,
        "checks": changed_checks(pairs, one.new, one.old, clustered=labels is not None) if pairs.metric == CASE else [],
        "verdict": said.verdict,
        "reason": said.reason if n else "no case has a result for both",
    }


def _cut(one: Estimate, scale: tuple[float, float]) -> tuple[float | None, float | None]:
    """The interval as far as differences on this scale can reach."""
    span = scale[1] - scale[0]
    # A DataFrame may state no scale, or one that its scores do not keep to.
    if one.value is None or one.low is None or one.high is None or span <= 0 or abs(one.value) > span:
        return one.low, one.high
    return max(one.low, -span), min(one.high, span)


def least_cases(level: float) -> int:
    """The fewest cases, all changing the same way, that a two-sided test can find significant: 2^(1-n) < 1 - level."""
    return math.floor(1 + math.log2(1 / (1 - level))) + 1


def _without_spread(
    new: Sequence[float], old: Sequence[float], labels: list[str] | None, scale: tuple[float, float], level: float
) -> Estimate | None:
    """Where all cases differ alike, or none does: what so many cases could have missed, by the rule of three."""
    from judgekit.stats import mean_interval

    span = scale[1] - scale[0]
    if not span > 0:
        return None
    differences = [a - b for a, b in zip(new, old, strict=True)]
    if any(abs(one) > span for one in differences):
        return None
    return mean_interval(differences, labels, level=level, bounds=(-span, span))


def within(
    new: Sequence[float],
    old: Sequence[float],
    labels: list[str] | None,
    margin: float,
    scale: tuple[float, float],
    level: float,
    rates: tuple[int, int] | None = None,
) -> bool | None:
    """Whether a loss of more than the margin is ruled out, one-sided; None where nothing can be said."""
    from judgekit.stats import non_inferiority, paired_rate_difference

    if rates is not None:
        # One-sided at this level is the lower end of a two-sided interval with as much outside on either side.
        low = paired_rate_difference(*rates, len(new), level=2 * level - 1).low
        return None if low is None else low > -margin
    low = non_inferiority(new, old, margin, labels, level=level).detail.get("low")
    if low is None and len(new) > 1:
        estimate = _without_spread(new, old, labels, scale, level)
        low = None if estimate is None else estimate.low
    return None if low is None else low > -margin
