"""Cases in CSV and JSONL files: cells are text, headers set keys, the rest are variables."""

from __future__ import annotations

import json
from typing import Any

import pytest

Folder = Any

SUITE = "suite: s\ndefaults: {expect: {max_length: 99999}}\ncases: "


def case(folder: Folder, header: str, row: str) -> Any:
    folder.write("cases.csv", f"id,{header}\na,{row}\n")
    folder.write("a.yaml", SUITE + "cases.csv\n")
    return folder.cases()["a"]


def mistakes_of(folder: Folder, name: str, text: str) -> list[str]:
    folder.write(name, text)
    found: list[str] = folder.mistakes(SUITE + name + "\n")
    return found


def row(folder: Folder, **cells: Any) -> Any:
    folder.write("cases.jsonl", json.dumps({"id": "a", **cells}))
    folder.write("a.yaml", SUITE + "cases.jsonl\n")
    return folder.cases()["a"]


def check(found: Any, metric: str) -> Any:
    (value,) = [use.check.value for use in found.checks if use.metric == metric]
    return value


def test_unknown_columns_are_variables_and_stay_text(folder: Folder) -> None:
    found = case(folder, "tier,n,flag,empty", "gold,007,true,")
    assert dict(found.vars) == {"tier": "gold", "n": "007", "flag": "true", "empty": ""}


def test_ids_keep_their_zeros(folder: Folder) -> None:
    folder.write("cases.csv", "id,input\n007,x\n7,y\n1e3,z\n")
    folder.write("a.yaml", SUITE + "cases.csv\n")
    assert list(folder.cases()) == ["007", "7", "1e3"]


def test_dotted_headers_set_keys_inside(folder: Folder) -> None:
    found = case(folder, "expect.contains,expect.max-length,expect.not-contains,vars.tier", "x;y,500,z,gold")
    assert check(found, "contains") == ("x", "y")
    assert check(found, "max_length") == 500
    assert check(found, "not_contains") == ("z",)
    assert dict(found.vars) == {"tier": "gold"}


def test_a_list_may_be_json(folder: Folder) -> None:
    assert check(case(folder, "expect.contains", '"[""a; b"", ""c""]"'), "contains") == ("a; b", "c")


@pytest.mark.parametrize("cell", ["[1]", "[see above]", "[12, 13]", "{x}", "no", "1.10", "[[1]]"])
def test_a_cell_that_only_looks_like_a_list_is_text(folder: Folder, cell: str) -> None:
    assert check(case(folder, "expect.contains", f'"{cell}"'), "contains") == (cell,)


def test_a_regular_expression_is_not_split(folder: Folder) -> None:
    assert check(case(folder, "expect.starts-with", "a"), "starts_with") == ("a",)
    assert case(folder, "expect.max_length", "5").checks[0].check.value == 5


def test_blank_cells_of_keys_say_nothing(folder: Folder) -> None:
    found = case(folder, "tags,trials,reference,expect.contains,should_pass", " ,,,  ,")
    assert (found.tags, found.trials, found.reference, found.should_pass) == ((), None, None, True)
    assert [use.metric for use in found.checks] == ["max_length"]


def test_a_blank_output_is_an_empty_output(folder: Folder) -> None:
    assert case(folder, "output,input", ",x").output == ""


def test_lists_of_keys_are_split_or_json(folder: Folder) -> None:
    found = case(folder, "tags,turns,rubrics", 'slow; eu ;,"[""Hi; there"", ""Bye""]",tone;safety')
    assert found.tags == ("slow", "eu")
    assert found.turns == ("Hi; there", "Bye")
    assert [use.name for use in found.rubrics] == ["tone", "safety"]


def test_a_whole_mapping_of_checks_may_be_json(folder: Folder) -> None:
    found = case(folder, "expect", '"{""contains"": [""x""], ""max_length"": 3}"')
    assert {use.metric: use.check.value for use in found.checks} == {"max_length": 3, "contains": ("x",)}


@pytest.mark.parametrize(
    "cell", ['{""price"": 4}', "[1, 2]", '[{""price"": 4}]', "[1] First, [2] second", "plain", "[" * 1000]
)
def test_evidence_may_itself_be_json(folder: Folder, cell: str) -> None:
    found = case(folder, "context", f'"{cell}"')
    assert [one.text for one in found.context] == [cell.replace('""', '"')]


def test_evidence_in_pieces_is_json(folder: Folder) -> None:
    found = case(folder, "context", '"[{""id"": ""p1"", ""text"": ""x""}, ""y""]"')
    assert [(one.id, one.text) for one in found.context] == [("p1", "x"), (None, "y")]


def test_a_scripted_reply_may_itself_be_json(folder: Folder) -> None:
    assert case(folder, "faux", '"{""triples"": []}"').faux_target == ('{"triples": []}',)
    assert case(folder, "faux", '"[""one"", ""two""]"').faux_target == ("one", "two")
    assert case(folder, "faux", '"{""judge"": {""tone"": [""4""]}}"').faux_judge == {"tone": ("4",)}


