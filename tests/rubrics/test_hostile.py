"""Nothing that an output may hold crashes a rubric, takes long, or gives a result that can't be written down."""

from __future__ import annotations

import json
import time

import pytest

from judgekit.records import Case, Output
from judgekit.rubrics.filtering import FilterAccuracy
from judgekit.rubrics.grounding import GroundingScore
from judgekit.rubrics.sections import ReviewCompleteness
from judgekit.rubrics.sources import SourceCoverage

RUBRICS = [SourceCoverage(), FilterAccuracy(), GroundingScore(), ReviewCompleteness()]
CASE = Case(
    "a",
    vars={
        "items": [{"id": "x", "label": "keep"}],
        "triples": [{"subject": f"s{index}", "predicate": "p", "object": f"o{index}"} for index in range(300)],
    },
)
MANY = 100_000
TEXTS = {
    "one long word": "a" * MANY,
    "nul": "\0" * MANY,
    "lone surrogates": '{"triples": [{"object": "\ud800", "source": "x"}], "keep": ["\ud800"], "claims": ["\ud800"]}',
    "right to left": "\u202eabc \u200f" * 1000,
    "open braces": "{" * MANY,
    "braces and quotes": '{"' * MANY,
    "deep and open": '{"a":' * 100_000,
    "deep and closed": '{"triples":' + "[" * 100_000 + "]" * 100_000 + "}",
    "deep and long": '{"a":' * 900 + "[" + "1," * MANY,
    "not a number": '{"triples": [NaN], "claims": [NaN], "keep": [NaN]}',
    "huge number": '{"triples": [' + "9" * 5000 + "]}",
    "stops": "." * MANY,
    "stops and marks": ".!" * MANY + " x",
    "headings": "# Key Risks\n" * 20_000,
    "sub-headings": "# Key Risks\n" + "## a\n" * 20_000,
    "asterisks": "*" * MANY,
    "backticks": "`" * MANY,
    "fences": "```\n" * 50_000,
    "fences of all lengths": "".join("`" * length + "\n" for length in range(3, 500)),
    "sentences": "s1 p o1. " * 30_000,
    "wrapped lines": ("word " * 20 + "\n") * 5000,
    "digits": "1," * MANY,
    "citations": "[x]" * MANY,
    "apostrophes": "'" * MANY,
    "spaces": " " * MANY + "x",
    "quotations": ">" * MANY,
    "table": "|" * MANY,
    "comments": "<!--" * 50_000,
    "bold and spaces": "**a**" + " " * MANY + "x",
    "dashes": "-" * MANY + "x",
    "bullets": "- " * MANY,
    "abbreviations": "a." * MANY,
    "fenced objects": "```\n{}\n```\n" * 20_000,
    "strange elements": json.dumps(
        {
            "triples": [None, 1, "x", [], {}, {"source": {}}],
            "keep": [None, True, [], {}, 1.5, {"id": None}],
            "drop": "x",
            "decisions": [1, None, {"id": []}, {"id": "x", "decision": []}],
            "items": {},
            "claims": [None, 1, [], {}, {"text": None}, {"text": "", "cites": [[]]}, {"subject": {}, "object": 2}],
            "Key Risks": [[[{}]]],
        }
    ),
}


@pytest.mark.parametrize("rubric", RUBRICS, ids=lambda one: one.name)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_hostile_text_gets_a_result_in_time(rubric, text):
    started = time.process_time()
    result = rubric.score(Output(text), CASE)
    # Each takes well under a second; anything quadratic would take minutes.
    assert time.process_time() - started < 10
    assert result.status == "scored"
    assert 0 <= result.score <= 1
    json.dumps(dict(result.detail), ensure_ascii=False, allow_nan=False).encode()
    assert len(result.reason.encode()) < 2000
