"""Rows of one metric in, the outcomes of rules on it out."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from judgekit.config import Bound
from judgekit.frame.tables import ResultRow
from judgekit.gate.numbers import exact, range_text
from judgekit.gate.outcomes import Outcome, Who, three_valued

if TYPE_CHECKING:
    from judgekit.stats import Estimate


UNRESOLVED_ROW = ("error", "unscored")


UNRESOLVED_SKIP = ("budget", "interrupted", "no_judge")


class CorrectedRates(Protocol):
    """What the gate asks of a run's calibration; judgekit.trust.run.RunTrust is one."""

    def corrected_pass_rates(self, variant: str, metric: str, passing: int, failing: int) -> Sequence[Estimate]:
        """Corrected pass rate by each judge that decides, with some missing results counted as passed and as failed.

        None at all if one of them cannot be corrected.
        """
        ...

    def why_not_corrected(self, variant: str, metric: str) -> str:
        """Why there is none."""
        ...


def metric_rule(
    metric: str, kind: str, bound: Bound, who: Who, rows: list[ResultRow], within: bool, on_lower: bool
) -> Outcome:
    """A rule on one metric: trials are averaged within a case first, then over cases."""
    rule = f"{metric} {kind} {bound.text}" + (" (lower bound)" if on_lower else "")
    said = f"{metric}: {kind} {bound.text}{who.said}: "
    cases: dict[str, list[tuple[Fraction, Fraction]]] = {}
    n_open = n_set_aside = 0
    for row in rows:
        reached = _value(row, kind)
        if reached is not None:
            cases.setdefault(row.case_id, []).append((reached, reached))
        elif _is_open(row):
            n_open += 1
            if not within:
                ends = (
                    (Fraction(0), Fraction(1)) if kind == "pass_rate" else (exact(row.scale_min), exact(row.scale_max))
                )
                cases.setdefault(row.case_id, []).append(ends)
        else:
            n_set_aside += 1
    n_scored = len(rows) - n_open - n_set_aside
    if not n_scored:
        why = "no result has a threshold" if rows and kind == "pass_rate" and not n_open else "nothing was scored"
        if any(row.cause == "no_judge" for row in rows):
            why = "nothing was scored, as no judge was named (--judge MODEL)"
        return Outcome(rule, who.variant, "undecided", None, 0, len(rows), said + why)
    lows = [sum((low for low, _ in ends), Fraction(0)) / len(ends) for ends in cases.values()]
    highs = [sum((high for _, high in ends), Fraction(0)) / len(ends) for ends in cases.values()]
    if on_lower:
        bounds = (0.0, 1.0) if kind == "pass_rate" else (rows[0].scale_min, rows[0].scale_max)
        worst, best = _lower(lows, kind, bounds), _lower(highs, kind, bounds)
        if worst is None or best is None:
            reason = f"{said}no interval from {len(lows)} cases"
            return Outcome(rule, who.variant, "undecided", None, n_scored, len(rows), reason)
    else:
        worst, best = sum(lows, Fraction(0)) / len(lows), sum(highs, Fraction(0)) / len(highs)
    value = range_text(worst, best, bound)
    reason = f"{said}{value} ({n_scored} of {len(rows)} scored)"
    return Outcome(rule, who.variant, three_valued(bound, worst, best), worst, n_scored, len(rows), reason)


def corrected_rule(
    metric: str,
    bound: Bound,
    who: Who,
    rows: list[ResultRow],
    within: bool,
    on_point: bool,
    corrected: CorrectedRates | None,
) -> Outcome:
    """A rule on the rate at which people would pass: by its lower bound.

    Of a panel it is the common verdict that has to be calibrated; its members' own rates decide nothing. Only where
    judges decide side by side, as in suites with different judges, the lowest of their rates counts.
    """
    rule = f"{metric} corrected_pass_rate {bound.text}" + (" (point)" if on_point else " (lower bound)")
    said = f"{metric}: corrected_pass_rate {bound.text}{who.said}: "
    n_open = sum(_is_open(row) for row in rows)
    n_scored = sum(row.passed is not None for row in rows)
    missing = 0 if within else n_open

    def lowest(passing: int, failing: int) -> Fraction | None:
        found = [] if corrected is None else corrected.corrected_pass_rates(who.variant, metric, passing, failing)
        ends = [one.value if on_point else one.low for one in found]
        return None if not ends or None in ends else min(exact(one) for one in ends if one is not None)

    worst, best = lowest(0, missing), lowest(missing, 0)
    if worst is None or best is None:
        why = "no labels by people" if corrected is None else corrected.why_not_corrected(who.variant, metric)
        return Outcome(rule, who.variant, "undecided", None, n_scored, len(rows), said + why)
    # More results change the weight of the labels, too: what counts as passed need not raise the bound.
    worst, best = min(worst, best), max(worst, best)
    what = "" if on_point else ", the lower bound"
    reason = f"{said}{range_text(worst, best, bound)}{what} ({n_scored} of {len(rows)} scored)"
    return Outcome(rule, who.variant, three_valued(bound, worst, best), worst, n_scored, len(rows), reason)


def _is_open(row: ResultRow) -> bool:
    return row.status in UNRESOLVED_ROW or (row.status == "skipped" and row.cause in UNRESOLVED_SKIP)


def _value(row: ResultRow, kind: str) -> Fraction | None:
    if kind == "pass_rate":
        return None if row.passed is None else Fraction(int(row.passed))
    return None if row.score is None else exact(row.score)


def _lower(values: Sequence[Fraction], kind: str, bounds: tuple[float, float]) -> Fraction | None:
    """Lower end of the interval over cases: of the kind that the table shows beside the figure."""
    from judgekit.stats import mean_interval, wilson_interval

    if kind == "pass_rate" and set(values) <= {0, 1}:
        low = wilson_interval(int(sum(values)), len(values)).low
    else:
        low = mean_interval([float(value) for value in values], bounds=bounds).low
    return None if low is None else exact(low)
