"""max_length and min_length."""

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError
from judgekit.records import Output, Usage

FAMILY = "👨‍👩‍👧‍👦"


def test_501_characters_are_one_too_many():
    result = run_check({"max_length": 500}, "x" * 501)
    assert (result.status, result.reason) == ("fail", "501 characters, at most 500")


def test_bounds_are_inclusive_and_outer_white_space_is_not_counted():
    assert run_check({"max_length": 500}, "\n" + "x" * 500 + "\n").status == "pass"
    assert run_check({"min_length": 500}, "x" * 500).status == "pass"


def test_an_emoji_sequence_is_counted_in_code_points():  # BR-071
    result = run_check({"max_length": 5}, FAMILY)
    assert (result.status, result.detail["measured"]) == ("fail", 7)


def test_bytes_are_of_utf_8():  # BR-071
    assert run_check({"max_length": {"value": 5, "unit": "bytes"}}, FAMILY).detail["measured"] == 25


def test_a_decomposed_accent_is_one_character():
    assert run_check({"max_length": 4}, "cafe\u0301").status == "pass"


def test_an_unknown_unit_is_refused():  # BR-071
    with pytest.raises(InputError, match="characters"):
        run_check({"max_length": {"value": 5, "unit": "chars"}}, "x")


@pytest.mark.parametrize(("unit", "measured"), [("words", 3), ("lines", 2)])
def test_words_and_lines(unit, measured):
    assert run_check({"max_length": {"value": 9, "unit": unit}}, "one two\r\nthree\n").detail["measured"] == measured


def test_tokens_are_those_recorded():
    check = {"max_length": {"value": 10, "unit": "tokens"}}
    assert run_check(check, Output("x", usage=Usage(output_tokens=12))).reason == "12 tokens, at most 10"
    assert run_check(check, "x").cause == "unknown_usage"


@pytest.mark.parametrize("value", [True, -1, 1.5, "many", None])
def test_a_length_is_a_whole_number(value):
    with pytest.raises(InputError, match="whole number from 0"):
        run_check({"max_length": value}, "x")


def test_a_cell_of_a_table_is_a_number_too():
    assert run_check({"max_length": "500"}, "x").status == "pass"
