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
