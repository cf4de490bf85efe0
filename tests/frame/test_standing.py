"""Rows of one output in, the standing of its case out: fail over error over pass, negative fixtures turned round."""

from __future__ import annotations

import pytest

from judgekit.frame.rows import Judged, Measured, judged_row, measured_row, standing
from judgekit.frame.tables import ResultRow
from judgekit.records import Case, CheckResult, Output, Verdict

OUTPUT = Output("text", "c")
REGULAR, NEGATIVE = Case("c"), Case("c", should_pass=False, defect="no date")


def row(status: str, *, cause: str | None = None, required: bool = True) -> ResultRow:
    result = CheckResult(status, None, "because", cause=cause)
    return measured_row("r", REGULAR, OUTPUT, Measured("check", "contains", required, result))


PASS, FAIL, SCORED = row("pass"), row("fail"), row("scored")
ERROR, UNSCORED = row("error", cause="timeout"), row("unscored", cause="parse")
BUDGET, INTERRUPTED = row("skipped", cause="budget"), row("skipped", cause="interrupted")
NO_JUDGE, AFTER_CHECK = row("skipped", cause="no_judge"), row("skipped", cause="check:contains")


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([PASS], "pass"),
        ([PASS, FAIL], "fail"),
        ([ERROR, FAIL], "fail"),
        ([PASS, ERROR], "error"),
        ([PASS, UNSCORED], "error"),
        ([PASS, BUDGET], "error"),
        ([PASS, INTERRUPTED], "error"),
        ([PASS, NO_JUDGE], "pass"),
        ([SCORED], "pass"),
        ([], "pass"),
    ],
)
def test_a_case_fails_over_error_over_pass(rows, status):
    assert standing(REGULAR, rows).status == status


@pytest.mark.parametrize(
    ("rows", "status"),
    [
        ([PASS, FAIL], "negative_ok"),
        ([FAIL, ERROR], "negative_ok"),
        ([PASS, ERROR], "error"),
        ([PASS, UNSCORED], "error"),
        ([PASS, BUDGET], "error"),
        # A judge that was never asked may have found the defect: without a result is not a pass.
        ([PASS, NO_JUDGE], "error"),
        ([FAIL, AFTER_CHECK], "negative_ok"),
        ([PASS], "fail"),
        ([PASS, SCORED], "fail"),
        ([], "fail"),
    ],
)
def test_a_negative_fixture_passes_by_failing(rows, status):
    assert standing(NEGATIVE, rows).status == status


@pytest.mark.parametrize("other", ["fail", "error", "unscored"])
def test_what_is_not_required_decides_nothing(other):
    assert standing(REGULAR, [PASS, row(other, cause="timeout", required=False)]).status == "pass"
    assert standing(NEGATIVE, [FAIL, row(other, cause="timeout", required=False)]).status == "negative_ok"


def test_a_case_that_is_only_read_is_skipped():
    stands = standing(Case("c", no_expectation=True), [])

    assert (stands.status, stands.cause) == ("skipped", "no_expectation")


def test_the_reason_joins_all_that_failed():
    assert standing(REGULAR, [FAIL, PASS, FAIL]).reason == "contains: because; contains: because"


def test_an_error_carries_the_cause_of_its_row():
    assert standing(REGULAR, [PASS, ERROR]).cause == "timeout"


def test_a_negative_fixture_that_passes_names_its_defect():
    assert standing(NEGATIVE, [PASS]).reason == "should fail, but nothing required failed (no date)"


@pytest.mark.parametrize(("status", "passed"), [("pass", True), ("fail", False), ("scored", None), ("unscored", None)])
def test_only_a_threshold_makes_a_row_pass_or_fail(status, passed):
    one = Judged("tone", False, Verdict(status, 3.0, passed=passed), (1, 5))

    assert judged_row("r", REGULAR, OUTPUT, one).passed is passed