def test_text_keys_are_never_read_as_json(folder: Folder) -> None:
    found = case(folder, "input,output,reference", '"[1]","{""a"": 1}","[""x""]"')
    assert (found.input, found.output, found.reference) == ("[1]", '{"a": 1}', '["x"]')


def test_byte_order_mark_and_windows_line_ends_are_no_content(folder: Folder) -> None:
    (folder.path / "cases.csv").write_bytes("\ufeffid,input,tier\r\na,x,gold\r\n".encode())
    folder.write("a.yaml", SUITE + "cases.csv\n")
    found = folder.cases()["a"]
    assert (found.input, dict(found.vars)) == ("x", {"tier": "gold"})


def test_a_long_cell_is_kept(folder: Folder) -> None:
    assert len(case(folder, "input", "x" * 200_000).input) == 200_000


def test_a_deep_cell_is_text(folder: Folder) -> None:
    assert case(folder, "vars.x", "[" * 100_000).vars["x"] == "[" * 100_000


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("should-pass,should_pass", "true,"),
        ("expect.max-length,expect.max_length", "1,2"),
        ("config_dir,config-dir", "x,y"),
    ],
)
def test_two_spellings_of_a_column_are_a_duplicate(folder: Folder, header: str, cells: str) -> None:
    (said,) = mistakes_of(folder, "cases.csv", f"id,{header}\na,{cells}\nb,{cells}\n")
    assert said.startswith("cases.csv:1: duplicate column: ")


@pytest.mark.parametrize("cells", ['"none",x', '"hello",x'])
def test_a_key_and_a_part_of_it_exclude_each_other(folder: Folder, cells: str) -> None:
    (said,) = mistakes_of(folder, "cases.csv", f"id,expect,expect.contains\na,{cells}\n")
    assert said == 'cases.csv:2: "expect" and "expect.contains" exclude each other; leave one of them blank.'


def test_some_rows_may_be_only_to_read(folder: Folder) -> None:
    folder.write("cases.csv", "id,expect,expect.contains\na,none,\nb,,x\n")
    folder.write("a.yaml", "suite: s\ncases: cases.csv\n")
    assert [found.no_expectation for found in folder.cases().values()] == [True, False]


def test_a_mistake_in_a_row_names_file_and_line(folder: Folder) -> None:
    folder.write("cases.csv", 'id,input,expect.max_length\na,"two\nlines",5\nb,x,many\n')
    said = folder.mistakes("suite: s\ncases: cases.csv\n")
    assert len(said) == 1
    assert said[0].startswith('cases.csv:4: "max_length"')


def test_mistakes_of_all_rows_come_at_once(folder: Folder) -> None:
    said = mistakes_of(
        folder, "cases.jsonl", '{"id": "a", "trials": 0}\n\n{"input": "x"}\n{"id": "c", "expect": {"contian": "x"}}\n'
    )
    assert [one.split(": ")[0] for one in said] == ["cases.jsonl:1", "cases.jsonl:3", "cases.jsonl:4"]


def test_json_null_says_nothing(folder: Folder) -> None:
    found = row(folder, tags=None, reference=None, trials=None, output=None, context=None)
    assert (found.tags, found.reference, found.output, found.context) == ((), None, None, None)


def test_json_values_are_text_where_text_is_wanted(folder: Folder) -> None:
    folder.write("cases.jsonl", '{"id": 7, "input": 1.5, "reference": true}\n')
    folder.write("a.yaml", SUITE + "cases.jsonl\n")
    (found,) = folder.cases().values()
    assert (found.case_id, found.input, found.reference) == ("7", "1.5", "true")


def test_json_rows_may_use_dotted_keys_too(folder: Folder) -> None:
    found = row(folder, **{"expect.contains": ["x"], "vars.a": 1, "vars": {"b": 2}, "c": [3]})
    assert check(found, "contains") == ("x",)
    assert dict(found.vars) == {"a": 1, "b": 2, "c": [3]}


def test_variables_of_another_form_are_refused(folder: Folder) -> None:
    (said,) = mistakes_of(folder, "cases.jsonl", '{"id": "a", "vars": "x", "tier": 1}\n')
    assert said == 'cases.jsonl:1: "vars" must be a mapping.'


def test_a_json_list_as_case_is_refused(folder: Folder) -> None:
    (said,) = mistakes_of(folder, "cases.jsonl", '["a"]\n')
    assert said == "cases.jsonl:1: line 1 must be a JSON object in braces."


def test_a_file_without_rows_is_no_suite(folder: Folder) -> None:
    assert mistakes_of(folder, "cases.csv", "id,input\n") == ["a.yaml:3: no scenarios: cases.csv is empty."]


def test_a_missing_file_is_named(folder: Folder) -> None:
    assert folder.mistakes(SUITE + "nothing.csv\n")[0] == "nothing.csv: no such case file."
