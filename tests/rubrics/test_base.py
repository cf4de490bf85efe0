"""Thresholds are met exactly; empty and failed outputs are decided once for all rubrics."""

from __future__ import annotations

from fractions import Fraction

import pytest

from judgekit.plugins import lookup, names
from judgekit.records import Case, CheckResult, Output, RubricUse
from judgekit.rubrics.base import DeterministicRubric, apply, listed, quoted
from judgekit.rubrics.filtering import FilterAccuracy
from judgekit.rubrics.grounding import GroundingScore
from judgekit.rubrics.sections import ReviewCompleteness
from judgekit.rubrics.sources import SourceCoverage

RUBRICS: list[DeterministicRubric] = [SourceCoverage(), FilterAccuracy(), GroundingScore(), ReviewCompleteness()]
CASE = Case(
    "a",
    vars={
        "items": [{"id": 1, "label": "keep"}],
        "triples": [{"subject": "Ada", "predicate": "founded", "object": "Acme"}],
    },
)


def triples(covered: int, total: int) -> Output:
    """An output of `total` triples of which `covered` have a source."""
    rows = ", ".join('{"source": "p. 1"}' if index < covered else '{"source": ""}' for index in range(total))
    return Output(f'{{"triples": [{rows}]}}')


def test_the_four_rubrics_are_registered_under_their_names():
    assert {name: lookup("rubrics", name).name for name in names("rubrics")} == {
        "filter_accuracy": "filter_accuracy",
        "grounding_score": "grounding_score",
        "review_completeness": "review_completeness",
        "source_coverage": "source_coverage",
    }


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda one: one.name)
def test_no_output_is_an_error_with_the_outputs_cause(rubric):
    result = rubric.score(Output(None, cause="timeout", message="no answer after 60 s"), CASE)
    assert (result.status, result.score, result.cause) == ("error", None, "timeout")
    assert "no answer after 60 s" in result.reason


@pytest.mark.parametrize("text", ["", "   \n\t", "\u00a0\n"])
@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda one: one.name)
def test_empty_text_scores_zero(rubric, text):
    result = rubric.score(Output(text), CASE)
    assert (result.status, result.score) == ("scored", 0)
    assert result.reason == "unparseable: the output is empty"


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda one: one.name)
def test_cut_off_json_is_unparseable(rubric):
    result = rubric.score(Output('{"triples": [{"source": "a"}, {"source": "b'), CASE)
    assert (result.status, result.score, result.flags) == ("scored", 0, ("unparseable",))
    assert result.reason == "unparseable: the JSON is cut off at column 44"


def test_without_a_threshold_a_rubric_only_scores():
    assert apply(SourceCoverage(), RubricUse("source_coverage"), triples(1, 2), CASE).status == "scored"


@pytest.mark.parametrize(("covered", "status"), [(6, "fail"), (7, "pass"), (8, "pass")])
def test_a_score_at_the_threshold_passes(covered, status):
    use = RubricUse("source_coverage", pass_at=Fraction(7, 10))
    assert apply(SourceCoverage(), use, triples(covered, 10), CASE).status == status


def test_three_scores_of_seven_tenths_meet_070():
    scores = [SourceCoverage().score(triples(7, 10), CASE).score for _ in range(3)]
    # In floats (0.7 + 0.7 + 0.7) / 3 is 0.6999999999999998.
    assert sum(scores) / 3 == Fraction("0.70")
    assert (0.7 + 0.7 + 0.7) / 3 < 0.7


def test_eight_scores_of_four_fifths_meet_080():
    scores = [SourceCoverage().score(triples(4, 5), CASE).score for _ in range(8)]
    assert sum(scores) / 8 == Fraction("0.80")


def test_an_error_stays_an_error_under_a_threshold():
    use = RubricUse("source_coverage", pass_at=Fraction(0))
    assert apply(SourceCoverage(), use, Output(None, cause="rate_limit"), CASE).status == "error"


class Constant(DeterministicRubric):
    """A rubric of another package that scores with floats."""

    name = "constant"
    version = "1"

    def measure(self, text, output, case):
        return CheckResult("scored", 0.7, "always the same")


def test_a_float_of_another_package_means_what_it_shows():
    # As a fraction the float 0.7 is 6305039478318694 / 2**53, just below 7/10.
    assert Fraction(0.7) < Fraction(7, 10)
    assert apply(Constant(), RubricUse("constant", pass_at=Fraction(7, 10)), Output("x"), CASE).status == "pass"


def test_quotations_are_short_one_line_and_writable():
    said = quoted("line one\nline \ud800two " + "x" * 10_000)
    assert said.startswith('"line one line \ufffdtwo xx')
    assert len(said) <= 62


def test_a_long_list_says_how_many_more():
    assert listed(["1", "2", "3", "4"], limit=2) == "1, 2 and 2 more"
