"""What holds of some outputs in, its share with an interval over cases out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judgekit.stats import Estimate


def rate(values: Sequence[bool], cases: Sequence[str], level: float) -> Estimate:
    """Share of outputs for which something holds; several outputs of a case are not independent.

    Example:
        >>> one = rate([True, True, False], ["a", "b", "c"], 0.95)
        >>> round(one.value, 2), one.method
        (0.67, 'Wilson')
    """
    from judgekit.stats import mean_interval, wilson_interval

    if len(set(cases)) == len(cases):
        return wilson_interval(sum(values), len(values), level=level)
    return mean_interval([float(one) for one in values], cases, level=level, bounds=(0.0, 1.0))
