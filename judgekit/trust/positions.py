"""Pairwise verdicts of a run in, whether a judge prefers what is shown first or second, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from judgekit.frame.pairwise import mean_orders
from judgekit.trust.probing import LEVEL, READABLE, Finding, least_cases, said_p

if TYPE_CHECKING:
    from judgekit.stats import PositionBias

_SCORES = {"win": 1.0, "tie": 0.5, "loss": 0.0}


@dataclass(frozen=True, slots=True)
class PositionResult:
    """Whether a judge that compares two outputs prefers a place."""

    judge: str
    metric: str
    variant: str
    against: str
    n: int
    """Cases with both orders readable, in any trial."""
    consistent: int
    first_slot: int
    """Cases where the output shown first won in both orders, whichever it was."""
    second_slot: int
    half: int
    """Cases with a tie in one order only."""
    unread: int
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

    Exact sign test over cases: each order is averaged over the trials of a case first. Adjusted (Holm) for the pairs of
    variants that one judge compared by one rubric.

    Args:
        verdicts: Records of verdicts.jsonl; those without `against` are passed over. The label is win, tie or loss of
            the variant, `order` says whether it was shown first or second.
    """
    from judgekit.stats import holm, position_bias

    pairs: dict[tuple[str, str, str, str], dict[str, dict[int, dict[str, float | None]]]] = {}
    for row in verdicts:
        # Further samples of one pair are no further pairs.
        if row.get("against") and row.get("order") in ("first", "second") and not row.get("sample"):
            key = (str(row.get("judge", "")), row["rubric"], row["variant"], row["against"])
            label = row.get("label") if row.get("status") in READABLE else None
            trials = pairs.setdefault(key, {}).setdefault(row["case_id"], {})
            trials.setdefault(row["trial"], {})[row["order"]] = _SCORES.get(str(label))
    biases = {}
    for key, by_case in pairs.items():
        # Nor are further trials of one case: each order is averaged over them.
        both = [
            mean_orders([(one.get("first"), one.get("second")) for one in trials.values()])
            for trials in by_case.values()
        ]
        biases[key] = position_bias([first for first, _ in both], [second for _, second in both])
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
        found.append(_result(key, bias, adjusted.get(key), n_tests))
    return found


def _result(key: tuple[str, str, str, str], bias: PositionBias, p_value: float | None, n_tests: int) -> PositionResult:
    figures = (
        f"in {bias.n - bias.consistent} of {bias.n} cases the orders disagree, {bias.first_slot} for what "
        f"stood first and {bias.second_slot} for what stood second{said_p(p_value)}"
        + (f", {bias.half} with a tie in one order" if bias.half else "")
    )
    finding: Finding = "not shown"
    sentence = f"not shown: {figures}"
    if p_value is not None and p_value <= LEVEL:
        place = "first" if bias.first_slot > bias.second_slot else "second"
        finding, sentence = "biased", f"the judge prefers what is shown {place}: {figures}"
    elif bias.n < (least := least_cases(n_tests, two_sided=True)):
        finding, sentence = "too few", f"too few: at least {least} cases are needed to show anything; {figures}"
    counts = (bias.n, bias.consistent, bias.first_slot, bias.second_slot, bias.half, bias.unread)
    return PositionResult(*key, *counts, p_value, finding, sentence)
