"""`judgekit score`: a deterministic rubric's threshold is the case's `pass_at`, else its agent's."""

from __future__ import annotations

import pytest

import judgekit

SETTINGS = "agents: {scarlet: {rubric: source_coverage, threshold: 0.5, fixtures: s.yaml}}\n"
OUTPUT = '{"triples": [{"subject": "a", "source": "p. 1"}, {"subject": "b", "source": ""}]}'


@pytest.mark.parametrize(
    ("agent", "rubric", "status", "threshold"),
    [
        ("scarlet", "source_coverage", "pass", 0.5),
        ("scarlet", "{name: source_coverage, pass_at: 0.6}", "fail", 0.6),
        ("scarlet", "{name: source_coverage, pass_at: 0}", "pass", 0.0),
        # The registry says nothing of another rubric, nor of another agent.
        ("scarlet", "review_completeness", "scored", None),
        ("ayana", "source_coverage", "scored", None),
    ],
)
def test_the_threshold_of_a_case(place, agent, rubric, status, threshold):
    place.write("judgekit.yaml", SETTINGS)
    place.write("s.yaml", f"id: a\nagent: {agent}\nrubrics: [{rubric}]\noutput: '{OUTPUT}'\n")
    [row] = judgekit.score("s.yaml").data.results

    assert (row.status, row.threshold, row.required) == (status, threshold, threshold is not None)


def test_a_negative_fixture_without_a_pass_at_is_decided_by_its_agents_threshold(shipped):
    run = judgekit.score("scenarios/agents", out="reports")

    assert run.summary["counts"] == {"cases": 48, "pass": 32, "fail": 0, "error": 0, "skipped": 0, "negative_ok": 16}


def test_a_case_that_names_no_agent_is_that_of_the_one_which_lists_its_file(place):
    place.write("judgekit.yaml", SETTINGS.replace("s.yaml", "fixtures"))
    place.write("fixtures/s.yaml", f"id: a\nrubrics: [source_coverage]\noutput: '{OUTPUT}'\n")
    [row] = judgekit.score("fixtures").data.results

    assert (row.agent, row.status, row.threshold) == ("scarlet", "pass", 0.5)


@pytest.mark.parametrize("entry", ["fixtures: s.yaml", "fixtures: [gone.yaml, other.yaml]"])
def test_a_case_whose_file_two_agents_or_none_list_is_nobodys(place, entry):
    place.write("judgekit.yaml", f"agents:\n  a: &a {{rubric: source_coverage, threshold: 0.5, {entry}}}\n  b: *a\n")
    case = f"rubrics: [source_coverage]\noutput: '{OUTPUT}'\n"
    place.write("other.yaml", f"id: b\n{case}")
    place.write("s.yaml", f"id: a\n{case}")
    [row] = judgekit.score("s.yaml").data.results

    assert (row.agent, row.status) == ("", "scored")


def test_a_rubric_of_an_agent_may_be_said_not_to_be_required(place):
    place.write("judgekit.yaml", SETTINGS.replace("0.5", "0.9"))
    rubric = "{name: source_coverage, required: false}"
    place.write("s.yaml", f"id: a\nagent: scarlet\nrubrics: [{rubric}]\noutput: '{OUTPUT}'\n")
    run = judgekit.score("s.yaml")

    assert (run.data.results[0].status, run.decision.exit_code) == ("fail", 0)
