"""What a suite's defaults give to its cases, and whose mistake is whose."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any


def metrics(case: Any) -> dict[str, Any]:
    return {use.metric: getattr(use.check, "value", None) for use in case.checks}


def test_checks_are_merged_key_by_key_and_the_case_wins(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        """
        suite: s
        defaults:
          expect: {max-length: 10, contains: [x]}
        cases:
          - {id: a, output: x}
          - {id: b, output: x, expect: {max_length: 5, starts_with: y}}
        """,
    )
    cases = folder.cases()
    assert metrics(cases["a"]) == {"max_length": 10, "contains": ("x",)}
    assert metrics(cases["b"]) == {"max_length": 5, "contains": ("x",), "starts_with": ("y",)}


def test_lists_of_checks_are_joined_and_counted(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        """
        suite: s
        defaults:
          expect: [{contains: x}, {contains: y}]
        cases:
          - {id: a, output: x, expect: {contains: z}}
        """,
    )
    assert metrics(folder.cases()["a"]) == {"contains": ("x",), "contains#2": ("y",), "contains#3": ("z",)}


def test_variables_are_merged_and_tags_joined(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        """
        suite: s
        defaults: {vars: {x: 1, y: 2}, tags: [slow, eu], expect: {contains: x}}
        cases:
          - {id: a, vars: {y: 3}, tags: [eu, late]}
        """,
    )
    case = folder.cases()["a"]
    assert dict(case.vars) == {"x": 1, "y": 3}
    assert case.tags == ("slow", "eu", "late")


def test_rubrics_are_joined_and_the_one_of_the_case_wins(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        """
        suite: s
        defaults: {rubrics: [tone, {name: safety, pass_at: 3}]}
        cases:
          - {id: a, rubrics: [{name: tone, pass-at: 5}]}
        """,
    )
    assert [(use.name, use.pass_at) for use in folder.cases()["a"].rubrics] == [("safety", 3), ("tone", 5)]


@pytest.mark.parametrize(("own", "golden"), [("golden: false", 0), ("golden: other.md", 1), ("tags: x", 1)])
def test_any_other_key_of_the_case_wins(folder: Folder, own: str, golden: int) -> None:
    folder.write("a.yaml", f"suite: s\ndefaults: {{golden: true, rubrics: [tone]}}\ncases: [{{id: a, {own}}}]\n")
    assert len(folder.cases()["a"].checks) == golden


def test_keys_of_defaults_are_one_in_both_spellings(folder: Folder) -> None:
    folder.write(
        "a.yaml",
        "suite: s\ndefaults: {should-pass: false, expect: {contains: x}}\n"
        "cases: [{id: a}, {id: b, should_pass: true}]\n",
    )
    assert [case.should_pass for case in folder.cases().values()] == [False, True]


def test_cases_that_take_the_suites_checks_share_them(folder: Folder) -> None:
    folder.write("a.yaml", "suite: s\ndefaults: {expect: {contains: x}}\ncases: [{id: a}, {id: b}]\n")
    first, second = folder.cases().values()
    assert first.checks[0].check is second.checks[0].check


def test_each_case_has_a_golden_file_of_its_own(folder: Folder) -> None:
    folder.write("a.yaml", "suite: s\ndefaults: {expect: {golden: true}}\ncases: [{id: a}, {id: b}]\n")
    assert [case.checks[0].check.path.name for case in folder.cases().values()] == ["a.golden.md", "b.golden.md"]


def test_mistakes_of_defaults_are_told_once_with_their_lines(folder: Folder) -> None:
    said = folder.mistakes(
        """
        suite: s
        defaults:
          foo: 1
          should_pass: no
          expect:
            contian: x
            max_length: many
          rubrics:
            - nam: tone
          faux: {targt: x}
          config-dir: nowhere
        cases:
          - {id: a, output: x}
          - {id: b, outptu: x}
          - {id: c, expect: {contians: x}}
        """
    )
    assert [one.split(": ")[0] for one in said] == [f"a.yaml:{line}" for line in (3, 4, 6, 7, 9, 10, 11, 14, 15)]


def test_mistakes_of_defaults_name_the_suite_and_not_the_case_file(folder: Folder) -> None:
    folder.write("data/cases.jsonl", '{"id": "a"}\n{"id": "b", "outptu": "x", "expect": {"contian": "y"}}\n')
    said = folder.mistakes(
        """
        suite: s
        defaults:

          expect:
            contian: x
        cases: data/cases.jsonl
        """
    )
    assert [one.split(": ")[0] for one in said] == ["a.yaml:5", "data/cases.jsonl:2"]
    assert 'unknown check "contian"' in said[1]


def test_a_mistake_of_a_row_has_the_line_of_the_row_even_where_the_suite_gives_the_key(folder: Folder) -> None:
    folder.write("cases.csv", "id,trials,expect.max_length\na,0,3\nb,1,many\n")
    said = folder.mistakes("suite: s\ndefaults:\n\n\n\n  trials: 2\n  expect: {max_length: 5}\ncases: cases.csv\n")
    assert [one.split(": ")[0] for one in said] == ["cases.csv:2", "cases.csv:3"]


def test_an_unknown_column_of_a_case_file_is_no_mistake_but_a_variable(folder: Folder) -> None:
    folder.write("cases.jsonl", '{"id": "a", "outptu": "x"}\n')
    folder.write("a.yaml", "suite: s\ndefaults: {expect: {contains: x}}\ncases: cases.jsonl\n")
    assert dict(folder.cases()["a"].vars) == {"outptu": "x"}


def test_paths_of_defaults_start_at_the_suite_and_those_of_rows_at_their_file(folder: Folder) -> None:
    folder.write("s/schema.json", '{"type": "object"}')
    folder.write("s/report.txt", "of the suite")
    folder.write("s/agent/system-prompt.txt", "of the suite")
    folder.write("s/data/report.txt", "of the rows")
    folder.write("s/data/own.json", "{}")
    folder.write("s/strict.yaml", "name: strict\nquestion: Strict?\nlabels: {A: 1, B: 0}\n")
    folder.write(
        "s/data/cases.jsonl",
        '{"id": "a"}\n{"id": "b", "input": {"file": "report.txt"}, "expect": {"not_json_schema": "own.json"}}\n',
    )
    folder.write(
        "s/a.yaml",
        """
        suite: s
        defaults:
          config-dir: agent
          input: {file: report.txt}
          expect: {json_schema: schema.json}
          golden: golden.md
          rubrics: [./strict.yaml]
        cases: data/cases.jsonl
        """,
    )
    cases = folder.cases("s")
    assert [case.input for case in cases.values()] == ["of the suite", "of the rows"]
    assert [use.metric for use in cases["b"].checks] == ["json_schema", "not_json_schema", "golden"]
    assert cases["a"].checks[1].check.path == folder.path / "s" / "golden.md"
    assert cases["a"].agent_config is not None
    assert cases["a"].rubrics[0].file == "s/a.yaml"


def test_an_id_in_defaults_is_the_id_of_every_case(folder: Folder) -> None:
    said = folder.mistakes("suite: s\ndefaults: {id: x, expect: {contains: x}}\ncases: [{output: a}, {output: b}]\n")
    assert said == ['a.yaml:3: duplicate case id "x", first used in a.yaml:3.']


@pytest.mark.parametrize("defaults", ["[1]", "text", "12"])
def test_defaults_of_another_form_are_refused(folder: Folder, defaults: str) -> None:
    said = folder.mistakes(f"suite: s\ndefaults: {defaults}\ncases: [{{id: a, expect: {{contains: x}}}}]\n")
    assert said == ['a.yaml:2: "defaults" must be a mapping.']
