"""How often a failed call is tried again, and how long is waited before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime

from judgekit.errors import InputError


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """The bounds of trying again.

    Raises:
        InputError: a bound that cannot be kept.
    """

    attempts: int = 4
    """Calls in all: the first and those after it."""
    first_wait_s: float = 0.5
    """Wait before the second attempt; it doubles from one attempt to the next."""
    longest_wait_s: float = 30.0
    """Where the doubling ends; a server may ask for more."""
    total_s: float = 600.0
    """Time for all attempts and the waits between them; waiting for a slot does not count."""

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise InputError(f"attempts must be at least 1, not {self.attempts}.")
        if not (self.first_wait_s >= 0 and self.longest_wait_s >= 0 and self.total_s > 0):
            raise InputError("the waits of a retry policy must not be negative, and its total must be above 0.")

    def wait_s(self, failures: int, chance: float, asked_s: float | None = None) -> float:
        """Seconds to wait after so many failures in a row.

        Args:
            failures: At least 1.
            chance: A random number in [0, 1): waits are spread over the upper half, so that calls which failed
                together do not return together.
            asked_s: What the server asked for; kept exactly where it is more than 0.

        Example:
            >>> RetryPolicy().wait_s(3, chance=0.5), RetryPolicy().wait_s(3, chance=0.5, asked_s=7)
            (1.5, 7)
        """
        if asked_s:
            return asked_s
        # The exponent is bounded because 2.0 ** 1100 is an error.
        longest = min(self.longest_wait_s, self.first_wait_s * 2.0 ** min(failures - 1, 60))
        return longest * (0.5 + chance / 2)


def retry_after_s(headers: Mapping[str, str], now_s: float) -> float | None:
    """Seconds that a server asks to wait, from `Retry-After` (seconds or HTTP date) or `Retry-After-Ms`.

    Args:
        headers: Names in lower case.
        now_s: The time, in seconds since 1970.

    Returns:
        At least 0; None if nothing readable is asked for.

    Example:
        >>> retry_after_s({"retry-after": "Thu, 01 Jan 1970 00:00:07 GMT"}, now_s=0)
        7.0
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None or asked is None:
        return seconds
    with suppress(ValueError, TypeError, OverflowError):
        date = parsedate_to_datetime(asked)
        # "-0000" in a date means that its zone is unknown; HTTP dates are in UTC.
        aware = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, aware.timestamp() - now_s)
    return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
