"""Labels of people and of a judge in, the confusion table and the judge's hit rates out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from judgekit.errors import InputError
from judgekit.stats._arrays import check_level, labels, same_length
from judgekit.stats._categories import categories
from judgekit.stats.intervals import wilson_interval
from judgekit.stats.results import Estimate, undefined


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each label of people met each label of the judge; rates are Wilson estimates, cases their unit."""

    names: tuple[Hashable, ...]
    """All labels, in the order of rows and columns."""
    table: tuple[tuple[int, ...], ...]
    """Rows: label of people; columns: label of the judge."""
    level: float

    @property
    def n(self) -> int:
        """Cases in the table."""
        return sum(map(sum, self.table))

    @property
    def accuracy(self) -> Estimate:
        """Share of cases with equal labels; the raw agreement."""
        return self._rate(sum(self.table[i][i] for i in range(len(self.names))), self.n, "no cases")

    def recall(self, name: Hashable) -> Estimate:
        """Of the cases that people gave this label, the share that the judge gave it too.

        For the passing label this is the sensitivity, for the failing one the specificity.
        """
        at = self._place(name)
        return self._rate(self.table[at][at], sum(self.table[at]), f"people gave no case the label {name!r}")

    def precision(self, name: Hashable) -> Estimate:
        """Of the cases that the judge gave this label, the share that people gave it too."""
        at = self._place(name)
        given = sum(row[at] for row in self.table)
        return self._rate(self.table[at][at], given, f"the judge gave no case the label {name!r}")

    def f1(self, name: Hashable) -> float | None:
        """Harmonic mean of precision and recall of a label, 2 hits / (given + true); None if nobody used it."""
        at = self._place(name)
        used = sum(self.table[at]) + sum(row[at] for row in self.table)
        return 2 * self.table[at][at] / used if used else None

    def base_rate(self, name: Hashable) -> Estimate:
        """Share of cases that people gave this label."""
        return self._rate(sum(self.table[self._place(name)]), self.n, "no cases")

    def _place(self, name: Hashable) -> int:
        if name not in self.names:
            raise InputError(f"{name!r:.60} is none of the labels {', '.join(map(repr, self.names))}.")
        return self.names.index(name)

    def _rate(self, hits: int, n: int, reason: str) -> Estimate:
        if n == 0:
            return undefined(reason, level=self.level, method="Wilson")
        return wilson_interval(hits, n, level=self.level)


def confusion(
    people: Sequence[Hashable],
    judge: Sequence[Hashable],
    *,
    scale: Sequence[Hashable] | None = None,
    level: float = 0.95,
) -> Confusion:
    """The table of people's labels against a judge's, with accuracy, recall, precision and F1 by label.

    Args:
        people: True labels, shape (n_cases,).
        judge: The judge's labels on the same cases, same order. What becomes of replies without a verdict is the
            caller's decision: leave the case out, or give them a label of their own.
        scale: All labels in order; None: those found, sorted.
        level: Confidence level of the rates.

    Returns:
        Confusion; a rate over no cases has value None, with a reason.

    Raises:
        ShapeError: lengths differ.
        InputError: a missing label, or one outside the scale.

    Source:
        E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953, for the intervals.

    Example:
        >>> one = confusion(["pass", "pass", "fail", "fail"], ["pass", "fail", "fail", "fail"])
        >>> one.table, one.recall("pass").value, one.recall("fail").value
        (((2, 0), (1, 1)), 0.5, 1.0)
    """
    true, given = labels(people, "people"), labels(judge, "judge")
    same_length(people=true, judge=given)
    names = categories([*true, *given], scale)
    place = {one: at for at, one in enumerate(names)}
    table = [[0] * len(names) for _ in names]
    for row, column in zip(true, given, strict=True):
        table[place[row]][place[column]] += 1
    return Confusion(tuple(names), tuple(map(tuple, table)), check_level(level))
