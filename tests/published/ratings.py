"""Recorded ratings in, published figures out: Topical-Chat, PandaLM, tau-bench, Newsroom, DICES.

Every step is one of judgekit's own parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from published_data import Data, judgment

from judgekit import stats
from judgekit.judges.aggregate import aggregate
from judgekit.judges.reply import read_reply
from judgekit.records import Rubric, Scale, Verdict

# --------------------------------------------------------------------------------------------------- Topical-Chat


@dataclass(frozen=True)
class Correlated:
    """A prompt variant on one dimension against people."""

    variant: str
    dimension: str
    n: int
    """Items with a readable sample."""
    n_samples: int
    unread: int
    """Samples left out."""
    pearson: float
    """Over all items."""
    kendall: float
    """tau-b, mean over the contexts."""
    pearson_within: float
    """Mean over the contexts."""


def topical_chat(data: Data, *, raw: bool) -> list[Correlated]:
    """Each cell that has them, from raw replies or from the scores that the publication read."""
    items = {one["item_id"]: one for one in data.rows("topical_chat/items.jsonl")}
    cells: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in data.rows("topical_chat/judgments.jsonl"):
        if row.get("raw") or not raw:
            cells.setdefault((row["variant"], row["dimension"]), []).append(row)
    return [correlated(*key, rows, items, raw=raw) for key, rows in sorted(cells.items())]


def correlated(
    variant: str, dimension: str, rows: Iterable[Mapping[str, Any]], items: Mapping[str, Any], *, raw: bool
) -> Correlated:
    """One cell: the mean of the readable samples of each item, against people."""
    scale = Scale(0, 1) if dimension == "groundedness" else Scale(1, 3)
    rubric = Rubric(dimension, "", scale=scale)
    judge, people, contexts, n_samples, unread = [], [], [], 0, 0
    for row in rows:
        if raw:
            samples = [read_reply(one, scale=scale, label_key=dimension) for one in row["raw"]]
        else:
            samples = [
                Verdict("unscored", cause="parse") if score is None else Verdict("scored", score)
                for score in row["scores"]
            ]
        judged = aggregate([judgment(row["item_id"], one, sample=at) for at, one in enumerate(samples)], rubric, None)
        n_samples += len(samples)
        unread += len(samples) - judged.n_samples
        if judged.verdict.score is not None:
            judge.append(judged.verdict.score)
            people.append(items[row["item_id"]]["human"][dimension])
            contexts.append(items[row["item_id"]]["context_id"])
    found = (
        stats.correlation(judge, people, kind="pearson").value,
        stats.correlation_within(judge, people, contexts, kind="kendall").value,
        stats.correlation_within(judge, people, contexts, kind="pearson").value,
    )
    return Correlated(variant, dimension, len(judge), n_samples, unread, *found)  # type: ignore[arg-type]


# -------------------------------------------------------------------------------------------------------- PandaLM

PANDALM_LABELS = {"1": 1.0, "2": 0.0, "Tie": 0.5}
POLICIES = ("tie", "left out", "wrong")
"""What becomes of an unreadable reply; the publication counts it as a tie."""


@dataclass(frozen=True)
class Rates:
    """A judge against the majority of three people; precision, recall and F1 are means over the three labels."""

    judge: str
    policy: str
    n: int
    unread: int
    accuracy: float
    precision: float
    recall: float
    f1: float


def pandalm_reply(row: Mapping[str, Any], judge: str) -> str:
    """The reply as the judge wrote it: label on the first line, reason below. Two fields are what was kept of it."""
    label = "Tie" if row[f"{judge}_verdict"] == 0 else str(row[f"{judge}_verdict"])
    reason = row.get(f"{judge}_reason") or ""
    return (
        f"{'Tie' if label == 0 else label}\n\n### Reason: {reason}" if reason else str("Tie" if label == 0 else label)
    )


def pandalm_kappas(data: Data) -> list[float]:
    """Cohen's kappa of annotators 1 and 2, 1 and 3, 2 and 3."""
    people = [one["human"] for one in data.rows("pandalm/pairs.jsonl")]
    pairs = ((0, 1), (0, 2), (1, 2))
    return [stats.cohen_kappa([one[i] for one in people], [one[j] for one in people]).value or 0.0 for i, j in pairs]


def pandalm_judges(data: Data) -> list[Rates]:
    """Both judges under each policy."""
    return [
        _rates(data.rows("pandalm/pairs.jsonl"), judge, policy)
        for judge in ("gpt35", "pandalm7b")
        for policy in POLICIES
    ]


def _rates(rows: Sequence[Mapping[str, Any]], judge: str, policy: str) -> Rates:
    people = [{0: "Tie", 1: "1", 2: "2"}[Counter(row["human"]).most_common(1)[0][0]] for row in rows]
    read = [read_reply(pandalm_reply(row, judge), labels=PANDALM_LABELS).label for row in rows]
    instead = {"tie": "Tie", "left out": None, "wrong": "unread"}[policy]
    used = [(person, label or instead) for person, label in zip(people, read, strict=True) if label or instead]
    table = stats.confusion([one[0] for one in used], [one[1] for one in used], scale=[*PANDALM_LABELS, "unread"])
    by_label = [(table.precision(name).value, table.recall(name).value, table.f1(name)) for name in PANDALM_LABELS]
    precision, recall, f1 = (stats.mean_interval(column).value for column in zip(*by_label, strict=True))
    return Rates(judge, policy, table.n, read.count(None), table.accuracy.value, precision, recall, f1)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------ agents and raters


def tau_bench(data: Data) -> list[float]:
    """pass^1 to pass^4 over tasks."""
    passed: Counter[int] = Counter()
    trials: Counter[int] = Counter()
    for row in data.rows("tau_bench/trials.jsonl"):
        passed[row["task_id"]] += int(row["reward"])
        trials[row["task_id"]] += 1
    counts = [trials[task] for task in trials], [passed[task] for task in trials]
    return [stats.pass_hat_k(*counts, k).value or 0.0 for k in (1, 2, 3, 4)]


def newsroom(data: Data) -> dict[str, float]:
    """Ordinal alpha of three raters by dimension."""
    ratings = data.rows("newsroom/ratings.jsonl")
    dimensions = ("informativeness", "relevance", "fluency", "coherence")
    alphas = {name: stats.krippendorff_alpha([one[name] for one in ratings], "ordinal").value for name in dimensions}
    return {name: value for name, value in alphas.items() if value is not None}


def dices(data: Data) -> float:
    """Nominal alpha of 123 raters."""
    ratings = [one["safety"] for one in data.rows("dices_350/ratings.jsonl")]
    return stats.krippendorff_alpha(ratings, "nominal").value or 0.0
