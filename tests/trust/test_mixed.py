"""One rubric, outputs judged alone and in pairs by the same judge: two measurements, never taken for each other."""

from __future__ import annotations

import csv
import json

import pytest

import judgekit
from judgekit.pipeline.calibrate import calibrate
from judgekit.trust.labels import read_labels
from judgekit.trust.matching import match

NAMES = [f"c{number:02}" for number in range(40)]
WORDS = ("win", "tie", "loss")
ALONE, PAIRS = "good", "good, in pairs"


def pair_replies(name, word):
    """In both orders A is what stands first; a tie is two wins of the first."""
    first, second = {"win": "AB", "tie": "AA", "loss": "BA"}[word]
    return [
        {"case_id": name, "variant": "v2", "against": "v1", "rubric": "good", "order": order, "reply": reply}
        for order, reply in (("first", f'{{"winner": "{first}"}}'), ("second", f'{{"winner": "{second}"}}'))
    ]


@pytest.fixture
def mixed(lab):
    """Score v1 and v2 of 40 cases alone and in pairs; gives the function, which other outputs of v1 can be given."""

    def score(run_id="mix", old="old", new="new", rubric=None, labels=None, **how):
        alone = labels or [1, 2, 3, 4, 5]
        lab.write("rubrics/good.yaml", rubric or "name: good\nquestion: Good?\nscale: {min: 1, max: 5}\npass_at: 4\n")
        outputs, replies = [], []
        for number, name in enumerate(NAMES):
            for variant, text in (("v1", old), ("v2", new)):
                outputs.append({"case_id": name, "variant": variant, "input": "Q", "output": f"{text} {name}"})
                said = alone[number % len(alone)]
                reply = said if isinstance(said, str) else json.dumps({"reason": "r", "score": said})
                replies.append({"case_id": name, "variant": variant, "rubric": "good", "reply": reply})
            replies += pair_replies(name, WORDS[number % 3])
        lab.write("s.jsonl", "".join(json.dumps(one) + "\n" for one in outputs))
        lab.write("replies.jsonl", "".join(json.dumps(one) + "\n" for one in replies))
        how = {"rubrics": ["good"], "pairwise": "good", "judge": "replay:replies.jsonl", "no_gate": True} | how
        return judgekit.score(outputs="s.jsonl", run_id=run_id, **how)

    return score


def labels(lab, run, *, alone=40, pairs=40, **more):
    """A file with labels of v2: of outputs alone, and of pairs."""
    hashes = {(case.case_id, case.variant): case.output_hash for case in run.data.cases}
    common = {"run_id": run.path.name, "variant": "v2", "rubric": "good", "sampling": "random", "blind": "true"} | more
    rows = [common | {"case_id": name, "label": "pass" if at % 5 > 2 else "fail"} for at, name in enumerate(NAMES)]
    rows = rows[:alone]
    rows += [
        common | {"case_id": name, "against": "v1", "label": WORDS[at % 3]} for at, name in enumerate(NAMES[:pairs])
    ]
    path = lab.folder / "labels.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*common, "case_id", "against", "label", "output_hash"])
        writer.writeheader()
        writer.writerows(row | {"output_hash": hashes[row["case_id"], "v2"]} for row in rows)
    return path


def estimate(run, against=""):
    summary = json.loads((run.path / "summary.json").read_text(encoding="utf-8"))
    (one,) = (
        one
        for one in summary["estimates"]
        if (one["variant"], one["metric"], one.get("against", "")) == ("v2", "good", against)
    )
    return one


def test_a_label_without_opponent_is_of_the_output_alone(lab, mixed):
    run = mixed()

    matched = match(read_labels(labels(lab, run)), run.data)

    assert [(len(one.pairs), {pair.against for pair in one.pairs}) for one in matched.judged] == [
        (40, {""}),
        (40, {"v1"}),
    ]
    assert [note.kind for note in matched.notes if not note.used] == []


def test_both_stand_in_the_summary_under_their_own_names(lab, mixed):
    run = mixed()

    calibrate(labels(lab, run, pairs=0))

    trust = lab.summary(run)["trust"]
    assert {name: one["level"] for name, one in trust.items()} == {ALONE: "strong", PAIRS: "uncalibrated"}
    assert len({one["judge_identity"] for one in trust.values()}) == 2


def test_a_warning_of_one_is_none_of_the_other(lab, mixed):
    run = mixed()

    calibrate(labels(lab, run, alone=0))

    # The outputs alone stay uncalibrated, and that is still said.
    assert [one for one in lab.summary(run)["warnings"] if "calibrated" in one] == [
        "the judge is not calibrated against people: its scores inform, they do not veto"
    ]


def test_each_gets_its_own_corrected_figures(lab, mixed):
    run = mixed()

    calibrate(labels(lab, run, pairs=30))

    assert estimate(run)["corrected"]["pass_rate"]["n_labels"] == 40
    assert estimate(run, "v1")["corrected"]["mean"]["n_labels"] == 30


