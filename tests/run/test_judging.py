"""Outputs that passed their checks in, judged rows out: samples, panels, skipping, replays."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError

GOOD, POOR = """'{"reason": "good", "score": 5}'""", """'{"reason": "poor", "score": 2}'"""


def judged(replies: str, *, rubric: str = "helpfulness", name: str = "helpfulness") -> str:
    return f"""
name: a
input: Q?
output: Revenue rose.
expect: {{contains: [revenue]}}
rubrics: [{rubric}]
faux: {{judge: {{{name}: {replies}}}}}
"""


# --------------------------------------------------------------------------------------------------------- samples


def test_the_score_is_the_mean_of_the_samples_with_their_spread(project):
    project.scenario(judged(f"[{GOOD}, {POOR}]"))

    row = project.row(project.score(judge="faux", judge_samples=2), metric="helpfulness")

    # Mean of 5 and 2; sd with n - 1: sqrt((1.5² + 1.5²) / 1) = 2.1213.
    assert (float(row["score"]), row["n_samples"]) == (3.5, "2")
    assert float(row["score_sd"]) == pytest.approx(2.1213, abs=1e-4)


def test_a_sample_that_cannot_be_read_is_left_out_and_not_a_zero(project):
    project.scenario(judged(f"[{GOOD}, hm, still hm, {POOR}]"))

    row = project.row(project.score(judge="faux", judge_samples=3), metric="helpfulness")

    assert (row["score"], row["n_samples"], row["flags"]) == ("3.5", "2", "unread_samples")


def test_a_row_is_unscored_only_if_no_sample_can_be_read(project):
    project.scenario(judged("[hm, hm, hm, hm]"))

    row = project.row(project.score(judge="faux", judge_samples=2), metric="helpfulness")

    assert (row["status"], row["cause"], row["score"], row["n_samples"]) == ("unscored", "parse", "", "0")


@pytest.mark.parametrize(
    ("labels", "winner"),
    [(("A", "A", "C"), "A"), (("A", "B", "C"), "C"), (("A", "C", "C", "A"), "C"), (("B", "A"), "B")],
)
def test_labels_go_by_majority_and_ties_go_to_the_lower(project, labels, winner):
    project.write("rubrics/grade.yaml", "name: grade\nquestion: How good?\nlabels: {A: 1, B: 0.5, C: 0}\n")
    replies = ", ".join(f"""'{{"reason": "r", "label": "{label}"}}'""" for label in labels)
    project.scenario(judged(f"[{replies}]", rubric="grade", name="grade"))

    row = project.row(project.score(judge="faux", judge_samples=len(labels)), metric="grade")

    assert (row["label"], float(row["score"])) == (winner, {"A": 1, "B": 0.5, "C": 0}[winner])


def test_the_threshold_decides_after_the_mean(project):
    # 5 passes and 3 does not; their mean of 4 does.
    replies = f"""[{GOOD}, '{{"reason": "fair", "score": 3}}']"""
    project.scenario(judged(replies, rubric="{name: helpfulness, pass_at: 4}"))

    row = project.row(project.score(judge="faux", judge_samples=2), metric="helpfulness")

    assert (row["status"], row["passed"], row["score"]) == ("pass", "true", "4.0")


# ----------------------------------------------------------------------------------------------------------- items


def test_a_checklist_has_a_row_for_each_question(project):
    project.write(
        "rubrics/mail.yaml", "name: mail\nquestion: Is it a mail?\nchecklist: {greets: Hello?, signs: Bye?}\n"
    )
    reply = """'{"greets": {"reason": "r", "answer": "yes"}, "signs": {"reason": "r", "answer": "no"}}'"""
    project.scenario(judged(f"[{reply}]", rubric="mail", name="mail"))

    run = project.score(judge="faux")

    found = {row["metric"]: (row["status"], row["score"]) for row in project.rows(run, kind="judge")}
    assert found == {"mail": ("scored", "0.5"), "mail.greets": ("pass", "1.0"), "mail.signs": ("fail", "0.0")}


def test_items_decide_nothing_and_cost_nothing_of_their_own(project):
    project.write(
        "rubrics/mail.yaml", "name: mail\nquestion: Is it a mail?\nchecklist: {greets: Hello?, signs: Bye?}\n"
    )
    reply = """'{"greets": {"reason": "r", "answer": "no"}, "signs": {"reason": "r", "answer": "no"}}'"""
    project.scenario(judged(f"[{reply}]", rubric="{name: mail, required: true}", name="mail"))

    run = project.score(judge="faux")

    item, whole = project.row(run, metric="mail.greets"), project.row(run, metric="mail")
    assert (item["required"], item["cost_usd"], item["input_tokens"]) == ("false", "", "")
    assert int(whole["input_tokens"]) > 0
    assert run.decision.exit_code == 0


def test_criteria_have_rows_on_their_own_scales(project):
    project.write(
        "rubrics/two.yaml",
        "name: two\nquestion: How?\ncriteria: {style: {min: 1, max: 3}, facts: {min: 1, max: 5}}\n",
    )
    reply = """'{"style": {"reason": "r", "score": 3}, "facts": {"reason": "r", "score": 2}}'"""
    project.scenario(judged(f"[{reply}]", rubric="two", name="two"))

    run = project.score(judge="faux")

    found = {row["metric"]: (row["score"], row["scale_max"]) for row in project.rows(run, kind="judge")}
    assert found == {"two": ("2.5", "5.0"), "two.style": ("3.0", "3.0"), "two.facts": ("2.0", "5.0")}


# -------------------------------------------------------------------------------------------------------- skipping

FAILS_A_CHECK = """
suite: s
cases:
  - {id: good, output: alpha, expect: {contains: [alpha]}, faux: {judge: {helpfulness: [GOOD]}}}
  - {id: bad, output: beta, expect: {contains: [alpha]}, faux: {judge: {helpfulness: [GOOD]}}}
