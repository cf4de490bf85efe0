"""any_of, all_of, at_least, and several checks at once."""

from fractions import Fraction

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError


def test_any_of_needs_one_member():
    check = {"any_of": [{"contains": "refund"}, {"regex": r"\d+ EUR"}]}
    assert run_check(check, "You get 5 EUR.").status == "pass"
    result = run_check(check, "Sorry.")
    assert (result.status, result.score) == ("fail", 0)
    assert 'contains: "refund" is missing' in result.reason


def test_an_error_matters_only_if_it_could_change_the_answer():
    members = [{"contains": "a"}, {"max_tokens": 3}]
    assert run_check({"any_of": members}, "a").status == "pass"
    assert run_check({"any_of": members}, "x").cause == "unknown_usage"
    assert run_check({"all_of": members}, "x").status == "fail"
    assert run_check({"all_of": members}, "a").cause == "unknown_usage"


def test_at_least_counts_members():
    check = {"at_least": {"n": 2, "of": [{"contains": "a"}, {"contains": "b"}, {"contains": "c"}]}}
    assert run_check(check, "a b").status == "pass"
    assert run_check(check, "a").score == Fraction(1, 2)


def test_a_member_of_several_checks_holds_if_all_do():
    check = {"any_of": [{"contains": "a", "max_length": 3}]}
    assert run_check(check, "a").status == "pass"
    assert run_check(check, "a long one").status == "fail"


def test_groups_nest_and_members_may_be_negated():
    check = {"all_of": [{"not_contains": "x"}, {"any_of": [{"contains": "a"}, {"contains": "b"}]}]}
    assert run_check(check, "b").status == "pass"


def test_a_negated_group_passes_only_if_no_member_holds():
    check = {"not_any_of": [{"contains": "a"}, {"contains": "b"}]}
    assert run_check(check, "c").status == "pass"
    assert run_check(check, "b").status == "fail"
    assert run_check(check, "").status == "fail"


def test_several_checks_are_combined():
    result = run_check({"contains": "b", "max_length": 3}, "a")
    assert (result.status, result.score, result.reason) == ("fail", Fraction(1, 2), 'contains: "b" is missing')


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ({"any_of": []}, "must be a list of checks"),
        ({"any_of": {"contains": "a"}}, "must be a list of checks"),
        ({"any_of": [{"contians": "a"}]}, 'Did you mean "contains"'),
        ({"at_least": {"n": 3, "of": [{"contains": "a"}]}}, "3 of 1"),
    ],
)
def test_mistakes_inside_are_named(check, said):
    with pytest.raises(InputError, match=said):
        run_check(check, "x")
