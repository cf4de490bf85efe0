"""The JSON document of the page: complete, small, and honest about what it cuts."""

from __future__ import annotations

import copy
import dataclasses
import json
from typing import Any

import pytest

from judgekit.frame import RunData
from judgekit.reports.document import Shown, document
from judgekit.reports.embedded import BLOCK, blocks


def cell(doc: dict[str, Any], table: str, row: int, name: str) -> Any:
    """What the page reads from a table."""
    column = doc["tables"][table]["columns"][name]
    found = column["all"] if "all" in column else column["cells"][row]
    if found is None or column["kind"] == "value":
        return found
    if column["kind"] == "text":
        return doc["texts"][found]
    return [doc["texts"][position] for position in found]


def row_of(doc: dict[str, Any], table: str, **wanted: Any) -> int:
    rows = range(doc["tables"][table]["rows"])
    (found,) = [row for row in rows if all(cell(doc, table, row, key) == value for key, value in wanted.items())]
    return found


def results_of(doc: dict[str, Any], case_id: str, variant: str) -> dict[str, int]:
    entry = row_of(doc, "entries", case_id=case_id, variant=variant)
    output = row_of(doc, "outputs", entry=entry)
    rows = range(doc["tables"]["results"]["rows"])
    return {cell(doc, "results", row, "metric"): row for row in rows if cell(doc, "results", row, "output") == output}


def test_an_entry_for_each_case_and_variant(run: RunData) -> None:
    doc = document(run)
    statuses = {
        (cell(doc, "entries", row, "case_id"), cell(doc, "entries", row, "variant")): cell(
            doc, "entries", row, "status"
        )
        for row in range(doc["tables"]["entries"]["rows"])
    }
    assert statuses == {(row.case_id, row.variant): row.status for row in run.cases}


def test_a_failing_check_comes_with_reason_spans_and_diff(run: RunData) -> None:
    doc = document(run)
    rows = results_of(doc, "late-parcel", "v2")
    assert cell(doc, "results", rows["contains"], "reason") == "missing: deadline"
    assert cell(doc, "results", rows["contains"], "spans") == [4, 7, 22, 28]
    assert cell(doc, "results", rows["golden"], "diff").endswith("+at the office")


def test_a_missing_score_is_null_and_keeps_its_cause(run: RunData) -> None:
    doc = document(run)
    row = results_of(doc, "late-parcel", "v1")["helpfulness"]
    assert cell(doc, "results", row, "score") is None
    assert cell(doc, "results", row, "cause") == "parse"


def test_a_verdict_comes_with_prompt_reply_and_parameters(run: RunData) -> None:
    doc = document(run)
    row = next(row for row in range(doc["tables"]["verdicts"]["rows"]) if cell(doc, "verdicts", row, "score") == 5)
    assert cell(doc, "verdicts", row, "prompt").startswith("Rate this answer")
    assert json.loads(cell(doc, "verdicts", row, "reply")) == {"reason": "…", "score": 5.0}
    assert json.loads(cell(doc, "verdicts", row, "params_applied")) == {"seed": 7}


def test_a_model_that_took_no_parameter_differs_from_one_of_which_it_is_not_known(run: RunData) -> None:
    first = {**run.verdicts[0], "params_applied": {}}
    unknown = {key: value for key, value in first.items() if key != "params_applied"}
    doc = document(dataclasses.replace(run, verdicts=[first, unknown]))
    assert [cell(doc, "verdicts", row, "params_applied") for row in (0, 1)] == ["{}", None]


def test_a_prompt_recorded_once_is_found_by_its_hash(run: RunData) -> None:
    first = run.verdicts[0]
    again = {key: value for key, value in first.items() if key != "prompt"} | {"sample": 1}
    doc = document(dataclasses.replace(run, verdicts=[first, again]))
    assert cell(doc, "verdicts", 1, "prompt") == first["prompt"]


def test_context_and_tool_calls_are_flat_lists(run: RunData) -> None:
    doc = document(run)
    outputs = [
        row_of(doc, "outputs", entry=row_of(doc, "entries", case_id="q1-report", variant=v)) for v in ("v1", "v2")
    ]
    assert cell(doc, "outputs", outputs[0], "context") == ["r1", "Revenue $4.2M, up 12%."]
    assert cell(doc, "outputs", outputs[1], "tool_calls") == ["search", '{"q": "renewals"}', '{"hits": 2}']


def test_each_estimate_keeps_how_many_it_covers(run: RunData) -> None:
    found = [
        (one["variant"], one["mean"], one["n_scored"], one["n_total"]) for one in document(run)["summary"]["estimates"]
    ]
    assert ("v1", 3.0, 1, 2) in found


def test_equal_texts_stand_once(run: RunData) -> None:
    texts = document(run)["texts"]
    assert len(texts) == len(set(texts))


