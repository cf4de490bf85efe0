"""Forms filled from what users wrote: kept as written, or every mistake in plain words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from pydantic import Field

from judgekit.reading.entries import RubricList, TrialsEntry, Variant
from judgekit.reading.forms import Bool, Form, Text, TextList, Whole, as_bool, as_exact, as_text, as_text_list, fill
from judgekit.reading.yaml_text import parse_yaml


class PieceForm(Form):
    text: Text
    note_it: Bool = False


class Sample(Form):
    name: Text
    words: TextList = ()
    is_on: Bool = False
    count: Whole = 1
    pieces: tuple[PieceForm | Text, ...] | PieceForm | Text | None = Field(None, union_mode="left_to_right")
    trials: TrialsEntry | None = None
    rubrics: RubricList = ()
    variants: dict[str, Variant] = Field(default_factory=dict)


def filled(text: str) -> Sample:
    form, complaints = fill(Sample, parse_yaml(text)[0], file="a.yaml")
    assert form is not None, complaints
    return form


def mistakes(text: str) -> list[str]:
    form, complaints = fill(Sample, parse_yaml(text)[0], file="a.yaml")
    assert form is None
    return [str(one) for one in complaints]


def test_a_list_of_texts_keeps_what_was_written() -> None:
    assert filled("name: a\nwords: [no, 1.10, 012, 2024-01-01, true, 1e3]").words == (
        "no",
        "1.10",
        "012",
        "2024-01-01",
        "true",
        "1e3",
    )


def test_one_text_is_a_list_of_one() -> None:
    assert filled("name: a\nwords: no").words == ("no",)


@pytest.mark.parametrize("written", ["~", "null", ""])
def test_nothing_in_a_list_of_texts_is_refused_with_what_to_write(written: str) -> None:
    (said,) = mistakes(f"name: a\nwords: [x, {written or '~'}]")
    assert (
        said == 'a.yaml:2: "words" is empty (null); write "" for an empty text, and the words "null" and "~" in quotes.'
    )


@pytest.mark.parametrize("word", ["yes", "no", "on", "off", "True", "1", "0", "y", '""', "~", "[true]"])
def test_no_other_word_is_a_boolean(word: str) -> None:
    (said,) = mistakes(f"name: a\nis_on: {word}")
    assert said.startswith('a.yaml:2: "is_on" must be true or false, not ')


def test_true_as_text_is_a_boolean_because_cells_are_text() -> None:
    assert (as_bool("true"), as_bool("false")) == (True, False)


def test_hyphen_and_underscore_are_one_key() -> None:
    assert filled("name: a\nis-on: true").is_on is True


def test_both_spellings_of_a_key_are_a_duplicate_on_the_line_of_the_second() -> None:
    assert mistakes("name: a\nis-on: true\nis_on: false") == [
        'a.yaml:3: "is_on" is a duplicate key: hyphen and underscore are the same.'
    ]


def test_a_duplicate_key_does_not_hide_other_mistakes() -> None:
    assert len(mistakes("nam: a\nis-on: true\nis_on: false\ncount: x")) == 4  # nam, name missing, is_on, count


def test_both_spellings_inside_a_nested_form_are_a_duplicate_on_their_line() -> None:
    assert mistakes("name: a\npieces:\n  - text: x\n    note-it: true\n    note_it: true")[0].startswith(
        'a.yaml:5: "pieces.0.note_it" is a duplicate key'
    )


def test_an_unknown_key_gets_its_line_and_the_closest_one() -> None:
    assert mistakes("name: a\nword: x") == ['a.yaml:2: unknown key "word". Did you mean "words"?']


@pytest.mark.parametrize("key", ["foo[0]", "a(b)", "int", "str", "PieceForm", "…", "‮x"])
def test_an_unknown_key_may_look_like_anything(key: str) -> None:
    assert f'unknown key "{key}"' in mistakes(f'name: a\n"{key}": 1')[0]


def test_an_unknown_key_of_a_nested_form_gets_its_own_line() -> None:
    assert mistakes("name: a\npieces:\n  - text: x\n  - text: y\n    notes-it: true") == [
        'a.yaml:5: unknown key "notes-it". Did you mean "note_it"?'
    ]


def test_a_mapping_is_measured_by_the_form_and_not_by_the_other_choices() -> None:
    assert mistakes("name: a\npieces: {txt: x}") == [
        'a.yaml:2: "pieces.text" is missing.',
        'a.yaml:2: unknown key "txt". Did you mean "text"?',
    ]


def test_a_list_is_measured_as_a_list() -> None:
    assert mistakes("name: a\npieces: [{text: [x]}]") == ['a.yaml:2: "pieces.0.text" must be text, not a list.']


def test_all_mistakes_come_at_once_in_the_order_of_their_lines() -> None:
    said = mistakes("nam: a\nwords: {x: 1}\nis_on: maybe\ncount: -1")
    assert len(said) == 5
    assert {one.partition(": ")[0] for one in said} == {"a.yaml:1", "a.yaml:2", "a.yaml:3", "a.yaml:4"}


def test_a_path_in_a_message_keeps_its_dots() -> None:
    class Strict(Form):
        word: Bool

    _, complaints = fill(Strict, {"word": "../up..yaml"}, file="a.yaml")
    assert '"../up..yaml"' in str(complaints[0])


@pytest.mark.parametrize("key", ["rubrics", "variants", "words"])
def test_a_key_left_empty_says_so(key: str) -> None:
    assert "is empty" in mistakes(f"name: a\n{key}:")[0]


@pytest.mark.parametrize("value", ["0", "-1", "2.5", "true", "x", "1e3", '""', "[1]", "9" * 40])
def test_a_whole_number_from_one_is_nothing_else(value: str) -> None:
    assert '"count" must be a whole number of at least 1' in mistakes(f"name: a\ncount: {value}")[0]


def test_a_whole_number_may_be_text_because_cells_are() -> None:
    form, _ = fill(Sample, {"name": "a", "count": " 12 "}, file="")
    assert form is not None
    assert form.count == 12


@pytest.mark.parametrize(
    ("written", "n", "require"), [("5", 5, "all"), ("{n: 5, require: any}", 5, "any"), ("{n: 5, require: 3}", 5, 3)]
)
def test_trials_in_their_forms(written: str, n: int, require: Any) -> None:
    trials = filled(f"name: a\ntrials: {written}").trials
    assert trials is not None
    assert (trials.n, trials.require) == (n, require)


@pytest.mark.parametrize(
    "written",
    ["0", "true", "yes", "{n: 3, require: 4}", "{n: 3, require: most}", "{n: 3, require: true}", "{require: 1}"],
)
def test_trials_that_mean_nothing_are_refused(written: str) -> None:
    assert mistakes(f"name: a\ntrials: {written}")[0].startswith("a.yaml:2: ")


def test_a_variant_given_as_text_is_its_prompt() -> None:
    assert filled("name: a\nvariants: {v1: prompts/v1.j2}").variants["v1"].prompt == "prompts/v1.j2"


@pytest.mark.parametrize(
    "written",
    [
        "{prompt: a, command: b}",
        "{command: []}",
        '{command: ""}',
        "{timeout_s: 0}",
        "{timeout_s: 1e999}",
        "{model: []}",
    ],
)
def test_a_variant_that_cannot_work_is_refused(written: str) -> None:
    assert mistakes(f"name: a\nvariants: {{v1: {written}}}")[0].startswith('a.yaml:2: "variants.v1')


@pytest.mark.parametrize(
    ("value", "exact"),
    [(0.7, Fraction(7, 10)), ("0.70", Fraction(7, 10)), (3, Fraction(3)), (" 1e-3 ", Fraction(1, 1000))],
)
def test_a_number_is_exact(value: Any, exact: Fraction) -> None:
    assert as_exact(value) == exact


@pytest.mark.parametrize("value", [True, None, "x", "", "nan", "inf", float("nan"), float("inf"), "1e999999999", [1]])
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="must be a number"):
        as_exact(value)


def test_a_date_of_a_toml_file_is_named_as_what_it_is() -> None:
    import datetime

    with pytest.raises(ValueError, match="must be text, not a date"):
        as_text(datetime.date(2024, 1, 1))


def test_texts_inside_lists_of_lists_are_refused() -> None:
    with pytest.raises(ValueError, match="must be text, not a list"):
        as_text_list([["a"]])