""".replace("GOOD", GOOD)


def test_an_output_that_failed_a_required_check_is_not_judged(project):
    project.scenario(FAILS_A_CHECK)

    run = project.score(judge="faux", rubrics=["helpfulness"], judge_samples=1)

    row = project.row(run, case_id="bad", metric="helpfulness")
    assert (row["status"], row["cause"], row["score"]) == ("skipped", "check:contains", "")


def test_the_calls_that_were_saved_are_counted(project):
    project.scenario(FAILS_A_CHECK.replace(f"[{GOOD}]", f"[{GOOD}, {GOOD}]"))

    run = project.score(judge="faux", rubrics=["helpfulness"], judge_samples=2)

    assert run.summary["judge_calls"] == {"made": 2, "cached": 0, "skipped": 2}
    assert run.summary["cost"]["saved_usd"] == 0.0  # scripted replies are known to be free


def test_a_skipped_judge_call_leaves_no_complaint_about_its_script(project):
    project.scenario(FAILS_A_CHECK)

    run = project.score(judge="faux", rubrics=["helpfulness"])

    assert not [line for line in run.summary["warnings"] if "unused" in line]


def test_judge_all_judges_them_too(project):
    project.scenario(FAILS_A_CHECK)

    run = project.score(judge="faux", rubrics=["helpfulness"], judge_all=True)

    assert [row["status"] for row in project.rows(run, metric="helpfulness")] == ["scored", "scored"]
    assert run.summary["judge_calls"]["skipped"] == 0


def test_a_check_that_is_not_required_does_not_keep_the_judge_away(project):
    project.scenario(judged(f"[{GOOD}]").replace("[revenue]", "{value: [loss], required: false}"))

    assert project.row(project.score(judge="faux"), metric="helpfulness")["status"] == "scored"


def test_without_a_judge_the_rubric_is_skipped_and_one_line_says_so(project):
    project.scenario(FAILS_A_CHECK)

    run = project.score(rubrics=["helpfulness", "tone"])

    assert {row["cause"] for row in project.rows(run, kind="judge")} == {"no_judge"}
    assert run.summary["warnings"] == [
        "no judge was named: helpfulness, tone not judged on 2 cases (--judge MODEL)",
    ]


def test_a_judge_with_nothing_to_judge_is_a_mistake(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    with pytest.raises(InputError, match="--judge has nothing to judge"):
        project.score(judge="faux")


# ------------------------------------------------------------------------------------------------- panel and replay


def test_a_panel_of_two_has_a_row_for_each_judge_and_one_for_both(project):
    project.write("replies.jsonl", [{"case_id": "a", "rubric": "helpfulness", "reply": '{"reason": "r", "score": 3}'}])
    project.scenario(judged(f"[{GOOD}]"))

    run = project.score(judge=["faux", "replay:replies.jsonl"])

    found = {row["judge"]: row["score"] for row in project.rows(run, metric="helpfulness")}
    assert found == {"faux": "5.0", "replay:replies.jsonl": "3.0", "panel": "4.0"}
    assert len({row["judge_identity"] for row in project.rows(run, metric="helpfulness")}) == 3


def test_one_judge_named_twice_is_a_mistake(project):
    project.scenario(judged(f"[{GOOD}, {GOOD}]"))

    with pytest.raises(InputError, match='judge "faux" is named twice; ask one judge repeatedly with --judge-samples'):
        project.score(judge=["faux", "faux"])


VERDICT = ["case_id", "metric", "status", "cause", "score", "label", "n_samples", "score_sd", "flags", "reason"]


def test_a_run_folder_judges_again_with_the_same_verdicts(project):
    project.write(
        "rubrics/mail.yaml", "name: mail\nquestion: Is it a mail?\nchecklist: {greets: Hello?, signs: Bye?}\n"
    )
    items = """'{"greets": {"reason": "r", "answer": "yes"}, "signs": {"reason": "r", "answer": "no"}}'"""
    project.scenario(
        f"""
