"""`judgekit calibrate` as a person meets it."""

from __future__ import annotations

import csv
import json

import pytest

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
