"""has_sections."""

import pytest

from judgekit.checks.run import run_check


@pytest.mark.parametrize(
    "text",
    [
        "## Key decisions\nHire.",
        "### 2. **Key decisions** ###\nHire.",
        "## 📊 Key decisions:\nHire.",
        "Key decisions\n=============\nHire.",
        "Key decisions\n---\nHire.",
        '<h2 class="x">Key <b>decisions</b></h2>Hire.',
        "**Key decisions**\nHire.",
        "__Key decisions:__\nHire.",
        "**Key decisions:** Hire.",
        "- **Key decisions:** Hire.",
        "**Key decisions**: Hire.",
        "1. Key decisions\nHire.",
        "2) Key Decisions\nHire.",
        "3. **Key decisions**\nHire.",
        "Key decisions:\r\nHire.",
        "KEY DECISIONS\nHire.",
        '{"key_decisions": ["Hire."]}',
        '{"keyDecisions": "Hire."}',
        '```json\n{"Key decisions": 1}\n```',
        "```markdown\n## Key decisions\n```python\nx = 1\n```\nHire.\n```",
    ],
)
def test_every_style_of_heading_counts(text):
    assert run_check({"has_sections": ["Key decisions"]}, text).status == "pass"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("The key decisions are these.", "only in the text"),
        ("# Summary\n```bash\n# Key decisions\n```", "only in a code block"),
        ("> ## Key decisions", "only in a quotation"),
        ("| Key decisions | x |\n|---|---|\n| a | b |", "only in a table"),
        ("<!--\n## Key decisions\n-->\n# Summary", "only in a comment"),
        ("```\n# a\n```\nand\n```\n# Key decisions\n```", "only in a code block"),
        ("We took **key decisions** today.", "only in the text"),
    ],
)
def test_lines_that_only_look_alike_do_not_count(text, where):
    result = run_check({"has_sections": ["Key decisions"]}, text)
    assert result.status == "fail"
    assert where in result.reason


def test_a_comment_in_a_code_block_is_no_section():  # BR-065
    result = run_check(
        {"has_sections": ["Summary", "Setup"]},
        "# Summary\nInstall it first.\n\n```bash\n# Setup\npip install thing\n```\n",
    )
    assert (result.status, float(result.score)) == ("fail", 0.5)
    assert result.reason == 'no section "Setup": it stands only in a code block; headings found: "Summary"'


def test_the_phrase_is_matched_as_whole_words_inside_the_heading():
    assert run_check({"has_sections": ["Risk"]}, "## Key risk factors\nx").status == "pass"
    assert run_check({"has_sections": ["Risk"]}, "## Brisk\nx").status == "fail"


def test_exact_and_prefix():
    text = "## Key Risks\nx"
    assert run_check({"has_sections": {"value": "Risks", "match": "exact"}}, text).status == "fail"
    assert run_check({"has_sections": {"value": "key risks", "match": "exact"}}, text).status == "pass"
    assert run_check({"has_sections": {"value": "Key", "match": "prefix"}}, text).status == "pass"
    assert run_check({"has_sections": {"value": "Risks", "match": "prefix"}}, text).status == "fail"


def test_ordered_names_the_section_that_comes_too_early():
    result = run_check({"has_sections": {"value": ["B", "A"], "ordered": True}}, "# A\nx\n# B\ny")
    assert result.status == "fail"
    assert 'the section "A" stands before' in result.reason


@pytest.mark.parametrize("body", ["", "\n---\n", "<!-- later -->\n", "- \n"])
def test_require_body_finds_an_empty_section(body):
    text = f"## Risks\n{body}\n## Notes\nx"
    result = run_check({"has_sections": {"value": "Risks", "require_body": True}}, text)
    assert (result.status, result.reason.split(";")[0]) == ("fail", 'the section "Risks" is empty')


@pytest.mark.parametrize(
    "text",
    [
        "## Risks\n1. Churn\n2. Currency\n## Notes",
        "## Risks\n- **Churn:** high\n## Notes",
        "## Risks\n### Churn\nhigh",
        "**Risks**\nHIGH\n**Notes**",
        "RISKS\n1. Churn\nNOTES",
    ],
)
def test_lists_and_lower_headings_are_the_body_of_a_section(text):
    assert run_check({"has_sections": {"value": "Risks", "require_body": True}}, text).status == "pass"


def test_headings_on_one_line_of_html():
    text = "<h2>Risks</h2><p>Churn.</p><h2>Notes</h2><p></p>"
    assert run_check({"has_sections": ["Risks", "Notes"]}, text).status == "pass"
    assert run_check({"has_sections": {"value": "Risks", "require_body": True}}, text).status == "pass"
    assert run_check({"has_sections": {"value": "Notes", "require_body": True}}, text).status == "fail"


def test_json_that_is_cut_off_is_said():
    result = run_check({"has_sections": ["Summary"]}, '{"Summary": "Up 12 %.", "Ris')
    assert result.status == "fail"
    assert result.reason.endswith("no headings found: the JSON is cut off at column 29")
