"""Folding keeps its way back."""

from hypothesis import given
from hypothesis import strategies as st

from judgekit.texts.folding import fold

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
