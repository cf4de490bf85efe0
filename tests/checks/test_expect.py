"""What stands under `expect`, read with its lines."""

import pytest

from judgekit.checks.run import run_check
from judgekit.plugins import lookup, names
from judgekit.reading.yaml_text import parse_yaml
from judgekit.records import Case, Output, Place
from judgekit.scenarios.expect import parse_expect


def parse(text):
    return parse_expect(parse_yaml(text)[0], place=Place(), file="a.yaml", line=1)


def mistakes(text):
    _, complaints = parse(text)
    return [str(one) for one in complaints]


def test_hyphens_and_not_are_read():
    uses, complaints = parse("has-sections: [Summary]\nnot-contains: refund\n")
    assert complaints == []
    assert [(use.metric, use.negated, use.line) for use in uses] == [
        ("has_sections", False, 1),
        ("not_contains", True, 2),
    ]


def test_a_list_may_use_one_check_twice():
    uses, _ = parse("- contains: a\n- contains: b\n- max_length: 5\n")
    assert [use.metric for use in uses] == ["contains", "contains#2", "max_length"]


def test_the_word_no_is_not_a_boolean():  # BR-033
    uses, complaints = parse("equals: no\n")
    assert complaints == []
    assert uses[0].check.evaluate(Output("no"), Case("shipping-no")).status == "pass"


def test_a_number_keeps_what_was_written():
    uses, _ = parse("contains: 1.10\n")
    assert uses[0].check.value == ("1.10",)


def test_required_false_reaches_the_use():
    uses, _ = parse("contains: {value: a, required: false}\n")
    assert not uses[0].required


def test_an_unknown_check_gets_a_suggestion():
    assert mistakes("contian: a\n") == [
        'a.yaml:1: unknown check "contian". Did you mean "contains"? `judgekit list checks` shows all 29.'
    ]
    assert 'Did you mean "not_contains"' in mistakes("not-contian: a\n")[0]


def test_a_weight_is_an_unknown_key():  # BR-119
    (said,) = mistakes("contains: {value: hi, weight: 0}\n")
    assert 'unknown key "weight"' in said


def test_a_misspelt_option_gets_a_suggestion():
    (said,) = mistakes("contains:\n  value: a\n  case-sensitiv: true\n")
    assert said == 'a.yaml:3: contains: unknown key "case-sensitiv". Did you mean "case_sensitive"?'


def test_yes_is_no_boolean():
    assert 'must be true or false, not "yes"' in mistakes("contains: {value: a, word: yes}\n")[0]


def test_two_spellings_of_one_check_are_a_mistake():
    assert "duplicate" in mistakes("max-length: 5\nmax_length: 6\n")[0]


def test_all_mistakes_are_collected_with_their_lines():
    text = """\
contains:
  - a
  -
max-length: many
regex: "("
any_of:
  - contains: a
  - contians: b
  - at_least:
      n: 1
      of:
        - regex: ")"
tool_calls:
  expect:
    - nme: search
"""
    lines = sorted({int(said.split(":")[1]) for said in mistakes(text)})
    assert lines == [1, 4, 5, 8, 12, 15]


def test_a_mapping_with_value_is_the_option_form_only_with_known_options():
    schema = "json_schema: {type: object, properties: {value: {type: string}}}\n"
    assert mistakes(schema) == []
    assert mistakes("json_schema: {value: {type: object}, required: false}\n") == []
    assert parse("json_fields: {value: 1, other: 2}\n")[0][0].check.value == {"value": 1, "other": 2}


@pytest.mark.parametrize("text", ["- 5\n", "[[a]]\n", "5\n", "text\n"])
def test_what_is_no_mapping_is_refused(text):
    assert len(mistakes(text)) == 1


def test_groups_too_deep_are_a_mistake_not_a_crash():
    expect = {"contains": "a"}
    for _ in range(3000):
        expect = {"any_of": [expect]}
    _, complaints = parse_expect(expect, place=Place(), file="a.yaml")
    assert "nested too deeply" in str(complaints[0])


@pytest.mark.parametrize("name", names("checks"))
def test_every_check_describes_itself(name):
    form = lookup("checks", name)
    assert form.name == name
    assert form.__doc__.split("\n")[0].endswith(".")
    assert all(field.description for field in form.model_fields.values())
    schema = form.model_json_schema()
    # A form with a short writing has that beside its mapping.
    assert "object" in [one.get("type") for one in schema.get("anyOf", [schema])]


HOSTILE = [
    "\x00a",
    "a\ud800b",
    "[" * 50_000,
    '{"a":' * 50_000,
    '{"a": 1e999}',
    "\u202eabc",
    "a" + "\u0301" * 5_000,
    "<a>" * 9_999,
]
EVERY = {
    "contains": "zzz",
    "starts_with": "zzz",
    "equals": "zzz",
    "regex": "zzz",
    "max_length": 3,
    "similarity": {"to": "zzz", "at_least": 1, "metric": "levenshtein"},
    "refusal": True,
    "pii": True,
    "has_sections": "zzz",
    "json": True,
    "json_schema": {"required": ["zzz"], "type": "object"},
    "json_fields": {"$..zzz": 1},
    "xml": True,
    "cites": True,
    "numbers_from_input": True,
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_breaks_a_check(name, text):
    result = run_check({name: EVERY[name]}, text, input="x", context="x")
    assert result.status in ("pass", "fail", "error")
    assert len(result.reason.encode()) < 2_000
