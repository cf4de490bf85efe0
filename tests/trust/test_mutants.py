"""Damaged copies of good answers: which there are, which are none, and how their kill rate is counted."""

from __future__ import annotations

import json

import pytest

from judgekit.records import Case, Context
from judgekit.trust.mutants import Mutant, Outcome, kill_rates, mutants_of
from judgekit.trust.mutations import CONSTANT, MUTATIONS

REPORT = """## Summary
Revenue is 4.2M, up 12% on the plan of Ada Quist.

## Risks
Two renewals are open [r1].
"""
CASE = Case("q1", "Summarize the Q1 report.", context=(Context("Two renewals are open.", "r1"),))


def by_kind(text: str, case: Case = CASE, *, seed: int = 0, judged: bool = False) -> dict[str, Mutant]:
    return {one.mutation: one for one in mutants_of(text, case, seed=seed, judged=judged)}


def test_every_kind_of_damage_applies_to_a_report_with_sections_figures_names_and_sources():
    assert list(by_kind(REPORT, judged=True)) == [one.name for one in MUTATIONS]


@pytest.mark.parametrize(
    ("kind", "text", "damaged"),
    [
        ("drop_section", "# A\nOne.\n", None),
        ("drop_section", '{"keep": [1]}', None),
        ("drop_section", "## Facts\nOne.\n## Facts\nOne.\n", "## Facts\nOne.\n"),
        ("delete_source", "It rains [r1].", "It rains."),
        ("delete_source", "See [the sheet](https://a.example/x).", "See the sheet."),
        ("delete_source", '{"triples": [{"subject": "Ada", "source": "p. 4"}]}', '"source": ""'),
        ("delete_source", 'They say "Two renewals are open." today.', "They say today."),
        ("delete_source", 'They say "nothing of the kind" today.', None),
        ("flip_label", "Decision: APPROVED", "Decision: REJECTED"),
        ("flip_label", '{"ok": "yes"}', '{"ok": "no"}'),
        ("flip_label", '{"keep": [1], "drop": [2]}', '{"drop": [1], "keep": [2]}'),
        ("flip_label", "There is no keep here.", None),
        ("swap_number", "We sold 12 of 12.", "We sold 22 of 22."),
        ("swap_number", "1. Hire.\n2. Fire.", None),
        ("swap_number", "It is 3.14, not 3.", "became"),
        (
            "swap_name",
            "We asked Ada Quist and thanked Ada Quist.",
            "We asked Tobin Querfeld and thanked Tobin Querfeld.",
        ),
        ("swap_name", "Revenue rose. The plan holds.", None),
        ("negate_claim", "Revenue is up.", "Revenue is not up."),
        ("negate_claim", "Revenue is not up.", "Revenue is up."),
        ("negate_claim", "Revenue rose again.", "It is not true that revenue rose again."),
        ("negate_claim", '{"a": ["x", "y"]}', None),
        ("truncate", "Too short to cut.", None),
        ("constant", CONSTANT, None),
    ],
)
def test_damage(kind, text, damaged):
    mutant = by_kind(text).get(kind)

    if damaged is None:
        assert mutant is None
    else:
        assert mutant is not None
        assert damaged in mutant.text or damaged in mutant.change


def test_a_dropped_section_leaves_the_others_whole():
    assert by_kind(REPORT)["drop_section"].text in (
        REPORT[: REPORT.index("## Risks")],
        REPORT[REPORT.index("## Risks") :],
    )


def test_a_dropped_key_leaves_valid_json():
    mutant = by_kind('{"name": "Ada", "score": 4}')["drop_section"]

    assert len(json.loads(mutant.text)) == 1


def test_a_cut_text_is_a_beginning_of_the_whole():
    mutant = by_kind(REPORT)["truncate"]

    assert REPORT.startswith(mutant.text)
    assert len(mutant.text) < len(REPORT) * 0.6


def test_the_same_seed_gives_the_same_mutants():
    assert mutants_of(REPORT, CASE, seed=7) == mutants_of(REPORT, CASE, seed=7)


def test_another_seed_hits_another_place():
    hit = {by_kind(REPORT, seed=seed)["swap_number"].change for seed in range(20)}

    assert hit == {"4.2 became 5.2", "12 became 22", "1 became 2"}


def test_a_fake_verdict_is_made_for_judges_only():
    assert "fake_verdict" not in by_kind(REPORT)


@pytest.mark.parametrize("text", ["summarize  the Q1 report.", "Summarize the Q1 report."])
def test_an_echo_that_says_the_same_as_the_answer_is_no_mutant(text):
    assert "echo_input" not in by_kind(text)


def test_two_kinds_of_damage_with_the_same_text_count_once():
    case = Case("a", CONSTANT)

    assert [one.mutation for one in mutants_of("Yes.", case, seed=0) if one.text == CONSTANT] == ["echo_input"]


@pytest.mark.parametrize(
    "text", ["", " \n", "\u200b", "☃", "{", "[[[", "\ud800 lone", "# " * 3000, '{"a": ' * 500, "a" * 100_000]
)
def test_no_text_is_too_odd_to_damage(text):
    mutants = mutants_of(text, CASE, seed=0, judged=True)

    assert all(one.text != text for one in mutants)


# ------------------------------------------------------------------------------------------------------- kill rates


def outcome(case_id, killed, **by):
    return Outcome(Mutant(case_id, "empty", "", "", ""), killed, {("check", name): kill for name, kill in by.items()})


def test_the_rate_of_the_suite_comes_first_then_those_of_its_checks_then_those_of_the_damage():
    rates = kill_rates([outcome("a", True, contains=True, json=False), outcome("b", False, contains=False)])

    assert [(one.kind, one.name, one.killed, one.n) for one in rates] == [
        ("suite", "all", 1, 2),
        ("check", "contains", 1, 2),
        ("check", "json", 0, 1),
        ("mutation", "empty", 1, 2),
    ]


def test_a_mutant_without_a_result_is_in_no_rate():
    whole = kill_rates([outcome("a", True), outcome("a", None), outcome("b", False)])[0]

    assert (whole.killed, whole.n, whole.n_open, whole.estimate.value) == (1, 2, 1, 0.5)


def test_mutants_of_one_answer_are_one_case_of_the_interval():
    # Two cases, all of one killed and none of the other: n is 2 for the interval, not 20.
    whole = kill_rates([outcome("a", True)] * 10 + [outcome("b", False)] * 10)[0]

    assert (whole.n, whole.n_cases, whole.estimate.n) == (20, 2, 2)


def test_without_mutants_there_is_no_rate():
    assert kill_rates([])[0].estimate.value is None
