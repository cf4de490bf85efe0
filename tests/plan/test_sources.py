"""Where each output comes from, case by case."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

Folder = Any

CASE = "{id: a, input: q, expect: {contains: x}, faux: [of the script], output: of the case}"
SUITE = "suite: s\nOUTPUTS\ncases: [" + CASE + "]\n"


def outputs(plan: Any) -> list[str]:
    """Text of each recorded job, or the model that is asked."""
    return [
        job.output.text if job.output and job.output.text is not None else job.output.cause if job.output else "asked"
        for job in plan.jobs
    ]


def by_case(plan: Any) -> dict[tuple[str, str, int], str]:
    return {
        (job.case.case_id, job.variant, job.trial): said for job, said in zip(plan.jobs, outputs(plan), strict=True)
    }


@pytest.fixture
def files(folder: Folder) -> Folder:
    folder.rows("scenarios/own.jsonl", [{"id": "a", "output": "of the suite"}])
    folder.rows("flag.jsonl", [{"id": "a", "output": "of the flag"}])
    return folder


def test_a_row_of_the_flag_comes_first(files: Folder) -> None:
    plan = files.plan(SUITE.replace("OUTPUTS", "outputs: own.jsonl"), outputs=((None, files.path / "flag.jsonl"),))
    assert outputs(plan) == ["of the flag"]


def test_then_a_row_of_the_suites_file(files: Folder) -> None:
    assert outputs(files.plan(SUITE.replace("OUTPUTS", "outputs: own.jsonl"))) == ["of the suite"]


def test_then_the_output_of_the_case(files: Folder) -> None:
    assert outputs(files.plan(SUITE.replace("OUTPUTS", ""))) == ["of the case"]
    assert outputs(files.plan(SUITE.replace("OUTPUTS", ""), model="faux")) == ["of the case"]


def test_then_a_model_and_then_the_script(files: Folder) -> None:
    text = SUITE.replace("OUTPUTS", "").replace(", output: of the case", "")
    for options in ({"model": "faux"}, {}):
        plan = files.plan(text, **options)
        assert outputs(plan) == ["asked"]
        assert plan.jobs[0].target.asks["model"] == "faux"


def test_else_there_is_no_output(files: Folder) -> None:
    run = files.score("id: a\nexpect: {contains: x}\n")
    assert list(run.cases["status"]) == ["error"]
    assert list(run.cases["cause"]) == ["no_output"]
    assert "no row of an outputs file, no `output`, no model and no `faux` script" in run.cases["reason"][0]
    assert run.decision.exit_code == 3


def test_an_empty_output_is_an_output(files: Folder) -> None:
    run = files.score("id: a\noutput: ''\nexpect: {not_contains: x}\n")
    assert list(run.cases["status"]) == ["fail"]


def test_each_case_has_a_source_of_its_own(folder: Folder) -> None:
    folder.rows("flag.jsonl", [{"id": "a", "output": "row"}])
    folder.rows("scenarios/own.jsonl", [{"id": "a", "output": "hidden"}, {"id": "b", "output": "own"}])
    plan = folder.plan(
        """
        suite: s
        outputs: own.jsonl
        defaults: {expect: {contains: x}}
        cases: [{id: a}, {id: b}, {id: c, output: here}, {id: d, faux: [x]}, {id: e}]
        """,
        outputs=((None, folder.path / "flag.jsonl"),),
    )
    assert outputs(plan) == ["row", "own", "here", "asked", "no_output"]


def test_a_case_with_rows_for_one_variant_only_has_no_output_for_the_other(folder: Folder) -> None:
    folder.rows(
        "o.jsonl",
        [
            {"id": "a", "variant": "v1", "output": "a1"},
            {"id": "a", "variant": "v2", "output": "a2"},
            {"id": "b", "variant": "v2", "output": "b2"},
        ],
    )
    plan = folder.plan(
        "suite: s\ndefaults: {expect: {contains: x}}\ncases: [{id: a}, {id: b}, {id: c}]\n",
        outputs=((None, folder.path / "o.jsonl"),),
    )
    assert by_case(plan) == {
        ("a", "v1", 0): "a1",
        ("a", "v2", 0): "a2",
        ("b", "v1", 0): "no_output",
        ("b", "v2", 0): "b2",
        ("c", "v1", 0): "no_output",
        ("c", "v2", 0): "no_output",
    }


def test_files_by_variant_are_compared(folder: Folder) -> None:
    for name in ("old", "new"):
        folder.write(f"{name}.csv", f"id,output\na,{name}\n")
    run = folder.score("id: a\nexpect: {contains: new}\n", outputs={"v1": "old.csv", "v2": "new.csv"}, against="v1")
    assert dict(zip(run.cases["variant"], run.cases["status"], strict=True)) == {"v1": "fail", "v2": "pass"}
    assert run.decision.exit_code == 0  # the reference variant is not gated


@pytest.mark.parametrize("where", ["flag", "suite", "frame"])
def test_a_row_that_names_no_case_is_refused(folder: Folder, where: str) -> None:
    rows = [{"id": "late", "output": "x"}, {"id": "lste", "output": "x"}, {"id": "zzz", "output": "x"}]
    path = folder.rows("scenarios/o.jsonl", rows)
    text = "suite: s\nOUTPUTS\ncases: [{id: late, expect: {contains: x}}]\n"
    options: dict[str, Any] = {}
    if where == "flag":
        options["outputs"] = ((None, path),)
    elif where == "frame":
        options["frame"] = pd.DataFrame(rows)
    said = folder.mistakes(text.replace("OUTPUTS", "outputs: o.jsonl" if where == "suite" else ""), **options)
    assert len(said) == 2
    assert 'no scenario has the case "lste". Did you mean "late"?' in said[0]


def test_rows_of_cases_that_were_not_selected_are_no_strangers(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x"}, {"id": "b", "output": "x"}])
    plan = folder.plan(
        "suite: s\ndefaults: {expect: {contains: x}}\ncases: [{id: a}, {id: b}]\n",
        outputs=((None, path),),
        expression="a",
    )
    assert list(by_case(plan)) == [("a", "default", 0)]


def test_mistakes_in_the_outputs_files_of_several_suites_come_at_once(folder: Folder) -> None:
    for name in ("one", "two"):
        folder.write(
            f"scenarios/{name}.yaml", f"suite: {name}\noutputs: {name}.csv\ncases: [{{id: {name}, expect: none}}]\n"
        )
        folder.write(f"scenarios/{name}.csv", "id,output\nother,x\n")
    assert len(folder.mistakes()) == 2


def test_outputs_that_bring_inputs_need_no_scenarios(folder: Folder) -> None:
    folder.write("scenarios/broken.yaml", "a: [\n")
    folder.write("o.csv", "question,answer,expected\nq1,x,y\nq2,z,w\n")
    run = folder.score(
        outputs="o.csv", map={"input": "question", "output": "answer"}, rubrics=["source_coverage"], no_gate=True
    )
    assert list(run.cases["input"]) == ["q1", "q2"]
    assert len(set(run.cases["case_id"])) == 2


def test_outputs_that_bring_inputs_still_belong_to_named_scenarios(folder: Folder) -> None:
    folder.write("o.csv", "id,input,output\na,q,x\n")
    plan = folder.plan(
        "id: a\ninput: mine\nexpect: {contains: x}\n",
        outputs=((None, folder.path / "o.csv"),),
        paths=(folder.path / "scenarios",),
    )
    assert plan.jobs[0].case.input == "mine"


def test_the_reference_of_a_row_fills_a_case_that_has_none(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": one, "output": "x", "reference": "row", "tier": "row"} for one in ("a", "b")])
    plan = folder.plan(
        "suite: s\ndefaults: {expect: {contains: x}}\ncases: [{id: a}, {id: b, reference: own, vars: {tier: own}}]\n",
        outputs=((None, path),),
    )
    assert [(job.case.reference, job.case.vars["tier"]) for job in plan.jobs] == [("row", "row"), ("own", "own")]


def test_context_that_was_retrieved_wins_over_the_cases(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "It is 5.", "context": ["The fee is 5."]}])
    text = "id: a\ncontext: The fee is 7.\nexpect: {numbers_from_input: true}\n"
    assert list(folder.score(text, outputs=path).cases["status"]) == ["pass"]
    assert list(folder.score(text.replace("expect", "output: It is 5.\nexpect")).cases["status"]) == ["fail"]


def test_a_wide_file_compares_its_columns(folder: Folder) -> None:
    folder.write("o.csv", "id,input,old,new\na,q,x,y\n")
    run = folder.score(
        outputs="o.csv",
        map={"output:v1": "old", "output:v2": "new"},
        rubrics=["source_coverage"],
        no_gate=True,
    )
    assert list(run.cases["variant"]) == ["v1", "v2"]
    assert len(set(run.cases["case_id"])) == 1


def test_a_renaming_without_outputs_is_refused(folder: Folder) -> None:
    assert "--map renames columns of outputs files" in folder.mistakes("id: a\nexpect: none\n", columns=("input=q",))[0]


def test_recorded_trials_are_all_there(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": text, "trial": n} for n, text in enumerate("xyx")])
    run = folder.score("id: a\nexpect: {contains: x}\ntrials: {n: 3, require: 2}\n", outputs=path)
    assert list(run.cases["trial"]) == [0, 1, 2]
    assert run.summary["counts"]["pass"] == 1


@pytest.mark.parametrize(
    ("require", "rows", "status"),
    [
        ("5", "x", "error"),
        ("all", "xxxx", "error"),
        ("2", "x", "error"),
        ("2", "xx", "pass"),
        ("any", "x", "pass"),
        ("any", "y", "error"),
        ("all", "y", "fail"),
    ],
)
def test_trials_that_an_outputs_file_lacks_are_open(folder: Folder, require: str, rows: str, status: str) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": text, "trial": n} for n, text in enumerate(rows)])
    text = f"id: a\nexpect: {{contains: x}}\ntrials: {{n: 5, require: {require}}}\n"

    run = folder.score(text, outputs=path, no_gate=True)

    assert list(run.cases["cause"].dropna()) == ["no_output"] * (5 - len(rows))
    assert f"has {len(rows)} of the 5 trials of this case" in run.data.cases[-1].reason
    assert run.summary["counts"][status] == 1


def test_trials_may_be_numbered_from_one(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x", "trial": n} for n in (1, 2, 3)])
    run = folder.score("id: a\nexpect: {contains: x}\ntrials: 3\n", outputs=path)
    assert list(run.cases["trial"]) == [1, 2, 3]


def test_more_trials_than_asked_for_are_all_there(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x", "trial": n} for n in range(10, 15)])
    run = folder.score("id: a\nexpect: {contains: x}\ntrials: 3\n", outputs=path)
    assert list(run.cases["trial"]) == [10, 11, 12, 13, 14]


@pytest.mark.parametrize(("trials", "n"), [((0,), 1), ((0, 1), 3)])
def test_trials_of_the_settings_hold_for_an_outputs_file_that_has_trials(
    folder: Folder, trials: tuple[int, ...], n: int
) -> None:
    folder.write("judgekit.yaml", "trials: 3\n")
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x", "trial": trial} for trial in trials])
    run = folder.score("id: a\nexpect: {contains: x}\n", outputs=path, no_gate=True)
    assert len(run.cases) == n


def test_outputs_of_a_run_are_an_outputs_file(folder: Folder) -> None:
    text = "suite: s\ndefaults: {expect: {contains: x}}\n"
    text += "cases: [{id: a, faux: [x]}, {id: b, faux: [{error: timeout}]}, {id: c}]\n"
    first = folder.score(text, run_id="one", no_gate=True)
    again = folder.score(text, run_id="two", no_gate=True, outputs=first.path / "outputs.jsonl")
    assert list(again.cases["cause"]) == list(first.cases["cause"])
    assert list(again.cases["status"]) == ["pass", "error", "error"]
