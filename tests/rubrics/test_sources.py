"""source_coverage, sentence by sentence."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.records import Case, Output
from judgekit.rubrics.sources import SourceCoverage

CASE = Case("a")


def score(triples):
    return SourceCoverage().score(Output(json.dumps({"triples": triples})), CASE)


def test_the_fraction_of_triples_with_a_source():
    result = score([{"source": "p. 1"}, {"source": "p. 2"}, {"subject": "Acme", "predicate": "bought", "object": "B"}])
    assert result.score == Fraction(2, 3)
    assert result.reason == '2 of 3 triples have a source; no source: triple 3 ("Acme bought B")'
    assert result.detail == {"triples": 3, "covered": 2, "uncovered": [2], "no_triples": False}


@pytest.mark.parametrize(
    "source", ["p. 1", "https://example.test", ["p. 1"], ["", "p. 1"], "§ 4", "字", "Unknown Pleasures, p. 3"]
)
def test_a_text_that_says_something_or_a_list_holding_one_is_a_source(source):
    assert score([{"source": source}]).score == 1


@pytest.mark.parametrize(
    "source", ["", "  ", "\u200b", "\u00a0\u2060", [], ["", " "], None, 7, True, {"url": "x"}, [["x"]], [{"a": "x"}]]
)
def test_anything_else_is_none(source):
    assert score([{"source": source}]).score == 0


@pytest.mark.parametrize(
    "source", [".", "-", "?", "…", "unknown", "N/A", "n. a.", "None", "(not available)", ["-", "TBD"]]
)
def test_a_placeholder_is_no_source(source):
    assert score([{"source": source}]).score == 0


@pytest.mark.parametrize(
    ("parts", "covered"),
    [
        ({"subject": "Acme", "predicate": "bought", "object": "B"}, 1),
        ({"subject": "Acme", "predicate": "founded in", "object": 1868}, 1),
        ({"subject": "Acme", "predicate": "listed", "object": False}, 1),
        ({"subject": "The whole input."}, 0),
        ({"subject": "Acme", "predicate": " ", "object": "B"}, 0),
        ({"subject": "Acme", "predicate": "bought", "object": None}, 0),
        ({"subject": "Acme", "predicate": "bought", "object": ["B"]}, 0),
    ],
)
def test_with_require_parts_a_triple_needs_its_parts_too(parts, covered):
    output = Output(json.dumps({"triples": [{**parts, "source": "p. 1"}]}))

    assert SourceCoverage(require_parts=True).score(output, CASE).score == covered
    assert SourceCoverage().score(output, CASE).score == 1


def test_no_degenerate_output_has_a_source():
    degenerate = SourceCoverage().degenerate(Case("a", input="Ada founded Acme (p. 3)."))

    assert {SourceCoverage().score(Output(text), CASE).score for text in degenerate.values()} == {0}


@pytest.mark.parametrize("element", ["Acme bought B (p. 1)", 7, None, ["source", "p. 1"], True])
def test_an_element_that_is_no_object_counts_as_uncovered(element):
    result = score([{"source": "p. 1"}, element])
    assert result.score == Fraction(1, 2)
    assert "not an object" in result.reason


@pytest.mark.parametrize("text", ['{"triples": []}', '{"triples": null}', "{}", '{"facts": [{"source": "p. 1"}]}'])
def test_no_triples_score_zero(text):
    result = SourceCoverage().score(Output(text), CASE)
    assert (result.status, result.score, result.flags) == ("scored", 0, ("no_triples",))
    assert result.reason.startswith("no_triples")
    assert result.detail["no_triples"] is True


@pytest.mark.parametrize(
    "text", ["Acme bought B (p. 1).", '{"triples": [', '{"triples": "none"}', '{"triples": [], "p": NaN}', "[]", "null"]
)
def test_what_cannot_be_read_scores_zero(text):
    result = SourceCoverage().score(Output(text), CASE)
    assert (result.status, result.score) == ("scored", 0)
    assert result.reason.startswith("unparseable: ")


def test_the_object_with_triples_is_chosen_among_several():
    text = 'Settings {"depth": 2}. Result: ```{"triples": [{"source": "a"}, {"source": ""}]}```'
    assert SourceCoverage().score(Output(text), CASE).score == Fraction(1, 2)


SOURCES = st.lists(st.sampled_from(["p. 1", "", None, ["x"], [" "]]), min_size=1, max_size=12)


@given(SOURCES)
def test_one_more_sourced_triple_never_lowers_the_score(sources):
    triples = [{"source": one} for one in sources]
    assert score([*triples, {"source": "p. 9"}]).score >= score(triples).score


@given(SOURCES, st.data())
def test_removing_a_source_that_counted_lowers_the_score(sources, data):
    triples = [{"source": one} for one in sources]
    covered = [index for index in range(len(triples)) if index not in score(triples).detail["uncovered"]]
    if covered:
        removed = data.draw(st.sampled_from(covered))
        fewer = [{} if index == removed else triple for index, triple in enumerate(triples)]
        assert score(fewer).score < score(triples).score
