"""Labels of pairwise rows: win, tie or loss of a variant over the one that it is compared with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judgekit import stats
from judgekit.trust.labels import read_labels
from judgekit.trust.matching import match
from judgekit.trust.records import make_record
from judgekit.trust.run import RunTrust

WORDS = ("win", "tie", "loss")
WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}
JUDGE = [WORDS[number % 3] for number in range(60)]
# People see a tie in every fifth.
PEOPLE = ["tie" if number % 5 == 0 else word for number, word in enumerate(JUDGE)]


@pytest.fixture
def data(lab):
    """A run whose rows of v2 are pairwise ones, as the contract lays them out."""
    data = lab.score({f"c{number:02}/{variant}": 3 for number in range(60) for variant in ("v1", "v2")}).data
    rows = [
        row._replace(
            against="v1",
            label=JUDGE[int(row.case_id[1:])],
            score=WORTH[JUDGE[int(row.case_id[1:])]],
            status="scored",
            passed=None,
            threshold=None,
            scale_min=0.0,
            scale_max=1.0,
        )
        for row in data.results
        if row.variant == "v2"
    ]
    return replace(data, results=rows)


def labels(lab, cells):
    lines = ["case_id,variant,against,label,sampling,blind,run_id"]
    lab.write("pairs.csv", "\n".join([*lines, *cells, ""]))
    return read_labels(lab.folder / "pairs.csv")


def test_outcomes_are_compared_as_labels_and_as_an_ordered_scale(lab, data):
    cells = [f"c{number:02},v2,v1,{word.upper()},random,true,r" for number, word in enumerate(PEOPLE)]

    matched = match(labels(lab, cells), data)

    record = make_record(matched.judged[0], run_id="r", calibrated_at="")
    figures = record.figures["estimates"]
    assert record.figures["confusion"]["names"] == ["loss", "tie", "win"]
    assert figures["label_kappa"]["value"] == pytest.approx(stats.cohen_kappa(PEOPLE, JUDGE).value)
    weighted = stats.cohen_kappa(
        [WORTH[one] for one in PEOPLE], [WORTH[one] for one in JUDGE], weights="quadratic", scale=[0.0, 0.5, 1.0]
    )
    assert figures["score_kappa"]["value"] == pytest.approx(weighted.value)
    assert record.level == "strong"


def test_the_win_rate_is_corrected_as_a_mean(lab, data):
    cells = [f"c{number:02},v2,v1,{word},random,true,r" for number, word in enumerate(PEOPLE[:40])]
    record = make_record(match(labels(lab, cells), data).judged[0], run_id="r", calibrated_at="")

    trust = RunTrust([record], data.results, data.cases, data.units)

    (one,) = trust.beside([{"kind": "judge", "variant": "v2", "against": "v1", "metric": "good"}])
    mean = one["corrected"]["mean"]
    assert (mean["method"], mean["n_labels"]) == ("PPI++", 40)
    assert abs(mean["value"] - 0.5) < 0.1


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("c00,v2,v1,pass,random,true,r", "a pairwise label is win, tie or loss"),
        ("c00,v2,v9,win,random,true,r", "good against v9 was not to be judged"),
        ("c00,v1,,win,random,true,r", 'was not to be judged for case "c00" by variant "v1"'),
    ],
)
def test_what_fits_no_pair_is_named(lab, data, cells, said):
    (note,) = [one for one in match(labels(lab, [cells]), data).notes if not one.used]

    assert (note.lines, said in note.said) == ((2,), True)
