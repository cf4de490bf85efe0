"""What is measured of a judge: each figure with its origin."""

from __future__ import annotations

import pytest

from judgekit import stats

# 40 outputs: people pass the first 20; the judge passes 15 of these and 5 of the others.
JUDGE = {f"c{number:02}": 5 if number < 15 or 20 <= number < 25 else 1 for number in range(40)}
PEOPLE = {case_id: "pass" if number < 20 else "fail" for number, case_id in enumerate(JUDGE)}


def estimates(record):
    return record.figures["estimates"]


def test_pass_and_fail_by_hand(lab):
    run = lab.score(JUDGE)

    (record,) = lab.calibrate(lab.label(run, PEOPLE)).records

    found = {name: one["value"] for name, one in estimates(record).items()}
    assert record.figures["confusion"] == {"names": ["fail", "pass"], "people_by_judge": [[15, 5], [5, 15]]}
    # p_o = 30/40, p_e = 1/2: kappa = AC1 = 1/2; alpha = 1 - (2 * 10 / 80) / (2 * 40 * 40 / (80 * 79))
    assert (found["agreement"], found["kappa"], found["ac1"]) == (0.75, 0.5, 0.5)
    assert found["alpha"] == pytest.approx(1 - 0.25 * 79 / 40)
    assert (found["sensitivity"], found["specificity"]) == (0.75, 0.75)
    assert (found["people_pass_rate"], found["judge_pass_rate"]) == (0.5, 0.5)


def test_every_interval_is_over_cases(lab):
    variants = ("v1", "v2", "v3")
    run = lab.score({f"{case_id}/{variant}": score for case_id, score in JUDGE.items() for variant in variants})

    (record,) = lab.calibrate(lab.label(run, PEOPLE)).records

    assert record.figures["n_outputs"] == 120
    n = {name: one["n"] for name, one in estimates(record).items()}
    assert (n["sensitivity"], n["specificity"]) == (20, 20)
    of_all = ("agreement", "kappa", "ac1", "alpha", "people_pass_rate", "judge_pass_rate")
    assert {n[name] for name in of_all} == {40}


def test_scores_are_weighted_over_the_whole_scale(lab):
    scores = {f"c{number:02}": 2 + number % 3 for number in range(30)}
    people = {case_id: score + (number % 5 == 0) for number, (case_id, score) in enumerate(scores.items())}
    run = lab.score(scores)

    (record,) = lab.calibrate(lab.label(run, people)).records

    judge, human = list(scores.values()), list(people.values())
    by_hand = stats.cohen_kappa(human, judge, weights="quadratic", scale=[1, 2, 3, 4, 5]).value
    assert estimates(record)["score_kappa"]["value"] == pytest.approx(by_hand)
    assert estimates(record)["score_difference"]["value"] == pytest.approx(-6 / 30)
    assert estimates(record)["score_agreement"]["value"] == pytest.approx(24 / 30)


def test_ranks_within_one_input_are_told_apart_from_ranks_over_all(lab):
    # Within each case the judge ranks the variants backwards; over all cases it agrees.
    judge, people = {}, {}
    for number in range(12):
        level = 1 + 2 * (number % 2)
        judge |= {f"c{number}/v1": level, f"c{number}/v2": level + 1}
        people |= {f"c{number}/v1": level + 1, f"c{number}/v2": level}
    run = lab.score(judge)

    (record,) = lab.calibrate(lab.label(run, people)).records

    assert estimates(record)["spearman"]["value"] > 0.5
    assert estimates(record)["spearman_within_input"]["value"] == pytest.approx(-1)


def test_ranks_within_one_input_alone_are_left_out(lab):
    # Two outputs of c0, one of each other case.
    judge = {"c0/v1": 1, "c0/v2": 3} | {f"c{number}/v1": 1 + number % 5 for number in range(1, 20)}
    run = lab.score(judge)

    (record,) = lab.calibrate(lab.label(run, judge)).records

    assert "spearman" in estimates(record)
    assert "spearman_within_input" not in estimates(record)


@pytest.mark.parametrize(("who", "same"), [("people", "people"), ("judge", "the judge")])
def test_whose_scores_are_all_equal_is_said(lab, who, same):
    varied, equal = {f"c{number:02}": 1 + number % 5 for number in range(20)}, {f"c{n:02}": 3 for n in range(20)}
    judge, people = (varied, equal) if who == "people" else (equal, varied)
    run = lab.score(judge)

    (record,) = lab.calibrate(lab.label(run, people)).records

    assert estimates(record)["spearman"]["reason"] == f"undefined: all scores of {same} are equal"


