"""Checks of the words of an output."""

from fractions import Fraction

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError
from judgekit.records import Output


def test_contains_names_only_what_is_missing():  # BR-121
    result = run_check({"contains": ["fee", "deadline", "address"]}, "The fee is due at the office address.")
    assert (result.status, result.score) == ("fail", Fraction(2, 3))
    assert result.reason == '"deadline" is missing'


def test_contains_tells_the_nearest_words():
    result = run_check({"contains": "deadlines"}, "The deadline is Friday.")
    assert result.reason == '"deadlines" is missing (nearest: "The deadline is Friday.")'


def test_contains_folds_a_typographic_apostrophe():  # BR-057
    assert run_check({"contains": "can't delete"}, "I can’t delete that mail.").status == "pass"


def test_without_normalize_a_miss_says_that_only_the_apostrophe_differs():  # BR-057
    result = run_check({"contains": {"value": "can't delete", "normalize": False}}, "I can’t delete that mail.")
    assert result.status == "fail"
    assert "differs only in the apostrophe" in result.reason


def test_case_sensitive_miss_says_that_only_case_differs():
    result = run_check({"contains": {"value": "Revenue", "case_sensitive": True}}, "the revenue rose")
    assert result.reason == '"Revenue" is missing (found "revenue", which differs only in case)'


@pytest.mark.parametrize("normalize", [True, False])
def test_composed_and_decomposed_accents_are_equal(normalize):  # BR-058
    check = {"contains": {"value": "caf\u00e9", "normalize": normalize}}
    assert run_check(check, "Meet me at the cafe\u0301 at noon.").status == "pass"


def test_word_looks_at_letters_and_digits_not_at_blanks():  # BR-060
    assert run_check({"contains": {"value": "42", "word": True}}, "The answer is (42).").status == "pass"


def test_word_does_not_find_a_name_inside_another_word():  # BR-062
    result = run_check({"contains": {"value": "Mia", "word": True}}, "Flights to Miami are available.")
    assert result.status == "fail"
    assert '"Miami"' in result.reason


def test_without_word_contains_is_a_substring_test():  # BR-062
    assert run_check({"contains": "Mia"}, "Flights to Miami are available.").status == "pass"


@pytest.mark.parametrize(
    ("phrase", "output"),
    [
        ("two lines", "Two\n\n  lines"),
        ("4-6 weeks", "4–6 weeks"),
        ("say “yes”", 'Say "YES"'),
        ("zerowidth", "zero\u200bwidth"),
        ("fullwidth", "ｆｕｌｌｗｉｄｔｈ"),
        ("strasse", "Straße"),
        ("file", "ﬁle"),
        ("a b", "a\u00a0b"),
    ],
)
def test_contains_folds_case_and_form(phrase, output):
    assert run_check({"contains": phrase}, output).status == "pass"


def test_a_blank_at_the_end_of_a_phrase_counts():
    assert run_check({"not_contains": "- "}, "A well-known fact.").status == "pass"


@pytest.mark.parametrize(
    ("phrase", "output", "found"),
    [
        ("am see", "Straße  am\n See… ", "am\n See"),
        ("revenue", "The\n\n  Revenue rose", "Revenue"),
        ("yes", "“Yes” ﬁne", "Yes"),
        ("é", "e\u0301x", "e\u0301"),
        ("plain", "plain", "plain"),
    ],
)
def test_spans_point_into_the_original_text(phrase, output, found):
    (span,) = run_check({"contains": phrase}, output).spans
    assert output[slice(*span)] == found


def test_min_count_wants_so_many_occurrences():
    result = run_check({"contains": {"value": "risk", "min_count": 3}}, "Risk and risk.")
    assert (result.status, result.reason) == ("fail", '"risk" found 2 times, at least 3 wanted')


def test_path_looks_at_one_value_of_the_json():
    check = {"contains": {"value": "done", "path": "$.state"}}
    assert run_check(check, '{"state": "done"}').status == "pass"
    assert run_check(check, '{"state": "open", "note": "done"}').status == "fail"


def test_a_missing_path_fails_even_the_negated_check():
    result = run_check({"not_contains": {"value": "done", "path": "$.stat"}}, '{"state": "open"}')
    assert (result.status, result.reason) == ("fail", '$.stat is missing from the JSON; keys there: "state"')


def test_contains_any_needs_one():
    assert run_check({"contains_any": ["refund", "credit"]}, "We offer a credit.").status == "pass"
    assert run_check({"contains_any": ["refund", "credit"]}, "We offer nothing.").score == 0


def test_not_contains_passes_only_if_none_is_met():
    result = run_check({"not_contains": ["refund", "lawsuit"]}, "A refund is due.")
    assert (result.status, result.score, result.reason) == ("fail", Fraction(1, 2), 'found "refund"')


@pytest.mark.parametrize("output", ["", " \n", "\u200b\ufeff"])
@pytest.mark.parametrize("check", [{"contains": "a"}, {"not_contains": "a"}, {"max_length": 5}, {"not_json": True}])
def test_an_empty_output_fails_negated_or_not(check, output):
    result = run_check(check, output)
    assert (result.status, result.reason) == ("fail", "the output is empty")


def test_a_failed_call_is_an_error_of_a_negated_check():  # BR-075
    failed = Output(None, cause="provider", message="exit status 2")
    result = run_check({"not_contains": "[FAIL]"}, failed)
    assert (result.status, result.score, result.cause) == ("error", None, "provider")
    assert "exit status 2" in result.reason


@pytest.mark.parametrize(
    ("check", "output", "status"),
    [
        ({"starts_with": "Dear"}, "\n dear customer", "pass"),
        ({"starts_with": ["Hello", "Dear"]}, "Dear customer", "pass"),
        ({"starts_with": {"value": "Dear", "word": True}}, "Dearest", "fail"),
        ({"ends_with": "regards"}, "Best Regards\n", "pass"),
        ({"ends_with": "regards"}, "Best Regards, Ann", "fail"),
    ],
)
def test_starts_and_ends(check, output, status):
    assert run_check(check, output).status == status


def test_ends_with_tells_how_it_ends():
    result = run_check({"ends_with": "regards"}, "Yours, Ann")
    assert result.reason == 'ends with "Yours, Ann", not with "regards"'


def test_equals_ignores_line_ends_and_outer_white_space_only():
    assert run_check({"equals": "a\nb"}, " a\r\nb\n").status == "pass"
    result = run_check({"equals": "No"}, "no")
    assert result.reason == 'the output is "no", not "No" (found "no", which differs only in case)'


def test_the_word_no_is_text():  # BR-033, in Python; the YAML side is in test_expect
    assert run_check({"equals": "no"}, "no").status == "pass"


@pytest.mark.parametrize("value", [None, [], "", ["a", ""], {"a": "b"}])
def test_contains_refuses_values_that_every_output_would_meet(value):
    with pytest.raises(InputError, match="contains"):
        run_check({"contains": value}, "x")


def test_reasons_stay_short():
    result = run_check({"equals": "x"}, "lorem ipsum " * 100_000)
    assert len(result.reason) < 300
