"""Several judges: a row each, one for all of them, their agreement and what leaving each out changes."""

from __future__ import annotations

import json

import pytest

import judgekit
from judgekit.errors import InputError
from judgekit.frame.comparing.wording import name_of


def replies(name, scores, rubric="helpfulness"):
    return [
        {"case_id": case, "rubric": rubric, "reply": score if isinstance(score, str) else json.dumps({"score": score})}
        for case, score in scores.items()
    ]


@pytest.fixture
def panel(project):
    """Score two cases by three recorded judges, each of which said something of case a and of case b."""

    def score(*said, rubric="helpfulness", more="", **how):
        judges = []
        for number, (a, b) in enumerate(said, start=1):
            project.write(f"j{number}.jsonl", replies(f"j{number}", {"a": a, "b": b}, rubric.split("}")[0].split()[-1]))
            judges.append(f"replay:j{number}.jsonl")
        project.scenario(
            f"suite: s\n{more}defaults: {{rubrics: [{how.pop('use', rubric)}]}}\n"
            "cases:\n  - {id: a, input: Q?, output: x}\n  - {id: b, input: Q?, output: y}\n"
        )
        return project.score(judge=judges, **how)

    return score


def of_panel(project, run, **wanted):
    return project.row(run, judge="panel", **wanted)


def test_scores_are_averaged(project, panel):
    run = panel((5, 1), (4, 1), (3, 4))

    row = of_panel(project, run, case_id="a")
    # Mean of 5, 4, 3; sd 1; three judges.
    assert (row["score"], row["score_sd"], row["n_samples"], row["flags"]) == ("4.0", "1.0", "3", "mean")
    assert row["reason"] == "3 judges: 5, 4, 3"


def test_the_panel_decides_and_its_members_inform(project, panel):
    run = panel((5, 1), (4, 1), (3, 4), use="{name: helpfulness, pass_at: 4, required: true}")

    assert {row["required"] for row in project.rows(run) if row["judge"] != "panel"} == {"false"}
    assert [row["status"] for row in project.rows(run, judge="panel")] == ["pass", "fail"]
    assert {unit.case_id: unit.status for unit in run.data.units} == {"a": "pass", "b": "fail"}


def test_a_gate_rule_on_a_metric_reads_the_panel_only(project, panel):
    project.write("judgekit.yaml", "gate: {metrics: {helpfulness: {mean: '>= 3'}}}\n")

    run = panel((5, 1), (5, 1), (1, 5))

    # Panel means 11/3 and 7/3: 3. Each of two results counts once.
    (rule,) = run.summary["decision"]["rules"]
    assert (rule["outcome"], rule["value"], rule["n_total"]) == ("holds", 3.0, 2)


def test_majority_is_the_rubrics_choice(project, panel):
    project.write(
        "rubrics/clear.yaml", "name: clear\nquestion: Q?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n"
    )

    run = panel((5, 1), (4, 1), (1, 5), rubric="clear")

    row = of_panel(project, run, case_id="a")
    assert (row["status"], row["score"], row["flags"]) == ("pass", "4.0", "majority")


def test_a_judge_without_a_verdict_is_left_out_and_not_a_zero(project, panel):
    run = panel((5, 1), (4, 1), ("Hm.", "Hm."))

    row = of_panel(project, run, case_id="a")
    assert (row["score"], row["n_samples"], row["flags"]) == ("4.5", "2", "mean;unread_judges")


def test_a_panel_without_any_verdict_is_unscored(project, panel):
    run = panel(("Hm.", 1), ("Well.", 1))

    row = of_panel(project, run, case_id="a")
    assert (row["status"], row["cause"], row["score"]) == ("unscored", "parse", "")
    assert [line for line in run.summary["warnings"] if "without a score" in line] == [
        "helpfulness: 2 without a score (2 parse)"
    ]


def test_the_items_of_a_checklist_have_panel_rows_too(project, panel):
    project.write("rubrics/mail.yaml", "name: mail\nquestion: Q?\nchecklist: {greets: Hello?, signs: Bye?}\n")
    both, one = '{"greets": "yes", "signs": "yes"}', '{"greets": "yes", "signs": "no"}'

    run = panel((both, both), (one, one), (one, one), rubric="mail")

    found = {row["metric"]: (row["score"], row["label"]) for row in project.rows(run, judge="panel", case_id="a")}
    # 1, .5, .5 together 2/3; yes three times; yes once of three.
    assert found["mail"] == (str(2 / 3), "")
    assert found["mail.greets"] == ("1.0", "yes")
    assert found["mail.signs"] == (str(1 / 3), "no")


def test_calls_of_a_panel_are_counted_once(project, panel):
    run = panel((5, 1), (4, 1))

    assert run.summary["judge_calls"] == {"made": 4, "cached": 0, "skipped": 0}
    assert of_panel(project, run, case_id="a")["cost_usd"] == ""


def test_skipped_calls_of_a_panel_are_counted_once(project, panel):
    run = panel((5, 1), (4, 1), more="", use="helpfulness], expect: {contains: x}, tags: [t").summary

    # The output of b fails its check: two judges are not asked.
    assert run["judge_calls"] == {"made": 2, "cached": 0, "skipped": 2}


def test_agreement_and_the_effect_of_each_judge_are_told(project, panel):
    run = panel((5, 1), (5, 3), (2, 1))

    (told,) = run.summary["panels"]
    agreement = {tuple(one["judges"]): one["exact"] for one in told["agreement"]}
    first, second, third = told["judges"]
    assert agreement == {(first, second): 0.5, (first, third): 0.5, (second, third): 0.0}
    # Panel means 4 and 5/3, together 17/6; without the third (5, 5) and (1, 3): 3.5.
    without = {one["judge"]: (one["mean"], one["change"]) for one in told["without"]}
    assert without[third] == (pytest.approx(3.5), pytest.approx(3.5 - 17 / 6))


