"""json, json_schema, json_fields, xml."""

import json

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "cost"],
    "properties": {"name": {"type": "string"}, "cost": {"type": "string"}},
}


@pytest.mark.parametrize("text", ['{"a": 1}', " [1, 2]\n", '```json\n{"a": 1}\n```', "~~~\n[]\n~~~", "12"])
def test_the_whole_output_is_json(text):
    assert run_check({"json": True}, text).status == "pass"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"confidence": NaN}', "NaN is not JSON"),  # BR-068
        ('{"a": 1, "a": 2}', 'duplicate key "a"'),
        ('{"a": 1,}', "column"),
        ('Here: {"a": 1}', "`anywhere: true`"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": [1, 2', "the JSON is cut off at column 12"),
    ],
)
def test_what_is_not_json_is_said(text, said):
    result = run_check({"json": True}, text)
    assert result.status == "fail"
    assert said in result.reason


def test_json_anywhere_stops_where_the_value_is_complete():  # BR-067
    text = 'Here you go: {"state": "done", "left": 0}\n\nMore in [the guide](https://example.test/guide), see item [3].'
    result = run_check({"json": {"value": True, "anywhere": True}}, text)
    assert result.status == "pass"
    assert json.loads(text[slice(*result.spans[0])]) == {"state": "done", "left": 0}


def test_json_false_is_refused_with_the_right_spelling():  # BR-054
    with pytest.raises(InputError, match="`not_json`"):
        run_check({"json": False}, "Software testing finds faults.")


def test_not_json():
    assert run_check({"not_json": True}, "Software testing finds faults.").status == "pass"
    assert run_check({"not_json": True}, "{}").status == "fail"


def test_json_schema_names_path_wanted_type_and_found_value():  # BR-081
    result = run_check({"json_schema": SCHEMA}, '{"name": "Aurora", "cost": 8}')
    assert (result.status, result.reason) == ("fail", "$.cost is 8 (integer), wanted string")


@pytest.mark.parametrize("wrap", ["{}", "```json\n{}\n```", "Sure, here it is:\n{}\nAnything else?"])
def test_json_schema_reads_bare_fenced_and_in_prose(wrap):
    text = wrap.replace("{}", '{"name": "Aurora", "cost": "8"}')
    assert run_check({"json_schema": SCHEMA}, text).status == "pass"


def test_json_schema_from_a_file_beside_the_scenario(tmp_path):
    (tmp_path / "answer.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    check = {"json_schema": "answer.schema.json"}
    assert run_check(check, '{"name": "a", "cost": "b"}', folder=tmp_path).status == "pass"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "objekt"}, "no valid JSON Schema"),
        ({"$ref": "https://example.test/a.json"}, "never use the network"),
        ({"$ref": "#/nowhere"}, "no valid JSON Schema"),
        ("missing.json", "no such JSON Schema file"),
        (3, "must be a JSON Schema"),
    ],
)
def test_a_bad_schema_is_refused_at_once(schema, said):
    with pytest.raises(InputError, match=said):
        run_check({"json_schema": schema}, "{}")


def test_no_json_fails_the_schema_negated_or_not():
    assert run_check({"json_schema": SCHEMA}, "none").status == "fail"
    assert run_check({"not_json_schema": SCHEMA}, "none").status == "fail"


@pytest.mark.parametrize(
    "check",
    [
        {"json": {"value": True, "anywhere": True}},
        {"json_schema": {"required": ["b"]}},
        {"json_fields": {"b": 2}},
        {"contains": {"value": "2", "path": "b"}},
        {"equals": {"value": "2", "path": "b"}},
        {"cites": {"ids": "$[*].b"}},
    ],
    ids=lambda check: next(iter(check)),
)
@pytest.mark.parametrize("text", ['{"a": [1, {"b": 2}', 'Sure:\n```json\n{"a": [1, {"b": 2}\n```\nSee {"b": 2}.'])
def test_json_that_is_cut_off_is_not_read_from_its_middle(check, text):
    result = run_check(check, text)
    assert result.status == "fail"
    assert "the JSON is cut off at column 19" in result.reason


def test_json_fields_compares_as_json():
    output = '{"total": 1.0, "tags": ["a"], "user-name": "ann", "items": [{"ok": true}, {"ok": true}]}'
    check = {"total": 1, "$.tags": ["a"], "user-name": "ann", "items[*].ok": True}
    assert run_check({"json_fields": check}, output).status == "pass"


@pytest.mark.parametrize(
    ("wanted", "output", "reason"),
    [
        ({"n": 1}, '{"n": "1"}', 'n is "1" (string), wanted 1 (integer)'),
        ({"n": 1}, '{"n": true}', "n is true (boolean), wanted 1 (integer)"),
        ({"a.state": "done"}, '{"a": {"status": "done"}}', 'a.state is missing; keys there: "status"'),
        ({"state": "done"}, '{"state": "open"}', 'state is "open", wanted "done"'),
    ],
)
def test_json_fields_says_what_it_found(wanted, output, reason):
    result = run_check({"json_fields": wanted}, output)
    assert (result.status, result.reason) == ("fail", reason)


def test_json_fields_refuses_a_path_that_is_none():
    with pytest.raises(InputError, match="no valid JSONPath"):
        run_check({"json_fields": {"a[": 1}}, "{}")


def test_xml_and_its_elements():
    text = "```xml\n<r xmlns:n='u'><n:title/></r>\n```"
    assert run_check({"xml": True}, text).status == "pass"
    result = run_check({"xml": {"value": True, "elements": ["title", "price"]}}, text)
    assert (result.status, result.reason) == ("fail", "no element <price>; elements found: r, title")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<a><b></a>", "mismatched tag"),
        ("Here: <a/>", "the output begins"),
        ("<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "declares entities"),
    ],
)
def test_what_is_not_xml_is_said(text, said):
    result = run_check({"xml": True}, text)
    assert result.status == "fail"
    assert said in result.reason
