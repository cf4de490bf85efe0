"""Records of one output in, table rows and JSONL records out: nothing unknown becomes 0."""

from __future__ import annotations

from fractions import Fraction

import pytest

from judgekit.frame.frames import results_frame
from judgekit.frame.rows import (
    Judged,
    Measured,
    case_row,
    judged_row,
    judgment_record,
    measured_record,
    measured_row,
    output_hash,
    output_record,
    standing,
)
from judgekit.frame.summary import costs, tokens
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.records import Case, CheckResult, Context, Judgment, Output, ToolCall, Usage, Verdict

CASE = Case("c", input="Q?", tags=("a", "b"), agent="ada")
OUTPUT = Output("text", "c")

CONTRACT = """
    run_id case_id agent variant against trial kind metric required status cause passed score label scale_min scale_max
    threshold reason flags judge judge_identity model_returned temperature n_samples score_sd cached input_tokens
    output_tokens cached_tokens reasoning_tokens cost_usd latency_s tags
"""


def judgment(*, judge: str = "faux", **fields: object) -> Judgment:
    return Judgment("c", "default", 0, "tone", judge, "id", 0, Verdict("scored", 3.0), prompt_hash="h", **fields)


def test_the_columns_of_results_are_those_of_the_contract_in_order():
    assert list(ResultRow._fields) == CONTRACT.split()


def test_a_case_row_has_the_outputs_own_figures_as_target():
    wanted = {"input", "output", "status", "output_hash"}

    assert wanted < set(CaseRow._fields)
    assert {name for name in CaseRow._fields if name.startswith("target_")} == {
        "target_model",
        "target_finish_reason",
        "target_input_tokens",
        "target_output_tokens",
        "target_cached_tokens",
        "target_reasoning_tokens",
        "target_cost_usd",
        "target_latency_s",
    }


def test_a_judged_row_sums_the_calls_behind_it():
    calls = (
        judgment(usage=Usage(10, 2), cost_usd=0.5, latency_s=1.0),
        judgment(usage=Usage(20, 3), cost_usd=0.25, latency_s=2.0),
    )

    row = judged_row("r", CASE, OUTPUT, Judged("tone", False, Verdict("scored", 3.0), (1, 5), calls=calls))

    assert (row.input_tokens, row.output_tokens, row.cost_usd, row.latency_s) == (30, 5, 0.75, 3.0)


def test_what_one_call_does_not_know_the_row_does_not_know():
    calls = (judgment(cost_usd=0.5, usage=Usage(10, 2)), judgment())

    row = judged_row("r", CASE, OUTPUT, Judged("tone", False, Verdict("scored", 3.0), (1, 5), calls=calls))

    assert (row.cost_usd, row.input_tokens) == (None, None)


def test_an_item_of_a_checklist_has_no_call_of_its_own():
    row = judged_row("r", CASE, OUTPUT, Judged("tone.kind", False, Verdict("pass", 1.0), (0, 1)))

    assert (row.cost_usd, row.input_tokens, row.cached) == (None, None, None)


@pytest.mark.parametrize(
    ("applied", "temperature"),
    [
        ([{"temperature": 0}], 0.0),
        ([{"temperature": 0}, {"temperature": 1}], None),
        ([{"seed": 1}], None),
        ([{"temperature": 0}, {}], None),
        ([{"temperature": 0}, None], 0.0),
        ([{"temperature": [0]}], None),
    ],
)
def test_the_temperature_is_the_applied_one_where_all_calls_agree(applied, temperature):
    calls = tuple(judgment(params_applied=one) for one in applied)

    row = judged_row("r", CASE, OUTPUT, Judged("tone", False, Verdict("scored", 3.0), (1, 5), calls=calls))

    assert row.temperature == temperature
    assert not isinstance(row.temperature, int)


def test_a_missing_score_is_nan_in_a_frame_and_never_zero():
    result = CheckResult("error", None, "no output", cause="no_output")
    frame = results_frame([measured_row("r", CASE, OUTPUT, Measured("check", "contains", True, result))])

    assert frame["score"].isna().all()
    assert list(frame["cause"]) == ["no_output"]


