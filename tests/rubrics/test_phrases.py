"""Two ways of writing the same thing are the same, and others are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.rubrics.phrases import both_held, joined, numbers, phrase, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The Beatles", "beatles"),
        ("an Otter", "otter"),
        ("ACME, Inc.", "Acme Inc"),
        ("café", "cafe\u0301"),
        ("ﬁsh", "fish"),
        ("STRASSE", "straße"),
        ("on-call", "on call"),
        ("founded_by", "founded by"),
        ("Ada\u2019s", "Ada's"),
        ("Ada's", "Ada"),
        ("companies'", "companies"),
        ("U.S.", "US"),
        ("1,200", "1200"),
        ("4.20", "4.2"),
        ("$4.2M", "$4.2 million"),
        ("2bn", "2,000,000,000"),
        ("10k", "10,000"),
        ("12%", "12 percent"),
        ("3rd", "3"),
        ("2024-03-01", "2024 3 1"),
        ("12\u00a0km", "12 km"),
        ("Bore\u00adalis", "Borealis"),
        ("4.2\u00a0 million", "4.2 million"),
    ],
)
def test_the_same(one, other):
    assert phrase(one) == phrase(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Vitamin A", "Vitamin C"),
        ("C++", "C"),
        ("C#", "C"),
        ("4.2 million", "4.2 billion"),
        ("4.2", "42"),
        ("Q1", "Q2"),
        ("1990s", "1990"),
        ("cafe", "café"),
        ("not bought", "bought"),
    ],
)
def test_not_the_same(one, other):
    assert phrase(one) != phrase(other)


def held(first, second, text):
    return both_held(phrase(first), phrase(second), joined(words(text)))


@pytest.mark.parametrize(
    ("subject", "thing", "text"),
    [
        ("Ada", "Acme", "Acme was founded by Ada."),
        ("Ada", "Acme", "Ada Acme"),
        ("The Hague", "North Sea", "The Hague lies on the North Sea"),
        ("東京", "日本", "東京は日本の首都です。"),
        ("Ada", "Ada", "Ada trusts Ada"),
    ],
)
def test_both_stand_in_the_text_as_whole_phrases(subject, thing, text):
    assert held(subject, thing, text)


@pytest.mark.parametrize(
    ("subject", "thing", "text"),
    [
        ("Mia", "Rome", "Miami is far from Rome"),
        ("Ada", "Acme", "Ada founded it"),
        ("New York", "New York City", "New York City is large"),
        ("Ada", "Ada", "Ada left"),
        ("Ada", "", "Ada left"),
        ("!!!", "Ada", "Ada left"),
        ("John Smith", "Acme", "John met Smith at Acme"),
    ],
)
def test_one_of_them_does_not(subject, thing, text):
    assert not held(subject, thing, text)


def test_numbers_are_values_and_marks_with_digits():
    assert numbers("In Q3 the 2nd plant made 1,250.50 t (−4%).") == {
        "q3": "q3",
        "=2": "2nd",
        "=1250.5": "1,250.50",
        "=4": "4",
    }


@given(st.integers(0, 10**12))
def test_thousands_separators_do_not_change_a_number(value):
    assert words(f"{value:,}") == words(str(value)) == [f"={value}"]


@given(st.text(max_size=80))
def test_no_text_breaks_the_words(text):
    assert all(one and " " not in one for one in words(text))
