"""Standings of cases and rules in, a Decision with reasons out.

Rules are three-valued: a rule fails if it would fail even were every unresolved case passed at top score, it is
undecided if unresolved cases could change it, else it holds. Numbers are compared as exact fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any, Protocol

from judgekit.config import Bound, GateSettings
from judgekit.frame.baselines.known import Held
from judgekit.frame.canaries import canary_line
from judgekit.frame.panels import deciding
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit, within
from judgekit.records import Decision

if TYPE_CHECKING:
    from judgekit.stats import Estimate

UNRESOLVED_ROW = ("error", "unscored")
UNRESOLVED_SKIP = ("budget", "interrupted", "no_judge")


SLACK = Fraction(1, 10**9)
"""How far a float may lie from the simple fraction that it stands for."""


def exact(number: float) -> Fraction:
    """The fraction that a float stands for: 2/3 printed and read again is 2/3, and 0.7999999 is less than 0.8.

    Example:
        >>> exact(0.7) + exact(1 / 3), exact(0.7999999)
        (Fraction(31, 30), Fraction(7999999, 10000000))
    """
    simple = Fraction(number).limit_denominator(10**6)
    return simple if abs(simple - Fraction(number)) < SLACK else Fraction(str(number))


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


@dataclass(frozen=True, slots=True)
class _Who:
    """The variant that a rule is decided for."""

    variant: str
    said: str
    """How reasons name it: not at all where it is the only one and nobody named it."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    rule: str
    variant: str
    outcome: str
    value: Fraction | None
    n_scored: int
    n_total: int
    reason: str


def decide(
    gate: GateSettings,
    units: Sequence[Unit],
    results: Sequence[ResultRow],
    *,
    gated: Mapping[str, Sequence[str]],
    fail_under: Fraction | None = None,
    stopped: str | None = None,
    interrupted: bool = False,
    no_gate: bool = False,
    baseline: Sequence[Held] | None = None,
    canaries: Mapping[str, Any] | None = None,
    corrected: CorrectedRates | None = None,
) -> Decision:
    """What the gate says.

    Args:
        gate: The rules; without any, every case has to pass.
        units: Every case × variant.
        results: Every row, for rules on metrics.
        gated: Variants that count, by suite.
        fail_under: Rate given by flag, in [0, 1], in the place of `pass_rate`.
        stopped: Why the run ended before its end (budget, key, first call); None if it did not.
        interrupted: Whether a person stopped it.
        canaries: What came of planted outputs, as in summary.json; None: none were planted.
        no_gate: Report only: what would exit 1, or 3 because results are missing, exits 0.
        baseline: What the baseline says; it stands in the place of the rule that every case passes.
        corrected: Pass rates corrected by labels of people; None: there are none.
    """
    counted = [unit for unit in units if unit.variant in gated.get(unit.suite, ()) and unit.status != "skipped"]
    variants = list(dict.fromkeys(unit.variant for unit in counted))
    regular = {(unit.case_id, unit.variant) for unit in counted if not unit.negative}
    rows = deciding([row for row in results if (row.case_id, row.variant) in regular]) if gate.metrics else []
    measured = {row.metric for row in rows}
    outcomes: list[_Outcome] = [_Outcome(**asdict(one)) for one in baseline or ()]
    for variant in variants:
        who = _Who(variant, "" if variants == ["default"] else f" ({variant})")
        mine = [unit for unit in counted if unit.variant == variant]
        own = [row for row in rows if row.variant == variant]
        outcomes += _of_variant(gate, fail_under, who, mine, own, measured, corrected, held=baseline is not None)
    if gate.canaries:
        outcomes.append(_canaries(canaries))
    failing = [one for one in outcomes if one.outcome == "fails"]
    undecided = [one for one in outcomes if one.outcome == "undecided"]
    reasons = [one.reason for one in (*failing, *undecided)]
    if stopped:
        reasons.append(f"the run was stopped: {stopped}")
    if interrupted:
        run = results[0].run_id if results else "latest"
        reasons.append(f"the run was interrupted: what was done is kept, and --resume {run} goes on")
    if not outcomes and not reasons:
        reasons.append("there is nothing to decide: no gated case has an expectation")
    passed = not failing and not undecided and not stopped and not interrupted
    if passed and outcomes:
        reasons = [one.reason for one in outcomes]
    code = 130 if interrupted else 1 if failing else 3 if undecided or stopped else 0
    if no_gate and not interrupted and not stopped:
        code = 0
    return Decision(
        passed=passed,
        exit_code=code,
        reasons=tuple(reasons),
        rules=tuple(_record(one) for one in outcomes),
    )


