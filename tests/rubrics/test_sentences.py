"""What counts as a sentence that claims something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.rubrics.sentences import claim_spans


def claims(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in claim_spans(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Revenue was 4.2 million in 2023.",
        "Dr. Lee met Mrs. Ortiz at St. Mary's.",
        "J. K. Rowling wrote it.",
        "Acme Inc. bought Beta Ltd. last year.",
        "It holds metals, e.g. Copper and tin.",
        "See Fig. 3 and No. 5 for this.",
        "The site acme.com is down.",
        "The U.S. Navy owns it.",
        "It took a while… then it worked.",
        "Version 2.0.1 runs.",
    ],
)
def test_a_stop_that_ends_no_sentence(text):
    assert claims(text) == [text]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ada left. Bo stayed.", ["Ada left.", "Bo stayed."]),
        ("ada left early. bo stayed.", ["ada left early.", "bo stayed."]),
        ("It grew! It really did.", ["It grew!", "It really did."]),
        ('She said "no way." He left.', ['She said "no way."', "He left."]),
        ("Ada left.[1] Bo stayed. [2][3] Cy slept.", ["Ada left.[1]", "Bo stayed. [2][3]", "Cy slept."]),
        ("It was bought by Beta Inc. The deal closed.", ["It was bought by Beta Inc.", "The deal closed."]),
        ("They chose plan B. It failed.", ["They chose plan B.", "It failed."]),
        ("It opened in 1999. The owner left.", ["It opened in 1999.", "The owner left."]),
        ("東京は首都です。京都は古い。", ["東京は首都です。", "京都は古い。"]),
    ],
)
def test_sentences_of_one_line(text, parts):
    assert claims(text) == parts


def test_list_items_are_sentences_without_their_marks():
    text = "- Ada left\n* Bo stayed\n1. Cy slept\n2) Di ran\n(3) Ed sat\n• Flo sang\n> Gus wrote"
    assert claims(text) == ["Ada left", "Bo stayed", "Cy slept", "Di ran", "Ed sat", "Flo sang", "Gus wrote"]


@pytest.mark.parametrize(
    "text",
    [
        "# Ada founded Acme",
        "**Key facts**",
        "__Key facts__:",
        "Key facts\n=========",
        "Key facts\n---------",
        "These are the facts:",
        "Did Ada found Acme?",
        "```\nAda founded Acme.\n```",
        "---",
        "***",
        "| Name | Firm |\n|---|---|",
        "!!!",
        "",
    ],
)
def test_what_claims_nothing(text):
    assert claims(text) == []


@pytest.mark.parametrize("text", ["**Ada founded Acme.**", "Ada founded Acme.\n---\n"])
def test_a_sentence_set_like_a_heading_still_claims(text):
    assert len(claims(text)) == 1


def test_rows_of_a_table_are_claims_and_its_head_is_not():
    assert claims("| Name | Firm |\n|---|---|\n| Ada | Acme |\n| Bo | Beta |") == ["| Ada | Acme |", "| Bo | Beta |"]


def test_a_line_wrapped_by_an_editor_goes_on():
    text = (
        "The bridge over the river Calder was designed by the engineer Mary\nAshworth, who lived\nin Leeds.\nIt stands."
    )
    assert claims(text) == [
        "The bridge over the river Calder was designed by the engineer Mary Ashworth, who lived in Leeds.",
        "It stands.",
    ]


def test_short_lines_without_stops_are_claims_of_their_own():
    assert claims("Ada founded Acme\nBo runs Beta") == ["Ada founded Acme", "Bo runs Beta"]


def test_a_paragraph_ends_at_a_blank_line():
    assert claims("Ada founded Acme,\n\nBo runs Beta") == ["Ada founded Acme,", "Bo runs Beta"]


def test_a_quotation_mark_alone_on_a_line_belongs_to_no_sentence():
    assert claims(">\na") == ["a"]


@given(st.text("aA .!?:\n-*#|>1[]`", max_size=120))
def test_spans_are_in_order_and_inside_the_text(text):
    spans = claim_spans(text)
    flat = [place for span in spans for place in span]
    assert flat == sorted(flat)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)
