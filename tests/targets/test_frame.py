"""A DataFrame as outputs."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import judgekit as jk
from judgekit.errors import InputError
from judgekit.targets.recorded import frame_outputs

Folder = Any


def test_a_missing_value_is_a_blank_cell() -> None:
    frame = pd.DataFrame(
        {"case_id": ["a", "b", "c"], "output": ["x", float("nan"), None], "cost_usd": [0.5, None, None]}
    )
    rows = frame_outputs(frame)
    assert [(row.output.text, row.output.cost_usd) for row in rows] == [("x", 0.5), ("", None), ("", None)]


def test_numbers_and_times_are_text_where_text_is_wanted() -> None:
    frame = pd.DataFrame({"case_id": [7, 8], "output": [pd.Timestamp("2024-01-02"), pd.Timedelta("1s")]})
    rows = frame_outputs(frame)
    assert [(row.output.case_id, row.output.text) for row in rows] == [
        ("7", "2024-01-02 00:00:00"),
        ("8", "0 days 00:00:01"),
    ]


def test_a_count_that_pandas_made_a_float_is_a_count() -> None:
    frame = pd.DataFrame({"case_id": ["a", "b"], "output": ["x", "y"], "trial": [1, None]})
    assert [row.output.trial for row in frame_outputs(frame)] == [1, 0]


def test_lists_in_cells_are_kept() -> None:
    frame = pd.DataFrame({"case_id": ["a"], "output": ["x"], "tool_calls": [[{"name": "f"}]], "context": [["c", "d"]]})
    (row,) = frame_outputs(frame)
    assert row.output.tool_calls is not None
    assert row.output.tool_calls[0].name == "f"
    assert len(row.context or ()) == 2


def test_columns_are_renamed() -> None:
    frame = pd.DataFrame({"q": ["q"], "old": ["x"], "new": ["y"]})
    rows = frame_outputs(frame, ["input=q", "output:v1=old", "output:v2=new"])
    assert [(row.input, row.output.variant, row.output.text) for row in rows] == [("q", "v1", "x"), ("q", "v2", "y")]


def test_column_names_may_be_numbers() -> None:
    frame = pd.DataFrame({"case_id": ["a"], "output": ["x"], 3: ["y"]})
    assert dict(frame_outputs(frame)[0].vars) == {"3": "y"}


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (pd.DataFrame(), "holds no rows"),
        (pd.DataFrame({"case_id": [], "output": []}), "holds no rows"),
        (pd.DataFrame({0: ["a"], 1: ["x"]}), "there is no column `output`"),
        (pd.DataFrame([["a", "x", "y"]], columns=["case_id", "output", "output"]), 'the column "output" twice'),
        (pd.DataFrame({"case_id": ["a", "a"], "output": ["x", "y"]}), "a second output"),
        (pd.DataFrame({"case_id": ["a"], "output": ["x"], "cost_usd": ["much"]}), '"cost_usd" must be a number'),
    ],
    ids=["empty", "no rows", "no output", "twice", "doubles", "figure"],
)
def test_a_frame_that_does_not_fit_is_refused(frame: pd.DataFrame, said: str) -> None:
    with pytest.raises(InputError) as caught:
        frame_outputs(frame)
    assert said in str(caught.value)


def test_the_callers_frame_is_left_alone() -> None:
    frame = pd.DataFrame({3: ["y"], "case_id": ["a"], "output": [None]})
    before = frame.copy()
    frame_outputs(frame)
    pd.testing.assert_frame_equal(frame, before)


def test_a_run_takes_a_frame(folder: Folder) -> None:
    frame = pd.DataFrame({"input": ["q", "r"], "output": ['{"triples": [{"source": "p"}]}', None]})
    run = jk.score(outputs=frame, rubrics=["source_coverage"], out=folder.path / "runs", no_gate=True)
    assert sorted(run.results["score"]) == [0.0, 1.0]


@pytest.mark.parametrize("outputs", [[1], {1, 2}, 3, object()])
def test_something_else_is_refused(folder: Folder, outputs: Any) -> None:
    with pytest.raises(InputError, match="must be a DataFrame, a path or a mapping"):
        jk.score(outputs=outputs, out=folder.path / "runs")
