"""What a person wrote in, what it means on the judge's scale out; several people's ratings in, their common one out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from judgekit.frame.tables import ResultRow
from judgekit.gate import exact
from judgekit.trust.labels import FALSE, TRUE, Label

T = TypeVar("T")

OUTCOMES: Mapping[str, float] = {"win": 1.0, "tie": 0.5, "loss": 0.0}
"""Pairwise labels of a variant over the one that it is compared with."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of one output; None is what it says nothing of."""

    passed: bool | None = None
    label: str | None = None
    """A label of the rubric, or win, tie or loss."""
    score: float | None = None

    @property
    def says_something(self) -> bool:
        """False where people were evenly split, or nobody said anything."""
        return self.passed is not None or self.label is not None or self.score is not None

    def at(self, threshold: float | None) -> Rating:
        """The rating with `passed` decided by its score, where it has one and there is a threshold."""
        if self.score is None or threshold is None:
            return self
        return Rating(exact(self.score) >= exact(threshold), self.label, self.score)


def judged(row: ResultRow) -> Rating:
    """What the judge said."""
    return Rating(row.passed, row.label, row.score)


def meant(written: Label, row: ResultRow, labels: Mapping[str, float]) -> Rating:
    """What a person's row means for one judged result.

    Args:
        written: The row.
        row: The result of the same output and rubric: its scale and threshold.
        labels: Labels of the rubric with their scores; empty for one with a scale.

    Raises:
        ValueError: it does not fit the scale, or contradicts itself; says how.
    """
    low, high = row.scale_min, row.scale_max
    if written.score is not None and not low <= written.score <= high:
        raise ValueError(f"{row.metric}: the scale is {low:g} to {high:g}, the score is not on it")
    spoken = _spoken(written.label, row, labels) if written.label else Rating()
    if written.score is not None and spoken.score is not None and written.score != spoken.score:
        raise ValueError(f"{row.metric}: label and score contradict each other")
    score = written.score if written.score is not None else spoken.score
    scored = Rating(None, spoken.label, score).at(row.threshold)
    if None not in (scored.passed, spoken.passed) and scored.passed != spoken.passed:
        raise ValueError(f"{row.metric}: label and score contradict each other (it passes at {row.threshold:g})")
    return Rating(scored.passed if spoken.passed is None else spoken.passed, spoken.label, score)


def _spoken(text: str, row: ResultRow, labels: Mapping[str, float]) -> Rating:
    if row.against:
        if text.lower() not in OUTCOMES:
            raise ValueError(f"{row.metric}: a pairwise label is win, tie or loss")
        return Rating(None, text.lower(), OUTCOMES[text.lower()])
    known = [name for name in labels if name == text] or [name for name in labels if name.lower() == text.lower()]
    if len(known) == 1:
        return Rating(None, known[0], labels[known[0]])
    if text.lower() in TRUE:
        return Rating(True)
    if text.lower() in FALSE:
        return Rating(False)
    own = f"{', '.join(labels)}, " if labels else ""
    if _is_number(text):
        raise ValueError(f"{row.metric}: a label is {own}pass or fail; a number belongs in the column score")
    raise ValueError(f'{row.metric}: the label "{text[:40]}" is unknown; known are {own}pass, fail, yes, no, 1, 0')


def numbers_meant(texts: Sequence[str]) -> bool:
    """True if the labels of a rubric with a scale are scores in the wrong column: then a 1 is no `pass`, either.

    Example:
        >>> numbers_meant(["1", "0", "yes"]), numbers_meant(["1", "4"])
        (False, True)
    """
    return any(_is_number(text) and text not in TRUE + FALSE for text in texts)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def common(ratings: Sequence[Rating]) -> Rating:
    """What several people say together: the majority of passes and of labels, the mean of scores; None for a draw.

    Example:
        >>> common([Rating(True), Rating(True), Rating(False)]).passed, common([Rating(True), Rating(False)]).passed
        (True, None)
    """
    label = _majority([one.label for one in ratings if one.label is not None])
    of_label = [one.score for one in ratings if one.label == label and label is not None]
    scores = [one.score for one in ratings if one.score is not None]
    if label is None and any(one.label is not None for one in ratings):
        scores = []
    score = of_label[0] if of_label else sum(scores) / len(scores) if scores else None
    return Rating(_majority([one.passed for one in ratings if one.passed is not None]), label, score)


def _majority(values: Sequence[T]) -> T | None:
    counts = Counter(values).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]
