"""Which files of a folder are scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.scenarios.discover import find_files

Folder = Any


def text(case_id: str) -> str:
    return f"id: {case_id}\noutput: x\nexpect: {{contains: x}}\n"


def test_folders_are_searched_in_order_and_in_depth(folder: Folder) -> None:
    for name in ("b.yaml", "a.yml", "sub/deep/c.yaml", "sub/a.YAML", "z.txt"):
        folder.write(name, text(name))
    assert list(folder.cases()) == ["a.yml", "b.yaml", "sub/a.YAML", "sub/deep/c.yaml"]


@pytest.mark.parametrize("name", ["_draft.yaml", ".hidden.yaml", "judgekit.yaml", "_old/a.yaml", ".git/a.yaml"])
def test_some_names_are_passed_by(folder: Folder, name: str) -> None:
    folder.write("a.yaml", text("a"))
    folder.write(name, text("other"))
    assert list(folder.cases()) == ["a"]


def test_a_folder_that_holds_an_agent_holds_no_scenarios(folder: Folder) -> None:
    folder.write("a.yaml", text("a"))
    folder.write("agents/x/system-prompt.txt", "Be brief.")
    folder.write("agents/x/agent-config.yaml", "tools: {}\n")
    folder.write("agents/x/deep/b.yaml", text("b"))
    folder.write("agents/c.yaml", text("c"))
    assert list(folder.cases()) == ["a", "c"]


def test_a_file_that_is_passed_by_may_be_named(folder: Folder) -> None:
    folder.write("_draft.yaml", text("a"))
    assert list(folder.cases("_draft.yaml")) == ["a"]


def test_files_that_a_suite_names_are_no_scenarios(folder: Folder) -> None:
    folder.write("rubrics/strict.yaml", "name: strict\nquestion: Strict?\nlabels: {A: 1, B: 0}\n")
    folder.write("schema.yaml", "type: object\n")
    folder.write("prompt.yaml", "You are: brief\n")
    folder.write(
        "s.yaml",
        """
        suite: s
        variants: {v1: prompt.yaml, v2: {prompt: prompt.yaml}}
        defaults: {rubrics: [{name: rubrics/strict.yaml}]}
        cases: [{id: a, output: x, expect: {json_schema: {value: schema.yaml}}}]
        """,
    )
    assert list(folder.cases()) == ["a"]


@pytest.mark.parametrize(
    "key",
    [
        "input: b.yaml",
        "description: b.yaml",
        "reference: b.yaml",
        "tags: [b.yaml]",
        "vars: {x: b.yaml}",
        "faux: [b.yaml]",
    ],
)
def test_a_file_that_is_only_spoken_of_is_a_scenario(folder: Folder, key: str) -> None:
    folder.write("a.yaml", text("a") + key + "\n")
    folder.write("b.yaml", text("b"))
    assert list(folder.cases()) == ["a", "b"]


def test_a_file_that_a_check_looks_for_is_a_scenario(folder: Folder) -> None:
    folder.write("a.yaml", "id: a\noutput: x\nexpect: {contains: [b.yaml]}\n")
    folder.write("b.yaml", text("b"))
    assert list(folder.cases()) == ["a", "b"]


def test_a_suite_may_be_called_as_its_file(folder: Folder) -> None:
    folder.write("a.yaml", "suite: a.yaml\ncases: [{id: a, output: x, rubrics: [a.yaml]}]\n")
    assert list(folder.cases()) == ["a"]


@pytest.mark.parametrize("name", ["a\\0b.yaml", "x" * 5000 + ".yaml", "\\u202e.yaml"])
def test_a_name_that_no_file_can_have_is_no_crash(folder: Folder, name: str) -> None:
    folder.write("a.yaml", text("a") + f'rubrics: ["{name}"]\n')
    assert list(folder.cases()) == ["a"]


def test_a_file_is_read_once_however_often_it_is_named(folder: Folder) -> None:
    folder.write("s/a.yaml", text("a"))
    assert list(folder.cases("s", "s/a.yaml", "./s/../s/a.yaml")) == ["a"]


def test_a_link_to_a_file_is_the_file(folder: Folder) -> None:
    folder.write("s/a.yaml", text("a"))
    (folder.path / "s" / "b.yaml").symlink_to(folder.path / "s" / "a.yaml")
    assert list(folder.cases("s")) == ["a"]


def test_links_to_folders_above_are_followed_once(folder: Folder) -> None:
    folder.write("s/a.yaml", text("a"))
    for name in ("up", "again", "more"):
        (folder.path / "s" / name).symlink_to(folder.path / "s")
    assert list(folder.cases("s")) == ["a"]


def test_a_link_to_nowhere_is_named(folder: Folder) -> None:
    (folder.path / "b.yaml").symlink_to(folder.path / "nothing.yaml")
    assert any("nothing.yaml: no such file" in one for one in folder.mistakes(text("a")))


def test_several_documents_are_several_suites(folder: Folder) -> None:
    folder.write("a.yaml", text("a") + "---\n" + text("b") + "---\nsuite: s\ncases: [{id: c, expect: {contains: x}}]\n")
    suites = folder.suites()
    assert [(suite.name, [case.case_id for case in suite.cases]) for suite in suites] == [
        ("a", ["a", "b"]),
        ("s", ["c"]),
    ]


def test_suites_of_one_name_are_told_apart_by_their_files(folder: Folder) -> None:
    for name in ("x/a.yaml", "y/a.yaml"):
        folder.write(name, f"suite: s\ncases: [{{id: {name}, expect: {{contains: x}}}}]\n")
    assert [suite.name for suite in folder.suites()] == ["s", "s (y/a.yaml)"]


@pytest.mark.parametrize("path", ["nothing.yaml", "nothing", "nothing/"])
def test_a_path_that_is_not_there_is_refused(folder: Folder, path: str) -> None:
    with pytest.raises(InputError, match="no such file or folder"):
        find_files([Path(path)])


def test_a_file_of_another_kind_is_refused(folder: Folder) -> None:
    folder.write("rows.jsonl", "{}")
    with pytest.raises(InputError, match="outputs go with --outputs"):
        find_files([Path("rows.jsonl")])


def test_a_folder_without_scenarios_is_refused(folder: Folder) -> None:
    folder.write("empty/readme.txt", "")
    with pytest.raises(InputError, match="no scenarios found in empty"):
        folder.suites("empty")
