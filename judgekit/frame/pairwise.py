"""Pairs judged in both orders in, what they say together out: wins, ties, losses, order consistency, preference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judgekit.frame.compare import compare_variants
from judgekit.frame.comparing.asking import Margin, margin_of
from judgekit.frame.comparing.differences import holm_by_family, least_cases, within
from judgekit.frame.comparing.flips import MOST_LISTED
from judgekit.frame.comparing.wording import margin_text, name_of
from judgekit.frame.panels import PANEL
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit

if TYPE_CHECKING:
    from judgekit.stats import Test

RULES = ("strict", "net", "mean")

_Place = tuple[str, str, int, str, str, str]
"""case_id, variant, trial, rubric, judge, against."""
Orders = tuple[float | None, float | None]
"""Preference for the variant when it was shown first and second, from 0 to 1; None without a readable reply."""


def with_pairs(
    units: Sequence[Unit],
    results: Sequence[ResultRow],
    references: Mapping[str, str],
    verdicts: Iterable[Mapping[str, Any]],
    *,
    against: str | None = None,
    clusters: Mapping[str, str] | None = None,
    primary: str | None = None,
    margin: Margin = None,
) -> list[dict[str, Any]]:
    """Every comparison of a run, those that answer the question first.

    Those are of pairs where there are any, as pairs are what was asked for.

    Args:
        units: Every case × variant.
        results: Every row.
        references: Reference variant by suite, for suites with several variants.
        verdicts: The records of verdicts.jsonl.
        against: Opponent that pairs are told of; None: all of them.
        clusters: Cluster of each case; None: every case is independent.
        primary: Primary metric; None: that of the pairs, else as `compare_variants` chooses.
        margin: Loss that is accepted.

    Raises:
        InputError: as `compare_variants`.
    """
    pairs = compare_pairs(units, results, verdicts, against=against, clusters=clusters, primary=primary, margin=margin)
    scores = compare_variants(
        units, results, references, clusters=clusters, primary=primary, margin=margin, pairs=pairs
    )
    return sorted(pairs + scores, key=lambda one: not one["primary"])


def compare_pairs(
    units: Sequence[Unit],
    results: Iterable[ResultRow],
    verdicts: Iterable[Mapping[str, Any]],
    *,
    against: str | None = None,
    clusters: Mapping[str, str] | None = None,
    primary: str | None = None,
    margin: Margin = None,
) -> list[dict[str, Any]]:
    """One comparison per pairwise rubric, variant, opponent and judge, as `comparisons` in summary.json.

    Beside the keys of every comparison there are `kind` "pairwise", `judge`, `several_judges`, `rules` (wins, ties,
    losses and win rate by each of `strict, net, mean`), `orders` (consistency and position preference, by case),
    `unread` (pairs without a result by cause) and `notes` (all that in sentences). Value and win rate are those of
    `strict`, a tie counting half. Ties are pairs on which no output is better; what could not be read is no tie and
    stands in `unread`.

    Primary is one metric per variant and opponent: the named one, else the first that has results. Of a panel it is the
    common verdict; its members inform, and come last.
    """
    counted = {(one.case_id, one.variant) for one in units if not one.negative and one.status != "skipped"}
    suites = {one.case_id: one.suite for one in units}
    groups: dict[tuple[str, str, str, str], list[ResultRow]] = {}
    for row in results:
        if not row.against or row.judge is None or against not in (None, row.against):
            continue
        if (row.case_id, row.variant) in counted:
            groups.setdefault((row.metric, row.variant, row.against, row.judge), []).append(row)
    orders = _orders(verdicts) if groups else {}
    several = Counter(key[:3] for key in groups)
    found = [
        _Group(*key, rows=rows, orders=orders, several=several[key[:3]] > 1, clusters=clusters or {})
        for key, rows in groups.items()
    ]
    panels = {key[:3] for key in groups if key[3] == PANEL}
    deciding = [one for one in found if one.judge == PANEL or (one.metric, one.variant, one.against) not in panels]
    firsts = _primary_metrics(deciding, primary)
    first = [one for one in deciding if firsts.get((one.variant, one.against)) == one.metric]
    # What answers the question comes first, what each member of a panel says comes last.
    found.sort(key=lambda one: (one not in first, one not in deciding))
    tests = [one.test for one in found]
    adjusted, sizes = holm_by_family([one in first for one in found], [test.p_value for test in tests])
    entries = []
    for one, test, p_adjusted in zip(found, tests, adjusted, strict=True):
        is_first = one in first
        suite = ";".join(dict.fromkeys(suites[row.case_id] for row in one.rows))
        names = {"suite": suite, "run": None, "run_against": None, "primary": is_first, "n_tests": sizes[is_first]}
        accepted = margin_of(margin, one.metric, is_first) if one in deciding else None
        entries.append({**names, **one.entry(test, p_adjusted, accepted)})
    return entries


def _primary_metrics(groups: Iterable[_Group], wanted: str | None) -> dict[tuple[str, str], str]:
    """Primary metric by variant and opponent."""
    found: dict[tuple[str, str], str] = {}
    for one in sorted(groups, key=lambda group: not group.read):
        if wanted in (None, one.metric):
            found.setdefault((one.variant, one.against), one.metric)
    return found


def _orders(verdicts: Iterable[Mapping[str, Any]]) -> dict[_Place, Orders]:
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


@dataclass(frozen=True, eq=False)
class _Group:
    """The pairs of one rubric, variant, opponent and judge."""

    metric: str
    variant: str
    against: str
    judge: str
    rows: list[ResultRow]
    orders: Mapping[_Place, Orders] = field(repr=False)
    several: bool
    """Whether other judges compared, too."""
    clusters: Mapping[str, str] = field(repr=False)
    """Cluster of each case; a case that is not in it is independent of all others."""

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
    def labels(self) -> list[str] | None:
        """The cluster of each case that was read; None if all are independent."""
        labels = [self.clusters.get(case_id, case_id) for case_id in self.by_case]
        return labels if len(set(labels)) < len(labels) else None

    @property
    def test(self) -> Test:
        from judgekit.stats import mcnemar, sign_flip_test

        cases, labels = self.by_case, self.labels
        if labels is None and len(cases) == len(self.read):
            said = Counter(row.label for row in self.read)
            return mcnemar(said["win"], said["loss"])
        return sign_flip_test(list(cases.values()), [1 - one for one in cases.values()], labels)

    def entry(self, test: Test, p_adjusted: float | None, margin: float | None) -> dict[str, Any]:
        from judgekit.stats import difference_verdict

        cases, read, labels = self.by_case, self.read, self.labels
        new = list(cases.values())
        old = [1 - one for one in new]
        said = difference_verdict(new, old, labels, adjusted_p=p_adjusted, test=test)
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
            "several_judges": self.several,
            "scale_min": 0.0,
            "scale_max": 1.0,
            "n": len(read),
            "n_clusters": None if labels is None else len(set(labels)),
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
            "margin": margin,
            "within_margin": (
                None if margin is None or not new else within(new, old, labels, margin, (0.0, 1.0), strict["level"])
            ),
            "mismatch": "",
            "checks": [],
            "verdict": said.verdict,
            "reason": said.reason,
            "rules": rules,
            "orders": self._position(),
            "unread": {one["reason"]: one["n"] for one in self._left_out()},
        }
        entry["sentence"] = _sentence(entry)
        entry["notes"] = _notes(entry)
        entry["regressions"], entry["improvements"] = self._flips("loss"), self._flips("win")
        return entry

    def _left_out(self) -> list[dict[str, Any]]:
        groups: dict[str, list[str]] = {}
        for row in self.rows:
            if row.score is None:
                groups.setdefault(row.cause or row.status, []).append(row.case_id)
        return [{"reason": why, "n": len(ids), "case_ids": ids[:MOST_LISTED]} for why, ids in groups.items()]

    def _both(self, row: ResultRow) -> Orders:
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
        clusters = [self.clusters.get(case_id, case_id) for case_id in ids]
        if len(set(clusters)) == len(ids) and set(scores) <= {0.0, 0.5, 1.0}:
            rate = win_rate(labels["win"], labels["loss"], labels["tie"])
        else:
            rate = mean_interval(scores, clusters, bounds=(0.0, 1.0))
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
        """By case: trials of one case are no further cases, so each order is averaged over them first.

        None where no order of a pair was read: a panel votes on pairs, not on orders.
        """
        from judgekit.stats import position_bias

        by_case: dict[str, list[Orders]] = {}
        for row in self.rows:
            by_case.setdefault(row.case_id, []).append(self._both(row))
        if all(one == (None, None) for many in by_case.values() for one in many):
            return None
        both = [mean_orders(many) for many in by_case.values()]
        bias = position_bias([first for first, _ in both], [second for _, second in both])
        return {
            "n": bias.n,
            "consistent": bias.consistent,
            "consistency": bias.consistency.value,
            "consistency_low": bias.consistency.low,
            "consistency_high": bias.consistency.high,
            "first_slot": bias.first_slot,
            "second_slot": bias.second_slot,
            "half": bias.half,
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


def mean_orders(trials: Sequence[Orders]) -> Orders:
    """The mean of each order over the trials of one case that have both."""
    read = [(first, second) for first, second in trials if first is not None and second is not None]
    if not read:
        return None, None
    return sum(first for first, _ in read) / len(read), sum(second for _, second in read) / len(read)


def _sentence(one: Mapping[str, Any]) -> str:
    who = f"{name_of(one)}: {one['variant']} against {one['against']}"
    if not one["n"]:
        return f"{who}: not enough cases (no pair was read{_unread(one)})."
    counts = [_count(one["wins"], "win", "wins"), _count(one["ties"], "tie", "ties")]
    figures = f"{', '.join(counts)}, {_count(one['losses'], 'loss', 'losses')} of {_count(one['n'], 'pair', 'pairs')}"
    if one["n_clusters"] is not None:
        figures += f" in {_count(one['n_clusters'], 'cluster', 'clusters')}"
    figures += f", win rate {_percent(one['value'])}"
    if one["rules"]["strict"]["ci_low"] is not None:
        figures += f" [{_percent(one['rules']['strict']['ci_low'])}, {_percent(one['rules']['strict']['ci_high'])}]"
    if one["p_adjusted"] is not None:
        figures += f", p = {one['p_adjusted']:.2g}" + (" adjusted" if one["p_adjusted"] != one["p_value"] else "")
    orders = one["orders"]
    if orders and orders["n"]:
        figures += f"; both orders agree on {orders['consistent']} of {orders['n']} ({_percent(orders['consistency'])})"
    margin = margin_text(one)
    return f"{who}: {one['verdict']} ({figures}{f'; {margin}' if margin else ''}{_unread(one)})."


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
        half = f"; {orders['half']} with a tie in one order" if orders["half"] else ""
        notes.append(
            f"where the orders disagree, what was shown first wins both in {orders['first_slot']} and what was shown "
            f"second in {orders['second_slot']}{chance}{half}"
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
