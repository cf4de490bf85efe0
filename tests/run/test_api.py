"""The Python door: what a notebook writes is what it gets."""

from __future__ import annotations

import asyncio
import threading

import pandas as pd
import pytest

import judgekit as jk
from judgekit.errors import InputError


@pytest.fixture
def frame() -> pd.DataFrame:
    return pd.DataFrame({"case_id": ["a", "b"], "input": ["Q1?", "Q2?"], "output": ["Revenue rose.", "No."]})


@pytest.fixture
def two_variants(project):
    project.scenario(
        """
suite: s
outputs: o.jsonl
cases:
  - {id: a, expect: {contains: [x]}}
  - {id: b, expect: {contains: [x]}}
  - {id: c, expect: {contains: [x]}}
"""
    )
    answers = {"v1": "xy-", "v2": "xxx"}
    project.write(
        "scenarios/o.jsonl",
        [
            {"case_id": case, "variant": variant, "output": letter}
            for variant, letters in answers.items()
            for case, letter in zip("abc", letters.replace("-", "z"), strict=True)
        ],
    )
    return project.score(against="v1")


# ----------------------------------------------------------------------------------------------------------- score


def test_a_folder_is_scored(project):
    project.scenario("name: a\noutput: Revenue rose.\nexpect: {contains: [revenue]}")

    run = jk.score("scenarios/", out="runs")

    assert run.decision.passed
    assert run.path.parent.name == "runs"
    assert repr(run) == f"Run({run.path.name}: 1 of 1 pass, every case passes: 1 of 1 do)"


def test_a_dataframe_is_scored_by_rubrics(project, frame):
    project.write("replies.jsonl", [{"case_id": c, "rubric": "helpfulness", "reply": '{"score": 4}'} for c in "ab"])

    run = jk.score(outputs=frame, rubrics=["helpfulness"], judge="replay:replies.jsonl")

    assert list(run.results["score"]) == [4.0, 4.0]
    assert list(run.cases["output"]) == ["Revenue rose.", "No."]
    assert list(run.verdicts["case_id"]) == ["a", "b"]


def test_the_dataframe_itself_is_left_alone(project, frame):
    before = frame.copy(deep=True)

    jk.score(outputs=frame, rubrics=["source_coverage"])

    pd.testing.assert_frame_equal(frame, before)


def test_columns_of_a_dataframe_can_be_renamed(project):
    frame = pd.DataFrame({"question": ["Q?"], "one": ["x"], "two": ["y"]})

    run = jk.score(
        outputs=frame,
        map={"input": "question", "output:v1": "one", "output:v2": "two"},
        rubrics=["source_coverage"],
    )

    assert list(zip(run.cases["variant"], run.cases["output"], strict=True)) == [("v1", "x"), ("v2", "y")]


def test_files_are_scored_by_variant(project):
    for name, text in (("v1", "x"), ("v2", "y")):
        project.write(f"{name}.jsonl", [{"case_id": "a", "input": "Q?", "output": text}])

    run = jk.score(outputs={"v1": "v1.jsonl", "v2": "v2.jsonl"}, rubrics="source_coverage")

    assert list(run.cases["variant"]) == ["v1", "v2"]


def test_a_function_can_answer(project):
    project.scenario("name: a\ninput: revenue?\nexpect: {contains: [REVENUE?]}")

    run = jk.score("scenarios", target=lambda case: case.input.upper())

    assert run.decision.passed


def test_a_function_that_raises_is_an_error_of_its_case_alone(project):
    project.scenario(
        """
suite: s
cases:
  - {id: a, input: x, expect: {contains: [x]}}
  - {id: b, input: y, expect: {contains: [y]}}
"""
    )

    def target(case):
        if case.case_id == "a":
            raise RuntimeError("no luck")
        return case.input

    run = jk.score("scenarios", target=target)

    assert [unit.status for unit in run.data.units] == ["error", "pass"]
    assert "RuntimeError" in run.data.cases[0].reason
    assert run.decision.exit_code == 3


def test_results_come_in_the_order_of_the_cases(project):
    project.scenario(
        "suite: s\ncases:" + "".join(f"\n  - {{id: c{n}, input: x, expect: {{contains: [x]}}}}" for n in range(6))
    )
    finished: list[str] = []
    gates = {f"c{n}": threading.Event() for n in range(7)}
    gates["c6"].set()

    def target(case):
        # Each case waits for the one after it: they finish in reverse.
        assert gates[f"c{int(case.case_id[1:]) + 1}"].wait(5)
        finished.append(case.case_id)
        gates[case.case_id].set()
        return "x"

    run = jk.score("scenarios", target=target, concurrency=6)

    assert finished == [f"c{n}" for n in reversed(range(6))]
    assert list(run.cases["case_id"]) == [f"c{n}" for n in range(6)]


