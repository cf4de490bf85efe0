"""Declared formats: found, read, and held against what agents emit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.release.formats import OFF_FORMAT, find_format, load_format
from judgekit.scenarios.load import load_scenarios

ROOT = Path(__file__).parents[2]
FIXTURES = [case for suite in load_scenarios([ROOT / "scenarios" / "agents"], root=ROOT) for case in suite.cases]
GOLDENS = [case for case in FIXTURES if case.should_pass]
TRIPLE = {"subject": "Ada", "predicate": "wrote", "object": "notes", "source": "p. 4"}


def kinds(declared: str, text: str) -> list[str]:
    return [one.kind for one in find_format(declared, root=ROOT).mistakes(text)]


def said(declared: str, text: str) -> list[str]:
    return [one.said for one in find_format(declared, root=ROOT).mistakes(text)]


def triples(*rows: object) -> str:
    return json.dumps({"triples": rows})


@pytest.mark.parametrize("case", GOLDENS, ids=lambda one: one.case_id)
def test_a_shipped_golden_meets_its_format_or_is_tagged(case):
    assert bool(kinds(f"{case.agent}/1", case.output)) is (OFF_FORMAT in case.tags)


def test_few_goldens_are_off_format_and_each_says_why():
    off = [case for case in GOLDENS if OFF_FORMAT in case.tags]

    assert len(off) == 3
    assert all(case.description for case in off)


@pytest.mark.parametrize(
    "text",
    [
        triples(TRIPLE),
        f"```json\n{triples(TRIPLE)}\n```",
        f"These {{two}} facts: {triples(TRIPLE)} See [3].",
        triples(),
        triples({**TRIPLE, "source": None, "certainty": 0.4}),
    ],
)
def test_scarlets_triples_meet_scarlet_1(text):
    assert kinds("scarlet/1", text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "the output is empty"),
        (" \n\u200b", "the output is empty"),
        ("The rent is due.", "no JSON that can be read"),
        ('{"triples": [{"subject": "A', "no JSON that can be read"),
        ('{"triples": [NaN]}', "no JSON that can be read"),
        ('{"facts": []}', '$ lacks "triples"'),
        ('{"triples": {}}', "$.triples is of type object"),
        ('{"triples": ["Ada wrote notes"]}', "$.triples[*] is of type string"),
        ('{"triples": [{"subject": "A", "predicate": "b", "object": "c"}]}', '$.triples[*] lacks "source"'),
        (triples({**TRIPLE, "object": []}), "$.triples[*].object is of type array"),
    ],
)
def test_what_breaks_scarlet_1_is_named_by_kind(text, kind):
    assert kinds("scarlet/1", text) == [kind]


def test_breaches_of_one_kind_differ_in_what_they_say():
    assert said("scarlet/1", triples("a", TRIPLE, "b")) == [
        '$.triples[0] is "a" (string), wanted object',
        '$.triples[2] is "b" (string), wanted object',
    ]


def test_the_object_that_a_rubric_would_read_is_the_one_that_counts():
    assert kinds("scarlet/1", f'Settings: {{"mode": "strict"}}. Result: {triples(TRIPLE)}') == []


def test_where_no_form_of_a_choice_fits_the_nearest_is_told():
    assert said("ayana/1", '{"keep": ["a"]}') == ['$: "drop" is a required property']


def test_a_claim_that_fits_no_form_is_told_with_its_place():
    text = '{"claims": ["Ada wrote.", {"text": 7}]}'

    assert said("eliza/1", text) == ["$.claims[1].text is 7 (integer), wanted string"]


@pytest.mark.parametrize("text", ["Ada wrote notes [t1].", "# Facts\n- Ada wrote notes.", "In {braces} only."])
def test_a_format_may_take_text_in_the_place_of_json(text):
    assert kinds("eliza/1", text) == []


@pytest.mark.parametrize("text", ['{"answer": "Ada"}', '{"claims": [', '```json\n{"statements": []}\n```'])
def test_what_is_meant_as_json_is_no_text(text):
    assert len(kinds("eliza/1", text)) == 1


SECTIONS = ("Recommendation", "Conviction", "Key Positives", "Key Risks", "Reviewer Notes")
REVIEW = {"recommendation": "Buy", "conviction": "High", "key_positives": "A", "keyRisks": "B", "Reviewer Notes": "C"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(REVIEW),
        f"Here is the review.\n\n{json.dumps(REVIEW)}",
        "".join(f"## {n}. {title}\n\nText.\n\n" for n, title in enumerate(SECTIONS, 1)),
    ],
    ids=["object", "object in prose", "headings"],
)
def test_reagans_sections_may_be_headings_or_keys(text):
    assert kinds("reagan/1", text) == []


def test_each_section_that_lacks_is_a_mistake_of_its_own():
    text = "## Recommendation\nBuy.\n## Key Positives\nA.\n## No Key Risks\nNone.\n## Conviction\nHigh."

    assert kinds("reagan/1", text) == ['no section "Key Risks"', 'no section "Reviewer Notes"']


def test_a_review_cut_off_within_json_lacks_json_not_sections():
    assert kinds("reagan/1", '{"recommendation": "Buy", "conviction": "Hi') == ["no JSON that can be read"]


@pytest.mark.parametrize("declared", ["scarlet/1", "ayana/1", "eliza/1", "reagan/1"])
@pytest.mark.parametrize(
    "text",
    [
        "\x00\x01",
        "\ud800 {",
        "[" * 50_000,
        '{"a":' * 5_000 + "1" + "}" * 5_000,
        '{"triples": ' + "[" * 900 + "]" * 900 + "}",
        json.dumps({"triples": ["x"] * 20_000, "claims": [7] * 20_000}),
        '{"claims": [1' + "0" * 5000 + "]}",
    ],
    ids=["controls", "surrogate", "brackets", "deep objects", "deep lists", "many mistakes", "huge number"],
)
def test_hostile_text_is_judged_and_breaks_nothing(declared, text):
    for one in find_format(declared, root=ROOT).mistakes(text):
        assert len(one.said) < 400
        one.said.encode()


def test_a_nul_within_a_value_is_a_character_like_others():
    assert kinds("scarlet/1", triples({**TRIPLE, "subject": "A\x00"})) == []


# ------------------------------------------------------------------------------------------------------ format files


def test_the_projects_own_format_comes_before_the_built_in_one(project):
    project.write("rubrics/formats/scarlet.yaml", "name: scarlet\nversion: 1\nsections: [Facts]\n")

    assert find_format("scarlet/1", root=project.folder).form.sections is not None


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("scout", '"scout" must be NAME/VERSION'),
        ("scout/", "must be NAME/VERSION"),
        ("a/b/c", "must be NAME/VERSION"),
        ("scoot/1", 'no format "scoot": neither rubrics/formats/scoot.yaml nor built in. Did you mean "scout"?'),
        ("../scout/1", "must be NAME/VERSION"),
        ("scout/2", 'rubrics/formats/scout.yaml: is version 1 of "scout", and "scout/2" is declared'),
    ],
)
def test_a_declaration_that_finds_nothing_says_why(project, declared, told):
    with pytest.raises(InputError) as caught:
        find_format(declared, root=project.folder)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: a\nversion: 1\n", ":1: needs either json_schema or sections."),
        ("name: a\nversion: 1\nsections: [A]\njson_schema: {}\n", ":1: needs either json_schema or sections."),
        ("name: a\nversion: 1\nor_text: true\nsections: [A]\n", ":1: or_text belongs to json_schema"),
        ("name: a\nversion: 1\nsection: [A]\n", ':3: unknown key "section". Did you mean "sections"?'),
        ("name: a/b\nversion: 1\nsections: [A]\n", '"name" must be a word without a slash'),
        ("version: 1\nsections: [A]\n", '"name" is missing'),
        ("name: a\nversion: 1\njson_schema: {type: triple}\n", ':3: "json_schema" is no valid JSON Schema'),
        ("name: a\nversion: 1\njson_schema: none.json\n", ':3: "json_schema" cannot be read: '),
        ("name: a\nversion: 1\njson_schema: {$ref: 'https://example.org/s'}\n", "checks never use the network"),
        ("name: a\nversion: 1\nsections: []\n", ':3: "sections" must name at least one section'),
        ("- a\n", ": a format file holds one mapping"),
        ("", ": a format file holds one mapping"),
        ("name: [\n", ": not valid YAML"),
    ],
)
def test_a_mistake_in_a_format_file_is_told_with_its_line(format_of, text, told):
    with pytest.raises(InputError) as caught:
        format_of(text)

    assert told in str(caught.value)
    assert "made.yaml" in str(caught.value)


def test_a_format_file_that_is_not_utf_8_is_told_with_its_line(tmp_path):
    (tmp_path / "a.yaml").write_bytes(b"name: a\nversion: \xff\n")

    with pytest.raises(InputError, match=r"a\.yaml:2: not UTF-8"):
        load_format(tmp_path / "a.yaml")


def test_a_schema_may_lie_in_a_file_beside(format_of, tmp_path):
    (tmp_path / "a.json").write_text('{"required": ["facts"]}', encoding="utf-8")

    made = format_of("name: a\nversion: 1\njson_schema: a.json\n")

    assert [one.kind for one in made.mistakes("{}")] == ['$ lacks "facts"']


SCHEMA = (
    "name: a\nversion: 1\n"
    "json_schema: {required: [b, a], properties: {title: {type: [string, number], minLength: 1}}}\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "# why\n" + SCHEMA,
        SCHEMA + "description: Facts.\n",
        SCHEMA.replace("[b, a]", "[a, b]").replace("[string, number]", "[number, string]"),
        SCHEMA.replace("minLength: 1", "minLength: 1.0, description: Its title."),
        SCHEMA.replace("{required", '{title: Facts, "$comment": x, examples: [1], required'),
        SCHEMA.replace("required: [b, a], ", "").replace("1}}}", "1}},\n  'required': [\n    b,\n    a]\n  }"),
    ],
    ids=["comment", "description", "order", "number", "remarks", "layout"],
)
def test_what_asks_for_the_same_has_the_same_digest(format_of, text):
    assert format_of(text).digest == format_of(SCHEMA).digest


@pytest.mark.parametrize(
    "text",
    [
        SCHEMA.replace("[b, a]", "[b]"),
        SCHEMA.replace("title:", "heading:"),
        SCHEMA.replace("minLength: 1", "minLength: 2"),
        SCHEMA + "or_text: true\n",
        "name: a\nversion: 1\nsections: [b, a]\n",
    ],
)
def test_what_asks_for_something_else_has_another_digest(format_of, text):
    assert format_of(text).digest != format_of(SCHEMA).digest