def test_texts_are_cut_to_the_room_and_the_true_length_is_kept(run: RunData) -> None:
    outputs = [row._replace(output=f"{number}" * 20_000) for number, row in enumerate(run.cases)]
    doc = document(dataclasses.replace(run, cases=outputs), Shown(text_bytes=20_000))
    size = sum(len(json.dumps(text, ensure_ascii=False).encode()) + 1 for text in doc["texts"])
    assert size <= 20_000
    assert [doc["cut"][str(doc["texts"].index(text))] for text in doc["texts"] if text.startswith("111")] == [20_000]


@pytest.mark.parametrize("character", ["<", "\0", "🎉", '"'])
def test_room_is_counted_as_the_page_writes_it(run: RunData, character: str) -> None:
    outputs = [row._replace(output=f"{number}" + character * 20_000) for number, row in enumerate(run.cases)]
    doc = document(dataclasses.replace(run, cases=outputs), Shown(text_bytes=30_000))
    texts = json.dumps(doc["texts"], ensure_ascii=False, separators=(",", ":"))
    assert len(texts.encode()) <= 30_002


def test_short_texts_are_kept_whole(run: RunData) -> None:
    assert document(run)["cut"] == {}


def test_a_score_that_is_no_number_is_null(run: RunData) -> None:
    row = run.results[0]._replace(score=float("nan"))
    doc = document(dataclasses.replace(run, results=[row, *run.results[1:]]))
    assert cell(doc, "results", 0, "score") is None


def test_the_texts_of_the_first_picture_come_first(run: RunData) -> None:
    doc = document(run)
    entry = row_of(doc, "entries", case_id="late-parcel", variant="v2")
    columns = doc["tables"]["entries"]["columns"]
    assert columns["reason"]["cells"][entry] < doc["first"]
    assert doc["texts"].index("Summarise late-parcel.") >= doc["first"]


def test_a_block_of_texts_begins_where_the_first_picture_ends(run: RunData) -> None:
    doc = document(run)
    names = [name for name, _ in blocks(doc)]
    assert names == ["data", "texts-0", "texts-1"]


def test_no_block_holds_more_than_a_million_characters_or_one_text() -> None:
    texts = ["x" * 400_000, "y" * 500_000, "z" * 400_000, "long" * BLOCK, "end"]
    assert len(list(blocks({"texts": texts, "first": 0}))) == 1 + 4


def test_without_outputs_no_text_of_them_is_in_the_document(run: RunData) -> None:
    doc = document(run, Shown(outputs=False))
    shown = json.dumps(doc, ensure_ascii=False)
    assert doc["omitted"] is True
    assert "Summarise" not in shown
    assert "Key decisions" not in shown
    assert "Rate this answer" not in shown
    assert "missing: deadline" in shown


def test_the_hash_of_an_output_travels_with_it(run: RunData) -> None:
    assert cell(document(run), "outputs", 0, "hash") == run.cases[0].output_hash


def test_arguments_nested_beyond_reason_do_not_stop_the_report(run: RunData) -> None:
    nested: dict[str, Any] = {}
    for _ in range(100_000):
        nested = {"a": nested}
    rows = [dict(row) for row in run.outputs]
    rows[0]["tool_calls"] = [{"name": "deep", "args": nested}]
    doc = document(dataclasses.replace(run, outputs=rows))
    assert "(nested too deeply to be shown; it stands in the run folder)" in doc["texts"]


def test_a_run_without_cases_has_a_document(run: RunData) -> None:
    empty = dataclasses.replace(run, outputs=[], checks=[], verdicts=[], results=[], cases=[])
    assert {name: table["rows"] for name, table in document(empty)["tables"].items()} == {
        "entries": 0,
        "outputs": 0,
        "results": 0,
        "verdicts": 0,
    }


def test_making_a_document_changes_nothing_of_the_run(run: RunData) -> None:
    before = copy.deepcopy(run)
    document(run)
    assert all(getattr(run, one.name) == getattr(before, one.name) for one in dataclasses.fields(run))


def test_a_panel_and_what_it_would_be_without_a_judge_are_one_text(run: RunData) -> None:
    panel = {
        **{"variant": "v1", "metric": "tone", "judges": ["a", "b"], "rule": "mean", "n": 4},
        "agreement": [{"judges": ["a", "b"], "n": 4, "exact": 0.75, "alpha": 0.5}],
        "without": [{"judge": "a", "n": 4, "mean": 3.5, "change": -0.5, "n_changed": 1}],
    }
    doc = document(dataclasses.replace(run, summary=dict(run.summary) | {"panels": [panel]}))
    assert doc["said"]["judges"] == [
        "panel of 2, mean: v1 · tone: same verdict: a and b 75 % (alpha 0.50); "
        "without a: mean 3.50 (-0.50), 1 of 4 verdicts change"
    ]


def test_the_sentence_on_a_single_variant_is_left_out_where_there_are_cases_enough(run: RunData) -> None:
    def said(n: int) -> list[str]:
        alone = {"n": n, "sentence": "all pass."}
        texts: list[str] = document(dataclasses.replace(run, summary=dict(run.summary) | {"alone": alone}))["said"][
            "alone"
        ]
        return texts

    assert (said(29), said(30)) == (["all pass."], [])
