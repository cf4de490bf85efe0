"""Pairs judged in both orders in, what they say together out: wins, ties, losses, order consistency, preference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judgekit.frame.comparing.differences import least_cases
from judgekit.frame.comparing.flips import MOST_LISTED
from judgekit.frame.panels import PANEL
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit

if TYPE_CHECKING:
    from judgekit.stats import Test

RULES = ("strict", "net", "mean")

_Place = tuple[str, str, int, str, str, str]
"""case_id, variant, trial, rubric, judge, against."""
_Orders = tuple[float | None, float | None]
"""Preference for the variant when it was shown first and second, from 0 to 1; None without a readable reply."""


def with_pairs(
    comparisons: Iterable[Mapping[str, Any]],
    units: Sequence[Unit],
    results: Iterable[ResultRow],
    verdicts: Iterable[Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Every comparison of a run: those of pairs first, as they are what was asked for, then those by scores.

    Args:
        comparisons: Those by scores.
        units: Every case × variant.
        results: Every row.
        verdicts: The records of verdicts.jsonl.
    """
    pairs = compare_pairs(units, results, verdicts)
    asked = {(one["variant"], one["against"]) for one in pairs}
    return pairs + [
        {**one, "primary": one["primary"] and (one["variant"], one["against"]) not in asked} for one in comparisons
    ]


