"""What a judge said before and says now in; a rule of the gate for each judged metric out.

A metric is held to the baseline as a whole, by its paired drop over the cases: single verdicts of a judge come and go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judgekit.frame.baselines.drop import Drop, paired_drop, significant
from judgekit.frame.baselines.known import Baseline, Held, Known, Scored
from judgekit.frame.changed import parts_changed


@dataclass(frozen=True, slots=True)
class _Pairs:
    """One judged metric of one variant, paired by case."""

    variant: str
    metric: str
    judge: str
    n_before: int
    """Cases that the baseline has a result of."""
    n_open: int
    """Cases that count and whose result is missing."""
    left_out: int
    """Cases without a result now, on purpose or within `max_errors`."""
    changed: tuple[str, ...]
    """What makes results incomparable: the case's input, the rubric, the judge."""
    n_changed: int
    asked: bool
    """Whether the judge had to say anything about these cases."""
    drop: Drop
    best: Drop
    """Were everything without a result at the top."""
    worst: Drop
    """Were it at the bottom."""
    is_rate: bool


def judged_rules(
    baseline: Baseline,
    now: Sequence[Known],
    within: Mapping[str, bool],
    bounds: Mapping[str, tuple[float, float]],
    margin: float | None,
    chosen: str | None = None,
) -> list[tuple[Held, dict[str, Any]]]:
    """The rule and the record of each judged metric that the baseline has; arguments as of `held_to`."""
    keys = dict.fromkeys(
        (one.variant, metric, judge)
        for one in now
        if one.place in baseline.cases
        for metric, judge in baseline.cases[one.place].judged
    )
    judges = Counter((variant, metric) for variant, metric, _ in keys)
    pairs = [_pairs(baseline, now, key, within, bounds) for key in keys]
    best, worst = significant([one.best for one in pairs]), significant([one.worst for one in pairs])
    return [
        _rule(one, at_best, at_worst, margin, chosen, named=judges[one.variant, one.metric] > 1)
        for one, at_best, at_worst in zip(pairs, best, worst, strict=True)
    ]


def _pairs(
    baseline: Baseline,
    now: Sequence[Known],
    key: tuple[str, str, str],
    within: Mapping[str, bool],
    bounds: Mapping[str, tuple[float, float]],
) -> _Pairs:
    variant, metric, judge = key
    before: list[Fraction] = []
    ends: list[tuple[Fraction, Fraction]] = []
    other_text: list[bool] = []
    changed: dict[str, None] = {}
    n_before = left_out = n_changed = 0
    is_rate, asked = True, False
    for one in now:
        was = baseline.cases.get(one.place) if one.variant == variant else None
        old = was.judged.get((metric, judge)) if was else None
        if was is None or old is None:
            continue
        n_before += 1
        new = one.judged.get((metric, judge))
        asked |= new is not None
        why = [*parts_changed(list(was.asks), list(one.asks)), *_of_judge(old, new, one, metric)]
        if why:
            changed |= dict.fromkeys(why)
            n_changed += 1
            continue
        is_rate = old.passed is not None
        both = _ends(old, new, bounds.get(metric, (0.0, 1.0)), drop_open=within.get(variant, True))
        if both is None:
            left_out += 1
            continue
        before.append(_value(old))
        ends.append(both)
        other_text.append(not was.outputs or was.outputs != one.outputs)
    low, high = [low for low, _ in ends], [high for _, high in ends]
    known = [at for at, (lowest, highest) in enumerate(ends) if lowest == highest]
    return _Pairs(
        variant,
        metric,
        judge,
        n_before,
        len(ends) - len(known),
        left_out,
        tuple(changed),
        n_changed,
        asked,
        paired_drop([before[at] for at in known], [low[at] for at in known], [other_text[at] for at in known]),
        paired_drop(before, high, other_text),
        paired_drop(before, low, other_text),
        is_rate,
    )


def _of_judge(old: Scored, new: Scored | None, now: Known, metric: str) -> list[str]:
    """What of rubric and judge is another than before."""
    if new is None:
        return ["judge"] if any(name == metric for name, _ in now.judged) else []
    if old.definition != new.definition:
        return [metric]
    return ["judge"] if old.identity != new.identity else []


def _value(one: Scored) -> Fraction:
    return _exact(one.score if one.passed is None else one.passed)