def test_it_works_inside_a_running_event_loop(project, frame):
    async def notebook():
        return jk.score(outputs=frame, rubrics=["source_coverage"])

    assert len(asyncio.run(notebook()).results) == 2


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"outputs": [1, 2]}, "outputs must be a DataFrame, a path or a mapping, not list"),
        ({"trials": 0}, "trials must be at least 1, not 0"),
        ({"judge_samples": -1}, "judge_samples must be at least 1, not -1"),
        ({"fail_under": 80}, "a rate between 0 and 1, not 80"),
        ({"fail_under": "high"}, "fail-under"),
        ({"paths": "nowhere"}, "nowhere"),
        ({"paths": ""}, "a path is empty"),
        ({"judge": "faux"}, "--judge has nothing to judge"),
        ({"rubrics": ["helpfullness"]}, 'Did you mean "helpfulness"'),
    ],
)
def test_a_wrong_argument_says_what_is_wrong(project, how, said):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    with pytest.raises(InputError, match=said):
        jk.score(**how)


# --------------------------------------------------------------------------------------------------------- compare


def test_variants_are_compared_on_the_same_cases(two_variants):
    comparison = jk.compare(two_variants, by="variant", against="v1")

    (row,) = comparison.rows
    assert (row["variant"], row["against"], row["n"]) == ("v2", "v1", 3)
    assert (row["wins"], row["losses"], row["ties"]) == (2, 0, 1)
    assert row["difference"] == pytest.approx(2 / 3)
    assert [one["case_id"] for one in row["improvements"]] == ["b", "c"]


def test_a_comparison_is_the_one_of_the_run(two_variants):
    assert list(jk.compare(two_variants, against="v1").rows) == two_variants.summary["comparisons"]


def test_a_comparison_of_a_loaded_run_is_the_same(two_variants):
    assert jk.compare(jk.load_run(two_variants.path)).rows == jk.compare(two_variants).rows


def test_the_other_way_round_the_sign_turns(two_variants):
    (row,) = jk.compare(two_variants, against="v2").rows

    assert (row["variant"], row["wins"], row["losses"]) == ("v1", 0, 2)


def test_a_comparison_is_a_table_and_sentences(two_variants):
    comparison = jk.compare(two_variants)

    assert list(comparison.frame["metric"]) == ["pass_rate"]
    assert comparison.sentences[0].startswith("case pass rate: v2 against v1: ")


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"against": "v9"}, 'there is no variant "v9"; there are v1, v2'),
        ({"by": "model"}, 'compare by "variant", not by "model"'),
    ],
)
def test_an_impossible_comparison_is_a_mistake(two_variants, how, said):
    with pytest.raises(InputError, match=said):
        jk.compare(two_variants, **how)


def test_one_variant_cannot_be_compared(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    with pytest.raises(InputError, match=r"one variant only \(default\)"):
        jk.compare(project.score())


def test_a_case_without_a_result_for_both_is_left_out_and_counted(project):
    project.scenario(
        "suite: s\noutputs: o.jsonl\ncases: [{id: a, expect: {contains: [x]}}, {id: b, expect: {contains: [x]}}]"
    )
    rows = [("a", "v1", "x"), ("a", "v2", "x"), ("b", "v1", "x")]
    project.write("scenarios/o.jsonl", [{"case_id": c, "variant": v, "output": text} for c, v, text in rows])

    (row,) = jk.compare(project.score()).rows

    assert (row["n"], row["n_left_out"]) == (1, 1)


def test_the_reference_variant_is_not_gated(two_variants):
    assert two_variants.summary["gated"] == {"s": ["v2"]}
    assert two_variants.decision.exit_code == 0


# ------------------------------------------------------------------------------------------------------ small doors


def test_a_check_runs_on_a_text_or_an_output():
    assert jk.run_check({"contains": ["revenue"]}, "Revenue rose.").status == "pass"
    assert jk.run_check({"max_cost_usd": 1}, jk.Output("x", cost_usd=0.5)).status == "pass"


def test_a_reply_is_read_in_both_forms():
    scored = jk.read_reply({"content": '{"score": 4, "reason": "r"}'}, scale=jk.Scale(1, 5), threshold=4)
    graded = jk.read_reply("Fine.\nGRADE: C", labels={"C": 1, "I": 0}, label_key="GRADE")

    assert (scored.status, scored.score, scored.passed) == ("pass", 4, True)
    assert (graded.label, graded.score) == ("C", 1)
