"""Recorded choices between two outputs in, published figures out: LLMBar in both orders, AlpacaEval by probabilities.

Every step is one of judgekit's own parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from published_data import Data, judgment

from judgekit import stats
from judgekit.judges.orders import aggregate_orders
from judgekit.judges.pairwise import ORDERS, read_choice
from judgekit.judges.reply import read_reply
from judgekit.records import Scale, Verdict

# ---------------------------------------------------------------------------------------------------------- LLMBar

WORDS = ("Output (a)", "Output (b)")
"""What LLMBar's judges call the output shown first and the one shown second."""
RATING = Scale(0, 10)


@dataclass(frozen=True)
class Pair:
    """One item by one judge and prompt, from the side of the output that people prefer."""

    item: str
    judge: str
    variant: str
    subset: str
    replies: tuple[str, str]
    """In pairs: the reply with the preferred output shown first, and second. Ratings: that of the preferred output and
    that of the other."""
    outcomes: tuple[str | None, str | None]
    """Win, tie, loss of the preferred output by order; None: unread."""
    strict: str | None
    """What both orders say together."""
    upstream: tuple[str | None, str | None]
    """The outcomes as the publication has them."""
    rated: bool
    """Whether the outputs were rated one by one."""


@dataclass(frozen=True)
class Cell:
    """One row of the published table."""

    subset: str
    judge: str
    variant: str
    pairs: list[Pair] = field(repr=False)

    @property
    def accuracy(self) -> stats.Estimate:
        """Mean over both orders; as published, an unread reply is wrong and an unread rating counts half."""
        credits = []
        for pair in self.pairs:
            first, second = (one or ("tie" if pair.rated else "loss") for one in pair.outcomes)
            credits.append(stats.swap_verdict(first, second, "mean").score)  # type: ignore[arg-type]
        return stats.mean_interval(credits, bounds=(0, 1))

    @property
    def agreement(self) -> int:
        """Pairs on which the orders agree; as published, twice unread is agreement and equal ratings are none."""
        bias = stats.position_bias([one.outcomes[0] for one in self.pairs], [one.outcomes[1] for one in self.pairs])  # type: ignore[misc]
        tied = sum(pair.rated and pair.outcomes == ("tie", "tie") for pair in self.pairs)
        unread = sum(not pair.rated and pair.outcomes == (None, None) for pair in self.pairs)
        return bias.consistent - tied + unread

    @property
    def both_right(self) -> int:
        return sum(pair.strict == "win" for pair in self.pairs)

    @property
    def unread(self) -> int:
        """Unread replies; a pair of ratings counts once."""
        return sum(pair.outcomes.count(None) // (2 if pair.rated else 1) for pair in self.pairs)


def llmbar(data: Data) -> list[Cell]:
    """The cells of the table, in the order of the publication."""
    items = {one["item_id"]: one for one in data.rows("llmbar/items.jsonl")}
    cells: dict[tuple[str, str, str], list[Pair]] = {}
    for row in data.rows("llmbar/judgments.jsonl"):
        pair = _pair(row, items[row["item_id"]])
        cells.setdefault((pair.subset, pair.judge, pair.variant), []).append(pair)
    known = [(one["subset"], one["judge"], one["variant"]) for one in data.rows("llmbar/published.jsonl")]
    return [Cell(*key, cells[key]) for key in known]


def _pair(row: Mapping[str, Any], item: Mapping[str, Any]) -> Pair:
    gold = str(item["label"])
    rated = row["kind"] == "pointwise"
    if rated:
        replies = (row[f"raw_{gold}"], row["raw_1" if gold == "2" else "raw_2"])
        first, second = (read_reply(reply, scale=RATING).score for reply in replies)
        if first is None or second is None:
            outcome = None
        else:
            outcome = "win" if first > second else "loss" if first < second else "tie"
        verdicts = [_outcome(outcome)] * 2
    else:
        # Shown first is what stands as "Output (a)": raw_12 shows output_1 there.
        replies = (row["raw_12"], row["raw_21"]) if gold == "1" else (row["raw_21"], row["raw_12"])
        verdicts = [read_choice(reply, WORDS, order) for reply, order in zip(replies, ORDERS, strict=True)]
    together = aggregate_orders(
        [judgment(row["item_id"], one, order=order) for one, order in zip(verdicts, ORDERS, strict=True)]
    )
    winners = [row["winner_12"], row["winner_21"]] if gold == "1" else [row["winner_21"], row["winner_12"]]
    return Pair(
        row["item_id"],
        row["judge"],
        row["variant"],
        item["subset"],
        replies,
        (verdicts[0].label, verdicts[1].label),
        together.verdict.label,
        tuple(None if one is None else "win" if one == gold else "loss" for one in winners),  # type: ignore[arg-type]
        rated,
    )


def _outcome(label: str | None) -> Verdict:
    """The verdict of a pair whose ratings were compared."""
    score = {"win": 1.0, "tie": 0.5, "loss": 0.0}
    return Verdict("unscored", cause="empty") if label is None else Verdict("scored", score[label], label)


# ------------------------------------------------------------------------------------------------------ AlpacaEval

TOKENS = ("M", "m")
"""What AlpacaEval's judge calls the two outputs. Which of them was the model's was not recorded."""


@dataclass(frozen=True)
class Weighed:
    """One preference, weighed by the log-probabilities of the judge's first token."""

    model: str
    recorded: float
    bare: float
    """From the two tokens alone, as published."""
    summed: float
    """As judgekit's judges do it: all ways to write a token (" M") summed."""


@dataclass(frozen=True)
class Won:
    """A model's place on the leaderboard, in percent."""

    model: str
    n: int
    n_weighed: int
    win_rate: float
    standard_error: float
    summed: float | None
    """The win rate with all ways to write a token; None for models without log-probabilities."""


def alpaca_preferences(data: Data) -> Iterator[Weighed]:
    """Each preference that has log-probabilities."""
    for row in data.rows("alpaca_eval/preferences.jsonl"):
        top = row.get("top_logprobs")
        if top:
            bare = {token: value for token, value in top.items() if token in TOKENS}
            yield Weighed(
                row["model"],
                row["preference"],
                _nearer(_preference(bare), row["preference"]),
                _nearer(_preference(top), row["preference"]),
            )


def _preference(top: Mapping[str, float]) -> float:
    """Probability of the first word by the reader of pairs; the reply is the likelier word, no more was recorded."""
    said = max((token for token in top if token in TOKENS), key=lambda token: top[token])
    listed = [{"token": token, "logprob": value} for token, value in top.items()]
    token = {"token": said, "logprob": top[said], "top_logprobs": listed}
    verdict = read_choice({"content": said, "logprobs": {"content": [token]}}, TOKENS, "first", weighted=True)
    assert "weighted" in verdict.flags
    assert verdict.score is not None
    return verdict.score


def _nearer(preference: float, recorded: float) -> float:
    return min(preference, 1 - preference, key=lambda one: abs(one - recorded))


def alpaca_models(data: Data, weighed: Iterable[Weighed]) -> list[Won]:
    """Win rate and standard error of each model, in the order of the leaderboard, from the preferences computed."""
    found: dict[str, list[Weighed]] = {}
    for one in weighed:
        found.setdefault(one.model, []).append(one)
    recorded: dict[str, list[float]] = {}
    for row in data.rows("alpaca_eval/preferences.jsonl"):
        if row["preference"] is not None and not row.get("top_logprobs"):
            recorded.setdefault(row["model"], []).append(row["preference"])
    models = []
    for known in data.rows("alpaca_eval/published.jsonl"):
        rest, own = recorded.get(known["model"], []), found.get(known["model"], [])
        mean = stats.mean_interval([*rest, *(one.bare for one in own)], bounds=(0, 1))
        assert mean.value is not None
        assert mean.se is not None
        summed = stats.mean_interval([*rest, *(one.summed for one in own)]).value if own else None
        models.append(
            Won(
                known["model"],
                mean.n,
                len(own),
                100 * mean.value,
                100 * mean.se,
                None if summed is None else 100 * summed,
            )
        )
    return models
