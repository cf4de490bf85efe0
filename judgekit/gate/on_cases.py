"""Standings of cases in, the outcomes of rules on them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb

from judgekit.config import Bound
from judgekit.frame.units import Unit
from judgekit.gate.outcomes import Outcome, Who, judge_bound, listed, three_valued


def every(rule: str, who: Who, units: list[Unit], within: bool) -> Outcome:
    """The rule that every case comes out as it should."""
    failed = [unit for unit in units if unit.status == "fail"]
    n_open = sum(unit.status == "error" for unit in units)
    n_good = len(units) - len(failed) - n_open
    said = f"{rule}: {n_good} of {len(units)} do{who.said}"
    n_negative = sum(unit.status == "negative_ok" for unit in units)
    if 0 < n_negative < len(units):
        said += f", {n_negative} of them by failing as they should"
    if failed:
        said += f"; failing: {names_of(units, 'fail')}"
    if n_open:
        said += f"; without a result: {names_of(units, 'error')}"
    # What is tolerated is left out; where nothing else is left, nothing was measured.
    outcome = "fails" if failed else "undecided" if n_open and (not within or not n_good) else "holds"
    value = Fraction(n_good, len(units)) if units else None
    return Outcome(rule, who.variant, outcome, value, len(units) - n_open, len(units), said)


def pass_rate(name: str, bound: Bound, who: Who, units: list[Unit], within: bool) -> Outcome:
    """The rule on the share of cases that pass."""
    n_open = sum(unit.status == "error" for unit in units)
    passed = sum(unit.status == "pass" for unit in units)
    said = f"{name} {bound.text}{who.said}: "
    if within:
        return judge_bound(name, bound, who, passed, passed, len(units) - n_open, len(units), said)
    return judge_bound(name, bound, who, passed, passed + n_open, len(units), len(units), said, n_open)


def case_pass_rate(bound: Bound, who: Who, units: list[Unit], within: bool) -> Outcome:
    """The rule on each case: the share of its trials that pass."""
    rule = f"case_pass_rate {bound.text}"
    failing, undecided, holding = [], [], 0
    for unit in units:
        n = unit.n_trials - (unit.n_open if within else 0)
        if not n:
            continue
        best = Fraction(unit.n_passed + (0 if within else unit.n_open), n)
        outcome = three_valued(bound, Fraction(unit.n_passed, n), best)
        note = f"{unit.case_id} {unit.n_passed} of {n}"
        if outcome == "fails":
            failing.append(note)
        elif outcome == "undecided":
            undecided.append(note)
        else:
            holding += 1
    outcome = "fails" if failing else "undecided" if undecided or not holding else "holds"
    said = f"{rule}{who.said}: {holding} of {len(units)} cases reach it"
    if failing or undecided:
        said += f"; not: {listed(failing + undecided)}"
    n_open = sum(unit.n_open > 0 for unit in units)
    return Outcome(rule, who.variant, outcome, None, len(units) - n_open, len(units), said)


def pass_hat(k: int, bound: Bound, who: Who, units: list[Unit], within: bool) -> Outcome:
    """pass^k: the chance that k trials of a case all pass, C(passed, k) / C(trials, k), averaged over cases."""
    rule = f"pass_hat_{k}"
    said = f"{rule} {bound.text}{who.said}: "
    enough = [unit for unit in units if unit.n_trials >= k]
    if len(enough) < len(units):
        short = f"{len(units) - len(enough)} of {len(units)} cases have fewer than {k} trials (--trials {k})"
        return Outcome(f"{rule} {bound.text}", who.variant, "undecided", None, len(enough), len(units), said + short)
    low = high = Fraction(0)
    n = 0
    for unit in enough:
        trials = unit.n_trials - (unit.n_open if within else 0)
        if trials < k:
            continue
        n += 1
        low += Fraction(comb(unit.n_passed, k), comb(trials, k))
        high += Fraction(comb(unit.n_passed + (0 if within else unit.n_open), k), comb(trials, k))
    outcome = judge_bound(rule, bound, who, low, high, n, len(units), said)
    return replace(outcome, reason=outcome.reason + _interval_over_cases(k, enough)) if n else outcome


def _interval_over_cases(k: int, units: Sequence[Unit]) -> str:
    """The interval of pass^k, which has to stand beside it: it rests on cases, not on trials."""
    from judgekit.stats import pass_hat_k

    one = pass_hat_k([unit.n_trials - unit.n_open for unit in units], [unit.n_passed for unit in units], k)
    if one.low is None or one.high is None:
        return ""
    return f", {100 * one.level:g} % interval {one.low:.2f} to {one.high:.2f}"


def names_of(units: Sequence[Unit], status: str) -> str:
    """The first few cases of a status."""
    return listed([unit.case_id for unit in units if unit.status == status])
