"""Whether a judge favours the family of models that it comes from."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.trust.self_preference import self_preferences

WRITERS = {"v1": "gpt-4o-mini", "v2": "openai/llama-3.1-8b"}
JUDGES = ("gpt-4o", "claude-opus-4-1")


def row(kind: type, **fields: Any) -> Any:
    return kind(**(dict.fromkeys(kind._fields) | {"trial": 0, "against": "", "kind": "judge"} | fields))


def run(score, *, n: int = 8, judges=JUDGES, writers=WRITERS):
    """Rows of a run; `score(judge, variant)` says what each judge gives."""
    cases = [
        CaseRow(**(dict.fromkeys(CaseRow._fields) | {"case_id": f"c{k}", "variant": v, "trial": 0, "target_model": m}))
        for k in range(n)
        for v, m in writers.items()
    ]
    results = [
        row(ResultRow, case_id=f"c{k}", variant=v, metric="good", judge=judge, score=float(score(judge, v)))
        for k in range(n)
        for v in writers
        for judge in judges
    ]
    return results, cases


def findings(rows) -> dict[str, str]:
    return {one.judge: one.finding for one in self_preferences(*rows)}


def test_a_judge_that_adds_a_point_for_its_own_family_is_found():
    (one,) = self_preferences(*run(lambda judge, variant: 3 + (judge == "gpt-4o" and variant == "v1")))

    # Own answers 4 beside 3 by the other judge, others' 3 beside 3: one point on each of 8 cases, p = 0.5 ** 8.
    assert (one.judge, one.finding, one.difference, one.up) == ("gpt-4o", "biased", 1, 8)
    assert one.p_value == pytest.approx(0.5**8)


def test_of_two_judges_that_each_have_answers_in_the_comparison_nobody_can_say_which_is_biased():
    writers = {"v1": "gpt-4o-mini", "v2": "claude-3-5-haiku"}

    assert (
        self_preferences(*run(lambda judge, variant: 3 + (judge == "gpt-4o" and variant == "v1"), writers=writers))
        == []
    )


def test_answers_that_are_better_for_both_judges_show_no_preference():
    rows = run(lambda judge, variant: 5 if variant == "v1" else 2)

    assert findings(rows) == {"gpt-4o": "not shown"}


def test_a_judge_that_is_milder_with_everybody_shows_no_preference():
    rows = run(lambda judge, variant: 4 if judge == "gpt-4o" else 2)

    assert findings(rows)["gpt-4o"] == "not shown"


def test_four_cases_are_too_few():
    rows = run(lambda judge, variant: 3 + (judge == "gpt-4o" and variant == "v1"), n=4)

    assert findings(rows)["gpt-4o"] == "too few"


@pytest.mark.parametrize(
    "how",
    [{"judges": ("gpt-4o", "gpt-4o-mini")}, {"judges": ("gpt-4o",)}, {"writers": {"v1": "gpt-4o-mini"}}],
    ids=["one family of judges", "one judge", "one family of writers"],
)
def test_without_another_family_nothing_is_measured(how):
    assert self_preferences(*run(lambda judge, variant: 3, **how)) == []
