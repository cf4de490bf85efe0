"""What decides a case: checks and deterministic rubrics with a threshold; a judge only where it is told to."""

from __future__ import annotations

import pytest

LOW = """'{"reason": "poor", "score": 2}'"""
JUDGED = """
name: a
input: Q?
output: Revenue rose.
expect: {{contains: [revenue]}}
rubrics: [{rubric}]
faux: {{judge: {{helpfulness: [{reply}]}}}}
"""


def test_a_check_is_required(status):
    assert status("name: a\noutput: x\nexpect: {contains: [y]}") == {"a": "fail"}


def test_a_check_that_is_not_required_is_reported_and_decides_nothing(status, project):
    text = "name: a\noutput: x\nexpect: {contains: {value: [y], required: false}, max_length: 9}"

    assert status(text) == {"a": "pass"}
    assert project.row(project.score(), metric="contains")["status"] == "fail"


@pytest.mark.parametrize(
    ("rubric", "status_of_row", "required", "case"),
    [
        ("source_coverage", "scored", "false", "pass"),
        ("{name: source_coverage, pass_at: 0.5}", "fail", "true", "fail"),
        ("{name: source_coverage, pass_at: 0.5, required: false}", "fail", "false", "pass"),
    ],
)
def test_a_deterministic_rubric_is_required_by_its_threshold(project, rubric, status_of_row, required, case):
    project.scenario(f"name: a\noutput: '{{\"triples\": []}}'\nrubrics: [{rubric}]\nexpect: {{max_length: 99}}")

    run = project.score()

    row = project.row(run, metric="source_coverage")
    assert (row["kind"], row["status"], row["required"]) == ("rubric", status_of_row, required)
    assert run.data.units[0].status == case


@pytest.mark.parametrize(
    ("rubric", "case"),
    [
        ("helpfulness", "pass"),
        ("{name: helpfulness, pass_at: 4}", "pass"),
        ("{name: helpfulness, pass_at: 4, required: true}", "fail"),
    ],
)
def test_an_uncalibrated_judge_informs_and_does_not_veto(status, rubric, case):
    assert status(JUDGED.format(rubric=rubric, reply=LOW), judge="faux") == {"a": case}


def test_a_judged_rubric_that_a_gate_rule_names_is_required(project):
    project.write("judgekit.yaml", "gate: {metrics: {helpfulness: {mean: '>= 1'}}}")
    project.scenario(JUDGED.format(rubric="{name: helpfulness, pass_at: 4}", reply=LOW))

    run = project.score(judge="faux")

    assert project.row(run, metric="helpfulness")["required"] == "true"
    assert run.data.units[0].status == "fail"


def test_an_unreadable_reply_of_a_required_judge_is_an_error_of_the_case(status):
    text = JUDGED.format(rubric="{name: helpfulness, pass_at: 4, required: true}", reply="no idea")

    assert status(text, judge="faux") == {"a": "error"}


def test_an_unreadable_reply_of_a_judge_that_informs_changes_no_exit_code(project):
    project.scenario(JUDGED.format(rubric="helpfulness", reply="no idea"))

    run = project.score(judge="faux")

    assert project.row(run, metric="helpfulness")["status"] == "unscored"
    assert run.decision.exit_code == 0


def test_a_missing_reference_is_an_error_of_the_row(project):
    project.scenario("name: a\noutput: x\nrubrics: [correctness]\nexpect: {max_length: 9}")

    row = project.row(project.score(judge="faux"), metric="correctness")

    assert (row["status"], row["cause"], row["score"]) == ("error", "no_reference", "")


def test_a_scripted_outage_is_undecided(project):
    project.scenario("name: a\ninput: Q?\nexpect: {contains: [x], not_contains: [y]}\nfaux: [{error: rate_limit}]")

    run = project.score()

    assert run.decision.exit_code == 3
    assert {row["status"] for row in project.rows(run)} == {"error"}
    assert {row["cause"] for row in project.rows(run)} == {"rate_limit"}


# ----------------------------------------------------------------------------------------------- negative fixtures

NEGATIVE = """
suite: s
cases:
  - {id: good, output: alpha, expect: {contains: [alpha]}, rubrics: [source_coverage]}
  - {id: bad, output: beta, expect: {contains: [alpha]}, rubrics: [source_coverage], should_pass: false}
"""


def test_a_negative_fixture_enters_no_estimate(project):
    project.scenario(NEGATIVE)

    run = project.score()

    assert run.summary["counts"] == {"cases": 2, "pass": 1, "fail": 0, "error": 0, "skipped": 0, "negative_ok": 1}
    assert {(one["metric"], one["n_scored"], one["n_total"]) for one in run.summary["estimates"]} == {
        ("pass_rate", 1, 1),
        ("contains", 1, 1),
        ("source_coverage", 1, 1),
    }


