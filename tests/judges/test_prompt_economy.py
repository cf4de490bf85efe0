"""Rendered prompts of every kind: constant text first, evidence and outputs last, reason before the verdict."""

from __future__ import annotations

from itertools import takewhile

import pytest

from judgekit.judges.answering import answer_prompt
from judgekit.judges.each import only
from judgekit.judges.pairwise import ORDERS, Pair, as_pairwise, pair_prompt
from judgekit.judges.prompting import judge_prompt
from judgekit.prompts import reply_schema
from judgekit.records import Case, Context, Output, Rubric, Scale

EVERYTHING = ("input", "output", "reference", "context")
SCALE = Rubric("r", "Is it good?", scale=Scale(1, 5, {1: "bad", 5: "good"}), needs=EVERYTHING)
KINDS = {
    "scale": SCALE,
    "weighted": Rubric("r", "Is it good?", scale=Scale(1, 5), weighted=True, needs=EVERYTHING),
    "labels": Rubric("r", "Is it good?", labels={"good": 1, "bad": 0}, needs=EVERYTHING),
    "checklist": Rubric("r", "Is it good?", checklist={"a": "Is it a?", "b": "Is it b?"}, needs=EVERYTHING),
    "criteria": Rubric("r", "Is it good?", criteria={"a": Scale(1, 5), "b": Scale(0, 1)}, needs=EVERYTHING),
    "one item": only(Rubric("r", "Is it good?", checklist={"a": "Is it a?", "b": "Is it b?"}, needs=EVERYTHING), "b"),
    "answered first": Rubric("r", "Is it good?", scale=Scale(1, 5), answer_first=True, needs=EVERYTHING),
    "pairwise": as_pairwise(SCALE),
}


def case(name: str) -> tuple[Case, Output, Output]:
    """A case of which every text bears its name."""
    texts = Case(name, input=f"{name} input", reference=f"{name} ref", context=(Context(f"{name} ctx", "d1"),))
    return texts, Output(f"{name} output", name), Output(f"{name} other", name)


def prompt(rubric: Rubric, name: str) -> str:
    texts, output, other = case(name)
    own = f"{name} own" if rubric.answer_first else None
    if rubric.pairwise:
        return pair_prompt(rubric, texts, Pair(output, other, "v1"), "first", own_answer=own)
    return judge_prompt(rubric, texts, output, own_answer=own)


@pytest.mark.parametrize("kind", KINDS)
def test_prompts_of_two_cases_share_all_text_of_the_rubric(kind: str) -> None:
    first, second = prompt(KINDS[kind], "alpha"), prompt(KINDS[kind], "omega")
    shared = _start(first, second)
    # What follows the first character that differs, which is one of the marker, are the blocks alone.
    rest = [line for line in first[len(shared) :].split("\n")[1:] if line]
    assert all("alpha" in line or line.startswith(("BEGIN ", "END ")) for line in rest)
    assert "Reply with one JSON object" in shared


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_under_test_stands_last(kind: str) -> None:
    lines = prompt(KINDS[kind], "alpha").split("\n")
    last = "alpha other" if KINDS[kind].pairwise else "alpha output"
    assert lines[-2] == last
    places = [lines.index(text) for text in ("alpha input", "[d1] alpha ctx", "alpha ref", "alpha output")]
    assert places == sorted(places)


@pytest.mark.parametrize("kind", KINDS)
def test_the_reason_is_asked_for_before_the_verdict(kind: str) -> None:
    text = prompt(KINDS[kind], "alpha")
    form = text[text.index("Reply with one JSON object") :]
    verdict = min(form.index(word) for word in ('"score"', '"label"', '"answer"', '"winner"') if word in form)
    assert form.index('"reason"') < verdict

    def first_of(schema: dict) -> str:  # type: ignore[type-arg]
        name, inner = next(iter(schema["properties"].items()))
        return first_of(inner) if "properties" in inner else str(name)

    assert first_of(reply_schema(KINDS[kind])) == "reason"


@pytest.mark.parametrize("kind", KINDS)
def test_jinja_in_data_stays_data(kind: str) -> None:
    trick = "{{ reference }}{% for x in vars %}{{ x }}{% endfor %}{# note #}"
    texts, output, other = case("alpha")
    rubric = KINDS[kind]
    own = trick if rubric.answer_first else None
    attack = Output(trick, "alpha")
    if rubric.pairwise:
        text = pair_prompt(rubric, texts, Pair(attack, other, "v1"), "first", own_answer=own)
    else:
        text = judge_prompt(rubric, texts, attack, own_answer=own)
    assert trick in text
    assert output.text not in text.split("\n")


def test_both_orders_share_everything_before_the_outputs() -> None:
    texts, output, other = case("alpha")
    first, second = (pair_prompt(KINDS["pairwise"], texts, Pair(output, other, "v1"), order) for order in ORDERS)
    assert _start(first, second).startswith(first[: first.index("alpha output")])


def test_the_question_for_an_own_answer_shares_its_start_too() -> None:
    first, second = (answer_prompt(SCALE, case(name)[0], case(name)[0].context) for name in ("alpha", "omega"))
    assert _start(first, second).endswith("BEGIN CONTEXT ")


def _start(one: str, other: str) -> str:
    """What two texts share from their first character on."""
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
