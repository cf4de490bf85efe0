"""Two variants on the same cases in, paired differences with what they rest on out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from judgekit.frame.panels import deciding
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit

if TYPE_CHECKING:
    import pandas as pd

    from judgekit.stats import Test

MOST_LISTED = 20


@dataclass(frozen=True, slots=True)
class Pairs:
    """Values of one metric for two variants, paired by case."""

    metric: str
    kind: str
    case_ids: list[str]
    new: list[float]
    old: list[float]
    left_out: int
    """Cases that either variant has, but not both with a result."""


@dataclass(frozen=True)
class Comparison:
    """Paired differences of variants, one row per variant and metric, the primary metric first."""

    rows: tuple[dict[str, Any], ...]
    """As `comparisons` in summary.json."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict of each row with the figures that it rests on."""
        return tuple(row["sentence"] for row in self.rows)

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, without the lists of cases."""
        import pandas as pd

        lists = ("regressions", "improvements")
        return pd.DataFrame([{key: value for key, value in row.items() if key not in lists} for row in self.rows])


def compare_variants(
    units: Sequence[Unit], results: Sequence[ResultRow], references: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The comparisons of every variant with the reference variant of its suites.

    Args:
        units: Every case × variant.
        results: Every row.
        references: Reference variant by suite, for suites with several variants.

    Returns:
        One mapping per variant and metric, as `comparisons` in summary.json: primary metric first.
    """
    pairs_of: dict[tuple[str, str], list[str]] = {}
    for suite, reference in references.items():
        for variant in dict.fromkeys(unit.variant for unit in units if unit.suite == suite):
            if variant != reference:
                pairs_of.setdefault((variant, reference), []).append(suite)
    return [
        one
        for (variant, reference), suites in pairs_of.items()
        for one in _compare(variant, reference, suites, units, results)
    ]


def _compare(
    variant: str, reference: str, suites: Sequence[str], units: Sequence[Unit], results: Sequence[ResultRow]
) -> list[dict[str, Any]]:
    from judgekit.stats import holm

    mine = [unit for unit in units if unit.suite in suites and not unit.negative and unit.status != "skipped"]
    ids = {unit.case_id for unit in mine}
    rows = [row for row in results if row.case_id in ids and row.variant in (variant, reference) and not row.against]
    rows = list(deciding(rows))
    metrics = [_unit_pairs(mine, variant, reference)] if any(row.required for row in rows) else []
    groups: dict[tuple[str, str], list[ResultRow]] = {}
    for row in rows:
        if row.kind != "check":
            groups.setdefault((row.kind, row.metric), []).append(row)
    metrics += [_row_pairs(kind, metric, group, variant, reference) for (kind, metric), group in groups.items()]
    tests = [_test(one) for one in metrics]
    raw = [test.p_value for test in tests]
    known = [p for p in raw if p is not None]
    adjusted = iter(holm(known).tolist() if known else [])
    found = []
    for position, (pairs, test) in enumerate(zip(metrics, tests, strict=True)):
        one = _difference(pairs, test, None if test.p_value is None else float(next(adjusted)))
        one = {"suite": ";".join(suites), "variant": variant, "against": reference, "primary": position == 0, **one}
        one["sentence"] = _sentence(one)
        one["regressions"], one["improvements"] = _flips(pairs, mine, rows, variant, reference)
        found.append(one)
    return found


def _test(pairs: Pairs) -> Test:
    from judgekit.stats import mcnemar, sign_flip_test

    if pairs.kind != "case":
        return sign_flip_test(pairs.new, pairs.old)
    won = sum(a > b for a, b in zip(pairs.new, pairs.old, strict=True))
    return mcnemar(won, sum(a < b for a, b in zip(pairs.new, pairs.old, strict=True)))


def _unit_pairs(units: Iterable[Unit], variant: str, reference: str) -> Pairs:
    by_case: dict[str, dict[str, float]] = {}
    seen: set[str] = set()
    for unit in units:
        if unit.variant in (variant, reference):
            seen.add(unit.case_id)
            if unit.status in ("pass", "fail"):
                by_case.setdefault(unit.case_id, {})[unit.variant] = float(unit.status == "pass")
    return _paired("pass_rate", "case", by_case, seen, variant, reference)


