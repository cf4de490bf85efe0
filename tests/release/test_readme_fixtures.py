"""The fixtures that README shows for an agent of one's own are read as it says."""

from __future__ import annotations

import re
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
SETTINGS = """\
agents:
  nora:
    rubrics: {source_coverage: 0.7, filter_accuracy: 0.8, grounding_score: 0.7, review_completeness: 0.8}
    fixtures: fixtures/nora.yaml
"""


def test_the_fixtures_of_the_readme_score_as_they_should(place):
    [text] = re.findall(r"```yaml\n(# fixtures/nora\.yaml.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    place.write("fixtures/nora.yaml", text)
    place.write("judgekit.yaml", SETTINGS)
    decision = place.check(strict=True)

    assert [(one.rubric, one.score, one.n_golden, one.n_negative) for one in decision.agents] == [
        ("source_coverage", 1, 1, 0),
        ("filter_accuracy", 1, 1, 0),
        ("grounding_score", 1, 1, 0),
        ("review_completeness", None, 0, 1),
    ]
    # There are too few of them, and nothing is wrong with any.
    assert all(" needed (`min-" in one for one in decision.reasons)