def test_columns_keep_their_types_where_every_cell_is_missing():
    result = CheckResult("pass", Fraction(1), "found")
    frame = results_frame([measured_row("r", CASE, OUTPUT, Measured("check", "contains", True, result))])

    assert {name: str(frame[name].dtype) for name in ("score", "trial", "cached", "cost_usd", "judge")} == {
        "score": "float64",
        "trial": "Int64",
        "cached": "boolean",
        "cost_usd": "float64",
        "judge": "object",
    }


def test_tags_and_flags_are_joined_by_semicolons():
    result = CheckResult("pass", Fraction(1), "found", flags=("x", "y"))
    row = measured_row("r", CASE, OUTPUT, Measured("check", "contains", True, result))

    assert (row.tags, row.flags) == ("a;b", "x;y")


@pytest.mark.parametrize(("calls", "kept"), [(None, False), ((), True), ((ToolCall("find", {"q": 1}),), True)])
def test_no_tool_calls_and_unknown_tool_calls_are_different_facts(calls, kept):
    record = output_record(CASE, Output("text", "c", tool_calls=calls))

    assert ("tool_calls" in record) is kept


def test_a_failed_output_keeps_its_cause_and_message():
    record = output_record(CASE, Output(None, "c", cause="timeout", message="no answer"))

    assert (record["output"], record["cause"], record["message"]) == (None, "timeout", "no answer")


def test_retrieved_context_wins_over_the_cases():
    case = Case("c", context=(Context("old", "1"),))

    assert output_record(case, Output("x", "c", context=(Context("new"),)))["context"] == [{"text": "new"}]
    assert output_record(case, Output("x", "c"))["context"] == [{"text": "old", "id": "1"}]


def test_the_hash_of_an_output_is_its_sha256_and_a_missing_output_has_none():
    # As sha256sum gives it.
    assert output_hash("Grüße") == "f83e039796c6453a10f5519e39fd113901572316a1a8ea07cb525d2801dfd074"
    assert output_hash(None) == ""


def test_a_lone_surrogate_hashes_as_it_is_recorded():
    assert output_hash("a\ud800") == output_hash("a\ufffd")


def test_a_check_record_holds_exact_scores_as_figures():
    record = measured_record(CASE, OUTPUT, Measured("check", "contains", True, CheckResult("fail", Fraction(1, 3), "")))

    assert record["score"] == 1 / 3


def test_an_unscored_verdict_is_null_on_disk():
    one = judgment()
    record = judgment_record(
        Judgment("c", "v", 0, "tone", "faux", "id", 0, Verdict("unscored", cause="parse"), reply="?"), with_prompt=False
    )

    assert (record["score"], record["cause"]) == (None, "parse")
    assert judgment_record(one, with_prompt=True)["score"] == 3.0


def test_a_prompt_is_written_once():
    one = judgment(prompt="Judge!")

    assert "prompt" not in judgment_record(one, with_prompt=False)
    assert judgment_record(one, with_prompt=True)["prompt"] == "Judge!"


def test_unknown_costs_are_none_and_named():
    calls = [
        judgment(live=True, judge="local/unknown", reply="4"),
        judgment(live=True, judge="priced", reply="4", cost_usd=0.002),
        # Its call failed: that it cost nothing known says nothing about its price.
        judgment(live=True, judge="priced"),
    ]

    cost = costs([], calls, skipped=3)

    assert (cost["judge_usd"], cost["unpriced"], cost["target_usd"]) == (0.002, ["local/unknown"], None)
    assert cost["saved_usd"] == 0.006


def test_what_was_saved_is_unknown_without_a_priced_call():
    assert costs([], [], skipped=3)["saved_usd"] is None


def test_tokens_are_summed_where_they_are_known():
    row = case_row("r", CASE, Output("x", "c", usage=Usage(7, None)), standing(CASE, []))

    assert tokens([row], [judgment(usage=Usage(1, 2))]) == {
        "target_input": 7,
        "target_output": None,
        "target_cached": None,
        "target_reasoning": None,
        "judge_input": 1,
        "judge_output": 2,
        "judge_cached": None,
        "judge_reasoning": None,
    }
