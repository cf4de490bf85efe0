"""What read_reply makes of replies as judges write them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.judges.reply import read_reply
from judgekit.records import Scale

ONE_TO_FIVE = Scale(1, 5)


def outcome(reply: Any, **more: Any) -> Any:
    """The score, or the cause where there is none."""
    verdict = read_reply(reply, scale=more.pop("scale", ONE_TO_FIVE), **more)
    return verdict.cause if verdict.status == "unscored" else verdict.score


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"reason": "r", "score": 4}', 4),
        ('```json\n{"score": 4}\n```\nHope this helps!', 4),
        ('My verdict: {"score": 4, "reason": "returns {ok: true} and closes with }"}', 4),
        ('{"Score": 4}', 4),
        ('{"overall-score": 4}', 4),
        ('{"verdict": {"score": 3, "reason": "r"}}', 3),
        ('[{"score": 3}]', 3),
        ('"{\\"score\\": 4}"', 4),
        ('\ufeff{"score": 4}', 4),
        ('{"score": "4/5"}', 4),
        ('{"score": "4 - good"}', 4),
        ('{"score": "4,5"}', 4.5),
        ('{"score": 4, "score": 4}', 4),
        ({"score": 4, "reason": "a mapping is a verdict already"}, 4),
    ],
)
def test_verdict_in_json_is_read(reply: Any, expected: float) -> None:
    assert outcome(reply) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "{score: 4, reason: 'bare keys'}",
        "{'score': 4, 'reason': 'it's fine',}",
        '{"score": 4, "reason": "he said "hi" there"}',
        "{“score”: 4}",
        '{"ok": True, "note": None, "score": 4}',
    ],
)
def test_near_json_is_mended_and_flagged(reply: str) -> None:
    verdict = read_reply(reply, scale=ONE_TO_FIVE)
    assert (verdict.score, verdict.flags) == (4.0, ("repaired",))


def test_near_json_is_never_evaluated() -> None:
    assert outcome('{"score": __import__("os").getpid()}') == "truncated"


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ('{"score": null}', "not_a_number"),
        ('{"score": true}', "not_a_number"),
        ('{"score": "four"}', "not_a_number"),
        ('{"score": "N/A"}', "not_a_number"),
        ('{"score": NaN}', "not_a_number"),
        ('{"score": [4]}', "not_a_number"),
        ('{"score": "1,000"}', "not_a_number"),  # a thousand, or one: nobody can tell
        ('{"score": Infinity}', "out_of_range"),
        ('{"score": 1e999}', "out_of_range"),
        ('{"score": 85}', "out_of_range"),
        ('{"score": "8/10"}', "out_of_range"),
        ('{"score": "80%"}', "out_of_range"),
        ('{"score": "3-4"}', "ambiguous"),
        ('{"score": 4, "score": 5}', "ambiguous"),
        ('{"score": 2, "rating": 4}', "ambiguous"),
        ('{"marks": {"clarity": {"score": 4}, "depth": {"score": 2}}}', "ambiguous"),
        ('{"reason": "no score"}', "missing_field"),
        ('{"score": 1}\n{"reason": "the first was a quotation, this one forgot its score"}', "missing_field"),
    ],
)
def test_unusable_verdict_in_json_has_its_cause(reply: str, cause: str) -> None:
    assert outcome(reply) == cause


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Rating: 2", 2),
        ("**Score:** 4", 4),
        ("**Score**: 4", 4),
        ("Score: **4**", 4),
        ("Score: 4/5", 4),
        ("Score: 4 out of 5", 4),
        ("Score: 4.0", 4),
        ("Score: 4,5", 4.5),
        ("Score - 4", 4),
        ("score = 3.5", 3.5),
        ("Rating → 3", 3),
        ("Score (1-5): 3", 3),
        ("Score:\n4", 4),
        ("Score: 4, because it is fine", 4),
        ("Rating: [[5]]", 5),
        ("<score>4</score>", 4),
        ("Overall: 4", 4),
        ("评分：４", 4),
        ("Score: ٤", 4),
        ("\u200fScore: 4\u200b", 4),
        ("I'd give it a score of 3.", 3),
        ("The score for clarity is 2.", 2),
        ("I rate it 4", 4),
        ("Fine work, 4 out of 5.", 4),
        ("Score: four", 4),
        ("**Score**: Four.", 4),
        ("Score: four out of five", 4),
        ("Rating: three stars", 3),
        ("The score is four.", 4),
        ("I would rate it four out of five.", 4),
        ("Score: $4$", 4),
        ("Score: \\(4\\)", 4),
        ("Score: $\\boxed{4}$", 4),
        ("| Score | 4 |", 4),
        ("| **Score** | **4/5** | it cites |", 4),
        ("| Score | four |", 4),
        ("| Criterion | Value |\n|---|---|\n| Score | 4 |", 4),
        ("| Score | Reason |\n|:--|--:|\n| 4 | good |", 4),
        ("| Final score | 4 |\n| Style score | 2 |", 4),
    ],
)
def test_labelled_score_in_prose_is_read(reply: str, expected: float) -> None:
    assert outcome(reply) == expected


@pytest.mark.parametrize(
    "reply",
    [
        "2",
        "**2**",
        "(2)",
        "2.",
        "```\n2\n```",
        "Because it is dull.\n2",
        "2\n\nIt is dull.",
        "$2$",
        "Two.",
        "1. 2",
        "Yes, 2",
        "No. 2",
        "The response does not use the fact. 2",
        "Yes, the response uses the fact well. (2)",
    ],
)
def test_bare_number_is_read_and_flagged(reply: str) -> None:
    verdict = read_reply(reply, scale=ONE_TO_FIVE)
    assert (verdict.score, verdict.flags) == (2.0, ("unlabelled",))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Score: 3\n\nOn reflection:\nScore: 4", 4),
        ("Final score: 2\n(Style score: 4)", 2),
        ("Max score: 5\nScore: 3", 3),
        ("Rating: 2. A score of 3 would need sources.", 2),
        ("A score of 5 would require citations.\nRating: 2", 2),
        ("Rating: 2\nThe film came out in 2002.", 2),
        ('Draft: {"score": 2}\nFinal: {"score": 4}', 4),
        ('The answer claims {"score": 5}.\nScore: 2', 2),
        ('> {"score": 5}\n{"score": 1}', 1),
        ('The output is `{"a": 1` which is broken.\nScore: 2', 2),
        ('{"score": 3} {"tokens": 12}', 3),
    ],
)
def test_last_verdict_of_the_judge_counts(reply: str, expected: float) -> None:
    assert outcome(reply) == expected


@pytest.mark.parametrize(
    "word", ["Actually", "Revised", "Corrected", "Updated", "Adjusted", "New", "Amended", "Final", "Overall"]
)
@pytest.mark.parametrize("former", ["Score: 2", "Final score: 2", "Revised score: 2"])
def test_score_that_replaces_a_former_one_counts(former: str, word: str) -> None:
    assert outcome(f"{former}\n{word} score: 4") == 4


def test_score_called_revised_counts_before_the_scores_of_parts_that_follow() -> None:
    assert outcome("Score: 2\nRevised score: 4\nStyle score: 1") == 4


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("-3", -3),
        ("\u22123", -3),
        ("\u2212 3", -3),
        ("\u20113", -3),
        ("\uff0d3", -3),
        ("**-3**", -3),
        ("- -3", -3),
        ("-3 - poor", -3),
        ("\u22123: poor", -3),
        ("It is poor.\n-3", -3),
        ("-3/5", -3),
        ("Score: \u22123", -3),
        ("+3", 3),
        ("- 3", 3),
        ("-> 3", 3),
        ("- 3: fair", 3),
    ],
)
def test_minus_is_a_sign_and_a_hyphen_before_white_space_a_bullet(reply: str, expected: float) -> None:
    assert outcome(reply, scale=Scale(-5, 5)) == expected
    assert outcome(reply) == ("out_of_range" if expected < 0 else expected)


@pytest.mark.parametrize(
    "reply",
    [
        "There are 5 good points here.",
        "I'd give it 3.",
        "It meets 4 out of 5 requirements.",
        "Rated 4 by users",
        "Score: 1-5",
        "Score: 5 = perfect, 1 = bad",
        "Score: 4.5.6",
        "1. 2\n2. 3",
        "4²",
        "Score: 4½",
        "Score: one of the best",
        "Score: four hundred",
        "Score: two or three",
        "Score: one-sided",
        "Score: $4",
        "Several claims lack a source, e.g. 3",
        "It lists approx. 3",
        "Errors found: 3",
        "| Criterion | Score |\n|---|---|\n| Clarity | 4 |\n| Depth | 2 |",
        '> {"score": 5}',
        'It says "{"score": 5}" of itself.',
    ],
)
def test_numbers_that_are_no_verdict_stay_unread(reply: str) -> None:
    assert outcome(reply) == "parse"


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ("Rating: 2002", "out_of_range"),
        ("Score: 8/10", "out_of_range"),
        ("Score: 80%", "out_of_range"),
        ("Score: -1", "out_of_range"),
        ("Score: N/A", "not_a_number"),
        ("Relevance score: 5\nStyle score: 2", "ambiguous"),
        ("1\n2\n3", "ambiguous"),
        ("I'm sorry, I can't evaluate this.", "refusal"),
        ("", "empty"),
        (" \n", "empty"),
        (None, "empty"),
        ({}, "empty"),
    ],
)
def test_unusable_prose_has_its_cause(reply: Any, cause: str) -> None:
    assert outcome(reply) == cause


def test_percent_counts_on_a_scale_to_100() -> None:
    assert outcome("Score: 80%", scale=Scale(0, 100)) == 80


@pytest.mark.parametrize("tag", ["think", "thinking", "reasoning", "THINK"])
def test_nothing_in_a_thought_is_a_verdict(tag: str) -> None:
    assert outcome(f'<{tag}>{{"score": 2}} or Score: 3?</{tag}>\n{{"score": 4}}') == 4


def test_thought_without_its_opening_tag_is_left_out() -> None:
    assert outcome("Score: 2, no ...</think>\nScore: 4") == 4


def test_thought_that_never_ends_is_a_reply_cut_short() -> None:
    assert outcome("<think>Score: 4") == "truncated"


def test_thought_alone_is_an_empty_reply() -> None:
    assert outcome("<think>Score: 4</think>") == "empty"


def test_tag_inside_a_reason_is_no_thought() -> None:
    assert outcome('{"reason": "holds a <think> tag and a </think>", "score": 2}') == 2


def test_tool_call_arguments_are_read() -> None:
    calls = [{"function": {"name": "grade", "arguments": '{"score": 4}'}}]
    assert outcome({"content": None, "tool_calls": calls, "finish_reason": "tool_calls"}) == 4


def test_tool_calls_that_differ_are_ambiguous() -> None:
    calls = [{"name": "grade", "arguments": '{"score": 4}'}, {"name": "grade", "args": {"score": 2}}]
    assert outcome({"content": None, "tool_calls": calls}) == "ambiguous"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"content": '{"score": 4', "finish_reason": "length"}, "truncated"),
        ({"content": "Score: 4", "finish_reason": "length"}, "truncated"),
        ({"content": '{"score": 4}\nThat is', "finish_reason": "length"}, "truncated"),
        ({"content": '{"score": 4}\n```', "finish_reason": "length"}, 4),  # closed at the very end: complete
        ({"content": '{"score": 4', "finish_reason": "stop"}, "parse"),
        ({"content": "", "finish_reason": "length"}, "truncated"),
        ({"content": "", "reasoning_content": "I lean to 4", "finish_reason": "stop"}, "empty"),
        ({"content": None, "refusal": "I can't help with that."}, "refusal"),
        ({"content": "", "finish_reason": "content_filter"}, "refusal"),
        ({"content": [{"type": "text", "text": "Score: 4"}]}, 4),
    ],
)
def test_fields_of_a_chat_message_are_heeded(message: dict[str, Any], expected: Any) -> None:
    assert outcome(message) == expected


def test_verdict_cut_off_in_plain_text_is_truncated() -> None:
    assert outcome('{"score": 0.8', scale=Scale(0, 1)) == "truncated"


@pytest.mark.parametrize(("said", "passed"), [("true", True), ('"FALSE"', False), ('"true"', True)])
def test_boolean_verdict_passes_or_fails_without_a_score(said: str, passed: bool) -> None:
    verdict = read_reply(f'{{"pass": {said}}}', scale=ONE_TO_FIVE)
    assert (verdict.status, verdict.score, verdict.passed) == ("pass" if passed else "fail", None, passed)


def test_boolean_verdict_in_other_words_is_unscored() -> None:
    assert outcome('{"pass": "maybe"}') == "unknown_label"


def test_score_decides_against_a_contradicting_boolean() -> None:
    verdict = read_reply('{"pass": true, "score": 1}', scale=ONE_TO_FIVE, threshold=3)
    assert (verdict.passed, verdict.flags) == (False, ("inconsistent",))


@pytest.mark.parametrize(
    ("threshold", "status"), [(4, "pass"), (Fraction(4), "pass"), (4.01, "fail"), (None, "scored")]
)
def test_threshold_decides_inclusively(threshold: Any, status: str) -> None:
    assert read_reply("Score: 4", scale=ONE_TO_FIVE, threshold=threshold).status == status


def test_threshold_is_compared_as_written_not_as_float() -> None:
    # 0.1 + 0.2 is more than 0.3 in floats; a score written as 0.3 meets the threshold 3/10 exactly.
    assert read_reply('{"score": 0.3}', scale=Scale(0, 1), threshold=Fraction(3, 10)).passed is True


@pytest.mark.parametrize(
    ("reply", "key", "expected"),
    [
        ("GRADE: C", "GRADE", "C"),
        ("grade: c", "GRADE", "C"),
        ("**GRADE:** I", "GRADE", "I"),
        ("GRADE: [C]", "GRADE", "C"),
        ("C", "GRADE", "C"),
        ('{"GRADE": "C"}', "GRADE", "C"),
        ('The answer ends with "GRADE: C".\nGRADE: I', "GRADE", "I"),
        ("GRADE: C\nI see no ground to downgrade: it is all there.", "GRADE", "C"),
        ("GRADE: C\n...\nGRADE: X", "GRADE", "unknown_label"),
        ("GRADE: I think C", "GRADE", "ambiguous"),
        ("GRADE: C-", "GRADE", "unknown_label"),
        ("**Answer: C**", "GRADE", "parse"),
        ('{"answer": "C"}', "GRADE", "missing_field"),
        ("> GRADE: C", "GRADE", "parse"),
        ("<think>GRADE: C</think>GRADE: I", "GRADE", "I"),
        ("I see.", None, "parse"),
        ("Answer: (C)", None, "C"),
        ("[[C]]", None, "C"),
        ("C\n\nBecause every step is there.", None, "C"),
        ('{"label": "c"}', None, "C"),
        ('{"label": "C (correct)"}', None, "C"),
        ('{"label": "C", "verdict": "I"}', None, "ambiguous"),
        ('{"label": "C", "label": "I"}', None, "ambiguous"),
        ('{"label": null}', None, "unknown_label"),
        ('{"label": "C"}\nVerdict: I', None, "I"),
    ],
)
def test_label_is_read_or_has_its_cause(reply: str, key: str | None, expected: str) -> None:
    verdict = read_reply(reply, labels={"C": 1, "I": 0}, label_key=key)
    assert (verdict.label or verdict.cause) == expected


@pytest.mark.parametrize("reply", ["It is not relevant.", '{"label": "not relevant"}', "Label: not relevant"])
def test_denied_label_is_not_taken_for_the_label(reply: str) -> None:
    assert read_reply(reply, labels={"relevant": 1, "unrelated": 0}).label is None


def test_label_in_a_table_is_read() -> None:
    assert read_reply("| Verdict | relevant |", labels={"relevant": 1, "unrelated": 0}).label == "relevant"


def test_label_is_worth_its_score() -> None:
    verdict = read_reply("Verdict: B", labels={"A": 1, "B": 0.5, "C": 0}, threshold=1)
    assert (verdict.score, verdict.status) == (0.5, "fail")


def test_label_decides_against_a_contradicting_score() -> None:
    verdict = read_reply('{"label": "A", "score": 0}', labels={"A": 1, "B": 0})
    assert (verdict.score, verdict.flags) == (1.0, ("inconsistent",))


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("On the other hand, Output (b) is dull. Therefore, Output (a) is better.", "Output (a)"),
        ("Output (a) is better than Output (b).", "Output (a)"),
        ("Both Output (a) and Output (b) are equally good.", "ambiguous"),
        ("Output (b) does not follow the instruction.", "ambiguous"),
        ("Output (b) is not better than Output (a).", "ambiguous"),
        ("I go with Output (a)", "Output (a)"),
        ("Therefore, and because Output (a) precisely executes the", "truncated"),
    ],
)
def test_concluding_sentence_names_a_label_of_several_words(reply: str, expected: str) -> None:
    verdict = read_reply(reply, labels={"Output (a)": 1, "Output (b)": 0})
    assert (verdict.label or verdict.cause) == expected


CHECKLIST = {"cites": "Does it cite a source?", "short": "Is it short?"}


@pytest.mark.parametrize(
    "reply",
    [
        '{"items": {"cites": {"reason": "r", "answer": "yes"}, "short": {"reason": "r", "answer": "no"}}}',
        '{"cites": true, "short": "No"}',
        '[{"item": "cites", "answer": "yes"}, {"item": "short", "answer": "no"}]',
        '{"items": [{"question": "Does it cite a source?", "met": true}, {"question": "Is it short?", "met": "no"}]}',
        "cites: yes\nshort: no",
    ],
)
def test_checklist_scores_the_share_of_yes(reply: str) -> None:
    verdict = read_reply(reply, checklist=CHECKLIST, threshold=0.5)
    assert (verdict.score, verdict.status, verdict.items["short"].label) == (0.5, "pass", "no")


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        ('{"cites": "yes"}', "missing_field"),
        ("cites: yes", "missing_field"),
        ('{"cites": "partly", "short": "no"}', "unknown_label"),
        ('{"cites": "yes", "cites": "no", "short": "no"}', "ambiguous"),
        ("All good.", "parse"),
    ],
)
def test_partial_checklist_is_unscored_as_a_whole(reply: str, cause: str) -> None:
    verdict = read_reply(reply, checklist=CHECKLIST)
    assert (verdict.cause, verdict.score) == (cause, None)


def test_checklist_flags_a_total_that_contradicts_its_items() -> None:
    assert read_reply('{"cites": "yes", "short": "yes", "score": 0}', checklist=CHECKLIST).flags == ("inconsistent",)


CRITERIA = {"clarity": Scale(1, 5), "depth": Scale(0, 10)}


@pytest.mark.parametrize(
    "reply",
    [
        '{"criteria": {"clarity": {"reason": "r", "score": 4}, "depth": {"reason": "r", "score": 3}}}',
        '{"clarity": 4, "depth": 3}',
        "**Clarity:** 4 (fine)\n- Depth: 3/10",
    ],
)
def test_criteria_score_their_mean(reply: str) -> None:
    verdict = read_reply(reply, criteria=CRITERIA)
    assert (verdict.score, verdict.items["depth"].score) == (3.5, 3.0)  # (4 + 3) / 2


@pytest.mark.parametrize(
    ("reply", "cause"), [('{"clarity": 4}', "missing_field"), ('{"clarity": 4, "depth": 11}', "out_of_range")]
)
def test_criteria_without_every_score_are_unscored(reply: str, cause: str) -> None:
    assert read_reply(reply, criteria=CRITERIA).cause == cause


def test_reason_is_kept_in_the_judges_words() -> None:
    assert read_reply('{"reason": "no source", "score": 2}', scale=ONE_TO_FIVE).reason == "no source"


def test_lone_surrogate_in_a_reason_can_be_written_to_a_file() -> None:
    verdict = read_reply('{"score": 4, "reason": "\ud800"}', scale=ONE_TO_FIVE)
    assert verdict.reason.encode("utf-8") == "\ufffd".encode()


def test_escaped_lone_surrogate_in_a_reason_can_be_written_to_a_file() -> None:
    verdict = read_reply('{"score": 4, "reason": "\\ud800"}', scale=ONE_TO_FIVE)
    assert verdict.reason.encode("utf-8") == "\ufffd".encode()


@pytest.mark.parametrize(
    "reply",
    [
        '{"a":' * 100_000,
        '{"a":\n' * 100_000,
        "[{" * 100_000,
        "{" * 1_000_000,
        "{'a': " * 30_000,
        '{"reason": "' * 20_000,
        "<think></think>" * 50_000,
        "Score:" * 200_000,
        "*" * 50_000,
        "- " * 25_000,
        "-" * 50_000,
        "\u2212 " * 25_000,
        "Score: " + "9" * 1_000_000,
        "x" * 5_000_000,
    ],
    ids=lambda reply: reply[:12],
)
def test_hostile_reply_is_unscored_in_little_time(reply: str) -> None:
    assert read_reply(reply, scale=ONE_TO_FIVE).status == "unscored"


@pytest.mark.parametrize(
    "arguments",
    [
        {"scale": ONE_TO_FIVE, "labels": {"A": 1}},
        {"labels": {}},
        {"scale": ONE_TO_FIVE, "threshold": float("nan")},
        {"scale": ONE_TO_FIVE, "threshold": "high"},
        {"scale": ONE_TO_FIVE, "threshold": 9},
        {"scale": ONE_TO_FIVE, "threshold": 0.99},
    ],
)
def test_wrong_arguments_are_the_callers_mistake(arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        read_reply("Score: 4", **arguments)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((5, 1), r"min \(5\) must be below max \(1\)"),
        ((1, 1), r"min \(1\) must be below max \(1\)"),
        ((float("nan"), 5), "min must be a finite number, not nan"),
        ((1, float("inf")), "max must be a finite number, not inf"),
        (("1", 5), "min must be a finite number, not '1'"),
        ((1, None), "max must be a finite number, not None"),
    ],
)
def test_impossible_scale_is_the_callers_mistake(ends: tuple[Any, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Scale(*ends)


@pytest.mark.parametrize(("reply", "cause"), [("4", "parse"), ('{"score": 4}', "missing_field")])
def test_score_without_a_scale_is_unread_and_the_reason_says_why(reply: str, cause: str) -> None:
    verdict = read_reply(reply)
    assert verdict.cause == cause
    assert "no scale or labels were given" in verdict.reason


def test_reply_of_another_type_is_the_callers_mistake() -> None:
    with pytest.raises(InputError, match="text or a chat message"):
        read_reply(4, scale=ONE_TO_FIVE)


def test_escapes_of_almost_json_are_read() -> None:
    # A comma too many, and the full-width 1 and a smile as ASCII escapes.
    found = read_reply('{"score": "\\uff11", "reason": "fine \\ud83d\\ude42",}', scale=Scale(1, 5))
    assert (found.score, found.reason) == (1.0, "fine 🙂")
