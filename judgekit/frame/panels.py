"""Rows of several judges in; their common verdict, how far they agree and what each of them changes, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Literal

from judgekit.frame.tables import ResultRow

PANEL = "panel"
"""In the column `judge`: the common verdict of all judges; its row has no calls of its own."""

PanelRule = Literal["mean", "majority"]
RULES: tuple[PanelRule, ...] = ("mean", "majority")

Vote = tuple[str | None, float]
"""Label, where there are labels, and score of one judge."""

_Place = tuple[str, str, int]


def vote(votes: Sequence[Vote], rule: PanelRule, *, in_pairs: bool = False) -> Vote:
    """The common verdict of several judges.

    `mean`: the mean score, without a label, but for pairs and for yes and no, where it says which side it is on; in the
    middle it is a tie, or of yes and no the lower one. `majority`: of labels the
    commonest, and between equally common ones the lowest, or for pairs the tie; of scores the lower median, which
    reaches a threshold exactly if more than half of the judges' scores do.

    Args:
        votes: At least one, all with labels or all without.
        rule: How to decide.
        in_pairs: Whether labels are win, tie and loss.

    Example:
        >>> vote([(None, 5.0), (None, 4.0), (None, 1.0)], "majority"), vote([(None, 5.0), (None, 4.0)], "mean")
        ((None, 4.0), (None, 4.5))
        >>> vote([("win", 1.0), ("loss", 0.0)], "majority", in_pairs=True)
        ('tie', 0.5)
    """
    scores = sorted(score for _, score in votes)
    if rule == "mean":
        mean = _mean(scores)
        side = "win" if mean > 0.5 else "loss" if mean < 0.5 else "tie"
        return side if in_pairs else _yes_or_no(votes, mean), mean
    if any(label is None for label, _ in votes):
        return None, scores[(len(scores) - 1) // 2]
    by_label: dict[str, list[float]] = {}
    for label, score in votes:
        by_label.setdefault(label or "", []).append(score)
    most = max(map(len, by_label.values()))
    first = [(_mean(scores), label) for label, scores in by_label.items() if len(scores) == most]
    if len(first) > 1 and in_pairs:
        return "tie", 0.5
    score, label = min(first)
    return label, score


def _yes_or_no(votes: Sequence[Vote], mean: float) -> str | None:
    """Which of yes and no a mean stands for; None of other labels. Either may be the better one."""
    by_label: dict[str, list[float]] = {}
    for label, score in votes:
        by_label.setdefault(label or "", []).append(score)
    if not by_label.keys() <= {"yes", "no"}:
        return None
    low, *high = sorted(by_label, key=lambda label: _mean(by_label[label]))
    is_share = all(0 <= score <= 1 for _, score in votes)
    middle = 0.5 if is_share or not high else (_mean(by_label[low]) + _mean(by_label[high[0]])) / 2
    return high[0] if high and mean > middle else low


def _mean(scores: Sequence[float]) -> float:
    # In fractions: the mean of 3.9, 4 and 4.1 is 4, and a threshold may be.
    return float(sum(Fraction(repr(float(score))) for score in scores) / len(scores))


def deciding(rows: Sequence[ResultRow]) -> Sequence[ResultRow]:
    """The rows that decide: a panel's in the place of its members', single outputs' in the place of pairs'."""
    panels = {(row.metric, row.against) for row in rows if row.judge == PANEL}
    compared = {row.metric for row in rows if row.against}
    alone = {row.metric for row in rows if not row.against} & compared
    if not panels and not alone:
        return rows
    return [
        row
        for row in rows
        if (row.judge in (None, PANEL) or (row.metric, row.against) not in panels)
        and not (row.against and row.metric in alone)
    ]


def panels(results: Sequence[ResultRow]) -> list[dict[str, Any]]:
    """One mapping per panel, variant and metric, as `panels` in summary.json.

    `judges`; `rule`; `n` results of the panel; `agreement` of each two judges on the n results that both scored:
    `exact` share that is the same, and Krippendorff's `alpha` (nominal for labels, interval for scores; None where
    neither varies); `without` each judge: the panel's mean over the same results, its `change`, and `n_changed`
    results of which label, or pass and fail, would be another.
    """
    groups: dict[tuple[str, str, str], list[ResultRow]] = {}
    for row in results:
        if row.kind == "judge" and row.judge is not None:
            groups.setdefault((row.variant, row.metric, row.against), []).append(row)
    return [
        _panel(variant, metric, against, rows)
        for (variant, metric, against), rows in groups.items()
        if any(row.judge == PANEL for row in rows)
    ]


def _panel(variant: str, metric: str, against: str, rows: Sequence[ResultRow]) -> dict[str, Any]:
    judges = list(dict.fromkeys(row.judge or "" for row in rows if row.judge != PANEL))
    by_judge = {judge: {_place(row): row for row in rows if row.judge == judge} for judge in [*judges, PANEL]}
    scored = {place: row for place, row in by_judge[PANEL].items() if row.score is not None}
    flags = {flag for row in by_judge[PANEL].values() for flag in row.flags.split(";")}
    rule: PanelRule = "majority" if "majority" in flags else "mean"
    return {
        "variant": variant,
        "metric": metric,
        **({"against": against} if against else {}),
        "judges": judges,
        "rule": rule,
        "n": len(scored),
        "agreement": [_agreement(one, other, by_judge) for one, other in combinations(judges, 2)],
        "without": [_without(judge, judges, by_judge, scored, rule, bool(against)) for judge in judges],
    }


def _place(row: ResultRow) -> _Place:
    return row.case_id, row.variant, row.trial


def _agreement(one: str, other: str, by_judge: Mapping[str, Mapping[_Place, ResultRow]]) -> dict[str, Any]:
    from judgekit.stats import krippendorff_alpha

    mine, others = by_judge[one], by_judge[other]
    both = [
        (row, others[place])
        for place, row in mine.items()
        if row.score is not None and place in others and others[place].score is not None
    ]
    has_labels = any(row.label is not None for pair in both for row in pair)
    said = [[row.label if has_labels else row.score for row in pair] for pair in both]
    alpha = krippendorff_alpha(said, "nominal" if has_labels else "interval") if both else None
    same = sum(a == b for a, b in said)
    return {
        "judges": [one, other],
        "n": len(both),
        "exact": same / len(both) if both else None,
        "alpha": None if alpha is None else alpha.value,
    }


def _without(
    judge: str,
    judges: Sequence[str],
    by_judge: Mapping[str, Mapping[_Place, ResultRow]],
    scored: Mapping[_Place, ResultRow],
    rule: PanelRule,
    in_pairs: bool,
) -> dict[str, Any]:
    before, after, n_changed = [], [], 0
    for place, whole in scored.items():
        rest = [by_judge[one].get(place) for one in judges if one != judge]
        votes = [(row.label, row.score) for row in rest if row is not None and row.score is not None]
        if not votes or whole.score is None:
            continue
        label, score = vote(votes, rule, in_pairs=in_pairs)
        before.append(whole.score)
        after.append(score)
        passed = None if whole.threshold is None else score >= whole.threshold
        n_changed += label != whole.label or passed != whole.passed
    mean = sum(after) / len(after) if after else None
    return {
        "judge": judge,
        "n": len(after),
        "mean": mean,
        "change": None if mean is None else mean - sum(before) / len(before),
        "n_changed": n_changed,
    }


def panel_lines(found: Sequence[Mapping[str, Any]]) -> list[str]:
    """How far the judges of each panel agree, for people; checklist items and criteria are left to summary.json."""
    lines = []
    for one in found:
        if "." in one["metric"]:
            continue
        who = f"{one['variant']} · {one['metric']}" + (f" against {one['against']}" if "against" in one else "")
        pairs = [
            f"{' and '.join(pair['judges'])} {100 * pair['exact']:.0f} %"
            + (f" (alpha {pair['alpha']:.2f})" if pair["alpha"] is not None else "")
            for pair in one["agreement"]
            if pair["exact"] is not None
        ]
        lines.append(f"panel of {len(one['judges'])}, {one['rule']}: {who}: same verdict: {', '.join(pairs) or 'none'}")
        lines += [
            f"  without {left['judge']}: mean {left['mean']:.2f} ({left['change']:+.2f})"
            + (f", {left['n_changed']} of {left['n']} verdicts change" if left["n_changed"] else "")
            for left in one["without"]
            if left["mean"] is not None
        ]
    return lines
