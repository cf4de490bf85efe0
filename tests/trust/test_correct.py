"""Corrected rates and means beside the judge's own: which way, on what, and of whom they speak."""

from __future__ import annotations

import json

import pytest

from judgekit import stats
from judgekit.errors import InputError
from judgekit.pipeline.stored import load_run

# The judge passes 4 and 5; people pass from 5 on: it is too lenient.
SCORES = {f"c{number:03}": 1 + number % 5 for number in range(100)}


def people(n, start=0):
    ids = list(SCORES)[start : start + n]
    return {case_id: "pass" if SCORES[case_id] == 5 else "fail" for case_id in ids}


def first_sentence(lab, run_id):
    return json.loads((lab.folder / "reports" / run_id / "summary.json").read_text())["trust"]["good"]["sentence"]


def corrected(summary, variant="default"):
    (one,) = (one for one in summary["estimates"] if (one["metric"], one["variant"]) == ("good", variant))
    return one


def test_random_labels_of_this_run_correct_by_ppi(lab):
    run = lab.score(SCORES)

    lab.calibrate(lab.label(run, people(40)))

    one = corrected(lab.summary(run))
    assert one["pass_rate"] == 0.4
    found = one["corrected"]["pass_rate"]
    judge = [float(score >= 4) for score in SCORES.values()]
    by_hand = stats.ppi_mean([float(score == 5) for score in list(SCORES.values())[:40]], judge[:40], judge[40:])
    assert (found["method"], found["n_labels"], found["n"]) == ("PPI++", 40, 100)
    assert (one["corrected_pass_rate"], one["corrected_pass_rate_low"]) == (
        pytest.approx(by_hand.value),
        pytest.approx(by_hand.low),
    )
    assert abs(one["corrected_pass_rate"] - 0.2) < 0.05


def test_chosen_labels_correct_nothing(lab):
    run = lab.score(SCORES)

    lab.calibrate(lab.label(run, people(40), sampling="chosen"))

    one = corrected(lab.summary(run))
    assert one["corrected_pass_rate"] is None
    assert one["corrected"]["pass_rate"]["method"].startswith("raw")
    assert "none of them was drawn at random" in one["corrected"]["pass_rate"]["reason"]


def test_fewer_than_thirty_labels_stand_alone(lab):
    run = lab.score(SCORES)

    lab.calibrate(lab.label(run, people(20)))

    found = corrected(lab.summary(run))["corrected"]["pass_rate"]
    assert (found["value"], found["method"]) == (0.2, "labels alone, Wilson")
    assert found["reason"] == "only 20 labels: too few to correct by, so they stand alone"


def test_the_next_run_is_corrected_by_the_record_of_other_outputs(lab):
    first = lab.score(SCORES)
    lab.calibrate(lab.label(first, people(100)))

    second = lab.score({f"d{number}": 4 + number % 2 for number in range(50)}, run_id="second")

    one = corrected(second.summary)
    found = one["corrected"]["pass_rate"]
    # Everything passes; sensitivity 1, specificity 60/80 of the labels: (1 + 0.75 - 1) / 0.75 = 1
    assert (one["pass_rate"], found["method"], found["value"], found["n_labels"]) == (1, "Rogan-Gladen", 1, 100)
    assert found["reason"].startswith("by the judge's mistakes on 100 labels of the same suite and rubric, run r")
    assert json.loads((second.path / "trust.json").read_text())["records"]
    assert second.summary["trust"]["good"]["sentence"] == first_sentence(lab, "r")


def test_a_run_with_the_same_outputs_keeps_its_labels(lab):
    lab.calibrate(lab.label(lab.score(SCORES), people(40)))

    again = lab.score(SCORES, run_id="again")

    assert corrected(again.summary)["corrected"]["pass_rate"]["method"] == "PPI++"


def test_where_one_labelled_output_has_changed_the_others_are_no_random_part(lab):
    lab.calibrate(lab.label(lab.score(SCORES), people(40)))
    outputs = (lab.folder / "s.jsonl").read_text().replace("c000 by default", "c000 revised")
    lab.write("s.jsonl", outputs)
    lab.write("again.jsonl", outputs)

    again = lab.score(SCORES, run_id="again", outputs="again.jsonl")

    # Another file is another suite: the record does not speak of it at all.
    assert again.summary["trust"]["good"]["sentence"] == "not calibrated against people on this suite, only on s"


