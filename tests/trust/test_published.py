"""Recorded judges against people: the agreement that was published of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data" / "llmbar_vanilla.csv"
WHICH = (
    'name: good\nquestion: Which is better?\nlabels: {"Output (a)": 1, "Output (b)": 0}\npass_at: 1\nneeds: [output]\n'
)
# Published: mean accuracy of both orders in percent, arXiv:2310.07641 and its repository.
PUBLISHED = {
    ("gpt4", "natural"): 95.5,
    ("gpt4", "neighbor"): 78.73,
    ("gpt4", "gptinst"): 86.41,
    ("gpt4", "gptout"): 77.66,
    ("gpt4", "manual"): 80.43,
    ("chatgpt", "natural"): 81.5,
    ("chatgpt", "neighbor"): 19.40,
    ("chatgpt", "gptinst"): 26.63,
    ("chatgpt", "gptout"): 41.49,
    ("chatgpt", "manual"): 34.78,
}


@pytest.mark.parametrize("judge", ["gpt4", "chatgpt"])
def test_a_recorded_judge_agrees_with_people_as_published(lab, judge):
    with DATA.open(encoding="utf-8", newline="") as file:
        items = list(csv.DictReader(file))
    said = {f"{one['item_id']}/{order}": one[f"{judge}_{order}"] for one in items for order in ("12", "21")}
    run = lab.score({key: f"Output ({letter})" for key, letter in said.items()}, rubric=WHICH)
    # With output 2 shown first, the better one is (a) where it is output 2.
    first = {"12": "1", "21": "2"}
    people = {
        f"{one['item_id']}/{order}": "pass" if one["better"] == first[order] else "fail"
        for one in items
        for order in first
    }

    (record,) = lab.calibrate(lab.label(run, people)).records

    for subset in ("natural", "neighbor", "gptinst", "gptout", "manual"):
        mine = [one for one in record.pairs if one.case_id.startswith(subset)]
        agreed = sum(one.people.passed == one.judge.passed for one in mine)
        assert 100 * agreed / len(mine) == pytest.approx(PUBLISHED[judge, subset], abs=0.005)
    agreement, kappa = (record.figures["estimates"][name] for name in ("agreement", "kappa"))
    # Both orders of an item are one case: 419, not 838.
    assert (agreement["value"], agreement["n"]) == (pytest.approx(OVERALL[judge], abs=5e-5), 419)
    assert (record.level, record.sentence.split(":")[0]) == WORDS[judge]
    assert (kappa["low"] > 0) == (judge == "gpt4")


# All 419 items, in shared/data/expected.json: acc_mean_of_orders.
OVERALL = {"gpt4": 0.8449, "chatgpt": 0.3998}
WORDS = {
    "gpt4": ("strong", "agrees strongly with people"),
    "chatgpt": ("weak", "not shown to be better than chance"),
}


def test_three_people_and_a_judge_on_pandalm_agree_as_with_the_reference(lab, shared_data):
    pairs = [json.loads(line) for line in (shared_data / "pandalm" / "pairs.jsonl").read_text().splitlines()]
    rubric = "name: good\nquestion: Which wins?\nlabels: {tie: 0.5, one: 1, two: 0}\nneeds: [output]\n"
    # Unreadable replies count as ties in the published figures.
    words = {"1": "one", "2": "two", "Tie": "tie", "garbage": "tie", 0: "tie", 1: "one", 2: "two"}
    run = lab.score({f"p{one['item_id']}": words[one["gpt35_verdict"]] for one in pairs}, rubric=rubric)
    people = {
        f"p{one['item_id']}": [
            {"label": words[said], "annotator": who} for who, said in zip("abc", one["human"], strict=True)
        ]
        for one in pairs
    }

    (record,) = lab.calibrate(lab.label(run, people)).records

    known = json.loads((shared_data / "expected.json").read_text())["pandalm"]
    ceiling = {name: round(one["value"], 4) for name, one in record.figures["ceiling"].items()}
    # Their order is that of the pairs (1, 2), (1, 3), (2, 3).
    assert [ceiling[f"kappa {two}"] for two in ("a and b", "a and c", "b and c")] == known["human_kappa"]
    assert (ceiling["alpha"], ceiling["ac1"]) == (known["krippendorff_nominal"], known["gwet_ac1"])
    figures = {name: round(one["value"], 4) for name, one in record.figures["estimates"].items()}
    theirs = known["gpt35"]
    assert figures["label_agreement"] == theirs["accuracy"]
    assert (figures["label_kappa"], figures["label_ac1"]) == (theirs["cohen_kappa"], theirs["gwet_ac1"])
    assert record.level == "fair"
