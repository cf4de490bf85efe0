"""What counts as a heading, and what stands below it."""

from __future__ import annotations

import pytest

from judgekit.texts.headings import find_headings, outline, shows_content


def test_html_on_one_line_has_all_its_headings():
    text = "<h2>Risks</h2><p>Churn.</p><h2>Notes</h2>"
    assert [(one.title, one.has_body) for one in find_headings(text)] == [("Risks", True), ("Notes", False)]


def test_html_headings_on_one_line_have_their_own_bodies():
    text = "<h1>A</h1><p>x</p><h2>B</h2><p>y</p>\n<h2>C</h2>"
    assert [(one.title, one.level, one.body) for one in find_headings(text)] == [
        ("A", 1, "<p>x</p><h2>B</h2><p>y</p>\n<h2>C</h2>"),
        ("B", 2, "<p>y</p>"),
        ("C", 2, ""),
    ]


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("x\n## A\n", "## A"),
        ("x\n  **A:** y", "  **A:** y"),
        ("x <h2>A</h2> y", "<h2>A</h2> y"),
        ('{"A": 1}', '"A": 1}'),
    ],
)
def test_a_heading_tells_where_its_markup_begins(text, markup):
    (heading,) = find_headings(text)
    assert text[heading.mark_start :].rstrip("\n") == markup


def test_headings_carry_title_place_and_body():
    text = "# Report\n\n## 1. Key *decisions*\nHire.\n"
    report, decisions = find_headings(text)
    assert (report.title, decisions.title, decisions.body) == ("Report", "Key decisions", "Hire.")
    assert text[decisions.start : decisions.end] == "Key *decisions"
    assert decisions.body in report.body


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("```\n# A\n```", "a code block"),
        ("> # A", "a quotation"),
        ("| # A |", "a table"),
        ("<!-- # A -->", "a comment"),
    ],
)
def test_the_outline_tells_what_was_passed_over(text, kind):
    page = outline("# Title\n" + text)
    assert [one.title for one in page.headings] == ["Title"]
    assert {one.kind for one in page.hidden} == {kind}


@pytest.mark.parametrize("body", ["", "---", "- \n*", "<p></p>", "<ul><li></li></ul>\n<br/>", "\u200b", ">"])
def test_a_body_without_content(body):
    assert not shows_content(body)


@pytest.mark.parametrize("body", ["x", "- a", "<p>a</p>", "<https://example.test>", "3 < 4", '<img src="a.png">', "🙂"])
def test_a_body_with_content(body):
    assert shows_content(body)


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * 99_999 + "b",
        "# " + " #" * 50_000 + "x",
        "```\n" * 20_000,
        "<!--" * 20_000,
        '{"a":' * 20_000,
        "**a:** b\n" * 5_000,
        "\r" * 9_999,
    ],
)
def test_hostile_texts_are_read_to_the_end(text):
    assert all(0 <= one.start <= one.end <= len(text) for one in find_headings(text))


def test_a_brace_alone_has_no_headings():
    assert find_headings(" {") == []
