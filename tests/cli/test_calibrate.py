"""`judgekit calibrate` as a person meets it."""

from __future__ import annotations

import csv
import json

import pytest

from judgekit.cli.calibrate import _threshold
from judgekit.trust.matching import Pair
from judgekit.trust.ratings import Rating
from judgekit.trust.records import TrustRecord

RUBRIC = "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\npass_at: 4\nneeds: [output]\n"


@pytest.fixture
def labels(cli, folder, write):
    """A run of 40 outputs, and a label for each: people fail every eighth output, which the judge passes."""
    names = [f"c{number:02}" for number in range(40)]
    write("rubrics/good.yaml", RUBRIC)
    write("judgekit.yaml", "rubrics: [good]\ngate: {metrics: {good: {corrected_pass_rate: '>= 0.3'}}}\n")
    write("o.jsonl", "".join(json.dumps({"case_id": one, "input": "Q", "output": f"A {one}"}) + "\n" for one in names))
    scores = {name: 5 if number % 2 == 0 else 1 for number, name in enumerate(names)}
    replies = [
        {"case_id": name, "rubric": "good", "reply": json.dumps({"reason": "so", "score": score})}
        for name, score in scores.items()
    ]
    write("replies.jsonl", "".join(json.dumps(one) + "\n" for one in replies))
    cli("score", "--outputs", "o.jsonl", "--judge", "replay:replies.jsonl", "--run-id", "r")
    with (folder / "reports" / "r" / "cases.csv").open(encoding="utf-8", newline="") as file:
        hashes = {row["case_id"]: row["output_hash"] for row in csv.DictReader(file)}
    lines = ["run_id,case_id,output_hash,rubric,label,annotator,sampling,blind"]
    lines += [
        f"r,{name},{hashes[name]},good,{'pass' if number % 2 == 0 and number % 8 else 'fail'},ann,random,true"
        for number, name in enumerate(names)
    ]
    return write("labels.csv", "\n".join([*lines, "r,nobody,,good,pass,ann,random,true", ""]))


def test_it_prints_the_badge_the_figures_and_what_it_wrote(cli, labels):
    done = cli("calibrate", labels.name)

    assert done.code == 0
    # 35 of 40 agree; people pass 15, the judge 20: p_e = (15 * 20 + 25 * 20) / 1600, kappa = (0.875 - 0.5) / 0.5
    assert done.lines[0] == "good by replay:replies.jsonl: fair"
    sentence = "agrees fairly with people: kappa 0.75 [0.54, 0.96] on 40 labels, agreement 88 % [74, 95]"
    assert done.lines[1] == f"  {sentence}"
    assert "  fail                           20       5" in done.lines
    assert "  5 disagreements, worst first:" in done.lines
    assert "    c00 [default]: people fail; judge pass (5): so" in done.lines
    corrected = "good (default): pass rate 50 % by the judge, 38 % [24, 53] by people (40 labels alone)"
    assert corrected + " of 40 judged" in done.lines
    assert done.lines[-3] == "wrote reports/r/trust.json"
    assert done.lines[-1] == "reports/r/report.html"
    assert done.err == 'warning: labels.csv: line 42 not used: run r has no case "nobody"\n'


def test_the_decision_changes_only_by_report_with_gate(cli, labels):
    cli("calibrate", labels.name)

    shown = cli("report", "r")
    decided = cli("report", "r", "--gate")

    assert "gate undecided" in shown.out
    assert (decided.code, "gate failed" in decided.out) == (1, True)


def test_a_label_file_that_is_not_there_is_named(cli, labels):
    done = cli("calibrate", "gone.csv")

    assert (done.code, done.err) == (2, "error: gone.csv: no such label file.\n")


def test_what_a_model_said_cannot_command_the_terminal(cli, labels, folder):
    replies = folder / "replies.jsonl"
    replies.write_text(replies.read_text().replace(r"\"so\"", r"\"\\u001b[2Jgone\""), encoding="utf-8")
    cli("score", "--outputs", "o.jsonl", "--judge", "replay:replies.jsonl", "--run-id", "evil")

    done = cli("calibrate", labels.name, "--run", "evil")

    assert "judge pass (5): gone" in done.out
    assert "\x1b" not in done.out


def shortened(labels, n):
    lines = labels.read_text(encoding="utf-8").splitlines()
    labels.write_text("\n".join([*lines[: n + 1], ""]), encoding="utf-8")


def test_below_ten_labels_it_says_so_and_no_more(cli, labels):
    shortened(labels, 9)

    done = cli("calibrate", labels.name)

    assert done.lines[:3] == [
        "good by replay:replies.jsonl: uncalibrated",
        "  not calibrated: only 9 labels, at least 10 are needed",
        "",
    ]


def test_from_ten_labels_on_there_are_figures(cli, labels):
    shortened(labels, 10)

    assert any(line.startswith("  kappa ") for line in cli("calibrate", labels.name).lines)


THRESHOLD = {"value": 5, "current": 4, "n_chosen_on": 20, "n_reported_on": 21}


def estimate(value):
    return {"value": value, "low": None, "high": None, "n": 21, "reason": ""}


@pytest.mark.parametrize(
    ("best", "own", "said"),
    [
        (
            0.6,
            0.5,
            "passing from 5 on would agree best: kappa 0.600  n = 21; the rubric's own 4: 0.500  n = 21 (chosen",
        ),
        (
            0.5,
            0.6,
            "nothing speaks for another threshold than the rubric's own 4: passing from 5 on agreed best on one",
        ),
        (0.5, 0.6, "on the other half the own one does better: kappa 0.500  n = 21; the rubric's own 4: 0.600"),
        (0.5, 0.5, "on the other half the own one does as well: kappa"),
    ],
)
def test_the_sentence_on_the_threshold_says_what_its_figures_say(best, own, said):
    one = {**THRESHOLD, "kappa": estimate(best), "current_kappa": estimate(own)}

    assert said in _threshold(one)


def test_the_rubrics_own_threshold_may_be_the_best():
    one = {**THRESHOLD, "current": 5, "kappa": estimate(0.5), "current_kappa": estimate(0.5)}

    assert _threshold(one).startswith("the rubric's own threshold 5 agrees best: kappa 0.500")


def test_pairs_have_a_heading_of_their_own():
    pair = Pair("s", "c", "v2", "v1", 0, "", "", Rating(), Rating())

    record = TrustRecord(*["good", "m", "i", (), "r", "", "weak", ""], {}, {}, (0, 1), (pair,))

    assert record.title == "good, in pairs"
