"""The judged rubrics that come with judgekit."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.rubrics.files import builtin_rubrics, find_rubric

ALL = [find_rubric(name, root=Path("no-project")) for name in builtin_rubrics()]


def test_what_is_built_in():
    assert [rubric.name for rubric in ALL] == [
        "conciseness",
        "correctness",
        "faithfulness",
        "helpfulness",
        "instruction_following",
        "relevance",
        "safety",
        "tone",
    ]


def test_only_faithfulness_needs_a_context_and_only_correctness_a_reference():
    assert [rubric.name for rubric in ALL if "context" in rubric.needs] == ["faithfulness"]
    assert [rubric.name for rubric in ALL if "reference" in rubric.needs] == ["correctness"]


@pytest.mark.parametrize("rubric", ALL, ids=lambda one: one.name)
def test_a_person_finds_a_meaning_for_each_point(rubric):
    if rubric.scale:
        assert list(rubric.scale.anchors) == list(range(int(rubric.scale.min), int(rubric.scale.max) + 1))
    else:
        assert all(f'"{label}"' in rubric.question for label in rubric.labels)


@pytest.mark.parametrize("rubric", ALL, ids=lambda one: one.name)
def test_a_built_in_rubric_only_scores(rubric):
    assert (rubric.pass_at, rubric.required) == (None, False)