def test_agreement_is_corrected_for_chance(panel):
    run = panel((5, 1), (5, 1), (1, 5))

    (told,) = run.summary["panels"]
    alphas = [one["alpha"] for one in told["agreement"]]
    # Two judges alike: 1. Two opposed on both cases: D_o = 16, D_e of 5, 1, 1, 5 is 8 of 12 pairs · 16 = 32/3,
    # so 1 - 16 / (32/3) = -1/2.
    assert alphas == pytest.approx([1, -0.5, -0.5])


def test_leaving_out_a_judge_can_change_verdicts(project, panel):
    run = panel((5, 1), (4, 1), (1, 5), use="{name: helpfulness, pass_at: 4}")

    (told,) = run.summary["panels"]
    # Case a: 10/3 fails with all, 4.5 passes without the third. Case b fails either way.
    assert told["without"][2]["n_changed"] == 1


def test_leaving_out_a_judge_that_says_the_same_changes_no_item(project, panel):
    project.write("rubrics/mail.yaml", "name: mail\nquestion: Q?\nchecklist: {greets: Hello?, signs: Bye?}\n")
    both, one = '{"greets": "yes", "signs": "yes"}', '{"greets": "yes", "signs": "no"}'

    run = panel((both, both), (both, one), (both, one), rubric="mail")

    changed = {told["metric"]: [one["n_changed"] for one in told["without"]] for told in run.summary["panels"]}
    # Of b, one yes and two no: without the first two no, without another one of each, which is no.
    assert (changed["mail.greets"], changed["mail.signs"]) == ([0, 0, 0], [0, 0, 0])


def test_pairs_have_a_panel(project):
    project.write("scenarios/s.yaml", "suite: s\noutputs: o.jsonl\nagainst: v1\ncases: [{id: a, input: Q?}]\n")
    project.write("scenarios/o.jsonl", [{"case_id": "a", "variant": v, "output": v} for v in ("v1", "v2")])
    for number, words in enumerate((("A", "B"), ("A", "B"), ("B", "A")), start=1):
        rows = [
            {"case_id": "a", "rubric": "helpfulness", "order": order, "reply": json.dumps({"winner": word})}
            for order, word in zip(("first", "second"), words, strict=True)
        ]
        project.write(f"j{number}.jsonl", rows)

    run = project.score(judge=[f"replay:j{n}.jsonl" for n in (1, 2, 3)], pairwise="helpfulness")

    assert of_panel(project, run)["label"] == "win"
    judges = [one["judge"] for one in run.summary["comparisons"] if one["kind"] == "pairwise"]
    assert judges == ["panel"] + [f"replay:j{n}.jsonl" for n in (1, 2, 3)]


def of_pairs(project, *judges, n=8):
    """Score eight pairs by several judges, each of which says A or B of the variant in all of them."""
    cases = "".join(f"  - {{id: c{i}, input: Q?}}\n" for i in range(n))
    project.write("scenarios/s.yaml", f"suite: s\noutputs: o.jsonl\nagainst: v1\ncases:\n{cases}")
    outputs = [{"case_id": f"c{i}", "variant": v, "output": v} for i in range(n) for v in ("v1", "v2")]
    project.write("scenarios/o.jsonl", outputs)
    for number, wins in enumerate(judges, start=1):
        rows = [
            {"case_id": f"c{i}", "rubric": "helpfulness", "order": order, "reply": f"Winner: {word}"}
            for i in range(n)
            for order, word in zip(("first", "second"), "AB" if wins else "BA", strict=True)
        ]
        project.write(f"j{number}.jsonl", rows)
    return project.score(judge=[f"replay:j{n}.jsonl" for n in range(1, 1 + len(judges))], pairwise="helpfulness")


def test_a_member_of_a_panel_decides_no_comparison(project):
    compared = judgekit.compare(of_pairs(project, True, True, False))

    assert [(one["judge"], one["primary"], one["verdict"]) for one in compared.rows] == [
        ("panel", True, "better"),
        ("replay:j1.jsonl", False, "better"),
        ("replay:j2.jsonl", False, "better"),
        ("replay:j3.jsonl", False, "worse"),
    ]
    assert compared.decide(require_better=True) == (0, [])


def test_members_of_a_panel_are_a_family_of_their_own(project):
    panel, *members = judgekit.compare(of_pairs(project, True, True, False)).rows

    # 2 / 2⁸ once, and three times as much for each of three.
    assert (panel["n_tests"], panel["p_adjusted"]) == (1, 2 / 2**8)
    assert {(one["n_tests"], one["p_adjusted"]) for one in members} == {(3, 6 / 2**8)}


def test_rows_of_several_judges_say_whose_they_are(project):
    rows = judgekit.compare(of_pairs(project, True, False)).rows

    assert [name_of(one) for one in rows] == [
        "helpfulness, in pairs [panel]",
        "helpfulness, in pairs [replay:j1.jsonl]",
        "helpfulness, in pairs [replay:j2.jsonl]",
    ]


def test_no_judge_may_be_called_panel(project, panel):
    project.scenario("name: a\ninput: Q?\noutput: x\nrubrics: [helpfulness]\n")

    with pytest.raises(InputError, match='judge "panel": that is what the common verdict'):
        project.score(judge="panel")
