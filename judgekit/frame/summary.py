"""Rows of a run in; counts, estimates, costs and calls out, as summary.json holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.frame.trials import over_trials
from judgekit.frame.units import Unit
from judgekit.records import NO_FIELDS, Judgment

STATUSES = ("pass", "fail", "error", "skipped", "negative_ok")


def count(units: Iterable[Unit]) -> dict[str, int]:
    """How many case × variant units there are, and how many of each standing."""
    counts = {"cases": 0, **dict.fromkeys(STATUSES, 0)}
    for unit in units:
        counts["cases"] += 1
        counts[unit.status] += 1
    return counts


def count_by_variant(units: Sequence[Unit]) -> dict[str, dict[str, int]]:
    """The counts of each variant."""
    variants = dict.fromkeys(unit.variant for unit in units)
    return {variant: count(unit for unit in units if unit.variant == variant) for variant in variants}


def estimates(
    results: Iterable[ResultRow],
    units: Sequence[Unit],
    *,
    level: float = 0.95,
    clusters: Mapping[str, str] = NO_FIELDS,
) -> list[dict[str, Any]]:
    """One estimate per variant and metric, each with n_scored of n_total, interval and method.

    The first of each variant is the case pass rate (`pass_rate`, kind `case`): passed over selected cases, those
    without a result included in the denominator. Negative fixtures enter none of them. Intervals cluster by case, or by
    `clusters` (case -> cluster) where cases are not independent of each other.
    """
    left_out = {(unit.case_id, unit.variant) for unit in units if unit.negative or unit.status == "skipped"}
    groups: dict[tuple[str, str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if (row.case_id, row.variant) not in left_out:
            groups.setdefault((row.variant, row.kind, row.metric, row.judge or "", row.against), []).append(row)
    judges = {(metric, judge) for _, kind, metric, judge, _ in groups if kind == "judge"}
    several = {metric for metric, _ in judges if sum(one == metric for one, _ in judges) > 1}
    found = []
    for variant in dict.fromkeys(unit.variant for unit in units):
        mine = [unit for unit in units if unit.variant == variant and (unit.case_id, variant) not in left_out]
        if mine:
            found.append(_case_pass_rate(variant, mine, level, clusters))
        for (of, kind, metric, judge, against), rows in groups.items():
            if of == variant:
                one = _of_metric(variant, kind, metric, rows, level, clusters)
                one |= {"against": against} if against else {}
                found.append({**one, "judge": judge} if metric in several else one)
    return found


def _case_pass_rate(variant: str, units: Sequence[Unit], level: float, clusters: Mapping[str, str]) -> dict[str, Any]:
    from judgekit.stats import mean_interval, wilson_interval

    passed = sum(unit.status == "pass" for unit in units)
    one = wilson_interval(passed, len(units), level=level)
    labels = [clusters.get(unit.case_id, unit.case_id) for unit in units]
    if len(set(labels)) < len(labels):
        one = mean_interval([float(unit.status == "pass") for unit in units], labels, level=level, bounds=(0.0, 1.0))
    return {
        "variant": variant,
        "metric": "pass_rate",
        "kind": "case",
        "n_scored": sum(unit.status in ("pass", "fail") for unit in units),
        "n_total": len(units),
        "mean": one.value,
        "ci_low": one.low,
        "ci_high": one.high,
        "level": level,
        "method": one.method,
        "pass_rate": one.value,
        "pass_rate_low": one.low,
        "pass_rate_high": one.high,
        **over_trials(
            [unit.n_trials - unit.n_open for unit in units],
            [unit.n_passed for unit in units],
            max(unit.n_trials for unit in units),
        ),
        "reason": one.reason,
    }


def _of_metric(
    variant: str, kind: str, metric: str, rows: Sequence[ResultRow], level: float, clusters: Mapping[str, str]
) -> dict[str, Any]:
    from judgekit.stats import mean_interval

    scored = [row for row in rows if row.score is not None]
    decided = [row for row in rows if row.passed is not None]
    bounds = (rows[0].scale_min, rows[0].scale_max)
    mean = mean_interval(
        [row.score for row in scored if row.score is not None], _clusters(scored, clusters), level=level, bounds=bounds
    )
    rate = _rate(decided, level, clusters)
    return {
        "variant": variant,
        "metric": metric,
        "kind": kind,
        "n_scored": len(scored),
        "n_total": len(rows),
        "mean": mean.value,
        "ci_low": mean.low,
        "ci_high": mean.high,
        "level": level,
        "method": mean.method,
        "pass_rate": rate.value,
        "pass_rate_low": rate.low,
        "pass_rate_high": rate.high,
        **over_trials(*_by_case(rows)),
        "n_decided": len(decided),
        "scale_min": rows[0].scale_min,
        "scale_max": rows[0].scale_max,
        "reason": mean.reason,
    }


def _by_case(rows: Sequence[ResultRow]) -> tuple[list[int], list[int], int]:
    """Trials with a verdict and passed trials of each case, and the most trials that any has."""
    cases: dict[str, list[bool | None]] = {}
    for row in rows:
        cases.setdefault(row.case_id, []).append(row.passed)
    most = max(map(len, cases.values())) if any(row.passed is not None for row in rows) else 0
    tries = [sum(one is not None for one in passed) for passed in cases.values()]
    return tries, [sum(map(bool, passed)) for passed in cases.values()], most


def _clusters(rows: Sequence[ResultRow], clusters: Mapping[str, str]) -> list[str] | None:
    """Cluster of each row where some have one in common, as trials of a case do: those are not independent."""
    ids = [clusters.get(row.case_id, row.case_id) for row in rows]
    return ids if len(set(ids)) < len(ids) else None


def _rate(rows: Sequence[ResultRow], level: float, by_case: Mapping[str, str]) -> Any:
    from judgekit.stats import mean_interval, wilson_interval

    clusters = _clusters(rows, by_case)
    if clusters is None:
        return wilson_interval(sum(bool(row.passed) for row in rows), len(rows), level=level)
    return mean_interval([float(bool(row.passed)) for row in rows], clusters, level=level, bounds=(0.0, 1.0))


def costs(
    cases: Sequence[CaseRow], judgments: Sequence[Judgment], skipped: int, unpriced_targets: Sequence[str] = ()
) -> dict[str, Any]:
    """What targets and judge cost in USD, what skipping saved, and which models have no known price.

    A figure is None where nothing is known; a sum covers the calls whose price is known, the others are listed by the
    name that they were asked for under, as `prices` of the settings wants it.
    """
    target = [row.target_cost_usd for row in cases if row.target_cost_usd is not None]
    calls = [one for one in judgments if one.prompt_hash]
    judge = [one.cost_usd for one in calls if one.cost_usd is not None]
    # A call that failed has no cost to know.
    answered = [one for one in calls if one.live and one.reply is not None]
    unpriced = {one.judge for one in answered if one.cost_usd is None}
    # What skipping saved is what asking would have cost, and replies from the cache cost nothing.
    paid = [one.cost_usd for one in calls if one.cost_usd is not None and not one.n_cached]
    mean = sum(paid) / len(paid) if paid else None
    return {
        "target_usd": sum(target) if target else None,
        "n_target_priced": len(target),
        "judge_usd": sum(judge) if judge else None,
        "n_judge_priced": len(judge),
        "saved_usd": None if mean is None else mean * skipped,
        "unpriced": sorted({*unpriced, *unpriced_targets}),
    }


def tokens(cases: Sequence[CaseRow], judgments: Sequence[Judgment]) -> dict[str, int | None]:
    """Tokens of targets and judge; None where none is known."""
    return {
        "target_input": _known(row.target_input_tokens for row in cases),
        "target_output": _known(row.target_output_tokens for row in cases),
        "target_cached": _known(row.target_cached_tokens for row in cases),
        "target_reasoning": _known(row.target_reasoning_tokens for row in cases),
        "judge_input": _known(one.usage.input_tokens for one in judgments),
        "judge_output": _known(one.usage.output_tokens for one in judgments),
        "judge_cached": _known(one.usage.cached_tokens for one in judgments),
        "judge_reasoning": _known(one.usage.reasoning_tokens for one in judgments),
    }


def _known(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
