"""Verdicts of several samples in, one verdict with its spread out; the threshold decides after the mean, exactly."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judgekit.judges.labels import lower_label
from judgekit.judges.written import exact
from judgekit.records import Judgment, Rubric, Status, Verdict


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The verdict of one judge on one output over its samples."""

    verdict: Verdict
    n_samples: int
    """Readable samples behind it."""
    score_sd: float | None
    """Standard deviation of the samples' scores (n - 1 in the denominator); None under two."""


def aggregate(judgments: Sequence[Judgment], rubric: Rubric, threshold: Fraction | None) -> Aggregate:
    """One verdict over the samples of one output, judge and rubric.

    The score is the mean of the readable samples; with labels the majority's, ties to the lower score; checklist items
    and criteria are aggregated each for itself and the whole is their mean. Samples that could not be read are left
    out and flagged `unread_samples`, never counted as 0. If none is readable the verdict is `unscored`, and `error`
    or `skipped` if no sample got as far as a reply; its cause is the commonest one.

    Args:
        judgments: At least one sample.
        rubric: What was judged by.
        threshold: Score that passes; None: the score only informs.
    """
    verdicts = [one.verdict for one in judgments]
    readable = [one for one in verdicts if one.status in ("pass", "fail", "scored")]
    if not readable:
        return Aggregate(without_result(verdicts), 0, None)
    flags = tuple(dict.fromkeys(flag for one in readable for flag in one.flags))
    if len(readable) < len(verdicts):
        flags = (*flags, "unread_samples")
    scored = [one for one in readable if one.score is not None]
    if not scored:
        return Aggregate(_by_own_word(readable, flags), len(readable), None)
    scores = [exact(one.score) for one in scored if one.score is not None]
    items: dict[str, Verdict] = {}
    label = None
    if rubric.labels:
        label = _majority([one.label for one in scored if one.label is not None], rubric)
        # Weighted samples say more than their labels do.
        score = _mean(scores) if rubric.weighted else exact(rubric.labels[label])
    elif rubric.checklist or rubric.criteria:
        names = rubric.checklist or rubric.criteria
        items = {name: _item([one.items[name] for one in scored], yes_no=bool(rubric.checklist)) for name in names}
        # From the items, where shares such as 1/3 are still whole numbers of yeses.
        score = _mean(_mean(exact(one.items[name].score or 0.0) for one in scored) for name in names)
    else:
        score = _mean(scores)
    passed = None if threshold is None else score >= threshold
    verdict = Verdict(
        _status(passed),
        float(score),
        label,
        passed,
        None,
        flags,
        _typical(scored, label, score).reason,
        items,
    )
    return Aggregate(verdict, len(scored), statistics.stdev(map(float, scores)) if len(scores) > 1 else None)


def _status(passed: bool | None) -> Status:
    return "scored" if passed is None else "pass" if passed else "fail"


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return sum(listed, Fraction(0)) / len(listed)


def _majority(labels: Sequence[str], rubric: Rubric) -> str:
    counts = Counter(labels)
    most = max(counts.values())
    return lower_label((label for label, count in counts.items() if count == most), rubric.labels)


def _item(samples: Sequence[Verdict], *, yes_no: bool) -> Verdict:
    score = _mean(exact(one.score or 0.0) for one in samples)
    if not yes_no:
        return Verdict("scored", float(score), reason=samples[0].reason)
    passed = score > Fraction(1, 2)
    reason = next((one.reason for one in samples if one.passed is passed), samples[0].reason)
    return Verdict(_status(passed), float(score), "yes" if passed else "no", passed, reason=reason)


def _typical(scored: Sequence[Verdict], label: str | None, score: Fraction) -> Verdict:
    """The sample whose reason speaks for the whole: the first of the winning label, or nearest to the mean."""
    if label is not None:
        return next(one for one in scored if one.label == label)
    return min(scored, key=lambda one: abs(exact(one.score or 0.0) - score))


def _by_own_word(readable: Sequence[Verdict], flags: tuple[str, ...]) -> Verdict:
    """Samples that say pass or fail without a score: the majority, ties to fail."""
    passed = 2 * sum(one.passed is True for one in readable) > len(readable)
    reason = next((one.reason for one in readable if one.passed is passed), "")
    return Verdict(_status(passed), None, None, passed, None, flags, reason)


def without_result(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict that stands for several without a score: unscored before error before skipped, commonest cause."""
    for status in ("unscored", "error", "skipped"):
        same = [one for one in verdicts if one.status == status]
        if same:
            cause: Any = Counter(one.cause for one in same).most_common(1)[0][0]
            return next(one for one in same if one.cause == cause)
    raise ValueError("aggregate needs at least one judgment")
