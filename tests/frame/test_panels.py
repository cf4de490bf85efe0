"""What several judges say together, how far they agree, and what each of them changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.frame.panels import PanelRule, Vote, vote


@pytest.mark.parametrize(
    ("votes", "rule", "said"),
    [
        ([(None, 5.0), (None, 2.0)], "mean", (None, 3.5)),
        # In floats 3.9 + 4 + 4.1 is a little less than 12.
        ([(None, 3.9), (None, 4.0), (None, 4.1)], "mean", (None, 4.0)),
        ([(None, 5.0), (None, 4.0), (None, 1.0)], "majority", (None, 4.0)),
        ([(None, 5.0), (None, 2.0)], "majority", (None, 2.0)),
        ([("good", 1.0), ("bad", 0.0), ("good", 1.0)], "majority", ("good", 1.0)),
        ([("good", 1.0), ("bad", 0.0)], "majority", ("bad", 0.0)),
        # Weighted scores of one label differ; it has two votes all the same.
        ([("good", 0.9), ("good", 0.7), ("bad", 0.1)], "majority", ("good", 0.8)),
        ([("good", 1.0), ("bad", 0.0)], "mean", (None, 0.5)),
        ([("yes", 1.0), ("yes", 1.0), ("no", 0.0)], "mean", ("yes", 2 / 3)),
        ([("yes", 1.0), ("no", 0.0)], "mean", ("no", 0.5)),
        ([("yes", 1.0)], "mean", ("yes", 1.0)),
        # "Does it make anything up?": no is the better answer.
        ([("yes", 0.0), ("yes", 0.0), ("no", 1.0)], "mean", ("yes", 1 / 3)),
        ([("yes", 5.0), ("no", 1.0), ("no", 1.0)], "mean", ("no", 7 / 3)),
    ],
)
def test_vote_of_scores_and_labels(votes: list[Vote], rule: PanelRule, said: Vote) -> None:
    assert vote(votes, rule) == said


WIN, TIE, LOSS = ("win", 1.0), ("tie", 0.5), ("loss", 0.0)


@pytest.mark.parametrize(
    ("votes", "rule", "said"),
    [
        ([WIN, WIN, LOSS], "majority", WIN),
        ([WIN, LOSS], "majority", TIE),
        ([TIE, LOSS], "majority", TIE),
        ([WIN, TIE, LOSS], "majority", TIE),
        ([WIN, TIE], "mean", ("win", 0.75)),
    ],
)
def test_vote_of_pairs_favours_no_side(votes: list[Vote], rule: PanelRule, said: Vote) -> None:
    assert vote(votes, rule, in_pairs=True) == said


@given(st.lists(st.integers(1, 5).map(float), min_size=1, max_size=9), st.integers(1, 5))
def test_majority_of_scores_reaches_a_threshold_if_more_than_half_do(scores: list[float], threshold: int) -> None:
    _, score = vote([(None, one) for one in scores], "majority")
    assert (score >= threshold) == (2 * sum(one >= threshold for one in scores) > len(scores))


@given(st.lists(st.sampled_from([WIN, TIE, LOSS]), min_size=1, max_size=7))
def test_swapping_the_sides_swaps_the_vote(votes: list[Vote]) -> None:
    swapped = {"win": LOSS, "tie": TIE, "loss": WIN}
    label, score = vote(votes, "majority", in_pairs=True)
    assert vote([swapped[one or ""] for one, _ in votes], "majority", in_pairs=True) == swapped[label or ""]
    assert (label, score) in (WIN, TIE, LOSS)
