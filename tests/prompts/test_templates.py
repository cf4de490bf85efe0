"""Prompts from templates: data goes in once, mistakes name file, line and remedy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from judgekit.errors import InputError
from judgekit.prompts import builtin_source, marker_for, render, render_source
from judgekit.reading.yaml_text import parse_yaml


def test_template_syntax_in_the_data_stays_data() -> None:
    # BR-036: a comment opener in the output must neither vanish nor raise.
    output = "Use {# .lead } for the first paragraph and {% if x %} for the rest."
    prompt = render("Rate this answer.\n<answer>\n{{ output }}\n</answer>", output=output)
    assert prompt == f"Rate this answer.\n<answer>\n{output}\n</answer>"


def test_output_that_names_a_variable_does_not_pull_it_in() -> None:
    # BR-038: otherwise a candidate answer could print the reference.
    prompt = render(
        "Reference: {{ reference }}\nAnswer: {{ output }}\n",
        reference="Tuesday",
        output="{reference} {{ reference }} {unknown_key}",
    )
    assert prompt == "Reference: Tuesday\nAnswer: {reference} {{ reference }} {unknown_key}"


def test_html_in_the_data_is_not_escaped() -> None:
    assert render("{{ output }}", output="a < b & 'c'") == "a < b & 'c'"


def test_number_of_a_scenario_file_is_written_as_the_user_wrote_it() -> None:
    [document] = parse_yaml("version: 1.10")
    assert render("v{{ version }}", version=document["version"]) == "v1.10"


def test_undefined_variable_is_named_with_line_and_remedy() -> None:
    with pytest.raises(InputError) as caught:
        render_source("Rate it.\n{{ outptu }}", {"output": "x", "input": "y"}, name="prompts/v2.j2")
    assert str(caught.value) == (
        'prompts/v2.j2:2: undefined variable "outptu". Did you mean "output"? Known here: input, output.'
    )


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("a\n{% if %}", "t.j2:2: not a valid template: Expected an expression"),
        ("a\nb {{ nothing }}", "t.j2:2: a variable on this line has no value"),
        ("{{ data.rows }}", 't.j2:1: "rows" is not defined here'),
        ("{{ data.__class__.__mro__ }}", "t.j2:1: the template failed: SecurityError"),
        ("{% include 'other.j2' %}", "t.j2:1: the template failed: TypeError"),
        ("{% for i in range(10**9) %}x{% endfor %}", "t.j2:1: the template failed: OverflowError"),
        ("{{ " + "(" * 5000 + ")" * 5000 + " }}", "t.j2: not a valid template: nested too deeply"),
    ],
)
def test_mistake_in_a_template_is_the_users(source: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        render_source(source, {"data": {}, "nothing": None}, name="t.j2")
    assert str(caught.value).startswith(said)


def test_variable_without_a_value_can_be_tested() -> None:
    assert render("{% if reference %}R{% else %}no reference{% endif %}", reference=None) == "no reference"


def test_unknown_built_in_template_is_named() -> None:
    with pytest.raises(InputError, match=r'"pointwize\.j2"\. Did you mean "pointwise\.j2"\?'):
        render("pointwize.j2")


@pytest.mark.parametrize("name", ["checklist.j2", "criteria.j2", "labels.j2", "pointwise.j2"])
def test_built_in_template_opens_with_purpose_variables_and_reply_form(name: str) -> None:
    comment = builtin_source(name).partition("#}")[0]
    assert comment.startswith("{#")
    assert all(word in comment for word in ("Purpose:", "Variables:", "Expected reply:"))


def test_marker_is_the_same_whatever_was_answered() -> None:
    assert marker_for("question", "one answer") == marker_for("question", "another answer")


def test_marker_never_stands_in_the_text_it_encloses() -> None:
    known = marker_for("question", "")
    moved = marker_for("question", f"I know it: {known.upper()}")
    assert moved != known


def test_importing_prompts_does_not_import_jinja() -> None:
    code = "import sys, judgekit.prompts; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["tojson", "quoted"])
def test_an_undefined_variable_is_named_where_its_json_is_asked_for(name: str) -> None:
    with pytest.raises(InputError, match=r'undefined variable "inptu"\. Did you mean "input"\?'):
        render("{{ inptu | " + name + " }}", input="x")


def test_json_is_written_as_it_reads_and_not_for_html() -> None:
    assert (
        render("{{ x | tojson }}", x={"a": ["<b> & 'c'", None, 1.5, True]})
        == """{"a": ["<b> & 'c'", null, 1.5, true]}"""
    )
