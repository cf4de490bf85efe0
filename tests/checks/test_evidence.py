"""cites and numbers_from_input."""

import pytest

from judgekit.checks.run import run_check
from judgekit.records import Context, Output

CONTEXT = [{"id": "q1", "text": "Revenue rose 12% in Q1, and “two large renewals” are pending."}]
INPUT = "Summarize this Q1 report: Revenue $4.2M, up 12%.\nRisk: Two large renewals pending in Q2."


def test_quotations_stand_in_the_context():
    text = 'The report says "revenue rose 12% in Q1," and that "two large renewals" are pending.'
    assert run_check({"cites": True}, text.replace("revenue", "Revenue"), context=CONTEXT).status == "pass"


def test_an_altered_quotation_is_named_with_the_nearest_words():
    result = run_check({"cites": True}, 'It says "Revenue rose 13% in Q1".', context=CONTEXT)
    assert result.status == "fail"
    assert '"Revenue rose 13% in Q1" is not in the context (nearest: "Revenue rose 12%' in result.reason


def test_a_quotation_may_leave_words_out():
    assert run_check({"cites": True}, "It says “Revenue rose … in Q1”.", context=CONTEXT).status == "pass"


def test_a_single_word_in_quotes_is_a_term():
    assert run_check({"cites": {"min": 0}}, 'The "moat" is wide.', context=CONTEXT).status == "pass"


def test_min_wants_so_many_quotations():
    result = run_check({"cites": {"min": 2}}, 'It says "Revenue rose 12%".', context=CONTEXT)
    assert (result.status, result.reason) == ("fail", "1 citation found, at least 2 wanted")


def test_no_quotation_at_all_fails():
    assert run_check({"cites": True}, "Revenue rose.", context=CONTEXT).reason == (
        "no quotation of two words or more found"
    )


def test_ids_must_be_known():
    check = {"cites": {"ids": "$.sources", "known": True}}
    assert run_check(check, '{"sources": ["q1"]}', context=CONTEXT).status == "pass"
    result = run_check(check, '{"sources": ["q1", "q9"]}', context=CONTEXT)
    assert (result.status, result.reason) == ("fail", '"q9" is no id of the context; ids there: "q1"')


def test_without_a_context_there_is_no_answer():
    assert run_check({"cites": True}, '"a quote"').cause == "no_context"


def test_the_context_that_the_target_retrieved_wins():
    output = Output('It says "other words".', context=(Context("other words"),))
    assert run_check({"cites": True}, output, context=CONTEXT).status == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "Revenue of $4.2 million, up 12 %.",
        "Revenue of 4,200,000 USD.",
        "4.200.000 €, 12 percent, 2 renewals.",
        "1. Up 12%.\n2. Risks.\n\n## 3. In Q2 the 3rd point [7], see step 4.",
        "No figures here.",
    ],
)
def test_figures_are_traceable_in_any_writing(text):
    assert run_check({"numbers_from_input": True}, text, input=INPUT).status == "pass"


def test_a_figure_without_a_source_is_named_with_the_closest():
    result = run_check({"numbers_from_input": True}, "Revenue of $4.3M, up 12%.", input=INPUT)
    assert (result.status, result.reason) == (
        "fail",
        '"4.3M" is not in the input or the context (closest there: "4.2M")',
    )
    assert float(result.score) == 0.5


def test_a_figure_may_come_from_the_context_or_be_allowed():
    assert run_check({"numbers_from_input": True}, "In 2024.", input=INPUT, context="FY 2024").status == "pass"
    check = {"numbers_from_input": {"value": True, "allow": ["2024"]}}
    assert run_check(check, "In 2024.", input=INPUT).status == "pass"


def test_without_input_there_is_nothing_to_trace_to():
    assert run_check({"numbers_from_input": True}, "12").cause == "no_context"
