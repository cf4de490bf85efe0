"""max_cost_usd, max_latency_s, max_tokens, finish_reason."""

import pytest

from judgekit.checks.run import run_check
from judgekit.records import Output, Usage


def test_a_cost_right_at_the_limit_passes():
    # In binary 0.1 + 0.2 is above 0.3; the figures are compared as they are written.
    assert run_check({"max_cost_usd": 0.3}, Output("x", cost_usd=0.3)).status == "pass"


def test_a_figure_is_printed_with_enough_digits():  # BR-117
    result = run_check({"max_cost_usd": 0.1}, Output("x", cost_usd=0.100004))
    assert (result.status, result.reason) == ("fail", "0.100004 USD, at most 0.1")


@pytest.mark.parametrize(
    ("check", "cause"),
    [
        ({"max_cost_usd": 1}, "unknown_cost"),
        ({"max_latency_s": 1}, "unknown_usage"),
        ({"max_tokens": 1}, "unknown_usage"),
        ({"finish_reason": "stop"}, "unknown_usage"),
    ],
)
def test_an_unknown_figure_is_an_error(check, cause):
    result = run_check(check, "x")
    assert (result.status, result.score, result.cause) == ("error", None, cause)


def test_a_failed_call_is_an_error_of_a_budget_too():
    failed = Output(None, cause="timeout", cost_usd=0.1)
    assert run_check({"max_cost_usd": 1}, failed).cause == "timeout"


def test_tokens_are_input_and_output_together_unless_said():
    output = Output("x", usage=Usage(input_tokens=80, output_tokens=30))
    assert run_check({"max_tokens": 100}, output).reason == "110 total tokens, at most 100"
    assert run_check({"max_tokens": {"value": 100, "of": "output"}}, output).status == "pass"


def test_one_half_alone_may_be_too_much():
    assert run_check({"max_tokens": 100}, Output("x", usage=Usage(output_tokens=120))).status == "fail"
    assert run_check({"max_tokens": 100}, Output("x", usage=Usage(output_tokens=20))).status == "error"


def test_latency():
    assert run_check({"max_latency_s": "2.5"}, Output("x", latency_s=2.6)).reason == "2.6 s, at most 2.5"


def test_finish_reason_is_one_of_those_listed():
    assert run_check({"finish_reason": ["stop", "tool_calls"]}, Output("x", finish_reason="stop")).status == "pass"
    result = run_check({"finish_reason": "stop"}, Output("x", finish_reason="length"))
    assert result.reason == 'the finish reason is "length", not "stop"'


def test_budgets_read_their_own_field_on_an_empty_text():
    assert run_check({"max_cost_usd": 1}, Output("", cost_usd=0.5)).status == "pass"
