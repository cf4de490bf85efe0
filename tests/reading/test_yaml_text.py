"""YAML as users write it: text stays text, and every mistake has its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.reading.forms import as_text
from judgekit.reading.yaml_text import line_of, parse_yaml, read_yaml


def mistakes(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_yaml(text, file="a.yaml")
    return str(caught.value).split("\n")


def test_only_true_and_false_are_booleans() -> None:
    (document,) = parse_yaml("[true, false, yes, no, on, off, True, FALSE, y]")
    assert document == [True, False, "yes", "no", "on", "off", "True", "FALSE", "y"]


def test_keys_are_text() -> None:
    (document,) = parse_yaml("no: 1\non: 2\ntrue: 3\n1.10: 4\n~: 5")
    assert list(document) == ["no", "on", "true", "1.10", "~"]


@pytest.mark.parametrize(
    "written", ["1.10", "012", "1e3", "+5", "0x1F", ".5", "1_000", "12:30", "2024-01-01", "1.", "-0", "007", "1e400"]
)
def test_a_number_is_text_again_as_it_was_written(written: str) -> None:
    (document,) = parse_yaml(f"a: {written}")
    assert as_text(document["a"]) == written


def test_dates_and_leading_zeros_are_text() -> None:
    (document,) = parse_yaml("[2024-01-01, 012, 12:30:00]")
    assert document == ["2024-01-01", "012", "12:30:00"]


def test_a_number_of_thousands_of_digits_is_text() -> None:
    digits = "9" * 5000
    assert parse_yaml(f"a: {digits}") == [{"a": digits}]


def test_a_duplicate_key_names_both_lines() -> None:
    assert mistakes("id: a\nexpect: 1\ntags: x\nexpect: 2") == [
        'a.yaml:4: duplicate key "expect", first given on line 2.'
    ]


def test_every_duplicate_key_is_told() -> None:
    assert len(mistakes("a: 1\na: 2\nb:\n  c: 1\n  c: 2\n---\nd: 1\nd: 2")) == 3


def test_merge_keys_give_way_to_own_keys() -> None:
    (document,) = parse_yaml("base: &b {x: 1, y: 2}\nown:\n  <<: *b\n  y: 3")
    assert document["own"] == {"x": 1, "y": 3}


def test_earlier_sources_of_a_merge_list_win() -> None:
    (document,) = parse_yaml("a: &a {x: 1}\nb: &b {x: 2, y: 2}\nown: {<<: [*a, *b]}")
    assert document["own"] == {"x": 1, "y": 2}


def test_a_merged_key_keeps_the_line_where_it_was_written() -> None:
    (document,) = parse_yaml("base: &b\n  x: 1\nown:\n  <<: *b\n  y: 3")
    assert line_of(document, ("own", "x")) == 2


def test_merging_something_else_is_a_mistake() -> None:
    assert mistakes("a: 1\nb:\n  <<: [1]") == ["a.yaml:3: `<<` takes a mapping or a list of mappings."]


@pytest.mark.parametrize("text", ["a: &x {b: *x}", "a: &x [*x]", "a: &x\n  b:\n    c: [*x]"])
def test_an_alias_inside_its_own_value_is_a_mistake(text: str) -> None:
    assert "an alias stands inside the value that it names" in mistakes(text)[0]


def test_an_alias_used_twice_is_fine() -> None:
    (document,) = parse_yaml("a: &x [1]\nb: *x\nc: *x")
    assert document["b"] == document["c"] == [1]


def test_aliases_of_aliases_do_not_fill_the_memory() -> None:
    # 10 ** 9 values, written in ten lines.
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert "its aliases stand for more than" in mistakes("\n".join(lines))[0]


@pytest.mark.parametrize("depth", [150, 900, 100_000])
def test_deep_nesting_is_a_mistake(depth: int) -> None:
    assert "nest" in mistakes("a: " + "[" * depth + "]" * depth)[0]


@pytest.mark.parametrize("text", ["a: !foo {b: 1}", "a: !!set {b}", "a: !!bool yes", "a: !!int x", "a: !!binary aGk="])
def test_tags_are_mistakes_with_a_line(text: str) -> None:
    assert mistakes(f"z: 1\n{text}")[0].startswith("a.yaml:2: the tag !")


def test_a_key_that_is_no_text_is_a_mistake() -> None:
    assert mistakes("a: 1\n? [b]\n: 2") == ["a.yaml:2: a key must be text."]


def test_broken_yaml_names_its_line() -> None:
    assert mistakes("a: 1\nb: [1,\n")[0].startswith("a.yaml:3: not valid YAML")


def test_control_characters_name_their_line() -> None:
    assert mistakes("a: 1\nb: \x00")[0].startswith("a.yaml:2: not valid YAML")


def test_empty_documents_are_left_out() -> None:
    assert parse_yaml("---\n---\na: 1\n---\n# nothing\n") == [{"a": 1}]


def test_a_byte_order_mark_and_windows_line_ends_are_no_content(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfid: a\r\ninput: |\r\n  x\r\n")
    assert read_yaml(file) == [{"id": "a", "input": "x\n"}]


def test_the_line_of_a_nested_value() -> None:
    (document,) = parse_yaml("a:\n  b:\n    - x\n    - y: 1\n      z-z: 2")
    assert [line_of(document, path) for path in (("a",), ("a", "b", 0), ("a", "b", 1, "z_z"))] == [1, 3, 5]


def test_the_line_of_a_key_that_is_missing_is_that_of_its_mapping() -> None:
    (document,) = parse_yaml("x: 1\na:\n  b: 1")
    assert line_of(document, ("a", "nothing")) == 2
