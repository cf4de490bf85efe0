"""Two sides in; the values of one metric on the cases that both have, and which were left out and why, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from judgekit.frame.comparing.definitions import CASE
from judgekit.frame.comparing.sides import NO_ROWS, Metric, Side
from judgekit.frame.panels import PANEL
from judgekit.frame.tables import ResultRow

AFTER_CHECK = "not judged after a failed check"
OTHER_DEFINITION = "defined otherwise in the two runs"
UNEQUAL_TRIALS = "with unequal numbers of trials"
NO_JUDGE = "without a judge"
PART_OF_PANEL = "without all judges of the panel"


@dataclass(frozen=True, slots=True)
class Pairs:
    """Values of one metric for two sides, paired by case."""

    metric: Metric
    case_ids: list[str]
    new: list[float]
    """One value a case: the mean of its trials, or whether it passed."""
    old: list[float]
    left_out: Mapping[str, list[str]]
    """Reason -> cases that either side has, but not both with a usable value."""
    scale: tuple[float, float]
    passed: tuple[int, int] | None = None
    """For a metric with a threshold: paired cases that pass now and did not, and those that did and do not."""
    pass_rates: tuple[float, float] | None = None
    """Its own pass rates, now and before, on the paired cases with one trial and judge each."""

    @property
    def has_scale(self) -> bool:
        """False for a DataFrame that states none."""
        return self.scale[1] > self.scale[0]


def pair_cases(new: Side, old: Side, case_ids: Iterable[str], excluded: Collection[str] = ()) -> Pairs:
    """Whether each case passed, on both sides; a case whose judgment was skipped after a failed check has failed.

    Negative fixtures and cases that are only to be read take no part.

    Args:
        new: The side in question.
        old: The side that it is compared with.
        case_ids: Cases that may be paired.
        excluded: Those of them that are defined otherwise.
    """
    paired: list[str] = []
    values: tuple[list[float], list[float]] = ([], [])
    left_out: dict[str, list[str]] = {}
    apart = new.apart | old.apart
    for case_id in case_ids:
        if case_id in apart:
            continue
        one, two = new.units.get(case_id), old.units.get(case_id)
        if one is None or two is None:
            if one is not None or two is not None:
                left_out.setdefault(_absent(new if one is None else old), []).append(case_id)
        elif case_id in excluded:
            left_out.setdefault(OTHER_DEFINITION, []).append(case_id)
        elif one.n_trials != two.n_trials:
            left_out.setdefault(UNEQUAL_TRIALS, []).append(case_id)
        elif one.status == "error" or two.status == "error":
            cause = (one if one.status == "error" else two).cause
            left_out.setdefault(f"without a result ({cause})", []).append(case_id)
        else:
            paired.append(case_id)
            values[0].append(float(one.status == "pass"))
            values[1].append(float(two.status == "pass"))
    return Pairs(CASE, paired, *values, left_out, (0.0, 1.0))


def pair_scores(metric: Metric, new: Side, old: Side, case_ids: Iterable[str], excluded: Collection[str] = ()) -> Pairs:
    """The scores of one metric on both sides: means over the trials of a case, and over the judges that both have.

    Args:
        metric: Which one.
        new: The side in question.
        old: The side that it is compared with.
        case_ids: Cases that may be paired.
        excluded: Those of them on which the metric is defined otherwise.
    """
    mine, theirs = new.rows.get(metric, NO_ROWS), old.rows.get(metric, NO_ROWS)
    paired: list[str] = []
    a: list[float] = []
    b: list[float] = []
    decided: list[tuple[bool, bool]] = []
    left_out: dict[str, list[str]] = {}
    apart = new.apart | old.apart
    for case_id in case_ids:
        one, two = mine.rows(case_id), theirs.rows(case_id)
        if not (one or two) or case_id in apart:
            continue
        if not one or not two:
            reason = _absent(old if one else new)
        elif case_id in excluded:
            reason = OTHER_DEFINITION
        else:
            values = _scores(one, two)
            if values is not None:
                paired.append(case_id)
                a.append(values[0])
                b.append(values[1])
                if len(one) == len(two) == 1 and one[0].passed is not None and two[0].passed is not None:
                    decided.append((one[0].passed, two[0].passed))
                continue
            reason = _why_not(one, two)
        left_out.setdefault(reason, []).append(case_id)
    any_row = next((rows[0] for by_case in (mine, theirs) for rows in by_case.values()), None)
    scale = (0.0, 1.0) if any_row is None else (any_row.scale_min, any_row.scale_max)
    gained = (sum(now and not then for now, then in decided), sum(then and not now for now, then in decided))
    rates = None
    if decided:
        rates = (sum(now for now, _ in decided) / len(decided), sum(then for _, then in decided) / len(decided))
    return Pairs(metric, paired, a, b, left_out, scale, gained if decided else None, rates)


def _absent(side: Side) -> str:
    return f"not there in {side.name}"


def _scores(mine: Sequence[ResultRow], theirs: Sequence[ResultRow]) -> tuple[float, float] | None:
    """The value of a case on either side; None if the two have no scores by the same judge."""
    if len(mine) == len(theirs) == 1 and mine[0].judge == theirs[0].judge:
        a, b = mine[0].score, theirs[0].score
        return None if a is None or b is None or _is_partial(mine[0]) or _is_partial(theirs[0]) else (a, b)
    if any(map(_is_partial, (*mine, *theirs))):
        return None
    now, then = _by_judge(mine), _by_judge(theirs)
    common = now.keys() & then.keys()
    if not common and len(now) == len(then) == 1:
        # A judge under another name: whether that is allowed was settled before.
        return next(iter(now.values())), next(iter(then.values()))
    if not common:
        return None
    return sum(now[one] for one in common) / len(common), sum(then[one] for one in common) / len(common)


def _is_partial(row: ResultRow) -> bool:
    # A harsh judge that saw one side only would make the difference.
    return row.judge == PANEL and "unread_judges" in row.flags.split(";")


def _by_judge(rows: Sequence[ResultRow]) -> dict[str | None, float]:
    scores: dict[str | None, list[float]] = {}
    for row in rows:
        if row.score is not None:
            scores.setdefault(row.judge, []).append(row.score)
    return {judge: sum(values) / len(values) for judge, values in scores.items()}


def _why_not(mine: Sequence[ResultRow], theirs: Sequence[ResultRow]) -> str:
    if any(map(_is_partial, (*mine, *theirs))):
        return PART_OF_PANEL
    rows = [row for side in (mine, theirs) if all(row.score is None for row in side) for row in side]
    if not rows:
        return "without a judge that scored both"
    if any(row.status == "skipped" and (row.cause or "").startswith("check:") for row in rows):
        return AFTER_CHECK
    if all(row.cause == "no_judge" for row in rows):
        return NO_JUDGE
    first = rows[0]
    return f"{first.status} ({first.cause})" if first.cause else first.status
