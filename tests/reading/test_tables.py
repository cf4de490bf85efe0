"""Tables as people and spreadsheets save them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.reading.tables import parse_cell, parse_csv, parse_json, parse_jsonl, read_table


def saying(act: Callable[[str], object], text: str) -> str:
    with pytest.raises((InputError, ValueError)) as caught:
        act(text)
    return str(caught.value)


def test_cells_are_text() -> None:
    assert parse_csv("id,n,b\n007,1e3,true\n") == [(2, {"id": "007", "n": "1e3", "b": "true"})]


def test_a_cell_of_several_lines_counts_its_lines() -> None:
    assert [line for line, _ in parse_csv('id,text\na,"one\ntwo\nthree"\nb,x\n')] == [2, 5]


def test_windows_line_ends_stay_outside_the_cells() -> None:
    assert parse_csv("id,text\r\na,x\r\n") == [(2, {"id": "a", "text": "x"})]


def test_a_long_cell_is_kept_whole() -> None:
    assert len(parse_csv("id,text\na," + "x" * 300_000)[0][1]["text"]) == 300_000


def test_a_column_without_a_name_is_left_out() -> None:
    # The row number of pandas in front, and the empty columns of a spreadsheet behind.
    assert parse_csv(",id,text,,\n0,a,x,,\n1,b,y,,\n") == [
        (2, {"id": "a", "text": "x"}),
        (3, {"id": "b", "text": "y"}),
    ]


def test_a_column_given_twice_is_a_mistake() -> None:
    assert 'duplicate column "id"' in saying(parse_csv, "id,text,id\na,x,b\n")


def test_every_row_of_another_length_is_named() -> None:
    said = saying(parse_csv, 'id,note\nr1,{"a": 1, "b": 2}\nr2,x\nr3\n')
    assert "line 2 has 3 cells, the header has 2" in said
    assert "line 4 has 1 cells, the header has 2" in said


def test_blank_lines_are_skipped_and_counted() -> None:
    assert parse_jsonl('{"a": 1}\n\n \r\n{"b": 2}\r\n') == [(1, {"a": 1}), (4, {"b": 2})]


def test_every_bad_line_is_named() -> None:
    said = saying(parse_jsonl, '{"a": }\n[1]\n{"a": 1}\n{"a": NaN}\n{"a": 1, "a": 2}\n')
    assert [f"line {n}" in said for n in range(1, 6)] == [True, True, False, True, True]


def test_line_separators_inside_a_json_text_end_no_line() -> None:
    assert parse_jsonl('{"a": "x\u2028y\u0085z"}') == [(1, {"a": "x\u2028y\u0085z"})]


@pytest.mark.parametrize("depth", [150, 600, 100_000])
def test_a_row_nested_without_sense_is_a_mistake(depth: int) -> None:
    assert "nested too deeply" in saying(parse_jsonl, '{"a": ' + "[" * depth + "]" * depth + "}")


def test_lone_surrogates_become_the_replacement_character() -> None:
    assert parse_json('{"a\\ud800": ["\\udc00", "\\ud83d\\ude00"]}') == {"a\ufffd": ["\ufffd", "😀"]}


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", '{"a": 1, "a": 1}', "", "{", "[1,]", "1" * 5000])
def test_json_is_strict(text: str) -> None:
    assert saying(parse_json, text)


@pytest.mark.parametrize("text", ["[1", "{x}", "[" * 100_000, "[" * 200 + "]" * 200, "plain", "", "12"])
def test_a_cell_that_is_no_list_or_mapping_is_text(text: str) -> None:
    assert parse_cell(text) == text


def test_a_byte_order_mark_belongs_to_no_column(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes(b"\xef\xbb\xbfid,text\r\na,x\r\n")
    assert read_table(file)[0][1] == {"id": "a", "text": "x"}


def test_parquet_values_keep_their_types(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    file = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.table({"id": ["a"], "n": [1], "calls": [[{"name": "f"}]]}), file)
    assert read_table(file) == [(1, {"id": "a", "n": 1, "calls": [{"name": "f"}]})]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_missing_file_says_what_was_wanted(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"no such outputs file"):
        read_table(tmp_path / name, what="outputs file")


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'not in "\.xlsx"'):
        read_table(tmp_path / "a.xlsx")


def test_a_file_that_is_not_utf_8_names_line_and_byte(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_bytes("id,text\na,ok\nb,Café\n".encode("cp1252"))
    with pytest.raises(InputError, match=r"a\.csv:3: not UTF-8 \(byte 0xe9\)"):
        read_table(file)


def test_garbage_called_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "a.parquet"
    file.write_bytes(b"\x00\x01" * 100)
    with pytest.raises(InputError, match="not readable as Parquet"):
        read_table(file)


def test_a_name_that_no_file_can_have_is_an_input_error() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_table(Path("a\x00b.csv"))


def test_a_file_read_is_the_file_written(tmp_path: Path) -> None:
    rows = [{"id": f"c{n}", "text": text} for n, text in enumerate(['"', ",", "\n", "é", "‮", "=1+1", "  "])]
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    assert [row for _, row in read_table(file)] == rows


@pytest.mark.parametrize(("what", "said"), [("outputs file", "an outputs file ends in"), ("case file", "a case file")])
def test_the_article_fits_what_was_wanted(tmp_path: Path, what: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_table(tmp_path / "a.xlsx", what=what)


def test_a_folder_is_no_table(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder, an outputs file is wanted"):
        read_table(tmp_path, what="outputs file")
