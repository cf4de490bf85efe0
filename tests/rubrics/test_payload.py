"""Where an output's JSON object is found."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.rubrics.payload import find_object, meant_as_json, why_not_json


def found(text: str, key: str = "triples"):
    payload = find_object(text, lambda value: key in value)
    return payload and payload.value


@pytest.mark.parametrize(
    "text",
    [
        '{"triples": [1]}',
        '\ufeff \n{"triples": [1]}\n',
        '```json\n{"triples": [1]}\n```',
        '~~~\n{"triples": [1]}\n~~~',
        '````\n```\n{"triples": [1]}\n````',
        '```json\n{"triples": [1]}',
        'Here they are: {"triples": [1]}',
        'Sets {a, b} come first. {"triples": [1]} More in [the guide](https://example.test/guide), item [3].',
        'First {"note": "x"}, then {"triples": [1]}.',
        '```python\nprint({"a": 1})\n```\n\n```json\n{"triples": [1]}\n```',
        'An open brace { and then {"triples": [1]}',
    ],
)
def test_the_object_with_the_key_is_found(text):
    assert found(text) == {"triples": [1]}


def test_braces_inside_texts_do_not_end_the_object():
    assert found('So: {"triples": ["closes with } as {ok} says"]} done') == {"triples": ["closes with } as {ok} says"]}


def test_the_first_of_two_fitting_objects_counts():
    assert found('{"triples": [1]} or {"triples": [2]}') == {"triples": [1]}


def test_without_a_fitting_object_the_first_is_given():
    assert found('{"a": 1} {"b": 2}') == {"a": 1}


def test_the_place_of_the_object_is_told():
    text = 'Facts: {"triples": []}!'
    payload = find_object(text, lambda value: "triples" in value)
    assert payload is not None
    assert text[payload.start : payload.end] == '{"triples": []}'


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ('{"a": 1}', True),
        ('```json\n{"a": 1}\n```', True),
        ('See:\n```json\n{"a": 1}\n```', False),
        ('{"a": 1} ok', False),
    ],
)
def test_an_object_alone_is_told_from_one_in_prose(text, alone):
    payload = find_object(text, lambda value: True)
    assert payload is not None
    assert payload.alone is alone


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"confidence": NaN}', "NaN is not JSON"),
        ('{"a": 1, "a": 2}', 'duplicate key "a"'),
        ('```json\n{"a": Infinity}\n```', "Infinity is not JSON"),
        ('{"a": ' * 100_000, "nested too deeply"),
        ("[1, 2]", "no JSON object found"),
        ('["a"]', "the JSON is not an object in braces"),
        ("Rain tomorrow.", "no JSON object found"),
    ],
)
def test_what_keeps_a_text_from_being_an_object(text, why):
    assert found(text) is None
    assert why_not_json(text) == why


@pytest.mark.parametrize("text", ["[1] shows that", "Rain {today}", "", "```\nplain\n```"])
def test_prose_is_not_taken_for_broken_json(text):
    assert not meant_as_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    value=st.dictionaries(st.text(min_size=1), JSON, min_size=1, max_size=4), before=st.text("abc .,:\n", max_size=30)
)
def test_any_object_is_found_behind_any_prose(value, before):
    payload = find_object(f"{before}\n{json.dumps(value)}\nDone.", lambda one: one == value)
    assert payload is not None
    assert payload.value == value


@given(st.text('{}[]":,`~\n\\a1 ', max_size=200))
def test_no_text_breaks_the_search(text):
    payload = find_object(text, lambda value: "a" in value)
    assert payload is None or json.loads(text[payload.start : payload.end]) == payload.value
