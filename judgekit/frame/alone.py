"""The estimate of a variant that nothing is compared with in; one sentence on what it rests on out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judgekit.frame.units import Unit

FEW = 30
"""Under so many cases it is said what difference such a set could detect."""


def alone(units: Sequence[Unit], estimates: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The case pass rate of the only variant of a run, as `alone` in summary.json; None where there are several.

    `detectable` is the difference of pass rates that a second variant would have to make to be found with 80 % power on
    as many cases by the exact McNemar test, None from 30 cases on or where no difference could be found at all. It is
    planned cautiously: with results of the two that have nothing in common, at the rate of (passed + 2) / (n + 4), as a
    rate of 0 or 1 would promise too much.

    Args:
        units: Every case × variant.
        estimates: Those of the summary.
    """
    from judgekit.stats import minimum_detectable_rate_difference

    rates = [one for one in estimates if one["kind"] == "case"]
    if len({unit.variant for unit in units}) != 1 or len(rates) != 1:
        return None
    one = rates[0]
    n = one["n_total"]
    passed = round(one["mean"] * n)
    detectable = None
    if n < FEW:
        rate = (passed + 2) / (n + 4)
        detectable = minimum_detectable_rate_difference(n, 2 * rate * (1 - rate)).value
    said = f"{passed} of {n} {'case passes' if n == 1 else 'cases pass'}"
    if one["ci_low"] is not None:
        said += f", 95 % interval {100 * one['ci_low']:.0f} to {100 * one['ci_high']:.0f} %"
    if detectable is not None:
        said += f"; another variant would have to differ by {100 * detectable:.0f} points to show on so few cases"
    elif n < FEW:
        said += "; on so few cases no difference to another variant could show, that takes six"
    return {
        "variant": one["variant"],
        "n": n,
        "passed": passed,
        "value": one["mean"],
        "ci_low": one["ci_low"],
        "ci_high": one["ci_high"],
        "level": one["level"],
        "detectable": detectable,
        "sentence": f"{said}.",
    }
