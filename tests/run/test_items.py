"""Checklists and criteria: one call for all items or one each, the same rows, and what the choice saves or costs."""

from __future__ import annotations

import json

import pytest

from judgekit.cli.show import show_run
from judgekit.errors import InputError


def yes(item, answer="yes"):
    return "'" + json.dumps({"items": {item: {"reason": f"about {item}", "answer": answer}}}) + "'"


@pytest.fixture
def mail(project):
    def score(*steps, calls="each", more="", **how):
        project.write(
            "rubrics/mail.yaml",
            f"name: mail\nquestion: Is it a mail?\nchecklist: {{greets: Hello?, signs: Bye?}}\ncalls: {calls}\n{more}",
        )
        project.scenario(
            f"name: a\ninput: Q?\noutput: Hi.\nrubrics: [mail]\nfaux: {{judge: {{mail: [{', '.join(steps)}]}}}}\n"
        )
        return project.score(judge="faux", **how)

    return score


def test_one_call_each_gives_the_rows_of_one_call_for_all(project, mail):
    both = "'" + json.dumps({"items": {"greets": {"answer": "yes"}, "signs": {"answer": "no"}}}) + "'"

    def rows(run):
        return [(row["metric"], row["status"], row["score"], row["label"]) for row in project.rows(run)]

    assert rows(mail(yes("greets"), yes("signs", "no"))) == rows(mail(both, calls="one"))


def test_each_call_asks_for_one_item_only(project, mail):
    run = mail(yes("greets"), yes("signs"))

    greets, signs = project.records(run, "verdicts")
    assert (greets["item"], signs["item"]) == ("greets", "signs")
    assert ("Hello?" in greets["prompt"], "Bye?" in greets["prompt"]) == (True, False)


def test_a_reply_that_lacks_an_item_is_unscored_as_a_whole(project, mail):
    run = mail(yes("greets"), "hm", "hm")

    (row,) = project.rows(run)
    assert (row["metric"], row["status"], row["cause"], row["score"]) == ("mail", "unscored", "parse", "")
    assert row["reason"].startswith("signs: ")


def test_the_threshold_is_one_on_the_whole(project, mail):
    run = mail(yes("greets"), yes("signs", "no"), more="pass_at: 0.5\n")

    assert project.row(run, metric="mail")["status"] == "pass"


def test_samples_are_joined_before_they_are_averaged(project, mail):
    run = mail(yes("greets"), yes("signs"), yes("greets"), yes("signs", "no"), judge_samples=2)

    row = project.row(run, metric="mail")
    # 1 and 1/2.
    assert (row["score"], row["n_samples"]) == ("0.75", "2")


def test_a_run_with_a_call_each_replays(project, mail):
    first = mail(yes("greets"), yes("signs", "no"))

    again = project.score(judge=f"replay:{first.path}")

    assert [row["score"] for row in project.rows(again)] == [row["score"] for row in project.rows(first)]


def test_the_calls_of_the_other_way_are_told(project, mail, capsys):
    both = "'" + json.dumps({"items": {"greets": "yes", "signs": "no"}}) + "'"

    one = mail(both, both, both, calls="one", judge_samples=3)
    each = mail(yes("greets"), yes("signs"))
    show_run(one.data)
    show_run(each.data)

    assert one.summary["judge_calls"]["made"] == 3
    assert each.summary["judge_calls"]["made"] == 2
    shown = capsys.readouterr().out
    assert "mail: 2 items in one call: 3 calls saved against one each (3 in place of 6)" in shown
    assert "mail: 2 items in calls of their own: 1 more than in one for all (2 in place of 1)" in shown


def test_only_several_items_can_be_asked_one_by_one(project):
    project.write("rubrics/one.yaml", "name: one\nquestion: Q?\nscale: {min: 1, max: 5}\ncalls: each\n")
    project.scenario("name: a\ninput: Q?\noutput: x\nrubrics: [one]\n")

    with pytest.raises(InputError, match="only a checklist or criteria have several things to ask for"):
        project.score(judge="faux")