def test_rows_of_a_negative_fixture_keep_their_status(project):
    project.scenario(NEGATIVE)

    assert project.row(project.score(), case_id="bad", metric="contains")["status"] == "fail"


def test_a_negative_fixture_enters_no_comparison(project):
    project.scenario(
        """
suite: s
outputs: o.jsonl
cases:
  - {id: good, expect: {contains: [alpha]}}
  - {id: bad, expect: {contains: [alpha]}, should_pass: false}
"""
    )
    answers = {("good", "v1"): "alpha", ("good", "v2"): "alpha", ("bad", "v1"): "alpha", ("bad", "v2"): "beta"}
    project.write(
        "scenarios/o.jsonl", [{"case_id": c, "variant": v, "output": text} for (c, v), text in answers.items()]
    )

    (comparison,) = project.score().summary["comparisons"]

    assert (comparison["n"], comparison["wins"], comparison["losses"]) == (1, 0, 0)


def test_a_negative_fixture_whose_judge_was_not_asked_is_no_failure_of_the_judge(status):
    text = """
name: a
output: rude
should_pass: false
rubrics: [{name: tone, pass_at: 4, required: true}]
"""
    assert status(text) == {"a": "error"}


# ----------------------------------------------------------------------------------------------------- expect: none


def test_a_case_that_is_only_read_is_in_no_denominator(project):
    project.scenario(
        "suite: s\ncases:\n  - {id: a, output: x, expect: {contains: [x]}}\n  - {id: b, output: y, expect: none}"
    )

    run = project.score(rubrics=["source_coverage"])

    assert run.summary["counts"]["skipped"] == 1
    assert {(one["n_scored"], one["n_total"]) for one in run.summary["estimates"]} == {(1, 1)}
    assert [row["case_id"] for row in project.rows(run)] == ["a", "a"]


def test_a_case_that_is_only_read_is_in_no_gate(project):
    project.write("judgekit.yaml", "gate: {pass_rate: 1}")
    project.scenario(
        "suite: s\ncases:\n  - {id: a, output: x, expect: {contains: [x]}}\n  - {id: b, output: y, expect: none}"
    )

    assert project.score().decision.rules[0]["n_total"] == 1


# ---------------------------------------------------------------------------------------------------------- trials


@pytest.mark.parametrize(
    ("require", "replies", "status"),
    [
        ("all", "[yes, yes, yes]", "pass"),
        ("all", "[yes, no, yes]", "fail"),
        ("any", "[no, no, yes]", "pass"),
        ("2", "[yes, no, yes]", "pass"),
        ("2", "[yes, no, {error: refusal}]", "error"),
        ("2", "[no, no, {error: refusal}]", "fail"),
    ],
)
def test_trials_decide_by_what_is_still_reachable(project, require, replies, status):
    # Quoted: in YAML a bare yes is a boolean in other tools, here it is text.
    project.scenario(
        f"name: a\ninput: Q?\ntrials: {{n: 3, require: {require}}}\nexpect: {{equals: 'yes'}}\nfaux: {replies}"
    )

    run = project.score()

    assert run.summary["counts"]["cases"] == 1
    assert run.data.units[0].status == status
    assert len(run.cases) == 3


def test_a_number_of_trials_means_all_of_them(status):
    assert status("name: a\ninput: Q?\ntrials: 2\nexpect: {equals: x}\nfaux: [x, y]") == {"a": "fail"}


def test_counts_are_of_cases_and_variants(project):
    project.scenario("suite: s\noutputs: o.jsonl\ncases: [{id: a, expect: {contains: [x]}}]")
    project.write("scenarios/o.jsonl", [{"case_id": "a", "variant": v, "output": "x"} for v in ("v1", "v2", "v3")])

    assert project.score().summary["counts"]["cases"] == 3


def test_a_suite_with_trials_says_how_often_all_of_k_pass(project):
    project.scenario("name: a\ninput: Q?\ntrials: {n: 3, require: any}\nexpect: {equals: x}\nfaux: [x, y, x]")

    case = project.score().summary["estimates"][0]

    # Two of three pass: C(2,2)/C(3,2) = 1/3, and no three of them.
    assert case["pass_hat_k"] == {"2": pytest.approx(1 / 3), "3": 0.0}


def test_one_trial_has_no_k(project):
    project.scenario("name: a\noutput: x\nexpect: {equals: x}")

    assert {one["pass_hat_k"] for one in project.score().summary["estimates"]} == {None}