def _row_pairs(kind: str, metric: str, rows: Iterable[ResultRow], variant: str, reference: str) -> Pairs:
    scores: dict[str, dict[str, list[float]]] = {}
    seen: set[str] = set()
    for row in rows:
        seen.add(row.case_id)
        if row.score is not None:
            scores.setdefault(row.case_id, {}).setdefault(row.variant, []).append(row.score)
    by_case = {
        case_id: {name: sum(values) / len(values) for name, values in one.items()} for case_id, one in scores.items()
    }
    return _paired(metric, kind, by_case, seen, variant, reference)


def _paired(
    metric: str, kind: str, by_case: Mapping[str, Mapping[str, float]], seen: set[str], variant: str, reference: str
) -> Pairs:
    both = [case_id for case_id, one in by_case.items() if variant in one and reference in one]
    return Pairs(
        metric,
        kind,
        both,
        [by_case[case_id][variant] for case_id in both],
        [by_case[case_id][reference] for case_id in both],
        len(seen) - len(both),
    )


def _difference(pairs: Pairs, test: Test, adjusted: float | None) -> dict[str, Any]:
    from judgekit.stats import difference_verdict

    new, old, n = pairs.new, pairs.old, len(pairs.case_ids)
    said = difference_verdict(new, old, adjusted_p=adjusted, test=test)
    return {
        "metric": pairs.metric,
        "kind": pairs.kind,
        "n": n,
        "n_left_out": pairs.left_out,
        "value": sum(new) / n if n else None,
        "value_against": sum(old) / n if n else None,
        "difference": said.estimate.value,
        "ci_low": said.estimate.low,
        "ci_high": said.estimate.high,
        "level": said.estimate.level,
        "method": test.method,
        "p_value": test.p_value,
        "p_adjusted": adjusted,
        "minimum_detectable_difference": said.detectable.value,
        "wins": said.n_higher,
        "losses": said.n_lower,
        "ties": said.n_tied,
        "verdict": said.verdict,
        "reason": said.reason,
    }


def _sentence(one: Mapping[str, Any]) -> str:
    """The verdict with every figure that it rests on."""
    what = "case pass rate" if one["kind"] == "case" else one["metric"]
    who = f"{what}: {one['variant']} against {one['against']}"
    if not one["n"]:
        return f"{who}: not enough cases (no case has a result for both)."
    figures = f"{_number(one, 'value')} against {_number(one, 'value_against')} on {one['n']} cases"
    if one["ci_low"] is not None:
        ends = f"[{_signed(one, 'ci_low')}, {_signed(one, 'ci_high')}]"
        figures += f", difference {_signed(one, 'difference')} {ends}"
    if one["p_adjusted"] is not None:
        figures += f", p = {one['p_adjusted']:.2g}" + (" adjusted" if one["p_adjusted"] != one["p_value"] else "")
    if one["verdict"] in ("no evidence of a difference", "not enough cases") and one["minimum_detectable_difference"]:
        figures += f"; so many cases show a difference of {_number(one, 'minimum_detectable_difference')}"
    left = f"; {one['n_left_out']} cases left out, without a result for both" if one["n_left_out"] else ""
    return f"{who}: {one['verdict']} ({figures}{left})."


def _number(one: Mapping[str, Any], key: str) -> str:
    return f"{100 * one[key]:.0f} %" if one["kind"] == "case" else f"{one[key]:.2f}"


def _signed(one: Mapping[str, Any], key: str) -> str:
    return f"{100 * one[key]:+.0f}" if one["kind"] == "case" else f"{one[key]:+.2f}"


def _flips(
    pairs: Pairs, units: Iterable[Unit], rows: Iterable[ResultRow], variant: str, reference: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The cases that got worse and better, largest change first, each with the reason on the worse side."""
    if pairs.kind == "case":
        reasons = {(unit.case_id, unit.variant): unit.reason for unit in units}
    else:
        reasons = {(row.case_id, row.variant): row.reason for row in rows if row.metric == pairs.metric}
    worse: list[dict[str, Any]] = []
    better: list[dict[str, Any]] = []
    for case_id, new, old in zip(pairs.case_ids, pairs.new, pairs.old, strict=True):
        if new == old:
            continue
        side = variant if new < old else reference
        flip = {"case_id": case_id, "value": new, "value_against": old, "reason": reasons.get((case_id, side), "")}
        (worse if new < old else better).append(flip)
    for flips in (worse, better):
        flips.sort(key=lambda one: (-abs(one["value"] - one["value_against"]), one["case_id"]))
    return worse[:MOST_LISTED], better[:MOST_LISTED]