def decide_kill_rate(bound: Bound | None, killed: int, n_open: int, n: int, *, no_gate: bool = False) -> Decision:
    """What the rule `kill_rate` says of the mutants of a suite.

    Args:
        bound: The rule; None: there is none, and only a suite without any mutant is left undecided.
        killed: Mutants that failed.
        n_open: Mutants without a result; the rule fails only if it would fail even were all of them killed.
        n: All mutants.
        no_gate: Report only: the exit code is 0.

    Example:
        >>> decide_kill_rate(Bound(">=", Fraction(9, 10), ">= 0.9"), 8, 1, 10).reasons
        ('kill_rate >= 0.9: between 0.8 and 0.9 (8 of 10, 1 without a result)',)
    """
    if not n:
        reason = "there is nothing to decide: no good output could be damaged"
        return Decision(False, 0 if no_gate else 3, (reason,), ())
    if bound is None:
        return Decision(True, 0, ('no rule: `gate: {kill_rate: ">= 0.9"}` in the settings makes one',), ())
    said = f"kill_rate {bound.text}: "
    one = _judge_bound("kill_rate", bound, _Who("", ""), killed, killed + n_open, n, n, said, n_open)
    code = {"holds": 0, "fails": 1, "undecided": 3}[one.outcome]
    return Decision(one.outcome == "holds", 0 if no_gate else code, (one.reason,), (_record(one),))


def _record(one: _Outcome) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "variant": one.variant,
        "outcome": one.outcome,
        "value": None if one.value is None else float(one.value),
        "n_scored": one.n_scored,
        "n_total": one.n_total,
        "reason": one.reason,
    }


def _of_variant(
    gate: GateSettings,
    fail_under: Fraction | None,
    who: _Who,
    units: list[Unit],
    rows: list[ResultRow],
    measured: Collection[str],
    corrected: CorrectedRates | None,
    *,
    held: bool,
) -> list[_Outcome]:
    regular = [unit for unit in units if not unit.negative]
    negative = [unit for unit in units if unit.negative]
    n_open = sum(unit.status == "error" for unit in units)
    tolerated = within(units, gate.max_errors)
    outcomes: list[_Outcome] = []
    bounds: list[tuple[str, Bound]] = []
    # The flag stands in the place of the settings' rule, as flags do.
    if gate.pass_rate and fail_under is None:
        bounds.append(("pass_rate", gate.pass_rate))
    if fail_under is not None:
        bounds.append(("pass_rate", Bound(">=", fail_under, f">= {_written(fail_under)}")))
    # Negative fixtures enter no rate: where there is nothing else, there is no rate to speak of.
    if regular:
        outcomes += [_pass_rate(name, bound, who, regular, tolerated) for name, bound in bounds]
        if gate.case_pass_rate:
            outcomes.append(_case_pass_rate(gate.case_pass_rate, who, regular, tolerated))
        outcomes += [_pass_hat(k, bound, who, regular, tolerated) for k, bound in gate.pass_hat.items()]
    for metric, rule in gate.metrics.items():
        mine = [row for row in rows if row.metric == metric]
        if not mine and metric in measured:
            # Suites differ in their metrics; the rule speaks of the variants that have this one.
            continue
        on_lower = rule.on == "lower"
        if rule.mean:
            outcomes.append(_metric(metric, "mean", rule.mean, who, mine, tolerated, on_lower))
        if rule.pass_rate:
            outcomes.append(_metric(metric, "pass_rate", rule.pass_rate, who, mine, tolerated, on_lower))
        if rule.corrected_pass_rate:
            on_point = rule.on == "point"
            outcomes.append(_corrected(metric, rule.corrected_pass_rate, who, mine, tolerated, on_point, corrected))
    if not held and not gate.has_rules and fail_under is None:
        outcomes.append(_every("every case passes", who, units, tolerated))
    elif negative and not held:
        outcomes.append(_every("every negative fixture fails", who, negative, tolerated))
    if not tolerated:
        allowed = f"{float(100 * gate.max_errors):g}%" if isinstance(gate.max_errors, Fraction) else gate.max_errors
        said = f"{n_open} of {len(units)} cases have no result{who.said}, max_errors is {allowed}: "
        said += _names(units, "error")
        outcomes.append(_Outcome("max_errors", who.variant, "undecided", None, len(units) - n_open, len(units), said))
    return outcomes


