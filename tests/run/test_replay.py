"""A run scored again from its own records, by the files as they are now."""

from __future__ import annotations

import pytest

import judgekit as jk
from judgekit.errors import InputError

SUITE = """\
suite: s
defaults: {expect: {contains: [%s]}, rubrics: [helpfulness]}
cases:
  - {id: a, input: Q, faux: {target: [one], judge: {helpfulness: ['{"reason": "fine", "score": 4}']}}}
"""


def test_a_replay_brings_outputs_and_verdicts_to_changed_checks(project):
    project.write("scenarios/s.yaml", SUITE % "one")
    first = jk.score(judge="faux", run_id="first")
    # Nothing scripted is left: whatever would be asked anew would be an error.
    project.write("scenarios/s.yaml", (SUITE % "two").split(", faux")[0] + "}\n")

    again = jk.score(replay="first", judge_all=True)

    rows = {row["metric"]: row for row in again.results.to_dict("records")}
    assert first.decision.passed
    assert rows["contains"]["status"] == "fail"
    assert rows["helpfulness"]["score"] == 4.0


@pytest.mark.parametrize(("more", "said"), [({"judge": "faux"}, "leave out --judge"), ({"model": "faux"}, "--model")])
def test_a_replay_takes_no_other_source(project, more, said):
    project.write("scenarios/s.yaml", SUITE % "one")
    jk.score(judge="faux", run_id="first")

    with pytest.raises(InputError, match=said):
        jk.score(replay="first", **more)


def test_a_replay_of_a_run_that_is_not_there_names_it(project):
    project.write("scenarios/s.yaml", SUITE % "one")

    with pytest.raises(InputError, match="nowhere"):
        jk.score(replay="nowhere")
