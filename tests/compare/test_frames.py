"""A DataFrame of scores: anybody's numbers, compared the same way."""

from __future__ import annotations

import pandas as pd
import pytest

import judgekit as jk
from judgekit.errors import InputError


def scores(**columns: list[object]) -> pd.DataFrame:
    given = {"case_id": ["a", "b", "a", "b"], "variant": ["v1", "v1", "v2", "v2"], "score": [1, 2, 3, 5]}
    return pd.DataFrame({**given, **columns})


def test_scores_of_a_frame_are_paired_by_case():
    (row,) = jk.compare(scores(), against="v1").rows

    assert (row["variant"], row["against"], row["n"], row["difference"]) == ("v2", "v1", 2, 2.5)


def test_by_names_the_column():
    (row,) = jk.compare(scores().rename(columns={"variant": "model"}), by="model").rows

    assert row["who"] == "v2 against v1"


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_a_missing_score_is_left_out_and_counted(missing):
    (row,) = jk.compare(scores(score=[1, missing, 3, 5])).rows

    assert (row["n"], row["difference"], row["left_out"]) == (
        1,
        2.0,
        [{"reason": "unscored", "n": 1, "case_ids": ["b"]}],
    )


def test_an_interval_of_scores_off_their_scale_holds_the_difference():
    (row,) = jk.compare(scores(score=[9, 8, 1, 2], scale_min=0, scale_max=1)).rows

    assert row["ci_low"] < row["difference"] < row["ci_high"]


def test_without_a_scale_no_interval_is_cut():
    (row,) = jk.compare(scores(score=[1, 3, 3, 1])).rows

    assert row["difference"] == 0
    assert row["ci_low"] < -2 < 2 < row["ci_high"]


def test_trials_of_unequal_number_are_averaged_by_case():
    frame = pd.DataFrame(
        {"case_id": ["a", "a", "a"], "variant": ["v1", "v2", "v2"], "trial": [0, 0, 1], "score": [1, 2, 4]}
    )

    (row,) = jk.compare(frame).rows

    assert (row["n"], row["value"]) == (1, 3.0)


def test_the_results_of_a_run_can_be_compared(project):
    run = project.judged({"v1": {"a": 1, "b": 2}, "v2": {"a": 3, "b": 5}})

    (row,) = jk.compare(run.results).rows

    assert (row["metric"], row["kind"], row["difference"]) == ("q", "judge", 2.5)


@pytest.mark.parametrize(
    ("frame", "how", "said"),
    [
        (scores().drop(columns="score"), {}, 'no column "score"; it has case_id, variant'),
        (scores(), {"by": "modell"}, 'no column "modell"'),
        (scores(score=[1, "two", 3, 5]), {}, r'row 1 of the frame \(case "b"\): the score \'two\' is no finite number'),
        (scores(score=[1, float("inf"), 3, 5]), {}, "no finite number"),
        (scores(case_id=["a", None, "a", "b"]), {}, "row 1 of the frame has no case_id"),
        (scores(variant=["v1", "v1", "v2", float("nan")]), {}, "row 3 of the frame has no variant"),
        (scores(case_id=["a", "a", "a", "b"]), {}, 'case "a" has two rows of score'),
        (scores(variant=["v1"] * 4, case_id=list("abcd")), {}, r"one variant only \(v1\)"),
        (scores(), {"against": "v3"}, 'no variant "v3"; there are v1, v2'),
        (scores(case_id=list("abcd")), {}, "no case has a score of the same metric in both"),
        (scores().iloc[:0], {}, "the frame holds no rows"),
        (
            scores(passed="maybe"),
            {},
            "row 0 of the frame .*: the passed 'maybe' is neither true nor false",
        ),
        (scores(passed=[True, False, 2, True]), {}, "row 2 of the frame .*: the passed 2 is neither true nor false"),
        (scores(trial="x"), {}, "the trial 'x' is no whole number"),
        (scores(trial=0.5), {}, "the trial 0.5 is no whole number"),
        (scores().set_axis(["case_id", "variant", "case_id"], axis=1), {}, 'has the column "case_id" twice'),
        (scores(), {"cluster": "doc"}, 'no column "doc"; it has case_id, variant, score'),
        (scores(doc=["x", "x", "y", "x"]), {"cluster": "doc"}, 'case "a" has two values of doc in the frame: x, y'),
        (scores(doc=["x", None, "x", "x"]), {"cluster": "doc"}, "row 1 of the frame has no doc"),
        (scores(scale_min=0, scale_max=5), {"margin": 6}, "6 is more than score can lose, whose scale is 0 to 5"),
        (scores(scale_min="low", scale_max=5), {}, "the scale_min 'low' is no finite number"),
        (scores(), {"margin": {"scor": 1}}, '"scor" is not compared; these are: score. Did you mean "score"'),
        (scores(variant=[1, 1, 2, 2]), {"against": 3}, 'no variant "3"; there are 1, 2'),
    ],
)
def test_what_can_not_be_compared_is_said(frame, how, said):
    with pytest.raises(InputError, match=said):
        jk.compare(frame, **how)


@pytest.mark.parametrize("words", [("true", "false"), ("True", "FALSE"), (1, 0), (1.0, 0.0), ("1", "0"), (True, False)])
def test_passed_is_read_as_it_is_meant(words):
    yes, no = words
    (row,) = jk.compare(scores(passed=[no, no, yes, no])).rows

    assert (row["pass_rate"], row["pass_rate_against"], row["newly_passing"]) == (0.5, 0.0, 1)


def test_a_column_names_the_cases_that_belong_together():
    frame = pd.DataFrame(
        [{"case_id": f"c{n}", "variant": v, "score": v == "v2", "doc": n // 4} for n in range(24) for v in ("v1", "v2")]
    )

    (row,) = jk.compare(frame, cluster="doc").rows

    assert (row["n"], row["n_clusters"], row["method"]) == (24, 6, "sign-flip permutation, clustered, exact")


def test_a_frame_without_a_scale_states_none():
    (row,) = jk.compare(scores()).rows

    assert (row["scale_min"], row["scale_max"]) == (None, None)


def test_a_comparison_is_printed_as_its_sentences():
    found = jk.compare(scores())

    assert str(found) == found.sentences[0]


def test_a_p_value_too_small_for_a_float_is_no_zero():
    ids = [f"c{number}" for number in range(1200)]
    frame = pd.DataFrame({"case_id": ids * 2, "variant": ["a"] * 1200 + ["b"] * 1200, "score": [1] * 1200 + [0] * 1200})
    found = jk.compare(frame)

    assert "p < 1e-300" in found.sentences[0]
    assert found.decide() == (1, ["score: b against a: significantly worse (-1.00, p < 1e-300)"])


def test_anything_else_is_no_run():
    with pytest.raises(InputError, match="a run, its name or a DataFrame, not list"):
        jk.compare([1, 2])


def test_a_few_scores_promise_no_power():
    ids = [f"c{number}" for number in range(8)]
    frame = pd.DataFrame(
        {
            "case_id": ids * 2,
            "variant": ["a"] * 8 + ["b"] * 8,
            "score": [1, 2, 3, 4, 5, 4, 3, 2, 2, 1, 3, 5, 4, 4, 3, 3],
        }
    )

    # differences +1 -1 0 +1 -1 0 0 +1: variance (5 - 8 / 64) / 7, 2.8016 standard errors = 0.83
    assert "on so few cases a true difference has to be well over 0.83 to show" in jk.compare(frame).sentences[0]
