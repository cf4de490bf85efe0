"""The frozen results that every function of this room returns: an estimate, or a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

NO_DETAIL: Mapping[str, float] = {}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, or the reason why there is none.

    Example:
        >>> Estimate(0.8, 0.49, 0.94, 0.95, "Wilson", 10).value
        0.8
    """

    value: float | None
    """None where it is undefined; `reason` then says why."""
    low: float | None
    """Lower end of the interval; None where no interval can be given."""
    high: float | None
    """Upper end of the interval."""
    level: float
    """Confidence level of the interval, such as 0.95."""
    method: str
    """How the interval was made, for people."""
    n: int
    """Independent units behind the estimate: cases (or clusters), not trials."""
    reason: str = ""
    """Why value or interval is missing, or what to know about them; empty if nothing."""
    se: float | None = None
    """Standard error, where the method has one; never 0 for lack of spread."""
    seed: int | None = None
    """Seed of the random draws, where there were any."""
    detail: Mapping[str, float] = field(default_factory=lambda: NO_DETAIL, hash=False)
    """Further figures of the method, such as `lambda` or `observed`."""


@dataclass(frozen=True, slots=True)
class Test:
    """A p-value with what it rests on, or the reason why there is none.

    Example:
        >>> Test(0.03, 7.0, "exact McNemar", 20).p_value
        0.03
    """

    __test__: ClassVar[bool] = False  # pytest would otherwise try to collect a class of this name

    p_value: float | None
    """In (0, 1]; None where the test is undefined."""
    statistic: float | None
    method: str
    n: int
    """Independent units that entered: cases (or clusters)."""
    reason: str = ""
    seed: int | None = None
    detail: Mapping[str, float] = field(default_factory=lambda: NO_DETAIL, hash=False)


def undefined(reason: str, *, level: float, method: str, n: int = 0) -> Estimate:
    """An estimate without a value.

    Example:
        >>> undefined("no cases", level=0.95, method="Wilson").value is None
        True
    """
    return Estimate(None, None, None, level, method, n, reason)