suite: s
cases:
  - id: a
    output: x
    rubrics: [helpfulness, mail]
    faux: {{judge: {{helpfulness: [{GOOD}, {POOR}], mail: [{items}, {items}]}}}}
  - {{id: b, output: x, rubrics: [helpfulness], faux: {{judge: {{helpfulness: [hm, hm, {POOR}]}}}}}}
"""
    )
    first = project.score(judge="faux", judge_samples=2)

    again = project.score(judge=f"replay:{first.path}", judge_samples=2)

    def verdicts(run):
        return [[row[key] for key in VERDICT] for row in project.rows(run, kind="judge")]

    assert verdicts(again) == verdicts(first)
    assert len(verdicts(first)) == 5


def test_what_was_not_recorded_is_an_error_of_its_row(project):
    project.write("replies.jsonl", [{"case_id": "a", "rubric": "tone", "reply": '{"reason": "r", "score": 3}'}])
    project.scenario(judged("[]"))

    row = project.row(project.score(judge="replay:replies.jsonl"), metric="helpfulness")

    assert (row["status"], row["cause"]) == ("error", "not_recorded")


# ------------------------------------------------------------------------------------------- what a row's calls cost


def test_tokens_of_a_row_are_its_judge_calls_only(project):
    reply = """{content: '{"reason": "r", "score": 5}', usage: {input_tokens: 100, output_tokens: 7}}"""
    project.scenario(
        f"""
name: a
input: Q?
expect: {{contains: [x]}}
rubrics: [helpfulness]
faux:
  target: [{{content: x, usage: {{input_tokens: 1000, output_tokens: 70}}}}]
  judge: {{helpfulness: [{reply}]}}
"""
    )

    run = project.score(judge="faux")

    judge, check = project.row(run, kind="judge"), project.row(run, kind="check")
    assert (judge["input_tokens"], judge["output_tokens"]) == ("100", "7")
    assert (check["input_tokens"], check["cost_usd"], check["latency_s"]) == ("", "", "")
    assert (run.data.cases[0].target_input_tokens, run.data.cases[0].target_output_tokens) == (1000, 70)


def test_an_unknown_price_of_an_output_is_empty_and_not_zero(project):
    project.write("o.jsonl", [{"case_id": "a", "input": "Q?", "output": "x"}])

    run = project.score(outputs="o.jsonl", rubrics=["source_coverage"])

    assert run.data.cases[0].target_cost_usd is None
    assert run.summary["cost"]["target_usd"] is None


# ----------------------------------------------------------------------------------------- before anything is spent


def test_a_judge_template_that_asks_for_an_unknown_variable_stops_before_the_run(project):
    project.write("rubrics/odd.yaml", "name: odd\nquestion: Odd?\nscale: {min: 1, max: 5}\ntemplate: odd.j2\n")
    project.write("rubrics/odd.j2", "{# odd #}Rate {{ output }} by {{ vars.audience }}.")
    project.scenario(judged(f"[{GOOD}]", rubric="odd", name="odd"))

    with pytest.raises(InputError, match=r'scenarios/s.yaml:2: case "a": odd.j2:1: "audience" is not defined'):
        project.score(judge="faux")
    assert not (project.folder / "reports").exists()


def test_a_judge_template_may_use_the_variables_of_the_case(project):
    project.write("rubrics/odd.yaml", "name: odd\nquestion: Odd?\nscale: {min: 1, max: 5}\ntemplate: odd.j2\n")
    project.write("rubrics/odd.j2", "{# odd #}Rate {{ output }} by {{ vars.audience }}.")
    project.scenario(judged(f"[{GOOD}]", rubric="odd", name="odd") + "vars: {audience: beginners}\n")

    run = project.score(judge="faux")

    assert project.records(run, "verdicts")[0]["prompt"] == "Rate Revenue rose. by beginners."
