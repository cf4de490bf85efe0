"""Two runs: what both ask alike is compared, everything else is named."""

from __future__ import annotations

import json

import pytest

import judgekit as jk
from judgekit.errors import InputError

SUITE = "suite: s\ndefaults: {{expect: {expect}}}\ncases: cases.jsonl\n"


def test_the_later_run_is_compared_with_the_earlier_one(project):
    before, after = project.checked({"v": "ffp"}, run_id="r1"), project.checked({"v": "ppf"}, run_id="r2")

    (row,) = jk.compare(before, after).rows

    assert (row["run"], row["run_against"], row["wins"], row["losses"]) == ("r2", "r1", 2, 1)
    assert row["sentence"].startswith("case pass rate: r2 against r1: not enough cases (66.7 % against 33.3 %")


def test_runs_can_be_named(project):
    before, after = project.checked({"v": "f"}, run_id="r1"), project.checked({"v": "p"}, run_id="r2")

    assert jk.compare("r1", "latest").rows == jk.compare(before, after).rows


def test_each_variant_is_compared_with_itself(project):
    before = project.checked({"v1": "ff", "v2": "pp"}, run_id="r1")
    after = project.checked({"v1": "pf", "v2": "pp", "v3": "pp"}, run_id="r2")

    rows = jk.compare(before, after).rows

    assert [(row["variant"], row["against"], row["wins"]) for row in rows] == [("v1", "v1", 1), ("v2", "v2", 0)]
    assert rows[0]["who"] == "v1 of r2 against v1 of r1"


def test_single_variants_of_different_names_are_compared(project):
    before, after = project.checked({"old": "fp"}, run_id="r1"), project.checked({"new": "pp"}, run_id="r2")

    (row,) = jk.compare(before, after).rows

    assert row["who"] == "new of r2 against old of r1"


def test_against_names_the_variant_of_the_earlier_run(project):
    before, after = project.checked({"v1": "fp", "v2": "pp"}, run_id="r1"), project.checked({"v3": "pp"}, run_id="r2")

    (row,) = jk.compare(before, after, against="v1").rows

    assert row["wins"] == 1


def test_without_a_common_variant_it_is_asked_for(project):
    before, after = project.checked({"a": "p", "b": "p"}, run_id="r1"), project.checked({"c": "p"}, run_id="r2")

    with pytest.raises(InputError, match=r"r1 \(a, b\) and r2 \(c\) have no variant in common; say with `against`"):
        jk.compare(before, after)


def test_added_and_removed_cases_are_named_and_not_compared(project):
    before = project.checked({"v": "pp"}, run_id="r1")
    after = project.checked({"v": "ppp"}, run_id="r2")

    found = jk.compare(before, after)

    assert found.rows[0]["n"] == 2
    assert found.notes == ("1 case only in r2, not compared: c2",)
    assert found.definitions["cases"]["added"] == ["c2"]


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"input": "other"}, "input"),
        ({"topic": "y"}, "vars"),
        ({"context": ["c"]}, "context"),
        ({"reference": "r"}, "reference"),
    ],
)
def test_a_case_that_asks_something_else_is_not_compared(project, change, part):
    def scored(run_id: str, **more: object) -> jk.Run:
        cases = [{"id": "a", "input": "Q"}, {"id": "b", "input": "Q", "topic": "x", **more}]
        project.write("c.jsonl", [{**one, "output": "good"} for one in cases])
        project.write("s.yaml", "suite: s\ndefaults: {expect: {contains: [good]}}\ncases: c.jsonl\n")
        return jk.score("s.yaml", run_id=run_id)

    found = jk.compare(scored("r1"), scored("r2", **change))

    assert found.definitions["cases"]["changed"] == {"b": [part]}
    assert found.notes == (f"1 case asked something else, not compared: b ({part})",)
    assert found.rows[0]["n"] == 1


def test_another_prompt_of_the_agent_is_what_is_compared(project):
    def scored(run_id: str, prompt: str, reply: str) -> jk.Run:
        project.write("agent/system-prompt.txt", prompt)
        project.write(
            "s.yaml", f"name: a\nconfig-dir: agent\ninput: Q\nexpect: {{contains: [good]}}\nfaux: [{reply}]\n"
        )
        return jk.score("s.yaml", run_id=run_id)

    found = jk.compare(scored("r1", "Be brief.", "bad"), scored("r2", "Be good.", "good"))

    assert (found.rows[0]["wins"], found.notes) == (1, ())


