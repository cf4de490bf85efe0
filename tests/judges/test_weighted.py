"""Scores weighted by the log-probabilities of the verdict's token; what is on no point of the scale is kept."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.judges.pairwise import WORDS, read_choice
from judgekit.judges.pointwise import read_verdict
from judgekit.judges.weighted import preference, slimmed, weights_of
from judgekit.models.base import Reply
from judgekit.records import Rubric, Scale, Verdict

FIVE = Rubric("tone", "Is it kind?", scale=Scale(1, 5), weighted=True)
POINTS = ["1", "2", "3", "4", "5"]


def token(text: str, **alternatives: float) -> dict[str, Any]:
    """One token of a reply; alternatives are probabilities, with `_` for a blank in front."""
    top = [{"token": name.replace("_", " "), "logprob": math.log(p)} for name, p in alternatives.items()]
    own = next((one["logprob"] for one in top if one["token"] == text), 0.0)
    return {"token": text, "logprob": own, "top_logprobs": top}


def message(*tokens: dict[str, Any]) -> dict[str, Any]:
    return {
        "content": "".join(one["token"] for one in tokens),
        "finish_reason": "stop",
        "logprobs": {"content": list(tokens)},
    }


def plain(*texts: str) -> list[dict[str, Any]]:
    return [token(text) for text in texts]


def four(**spread: float) -> dict[str, Any]:
    """A JSON verdict of 4 whose token has this spread."""
    head = plain('{"', "reason", '":', ' "', "It", " scores", " 4", '",', ' "', "score", '":', " ")
    return message(*head, token("4", **spread), *plain("}"))


def verdict(raw: Any, rubric: Rubric = FIVE, threshold: Fraction | None = None) -> Verdict:
    return read_verdict(rubric, Reply(None, raw=raw), threshold)


# --------------------------------------------------------------------------------------------------------- a token


def test_score_is_the_expected_one() -> None:
    # .5 · 4 + .3 · 5 + .2 · 3 = 4.1
    found = verdict(four(**{"4": 0.5, "5": 0.3, "3": 0.2}))
    assert found.score == pytest.approx(4.1)
    assert found.flags == ("weighted",)
    assert found.weights == pytest.approx({"1": 0, "2": 0, "3": 0.2, "4": 0.5, "5": 0.3})


def test_ways_to_write_a_point_are_summed() -> None:
    found = weights_of(
        [("4", math.log(0.5)), (" 4", math.log(0.2)), ('"4', math.log(0.1)), ("5", math.log(0.2))], POINTS
    )
    assert (found.shares["4"], found.shares["5"]) == (pytest.approx(0.8), pytest.approx(0.2))


def test_missing_mass_is_kept_and_flagged_above_a_tenth() -> None:
    # (.6 · 4 + .2 · 5) / .8 = 4.25; .2 is on no point.
    found = verdict(four(**{"4": 0.6, "5": 0.2, "good": 0.1}))
    assert (found.score, found.missing_mass) == (pytest.approx(4.25), pytest.approx(0.2))
    assert found.flags == ("weighted", "missing_mass")


def test_the_threshold_decides_on_the_weighted_score() -> None:
    found = verdict(four(**{"4": 0.6, "1": 0.4}), threshold=Fraction(4))
    assert (found.status, found.passed, found.score) == ("fail", False, pytest.approx(2.8))


def test_a_part_of_a_label_stands_for_the_only_label_that_begins_so() -> None:
    found = weights_of(
        [("in", math.log(0.7)), ("correct", math.log(0.2)), ("c", math.log(0.1))], ["correct", "incorrect"]
    )
    assert (found.shares["incorrect"], found.shares["correct"]) == (pytest.approx(0.7), pytest.approx(0.3))


def test_first_digit_of_a_longer_number_stands_for_nothing() -> None:
    points = [str(point) for point in range(1, 11)]
    assert weights_of([("1", math.log(0.5)), ("9", math.log(0.5))], points).missing == pytest.approx(0.5)
    # Here the model can write 10 in one token, so 1 is 1.
    assert weights_of([("1", math.log(0.5)), ("10", math.log(0.5))], points).missing == pytest.approx(0)


def test_number_written_digit_by_digit_is_not_weighted() -> None:
    ten = Rubric("tone", "Q?", scale=Scale(1, 10), weighted=True)
    raw = message(*plain('{"score": '), token("1", **{"1": 0.9, "9": 0.1}), *plain("0", "}"))
    found = verdict(raw, ten)
    assert (found.score, found.flags) == (10.0, ("not_weighted",))


def test_half_points_are_not_weighted() -> None:
    raw = message(*plain('{"score": '), token("4", **{"4": 1.0}), *plain(".", "5", "}"))
    assert (verdict(raw).score, verdict(raw).flags) == (4.5, ("not_weighted",))


def test_model_without_log_probabilities_is_said_to_have_none() -> None:
    found = verdict('{"reason": "r", "score": 4}')
    assert (found.score, found.flags, found.missing_mass) == (4.0, ("no_logprobs",), None)


def test_verdict_token_is_found_behind_numbers_of_the_reason() -> None:
    # The reason says 4, too, at token 6; the verdict is token 12.
    assert verdict(four(**{"4": 1.0})).token == 12


@pytest.mark.parametrize(
    "reason", ["gave it a score: 4 once", 'wrote \\"score\\": 4 itself', "has the rating 4, verdict = 4"]
)
@pytest.mark.parametrize("key", ["score", "overall_score", "tone"])
def test_verdict_is_the_key_and_not_a_reason_that_names_it(key: str, reason: str) -> None:
    head = [*plain('{"', key, '": '), token("4", **{"4": 0.5, "1": 0.5})]
    raw = message(
        *head, *plain(', "', "reason", '": "', "It "), *plain(*(f"{word} " for word in reason.split())), *plain('"}')
    )
    found = verdict(raw)
    # .5 · 4 + .5 · 1
    assert (found.score, found.token, found.flags) == (pytest.approx(2.5), 3, ("weighted",))


def test_bare_reply_is_its_own_verdict() -> None:
    found = verdict(message(token(" 4", _4=0.75, _5=0.25)))
    assert found.score == pytest.approx(4.25)


def test_label_keeps_its_name_and_gets_the_expected_score() -> None:
    rubric = Rubric("grade", "Q?", labels={"good": 1, "bad": 0}, weighted=True)
    raw = message(*plain('{"', "label", '":', ' "'), token("good", good=0.75, bad=0.25), *plain('"}'))
    found = verdict(raw, rubric)
    assert (found.label, found.score) == ("good", pytest.approx(0.75))


def test_unreadable_reply_stays_unscored_whatever_its_probabilities() -> None:
    raw = message(*plain("Well"), token("4", **{"4": 1.0}), *plain(" or 5, who knows"))
    assert (verdict(raw).status, verdict(raw).score) == ("unscored", None)


@pytest.mark.parametrize(
    "logprobs",
    [None, {}, {"content": None}, {"content": [None, 3]}, {"content": [{"token": 4}]}, [1], {"content": "x"}],
)
def test_odd_logprobs_are_no_logprobs(logprobs: Any) -> None:
    found = verdict({"content": '{"score": 4}', "logprobs": logprobs})
    assert found.score == 4.0
    assert "weighted" not in found.flags


def test_record_keeps_the_alternatives_of_the_weighed_token_only() -> None:
    raw = four(**{"4": 0.5, "5": 0.5})
    kept = slimmed(raw, verdict(raw).token)
    assert [len(one["top_logprobs"]) for one in kept["logprobs"]["content"]] == [0] * 12 + [2, 0]
    assert verdict(kept) == verdict(raw)


# ----------------------------------------------------------------------------------------------------------- pairs


def test_preference_is_the_probability_of_the_first_of_two() -> None:
    # e^a / (e^a + e^b) with .6 and .2.
    assert preference(math.log(0.6), math.log(0.2)) == pytest.approx(0.75)
    assert preference(-2000.0, -1.0) == 0.0


def choice(order: Any, **spread: float) -> Verdict:
    raw = message(*plain('{"', "winner", '":', ' "'), token("A", **spread), *plain('"}'))
    return read_choice(raw, WORDS, order, weighted=True)


def test_pair_is_scored_by_the_probability_of_the_variant() -> None:
    assert choice("first", A=0.6, B=0.2).score == pytest.approx(0.75)
    assert choice("second", A=0.6, B=0.2).score == pytest.approx(0.25)


def test_words_that_differ_by_case_alone_are_told_apart() -> None:
    # AlpacaEval's judge calls the outputs m and M.
    found = read_choice(message(token("m", m=0.6, M=0.2)), ("m", "M"), "first", weighted=True)
    assert (found.label, found.score) == ("win", pytest.approx(0.75))


def test_tie_counts_half() -> None:
    assert choice("first", A=0.5, B=0.1, tie=0.4).score == pytest.approx(0.7)


# ------------------------------------------------------------------------------------------------------- properties


@given(st.lists(st.tuples(st.text(max_size=3) | st.sampled_from(POINTS), st.floats(-50, 0)), max_size=20))
def test_expected_score_never_leaves_the_scale(top: list[tuple[str, float]]) -> None:
    score = weights_of(top, POINTS).expected({point: float(point) for point in POINTS})
    assert score is None or 1 <= score <= 5


@given(st.floats(-700, 0), st.floats(-700, 0))
def test_two_preferences_make_one(first: float, second: float) -> None:
    assert preference(first, second) + preference(second, first) == pytest.approx(1)
