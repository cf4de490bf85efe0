"""The rows of several judges about one output in; with the common row of the panel out."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

from judgekit.frame.panels import PANEL, PanelRule, Vote, vote
from judgekit.frame.rows import Judged
from judgekit.judges.aggregate import without_result
from judgekit.judges.prompting import digest
from judgekit.judges.written import exact
from judgekit.records import Rubric, Verdict


def rule_of(rubric: Rubric) -> PanelRule:
    """How a panel decides by a rubric: as it says, else labels and pairs by majority and scores by their mean."""
    if rubric.panel:
        return rubric.panel
    return "majority" if rubric.labels or rubric.pairwise else "mean"


def with_panels(rows: Iterable[tuple[Rubric, Sequence[Judged]]]) -> list[Judged]:
    """All rows, and after those of several judges by one rubric that of the panel.

    The panel decides in the place of its members, who then only inform. Its row has no calls: each is counted once, at
    its judge. A judge without a score is left out and flagged (`unread_judges`), never counted as 0.

    Args:
        rows: The rows of each judge on one output: the rubric's own first, then its items'.
    """
    groups: dict[tuple[str, str], list[tuple[Rubric, Sequence[Judged]]]] = {}
    for rubric, judged in rows:
        groups.setdefault((judged[0].metric, judged[0].against), []).append((rubric, judged))
    found: list[Judged] = []
    for group in groups.values():
        members = [one for _, judged in group for one in judged]
        if len(group) < 2:
            found += members
            continue
        found += [replace(one, required=False) for one in members]
        rule = rule_of(group[0][0])
        by_metric: dict[str, list[Judged]] = {}
        for one in members:
            by_metric.setdefault(one.metric, []).append(one)
        found += [_panel(same, rule) for same in by_metric.values()]
    return found


def _panel(members: Sequence[Judged], rule: PanelRule) -> Judged:
    verdicts = [one.verdict for one in members]
    votes: list[Vote] = [(one.label, one.score) for one in verdicts if one.score is not None]
    first = members[0]
    return Judged(
        first.metric,
        first.required,
        _verdict(verdicts, votes, first, rule) if votes else _unscored(verdicts),
        first.scale,
        first.threshold,
        len(votes),
        statistics.stdev(score for _, score in votes) if len(votes) > 1 else None,
        PANEL,
        digest(" ".join([rule, *(one.judge_identity or "" for one in members)])),
        first.against,
    )


def _verdict(verdicts: Sequence[Verdict], votes: Sequence[Vote], first: Judged, rule: PanelRule) -> Verdict:
    label, score = vote(votes, rule, in_pairs=bool(first.against))
    flags = (rule,) if len(votes) == len(verdicts) else (rule, "unread_judges")
    passed = None if first.threshold is None else exact(score) >= first.threshold
    return Verdict(
        "scored" if passed is None else "pass" if passed else "fail",
        score,
        label,
        passed,
        None,
        flags,
        _reason(verdicts, label, score),
    )


def _reason(verdicts: Sequence[Verdict], label: str | None, score: float) -> str:
    read = [one for one in verdicts if one.score is not None]
    if label is None:
        said = ", ".join(f"{one.score:g}" for one in read)
        return f"{len(read)} judges: {said}"
    same = [one for one in read if one.label == label]
    reason = f": {same[0].reason}" if same and same[0].reason else ""
    return f"{len(same)} of {len(read)} judges say {label}{reason}"


def _unscored(verdicts: Sequence[Verdict]) -> Verdict:
    """Where no judge gave a score: what stands for all, or the majority of those that said pass or fail alone."""
    words = [one for one in verdicts if one.passed is not None]
    if not words:
        return without_result(verdicts)
    passed = 2 * sum(one.passed is True for one in words) > len(words)
    return Verdict("pass" if passed else "fail", passed=passed, reason=words[0].reason)
