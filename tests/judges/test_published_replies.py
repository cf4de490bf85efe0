"""Recorded public judge replies, read again, give the published statistics (sources: README of shared/data)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau

from judgekit.judges.reply import read_reply
from judgekit.records import Scale

Rows = Callable[[str], list[dict[str, Any]]]

# From `topical_chat_from_raw_strict_parser` in expected.json: Pearson r and Kendall tau of each cell with raw replies.
CELLS = [
    ("analyze_rate", "naturalness"),
    *(
        (variant, dimension)
        for variant in ("free_text", "score_only", "score_only_auto_cot")
        for dimension in ("coherence", "engagingness", "groundedness", "naturalness")
    ),
]


@pytest.fixture(scope="module")
def judged(shared_rows: Rows) -> dict[tuple[str, str], dict[str, float]]:
    """Mean score over the readable samples of each item, by variant and dimension."""
    means: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in shared_rows("data/topical_chat/judgments.jsonl"):
        scale = Scale(0, 1) if row["dimension"] == "groundedness" else Scale(1, 3)
        verdicts = [read_reply(raw, scale=scale, label_key=row["dimension"]) for raw in row.get("raw") or ()]
        scores = [one.score for one in verdicts if one.score is not None]
        if scores:
            means[row["variant"], row["dimension"]][row["item_id"]] = math.fsum(scores) / len(scores)
    return means


@pytest.mark.parametrize(("variant", "dimension"), CELLS)
def test_topical_chat_correlates_with_people_as_published(
    variant: str,
    dimension: str,
    judged: dict[tuple[str, str], dict[str, float]],
    shared_rows: Rows,
    shared_json: Callable[[str], Any],
) -> None:
    expected = next(
        cell
        for cell in shared_json("data/expected.json")["topical_chat_from_raw_strict_parser"]
        if (cell["variant"], cell["dimension"]) == (variant, dimension)
    )
    items = {row["item_id"]: row for row in shared_rows("data/topical_chat/items.jsonl")}
    mine = judged[variant, dimension]
    human = {item: items[item]["human"][dimension] for item in mine}
    pearson = np.corrcoef(list(mine.values()), list(human.values()))[0, 1]
    assert len(mine) == expected["n"]
    assert pearson == pytest.approx(expected["pearson_dataset"], abs=0.010)
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for item, score in mine.items():
        groups[items[item]["context_id"]].append((score, human[item]))
    taus = [
        kendalltau(*zip(*pairs, strict=True))[0]
        for pairs in groups.values()
        if len({score for score, _ in pairs}) > 1 and len({said for _, said in pairs}) > 1
    ]
    assert math.fsum(taus) / len(taus) == pytest.approx(expected["kendall_b_by_context"], abs=0.025)


def test_topical_chat_naturalness_reaches_the_published_correlation(
    judged: dict[tuple[str, str], dict[str, float]], shared_rows: Rows
) -> None:
    # arXiv 2310.05657, analyze_rate on naturalness: r = .524. Taking the year 2002 of one reply for a score gives .133.
    human = {row["item_id"]: row["human"]["naturalness"] for row in shared_rows("data/topical_chat/items.jsonl")}
    mine = judged["analyze_rate", "naturalness"]
    pearson = np.corrcoef(list(mine.values()), [human[item] for item in mine])[0, 1]
    assert pearson == pytest.approx(0.524, abs=0.010)


def test_llmbar_verdicts_agree_with_upstream(shared_rows: Rows) -> None:
    first, second = "Output (a)", "Output (b)"
    replies = [
        (row[f"raw_{order}"], row[f"winner_{order}"], {first: order[0], second: order[1]})
        for row in shared_rows("data/llmbar/judgments.jsonl")
        if row["kind"] == "pairwise"
        for order in ("12", "21")
    ]
    agreed = sum(
        names.get(read_reply(raw, labels={first: 1, second: 0}).label or "") == winner for raw, winner, names in replies
    )
    assert len(replies) == 10_056
    # The one miss: a reply cut off in "... the fact that Output (a) precisely executes the", null upstream.
    assert agreed >= 10_055


def test_llmbar_ratings_agree_with_upstream(shared_rows: Rows) -> None:
    misread = []
    for row in shared_rows("data/llmbar/judgments.jsonl"):
        if row["kind"] == "pointwise":
            scores = [read_reply(row[name], scale=Scale(0, 10)).score for name in ("raw_1", "raw_2")]
            if None not in scores and scores[0] != scores[1]:
                winner = "1" if scores[0] > scores[1] else "2"  # type: ignore[operator]
                if (row["winner_12"], row["winner_21"]) != (winner, winner):
                    misread.append(row["item_id"])
    assert misread == []


def test_pandalm_verdicts_are_read_from_their_first_line(shared_rows: Rows) -> None:
    # PandaLM replies with the label on the first line and the reason below it.
    labels = {"1": 1.0, "2": 0.0, "Tie": 0.5}
    read = {
        (row["gpt35_verdict"], read_reply(f"{row['gpt35_verdict']}\n\n{row['gpt35_reason']}", labels=labels).label)
        for row in shared_rows("data/pandalm/pairs.jsonl")
    }
    assert read == {("1", "1"), ("2", "2"), ("Tie", "Tie"), ("garbage", None)}
