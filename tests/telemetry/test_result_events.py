"""gen_ai.evaluation.result, read back from the wire: one event per row of results."""

from __future__ import annotations

import csv

import pytest

import judgekit
from judgekit.config import TelemetrySettings
from judgekit.telemetry.destination import destination
from judgekit.telemetry.emit import emit_evaluation
from judgekit.telemetry.events import MOST_EXPLAINED


@pytest.fixture
def sent(to_receiver):
    """Attributes of the events of some rows."""

    def attributes(*rows):
        assert emit_evaluation(destination(TelemetrySettings(), asked=False), rows=rows)
        return [event.attributes for event in to_receiver.named("gen_ai.evaluation.result")]

    return attributes


def test_a_check_arrives_field_by_field(sent, row, to_receiver):
    assert sent(row(reason="all found", agent="scarlet", score=0.5, threshold=0.5)) == [
        {
            "gen_ai.evaluation.name": "contains",
            "gen_ai.evaluation.score.value": 0.5,
            "gen_ai.evaluation.score.label": "pass",
            "gen_ai.evaluation.explanation": "all found",
            "eval_status": "pass",
            "eval_passed": True,
            "eval_required": True,
            "eval_threshold": 0.5,
            "eval_scale_min": 0.0,
            "eval_scale_max": 1.0,
            "eval_kind": "check",
            "eval_case_id": "late-parcel",
            "eval_agent": "scarlet",
            "eval_variant": "default",
            "eval_trial": 0,
            "eval_run_id": "r1",
        }
    ]
    (event,) = to_receiver.events
    assert event.body == "gen_ai.evaluation.result"
    assert event.kinds["gen_ai.evaluation.score.value"] == "double_value"


def test_a_failed_row_is_labelled_fail(sent, row):
    (found,) = sent(row(status="fail", passed=False, score=0.0))

    assert (found["gen_ai.evaluation.score.label"], found["eval_passed"]) == ("fail", False)


def test_the_label_of_a_judge_wins_over_pass_and_fail(sent, row):
    (found,) = sent(row(kind="judge", label="B", judge="gpt-4o", scale_max=5.0))

    assert (found["gen_ai.evaluation.score.label"], found["eval_judge"]) == ("B", "gpt-4o")


def test_a_score_without_a_threshold_has_no_label(sent, row):
    (found,) = sent(row(status="scored", passed=None, score=4.0))

    assert "gen_ai.evaluation.score.label" not in found


@pytest.mark.parametrize(("status", "cause"), [("error", "timeout"), ("unscored", "parse")])
def test_a_row_without_a_result_has_an_error_type_and_no_score(status, cause, sent, row):
    (found,) = sent(row(status=status, cause=cause, passed=None, score=None))

    assert (found["error.type"], found["eval_cause"], found["eval_status"]) == (cause, cause, status)
    assert "gen_ai.evaluation.score.value" not in found


def test_a_skipped_row_is_no_error(sent, row):
    (found,) = sent(row(status="skipped", cause="no_judge", passed=None, score=None))

    assert (found["eval_status"], found["eval_cause"]) == ("skipped", "no_judge")
    assert "error.type" not in found


def test_a_very_long_explanation_is_cut(sent, row):
    (found,) = sent(row(reason="x" * 100_000))

    assert found["gen_ai.evaluation.explanation"] == "x" * (MOST_EXPLAINED - 1) + "…"


def test_a_thousand_rows_go_in_batches(sent, row, to_receiver):
    found = sent(*(row(case_id=f"c{number}") for number in range(1000)))

    assert [one["eval_case_id"] for one in found] == [f"c{number}" for number in range(1000)]
    assert len(to_receiver.requests) == 2


def test_agents_and_rows_of_a_gate_go_in_one_request_with_one_revision(to_receiver, decision, row):
    emit_evaluation(destination(TelemetrySettings(), asked=False), decision=decision, rows=[row()])

    assert [event.name for event in to_receiver.events] == ["agent_eval_complete"] * 2 + ["gen_ai.evaluation.result"]
    assert {event.attributes["eval_revision"] for event in to_receiver.events} == {"4f2a91c"}
    assert len(to_receiver.requests) == 1


SUITE = """\
suite: s
cases:
  - {id: good, input: Q?, expect: {contains: [revenue]}, output: Revenue rose.}
  - {id: bad, input: Q?, expect: {contains: [revenue], max_length: 50}, output: "Costs rose, says sk-secret9."}
  - {id: none, input: Q?, expect: {contains: [revenue]}, faux: [{error: timeout}]}
"""


def test_a_run_sends_every_row_of_its_results(to_receiver, project):
    project("scenarios/s.yaml", SUITE)

    run = judgekit.score()

    with (run.path / "results.csv").open(encoding="utf-8", newline="") as file:
        written = [(one["run_id"], one["case_id"], one["metric"], one["status"]) for one in csv.DictReader(file)]
    names = ("eval_run_id", "eval_case_id", "gen_ai.evaluation.name", "eval_status")
    assert [tuple(event.attributes[name] for name in names) for event in to_receiver.events] == written
    assert len(written) == 4


def test_what_redact_masks_does_not_leave(to_receiver, project):
    project("judgekit.yaml", 'redact: ["sk-[a-z0-9]+"]\n')
    project("scenarios/s.yaml", SUITE.replace("contains: [revenue], max_length: 50", "equals: Sales rose."))

    judgekit.score()

    said = [str(event.attributes.get("gen_ai.evaluation.explanation")) for event in to_receiver.events]
    assert any("██████████" in text for text in said)
    assert not any("secret9" in text for text in said)


def test_nothing_is_sent_unless_asked_for(receiver, project):
    project("judgekit.yaml", f"telemetry: {{endpoint: '{receiver.url}'}}\n")
    project("scenarios/s.yaml", SUITE)

    judgekit.score()

    assert receiver.requests == []


def test_asked_for_it_goes_where_the_settings_say(receiver, project):
    project("judgekit.yaml", f"telemetry: {{endpoint: '{receiver.url}'}}\n")
    project("scenarios/s.yaml", SUITE)

    judgekit.score(otel=True)

    assert [path for path, _ in receiver.requests] == ["/v1/logs"]
