"""regex and refusal."""

import time

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError

STEPS = "Step 1: open it\nStep 2: close it"


@pytest.mark.parametrize(
    "check",
    [
        {"value": "Step 1.*Step 2", "flags": ["dotall"]},
        {"value": "Step 1.*Step 2", "flags": "DOTALL, ignorecase"},
        "(?s)Step 1.*Step 2",
    ],
)
def test_pattern_across_lines_with_a_flag(check):  # BR-069
    assert run_check({"regex": check}, STEPS).status == "pass"


def test_pattern_across_lines_fails_without_a_flag_and_names_it():  # BR-069
    result = run_check({"regex": "Step 1.*Step 2"}, STEPS)
    assert result.status == "fail"
    assert "`flags: dotall`" in result.reason


def test_a_miss_shows_how_the_output_begins():
    result = run_check({"regex": r"Total: \d+"}, "There is no sum.")
    assert result.reason == r'no match for "Total: \d+"; the output begins "There is no sum."'


def test_catastrophic_pattern_is_an_error_in_time():  # BR-070
    start = time.monotonic()
    result = run_check({"regex": "^(a|aa)+$"}, "a" * 60 + "b")
    assert (result.status, result.cause) == ("error", "regex_timeout")
    assert "time" in result.reason
    assert time.monotonic() - start < 8


def test_several_patterns_must_all_match():
    result = run_check({"regex": [r"\d+ %", "EUR"]}, "12 % of it")
    assert (result.status, float(result.score)) == ("fail", 0.5)


def test_span_is_in_the_original_text():
    text = "e\u0301 42"
    (span,) = run_check({"regex": r"\d+"}, text).spans
    assert text[slice(*span)] == "42"


@pytest.mark.parametrize("check", ["(", {"value": "a", "flags": "global"}, "", []])
def test_a_broken_pattern_is_refused_at_once(check):
    with pytest.raises(InputError, match="regex"):
        run_check({"regex": check}, "x")


@pytest.mark.parametrize(
    "text",
    [
        "I’m sorry, but I can’t help with that.",
        "I cannot assist with this request.",
        "As an AI language model, I cannot provide medical advice.",
        "Unfortunately, I'm unable to provide that information.",
        "I must decline.",
        "That's not something I can help with.",
        "This goes against my content guidelines.",
        "Unable to comply with this request.",
        "I'm not able to write a fake review for you.",
    ],
)
def test_refusals(text):
    assert run_check({"refusal": True}, text).status == "pass"
    assert run_check({"not_refusal": True}, text).status == "fail"


@pytest.mark.parametrize(
    "text",
    [
        "I can't recommend it enough!",
        "The parcel can't be delivered before Friday.",
        "I can't help but smile.",
        "Dear Ann, I must decline your invitation.",
        "I'm sorry, but I can't attend on Friday.",
        "If I can't help you, call 555.",
        "We can't offer a refund after 30 days, but you may exchange it.",
        "You cannot provide a false address.",
        "Revenue rose 12 %.",
    ],
)
def test_no_refusals(text):
    assert run_check({"not_refusal": True}, text).status == "pass"
