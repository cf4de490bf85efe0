"""Whether several judges together agree better with people than the best of them alone."""

from __future__ import annotations

import json

import pytest

import judgekit

CASES = [f"c{n:02}" for n in range(20)]
GOOD = set(CASES[:10])


@pytest.fixture
def calibrated(lab):
    """Calibrate a panel whose judges are wrong on these cases each; people find the first ten of twenty good."""

    def calibrate(*wrong):
        judges = []
        for number, mistakes in enumerate(wrong):
            rows = [
                {"case_id": case, "rubric": "good", "reply": json.dumps({"score": 5 if good else 1})}
                for case in CASES
                for good in [(case in GOOD) != (case in mistakes)]
            ]
            lab.write(f"j{number}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
            judges.append(f"replay:j{number}.jsonl")
        rubric = "name: good\nquestion: Q?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n"
        lab.write("rubrics/good.yaml", rubric)
        lab.write(
            "o.jsonl", "".join(json.dumps({"case_id": case, "input": case, "output": case}) + "\n" for case in CASES)
        )
        run = judgekit.score(outputs="o.jsonl", rubrics=["good"], judge=judges, run_id="r", no_gate=True)
        labels = lab.label(run, {case: "pass" if case in GOOD else "fail" for case in CASES})
        return lab.calibrate(labels), lab.summary(run)

    return calibrate


def test_a_panel_that_its_best_member_beats_is_told(calibrated):
    # One judge is right on all, two are wrong on the same four and outvote it: kappa 1 against .6.
    both = set(CASES[8:12])

    found, summary = calibrated(set(), both, both)

    said = "good: the panel agrees less with people than its best member: replay:j0.jsonl 1.00, panel 0.60 (kappa, 20"
    assert [note for note in found.notes if note.startswith(said)]
    assert [one for one in summary["warnings"] if one.startswith(said)]
    assert "its best member: replay:j0.jsonl" in summary["trust"]["good [panel]"]["sentence"]
    assert "best member" not in summary["trust"]["good [replay:j0.jsonl]"]["sentence"]


def test_of_a_panel_that_is_better_than_each_member_nothing_is_said(calibrated):
    found, summary = calibrated({CASES[0]}, {CASES[7]}, {CASES[14]})

    assert not [one for one in (*found.notes, *summary["warnings"]) if "best member" in one]
