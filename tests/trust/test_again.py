"""Calibrating again in the same suite: what is replaced is told, and what says nothing new replaces nothing."""

from __future__ import annotations

import pytest

from judgekit.errors import InputError

SCORES = {f"c{number:02}": 1 + number % 5 for number in range(60)}
PEOPLE = {case_id: "pass" if score == 5 else "fail" for case_id, score in SCORES.items()}


def some(start, end):
    return dict(list(PEOPLE.items())[start:end])


def replaced(found):
    return [note for note in found.notes if "replaced" in note]


def test_labels_that_a_further_file_replaces_are_counted(lab):
    run = lab.score(SCORES)
    lab.calibrate(lab.label(run, some(0, 40)))

    found = lab.calibrate(lab.label(run, some(30, 60), name="more.csv"))

    # c30 to c39 stand in both files and say the same.
    (note,) = replaced(found)
    assert note.startswith("good by replay:replies.jsonl: 30 labels of an earlier file replaced: ")


def test_a_rating_that_has_changed_replaces_the_earlier_one(lab):
    run = lab.score(SCORES)
    lab.calibrate(lab.label(run, some(0, 40)))

    found = lab.calibrate(lab.label(run, some(0, 40) | {"c00": "pass"}, name="more.csv"))

    (note,) = replaced(found)
    assert "1 label of an earlier file replaced" in note


def test_the_same_file_again_replaces_nothing(lab):
    labels = lab.label(lab.score(SCORES), some(0, 40))
    lab.calibrate(labels)

    assert replaced(lab.calibrate(labels)) == []


def test_labels_of_a_later_run_name_the_run_that_they_replace(lab):
    lab.calibrate(lab.label(lab.score(SCORES), some(0, 40)))
    second = lab.score(dict.fromkeys(SCORES, 5), run_id="second")

    (note,) = replaced(lab.calibrate(lab.label(second, some(50, 60), name="more.csv")))

    assert "40 labels of run r replaced" in note


def test_labels_of_outputs_that_were_not_judged_leave_the_record_as_it_is(lab):
    cases = "".join(f"  - {{id: {case_id}, input: Q}}\n" for case_id in SCORES)
    # Outputs of cases whose id ends with 0 fail the check.
    defaults = "defaults: {rubrics: [good], expect: {not_contains: ['0 by']}}\n"
    lab.write("scenarios/s.yaml", f"suite: s\noutputs: ../s.jsonl\n{defaults}cases:\n{cases}")
    run = lab.score(SCORES, outputs=None)
    (path,) = lab.calibrate(lab.label(run, some(0, 40))).written[1:]
    before = path.read_text(encoding="utf-8")

    with pytest.raises(InputError) as refused:
        lab.calibrate(lab.label(run, {"c10": "pass", "c20": "fail"}, name="more.csv"))

    assert path.read_text(encoding="utf-8") == before
    assert "no verdict on any of the 2 labelled outputs" in str(refused.value)
    assert "1 of 2 check failures would pass by people" in str(refused.value)
