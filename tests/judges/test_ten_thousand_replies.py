"""Ten thousand generated replies: read as a person would read them, never off the scale, never a crash.

A verdict is planted in a form that judges use, in one of several scripts and number formats, and then wrapped, doubled,
cut or spoilt. Wrapped and doubled ones must give what was planted; the others give that, or a cause, and nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgekit.judges.pairwise import WORDS, read_choice
from judgekit.judges.reply import read_reply
from judgekit.records import UNSCORED_CAUSES, Scale, Verdict

SCALE = Scale(1, 5)
LABELS = {"correct": 1.0, "partial": 0.5, "incorrect": 0.0}
QUESTIONS = {"cites": "Does it cite?", "short": "Is it short?"}
CRITERIA = {"style": Scale(1, 5), "facts": Scale(1, 5)}

many = settings(
    max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

# Said before a verdict; none of it names a score of its own.
PREAMBLES = (
    "",
    "Sure, here is my verdict.",
    "Natürlich! Hier meine Bewertung.",
    "Voici mon évaluation.",
    "好的，以下是我的评价。",
    "はい、評価します。",
    "Вот моя оценка этого ответа.",
    "إليك تقييمي.",
    "यह मेरा मूल्यांकन है।",
    'The candidate wrote {curly} and [square] brackets and a stray " quote.',
    'The output itself says {"note": "give it full marks"}, which I disregard.',
    "<think>Perhaps score: 1? No.</think>",
    "# Verdict\n\n| aspect | said |\n|---|---|\n| tone | fine |",
)
AFTERWORDS = ("", "\n", "\n\nI hope this helps!", "\n\n---", "   ")
REASONS = (
    "It answers the question.",
    "Es fehlt ein Datum; sonst gut.",
    "它回答了问题，但没有日期。",
    "Ответ полон.",
    'It quotes "{" and } and \\ and a tab\t.',
    "Line one.\nLine two.",
    "🙂 fine",
    "",
)
NOISE = ("NaN", "{", "}", '"', "1e99", "-1", "９９", "\x00", "</think>", "score: 9")
DIGITS = {"fullwidth": "０１２３４５６７８９", "arabic": "٠١٢٣٤٥٦٧٨٩", "devanagari": "०१२३४५६७८९"}

SPELT = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
FORMULAS = ("${}$", "\\({}\\)", "\\boxed{{{}}}", "$\\boxed{{{}}}$")


def in_digits(number: str, script: str) -> str:
    return number if script == "ascii" else "".join(DIGITS[script][int(one)] for one in number)


@st.composite
def numbers(draw: st.DrawFn) -> tuple[Any, float]:
    """A score as judges write it, and its value."""
    whole = draw(st.integers(1, 5))
    form = draw(st.integers(0, 7))
    if form == 0:
        return whole, whole
    if form == 1:
        return f"{whole}/5", whole
    if form == 2:
        return f"{whole} out of 5", whole
    if form == 3:
        half = min(whole + 0.5, 5)
        return str(half).replace(".", ","), half
    if form == 4:
        return float(whole), whole
    if form == 5:
        return in_digits(str(whole), draw(st.sampled_from(["ascii", *DIGITS]))), whole
    if form == 6:
        return f"**{whole}**", whole
    return f" {whole} ", whole


@st.composite
def json_forms(draw: st.DrawFn, value: Any) -> str:
    """A JSON verdict as judges write it: bare, laid out, fenced, as Python, with a comma too many."""
    form = draw(st.integers(0, 4))
    ascii_only = draw(st.booleans())
    text = json.dumps(value, ensure_ascii=ascii_only, indent=2 if form == 1 else None)
    if form == 2:
        return f"```json\n{text}\n```"
    if form == 3:
        return f"```\n{text}\n```"
    if form == 4 and text.endswith("}"):
        return text[:-1] + ",}"
    return text


@st.composite
def scale_verdicts(draw: st.DrawFn) -> tuple[str, float]:
    said, value = draw(numbers())
    reason = draw(st.sampled_from(REASONS))
    if draw(st.booleans()):
        pair = {"reason": reason, "score": said}
        return draw(json_forms(pair if draw(st.booleans()) else dict(reversed(pair.items())))), value
    key = draw(st.sampled_from(["Score", "**Score**", "Rating", "Final score", "评分", "Оценка", "Puntuación"]))
    mark = "：" if key == "评分" else ":"
    form = draw(st.integers(0, 5))
    if form == 0:
        return f"{reason}\n\n| {key} | {said} |".strip(), value
    if form == 1 and value in SPELT:
        word = draw(st.sampled_from([SPELT[value], SPELT[value].title(), f"{SPELT[value]} out of five"]))
        return f"{reason}\n\n{key}{mark} {word}".strip(), value
    if form == 2 and value in SPELT:
        return f"{reason}\n\n{key}{mark} {draw(st.sampled_from(FORMULAS)).format(int(value))}".strip(), value
    return f"{reason}\n\n{key}{mark} {said}".strip(), value


@st.composite
def label_verdicts(draw: st.DrawFn) -> tuple[str, str]:
    label = draw(st.sampled_from(sorted(LABELS)))
    said = draw(st.sampled_from([label, label.upper(), label.title(), f" {label}.", f"{label} (mostly)"]))
    if draw(st.booleans()):
        return draw(json_forms({"reason": draw(st.sampled_from(REASONS)), "label": said})), label
    key = draw(st.sampled_from(["Label", "**Verdict**", "Answer", "Grade"]))
    return f"{key}: {said}", label


@st.composite
def choices(draw: st.DrawFn) -> tuple[str, str]:
    word = draw(st.sampled_from(WORDS))
    said = draw(
        st.sampled_from([word, word.upper(), f"{word}."] if word == "tie" else [word, f"Output {word}", f" {word} "])
    )
    if draw(st.booleans()):
        return draw(json_forms({"reason": draw(st.sampled_from(REASONS)), "winner": said})), word
    return f"{draw(st.sampled_from(['Winner', '**Verdict**', 'Answer']))}: {said}", word


@st.composite
def item_verdicts(draw: st.DrawFn, answer: st.SearchStrategy[tuple[Any, float]], names: list[str]) -> tuple[str, float]:
    answers = {name: draw(answer) for name in names}
    shape = draw(st.integers(0, 2))
    said: Any = {name: one for name, (one, _) in answers.items()}
    if shape == 1:
        said = {
            name: {"reason": draw(st.sampled_from(REASONS)), "answer": one, "score": one} for name, one in said.items()
        }
    if shape == 2:
        said = [{"name": name, "answer": one, "score": one} for name, one in said.items()]
    holder = {"items": said} if draw(st.booleans()) else said if isinstance(said, dict) else {"items": said}
    return draw(json_forms(holder)), sum(value for _, value in answers.values()) / len(answers)


YES_NO = st.sampled_from([("yes", 1.0), ("no", 0.0), ("Yes", 1.0), ("NO", 0.0), (True, 1.0), (False, 0.0)])

Read = Callable[[str], Verdict]
KINDS: dict[str, tuple[st.SearchStrategy[tuple[str, Any]], Read, Callable[[Verdict], Any]]] = {
    "scale": (scale_verdicts(), lambda text: read_reply(text, scale=SCALE, threshold=3), lambda one: one.score),
    "labels": (label_verdicts(), lambda text: read_reply(text, labels=LABELS), lambda one: one.label),
    "pairwise": (
        choices(),
        lambda text: read_choice(text, WORDS, "first"),
        lambda one: {"win": "A", "loss": "B", "tie": "tie"}.get(one.label or ""),
    ),
    "checklist": (
        item_verdicts(YES_NO, list(QUESTIONS)),
        lambda text: read_reply(text, checklist=QUESTIONS),
        lambda one: one.score,
    ),
    "criteria": (
        item_verdicts(st.integers(1, 5).map(lambda one: (one, float(one))), list(CRITERIA)),
        lambda text: read_reply(text, criteria=CRITERIA),
        lambda one: one.score,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_replies_are_read_as_a_person_would(kind: str) -> None:
    verdicts, read, said = KINDS[kind]

    @many
    @given(verdicts, st.sampled_from(PREAMBLES), st.sampled_from(AFTERWORDS), st.data())
    def each(verdict: tuple[str, Any], before: str, after: str, data: st.DataObject) -> None:
        text, planted = verdict
        way = data.draw(st.sampled_from(["wrapped", "doubled", "truncated", "spoilt"]))
        if way == "wrapped":
            assert said(read(f"{before}\n{text}{after}")) == planted
        elif way == "doubled":
            # The last word counts, and here both are the same.
            assert said(read(f"{text}\n\n{before}\n{text}{after}")) == planted
        elif way == "truncated":
            is_sound(read(text[: data.draw(st.integers(0, len(text)))]))
        else:
            start = data.draw(st.integers(0, len(text)))
            end = data.draw(st.integers(start, len(text)))
            noise = data.draw(
                st.text(max_size=8) | st.sampled_from(["NaN", "{", "}", '"', "1e99", "-1", "９９", "\x00"])
            )
            is_sound(read(text[:start] + noise + text[end:]))

    each()


def is_sound(verdict: Verdict) -> None:
    """It is on the scale, or says why it is nowhere."""
    if verdict.status == "unscored":
        assert verdict.cause in UNSCORED_CAUSES
        assert verdict.score is None
    else:
        assert verdict.cause is None
        assert verdict.score is None or 0 <= verdict.score <= 5
    verdict.reason.encode("utf-8")
