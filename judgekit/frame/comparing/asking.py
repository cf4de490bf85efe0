"""Two sides in; which metrics are compared, and which of them answers the question, out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.comparing.definitions import CASE, MetricChange
from judgekit.frame.comparing.differences import Asked
from judgekit.frame.comparing.pairing import NO_JUDGE, pair_cases, pair_scores
from judgekit.frame.comparing.sides import NO_ROWS, Metric, Side

Margin = float | Mapping[str, float] | None
"""Accepted loss: of the primary metric in its own units (rates 0 to 1), or by metric."""


def metrics_asked(
    new: Side,
    old: Side,
    case_ids: Sequence[str],
    names: Mapping[str, Any],
    *,
    primary: str | None,
    margin: Margin,
    informs: bool = False,
    changed: Mapping[Metric, MetricChange] | None = None,
    mismatches: Mapping[Metric, MetricChange] | None = None,
) -> list[Asked]:
    """Every metric that the two sides have scores of, paired by case, the primary one first.

    Args:
        new: The side in question.
        old: The side that it is compared with.
        case_ids: Cases that may be paired.
        names: What the rows say of the two.
        primary: Primary metric; None: as `metrics_of` chooses.
        margin: Loss that is accepted.
        informs: Whether something else answers the question: then none of these is primary.
        changed: Metrics that do not mean the same on some cases: these are left out.
        mismatches: Such metrics that are compared all the same, which their rows say.
    """
    metrics, first = metrics_of(new, old, case_ids, primary)
    found = []
    for metric in metrics:
        without: Collection[str] = changed[metric].case_ids if changed and metric in changed else ()
        pairs = (
            pair_cases(new, old, case_ids, without)
            if metric == CASE
            else pair_scores(metric, new, old, case_ids, without)
        )
        if not pairs.case_ids and not pairs.left_out.keys() - {NO_JUDGE}:
            # Nothing but negative fixtures; and that no judge was named is said for the whole run.
            continue
        is_primary = metric == first and not informs
        mismatch = mismatches.get(metric) if mismatches else None
        found.append(
            Asked(
                pairs,
                new,
                old,
                names,
                is_primary,
                _mismatch(mismatch, len(pairs.case_ids)) if mismatch else "",
                margin_of(margin, metric[1], is_primary),
            )
        )
    return found


def metrics_of(new: Side, old: Side, case_ids: Sequence[str], wanted: str | None) -> tuple[list[Metric], Metric | None]:
    """The metrics to compare, and the primary one, which comes first.

    Checks stand behind the case pass rate and are compared only where one is wanted as primary metric.
    """
    ids = set(case_ids)
    both = [(metric, by_case) for side in (new, old) for metric, by_case in side.rows.items()]
    found = list(dict.fromkeys(metric for metric, by_case in both if not ids.isdisjoint(by_case)))
    required = any(not ids.isdisjoint(by_case.required) for _, by_case in both)
    candidates = [CASE] if required else []
    # A judged score speaks of the whole answer; a deterministic rubric of one trait of it.
    candidates += sorted((metric for metric in found if metric[0] != "check"), key=lambda one: one[0] != "judge")
    if wanted is None:
        first = next((one for one in candidates if one == CASE or _has_scores(one, new, old)), None)
    else:
        first = next((one for one in (*candidates, *found) if one[1] == wanted), None)
    rest = [one for one in candidates if one != first]
    return ([first, *rest] if first is not None else rest), first


def _has_scores(metric: Metric, new: Side, old: Side) -> bool:
    return all(
        any(row.score is not None for rows in side.rows.get(metric, NO_ROWS).values() for row in rows)
        for side in (new, old)
    )


def margin_of(margin: Margin, metric: str, primary: bool) -> float | None:
    """The loss that is accepted of one metric, None if nothing is said of it."""
    if isinstance(margin, Mapping):
        return margin.get(metric)
    return margin if primary else None


def _mismatch(change: MetricChange, n: int) -> str:
    some = f" on {len(change.case_ids)} cases" if len(change.case_ids) < n else ""
    return f"compared although {change.why}{some} (--allow-mismatch)"


def raise_unknown(
    primary: str | None, margin: Margin, asked: Sequence[Asked], sides: Collection[Side], pairs: Collection[str] = ()
) -> None:
    """Raise for a primary metric or a margin of something that is not compared, or a margin beyond the scale.

    Args:
        primary: Primary metric that was named.
        margin: Loss that is accepted.
        asked: What is compared by scores.
        sides: What has scores.
        pairs: Metrics that are compared in pairs.

    Raises:
        InputError: with the metrics that there are.
    """
    for one in asked:
        span = one.pairs.scale[1] - one.pairs.scale[0]
        if one.margin is not None and one.pairs.has_scale and one.margin > span:
            low, high = one.pairs.scale
            hint = f": for five points write {0.05:g}, or 5%" if span == 1 else ""
            raise InputError(
                f"margin: {one.margin:g} is more than {one.pairs.metric[1]} can lose, whose scale is {low:g} to "
                f"{high:g}{hint}."
            )
    compared = {one.pairs.metric[1] for one in asked} | set(pairs)
    for name in margin if isinstance(margin, Mapping) else ():
        if name not in compared:
            names = sorted(compared)
            hint = did_you_mean(name, names)
            raise InputError(f'margin: "{name}" is not compared; these are: {", ".join(names)}.{hint}')
    if primary is None or primary in pairs or any(one.primary for one in asked):
        return
    known = sorted({"pass_rate", *pairs, *(metric for side in sides for _, metric in side.rows)})
    if primary in known:
        raise InputError(f'primary: no case has "{primary}" on both sides.')
    raise InputError(
        f'primary: both sides need a metric "{primary}"; there are {", ".join(known)}.{did_you_mean(primary, known)}'
    )
