"""What holds for any reply: no crash, no score off the scale, and a planted verdict is found."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judgekit.judges.reply import read_reply
from judgekit.records import UNSCORED_CAUSES, Scale

SCALE = Scale(1, 5)
LABELS = {"A": 1.0, "B": 0.5, "C": 0.0}

words = st.text(st.characters(codec="utf-8", exclude_characters="<>{}[]"), max_size=40)
scores = st.integers(2, 10).map(lambda half: half / 2)


@st.composite
def verdicts(draw: st.DrawFn, score: st.SearchStrategy[Any] = scores) -> tuple[str, Any]:
    """A verdict as a judge writes it, and the score planted in it."""
    planted = draw(score)
    quoted = draw(st.sampled_from(['{"score": 5}', "Score: 1", "GRADE: A", '"', "'", "}"]))
    reason = draw(words) + draw(st.sampled_from(["", quoted]))
    form = draw(st.integers(0, 4))
    if form == 0:
        return json.dumps({"reason": reason, "score": planted}), planted
    if form == 1:
        return json.dumps({"score": planted, "reason": reason}, ensure_ascii=False), planted
    if form == 2:
        return f"```json\n{json.dumps({'reason': reason, 'score': str(planted)}, indent=2)}\n```", planted
    if form == 3:
        return f"**Score:** {planted}", planted
    return f"Rating: {planted}/5", planted


@given(verdicts(), words, words)
def test_planted_verdict_is_found_whatever_stands_before_it(
    verdict: tuple[str, float], before: str, thought: str
) -> None:
    text, planted = verdict
    assert read_reply(f"<think>{thought} Score: 1</think>{before}\n{text}", scale=SCALE).score == planted


@given(verdicts(), verdicts())
def test_later_of_two_verdicts_counts(first: tuple[str, float], second: tuple[str, float]) -> None:
    # JSON after prose or prose on its own line after JSON: the judge's last word is its verdict.
    assert read_reply(f"{first[0]}\n\n{second[0]}", scale=SCALE).score == second[1]


@settings(max_examples=300)
@given(verdicts(), st.data())
def test_mangled_reply_never_leaves_the_scale(verdict: tuple[str, float], data: st.DataObject) -> None:
    text = verdict[0]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    inserted = data.draw(st.text(max_size=10) | st.sampled_from(["NaN", "{", "}", '"', "</think>", "１００", "1e99"]))
    for mangled in (text[:start], text[:start] + inserted + text[end:], text[start:] + text):
        _is_sound(read_reply(mangled, scale=SCALE, threshold=3))


@settings(max_examples=300)
@given(st.text(st.characters(), max_size=200))
def test_any_text_gives_a_sound_verdict_of_every_kind(text: str) -> None:
    _is_sound(read_reply(text, scale=SCALE, threshold=3))
    _is_sound(read_reply(text, labels=LABELS, label_key="GRADE"))
    _is_sound(read_reply(text, labels=LABELS))
    _is_sound(read_reply(text, checklist={"a": "A?", "b": "B?"}))
    _is_sound(read_reply(text, criteria={"a": SCALE, "b": SCALE}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["score", "rating", "pass", "label", "items", "a", "reason", "content", "tool_calls"])
            | words,
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from(["content", "tool_calls", "finish_reason", "refusal", "score"]), json_values))
def test_any_chat_message_gives_a_sound_verdict(message: dict[str, Any]) -> None:
    _is_sound(read_reply(message, scale=SCALE, threshold=3))
    _is_sound(read_reply(message, labels=LABELS))
    _is_sound(read_reply(json.dumps(message), checklist={"a": "A?"}))
    _is_sound(read_reply(json.dumps(message), criteria={"a": SCALE}))


def _is_sound(verdict: Any) -> None:
    if verdict.status == "unscored":
        assert verdict.cause in UNSCORED_CAUSES
        assert (verdict.score, verdict.label, verdict.passed) == (None, None, None)
    else:
        assert verdict.cause is None
        assert verdict.score is None or 0 <= verdict.score <= 5
        assert verdict.score is not None or verdict.passed is not None
    verdict.reason.encode("utf-8")