def test_a_rubric_with_another_definition_is_refused_by_name(project):
    before = project.judged({"v": {"a": 1}}, run_id="r1")
    changed = "name: q\nquestion: Really good?\nscale: {min: 1, max: 5}\n"
    after = project.judged({"v": {"a": 2}}, run_id="r2", rubric=changed)

    with pytest.raises(InputError, match=r"q does not mean the same in r1 and r2: its definition is another, on all 1"):
        jk.compare(before, after)


def test_allow_mismatch_compares_it_and_says_so_everywhere(project):
    before = project.judged({"v": {"a": 1}}, run_id="r1")
    changed = "name: q\nquestion: Really good?\nscale: {min: 1, max: 5}\n"
    after = project.judged({"v": {"a": 2}}, run_id="r2", rubric=changed)

    found = jk.compare(before, after, allow_mismatch=True)

    assert found.rows[0]["difference"] == 1.0
    assert "compared although its definition is another (--allow-mismatch)" in found.sentences[0]
    assert found.notes == ("q: its definition is another on 1 case; it is compared all the same: a",)


def test_another_judge_is_refused_by_name(project):
    before = project.judged({"v": {"a": 1}}, run_id="r1", judge="one.jsonl")
    after = project.judged({"v": {"a": 2}}, run_id="r2", judge="two.jsonl")

    with pytest.raises(InputError, match=r"replay:two.jsonl judged it, before it was replay:one.jsonl"):
        jk.compare(before, after)
    assert jk.compare(before, after, allow_mismatch=True).rows[0]["value"] == 2.0


def test_other_metrics_are_compared_where_one_is_refused(project):
    suite = "suite: s\ndefaults: {expect: {contains: [good]}, rubrics: [q]}\ncases: cases.jsonl\n"
    project.write("rubrics/q.yaml", "name: q\nquestion: Good?\nscale: {min: 1, max: 5}\n")
    replies = [{"case_id": "c0", "rubric": "q", "reply": '{"score": 4}'}]
    for name in ("one", "two"):
        project.write(f"{name}.jsonl", replies)
    runs = [
        project.checked({"v": "p"}, run_id=f"r-{name}", suite=suite, judge=f"replay:{name}.jsonl")
        for name in ("one", "two")
    ]

    found = jk.compare(*runs)

    assert [row["metric"] for row in found.rows] == ["pass_rate"]
    assert found.definitions["metrics"]["refused"] == {
        "q": "replay:two.jsonl judged it, before it was replay:one.jsonl"
    }
    assert "q is not compared" in found.notes[0]


def test_a_case_whose_check_changed_is_left_out_of_the_pass_rate(project):
    def scored(run_id: str, wanted: str) -> jk.Run:
        cases = [{"id": "a", "expect.contains": "good"}, {"id": "b", "expect.contains": wanted}]
        project.write("c.jsonl", [{**one, "output": "good"} for one in cases])
        project.write("s.yaml", "suite: s\ncases: c.jsonl\n")
        return jk.score("s.yaml", run_id=run_id)

    found = jk.compare(scored("r1", "good"), scored("r2", "better"))

    assert found.rows[0]["left_out"] == [{"reason": "defined otherwise in the two runs", "n": 1, "case_ids": ["b"]}]
    assert found.definitions["metrics"]["changed"]["pass_rate"]["case_ids"] == ["b"]
    assert found.notes == (
        "pass_rate: what it requires is another (contains) on 1 case; it is compared on the other cases: b",
    )


def test_a_check_that_is_new_to_every_case_changes_the_pass_rate(project):
    before = project.checked({"v": "pp"}, run_id="r1", suite=SUITE.format(expect="{contains: [good]}"))
    after = project.checked({"v": "pp"}, run_id="r2", suite=SUITE.format(expect="{contains: [good], max_length: 9}"))

    with pytest.raises(InputError, match=r"the case pass rate does not mean the same .*max_length"):
        jk.compare(before, after)
    found = jk.compare(before, after, primary="contains")
    assert [row["metric"] for row in found.rows] == ["contains"]
    assert found.definitions["metrics"]["added"] == ["max_length"]


def test_a_golden_file_that_was_blessed_anew_is_another_definition(project):
    def scored(run_id: str, golden: str) -> jk.Run:
        project.write("a.golden.md", golden)
        project.write("a.yaml", "name: a\ngolden: true\noutput: now\n")
        return jk.score("a.yaml", run_id=run_id)

    before, after = scored("r1", "then"), scored("r2", "now")

    with pytest.raises(InputError, match=r"what it requires is another \(golden\)"):
        jk.compare(before, after)


