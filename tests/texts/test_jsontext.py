"""Where an output's JSON is found, and what is not taken for it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.texts.jsontext import find_object, json_in, meant_as_json, whole_json, why_no_object, why_not_json


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
        ("[1, 2]", "the JSON is not an object in braces"),
        ('["a"]', "the JSON is not an object in braces"),
        ('Sure:\n```json\n["a"]\n```', 'no JSON object found: the text begins "Sure: ```json ["a"] ```"'),
        ('{"triples": [{"source": "p. 4"}, {"sour', "the JSON is cut off at column 40"),
        ("Rain tomorrow.", 'no JSON object found: the text begins "Rain tomorrow."'),
    ],
)
def test_what_keeps_a_text_from_being_an_object(text, why):
    assert found(text) is None
    assert why_no_object(text) == why


@pytest.mark.parametrize("text", ["[1] shows that", "Rain {today}", "", "```\nplain\n```"])
def test_prose_is_not_taken_for_broken_json(text):
    assert not meant_as_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("[3]", [3]),
        (" 12\n", 12),
        ('~~~\n["a"]\n~~~', ["a"]),
        ('Sure:\n```json\n["a"]\n```\nAs in {"b": 2}.', ["a"]),
        ('```json\n{"a": 1}', {"a": 1}),
        ('See {x}. Here: {"a": 1}', {"a": 1}),
        ("{x} stands for " + '{"a": 1}', {"a": 1}),
        ('[0, 1) is the range, {"a": 1} the answer', {"a": 1}),
        ('See [3], [[page]] and [a](b). Here: [{"a": 1}]', [{"a": 1}]),
        ('Begin with {"a": and end it, such as {"a": 1}', {"a": 1}),
        ('He wrote {"hello} and then {"a": 1}', {"a": 1}),
        ('Draft: {"a": 1,} Final: {"a": 1}', {"a": 1}),
        ("{'a': [1, 2]} is Python, " + '{"a": 1} is JSON', {"a": 1}),
        ('{"a": 1}\n{"a": 2}', {"a": 1}),
        ("Only [1, 2] is there.", [1, 2]),
        ("Only {name} is there.", None),
    ],
)
def test_the_json_of_an_answer(text, value):
    found = json_in(text)
    assert (found and found.value) == value


CUT_OFF = [
    '{"a": [1, {"b": 2}',
    '{"a": [1, 2], "b": {"c": 3}, "d": "cut sho',
    '[{"a": 1}, {"b": ',
    '[1, 2, {"b": 1}, 3',
    '{"a": {"b": 1}, "c": tr',
    '{"a": {"b": 1}, "c": -1.',
    '{"a": {"b": 1}, "c": "\\u00',
    '{"a": {"b": 1},\n "c": {',
]


@pytest.mark.parametrize("wrap", ["{}", "```json\n{}", "Sure:\n```json\n{}\n```\nAs in [1] or {{}}.", "Sure: {}"])
@pytest.mark.parametrize("text", CUT_OFF)
def test_nothing_inside_json_that_is_cut_off_is_the_answer(text, wrap):
    text = wrap.replace("{{}}", "<>").replace("{}", text).replace("<>", "{}")
    assert json_in(text) is None
    assert find_object(text, lambda value: True) is None
    assert "the JSON is cut off at" in why_not_json(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": [1, 2],}', "Expecting property name enclosed in double quotes at column 14"),
        ('Here: {"a": {"b": 1}, // note\n "c": 2}', "Expecting property name enclosed in double quotes at column 17"),
        ("{'a': {\"b\": 1}}", "Expecting property name enclosed in double quotes at column 2"),
        ('{"a": 1], "b": {"c": 2}}', "Expecting ',' delimiter at column 8"),
        ('{"a": [1, oops, {"b": 1}', "Expecting value at column 11"),
        ('{"a": "two\nlines", "b": {"c": 2}}', "Invalid control character at column 11"),
        ('{"a": {"b": NaN}} or [1, 2]', "NaN is not JSON"),
        ('{"say": "Use:\n```json\n{}\n```\n"}', "Invalid control character at column 14"),
    ],
)
def test_nothing_inside_broken_json_is_the_answer(text, why):
    assert json_in(text) is None
    assert find_object(text, lambda value: True) is None
    assert why_not_json(text) == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{}", ""),
        ("```\n[1]\n```", ""),
        ('{"a": 1} ok', "more text follows at column 10"),
        ("Rain tomorrow.", 'the text begins "Rain tomorrow."'),
        ('[1] shows {"a": 1}', 'the text begins "[1] shows {"a": 1}"'),
        ('{"a": [1,\n  2', "the JSON is cut off at line 2, column 4"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_keeps_a_text_from_being_json(text, why):
    assert why_not_json(text) == why


def test_an_object_in_a_list_is_found_and_its_place_told():
    text = '["{", {"a": 1}, [{"triples": []}]]'
    payload = find_object(text, lambda value: "triples" in value)
    assert payload is not None
    assert text[payload.start : payload.end] == '{"triples": []}'


def test_a_cut_off_fence_makes_an_answer_meant_as_json():
    assert meant_as_json('The claims:\n```json\n{"claims": ["cut sho')
    assert not meant_as_json('The claims:\n```json\n{"claims": []}\n```')


def test_offsets_hold_beside_lone_surrogates():
    text = '\ud83d\ude00\ud800 {"a": "\ud800"}'
    found = json_in(text)
    assert found is not None
    assert (text[found.start : found.end], found.value) == ('{"a": "\ud800"}', {"a": "\ufffd"})


@pytest.mark.parametrize("text", ["", "none", '{"a": 1} x', "```json\n{}"])
def test_whole_json_takes_nothing_less(text):
    with pytest.raises(ValueError, match="column"):
        whole_json(text)


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


@given(value=st.dictionaries(st.text(min_size=1), JSON, min_size=1, max_size=4), data=st.data())
def test_no_beginning_of_an_object_is_read(value, data):
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    assert json_in(text[: data.draw(st.integers(1, len(text) - 1))]) is None


@given(st.text('{}[]":,`~\n\\a1 ', max_size=200))
def test_no_text_breaks_the_search(text):
    payload = find_object(text, lambda value: "a" in value)
    assert payload is None or json.loads(text[payload.start : payload.end]) == payload.value


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        '{"' * 100_000,
        '- {"a": x ' * 20_000,
        "[0, 1) " * 20_000,
        "- " + "[1, " * 900 + "1, " * 50_000 + "x",
        '- {"a": 1,} ' * 20_000,
        "- " + "{} " * 50_000,
        "{'" * 100_000,
        "[[" * 900 + '{"a": 1},' * 10_000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_texts_are_read_in_time(text):
    started = time.process_time()
    json_in(text)
    find_object(text, lambda value: "b" in value)
    why_no_object(text)
    # Each takes about a second at most; reading the rest once for every bracket would take minutes.
    assert time.process_time() - started < 10
