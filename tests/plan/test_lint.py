"""What `judgekit check` warns of."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.pipeline.lint import lint

Folder = Any


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("output: x\nrubrics: [correctness]\n", 'rubric "correctness" needs a `reference`'),
        ("output: x\nreference: ' '\nrubrics: [correctness]\n", 'rubric "correctness" needs a `reference`'),
        ("output: x\nrubrics: [faithfulness]\n", 'rubric "faithfulness" needs a `context`'),
        ("output: x\nexpect: {contains: {value: x, required: false}}\n", "has nothing required"),
        ("output: x\nshould_pass: false\nrubrics: [tone]\n", "it can never be negative_ok"),
        ("output: x\ndefect: gone\nexpect: {contains: x}\n", "names a `defect` without `should_pass: false`"),
        ("expect: {contains: x}\n", "no output"),
    ],
)
def test_a_warning_has_file_line_and_case(folder: Folder, text: str, said: str) -> None:
    found = [one for one in lint(folder.plan("id: a\n" + text)) if said in one]
    assert len(found) == 1
    assert found[0].startswith('scenarios/a.yaml:1: case "a"')


@pytest.mark.parametrize(
    "text",
    [
        "output: x\nexpect: {contains: x}\n",
        "output: x\nreference: r\nrubrics: [{name: correctness, required: true}]\n",
        "output: x\nexpect: none\n",
        "output: x\nshould_pass: false\ndefect: gone\nexpect: {contains: x}\n",
        "faux: [x]\nexpect: {contains: x}\n",
    ],
)
def test_a_sound_case_has_no_warning(folder: Folder, text: str) -> None:
    assert lint(folder.plan("id: a\n" + text)) == []


def test_context_of_the_rows_is_context(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x", "context": "c"}])
    text = "id: a\nrubrics: [{name: faithfulness, required: true}]\n"
    assert lint(folder.plan(text, outputs=((None, path),))) == []


SCRIPTED = """
suite: s
cases:
  - id: a
    input: Q?
    rubrics: [helpfulness, tone]
    faux: {target: [Hello.], judge: {%s: ["4"]}}
"""


def test_a_script_for_a_misspelt_rubric_is_a_mistake(folder: Any) -> None:
    assert folder.mistakes(SCRIPTED % "helpfulnes") == [
        'scenarios/a.yaml:3: case "a": faux: judge: no rubric is named "helpfulnes". Did you mean "helpfulness"? '
        "Its rubrics are helpfulness, tone."
    ]


def test_a_script_for_a_rubric_that_this_run_leaves_out_is_fine(folder: Any) -> None:
    plan = folder.plan(SCRIPTED % "relevance")

    assert [one.name for one in plan.rubrics["a"]] == ["helpfulness", "tone"]


def test_a_script_goes_by_the_name_that_a_rubric_file_gives(folder: Any) -> None:
    folder.write("own/grade.yml", "name: mine\nquestion: Good?\nscale: {min: 1, max: 5}\n")
    folder.write("judgekit.yaml", "rubrics: [own/grade.yml]\n")

    assert [one.name for one in folder.plan(SCRIPTED % "mine").rubrics["a"]] == ["helpfulness", "tone", "mine"]


@pytest.mark.parametrize(
    ("judge", "model", "warned"),
    [
        ("gpt-4o", "gpt-4o-mini", True),
        ("gpt-4o", "anthropic/claude-sonnet-4-5", False),
        ("openai/mine", "openai/mine-too", False),
    ],
)
def test_a_judge_of_the_family_of_its_target_is_warned_of(folder: Folder, judge: str, model: str, warned: bool) -> None:
    plan = folder.plan(f"suite: s\njudge: {judge}\nmodel: {model}\ncases: [{{id: a, input: x, rubrics: [tone]}}]\n")

    said = [one for one in lint(plan) if one.startswith(f"{judge} judges {model}: both are of the family GPT")]

    assert len(said) == warned


def test_a_judge_of_the_family_that_wrote_the_recorded_outputs_is_warned_of(folder: Folder) -> None:
    folder.rows("o.jsonl", [{"id": "a", "output": "x", "model": "claude-3-5-haiku"}])
    text = "suite: s\njudge: claude-opus-4-1\noutputs: ../o.jsonl\ncases: [{id: a, input: x, rubrics: [tone]}]\n"

    assert any("both are of the family Claude" in one for one in lint(folder.plan(text)))