def test_runs_without_a_common_case_are_no_comparison(project):
    before = project.judged({"v": {"a": 1}}, run_id="r1")
    after = project.judged({"v": {"b": 1}}, run_id="r2")

    with pytest.raises(InputError, match=r"r1 and r2 have no case in common \(1 case in the one, 1 in the other\)"):
        jk.compare(before, after)


def test_a_run_is_not_compared_with_itself(project):
    project.checked({"v": "p"}, run_id="r1")

    with pytest.raises(InputError, match="both runs are r1"):
        jk.compare("r1", "latest")


def test_a_run_that_is_being_written_is_no_side(project):
    run = project.checked({"v": "p"}, run_id="r1")
    project.checked({"v": "p"}, run_id="r2")
    (run.path / "summary.json").unlink()

    with pytest.raises(InputError, match=r"the run was not finished: it has no summary.json"):
        jk.compare("r1", "r2")


def test_a_run_with_a_row_twice_is_damaged(project):
    run = project.checked({"v1": "p", "v2": "p"}, run_id="r1")
    path = run.path / "results.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[-1]]), encoding="utf-8")

    with pytest.raises(InputError, match='case "c0" has two rows of contains'):
        jk.compare(jk.load_run("r1"))


def test_a_run_with_a_case_twice_is_damaged(project):
    run = project.checked({"v1": "p", "v2": "p"}, run_id="r1")
    path = run.path / "cases.csv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines, lines[-1]]), encoding="utf-8")

    with pytest.raises(InputError, match=r'run r1: is damaged: case "c0" \(variant v2, trial 0\) is there twice'):
        jk.compare("r1")


def test_a_run_that_does_not_say_what_was_asked_has_to_be_scored_again(project):
    run = project.checked({"v": "p"}, run_id="r1")
    project.checked({"v": "p"}, run_id="r2")
    path = run.path / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["cases"]["c0"]["asks"]
    path.write_text(json.dumps(manifest), encoding="utf-8")

    with pytest.raises(InputError, match=r"run r1: its manifest.json does not say what was asked"):
        jk.compare("r1", "r2")


def test_a_judge_that_answers_as_another_model_is_told(project):
    before, after = (project.judged({"v": {"a": 1}}, run_id=name) for name in ("r1", "r2"))
    for run, model in ((before, "m-old"), (after, "m-new")):
        path = run.path / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["judges"][0]["models_returned"] = [model]
        path.write_text(json.dumps(manifest), encoding="utf-8")

    assert jk.compare("r1", "r2").notes == (
        "replay:replies.jsonl answered as m-old in r1 and as m-new in r2: its scores may have moved",
    )


def test_a_run_that_was_stopped_is_told(project):
    project.checked({"v": "p"}, run_id="r1")
    run = project.checked({"v": "p"}, run_id="r2")
    path = run.path / "summary.json"
    summary = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**summary, "partial": True}), encoding="utf-8")

    assert jk.compare("r1", "r2").notes == ("run r2 is partial: it was stopped before all was done",)


def test_negative_fixtures_take_no_part(project):
    project.write("s.yaml", "suite: s\ncases: [{id: a, should_pass: false, expect: {contains: [x]}, output: y}]\n")
    jk.score("s.yaml", run_id="r1")
    jk.score("s.yaml", run_id="r2")

    with pytest.raises(InputError, match="have no metric in common on 1 case of both"):
        jk.compare("r1", "r2")


# ----------------------------------------------------------------------------------- cases chosen by how they came out

# v2 fails on six of forty cases and v1 on six others: they are equally good.
EQUAL = {"v1": "f" * 6 + "p" * 34, "v2": "p" * 6 + "f" * 6 + "p" * 28}


@pytest.fixture
def rerun(project):
    project.checked(EQUAL)
    return project.checked(EQUAL, only="failed", run_id="again")


def test_a_rerun_of_what_failed_compares_no_variants(rerun):
    summary = rerun.summary

    assert (len(rerun.data.cases), summary["comparisons"], summary["alone"]) == (12, [], None)
    assert any("not compared in a rerun by --only failed" in one for one in summary["warnings"])


def test_compare_refuses_a_rerun_of_what_failed(rerun):
    with pytest.raises(InputError, match="run again can't be compared: --only failed chose its cases"):
        jk.compare(rerun)


def test_compare_refuses_it_beside_another_run_too(project, rerun):
    with pytest.raises(InputError, match="--only failed chose its cases"):
        jk.compare(project.checked(EQUAL), rerun)
