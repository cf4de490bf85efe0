"""Log-probabilities of a reply's verdict token in, the expected score out; what is on no point of the scale is kept."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from judgekit.judges.written import exact
from judgekit.records import Rubric, Verdict

LOGPROBS = {"logprobs": True, "top_logprobs": 20}
"""What a model is asked for; 20 alternatives are the most that providers give."""
MISSING = 0.1
"""Probability on no point of the scale above which a verdict is flagged."""

_KEYS = (
    "score|rating|grade|mark|overall|label|verdict|decision|classification|category|result|answer|choice|winner"
    "|preference|judge?ment"
)
# What tokenizers join to a number or a word.
_JOINED = " \t\r\n\"'“”‘’*_`:=,;.()[]{}▁Ġ"


@dataclass(frozen=True, slots=True)
class Weights:
    """How the probability of one token is spread over the points of a scale."""

    shares: Mapping[str, float]
    """Probability of each point, all ways to write it summed; not made to sum up to 1."""
    missing: float
    """Probability on no point, and on alternatives that the model did not tell."""

    def expected(self, scores: Mapping[str, float]) -> float | None:
        """Sum of p(point) · score over the points, divided by the probability on any; None if there is none.

        Dividing keeps the score on the scale; how much is missing is said beside it.
        """
        total = math.fsum(self.shares.values())
        if total <= 0:
            return None
        value = math.fsum(share * scores[point] for point, share in self.shares.items()) / total
        return min(max(value, min(scores.values())), max(scores.values()))


def weights_of(top: Sequence[tuple[str, float]], points: Sequence[str]) -> Weights:
    """The spread of one token over points.

    A token stands for the point that it spells, whatever white space and quotes are joined to it; a part of a word
    stands for the only point that begins so. The first digit of a number that the model writes digit by digit stands
    for none where it could begin two points.

    Args:
        top: Alternatives of the token with their log-probabilities, each once.
        points: Labels, or whole numbers as text.

    Example:
        >>> found = weights_of([("4", math.log(0.5)), (" 4", math.log(0.1)), ("5", math.log(0.3))], ["4", "5"])
        >>> {point: round(share, 3) for point, share in found.shares.items()}, round(found.missing, 3)
        ({'4': 0.6, '5': 0.3}, 0.1)
    """
    # Points such as "m" and "M" differ by case alone; then case counts.
    fold = str.casefold if len({one.strip().casefold() for one in points}) == len(points) else str
    folded = {fold(point.strip()): point for point in points}
    spelt = [(fold(token.strip(_JOINED)), math.exp(min(logprob, 0.0))) for token, logprob in top]
    whole = {text for text, _ in spelt if text in folded}
    shares = dict.fromkeys(points, 0.0)
    for text, share in spelt:
        point = _point(text, folded, whole)
        if point is not None:
            shares[point] += share
    return Weights(shares, max(0.0, 1 - math.fsum(shares.values())))


def preference(first: float, second: float) -> float:
    """Probability of the first of two tokens, given that it is one of the two: e^a / (e^a + e^b).

    Args:
        first: Log-probability of the token that stands for the first.
        second: That of the other.

    Example:
        >>> round(preference(math.log(0.6), math.log(0.2)), 9)
        0.75
    """
    # Stable where both are far below 0.
    if second > first:
        return 1 - preference(second, first)
    return 1 / (1 + math.exp(second - first))


def _point(text: str, folded: Mapping[str, str], whole: set[str]) -> str | None:
    if not text:
        return None
    begun = [name for name in folded if name.startswith(text)]
    longer = [name for name in begun if name != text]
    if text in folded:
        # Of "1" and "10": if the model can write "10" in one token then "1" is 1.
        is_number = text.lstrip("-").isdigit()
        return None if is_number and longer and not whole & set(longer) else folded[text]
    return folded[begun[0]] if len(begun) == 1 and not text.lstrip("-").isdigit() else None


def points_of(rubric: Rubric) -> dict[str, float]:
    """Score of each point of a numeric scale or label set."""
    if rubric.scale is not None:
        low, high = int(rubric.scale.min), int(rubric.scale.max)
        return {str(point): float(point) for point in range(low, high + 1)}
    return dict(rubric.labels)


def weighed(
    verdict: Verdict,
    reply: Any,
    scores: Mapping[str, float],
    said: str | None,
    threshold: Fraction | None,
    name: str | None = None,
) -> Verdict:
    """The verdict with the expected score in the place of the written one, flagged `weighted`.

    A verdict that can't be weighed keeps its written score and says why: `no_logprobs` if the reply has none,
    `not_weighted` if its verdict is not found among its tokens. `missing_mass`: over 0.1 is on no point of the scale.

    Args:
        verdict: What the reply says.
        reply: The raw reply.
        scores: Score of each point.
        said: The point that the verdict states, as the judge writes it.
        threshold: Score that passes.
        name: What the verdict may be called, beside `score` and such: the rubric's name.
    """
    if verdict.score is None or said is None:
        return verdict
    tokens = _tokens(reply)
    if not tokens:
        return _flagged(verdict, "no_logprobs")
    at = _place([token for token, _ in tokens], said, name)
    weights = None if at is None else weights_of(tokens[at][1], list(scores))
    score = None if weights is None else weights.expected(scores)
    if weights is None or score is None or not weights.shares.get(_of(said, scores)):
        # Without its own point the rest would speak for a verdict that nobody gave.
        return _flagged(verdict, "not_weighted")
    passed = None if threshold is None else exact(score) >= threshold
    flags = ("weighted", "missing_mass") if weights.missing > MISSING else ("weighted",)
    return replace(
        verdict,
        status="scored" if passed is None else "pass" if passed else "fail",
        score=score,
        passed=passed,
        flags=tuple(dict.fromkeys((*verdict.flags, *flags))),
        weights=weights.shares,
        missing_mass=weights.missing,
        token=at,
    )


def _of(said: str, scores: Mapping[str, float]) -> str:
    """The point as `scores` spells it."""
    if said in scores:
        return said
    return next((point for point in scores if point.strip().casefold() == said.strip().casefold()), said)


def slimmed(reply: Any, token: int | None) -> Any:
    """The reply as it is recorded: with alternatives of the weighed token only, as all would be most of a run."""
    if not isinstance(reply, Mapping) or not isinstance(reply.get("logprobs"), Mapping):
        return reply
    content = reply["logprobs"].get("content")
    kept = [
        {"token": one.get("token"), "logprob": one.get("logprob"), "top_logprobs": _pairs(one, place == token)}
        for place, one in enumerate(content if isinstance(content, list) else ())
        if isinstance(one, Mapping)
    ]
    return {**reply, "logprobs": {"content": kept}}


def _pairs(one: Mapping[str, Any], wanted: bool) -> list[dict[str, Any]]:
    return [{"token": token, "logprob": logprob} for token, logprob in _alternatives(one)] if wanted else []


def _flagged(verdict: Verdict, flag: str) -> Verdict:
    return replace(verdict, flags=tuple(dict.fromkeys((*verdict.flags, flag))))


def _tokens(reply: Any) -> list[tuple[str, list[tuple[str, float]]]]:
    """Each token of a reply with its alternatives, itself among them; empty where the model told none."""
    logprobs = reply.get("logprobs") if isinstance(reply, Mapping) else None
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    if not isinstance(content, list):
        return []
    return [(str(one.get("token") or ""), _alternatives(one)) for one in content if isinstance(one, Mapping)]


def _alternatives(one: Mapping[str, Any]) -> list[tuple[str, float]]:
    listed = one.get("top_logprobs")
    found: dict[str, float] = {}
    for each in (*(listed if isinstance(listed, list) else ()), one):
        token, logprob = (each.get("token"), each.get("logprob")) if isinstance(each, Mapping) else (None, None)
        is_number = isinstance(logprob, int | float) and not isinstance(logprob, bool) and not math.isnan(logprob)
        if isinstance(token, str) and is_number:
            # The chosen token stands in the list, too: it counts once.
            found.setdefault(token, float(logprob))  # type: ignore[arg-type]
    return list(found.items())


def _openings(name: str | None) -> tuple[re.Pattern[str], ...]:
    """What stands before a verdict, surest first: a key of JSON, one that ends in such a word, such a word in prose."""
    key = f"(?:{_KEYS}{'' if name is None else '|' + re.escape(name)})"
    # Within a text of JSON quotes are escaped: a key that it quotes is none.
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            rf"(?<!\\)[\"'“”]{key}[\"'“”]\s*:\s*[\"'“\[]*",
            rf"(?<!\\)[\"'“”][\w -]*[ _-]{key}[\"'“”]\s*:\s*[\"'“\[]*",
            rf"{key}[\"'“”*_`]*\s*(?:[:=]|->|→)\s*[\"'“*_`(\[]*",
        )
    )


def _place(tokens: Sequence[str], said: str, name: str | None) -> int | None:
    """Number of the token that the verdict begins in: after the last key that names it, or a reply that is only it."""
    text = "".join(tokens)
    value = re.compile(rf"{re.escape(said)}(?:\.0+)?(?!\w|[.,/]?\d)", re.IGNORECASE)
    found: list[int] = []
    for opening in _openings(name):
        found = found or [match.end() for match in opening.finditer(text) if value.match(text, match.end())]
    start = len(text) - len(text.lstrip(_JOINED))
    if not found and text[start:].strip(_JOINED).casefold() == said.casefold():
        found = [start]
    if not found:
        return None
    end = 0
    for number, token in enumerate(tokens):
        end += len(token)
        if found[-1] < end:
            return number
    return None