def _canaries(found: Mapping[str, Any] | None) -> _Outcome:
    rule = "no judge falls for a canary"
    if not found or not found["planted"]:
        return _Outcome(rule, "", "undecided", None, 0, 0, f"{rule}: none were planted (--canary)")
    n, n_open = found["planted"], found["open"]
    outcome = "fails" if found["fooled"] else "undecided" if n_open else "holds"
    return _Outcome(rule, "", outcome, Fraction(n - n_open - found["fooled"], n), n - n_open, n, canary_line(found))


def _every(rule: str, who: _Who, units: list[Unit], within: bool) -> _Outcome:
    failed = [unit for unit in units if unit.status == "fail"]
    n_open = sum(unit.status == "error" for unit in units)
    n_good = len(units) - len(failed) - n_open
    said = f"{rule}: {n_good} of {len(units)} do{who.said}"
    n_negative = sum(unit.status == "negative_ok" for unit in units)
    if 0 < n_negative < len(units):
        said += f", {n_negative} of them by failing as they should"
    if failed:
        said += f"; failing: {_names(units, 'fail')}"
    if n_open:
        said += f"; without a result: {_names(units, 'error')}"
    # What is tolerated is left out; where nothing else is left, nothing was measured.
    outcome = "fails" if failed else "undecided" if n_open and (not within or not n_good) else "holds"
    value = Fraction(n_good, len(units)) if units else None
    return _Outcome(rule, who.variant, outcome, value, len(units) - n_open, len(units), said)


def _pass_rate(name: str, bound: Bound, who: _Who, units: list[Unit], within: bool) -> _Outcome:
    n_open = sum(unit.status == "error" for unit in units)
    passed = sum(unit.status == "pass" for unit in units)
    said = f"{name} {bound.text}{who.said}: "
    if within:
        return _judge_bound(name, bound, who, passed, passed, len(units) - n_open, len(units), said)
    return _judge_bound(name, bound, who, passed, passed + n_open, len(units), len(units), said, n_open)


def _judge_bound(
    name: str,
    bound: Bound,
    who: _Who,
    low: Fraction | int,
    high: Fraction | int,
    n: int,
    n_total: int,
    said: str,
    n_open: int = 0,
) -> _Outcome:
    """Outcome of a rate low/n … high/n."""
    rule = f"{name} {bound.text}"
    if not n:
        return _Outcome(rule, who.variant, "undecided", None, 0, n_total, f"{said}no case has a result")
    worst, best = Fraction(low) / n, Fraction(high) / n
    outcome = _three(bound, worst, best)
    value = _range(worst, best, bound)
    of = f"{low} of {n}" if isinstance(low, int) else f"n = {n}"
    if n != n_total:
        of += f", {n_total - n} more without a result"
    if n_open:
        of += f", {n_open} without a result"
    return _Outcome(rule, who.variant, outcome, worst, n - n_open, n_total, f"{said}{value} ({of})")


def _three(bound: Bound, worst: Fraction, best: Fraction) -> str:
    meets = _MEETS[bound.op]
    at = (meets(worst, bound.value), meets(best, bound.value))
    return "holds" if all(at) else "undecided" if any(at) else "fails"


_MEETS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
}


def _case_pass_rate(bound: Bound, who: _Who, units: list[Unit], within: bool) -> _Outcome:
    rule = f"case_pass_rate {bound.text}"
    failing, undecided, holding = [], [], 0
    for unit in units:
        n = unit.n_trials - (unit.n_open if within else 0)
        if not n:
            continue
        best = Fraction(unit.n_passed + (0 if within else unit.n_open), n)
        outcome = _three(bound, Fraction(unit.n_passed, n), best)
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
        said += f"; not: {_list(failing + undecided)}"
    n_open = sum(unit.n_open > 0 for unit in units)
    return _Outcome(rule, who.variant, outcome, None, len(units) - n_open, len(units), said)