def test_a_rubric_with_labels_has_win_tie_and_loss_in_pairs(lab, mixed):
    rubric = "name: good\nquestion: Good?\nlabels: {bad: 0, fine: 1}\npass_at: 1\n"
    run = mixed(rubric=rubric, labels=["bad", "bad", "bad", "fine", "fine"])

    found = calibrate(labels(lab, run))

    names = [one.figures["confusion"]["names"] for one in found.records]
    assert names == [["fail", "pass"], ["loss", "tie", "win"]]


def test_the_gate_asks_for_the_outputs_alone(lab, mixed):
    lab.write("judgekit.yaml", "out: reports\ngate: {metrics: {good: {corrected_pass_rate: '>= 0.1'}}}\n")
    calibrate(labels(lab, mixed(), pairs=0))

    again = mixed("again", no_gate=False)

    assert again.decision.exit_code == 0


def test_what_a_panel_says_is_corrected_by_labels_of_the_panel_alone(lab, mixed):
    lab.write("judgekit.yaml", "out: reports\ngate: {metrics: {good: {corrected_pass_rate: '>= 0.1'}}}\n")
    calibrate(labels(lab, mixed("one", pairwise=()), pairs=0))
    lab.write("other.jsonl", (lab.folder / "replies.jsonl").read_text(encoding="utf-8"))

    panel = mixed("panel", judge=["replay:replies.jsonl", "replay:other.jsonl"], pairwise=(), no_gate=False)

    # One member is calibrated; what decides is the common verdict, and nobody measured that.
    assert (panel.decision.exit_code, panel.decision.rules[0]["outcome"]) == (3, "undecided")
    assert "the panel, which decides: not corrected: no labels by people" in panel.decision.reasons[0]


def test_a_calibrated_panel_is_not_held_by_its_weakest_member(lab, mixed):
    gate = "gate: {metrics: {good: {corrected_pass_rate: '>= 0.2'}}}\n"
    lab.write("judgekit.yaml", "out: reports\n" + gate)
    rubric = "name: good\nquestion: Good?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n"
    mixed("one", pairwise=())
    replies = (lab.folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    lab.write("same.jsonl", "".join(line + "\n" for line in replies))
    lab.write("noisy.jsonl", "".join(_noisy(json.loads(line)) for line in replies))
    how = {"judge": [f"replay:{name}.jsonl" for name in ("replies", "same", "noisy")]}
    how |= {"pairwise": (), "rubric": rubric}
    calibrate(labels(lab, mixed("panel", **how), pairs=0))

    # Other outputs: each judge is corrected by its own mistakes, and the panel of three made none.
    again = mixed("again", new="newer", no_gate=False, **how)

    assert again.decision.rules[0]["outcome"] == "holds", again.decision.reasons


def _noisy(row):
    """Every third verdict on a single output is turned around."""
    if "against" not in row and int(row["case_id"][1:]) % 3 == 0:
        row["reply"] = json.dumps({"reason": "r", "score": 6 - json.loads(row["reply"])["score"]})
    return json.dumps(row) + "\n"


def test_labels_of_pairs_hold_where_both_outputs_are_the_same(lab, mixed):
    calibrate(labels(lab, mixed(), alone=0, pairs=30))

    again = mixed("again")

    assert estimate(again, "v1")["corrected"]["mean"]["method"] == "PPI++"


def test_labels_of_pairs_are_of_other_outputs_once_the_other_side_has_changed(lab, mixed):
    calibrate(labels(lab, mixed(), alone=0, pairs=30))

    again = mixed("again", old="another")

    # v2 is the same to the letter; what it was compared with is not.
    assert estimate(again, "v1")["corrected"]["mean"]["method"] == "mean error elsewhere"


def test_a_record_that_does_not_say_what_pairs_were_compared_with_is_of_other_outputs(lab, mixed):
    (path,) = calibrate(labels(lab, mixed(), alone=0, pairs=30)).written[1:]
    record = json.loads(path.read_text(encoding="utf-8"))
    for pair in record["pairs"]:
        del pair["against_hash"]
    path.write_text(json.dumps(record), encoding="utf-8")

    again = mixed("again")

    assert estimate(again, "v1")["corrected"]["mean"]["method"] == "mean error elsewhere"


def test_a_label_of_a_pair_of_another_run_is_not_used(lab, mixed):
    file = labels(lab, mixed(), alone=0, pairs=30)
    again = mixed("again", old="another")

    matched = match(read_labels(file), again.data)

    (note,) = [one for one in matched.notes if not one.used]
    assert (matched.judged, note.kind, len(note.lines)) == ((), "other_run", 30)


def test_a_label_of_a_pair_without_run_is_used_and_told(lab, mixed):
    run = mixed()

    matched = match(read_labels(labels(lab, run, alone=0, pairs=30, run_id="")), run.data)

    assert (matched.n_rows, [one.kind for one in matched.notes]) == (30, ["pair_without_run"])
