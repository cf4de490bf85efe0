"""A tool that a check names and no call can reach is a mistake, wherever that is certain before anything is run."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from judgekit.cli import main

Folder = Any

TOOLS = "tools: {search: {results: [{result: x}]}, answer: {}}\n"
CALL = "faux: [{tool_calls: [{name: search}]}, done]\n"
CASE = "id: a\n" + TOOLS + CALL + "expect:\n  tool_calls: "


def test_the_complaint_has_file_line_and_a_guess(folder: Folder) -> None:
    assert folder.mistakes(CASE + "[serach]\n") == [
        'scenarios/a.yaml:5: case "a": tool_calls names the tool "serach", which is neither offered to the model nor '
        'in its script. Did you mean "search"? There are answer, search.'
    ]


@pytest.mark.parametrize("command", ["check", "score"])
def test_check_and_score_end_with_it_before_anything_is_run(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    folder.write("scenarios/a.yaml", CASE + "[serach]\n")
    monkeypatch.setattr(sys, "argv", ["judgekit", command])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert 'the tool "serach"' in capsys.readouterr().err
    assert not (folder.path / "reports").exists()


@pytest.mark.parametrize(
    "check",
    [
        "[search, serach]",
        "{expect: [{name: serach, args: {q: x}}], match: contains}",
        "{expect: [serach], required: false}",
        "{before: [[serach, answer]]}",
        "{before: [[search, 'anwer*']]}",
    ],
)
def test_every_name_that_has_to_be_called_is_looked_at(folder: Folder, check: str) -> None:
    (said,) = folder.mistakes(CASE + check + "\n")
    assert "which is neither offered" in said


@pytest.mark.parametrize(
    "check",
    [
        "[search, search, answer]",
        "[]",
        "{forbidden: [delete_all, 'drop*']}",
        "{expect: [search, delete_all], match: within}",
        "{before: [['sea*', answer]]}",
    ],
)
def test_what_can_be_reached_or_is_forbidden_is_no_mistake(folder: Folder, check: str) -> None:
    assert folder.plan(CASE + check + "\n").jobs


def test_a_negated_check_forbids(folder: Folder) -> None:
    assert folder.plan("id: a\n" + TOOLS + CALL + "expect: {not_tool_calls: [delete_all]}\n").jobs


def test_checks_inside_groups_are_looked_at_with_their_own_line(folder: Folder) -> None:
    text = (
        "id: a\n"
        + TOOLS
        + CALL
        + "expect:\n  any_of:\n    - contains: x\n    - all_of:\n        - tool_calls: [serach]\n"
    )
    assert folder.mistakes(text)[0].startswith('scenarios/a.yaml:8: case "a": tool_calls names the tool "serach"')


def test_a_tool_that_the_script_calls_is_known(folder: Folder) -> None:
    script = "faux: [{tool_calls: [{name: fly}]}, {match: x, reply: {tool_calls: [{name: swim}]}}]\n"
    assert folder.plan("id: a\n" + TOOLS + script + "expect: {tool_calls: [fly, swim]}\n").jobs


def test_tools_of_the_agent_are_known_unless_it_may_not_call_them(folder: Folder) -> None:
    folder.write("x/system-prompt.txt", "")
    folder.write("x/tools.json", json.dumps([{"name": "search"}, {"name": "fly"}]))
    text = "id: a\nconfig-dir: x\nfaux: [done]\nexpect: {tool_calls: [search, fly]}\n"
    assert folder.plan(text).jobs
    folder.write("x/agent-config.yaml", "tools: {allowed: [search]}\n")
    (said,) = folder.mistakes(text)
    assert said.endswith("`tools.allowed` in agent-config.yaml leaves it out.")


@pytest.mark.parametrize(
    "source",
    [
        "output: x\n",
        "faux: [x]\n",
        "faux: [{tool_calls: [{name: fly}]}, x]\n",
        "",
    ],
)
def test_where_nobody_knows_what_is_called_nothing_is_said(folder: Folder, source: str) -> None:
    assert folder.plan("id: a\n" + source + "expect: {tool_calls: [serach]}\n").jobs


def test_a_recording_is_not_judged_by_what_a_case_offers(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "output": "x", "tool_calls": [{"name": "fly", "args": {}}]}])
    assert folder.plan(CASE + "[fly]\n", outputs=((None, path),)).jobs


@pytest.mark.parametrize("kind", ["command: cat", "http: {url: 'http://x', body: {}, response: {output: a}}"])
def test_nor_is_a_program_or_an_endpoint(folder: Folder, kind: str) -> None:
    case = "{id: a, tools: {search: {}}, expect: {tool_calls: [fly]}}"
    plan = folder.plan(f"suite: s\nvariants: {{v1: {{{kind}}}}}\ncases: [{case}]\n", allow_code=True)
    assert plan.jobs


def test_a_live_model_without_tools_can_call_none(folder: Folder) -> None:
    (said,) = folder.mistakes("id: a\nexpect: {tool_calls: [search]}\n", model="gpt-4o")
    assert said.endswith("No tool is offered: give the case `tools`, or its agent a tools.json.")


def test_a_live_model_does_not_follow_the_script(folder: Folder) -> None:
    text = "id: a\ntools: {search: {}}\nfaux: [{tool_calls: [{name: fly}]}, x]\nexpect: {tool_calls: [fly]}\n"
    assert folder.plan(text).jobs
    assert 'the tool "fly"' in folder.mistakes(text, model="gpt-4o")[0]


def test_what_many_cases_share_is_told_once(folder: Folder) -> None:
    cases = "".join(f"  - {{id: c{n}}}\n" for n in range(9))
    text = "suite: s\ndefaults:\n  tools: {search: {}}\n  faux: [x]\n  expect: {tool_calls: [serach]}\ncases:\n" + cases
    (said,) = folder.mistakes(text)
    assert said.startswith('scenarios/a.yaml:5: case "c0" and 8 more: tool_calls names')


def test_rows_of_a_table_are_told_where_the_name_stands(folder: Folder) -> None:
    folder.rows("scenarios/c.jsonl", [{"id": "a"}, {"id": "b", "expect": {"tool_calls": ["fly"]}}])
    text = "suite: s\ndefaults: {tools: {search: {}}, faux: [x], expect: {\n  tool_calls: [serach]}}\ncases: c.jsonl\n"
    first, second = folder.mistakes(text)
    assert first.startswith('scenarios/a.yaml:3: case "a": tool_calls names the tool "serach"')
    assert second.startswith('scenarios/c.jsonl:2: case "b": tool_calls names the tool "fly"')
