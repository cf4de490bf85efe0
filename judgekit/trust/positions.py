"""Pairwise verdicts of a run in, whether a judge prefers what is shown first or second, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from judgekit.trust.probing import LEVEL, READABLE, Finding, least_cases, said_p

if TYPE_CHECKING:
    from judgekit.stats import PositionBias


@dataclass(frozen=True, slots=True)
class PositionResult:
    """Whether a judge that compares two outputs prefers a place."""

    judge: str
    metric: str
    variant: str
    against: str
    n: int
    """Pairs with both orders readable."""
    consistent: int
    first_slot: int
    """Pairs where the output shown first won in both orders, whichever it was."""
    second_slot: int
    unread: int
    n_cases: int
    """Cases of those pairs; several trials of one case are no independent pairs."""
    p_value: float | None
    """By case, adjusted (Holm) for all pairs of variants that this judge compared by this rubric."""
    finding: Finding
    sentence: str

    @property
    def record(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        return asdict(self)


def position_results(verdicts: Iterable[Mapping[str, Any]]) -> list[PositionResult]:
    """Position bias by the pairwise verdicts of a run: both orders of each pair were judged there, nobody is asked.

    Exact sign test over cases: what the trials of one case favour is added up first. Adjusted (Holm) for the pairs of
    variants that one judge compared by one rubric.

    Args:
        verdicts: Records of verdicts.jsonl; those without `against` are passed over. The label is win, tie or loss of
            the variant, `order` says whether it was shown first or second.
    """
    from judgekit.stats import holm, position_bias

    pairs: dict[tuple[str, str, str, str], dict[tuple[str, int], dict[str, Any]]] = {}
    for row in verdicts:
        # Further samples of one pair are no further pairs.
        if row.get("against") and row.get("order") in ("first", "second") and not row.get("sample"):
            key = (str(row.get("judge", "")), row["rubric"], row["variant"], row["against"])
            label = row.get("label") if row.get("status") in READABLE else None
            known = label if label in ("win", "tie", "loss") else None
            pairs.setdefault(key, {}).setdefault((row["case_id"], row["trial"]), {})[row["order"]] = known
    biases = {}
    for key, both in pairs.items():
        first, second = ([one.get(order) for one in both.values()] for order in ("first", "second"))
        biases[key] = position_bias(first, second, [case_id for case_id, _ in both])
    families: dict[tuple[str, str], list[tuple[str, str, str, str]]] = {}
    for key, bias in biases.items():
        if bias.test.p_value is not None:
            families.setdefault(key[:2], []).append(key)
    adjusted: dict[tuple[str, str, str, str], float] = {}
    for keys in families.values():
        adjusted |= zip(keys, holm([biases[key].test.p_value or 0.0 for key in keys]).tolist(), strict=True)
    found = []
    for key, bias in biases.items():
        n_tests = max(1, len(families.get(key[:2], ())))
        n_cases = len(
            {case_id for (case_id, _), one in pairs[key].items() if None not in (one.get("first"), one.get("second"))}
        )
        found.append(_result(key, bias, n_cases, adjusted.get(key), n_tests))
    return found


def _result(
    key: tuple[str, str, str, str], bias: PositionBias, n_cases: int, p_value: float | None, n_tests: int
) -> PositionResult:
    figures = (
        f"in {bias.n - bias.consistent} of {bias.n} pairs the orders disagree, {bias.first_slot} for what "
        f"stood first and {bias.second_slot} for what stood second"
    )
    if n_cases < bias.n:
        figures += f", by case {bias.test.statistic or 0:g} and {bias.test.n - (bias.test.statistic or 0):g}"
    figures += said_p(p_value)
    finding: Finding = "not shown"
    sentence = f"not shown: {figures}"
    if p_value is not None and p_value <= LEVEL:
        place = "first" if 2 * (bias.test.statistic or 0) > bias.test.n else "second"
        finding, sentence = "biased", f"the judge prefers what is shown {place}: {figures}"
    elif n_cases < (least := least_cases(n_tests, two_sided=True)):
        what = "pairs" if n_cases == bias.n else "cases"
        finding, sentence = "too few", f"too few: at least {least} {what} are needed to show anything; {figures}"
    counts = (bias.n, bias.consistent, bias.first_slot, bias.second_slot, bias.unread, n_cases)
    return PositionResult(*key, *counts, p_value, finding, sentence)
