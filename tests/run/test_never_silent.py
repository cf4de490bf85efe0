"""What is missing, or does not reach anything, is said; and a case without an output can't pass."""

from __future__ import annotations

OUTAGE = """
name: a
input: Q?
rubrics: [helpfulness]
faux: {target: [{error: timeout}], judge: {helpfulness: ['{"reason": "fine", "score": 4}']}}
"""


def test_an_outage_is_undecided_even_where_nothing_is_required(project):
    project.scenario(OUTAGE)

    run = project.score(judge="faux")

    assert run.summary["counts"]["error"] == 1
    assert run.cases.loc[0, "cause"] == "timeout"
    assert run.decision.exit_code == 3


def test_missing_scores_are_told_with_their_causes(project):
    project.scenario(
        "name: a\noutput: Revenue rose.\nexpect: {contains: revenue}\nrubrics: [helpfulness]\n"
        "faux: {judge: {helpfulness: [I like it.]}}\n"
    )

    run = project.score(judge="faux")

    assert "helpfulness: 1 without a score (1 parse)" in run.summary["warnings"]


def test_a_model_that_reaches_no_case_is_told(project):
    project.scenario("name: a\noutput: Revenue rose.\nexpect: {contains: revenue}\n")

    run = project.score(model="faux")

    assert any("--model and --variant do not reach them" in warning for warning in run.summary["warnings"])


def test_fail_under_stands_in_the_place_of_the_settings_pass_rate(project):
    project.write("judgekit.yaml", "gate: {pass_rate: '>= 0.9'}\n")
    project.scenario(
        "cases:\n- {id: a, output: x, expect: {contains: x}}\n- {id: b, output: y, expect: {contains: x}}\n"
    )

    assert project.score().decision.exit_code == 1
    assert project.score(fail_under=0.5).decision.exit_code == 0
