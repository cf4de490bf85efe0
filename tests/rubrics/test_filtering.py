"""filter_accuracy, sentence by sentence."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.records import Case, Output
from judgekit.rubrics.filtering import FilterAccuracy


def case(**labels) -> Case:
    return Case("a", vars={"items": [{"id": name, "label": label} for name, label in labels.items()]})


FOUR = case(a="keep", b="keep", c="drop", d="drop")


def score(decisions, on: Case = FOUR):
    return FilterAccuracy().score(Output(decisions if isinstance(decisions, str) else json.dumps(decisions)), on)


def test_right_decisions_over_all_labelled_items():
    result = score({"keep": ["a", "c"], "drop": ["b", "d"]})
    assert result.score == Fraction(2, 4)
    assert result.reason == "2 of 4 decisions are right; wrong: b (must be kept), c (must be dropped)"


@pytest.mark.parametrize(
    "decisions",
    [
        {"keep": ["a", "b"], "drop": ["c", "d"]},
        {"kept": ["a", "b"], "dropped": ["c", "d"]},
        {"kept": ["a", "b"], "removed": ["c", "d"]},
        {"keep": [{"id": "a"}, {"id": "b", "text": "…"}], "drop": [{"id": "c"}, {"id": "d"}]},
        {"decisions": [{"id": one, "decision": "keep" if one in "ab" else "drop"} for one in "abcd"]},
        {"decisions": [{"id": one, "keep": one in "ab"} for one in "abcd"]},
        {"items": [{"id": one, "label": "Include" if one in "ab" else "EXCLUDE"} for one in "abcd"]},
        {"keep": ["a", "b"], "decisions": [{"id": "c", "decision": "drop"}, {"id": "d", "decision": "remove"}]},
    ],
)
def test_each_form_of_decisions_is_read(decisions):
    assert score(decisions).score == 1


def test_a_missing_decision_is_wrong():
    result = score({"keep": ["a"], "drop": ["c"]})
    assert result.score == Fraction(2, 4)
    assert result.detail["missing"] == ["b", "d"]
    assert "no decision: b, d" in result.reason


@pytest.mark.parametrize(
    "decisions",
    [
        {"keep": ["a", "b", "c"], "drop": ["c", "d"]},
        {"keep": ["a", "b"], "drop": ["d"], "decisions": [{"id": "c", "decision": "drop", "keep": True}]},
        {"keep": ["a", "b"], "drop": ["d"], "items": [{"id": "c", "label": "drop"}, {"id": "c", "label": "keep"}]},
    ],
)
def test_a_contradictory_decision_is_wrong(decisions):
    result = score(decisions)
    assert result.score == Fraction(3, 4)
    assert result.detail["contradictory"] == ["c"]


def test_an_unreadable_decision_is_no_decision():
    rows = [
        {"id": "a", "decision": "maybe"},
        {"id": "b", "decision": None},
        {"id": "c"},
        {"id": "d", "decision": "drop"},
    ]
    result = score({"decisions": rows})
    assert (result.score, result.detail["missing"]) == (Fraction(1, 4), ["a", "b", "c"])


def test_saying_the_same_twice_is_no_contradiction():
    assert score({"keep": ["a", "a", "b"], "drop": ["c", "d", "d"]}).score == 1


def test_unknown_ids_are_reported_and_not_scored():
    result = score({"keep": ["a", "b", "z"], "drop": ["c", "d"]})
    assert result.score == 1
    assert result.detail["unknown"] == ["z"]
    assert result.flags == ("unknown_ids",)
    assert '"z"' in result.reason


def test_ids_compare_as_text():
    items = Case("a", vars={"items": [{"id": 7, "label": "keep"}, {"id": "8", "label": "drop"}]})
    assert score({"keep": ["7"], "drop": [8]}, items).score == 1


def test_leading_zeros_are_part_of_an_id():
    items = Case("a", vars={"items": [{"id": "007", "label": "keep"}]})
    assert score({"keep": [7], "drop": []}, items).score == 0


def test_the_four_cells_and_the_rates():
    # a, b kept: TP 2; c kept: FP 1; d, e dropped: TN 2; f dropped: FN 1; g without a decision, to keep: FN 2.
    seven = case(a="keep", b="keep", c="drop", d="drop", e="drop", f="keep", g="keep")
    detail = score({"keep": ["a", "b", "c"], "drop": ["d", "e", "f"]}, seven).detail
    assert [detail[cell] for cell in ("tp", "tn", "fp", "fn")] == [2, 2, 1, 2]
    assert detail["precision"] == pytest.approx(2 / 3)
    assert detail["recall"] == pytest.approx(2 / 4)
    # (recall of keep + recall of drop) / 2 = (2/4 + 2/3) / 2
    assert detail["balanced_accuracy"] == pytest.approx(7 / 12)
    assert detail["undefined"] == {}


def test_rates_that_divide_by_nothing_are_none_with_a_reason():
    detail = score({"keep": [], "drop": ["a"]}, case(a="drop")).detail
    assert (detail["precision"], detail["recall"], detail["balanced_accuracy"]) == (None, None, None)
    assert detail["undefined"] == {
        "precision": "nothing was kept",
        "recall": "no item is labelled keep",
        "balanced_accuracy": "no item is labelled keep",
    }


@pytest.mark.parametrize(
    "text",
    [
        "I keep a and b.",
        '{"keep": ["a"',
        '{"answer": 1}',
        '{"keep": "a, b"}',
        '["a", "b"]',
        '{"keep": ["a"], "x": NaN}',
    ],
)
def test_what_cannot_be_read_scores_zero(text):
    result = score(text)
    assert (result.status, result.score) == ("scored", 0)
    assert result.reason.startswith("unparseable: ")


@pytest.mark.parametrize("label", ["keep", "KEEP", "include", True, "true", "yes", 1])
def test_labels_that_mean_keep(label):
    assert score({"keep": ["a"], "drop": []}, case(a=label)).score == 1


@pytest.mark.parametrize("label", ["drop", "Exclude", "remove", False, "false", "no", 0])
def test_labels_that_mean_drop(label):
    assert score({"keep": [], "drop": ["a"]}, case(a=label)).score == 1


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (None, "vars.items must be a list"),
        ([], "must not be empty"),
        ("[{", "not readable as JSON"),
        ([7], "vars.items[0] must be a mapping"),
        ([{"label": "keep"}], "vars.items[0] has no id"),
        ([{"id": "a"}], 'vars.items[0] (id "a") has no label'),
        ([{"id": "a", "label": "kepe"}], 'Did you mean "keep"?'),
        ([{"id": 7, "label": "keep"}, {"id": "7", "label": "drop"}], 'the id "7" is labelled keep and drop at once'),
        ([{"id": "a", "label": "keep"}, {"id": "a", "label": "keep"}], 'the id "a" is given twice'),
    ],
)
def test_mistakes_of_the_fixture_are_named_and_give_no_score(items, said):
    broken = Case("a", vars={} if items is None else {"items": items})
    assert any(said in one for one in FilterAccuracy().check_case(broken))
    result = score({"keep": ["a"], "drop": []}, broken)
    assert (result.status, result.score, result.cause) == ("error", None, "no_reference")


def test_all_mistakes_of_a_fixture_are_named_at_once():
    broken = Case("a", vars={"items": [{"id": "a"}, {"label": "keep"}, {"id": "b", "label": "keep"}]})
    assert len(FilterAccuracy().check_case(broken)) == 2


def test_a_sound_fixture_has_no_mistakes():
    assert FilterAccuracy().check_case(FOUR) == []


def test_a_csv_cell_may_hold_the_items_as_json():
    assert score({"keep": ["a"], "drop": []}, Case("a", vars={"items": '[{"id": "a", "label": "keep"}]'})).score == 1


LABELS = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.booleans(), min_size=1, max_size=8)


@given(LABELS, st.data())
def test_a_wrong_decision_lowers_a_perfect_score_by_one_item(labels, data):
    items = case(**labels)
    turned = data.draw(st.sampled_from(sorted(labels)))
    rows = [{"id": one, "keep": keep != (one == turned)} for one, keep in labels.items()]
    assert score({"decisions": rows}, items).score == Fraction(len(labels) - 1, len(labels))


@given(LABELS, LABELS)
def test_the_cells_add_up_to_the_total(labels, decided):
    detail = score({"decisions": [{"id": one, "keep": keep} for one, keep in decided.items()]}, case(**labels)).detail
    assert sum(detail[cell] for cell in ("tp", "tn", "fp", "fn")) == len(labels)
