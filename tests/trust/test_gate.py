"""A gate on the corrected pass rate: by its lower bound, never green without labels."""

from __future__ import annotations

import pytest

from judgekit.pipeline.stored import decide_again, load_run

# The judge passes all 100; people pass 9 in 10.
JUDGE = dict.fromkeys((f"c{number:03}" for number in range(100)), 5)
GATE = "out: reports\ngate: {metrics: {good: {corrected_pass_rate: '>= %s'%s}}}\n"


def label(lab, run, n):
    return lab.label(run, {f"c{number:03}": "fail" if number % 10 == 0 else "pass" for number in range(n)})


def again(run):
    data = load_run(run.path).data
    decide_again(data)
    return data.summary["decision"]


@pytest.mark.parametrize(
    ("bound", "on", "code"),
    # Wilson's interval of 90 of 100 is 0.826 to 0.945.
    [("0.82", "", 0), ("0.83", "", 1), ("0.89", "", 1), ("0.89", ", on: point", 0)],
)
def test_it_is_the_lower_bound_that_has_to_hold(lab, bound, on, code):
    lab.write("judgekit.yaml", GATE % (bound, on))
    run = lab.score(JUDGE)
    lab.calibrate(label(lab, run, 100))

    assert again(run)["exit_code"] == code


def test_without_labels_the_rule_is_undecided(lab):
    lab.write("judgekit.yaml", GATE % ("0.5", ""))

    run = lab.score(JUDGE, no_gate=False)

    assert run.decision.exit_code == 3
    assert run.decision.reasons == (
        "good: corrected_pass_rate >= 0.5: not corrected: no labels by people (`judgekit calibrate`)",
    )


def test_calibrating_alone_does_not_change_the_decision(lab):
    lab.write("judgekit.yaml", GATE % ("0.5", ""))
    run = lab.score(JUDGE, no_gate=False)

    lab.calibrate(label(lab, run, 100))

    assert lab.summary(run)["decision"]["exit_code"] == 3
    assert again(run)["exit_code"] == 0


def test_the_next_run_is_decided_by_the_committed_record(lab):
    lab.write("judgekit.yaml", GATE % ("0.5", ""))
    judge = {name: 5 if number % 10 else 1 for number, name in enumerate(JUDGE)}
    lab.calibrate(label(lab, lab.score(judge), 100))

    second = lab.score({f"d{number}": 5 for number in range(50)}, run_id="second", no_gate=False)

    assert second.decision.exit_code == 0
    assert "the lower bound (50 of 50 scored)" in second.decision.reasons[0]


@pytest.mark.parametrize(("bound", "outcome"), [("0.6", "holds"), ("0.75", "undecided"), ("0.9", "fails")])
def test_a_result_that_is_missing_could_still_change_it(lab, bound, outcome):
    # 10 of 100 replies are unreadable; people pass 9 in 10 of those that they saw.
    lab.write("judgekit.yaml", GATE % (bound, ""))
    judge = {name: "no idea" if number % 10 == 5 else 5 if number % 10 else 1 for number, name in enumerate(JUDGE)}
    run = lab.score(judge)
    lab.calibrate(label(lab, run, 60))

    assert again(run)["rules"][0]["outcome"] == outcome
