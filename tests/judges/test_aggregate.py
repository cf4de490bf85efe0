"""Several samples become one verdict: exact means, majorities, and nothing unreadable counted as 0."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from judgekit.judges.aggregate import aggregate
from judgekit.judges.reply import read_reply
from judgekit.records import Judgment, Rubric, Scale, Verdict

TONE = Rubric("tone", "Is it kind?", scale=Scale(0, 1))


def samples(rubric: Rubric, *replies: str) -> list[Judgment]:
    options: dict[str, Any] = {
        "scale": rubric.scale,
        "labels": rubric.labels or None,
        "checklist": rubric.checklist or None,
        "criteria": rubric.criteria or None,
    }
    return [of(read_reply(reply, **options), number) for number, reply in enumerate(replies)]


def of(verdict: Verdict, sample: int = 0) -> Judgment:
    return Judgment("a", "default", 0, "r", "faux", "0" * 12, sample, verdict)


def test_score_is_the_mean_of_the_samples() -> None:
    result = aggregate(samples(TONE, "0.5", "1", "0"), TONE, None)
    # mean (1/2 + 1 + 0) / 3 = 1/2; variance ((0)^2 + (1/2)^2 + (1/2)^2) / 2 = 1/4
    assert (result.verdict.score, result.n_samples, result.score_sd) == (0.5, 3, 0.5)


def test_spread_of_one_sample_is_unknown() -> None:
    assert aggregate(samples(TONE, "0.5"), TONE, None).score_sd is None


def test_mean_on_the_threshold_passes_exactly() -> None:
    # BR-129: (0.4 + 1.0 + 0.7) / 3 is 0.6999999999999998 in floats and 7/10 exactly.
    assert aggregate(samples(TONE, "0.4", "1.0", "0.7"), TONE, Fraction(7, 10)).verdict.status == "pass"


def test_mean_just_under_the_threshold_fails() -> None:
    assert aggregate(samples(TONE, "0.7", "0.6999999"), TONE, Fraction(7, 10)).verdict.status == "fail"


def test_unreadable_sample_is_left_out_and_flagged() -> None:
    result = aggregate(samples(TONE, "0.5", "no idea", "1"), TONE, None)
    assert (result.verdict.score, result.n_samples, result.verdict.flags) == (
        0.75,
        2,
        ("unlabelled", "unread_samples"),
    )


def test_no_readable_sample_is_unscored_with_the_commonest_cause() -> None:
    verdict = aggregate(samples(TONE, "no idea", "85", "17"), TONE, Fraction(1, 2)).verdict
    assert (verdict.status, verdict.cause, verdict.score, verdict.passed) == ("unscored", "out_of_range", None, None)


def test_only_failed_calls_are_an_error() -> None:
    verdict = aggregate([of(Verdict("error", cause="timeout"))] * 2, TONE, None).verdict
    assert (verdict.status, verdict.cause) == ("error", "timeout")


def test_one_answer_among_failed_calls_is_unscored() -> None:
    both = [of(Verdict("error", cause="timeout")), *samples(TONE, "no idea")]
    assert aggregate(both, TONE, None).verdict.status == "unscored"


GRADES = Rubric("grade", "Q?", labels={"A": 1.0, "B": 0.5, "C": 0.0})


@pytest.mark.parametrize(
    ("replies", "label", "score"),
    [(("A", "B", "A"), "A", 1.0), (("A", "C"), "C", 0.0), (("A", "A", "B", "B", "C"), "B", 0.5)],
)
def test_majority_label_wins_and_ties_go_to_the_lower(replies: tuple[str, ...], label: str, score: float) -> None:
    verdict = aggregate(samples(GRADES, *replies), GRADES, None).verdict
    assert (verdict.label, verdict.score) == (label, score)


def test_checklist_is_aggregated_item_by_item() -> None:
    rubric = Rubric("r", "Q?", checklist={"a": "A?", "b": "B?", "c": "C?"})
    verdict = aggregate(
        samples(rubric, '{"a": "yes", "b": "yes", "c": "no"}', '{"a": "yes", "b": "no", "c": "no"}'),
        rubric,
        Fraction(1, 2),
    ).verdict
    # a 2/2, b 1/2 (a tie is no), c 0/2; the whole is their mean, (1 + 1/2 + 0) / 3 = 1/2, which meets 1/2 exactly.
    assert [verdict.items[name].label for name in "abc"] == ["yes", "no", "no"]
    assert (verdict.score, verdict.status) == (0.5, "pass")


def test_share_of_three_meets_a_threshold_of_a_third_exactly() -> None:
    rubric = Rubric("r", "Q?", checklist={"a": "A?", "b": "B?", "c": "C?"})
    one_of_three = samples(rubric, '{"a": "yes", "b": "no", "c": "no"}')
    assert aggregate(one_of_three, rubric, Fraction(1, 3)).verdict.passed


def test_criteria_are_aggregated_each_for_itself() -> None:
    rubric = Rubric("r", "Q?", criteria={"a": Scale(1, 5), "b": Scale(1, 5)})
    verdict = aggregate(samples(rubric, '{"a": 1, "b": 4}', '{"a": 3, "b": 4}'), rubric, None).verdict
    assert (verdict.items["a"].score, verdict.items["b"].score, verdict.score) == (2.0, 4.0, 3.0)


def test_bare_booleans_decide_by_majority_without_a_score() -> None:
    verdict = aggregate(samples(TONE, '{"pass": true}', '{"pass": false}'), TONE, None).verdict
    assert (verdict.status, verdict.score, verdict.passed) == ("fail", None, False)


def test_reason_is_that_of_a_sample_near_the_mean() -> None:
    replies = (f'{{"reason": "{word}", "score": {score}}}' for word, score in (("low", 0), ("mid", 0.5), ("high", 1)))
    assert aggregate(samples(TONE, *replies), TONE, None).verdict.reason == "mid"