def test_labels_of_one_variant_correct_another_by_hit_rates_unless_told_apart(lab):
    both = {f"{case_id}/{variant}": score for case_id, score in SCORES.items() for variant in ("v1", "v2")}
    run = lab.score(both)
    labels = lab.label(run, {f"{case_id}/v1": said for case_id, said in people(60).items()})

    lab.calibrate(labels)
    pooled = lab.summary(run)
    lab.calibrate(labels, per_variant=True)
    apart = lab.summary(run)

    methods = [
        corrected(one, variant)["corrected"]["pass_rate"]["method"]
        for one in (pooled, apart)
        for variant in ("v1", "v2")
    ]
    assert methods == ["PPI++", "Rogan-Gladen", "PPI++", "raw, Wilson"]


def test_a_judge_at_chance_corrects_nothing_elsewhere(lab):
    run = lab.score(SCORES)
    noise = {case_id: "pass" if number % 2 else "fail" for number, case_id in enumerate(SCORES)}
    lab.calibrate(lab.label(run, noise))

    second = lab.score({f"d{number}": 5 for number in range(20)}, run_id="second")

    found = corrected(second.summary)["corrected"]["pass_rate"]
    assert found["method"] == "raw, Wilson"
    assert "not shown to be better than chance" in found["reason"]


def test_overall_counts_failed_checks_as_failed(lab):
    cases = "".join(f"  - {{id: {case_id}, input: Q}}\n" for case_id in SCORES)
    # Outputs of cases whose id ends with 0 fail the check: 10 of 100.
    lab.write(
        "scenarios/s.yaml",
        "suite: s\noutputs: ../s.jsonl\ndefaults: {rubrics: [good], expect: {not_contains: ['0 by']}}\ncases:\n"
        + cases,
    )
    run = lab.score(SCORES, outputs=None)

    lab.calibrate(lab.label(run, people(100)))

    found = corrected(lab.summary(run))["corrected"]
    # 20 of the 90 that were judged, all of them labelled; 20 of all 100.
    assert (found["pass_rate"]["method"], found["pass_rate"]["value"]) == ("labels alone, Wilson", 20 / 90)
    assert found["overall_pass_rate"]["value"] == pytest.approx(0.2)


def test_means_are_corrected_likewise(lab):
    run = lab.score(SCORES)
    # People give one point less, down to 1: mean 2.2 in the place of 3.
    said = {case_id: max(1, score - 1) for case_id, score in list(SCORES.items())[:50]}
    lab.calibrate(lab.label(run, said))

    here = corrected(lab.summary(run))
    second = corrected(lab.score({f"d{number}": 4 for number in range(40)}, run_id="second").summary)

    assert (here["mean"], here["corrected"]["mean"]["method"]) == (3, "PPI++")
    assert here["corrected"]["mean"]["value"] == pytest.approx(2.2)
    assert second["corrected"]["mean"]["method"] == "mean error elsewhere"
    assert second["corrected"]["mean"]["value"] == pytest.approx(3.2)


def test_another_threshold_decides_people_and_judge_anew(lab):
    run = lab.score(SCORES)
    lab.calibrate(lab.label(run, SCORES))
    rubric = "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\npass_at: 3\nneeds: [input, output]\n"

    strict = lab.score({f"d{number}": 1 + number % 5 for number in range(50)}, run_id="second", rubric=rubric)

    # People and judge agree on every score, so on every threshold.
    found = corrected(strict.summary)["corrected"]["pass_rate"]
    assert (found["method"], found["value"]) == ("Rogan-Gladen", pytest.approx(0.6))


def test_labels_of_another_suite_are_kept_beside_new_ones(lab):
    cases = "".join(f"  - {{id: {case_id}, input: Q, output: x}}\n" for case_id in SCORES)
    lab.write("scenarios/t.yaml", "suite: t\ndefaults: {rubrics: [good]}\ncases:\n" + cases)
    first = lab.score(SCORES)
    lab.calibrate(lab.label(first, people(40)))
    second = lab.score(SCORES, run_id="second", outputs=None)

    (record,) = lab.calibrate(lab.label(second, people(40), name="more.csv")).records

    assert {pair.suite for pair in record.pairs} == {"s", "t"}


