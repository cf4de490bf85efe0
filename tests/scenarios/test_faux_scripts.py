"""The `faux:` key: scripts of the target and of the judge."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any

CASE = "id: a\nexpect: {contains: x}\n"


@pytest.mark.parametrize(
    ("faux", "target", "judge"),
    [
        ("faux: hello", ("hello",), {}),
        ("faux: [hello, 1.10]", ("hello", 1.1), {}),
        ("faux: {target: hello}", ("hello",), {}),
        ("faux: {judge: {tone: ['4']}}", None, {"tone": ("4",)}),
        ("faux: {target: [a], judge: {tone: 4}}", ("a",), {"tone": (4,)}),
        ("faux: []", (), {}),
        ("faux:", None, {}),
    ],
)
def test_a_script_in_its_forms(folder: Folder, faux: str, target: Any, judge: Any) -> None:
    case = folder.case(CASE + faux + "\n")
    assert (case.faux_target, case.faux_judge) == (target, judge)


@pytest.mark.parametrize(
    ("faux", "said"),
    [
        ("{targt: x}", 'unknown key "targt". Did you mean "target"?'),
        ("{judge: [x]}", '"judge" must be a mapping from rubric names'),
        ("[{error: outage}]", "step 1: "),
        ("[x, {content: y, tool_call: []}]", 'step 2: unknown key "tool_call". Did you mean "tool_calls"?'),
        ("[{match: '(', reply: x}]", "is not a regular expression"),
        ("[[x]]", "a faux step is text or a mapping, not a list"),
        ("[~]", "a faux step is empty"),
        ("{judge: {tone: [{error: x}]}}", "judge: tone: step 1: "),
    ],
)
def test_a_wrong_script_is_told_with_case_and_line(folder: Folder, faux: str, said: str) -> None:
    (message,) = [one for one in folder.mistakes(CASE + f"faux: {faux}\n") if said in one]
    assert message.startswith('a.yaml:3: case "a": faux: ')


def test_every_step_that_is_wrong_is_told(folder: Folder) -> None:
    said = folder.mistakes(CASE + "faux: {target: [{error: x}, ok, {error: y}], judge: {tone: [{error: z}]}}\n")
    assert len(said) == 3
