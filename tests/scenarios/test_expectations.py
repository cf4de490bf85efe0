"""A case checks something, or says that it does not."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any


def test_a_case_without_checks_is_a_mistake(folder: Folder) -> None:
    (said,) = folder.mistakes("id: a\noutput: hi\n")
    assert said.startswith('a.yaml:1: case "a" has no checks: give it `expect`, `rubrics` or `golden`')


@pytest.mark.parametrize("expect", ["expect: {}", "expect: []", "expect:", "golden: false", "rubrics: []"])
def test_nothing_in_another_form_is_no_check_either(folder: Folder, expect: str) -> None:
    assert "has no checks" in folder.mistakes(f"id: a\noutput: hi\n{expect}\n")[0]


@pytest.mark.parametrize("given", ["rubrics: [tone]", "golden: true", "expect: {contains: x}", "expect: none"])
def test_one_of_them_is_enough(folder: Folder, given: str) -> None:
    assert folder.case(f"id: a\noutput: hi\n{given}\n").case_id == "a"


def test_rubrics_of_the_settings_or_a_flag_are_enough(folder: Folder) -> None:
    folder.write("a.yaml", "id: a\noutput: hi\n")
    assert list(folder.cases(has_rubrics=True)) == ["a"]


def test_checks_under_the_variables_are_named_as_such(folder: Folder) -> None:
    (said,) = folder.mistakes("id: hello\nvars:\n  name: World\n  checks: [x]\noutput: Hello\n")
    assert "Is it indented too far, as `vars` holds `checks`?" in said


def test_a_case_to_be_read_has_no_expectation(folder: Folder) -> None:
    case = folder.case("id: a\noutput: hi\nexpect: none\n")
    assert (case.no_expectation, case.checks) == (True, ())


@pytest.mark.parametrize("given", ["rubrics: [tone]", "golden: true"])
def test_a_case_cannot_be_checked_and_only_read(folder: Folder, given: str) -> None:
    assert (
        "says `expect: none` and has rubrics or a golden file"
        in folder.mistakes(f"id: a\noutput: hi\nexpect: none\n{given}\n")[0]
    )


def test_a_case_of_a_judged_suite_may_be_only_to_read(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        "suite: s\ndefaults: {rubrics: [tone], golden: true, expect: {contains: x}}\n"
        "cases: [{id: a, expect: none}, {id: b}]\n",
    )
    cases = folder.cases()
    assert (cases["a"].rubrics, cases["a"].checks, cases["a"].no_expectation) == ((), (), True)
    assert [use.metric for use in cases["b"].checks] == ["contains", "golden"]


def test_a_case_of_a_suite_to_read_may_be_checked(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        "suite: s\ndefaults: {expect: none}\n"
        "cases: [{id: a}, {id: b, expect: {contains: x}}, {id: c, rubrics: [tone]}]\n",
    )
    assert [case.no_expectation for case in folder.cases().values()] == [True, False, False]


def test_none_in_a_list_is_not_the_word(folder: Folder) -> None:
    assert folder.mistakes("id: a\noutput: hi\nexpect: [none]\n")[0].startswith("a.yaml:3: an entry of the list")


def test_a_rubric_named_twice_is_a_mistake(folder: Folder) -> None:
    said = folder.mistakes("id: a\noutput: hi\nrubrics: [tone, {name: tone, pass_at: 4}]\n")
    assert said == ['a.yaml:3: case "a" names the rubric "tone" twice.']


def test_each_rubric_knows_its_line(folder: Folder) -> None:
    case = folder.case("id: a\noutput: hi\nrubrics:\n  - tone\n  - name: safety\n")
    assert [(use.name, use.line) for use in case.rubrics] == [("tone", 4), ("safety", 5)]
