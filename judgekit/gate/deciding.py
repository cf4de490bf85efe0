"""Standings of cases and rules in, a Decision with reasons out.

Rules are three-valued: a rule fails if it would fail even were every unresolved case passed at top score, it is
undecided if unresolved cases could change it, else it holds. Numbers are compared as exact fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from judgekit.config import Bound, GateSettings
from judgekit.frame.baselines.known import Held
from judgekit.frame.canaries import canary_line
from judgekit.frame.panels import deciding
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit, within
from judgekit.gate.numbers import written
from judgekit.gate.on_cases import case_pass_rate, every, names_of, pass_hat, pass_rate
from judgekit.gate.on_metrics import CorrectedRates, corrected_rule, metric_rule
from judgekit.gate.outcomes import Outcome, Who, judge_bound, record_of
from judgekit.records import Decision


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
    outcomes: list[Outcome] = [Outcome(**asdict(one)) for one in baseline or ()]
    for variant in variants:
        who = Who(variant, "" if variants == ["default"] else f" ({variant})")
        mine = [unit for unit in counted if unit.variant == variant]
        own = [row for row in rows if row.variant == variant]
        outcomes += _of_variant(gate, fail_under, who, mine, own, measured, corrected, held=baseline is not None)
    if gate.canaries:
        outcomes.append(canary_rule(canaries))
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
        rules=tuple(record_of(one) for one in outcomes),
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
    one = judge_bound("kill_rate", bound, Who("", ""), killed, killed + n_open, n, n, said, n_open)
    code = {"holds": 0, "fails": 1, "undecided": 3}[one.outcome]
    return Decision(one.outcome == "holds", 0 if no_gate else code, (one.reason,), (record_of(one),))


def _of_variant(
    gate: GateSettings,
    fail_under: Fraction | None,
    who: Who,
    units: list[Unit],
    rows: list[ResultRow],
    measured: Collection[str],
    corrected: CorrectedRates | None,
    *,
    held: bool,
) -> list[Outcome]:
    regular = [unit for unit in units if not unit.negative]
    negative = [unit for unit in units if unit.negative]
    n_open = sum(unit.status == "error" for unit in units)
    tolerated = within(units, gate.max_errors)
    outcomes: list[Outcome] = []
    bounds: list[tuple[str, Bound]] = []
    # The flag stands in the place of the settings' rule, as flags do.
    if gate.pass_rate and fail_under is None:
        bounds.append(("pass_rate", gate.pass_rate))
    if fail_under is not None:
        bounds.append(("pass_rate", Bound(">=", fail_under, f">= {written(fail_under)}")))
    # Negative fixtures enter no rate: where there is nothing else, there is no rate to speak of.
    if regular:
        outcomes += [pass_rate(name, bound, who, regular, tolerated) for name, bound in bounds]
        if gate.case_pass_rate:
            outcomes.append(case_pass_rate(gate.case_pass_rate, who, regular, tolerated))
        outcomes += [pass_hat(k, bound, who, regular, tolerated) for k, bound in gate.pass_hat.items()]
    for metric, rule in gate.metrics.items():
        mine = [row for row in rows if row.metric == metric]
        if not mine and metric in measured:
            # Suites differ in their metrics; the rule speaks of the variants that have this one.
            continue
        on_lower = rule.on == "lower"
        if rule.mean:
            outcomes.append(metric_rule(metric, "mean", rule.mean, who, mine, tolerated, on_lower))
        if rule.pass_rate:
            outcomes.append(metric_rule(metric, "pass_rate", rule.pass_rate, who, mine, tolerated, on_lower))
        if rule.corrected_pass_rate:
            on_point = rule.on == "point"
            outcomes.append(corrected_rule(metric, rule.corrected_pass_rate, who, mine, tolerated, on_point, corrected))
    if not held and not gate.has_rules and fail_under is None:
        outcomes.append(every("every case passes", who, units, tolerated))
    elif negative and not held:
        outcomes.append(every("every negative fixture fails", who, negative, tolerated))
    if not tolerated:
        allowed = f"{float(100 * gate.max_errors):g}%" if isinstance(gate.max_errors, Fraction) else gate.max_errors
        said = f"{n_open} of {len(units)} cases have no result{who.said}, max_errors is {allowed}: "
        said += names_of(units, "error")
        outcomes.append(Outcome("max_errors", who.variant, "undecided", None, len(units) - n_open, len(units), said))
    return outcomes


def canary_rule(found: Mapping[str, Any] | None) -> Outcome:
    rule = "no judge falls for a canary"
    if not found or not found["planted"]:
        return Outcome(rule, "", "undecided", None, 0, 0, f"{rule}: none were planted (--canary)")
    n, n_open = found["planted"], found["open"]
    outcome = "fails" if found["fooled"] else "undecided" if n_open else "holds"
    return Outcome(rule, "", outcome, Fraction(n - n_open - found["fooled"], n), n - n_open, n, canary_line(found))