def test_summary_and_page_show_both_figures_and_the_decision_stays(lab):
    run = lab.score(SCORES, no_gate=False, fail_under=0.1)
    before = lab.summary(run)["decision"]

    lab.calibrate(lab.label(run, people(40)))

    summary = lab.summary(run)
    page = (run.path / "summary.md").read_text(encoding="utf-8")
    assert summary["decision"] == before
    assert "pass rate 40 % by the judge, 20 % \\[" in page
    assert "good: weak, better than chance, and not shown to agree fairly" in page
    assert not any(one.startswith("the judge is not calibrated") for one in summary["warnings"])
    assert "not calibrated" not in page
    entry = summary["trust"]["good"]
    assert {"metric", "judge", "judge_identity", "rubric", "level", "sentence", "figures"} < set(entry)


def test_a_judge_without_labels_is_uncalibrated_and_it_is_said_once(lab):
    run = lab.score(SCORES)

    entry = run.summary["trust"]["good"]
    assert (entry["level"], entry["figures"]) == ("uncalibrated", {})
    assert [one for one in run.summary["warnings"] if "calibrated" in one] == [
        "the judge is not calibrated against people: its scores inform, they do not veto"
    ]
    assert corrected(run.summary)["corrected"]["pass_rate"]["reason"].startswith("not corrected: no labels by people")


def test_records_hold_no_text(lab):
    run = lab.score(SCORES)
    labels = lab.label(
        run, {case_id: {"label": said, "comment": "secret words"} for case_id, said in people(40).items()}
    )

    found = lab.calibrate(labels)

    kept = (lab.folder / ".judgekit" / "trust").iterdir()
    texts = [path.read_text() for path in kept]
    assert len(texts) == 1
    assert not any(word in texts[0] for word in ("secret", "I say", "About c000", "by default", "ann"))
    assert found.written[1].parent == lab.folder / ".judgekit" / "trust"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"passed": true', '"passed": "yes"', "judge.passed"),
        ('"level": "weak"', '"level": "great"', "level"),
        ('"version": 1', '"version": 2', "no trust record of this version"),
        ('"pairs"', '"pears"', "pairs"),
        ("{", "", "is damaged"),
    ],
)
def test_a_damaged_record_is_named_before_anything_is_run_and_written_anew(lab, old, new, said):
    run = lab.score(SCORES)
    labels = lab.label(run, people(40))
    (path,) = lab.calibrate(labels).written[1:]
    sound = path.read_text()
    path.write_text(sound.replace(old, new, 1))

    with pytest.raises(InputError) as refused:
        lab.score(SCORES, run_id="again")

    assert said in str(refused.value)
    assert not (lab.folder / "reports" / "again").exists()
    assert any(said in note for note in lab.calibrate(labels).notes)
    assert [line for line in path.read_text().splitlines() if "calibrated_at" not in line] == [
        line for line in sound.splitlines() if "calibrated_at" not in line
    ]


def test_pandalm_is_corrected_as_with_the_reference(lab, shared_data):
    """PPI++ and Rogan-Gladen on the fixed split of shared/data/expected.json: first 200 of 999 pairs labelled."""
    pairs = [json.loads(line) for line in (shared_data / "pandalm" / "pairs.jsonl").read_text().splitlines()]
    rubric = "name: good\nquestion: Is 2 better?\nlabels: {two: 1, other: 0}\npass_at: 1\nneeds: [output]\n"
    judge = {str(one["item_id"]): "two" if one["gpt35_verdict"] == "2" else "other" for one in pairs}
    truth = {str(one["item_id"]): max(set(one["human"]), key=one["human"].count) == 2 for one in pairs}
    said = {case_id: "pass" if truth[case_id] else "fail" for case_id in list(judge)[:200]}

    whole = lab.score(judge, rubric=rubric)
    lab.calibrate(lab.label(whole, said))
    rest = lab.score(dict(list(judge.items())[200:]), rubric=rubric, run_id="rest")

    known = json.loads((shared_data / "expected.json").read_text())["pandalm"]["pass_rate_fixed_split"]
    ppi = corrected(load_run("r").summary)["corrected"]["pass_rate"]
    assert [round(ppi[name], 4) for name in ("value", "low", "high")] == [
        known["ppi_pp"]["est"],
        *known["ppi_pp"]["ci95"],
    ]
    elsewhere = corrected(rest.summary)["corrected"]["pass_rate"]
    assert (round(elsewhere["value"], 4), elsewhere["method"]) == (known["rogan_gladen"], "Rogan-Gladen")