def _pass_hat(k: int, bound: Bound, who: _Who, units: list[Unit], within: bool) -> _Outcome:
    """pass^k: the chance that k trials of a case all pass, C(passed, k) / C(trials, k), averaged over cases."""
    rule = f"pass_hat_{k}"
    said = f"{rule} {bound.text}{who.said}: "
    enough = [unit for unit in units if unit.n_trials >= k]
    if len(enough) < len(units):
        short = f"{len(units) - len(enough)} of {len(units)} cases have fewer than {k} trials (--trials {k})"
        return _Outcome(f"{rule} {bound.text}", who.variant, "undecided", None, len(enough), len(units), said + short)
    low = high = Fraction(0)
    n = 0
    for unit in enough:
        trials = unit.n_trials - (unit.n_open if within else 0)
        if trials < k:
            continue
        n += 1
        low += Fraction(comb(unit.n_passed, k), comb(trials, k))
        high += Fraction(comb(unit.n_passed + (0 if within else unit.n_open), k), comb(trials, k))
    outcome = _judge_bound(rule, bound, who, low, high, n, len(units), said)
    return replace(outcome, reason=outcome.reason + _interval_over_cases(k, enough)) if n else outcome


def _interval_over_cases(k: int, units: Sequence[Unit]) -> str:
    """The interval of pass^k, which has to stand beside it: it rests on cases, not on trials."""
    from judgekit.stats import pass_hat_k

    one = pass_hat_k([unit.n_trials - unit.n_open for unit in units], [unit.n_passed for unit in units], k)
    if one.low is None or one.high is None:
        return ""
    return f", {100 * one.level:g} % interval {one.low:.2f} to {one.high:.2f}"


def _metric(
    metric: str, kind: str, bound: Bound, who: _Who, rows: list[ResultRow], within: bool, on_lower: bool
) -> _Outcome:
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
        return _Outcome(rule, who.variant, "undecided", None, 0, len(rows), said + why)
    lows = [sum((low for low, _ in ends), Fraction(0)) / len(ends) for ends in cases.values()]
    highs = [sum((high for _, high in ends), Fraction(0)) / len(ends) for ends in cases.values()]
    if on_lower:
        bounds = (0.0, 1.0) if kind == "pass_rate" else (rows[0].scale_min, rows[0].scale_max)
        worst, best = _lower(lows, kind, bounds), _lower(highs, kind, bounds)
        if worst is None or best is None:
            reason = f"{said}no interval from {len(lows)} cases"
            return _Outcome(rule, who.variant, "undecided", None, n_scored, len(rows), reason)
    else:
        worst, best = sum(lows, Fraction(0)) / len(lows), sum(highs, Fraction(0)) / len(highs)
    value = _range(worst, best, bound)
    reason = f"{said}{value} ({n_scored} of {len(rows)} scored)"
    return _Outcome(rule, who.variant, _three(bound, worst, best), worst, n_scored, len(rows), reason)


def _corrected(
    metric: str,
    bound: Bound,
    who: _Who,
    rows: list[ResultRow],
    within: bool,
    on_point: bool,
    corrected: CorrectedRates | None,
) -> _Outcome:
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
        return _Outcome(rule, who.variant, "undecided", None, n_scored, len(rows), said + why)
    # More results change the weight of the labels, too: what counts as passed need not raise the bound.
    worst, best = min(worst, best), max(worst, best)
    what = "" if on_point else ", the lower bound"
    reason = f"{said}{_range(worst, best, bound)}{what} ({n_scored} of {len(rows)} scored)"
    return _Outcome(rule, who.variant, _three(bound, worst, best), worst, n_scored, len(rows), reason)


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


def _names(units: Sequence[Unit], status: str) -> str:
    return _list([unit.case_id for unit in units if unit.status == status])


def _list(names: Sequence[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _range(worst: Fraction, best: Fraction, bound: Bound) -> str:
    low, high = _show(worst, bound.value), _show(best, bound.value)
    return low if worst == best else f"between {low} and {high}"


def _show(number: Fraction, beside: Fraction) -> str:
    """The number with four decimals, or as many as it takes to stand on its own side of the bound beside it.

    Example:
        >>> _show(Fraction(79996, 100000), Fraction(8, 10)), _show(Fraction(1, 2), Fraction(1, 2))
        ('0.79996', '0.5')
    """
    for digits in range(4, 18):
        text = _rounded(number, digits)
        seen = Fraction(text)
        if (seen < beside, seen > beside) == (number < beside, number > beside):
            return text
    return str(number)


def _written(number: Fraction) -> str:
    """A number that a person wrote, with as many decimals as it has.

    Example:
        >>> _written(Fraction("0.99999")), _written(Fraction(1))
        ('0.99999', '1')
    """
    return next((text for digits in range(1, 18) if Fraction(text := _rounded(number, digits)) == number), str(number))


def _rounded(number: Fraction, digits: int) -> str:
    return f"{float(number):.{digits}f}".rstrip("0").rstrip(".")
