"""pii."""

import pytest

from judgekit.checks.pii import find_pii
from judgekit.checks.run import run_check
from judgekit.errors import InputError


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Write to ann.lee@example.co.uk today", "email", "ann.lee@example.co.uk"),
        ("call +44 20 7946 0958 now", "phone", "+44 20 7946 0958"),
        ("call (212) 555-0123", "phone", "(212) 555-0123"),
        ("call 020 7946 0958", "phone", "020 7946 0958"),
        ("DE89 3704 0044 0532 0130 00 IS MINE", "iban", "DE89 3704 0044 0532 0130 00"),
        ("card 4111 1111 1111 1111", "card", "4111 1111 1111 1111"),
        ("SSN 536-90-4399", "ssn", "536-90-4399"),
    ],
)
def test_personal_data_is_found(text, kind, found):
    assert [(hit.kind, hit.text) for hit in find_pii(text)] == [(kind, found)]


@pytest.mark.parametrize(
    "text",
    [
        "card 4111 1111 1111 1112",  # checksum
        "SSN 000-12-3456",  # no such area
        "On 2024-01-15 we sold 1,234,567 units of 978-3-16-148410-0.",
        "Version 1.2.3-4567 on 192.168.100.100, pi is 3.141592653589793",
        "Revenue rose +12 % to 4200000.",
    ],
)
def test_other_figures_are_not_personal_data(text):
    assert list(find_pii(text)) == []


def test_not_pii_is_the_guard():
    assert run_check({"not_pii": True}, "Nothing here.").status == "pass"
    result = run_check({"not_pii": True}, "Write to ann@example.com, card 4111 1111 1111 1111.")
    assert (result.status, result.reason) == ("fail", 'found email "ann@example.com"; found card "…1111"')


def test_pii_without_not_says_how_to_guard():
    assert "`not_pii`" in run_check({"pii": True}, "Nothing here.").reason


def test_only_the_listed_kinds_are_looked_for():
    assert run_check({"not_pii": ["card"]}, "ann@example.com").status == "pass"


@pytest.mark.parametrize("allowed", ["help@example.com", "example.com", "@example.com"])
def test_allowed_values_and_domains(allowed):
    assert run_check({"not_pii": {"value": True, "allow": [allowed]}}, "Write to help@example.com.").status == "pass"


def test_an_unknown_kind_is_refused():
    with pytest.raises(InputError, match="passport"):
        run_check({"pii": ["passport"]}, "x")