def test_people_among_themselves_are_the_ceiling(lab):
    run = lab.score(JUDGE)
    # Both agree but on every fourth output: p_o = 30/40.
    both = {
        case_id: [{"label": said, "annotator": "ann"}, {"label": said if number % 4 else "pass", "annotator": "ben"}]
        for number, (case_id, said) in enumerate(PEOPLE.items())
    }

    (record,) = lab.calibrate(lab.label(run, both)).records

    ceiling = record.figures["ceiling"]
    # Of the 20 that ann fails, ben passes the five with a number divisible by four.
    assert ceiling["agreement"]["value"] == 35 / 40
    # p_e = 1/2 * 25/40 + 1/2 * 15/40 = 1/2
    assert ceiling["kappa ann and ben"]["value"] == pytest.approx(0.75)
    assert "people among themselves: alpha" in record.sentence


def test_the_best_threshold_is_reported_on_cases_that_it_was_not_chosen_on(lab):
    # People pass from 3 on; the rubric passes from 4 on.
    scores = {f"c{number:02}": 1 + number % 5 for number in range(60)}
    run = lab.score(scores)

    (record,) = lab.calibrate(
        lab.label(run, {case_id: "pass" if score >= 3 else "fail" for case_id, score in scores.items()})
    ).records

    found = record.figures["threshold"]
    assert (found["value"], found["kappa"]["value"], found["current"]) == (3, 1, 4)
    assert found["current_kappa"]["value"] < 1
    assert (found["n_chosen_on"], found["n_reported_on"], found["kappa"]["n"]) == (30, 30, 30)


def test_the_best_threshold_of_noise_is_not_shown_to_be_better_than_chance(lab):
    # Scores in an order that has nothing to do with what people say.
    scores = {f"c{number:02}": 1 + (number * 7919 // 11) % 5 for number in range(60)}
    run = lab.score(scores)
    people = {case_id: "pass" if (number * 104729 // 13) % 2 else "fail" for number, case_id in enumerate(scores)}

    (record,) = lab.calibrate(lab.label(run, people)).records

    assert record.figures["threshold"]["kappa"]["low"] < 0
    assert record.level == "weak"
    assert record.sentence.startswith("not shown to be better than chance: kappa")


def test_a_rubric_that_only_scores_is_measured_at_its_best_threshold(lab):
    scores = {f"c{number:02}": 1 + number % 5 for number in range(60)}
    run = lab.score(scores, rubric="name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\nneeds: [output]\n")

    (record,) = lab.calibrate(
        lab.label(run, {case_id: "pass" if score >= 3 else "fail" for case_id, score in scores.items()})
    ).records

    assert record.figures["headline"] == "threshold_kappa"
    assert "on 30 labels that it was not chosen on" in record.sentence


def test_disagreements_come_worst_first_with_both_reasons(lab):
    run = lab.score({"near": 4, "far": 5, "same": 1})
    labels = lab.label(run, {"near": {"score": 3, "comment": "hm"}, "far": {"score": 1, "comment": "wrong"}, "same": 1})

    found = lab.calibrate(labels)

    apart = found.details[found.records[0].key]["disagreements"]
    assert [(one["case_id"], one["people"], one["judge"], one["comment"], one["reason"]) for one in apart] == [
        ("far", "fail (1)", "pass (5)", "wrong", "I say 5"),
        ("near", "fail (3)", "pass (4)", "hm", "I say 4"),
    ]


def test_labels_on_check_failures_tell_of_a_check_that_is_too_strict(lab):
    lab.write(
        "scenarios/s.yaml",
        "suite: s\noutputs: ../s.jsonl\ndefaults: {rubrics: [good], expect: {not_contains: [bad]}}\ncases:\n"
        + "".join(f"  - {{id: {name}, input: Q}}\n" for name in ("bad1", "bad2", "bad3", "ok")),
    )
    run = lab.score({"bad1": 1, "bad2": 1, "bad3": 1, "ok": 5}, outputs=None)

    found = lab.calibrate(lab.label(run, {"bad1": "pass", "bad2": "pass", "bad3": "fail", "ok": "pass"}))

    failures = found.details[found.records[0].key]["check_failures"]
    assert (failures["n"], failures["n_passed"], failures["case_ids"]) == (3, 2, ["bad1", "bad2"])
    assert found.records[0].figures["n_outputs"] == 1


def test_a_label_where_the_judge_was_unreadable_is_counted_and_in_no_figure(lab):
    run = lab.score({"a": "no idea", "b": 5})

    found = lab.calibrate(lab.label(run, {"a": "pass", "b": "pass"}))

    assert found.details[found.records[0].key]["n_without_verdict"] == 1
    assert found.records[0].figures["n_outputs"] == 1