def compare_pairs(
    units: Sequence[Unit], results: Iterable[ResultRow], verdicts: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """One comparison per pairwise rubric, variant, opponent and judge, as `comparisons` in summary.json.

    Beside the keys of every comparison there are `kind` "pairwise", `judge`, `rules` (wins, ties, losses and win rate
    by each of `strict, net, mean`), `orders` (consistency and position preference), `unread` (pairs without a result by
    cause) and `notes` (all that in sentences). Value and win rate are those of `strict`, a tie counting half. Ties are
    pairs on which no output is better; what could not be read is no tie and stands in `unread`.
    """
    from judgekit.stats import holm

    counted = {(one.case_id, one.variant) for one in units if not one.negative and one.status != "skipped"}
    suites = {one.case_id: one.suite for one in units}
    groups: dict[tuple[str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if row.against and row.judge is not None and (row.case_id, row.variant) in counted:
            groups.setdefault((row.metric, row.variant, row.against, row.judge), []).append(row)
    orders = _orders(verdicts) if groups else {}
    # What the judges say together is the answer; what each says comes after it.
    groups = dict(sorted(groups.items(), key=lambda group: group[0][3] != PANEL))
    several = len({judge for *_, judge in groups}) > 1
    found = [_Group(*key, rows=rows, orders=orders, several=several) for key, rows in groups.items()]
    tests = [one.test for one in found]
    known = [test.p_value for test in tests if test.p_value is not None]
    adjusted = iter(holm(known).tolist() if known else [])
    entries = []
    for position, (one, test) in enumerate(zip(found, tests, strict=True)):
        p_adjusted = None if test.p_value is None else float(next(adjusted))
        suite = ";".join(dict.fromkeys(suites[row.case_id] for row in one.rows))
        names = {"suite": suite, "run": None, "run_against": None, "primary": position == 0, "n_tests": len(known)}
        entries.append({**names, **one.entry(test, p_adjusted)})
    return entries


def _orders(verdicts: Iterable[Mapping[str, Any]]) -> dict[_Place, _Orders]:
    """The preference in each order, the mean of its readable samples."""
    scores: dict[_Place, dict[str, list[float]]] = {}
    for one in verdicts:
        if not one.get("order") or one.get("score") is None:
            continue
        place = (one["case_id"], one["variant"], one.get("trial", 0), one["rubric"], one["judge"], one["against"])
        scores.setdefault(place, {}).setdefault(one["order"], []).append(one["score"])

    def mean(values: Sequence[float]) -> float | None:
        return sum(values) / len(values) if values else None

    return {place: (mean(both.get("first", ())), mean(both.get("second", ()))) for place, both in scores.items()}


@dataclass(frozen=True)
class _Group:
    """The pairs of one rubric, variant, opponent and judge."""

    metric: str
    variant: str
    against: str
    judge: str
    rows: list[ResultRow]
    orders: Mapping[_Place, _Orders] = field(repr=False)
    several: bool
    """Whether other judges compared, too."""

    @property
    def read(self) -> list[ResultRow]:
        return [row for row in self.rows if row.score is not None]

    @property
    def by_case(self) -> dict[str, float]:
        """Mean score of each case over its trials."""
        scores: dict[str, list[float]] = {}
        for row in self.read:
            scores.setdefault(row.case_id, []).append(row.score or 0.0)
        return {case_id: sum(many) / len(many) for case_id, many in scores.items()}

    @property
    def test(self) -> Test:
        from judgekit.stats import mcnemar, sign_flip_test

        cases = self.by_case
        if len(cases) == len(self.read):
            labels = Counter(row.label for row in self.read)
            return mcnemar(labels["win"], labels["loss"])
        return sign_flip_test(list(cases.values()), [1 - one for one in cases.values()])

    def entry(self, test: Test, p_adjusted: float | None) -> dict[str, Any]:
        from judgekit.stats import difference_verdict

        cases, read = self.by_case, self.read
        new = list(cases.values())
        said = difference_verdict(new, [1 - one for one in new], adjusted_p=p_adjusted, test=test)
        rules = self._rules()
        strict = rules["strict"]
        low, high = strict["ci_low"], strict["ci_high"]
        entry: dict[str, Any] = {
            "variant": self.variant,
            "against": self.against,
            "who": f"{self.variant} against {self.against}",
            "metric": self.metric,
            "kind": "pairwise",
            "judge": self.judge,
            "scale_min": 0.0,
            "scale_max": 1.0,
            "n": len(read),
            "n_clusters": None,
            "n_left_out": len(self.rows) - len(read),
            "left_out": self._left_out(),
            "value": strict["win_rate"],
            "value_against": None if strict["win_rate"] is None else 1 - strict["win_rate"],
            "difference": None if strict["win_rate"] is None else 2 * strict["win_rate"] - 1,
            "ci_low": None if low is None else 2 * low - 1,
            "ci_high": None if high is None else 2 * high - 1,
            "level": strict["level"],
            "interval_method": strict["method"],
            "method": test.method,
            "p_value": test.p_value,
            "p_adjusted": p_adjusted,
            "minimum_detectable_difference": said.detectable.value,
            "n_needed": least_cases(strict["level"]),
            "wins": strict["wins"],
            "losses": strict["losses"],
            "ties": strict["ties"],
            "pass_rate": None,
            "pass_rate_against": None,
            "newly_passing": None,
            "newly_failing": None,
            "margin": None,
            "within_margin": None,
            "mismatch": "",
            "checks": [],
            "verdict": said.verdict,
            "reason": said.reason,
            "rules": rules,
            "orders": self._position(),
            "unread": {one["reason"]: one["n"] for one in self._left_out()},
        }
        entry["sentence"] = _sentence(entry, self.several)
        entry["notes"] = _notes(entry)
        entry["regressions"], entry["improvements"] = self._flips("loss"), self._flips("win")
        return entry

    def _left_out(self) -> list[dict[str, Any]]:
        groups: dict[str, list[str]] = {}
        for row in self.rows:
            if row.score is None:
                groups.setdefault(row.cause or row.status, []).append(row.case_id)
        return [{"reason": why, "n": len(ids), "case_ids": ids[:MOST_LISTED]} for why, ids in groups.items()]

    def _both(self, row: ResultRow) -> _Orders:
        place = (row.case_id, row.variant, row.trial, row.metric, row.judge or "", row.against)
        return self.orders.get(place, (None, None))

    def _rules(self) -> dict[str, dict[str, Any]]:
        from judgekit.stats import swap_verdict

        found = {"strict": self._rule([(row.case_id, row.label, row.score or 0.0) for row in self.read])}
        for rule in RULES[1:]:
            outcomes = []
            for row in self.read:
                one = swap_verdict(*self._both(row), rule)  # type: ignore[arg-type]
                if one.score is not None:
                    outcomes.append((row.case_id, one.label, one.score))
            if outcomes:
                found[rule] = self._rule(outcomes)
        return found

    def _rule(self, outcomes: Sequence[tuple[str, str | None, float]]) -> dict[str, Any]:
        from judgekit.stats import mean_interval, win_rate

        labels = Counter(label for _, label, _ in outcomes)
        ids, scores = [one[0] for one in outcomes], [one[2] for one in outcomes]
        if len(set(ids)) == len(ids) and set(scores) <= {0.0, 0.5, 1.0}:
            rate = win_rate(labels["win"], labels["loss"], labels["tie"])
        else:
            rate = mean_interval(scores, ids, bounds=(0.0, 1.0))
        return {
            "n": len(outcomes),
            "wins": labels["win"],
            "ties": labels["tie"],
            "losses": labels["loss"],
            "win_rate": rate.value,
            "ci_low": rate.low,
            "ci_high": rate.high,
            "level": rate.level,
            "method": rate.method,
        }

    def _position(self) -> dict[str, Any] | None:
        """None where no order of a pair was read: a panel votes on pairs, not on orders."""
        from judgekit.stats import position_bias

        both = [self._both(row) for row in self.rows]
        if all(one == (None, None) for one in both):
            return None
        cases = [row.case_id for row in self.rows]
        bias = position_bias([first for first, _ in both], [second for _, second in both], cases)
        return {
            "n": bias.n,
            "consistent": bias.consistent,
            "consistency": bias.consistency.value,
            "consistency_low": bias.consistency.low,
            "consistency_high": bias.consistency.high,
            "first_slot": bias.first_slot,
            "second_slot": bias.second_slot,
            "first_share": bias.first_share.value,
            "p_value": bias.test.p_value,
            "method": bias.test.method,
        }

    def _flips(self, label: str) -> list[dict[str, Any]]:
        rows = [row for row in self.read if row.label == label][:MOST_LISTED]
        return [
            {
                "case_id": row.case_id,
                "trial": row.trial,
                "value": row.score,
                "value_against": 1 - (row.score or 0.0),
                "reason": row.reason,
            }
            for row in rows
        ]


def _sentence(one: Mapping[str, Any], several: bool) -> str:
    judge = f" [{one['judge']}]" if several else ""
    who = f"{one['metric']}, in pairs{judge}: {one['variant']} against {one['against']}"
    if not one["n"]:
        return f"{who}: not enough cases (no pair was read{_unread(one)})."
    counts = [_count(one["wins"], "win", "wins"), _count(one["ties"], "tie", "ties")]
    figures = f"{', '.join(counts)}, {_count(one['losses'], 'loss', 'losses')} of {_count(one['n'], 'pair', 'pairs')}"
    figures += f", win rate {_percent(one['value'])}"
    if one["rules"]["strict"]["ci_low"] is not None:
        figures += f" [{_percent(one['rules']['strict']['ci_low'])}, {_percent(one['rules']['strict']['ci_high'])}]"
    if one["p_adjusted"] is not None:
        figures += f", p = {one['p_adjusted']:.2g}" + (" adjusted" if one["p_adjusted"] != one["p_value"] else "")
    orders = one["orders"]
    if orders and orders["n"]:
        figures += f"; both orders agree on {orders['consistent']} of {orders['n']} ({_percent(orders['consistency'])})"
    return f"{who}: {one['verdict']} ({figures}{_unread(one)})."


def _unread(one: Mapping[str, Any]) -> str:
    if not one["n_left_out"]:
        return ""
    counts: Counter[str] = Counter()
    for cause, n in one["unread"].items():
        counts["skipped after a failed check" if cause.startswith("check:") else cause] += n
    causes = ", ".join(f"{n} {cause}" for cause, n in counts.items())
    return f"; {_count(one['n_left_out'], 'pair', 'pairs')} without a result: {causes}"


def _notes(one: Mapping[str, Any]) -> list[str]:
    notes = []
    orders = one["orders"]
    if orders and orders["n"] > orders["consistent"]:
        chance = "" if orders["p_value"] is None else f", exact p = {orders['p_value']:.2g}"
        notes.append(
            f"where the orders disagree, {orders['first_slot']} favour what was shown first and "
            f"{orders['second_slot']} what was shown second{chance}"
        )
    others = [(rule, one["rules"][rule]) for rule in RULES[1:] if rule in one["rules"]]
    if others:
        said = [f"{name} {of['wins']}/{of['ties']}/{of['losses']} ({_percent(of['win_rate'])})" for name, of in others]
        notes.append(f"win/tie/loss by other rules: {', '.join(said)}")
    return notes


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"