def _ends(
    old: Scored, new: Scored | None, scale: tuple[float, float], *, drop_open: bool
) -> tuple[Fraction, Fraction] | None:
    """The lowest and the highest that a result may be now; None where the case is left out."""
    is_rate = old.passed is not None
    if new is not None and (new.passed if is_rate else new.score) is not None:
        # What the judge took back stands as it was.
        held = _value(new) if is_rate else _value(new) * (1 - _exact(new.flaky)) + _value(old) * _exact(new.flaky)
        return held, held
    if drop_open or new is None or not new.open:
        return None
    return (Fraction(0), Fraction(1)) if is_rate else (_exact(scale[0]), _exact(scale[1]))


def _exact(number: float | None) -> Fraction:
    return Fraction(number or 0).limit_denominator(10**6)


def _rule(
    one: _Pairs, at_best: bool, at_worst: bool, margin: float | None, chosen: str | None, *, named: bool
) -> tuple[Held, dict[str, Any]]:
    beyond = margin is not None and one.best.exact > _exact(margin)
    maybe_beyond = margin is not None and one.worst.exact > _exact(margin)
    if chosen is not None:
        # Of cases that were chosen because they failed, a judged metric has dropped by the choice alone.
        outcome = "undecided"
    elif at_best or beyond:
        outcome = "fails"
    elif at_worst or maybe_beyond or not one.drop.n:
        # A rubric or judge that is another on every case says nothing of a drop, neither that there is none.
        outcome = "undecided"
    else:
        outcome = "holds"
    why = ["significant"] * at_best + [f"beyond the margin of {margin}"] * beyond
    reason = _said(one, why, chosen, undecided=outcome == "undecided", named=named)
    value = None if one.drop.value is None else _exact(one.drop.value)
    rule = Held(f"baseline {one.metric}", one.variant, outcome, value, one.drop.n, one.n_before, reason)
    record = {
        "variant": one.variant,
        "metric": one.metric,
        "judge": one.judge,
        "outcome": outcome,
        "kind": "pass_rate" if one.is_rate else "score",
        "n": one.drop.n,
        "n_baseline": one.n_before,
        "n_open": one.n_open,
        "n_left_out": one.left_out,
        "n_changed": one.n_changed,
        "changed": list(one.changed),
        "value": one.drop.value,
        "value_baseline": one.drop.value_before,
        "drop": one.drop.drop if one.drop.n else None,
        "better": one.drop.n_better,
        "worse": one.drop.n_worse,
        "p_value": one.drop.p_value,
        "margin": margin,
        "reason": reason,
    }
    return rule, record


def _said(one: _Pairs, why: Sequence[str], chosen: str | None, *, undecided: bool, named: bool) -> str:
    drop = one.drop
    who = one.metric + (f" [{one.judge}]" if named else "")
    of = "" if one.variant == "default" else f" ({one.variant})"
    if chosen is not None:
        return f"{who}: not held to the baseline{of}: {chosen} chose the cases by how they came out; score all of them"
    if one.n_changed and not drop.n:
        found = f"{', '.join(one.changed)} changed on {_cases(one.n_changed)}, so nothing can be compared"
        return f"{who}: not held to the baseline{of}: {found}; write the baseline anew once the scores are right"
    who += f": no drop from the baseline{of}"
    changed = f"{one.n_changed} not compared, as it changed: {', '.join(one.changed)}"
    if drop.value is None or drop.value_before is None:
        missing = "nothing was scored" if one.asked else f"nothing was scored, as {one.judge} was not asked (--judge)"
        return f"{who}: {missing}"
    text = f"{who}: {_shown(drop.value, one)} against {_shown(drop.value_before, one)} on {_cases(drop.n)}"
    text += f", {drop.n_worse} worse and {drop.n_better} better"
    if drop.p_value is not None and drop.exact > 0:
        text += f", p = {drop.p_value:.2g}"
    text += f": {' and '.join(why)}" if why else ""
    if one.left_out:
        text += f"; {_cases(one.left_out)} left out, without a verdict now (--judge-all judges what failed a check)"
    if one.n_changed:
        text += f"; {changed}"
    if undecided:
        text += f"; {one.n_open} without a result could change this"
    return text


def _cases(n: int) -> str:
    return f"{n} {'case' if n == 1 else 'cases'}"


def _shown(value: float, one: _Pairs) -> str:
    return f"{100 * value:.1f} %".replace(".0 %", " %") if one.is_rate else f"{value:.3g}"
