"""Outputs files, long and wide: what their rows say, and every mistake in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.records import Context, ToolCall
from judgekit.targets.recorded import Recording, cases_from, read_outputs

Folder = Any


def read(folder: Folder, text: str, *columns: str, name: str = "out.csv") -> list[Recording]:
    return read_outputs([(None, folder.write(name, text))], columns)


def mistakes(folder: Folder, text: str, *columns: str, name: str = "out.csv") -> list[str]:
    with pytest.raises(InputError) as caught:
        read(folder, text, *columns, name=name)
    return str(caught.value).split("\n")


def test_a_row_says_all_that_the_contract_names(folder: Folder) -> None:
    folder.rows(
        "out.jsonl",
        [
            {
                "case_id": "a",
                "output": "x",
                "variant": "v1",
                "trial": 2,
                "model": "m",
                "input": "q",
                "reference": "r",
                "context": [{"id": "p", "text": "c"}, "d"],
                "tool_calls": [{"name": "f", "args": {"x": 1}}],
                "finish_reason": "stop",
                "input_tokens": 3,
                "output_tokens": 4,
                "cost_usd": 0.5,
                "latency_s": 1.5,
                "tier": "gold",
            }
        ],
    )
    (row,) = read_outputs([(None, Path("out.jsonl"))])
    output = row.output
    assert (output.case_id, output.text, output.variant, output.trial) == ("a", "x", "v1", 2)
    assert (output.model, output.finish_reason, output.cost_usd, output.latency_s) == ("m", "stop", 0.5, 1.5)
    assert (output.usage.input_tokens, output.usage.output_tokens) == (3, 4)
    assert output.context == (Context("c", "p"), Context("d"))
    assert output.tool_calls == (ToolCall("f", {"x": 1}),)
    assert (row.input, row.reference, dict(row.vars)) == ("q", "r", {"tier": "gold"})


def test_what_is_not_said_is_unknown_and_not_zero(folder: Folder) -> None:
    (row,) = read(folder, "id,output,tool_calls,cost_usd,input_tokens\na,x,,,\n")
    output = row.output
    assert (output.tool_calls, output.cost_usd, output.usage.input_tokens, output.latency_s) == (None, None, None, None)


def test_no_tool_call_and_unknown_tool_calls_are_two_things(folder: Folder) -> None:
    rows = read(folder, '{"id": "a", "output": "x", "tool_calls": []}\n{"id": "b", "output": "x"}\n', name="o.jsonl")
    assert [row.output.tool_calls for row in rows] == [(), None]


def test_a_blank_cell_is_an_empty_output(folder: Folder) -> None:
    (row,) = read(folder, "id,output\na,\n")
    assert (row.output.text, row.output.cause) == ("", None)


def test_a_row_without_the_key_holds_no_output(folder: Folder) -> None:
    rows = read(folder, '{"id": "a", "output": "x"}\n{"id": "b"}\n{"id": "c", "output": null}\n', name="o.jsonl")
    assert [row.output.cause for row in rows] == [None, "no_output", "no_output"]


def test_a_blank_output_with_a_cause_is_a_failed_call(folder: Folder) -> None:
    (row,) = read(folder, "id,output,cause,message\na,,timeout,too slow\n")
    assert (row.output.text, row.output.cause, row.output.message) == (None, "timeout", "too slow")


@pytest.mark.parametrize(
    "cell",
    [
        '[{"name": "f", "args": {"x": 1}}]',
        '[{"name": "f", "arguments": "{\\"x\\": 1}"}]',
        '[{"id": "", "type": "function", "function": {"name": "f", "arguments": "{\\"x\\": 1}"}}]',
        '[{"function": {"name": "f", "arguments": {"x": 1}}}]',
    ],
)
def test_tool_calls_in_both_forms(folder: Folder, cell: str) -> None:
    (row,) = read(folder, json.dumps({"id": "a", "output": "x", "tool_calls": json.loads(cell)}), name="o.jsonl")
    assert row.output.tool_calls == (ToolCall("f", {"x": 1}),)


@pytest.mark.parametrize(
    "calls",
    ["x", '{"name": "f"}', '["f"]', '[{"args": {}}]', '[{"name": "f", "arguments": "{"}]', '[{"name": 3}]', "3"],
)
def test_tool_calls_in_no_form_are_refused(folder: Folder, calls: str) -> None:
    cell = calls.replace('"', '""')
    (said,) = mistakes(folder, f'id,output,tool_calls\na,x,"{cell}"\n')
    assert said.startswith("out.csv:2: ")


@pytest.mark.parametrize("column", ["input_tokens", "output_tokens", "trial", "cost_usd", "latency_s"])
@pytest.mark.parametrize("cell", ["many", "-1", "nan", "inf", "1e999", "1,5", "true", "0x1F"])
def test_a_figure_that_is_none_is_refused(folder: Folder, column: str, cell: str) -> None:
    (said,) = mistakes(folder, f'id,output,{column}\na,x,"{cell}"\n')
    assert said.startswith(f'out.csv:2: "{column}" must be a')


@pytest.mark.parametrize("value", ["true", "[1]", '{"a": 1}', "1" + "0" * 400, '"x"'])
def test_a_json_figure_that_is_none_is_refused(folder: Folder, value: str) -> None:
    (said,) = mistakes(folder, f'{{"id": "a", "output": "x", "cost_usd": {value}}}', name="o.jsonl")
    assert said.startswith('o.jsonl:1: "cost_usd" must be a number')


def test_a_count_is_whole(folder: Folder) -> None:
    assert read(folder, "id,output,trial\na,x,1.0\n")[0].output.trial == 1
    assert '"trial" must be a whole number' in mistakes(folder, "id,output,trial\na,x,1.5\n")[0]


def test_all_mistakes_of_all_files_come_at_once(folder: Folder) -> None:
    first = folder.write("a.csv", "id,output,trial\na,x,one\nb,x,two\n")
    second = folder.write("b.jsonl", '{"id": }\n')
    with pytest.raises(InputError) as caught:
        read_outputs([(None, first), ("v2", second), ("v3", Path("nothing.csv"))])
    said = str(caught.value)
    assert all(part in said for part in ("a.csv:2", "a.csv:3", "b.jsonl:1", "nothing.csv: no such outputs file"))


def test_a_second_output_for_the_same_is_refused_with_both_lines(folder: Folder) -> None:
    assert mistakes(folder, "id,output\na,x\nb,y\na,z\n") == [
        'out.csv:4: a second output for case "a", variant "default", trial 0; the first is in out.csv:2.'
    ]


def test_trials_and_variants_tell_outputs_apart(folder: Folder) -> None:
    rows = read(folder, "id,output,variant,trial\na,x,v1,0\na,y,v1,1\na,z,v2,0\n")
    assert [(row.output.variant, row.output.trial) for row in rows] == [("v1", 0), ("v1", 1), ("v2", 0)]


def test_a_file_named_for_a_variant_is_that_variants(folder: Folder) -> None:
    folder.write("out.csv", "id,output,variant\na,x,other\n")
    (row,) = read_outputs([("v9", Path("out.csv"))])
    assert row.output.variant == "v9"


def test_a_long_file_is_renamed(folder: Folder) -> None:
    (row,) = read(folder, "key,question,answer\na,q,x\n", "id=key", "input=question", "output=answer")
    assert (row.output.case_id, row.input, row.output.text, dict(row.vars)) == ("a", "q", "x", {})


def test_a_wide_file_is_renamed(folder: Folder) -> None:
    rows = read(folder, "id,input,old,new,tier\na,q,x,y,gold\n", "output:v1=old", "output:v2=new")
    assert [(row.output.variant, row.output.text) for row in rows] == [("v1", "x"), ("v2", "y")]
    assert dict(rows[0].vars) == {"tier": "gold"}


def test_one_column_may_serve_twice(folder: Folder) -> None:
    (row,) = read(folder, "question,output\nq,x\n", "id=question", "input=question")
    assert (row.output.case_id, row.input) == ("q", "q")


def test_a_renamed_column_wins_over_one_that_has_the_name(folder: Folder) -> None:
    for header in ("input,question", "question,input"):
        cells = "old,new" if header.startswith("input") else "new,old"
        (row,) = read(folder, f"id,output,{header}\na,x,{cells}\n", "input=question")
        assert row.input == "new"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (["input"], "write OURS=THEIRS"),
        (["=question"], "unknown column"),
        (["inptu=question"], 'Did you mean "input"?'),
        (["input:v1=question"], "write OURS=THEIRS"),
        (["output:=question"], "a variant is missing"),
        (["input=questoin"], 'Did you mean "question"?'),
        (["input=question", "input=output"], "is given twice"),
        (["output:v1=question", "output:v1=output"], "is given twice"),
    ],
)
def test_a_wrong_renaming_is_refused(folder: Folder, columns: list[str], said: str) -> None:
    assert said in mistakes(folder, "id,question,output\na,q,x\n", *columns)[0]


def test_a_file_without_outputs_says_how_to_name_them(folder: Folder) -> None:
    (said,) = mistakes(folder, "id,answer\na,x\n")
    assert "there is no column `output`; its columns are answer, id" in said
    assert "--map output=COLUMN" in said


def test_a_renaming_can_take_the_outputs_away(folder: Folder) -> None:
    assert "there is no column `output`" in mistakes(folder, "id,output\na,x\n", "input=output")[0]


@pytest.mark.parametrize("text", ["", "id,output\n"])
def test_an_empty_file_is_refused(folder: Folder, text: str) -> None:
    assert mistakes(folder, text) == ["out.csv: holds no outputs."]


def test_a_row_without_id_and_input_is_refused(folder: Folder) -> None:
    (said,) = mistakes(folder, "id,output\n,x\n")
    assert said == "out.csv:2: a row needs a `case_id`, or an `input` to make one from."


@pytest.mark.parametrize("columns", ["input,output,tier", ",input,output,tier"])
def test_an_id_made_from_the_row_does_not_depend_on_its_place(folder: Folder, columns: str) -> None:
    rows = ["q1,x,gold", "q2,y,gold", "q1,x,silver"]
    if columns.startswith(","):
        # The row numbers that pandas writes are no part of what is asked.
        numbered = [f"{n},{row}" for n, row in enumerate(rows)]
        turned = [f"{n},{row}" for n, row in enumerate(reversed(rows))]
    else:
        numbered, turned = rows, list(reversed(rows))
    forward = [row.output.case_id for row in read(folder, "\n".join([columns, *numbered]))]
    backward = [row.output.case_id for row in read(folder, "\n".join([columns, *turned]))]
    assert len(set(forward)) == 3
    assert forward == list(reversed(backward))


def test_an_id_made_from_the_row_changes_with_what_is_asked(folder: Folder) -> None:
    same = {"input": "q", "output": "x"}
    folder.rows("o.jsonl", [same, {**same, "context": "c"}, {**same, "vars": {"a": 1}}, {**same, "input": "Q"}])
    rows = read_outputs([(None, Path("o.jsonl"))])
    assert len({row.output.case_id for row in rows}) == 4


def test_an_id_made_from_the_row_does_not_change_with_the_answer(folder: Folder) -> None:
    rows = read(folder, "input,output,variant,latency_s\nq,x,v1,1\nq,y,v2,2\n")
    assert rows[0].output.case_id == rows[1].output.case_id


def test_cells_are_text(folder: Folder) -> None:
    (row,) = read(folder, "id,output,n\n007,1.10,012\n")
    assert (row.output.case_id, row.output.text, row.vars["n"]) == ("007", "1.10", "012")


def test_json_outputs_that_are_no_text_become_their_json(folder: Folder) -> None:
    rows = read(folder, '{"id": 1, "output": {"a": [1]}}\n{"id": 2, "output": true}\n', name="o.jsonl")
    assert [(row.output.case_id, row.output.text) for row in rows] == [("1", '{"a": [1]}'), ("2", "true")]


@pytest.mark.parametrize("cell", ["[1] See page 4", "[" * 100_000, "{not json}", "[" * 300 + "]" * 300])
def test_context_that_looks_like_json_is_text(folder: Folder, cell: str) -> None:
    (row,) = read(folder, f'id,output,context\na,x,"{cell}"\n')
    assert row.context == (Context(cell),)


def test_flags_are_divided_by_semicolons(folder: Folder) -> None:
    assert read(folder, "id,output,flags\na,x,retried;cut\n")[0].output.flags == ("retried", "cut")


@pytest.mark.parametrize(("column", "cell"), [("transcript", "hello"), ("vars", "hello"), ("vars", '"[1]"')])
def test_a_nested_column_of_another_form_is_refused(folder: Folder, column: str, cell: str) -> None:
    (said,) = mistakes(folder, f"id,output,{column}\na,x,{cell}\n")
    assert said.startswith(f"out.csv:2: `{column}` must be a")


def test_parquet_is_read(folder: Folder) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    table = pyarrow.table({"case_id": ["a", "b"], "output": ["x", ""], "trial": [0, 0], "cost_usd": [0.5, None]})
    parquet.write_table(table, folder.path / "o.parquet")
    rows = read_outputs([(None, Path("o.parquet"))])
    assert [(row.output.text, row.output.cost_usd) for row in rows] == [("x", 0.5), ("", None)]


def test_a_file_of_another_kind_is_refused(folder: Folder) -> None:
    assert 'not in ".txt"' in mistakes(folder, "x", name="o.txt")[0]


def test_cases_are_made_in_order_of_first_appearance(folder: Folder) -> None:
    rows = read(folder, "id,input,output,variant,reference,tier\nb,q2,x,v1,r,gold\na,q1,x,v1,,\nb,q2,y,v2,r,gold\n")
    cases = cases_from(rows)
    assert [case.case_id for case in cases] == ["b", "a"]
    assert (cases[0].input, cases[0].reference, cases[0].suite, cases[0].vars["tier"]) == ("q2", "r", "out", "gold")


def test_one_id_with_two_inputs_is_refused(folder: Folder) -> None:
    rows = read(folder, "id,input,output,variant\na,q1,x,v1\na,q2,y,v2\n")
    with pytest.raises(InputError, match=r'out\.csv:3: case "a" has another input than in out\.csv:2'):
        cases_from(rows)


def test_a_renamed_column_that_is_not_there_is_told_with_those_that_are(folder: Folder) -> None:
    assert mistakes(folder, "id,answer\na,x\n", "output=anser") == [
        'out.csv: --map: there is no column "anser"; its columns are answer, id. Did you mean "answer"?'
    ]
