"""`-k` and `--tag`."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError
from judgekit.pipeline.select import selection
from judgekit.records import Case

CASES = [
    Case("refund-late", suite="refunds", tags=("slow", "EU")),
    Case("refund-angry", name="Shouting", suite="refunds", tags=("tone",)),
    Case("delivery", suite="parcels", agent="scarlet"),
    Case("Größe", suite="parcels"),
]


def chosen(expression: str | None = None, *tags: str) -> list[str]:
    wanted = selection(expression, tags)
    return [case.case_id for case in CASES if wanted(case)]


@pytest.mark.parametrize(
    ("expression", "ids"),
    [
        ("refund", ["refund-late", "refund-angry"]),
        ("REFUND and not angry", ["refund-late"]),
        ("late or delivery", ["refund-late", "delivery"]),
        ("not (refund or delivery)", ["Größe"]),
        ("not not late", ["refund-late"]),
        ("late or angry and delivery", ["refund-late"]),
        ("shouting", ["refund-angry"]),
        ("parcels and scarlet", ["delivery"]),
        ("GRÖSSE", ["Größe"]),
        ('"refund-a"', ["refund-angry"]),
        ("", [case.case_id for case in CASES]),
        ("   ", [case.case_id for case in CASES]),
        (None, [case.case_id for case in CASES]),
    ],
)
def test_words_are_found_in_id_name_suite_and_agent(expression: str | None, ids: list[str]) -> None:
    assert chosen(expression) == ids


@pytest.mark.parametrize(
    "expression",
    ["and", "a and", "or a", "not", "(a", "a)", "()", "a b", '"a', "a and or b", "(" * 100_000, "not " * 100_000 + "a"],
)
def test_an_expression_that_cannot_be_read_is_refused(expression: str) -> None:
    with pytest.raises(InputError, match=r"^-k "):
        selection(expression, ())


def test_one_of_the_tags_is_enough_and_letters_may_be_of_any_case() -> None:
    assert chosen(None, "eu", "TONE") == ["refund-late", "refund-angry"]
    assert chosen("angry", "eu", "tone") == ["refund-angry"]
    assert chosen(None, "nothing") == []
