"""tool_calls and max_tool_calls."""

from fractions import Fraction

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError
from judgekit.records import Output, ToolCall

TARIFF = ToolCall("search", {"q": "tariff"})
ANSWER = ToolCall("answer", {"text": "It is 5 %."})
LOG = ToolCall("log")


def calls(*made, text="done"):
    return Output(text, tool_calls=made)


def test_one_tool_called_twice_and_expected_twice():  # BR-077
    expected = {"expect": [{"name": "search", "args": {"q": "tariff"}}] * 2}
    result = run_check({"tool_calls": expected}, calls(TARIFF, TARIFF))
    assert (result.status, result.detail["matched"]) == ("pass", 2)


def test_one_call_does_not_serve_two_expectations():
    result = run_check({"tool_calls": ["search", "search"]}, calls(TARIFF))
    assert (result.status, result.score) == ("fail", Fraction(1, 2))
    assert "not called often enough" in result.reason


@pytest.mark.parametrize("match", ["exact", "any_order", "within"])
def test_no_tool_expected_and_none_called(match):  # BR-078
    check = {"tool_calls": {"expect": [], "match": match}}
    assert run_check(check, calls()).status == "pass"
    result = run_check(check, calls(TARIFF))
    assert result.status == "fail"
    assert "search" in result.reason


def test_arguments_are_equal_but_for_order_and_kind_of_number():  # BR-079
    check = {"tool_calls": {"expect": [{"name": "book", "args": {"nights": 1, "city": "Oslo"}}], "match": "exact"}}
    assert run_check(check, calls(ToolCall("book", {"city": "Oslo", "nights": 1.0}))).status == "pass"
    assert run_check(check, calls(ToolCall("book", {"city": "Oslo", "nights": "1"}))).status == "fail"
    assert run_check(check, calls(ToolCall("book", {"city": "Oslo", "nights": True}))).status == "fail"


@pytest.mark.parametrize(
    ("match", "made", "status"),
    [
        ("any_order", (ANSWER, TARIFF), "pass"),
        ("any_order", (ANSWER, TARIFF, LOG), "fail"),
        ("contains", (ANSWER, LOG, TARIFF), "pass"),
        ("contains", (ANSWER,), "fail"),
        ("in_order", (TARIFF, LOG, ANSWER), "pass"),
        ("in_order", (ANSWER, TARIFF), "fail"),
        ("exact", (TARIFF, ANSWER), "pass"),
        ("exact", (TARIFF, LOG, ANSWER), "fail"),
        ("within", (ANSWER,), "pass"),
        ("within", (), "pass"),
        ("within", (ANSWER, LOG), "fail"),
    ],
)
def test_the_five_ways_to_match(match, made, status):
    check = {"tool_calls": {"expect": ["search", "answer"], "match": match}}
    assert run_check(check, calls(*made)).status == status


def test_matching_is_not_greedy():
    # Taking the first call for the first expectation would leave none for the second.
    expected = [{"name": "search"}, {"name": "search", "args": {"q": "tariff"}}]
    assert run_check({"tool_calls": expected}, calls(TARIFF, ToolCall("search", {"q": "duty"}))).status == "pass"


@pytest.mark.parametrize(("arguments", "status"), [("partial", "pass"), ("exact", "fail"), ("ignore", "pass")])
def test_further_arguments(arguments, status):
    check = {"tool_calls": {"expect": [{"name": "search", "args": {"q": "tariff"}}], "arguments": arguments}}
    assert run_check(check, calls(ToolCall("search", {"q": "tariff", "limit": 5}))).status == status


def test_the_argument_that_differs_is_named():
    check = {"tool_calls": [{"name": "search", "args": {"q": "tariff"}}]}
    result = run_check(check, calls(ToolCall("search", {"q": "tarif"})))
    assert 'q was "tarif", wanted "tariff"' in result.reason


def test_forbidden_tools_and_pairs():
    check = {"tool_calls": {"forbidden": ["delete*"], "before": [["search", "answer"]]}}
    assert run_check(check, calls(TARIFF, ANSWER)).status == "pass"
    result = run_check(check, calls(ANSWER, ToolCall("delete_all")))
    assert result.status == "fail"
    assert "delete_all was called, which delete* forbids" in result.reason
    assert "answer was called before search" in result.reason


def test_calls_that_were_not_recorded_are_an_error():
    assert run_check({"tool_calls": ["search"]}, "done").cause == "not_recorded"
    assert run_check({"max_tool_calls": 1}, "done").cause == "not_recorded"


def test_tool_checks_read_their_own_field_on_an_empty_text():
    assert run_check({"tool_calls": ["search"]}, calls(TARIFF, text="")).status == "pass"


def test_max_tool_calls():
    result = run_check({"max_tool_calls": 1}, calls(TARIFF, ANSWER))
    assert (result.status, result.reason) == ("fail", "2 tool calls, at most 1; calls made: search, answer")


@pytest.mark.parametrize("check", [{}, "search", {"expect": [{"nam": "x"}]}, {"expect": ["a"], "match": "fuzzy"}])
def test_mistakes_are_refused(check):
    with pytest.raises(InputError, match="tool_calls"):
        run_check({"tool_calls": check}, calls())
