"""review_completeness, sentence by sentence."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.errors import InputError, raise_complaints
from judgekit.reading.forms import fill
from judgekit.records import Case, Output
from judgekit.rubrics.sections import ReviewCompleteness

CASE = Case("a", input="Review the  loan, please.")
DEFAULT = ("Recommendation", "Conviction", "Key Positives", "Key Risks", "Reviewer Notes")


def score(text, **options):
    return ReviewCompleteness(**options).score(Output(text), CASE)


def test_the_default_sections():
    result = score("".join(f"## {title}\nText.\n" for title in DEFAULT))
    assert (result.score, result.reason) == (1, "5 of 5 sections are present")


def test_the_fraction_of_sections_that_are_present():
    result = score("## Recommendation\nBuy.\n\n## Key Risks\n\n## Other\nText.")
    assert result.score == Fraction(1, 5)
    assert result.reason == (
        '1 of 5 sections are present; missing: Conviction, Key Positives, Reviewer Notes (other headings: "other"); '
        "empty: Key Risks"
    )
    assert result.detail == {
        "required": 5,
        "present": 1,
        "missing": ["Conviction", "Key Positives", "Reviewer Notes"],
        "empty": ["Key Risks"],
    }


def is_present(text: str, title: str = "Key Risks", **options) -> bool:
    return score(text, sections=[title], **options).score == 1


@pytest.mark.parametrize(
    "text",
    [
        "# Key Risks\nChurn.",
        "###### key  RISKS:\nChurn.",
        "## 4. Key Risks\nChurn.",
        "## **Key Risks**\nChurn.",
        "**Key Risks**\nChurn.",
        "**Key Risks:** Churn.",
        "**Key Risks**: Churn.",
        "4. **Key Risks:** Churn.",
        "- **Key Risks:** Churn.",
        "Key Risks:\nChurn.",
        "KEY RISKS\nChurn.",
        "Key Risks\n---------\nChurn.",
        "<h2>Key Risks</h2>\nChurn.",
        "<h2>Key Risks</h2><p>Churn.</p><h2>Reviewer Notes</h2><p>Seen.</p>",
        "<h2>Conviction</h2><p>High.</p><h2>Key Risks</h2><p>Churn.</p>",
        "```markdown\n## Key Risks\nChurn.\n```",
        '{"Key Risks": "Churn."}',
        '{"key_risks": ["Churn"]}',
        '{"keyRisks": {"market": "Churn"}}',
        '```json\n{"key_risks": 3}\n```',
        'Here it is: {"Key Risks": "Churn."} Best regards.',
        "## Ｋey\u00a0Risks\nChurn.",
        "## Key Risks\n### Market\nChurn.",
        "## Key Risks\n- **Churn:** 12%.\n- **Law:** a new act.",
        "## Key Risks\n| Risk | Weight |\n|---|---|\n| Churn | 3 |",
        "## Key Risks\n\n## Key Risks\nChurn.",
        "## Key Risks\n🙂",
        "## Key Risks\nThe key risks are few.",
        "## Key Risks\nNone.",
        '{"Key Risks": 0}',
        "## Key Risks\n<https://example.test/risks>",
    ],
)
def test_a_section_that_is_present(text):
    assert is_present(text)


@pytest.mark.parametrize(
    "text",
    [
        "## No Key Risks\nChurn.",
        "## Key Risks and Mitigations\nChurn.",
        "## Risks\nChurn.",
        "The Key Risks are churn.",
        "Key Risks: Churn.",
        "```\n## Key Risks\nChurn.\n```\nMore.",
        "> ## Key Risks\n> Churn.",
        "<!-- ## Key Risks -->\nChurn.",
        '{"review": {"Key Risks": "Churn."}}',
        '{"No Key Risks": "Churn."}',
    ],
)
def test_a_section_that_is_not_there(text):
    assert score(text, sections=["Key Risks"]).detail["missing"] == ["Key Risks"]


@pytest.mark.parametrize(
    "text",
    [
        "## Key Risks",
        "## Key Risks\n \n\u200b\n",
        "## Key Risks\n\n## Next\nText.",
        "**Key Risks:**\n**Next:** text.",
        "## Key Risks\n<!-- later -->\n",
        "## Key Risks\n-\n",
        "## Key Risks\n---\n## Next\nText.",
        "## Key Risks\n### Market\n### Law\n## Next\nText.",
        "## Key Risks\n### Market\n# Next\nText.",
        "<h2>Key Risks</h2><p></p><h2>Next</h2><p>Text.</p>",
        '{"Key Risks": ""}',
        '{"Key Risks": null}',
        '{"Key Risks": ["", {"a": " "}]}',
        "## Key Risks\n.\n",
        "## Key Risks\n&nbsp;\n",
        "## Key Risks\nKey Risks.\n",
        "## Key Risks\n- key  risks, Key Risks\n",
        "<h2>Key Risks</h2><p>Key Risks</p>",
        "## Key Risks\nfalse\n",
        '{"Key Risks": false}',
        '{"Key Risks": [true, {"a": "…"}]}',
        '{"Key Risks": "Key Risks"}',
        "## Key Risks\nReview the loan,\nplease.\n",
        '{"Key Risks": "review the loan, please."}',
    ],
)
def test_a_section_without_anything_of_its_own_is_not_present(text):
    result = score(text, sections=["Key Risks"])
    assert (result.score, result.detail["empty"]) == (0, ["Key Risks"])


def test_another_required_section_ends_a_body_however_it_is_written():
    assert score("## Key Risks\n\n**Reviewer Notes:** seen.", sections=["Key Risks", "Reviewer Notes"]).detail[
        "empty"
    ] == ["Key Risks"]


def test_without_require_body_an_empty_section_counts():
    assert is_present("## Key Risks\n\n## Next\nText.", require_body=False)


def test_headings_without_bodies_score_nothing():
    assert score("".join(f"## {title}\n\n" for title in DEFAULT)).score == 0


def test_each_title_under_another_says_nothing():
    turned = (*DEFAULT[1:], DEFAULT[0])

    assert score("".join(f"## {title}\n{other}\n\n" for title, other in zip(DEFAULT, turned, strict=True))).score == 0


def test_an_input_of_one_word_may_be_an_answer():
    text = "## Conviction\nHigh."

    assert ReviewCompleteness(sections=["Conviction"]).score(Output(text), Case("a", input="High.")).score == 1


def test_no_degenerate_output_has_a_section():
    case = Case("a", input="Review:\n# Conviction\n\nHigh or low?")
    degenerate = ReviewCompleteness().degenerate(case)

    found = {name: ReviewCompleteness().score(Output(text), case).score for name, text in degenerate.items()}
    # What the input itself holds is for the gate to find.
    assert found.pop("the echo of the input") == Fraction(1, 5)
    assert set(found.values()) == {0}


def test_spans_are_the_headings():
    text = "## Key Risks\nChurn."
    assert [text[start:end] for start, end in score(text).spans] == ["Key Risks"]


@pytest.mark.parametrize(
    "text",
    [
        '{"Key Risks": "Chu',
        'My review:\n```json\n{"Key Risks": ["Chu',
        '```json\n{"Key Risks": NaN}\n```',
        '[{"Key Risks": ',
    ],
)
def test_broken_json_is_unparseable(text):
    result = score(text)
    assert (result.status, result.score) == ("scored", 0)
    assert result.reason.startswith("unparseable: ")


def test_prose_without_headings_is_readable_and_scores_zero():
    assert score("Buy. The risks are small.").reason.startswith("0 of 5 sections are present; missing: Recommendation")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sections": []}, '"sections" must name at least one section'),
        ({"sections": ["Risks", " "]}, '"sections" holds an empty title'),
        ({"sections": ["Key Risks", "key risks:"]}, '"sections" names "key risks:" twice'),
        ({"require_body": "no"}, '"require_body"'),
        ({"section": ["Risks"]}, 'unknown key "section". Did you mean "sections"?'),
    ],
)
def test_wrong_options_are_explained(options, said):
    _, complaints = fill(ReviewCompleteness, options, file="suite.yaml", line=3)
    with pytest.raises(InputError, match=r"suite\.yaml:3") as problem:
        raise_complaints(complaints)
    assert said in str(problem.value)


BODIES = st.lists(st.sampled_from(["Text.", "", "- a\n- b", "\u200b"]), min_size=5, max_size=5)


@given(BODIES, st.integers(0, 4))
def test_removing_a_section_that_counted_lowers_the_score(bodies, removed):
    parts = [f"## {title}\n{body}\n" for title, body in zip(DEFAULT, bodies, strict=True)]
    full = score("".join(parts) + "\n# End\n")
    if DEFAULT[removed] not in full.detail["empty"]:
        assert score("".join(parts[:removed] + parts[removed + 1 :]) + "\n# End\n").score == full.score - Fraction(1, 5)


@given(BODIES)
def test_markdown_and_json_score_alike(bodies):
    written = "".join(f"## {title}\n{body}\n" for title, body in zip(DEFAULT, bodies, strict=True))
    assert score(written).score == score(json.dumps(dict(zip(DEFAULT, bodies, strict=True)))).score
