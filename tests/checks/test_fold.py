"""Folding keeps its way back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.checks.fold import fold, is_blank

LETTERS = "aB ß\t\n’“—…ﬁéE\u0301\u200b中Ж\u00a0ㄱㅏ가İ™½x"


@given(st.text(LETTERS, min_size=1, max_size=12), st.booleans(), st.booleans(), st.data())
def test_the_original_of_a_span_folds_to_what_was_found(text, case, form, data):
    folded = fold(text, case=case, form=form)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    first, last = folded.span(start, end)
    assert 0 <= first < last <= len(text)
    wanted = folded.text[start:end]
    assert (wanted.strip() if form else wanted) in fold(text[first:last], case=case, form=form).text


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing_in_plain_text(text):
    once = fold(text.encode("ascii", "ignore").decode()).text
    assert fold(once).text == once


@pytest.mark.parametrize(
    ("text", "blank"), [("", True), (" \n\u200b\ufeff\x00", True), ("·", False), ("\u0301", False)]
)
def test_blank_is_what_shows_nothing(text, blank):
    assert is_blank(text) is blank
