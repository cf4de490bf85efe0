"""How many calls may be under way, and how fast new ones may begin: one object for all models of a run."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from judgekit.errors import InputError


@dataclass(frozen=True, slots=True)
class Slot:
    """The right to make one call."""

    era: int
    """Number of halvings before the call began."""


class Limits:
    """Slots for calls: half as many after a refusal for too many requests, one more after each good run.

    Args:
        concurrency: Calls under way at the same time, at most; at least 1.
        rpm: Calls begun per minute, spread evenly; None: no bound.
        clock: Seconds, monotonic.
        sleep: Waits.

    Raises:
        InputError: a bound below 1.

    Example:
        >>> limits = Limits(8)
        >>> with limits.slot() as slot:
        ...     limits.refused(slot)
        >>> limits.allowed
        4
    """

    def __init__(
        self,
        concurrency: int,
        rpm: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency must be at least 1, not {concurrency}.")
        if rpm is not None and rpm < 1:
            raise InputError(f"rpm (calls per minute) must be at least 1, not {rpm}.")
        self._most = concurrency
        self._allowed = concurrency
        self._busy = 0
        self._era = 0
        self._good = 0
        self._free = threading.Condition()
        self._gap_s = 60 / rpm if rpm else 0.0
        self._next_s = 0.0
        self._clock = clock
        self._sleep = sleep

    @property
    def allowed(self) -> int:
        """Calls that may be under way now, from 1 to `concurrency`."""
        return self._allowed

    @contextmanager
    def slot(self) -> Iterator[Slot]:
        """Wait for the turn to make a call; the slot is given back when the block ends."""
        with self._free:
            self._free.wait_for(lambda: self._busy < self._allowed)
            self._busy += 1
        try:
            self._pace()
            yield Slot(self._era)
        finally:
            with self._free:
                self._busy -= 1
                self._free.notify()

    def refused(self, slot: Slot) -> None:
        """Note that the call of this slot was one too many (429)."""
        with self._free:
            # The others that were under way at the last halving say nothing new: one burst halves once.
            if slot.era == self._era:
                self._allowed = max(1, self._allowed // 2)
                self._era += 1
            self._good = 0

    def succeeded(self) -> None:
        """Note a call that was answered; as many in a row as there are slots make one slot more."""
        if self._allowed == self._most:
            return
        with self._free:
            self._good += 1
            if self._good >= self._allowed < self._most:
                self._allowed += 1
                self._good = 0
                self._free.notify()

    def _pace(self) -> None:
        if not self._gap_s:
            return
        with self._free:
            now = self._clock()
            begins = max(now, self._next_s)
            self._next_s = begins + self._gap_s
        if begins > now:
            self._sleep(begins - now)
