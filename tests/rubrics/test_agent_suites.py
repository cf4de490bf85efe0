"""The shipped fixtures of the four agents: they carry information, and nothing degenerate passes them."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from difflib import SequenceMatcher
from fractions import Fraction
from pathlib import Path

import pytest

from judgekit.config import load_project
from judgekit.records import Case, Output
from judgekit.rubrics.base import apply
from judgekit.rubrics.files import resolve
from judgekit.rubrics.triples import supplied
from judgekit.scenarios.load import load_scenarios
from judgekit.texts.jsontext import find_object

ROOT = Path(__file__).parents[2]
THRESHOLDS = {
    "source_coverage": Fraction("0.70"),
    "filter_accuracy": Fraction("0.80"),
    "grounding_score": Fraction("0.70"),
    "review_completeness": Fraction("0.80"),
}
SUITES = load_scenarios([ROOT / "scenarios" / "agents"], root=ROOT)
CASES = [case for suite in SUITES for case in suite.cases]
GOLDENS = [case for case in CASES if case.should_pass]
NEGATIVES = [case for case in CASES if not case.should_pass]


def result(case: Case, text: str | None = None):
    [use] = case.rubrics
    use = replace(use, pass_at=THRESHOLDS[use.name])
    return apply(resolve(use, root=ROOT), use, Output(case.output if text is None else text), case)


def named(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda one: one.case_id)


def of(rubric: str) -> list[Case]:
    return [case for case in GOLDENS if case.rubrics[0].name == rubric]


def test_each_agent_has_eight_goldens_and_four_negatives_at_its_threshold():
    registry = load_project(ROOT).settings.agents
    assert {case.agent: {case.rubrics[0].name: THRESHOLDS[case.rubrics[0].name]} for case in CASES} == {
        name: entry.thresholds for name, entry in registry.items()
    }
    assert list(registry) == ["scarlet", "ayana", "eliza", "reagan"]
    assert {case.rubrics[0].pass_at for case in CASES} == {None}
    for rubric in THRESHOLDS:
        assert len(of(rubric)) == 8
        assert len([case for case in NEGATIVES if case.rubrics[0].name == rubric]) == 4


@named(CASES)
def test_the_data_of_a_case_is_sound(case):
    assert resolve(case.rubrics[0], root=ROOT).check_case(case) == []


@named(GOLDENS)
def test_a_golden_passes(case):
    found = result(case)
    assert found.status == "pass", found.reason


@named(NEGATIVES)
def test_a_negative_fails_for_its_own_defect(case):
    found = result(case)
    assert found.status == "fail"
    assert case.defect in found.reason


@pytest.mark.parametrize("rubric", THRESHOLDS)
def test_some_goldens_are_below_the_top(rubric):
    scores = [result(case).score for case in of(rubric)]
    assert 1 in scores
    assert len([score for score in scores if score < 1]) >= 3


@named(GOLDENS)
@pytest.mark.parametrize("text", ["", " \n", "I cannot help with that.", "{}", "[]"])
def test_an_empty_answer_passes_nothing(case, text):
    assert result(case, text).status == "fail"


@named(GOLDENS)
def test_an_echo_of_the_input_passes_nothing(case):
    assert result(case, case.input).status == "fail"


@named(of("filter_accuracy"))
@pytest.mark.parametrize("kept", [True, False])
def test_keeping_or_dropping_everything_passes_nothing(case, kept):
    ids = [item["id"] for item in case.vars["items"]]
    decisions = {"keep": ids if kept else [], "drop": [] if kept else ids}
    assert result(case, json.dumps(decisions)).status == "fail"


@named(GOLDENS)
def test_headings_without_bodies_pass_nothing(case):
    titles = ["Recommendation", "Conviction", "Key Positives", "Key Risks", "Reviewer Notes"]
    assert result(case, "".join(f"## {title}\n\n" for title in titles)).status == "fail"


@named(of("source_coverage"))
def test_removing_any_source_that_counted_lowers_the_score(case):
    before = result(case)
    triples = find_object(case.output, lambda value: "triples" in value).value["triples"]
    for index in set(range(len(triples))) - set(before.detail["uncovered"]):
        fewer = [{**triple, "source": ""} if at == index else triple for at, triple in enumerate(triples)]
        assert result(case, json.dumps({"triples": fewer})).score < before.score


@named(of("filter_accuracy"))
def test_removing_any_correct_decision_lowers_the_score(case):
    before = result(case)
    for item in case.vars["items"]:
        others = [one for one in case.vars["items"] if one is not item]
        without = replace(case, vars={"items": others})
        was_right = result(without).score * len(others) < before.score * len(case.vars["items"])
        emitted = find_object(case.output, lambda value: True).value
        fewer = {
            key: [one for one in rows if str(one["id"] if isinstance(one, dict) else one) != str(item["id"])]
            for key, rows in emitted.items()
        }
        assert (result(case, json.dumps(fewer)).score < before.score) is was_right


@named(of("grounding_score"))
def test_removing_a_triple_that_a_claim_rests_on_lowers_the_score(case):
    before = result(case)
    triples, _ = supplied(Output(""), case)
    rows = [
        {"subject": one.subject, "predicate": one.predicate, "object": one.object, "id": next(iter(one.ids), None)}
        for one in triples
    ]
    scores = [
        result(replace(case, context=None, vars={"triples": [*rows[:at], *rows[at + 1 :]]})).score
        for at in range(len(rows))
    ]
    assert max(scores) <= before.score
    # A claim may rest on several triples, but no golden gets along without its context.
    assert sum(score < before.score for score in scores) >= min(2, len(rows))


@named(of("review_completeness"))
def test_removing_any_section_that_counted_lowers_the_score(case):
    before = result(case)
    for start, end in before.spans:
        if case.output.lstrip().startswith("{"):
            review = json.loads(case.output)
            for key, value in review.items():
                fewer = {one: text for one, text in review.items() if one != key}
                assert (result(case, json.dumps(fewer)).score < before.score) is bool(value)
        else:
            renamed = case.output[:start] + "Elsewhere" + case.output[end:]
            assert result(case, renamed).score < before.score


def test_no_fixture_is_a_copy_of_another_with_words_changed():
    for one, other in itertools.combinations(CASES, 2):
        if one.agent == other.agent:
            alike = SequenceMatcher(None, one.output.split(), other.output.split(), autojunk=False).ratio()
            assert alike < 0.6, (one.case_id, other.case_id)
            assert one.input != other.input
