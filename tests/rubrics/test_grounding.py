"""grounding_score, sentence by sentence."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.records import Case, Context, Output
from judgekit.rubrics.grounding import GroundingScore

CASE = Case(
    "a",
    context=(
        Context("Ada Wong | founded | Acme", "t1"),
        Context("Acme | revenue | 4.2 million EUR", "t2"),
        Context('{"id": "t3", "subject": "Acme", "predicate": "has office in", "object": "Oslo"}'),
    ),
)


def score(output, case: Case = CASE, **more):
    text = output if isinstance(output, str) else json.dumps({"claims": output})
    return GroundingScore().score(Output(text, **more), case)


# ------------------------------------------------------------------------------------------------------- structured


@pytest.mark.parametrize(
    ("claim", "grounded"),
    [
        ({"subject": "Ada Wong", "predicate": "founded", "object": "Acme"}, 1),
        ({"subject": "ADA  WONG", "predicate": "Founded", "object": "the “Acme”"}, 1),
        ({"subject": "Acme", "predicate": "revenue", "object": "EUR 4,2 million"}, 0),
        ({"subject": "Acme", "predicate": "revenue", "object": "4,200,000 EUR"}, 1),
        ({"subject": "Acme", "predicate": "founded", "object": "Ada Wong"}, 0),
        ({"subject": "Ada Wong", "predicate": "sold", "object": "Acme"}, 0),
        ({"subject": "Ada", "predicate": "founded", "object": "Acme"}, 0),
        ({"subject": None, "predicate": "founded", "object": "Acme"}, 0),
        ({"subject": "Ada Wong", "predicate": "founded", "object": ["Acme"]}, 0),
    ],
)
def test_a_structured_claim_matches_a_normalised_triple(claim, grounded):
    assert score([claim]).score == grounded


# ------------------------------------------------------------------------------------------------------------ citing


@pytest.mark.parametrize("key", ["triple_ids", "cites", "sources"])
@pytest.mark.parametrize("ids", [["t1"], "t1"])
def test_a_citing_claim_names_subject_and_object_of_the_triple(key, ids):
    assert score([{"text": "Acme is the firm of Ada Wong.", key: ids}]).score == 1


@pytest.mark.parametrize(
    ("text", "ids", "why"),
    [
        ("Ada Wong founded Acme.", ["t9"], 'cites "t9", which is not in the context'),
        ("Ada Wong founded Acme.", ["t1", "t9"], 'cites "t9", which is not in the context'),
        ("Ada Wong is an engineer.", ["t1"], 'does not name subject and object of "t1"'),
        ("Ada Wong founded Acme.", ["t3"], 'does not name subject and object of "t3"'),
        ("Ada Wong founded Acme.", [{"id": "t1"}], "the cited ids are neither a text nor a list of texts"),
    ],
)
def test_a_citing_claim_that_is_not_grounded(text, ids, why):
    result = score([{"text": text, "triple_ids": ids}])
    assert result.score == 0
    assert result.detail["ungrounded"] == [{"claim": f'"{text}"', "why": why}]


def test_an_id_in_the_json_of_a_triple_can_be_cited():
    assert score([{"text": "Acme sits in Oslo.", "cites": ["t3"]}]).score == 1


def test_the_id_of_a_piece_of_context_stands_for_each_triple_in_it():
    piece = Context("Ada | leads | Acme\nBo | leads | Beta", "doc")
    case = Case("a", context=(piece,))
    assert score([{"text": "Bo leads Beta.", "cites": ["doc"]}], case).score == 1


def test_ids_compare_as_text():
    case = Case("a", vars={"triples": [{"id": 7, "subject": "Ada", "predicate": "leads", "object": "Acme"}]})
    assert (
        score([{"text": "Ada leads Acme.", "cites": ["7"]}, {"text": "Ada leads Acme.", "cites": 7}], case).score == 1
    )


def test_marks_in_a_text_that_name_a_triple_are_citations():
    assert score("Ada Wong founded Acme [t1]. Acme has an office in Oslo [t1].").score == Fraction(1, 2)


def test_a_claim_with_structure_and_ids_needs_both_to_hold():
    claim = {"subject": "Ada Wong", "predicate": "founded", "object": "Acme"}
    assert score([{**claim, "cites": ["t1"]}, {**claim, "cites": ["t2"]}]).score == Fraction(1, 2)


# --------------------------------------------------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    ("sentence", "grounded"),
    [
        ("Acme was founded by Ada Wong.", 1),
        ("Ada Wong's company Acme is well known.", 1),
        ("Ada Wongs founded Acme.", 0),
        ("Wong founded Acme.", 0),
        ("Acme had a revenue of 4.2 million EUR.", 1),
        ("Acme had a revenue of 4,200,000 EUR.", 1),
        ("In Oslo, Acme had a revenue of 4.2 million EUR.", 1),
        ("Acme had a revenue of 4.2 million EUR in 2023.", 0),
        ("Acme, founded by Ada Wong, has 4.2 million users.", 1),
        ("Acme, founded by Ada Wong, has 17 offices.", 0),
        ("Ada Wong moved to Oslo.", 0),
    ],
)
def test_a_plain_sentence_needs_one_triple_as_whole_phrases_and_its_numbers_in_the_context(sentence, grounded):
    assert score(sentence).score == score([sentence]).score == grounded


def test_an_unknown_number_is_named_as_written():
    assert "(the context does not hold 2.1 billion)" in score("Acme of Oslo cost 2.1 billion.").reason


def test_the_fraction_of_sentences_in_a_text():
    text = "# Acme\n\nThe facts:\n- Ada Wong founded Acme.\n- Acme sits in Oslo.\n- It is well liked.\n\nMore?"
    result = score(text)
    assert result.score == Fraction(2, 3)
    assert [text[start:end] for start, end in result.spans] == ["It is well liked."]


def test_a_text_next_to_an_unrelated_object_is_read_as_text():
    assert score('Ada Wong founded Acme. Settings: {"depth": 2}').score == Fraction(1, 2)


# ----------------------------------------------------------------------------------------- no claims, no context


@pytest.mark.parametrize(
    "output", ['{"claims": []}', "# Findings", "```\nx\n```", "What did Ada Wong do at Acme?", "…"]
)
def test_no_claims_score_zero(output):
    result = score(output)
    assert (result.status, result.score, result.reason, result.flags) == ("scored", 0, "no claims", ("no_claims",))


@pytest.mark.parametrize("claim", [None, 7, [], {}, "", {"text": None}, {"text": ""}, {"triple_ids": ["t1"]}])
def test_a_claim_that_says_nothing_is_not_grounded(claim):
    assert score(["Ada Wong founded Acme.", claim]).score == Fraction(1, 2)


@pytest.mark.parametrize(
    "output",
    [
        '{"claims": ["Ada',
        'Ada Wong founded Acme.\n```json\n{"claims": ["Ada',
        '{"answer": "Ada Wong founded Acme."}',
        '["Ada Wong founded Acme."]',
        '{"claims": 1}',
    ],
)
def test_what_cannot_be_read_scores_zero(output):
    result = score(output)
    assert (result.status, result.score) == ("scored", 0)
    assert result.reason.startswith("unparseable: ")


@pytest.mark.parametrize(
    "case",
    [
        Case("a"),
        Case("a", context=()),
        Case("a", context=(Context("Acme was founded in Oslo."),)),
        Case("a", vars={"triples": []}),
    ],
)
def test_missing_context_is_an_error(case):
    result = score("Ada Wong founded Acme.", case)
    assert (result.status, result.score, result.cause) == ("error", None, "no_context")


def test_what_the_target_retrieved_wins_over_the_case():
    own = (Context("Bo | leads | Beta"),)
    assert score("Ada Wong founded Acme. Bo leads Beta.", context=own).score == Fraction(1, 2)
    assert (
        score("Bo leads Beta.", Case("a", vars={"triples": [{"subject": "x", "object": "y"}]}), context=own).score == 1
    )


def test_pieces_that_are_no_triples_are_named():
    case = Case(
        "a", context=(Context("Ada | founded | Acme"), Context("a | b"), Context("{"), Context('[{"subject": 1}]'))
    )
    assert [one.split(" ")[0] for one in GroundingScore().check_case(case)] == [
        "context[1]",
        "context[2]",
        "context[3]",
    ]
    assert score("Ada founded Acme.", case).score == 1


@pytest.mark.parametrize(
    ("triples", "said"),
    [
        ("[{", "vars.triples is not readable as JSON"),
        ({"subject": "a"}, "vars.triples must be a list"),
        ([{"subject": "a", "predicate": "b"}], "vars.triples[0] is no {subject, predicate, object}"),
        ([{"subject": "!", "predicate": "b", "object": "c"}], "vars.triples[0] is no"),
    ],
)
def test_rows_that_are_no_triples_are_named(triples, said):
    assert GroundingScore().check_case(Case("a", vars={"triples": triples}))[0].startswith(said)


SENTENCES = st.lists(
    st.sampled_from(
        ["Ada Wong founded Acme.", "Acme has an office in Oslo.", "It is liked.", "Acme of Oslo has 9 cats."]
    ),
    min_size=1,
    max_size=8,
)


@given(SENTENCES)
def test_one_more_grounded_sentence_never_lowers_the_score(sentences):
    assert score([*sentences, "Ada Wong founded Acme."]).score >= score(sentences).score


@given(SENTENCES)
def test_sentences_count_alike_in_a_text_and_in_json(sentences):
    assert score(" ".join(sentences)).score == score(sentences).score
