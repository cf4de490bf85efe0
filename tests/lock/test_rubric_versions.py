"""What each version of a deterministic rubric scores: a lock notices a changed rule by the version alone.

A test here fails because a rule changed: raise `version` of the class, and write down the new scores with it.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from judgekit import plugins
from judgekit.records import Case, Output

ITEMS = Case("a", vars={"items": [{"id": one, "label": label} for one, label in (("a", "keep"), ("b", "drop"))]})
GRAPH = Case("a", vars={"triples": [{"id": "t1", "subject": "Acme", "predicate": "bought", "object": "Bolt"}]})
ALONE = Case("a")
REVIEW = "# Recommendation\nBuy.\n\n**Conviction:** High.\n\n"

SCORES = [
    # A blank source is none, a list needs one that shows; an element that is no object counts.
    ("source_coverage", "2", ALONE, '{"triples": [{"source": "p"}, {"source": " "}]}', "1/2"),
    ("source_coverage", "2", ALONE, '{"triples": [{"source": ["", "p"]}, "loose", {}]}', "1/3"),
    ("source_coverage", "2", ALONE, '{"triples": []}', "0"),
    ("source_coverage", "2", ALONE, 'Mode {x}. {"mode": 1} {"triples": [{"source": "p"}]}', "1"),
    ("source_coverage", "2", ALONE, '{"triples": [{"source": "p"}, {"source": "n/a"}, {"source": "-"}]}', "1/3"),
    # No decision and a contradiction are wrong; unknown ids are not counted.
    ("filter_accuracy", "1", ITEMS, '{"keep": ["a", "z"], "drop": ["b"]}', "1"),
    ("filter_accuracy", "1", ITEMS, '{"keep": ["a"]}', "1/2"),
    ("filter_accuracy", "1", ITEMS, '{"keep": ["a", "b"], "drop": ["b"]}', "1/2"),
    ("filter_accuracy", "1", ITEMS, '{"decisions": [{"id": "b", "keep": false}]}', "1/2"),
    # A number that the context lacks grounds nothing; a claim needs its subject and object.
    ("grounding_score", "1", GRAPH, "Acme bought Bolt. Acme paid 3 million.", "1/2"),
    ("grounding_score", "1", GRAPH, '{"claims": [{"text": "Acme bought Bolt.", "triple_ids": ["t9"]}]}', "0"),
    ("grounding_score", "1", GRAPH, '{"claims": [{"subject": "acme", "predicate": "Bought", "object": "Bolt"}]}', "1"),
    ("grounding_score", "1", GRAPH, '{"claims": []}', "0"),
    # Equal titles with a body; a lead in bold is a heading, a plain one is not.
    ("review_completeness", "2", ALONE, REVIEW, "2/5"),
    ("review_completeness", "2", ALONE, f"{REVIEW}# No Key Risks\nA.\n# Key Positives\n\n# Reviewer Notes\nB.", "3/5"),
    ("review_completeness", "2", ALONE, "Recommendation: Buy. Conviction: High.", "0"),
    ("review_completeness", "2", ALONE, '{"keyRisks": ["Fog."], "reviewer_notes": ""}', "1/5"),
    # A title, or a word for nothing, fills no section.
    ("review_completeness", "2", ALONE, '{"keyRisks": "A", "key_positives": "Key Risks", "conviction": false}', "1/5"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "version", "case", "text", "score"), SCORES, ids=lambda one: str(one)[:30])
def test_a_version_keeps_its_scores(name, version, case, text, score):
    rubric = plugins.lookup("rubrics", name)

    assert (rubric.version, rubric().score(Output(text), case).score) == (version, Fraction(score))


def test_every_built_in_rubric_has_its_scores_written_down():
    builtin = {
        name for name in plugins.names("rubrics") if plugins.lookup("rubrics", name).__module__.startswith("judgekit.")
    }

    assert {name for name, *_ in SCORES} == builtin
