"""What one run leaves behind: every file of the contract, readable again to the same run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import judgekit
from judgekit.errors import InputError
from judgekit.frame.tables import ResultRow

GOOD = """'{"reason": "good", "score": 5}'"""
SUITE = f"""
suite: s
cases:
  - id: a
    input: |
      Q1?
      =SUM(A1)
    tags: [x, y]
    context: [{{id: d1, text: Revenue rose by 4 %.}}]
    vars: {{who: Ana, n: 3}}
    expect: {{contains: [revenue], max_cost_usd: 1}}
    rubrics: [helpfulness, source_coverage]
    trials: 2
    faux: {{target: [Revenue rose., "=1+1 revenue"], judge: {{helpfulness: [{GOOD}, {GOOD}]}}}}
  - {{id: b, input: "", output: "", expect: {{contains: [x]}}, should_pass: false, defect: empty}}
  - {{id: c, input: Q?, expect: {{contains: [x]}}, faux: [{{error: timeout}}]}}
  - {{id: d, input: Q?, output: read me, expect: none}}
"""


@pytest.fixture
def run(project):
    project.scenario(SUITE)
    return project.score(judge="faux", run_id="one")


def test_the_folder_holds_the_files_of_the_contract(run):
    assert sorted(path.name for path in run.path.iterdir()) == [
        "cases.csv",
        "checks.jsonl",
        "junit.xml",
        "manifest.json",
        "outputs.jsonl",
        "report.html",
        "results.csv",
        "summary.json",
        "summary.md",
        "verdicts.jsonl",
    ]


def test_results_csv_has_the_columns_of_the_contract(run):
    header = (run.path / "results.csv").read_text(encoding="utf-8").splitlines()[0]

    assert header.split(",") == list(ResultRow._fields)


def test_cases_csv_has_one_row_for_each_case_variant_and_trial(run):
    cases = pd.read_csv(run.path / "cases.csv", keep_default_na=False)

    assert list(zip(cases["case_id"], cases["trial"], cases["status"], strict=True)) == [
        ("a", 0, "pass"),
        ("a", 1, "pass"),
        ("b", 0, "negative_ok"),
        ("c", 0, "error"),
        ("d", 0, "skipped"),
    ]
    assert {"contains", "helpfulness", "source_coverage", "input", "output", "target_cost_usd"} < set(cases.columns)


def test_summary_json_has_the_keys_of_the_contract(run):
    summary = json.loads((run.path / "summary.json").read_text(encoding="utf-8"))

    assert set(summary) >= {
        "run_id",
        "decision",
        "counts",
        "estimates",
        "cost",
        "tokens",
        "judge_calls",
        "comparisons",
        "trust",
    }
    assert set(summary["decision"]) >= {"passed", "exit_code", "reasons"}
    assert set(summary["counts"]) == {"cases", "pass", "fail", "error", "skipped", "negative_ok"}
    assert set(summary["cost"]) >= {"target_usd", "judge_usd", "saved_usd", "unpriced"}
    assert set(summary["judge_calls"]) == {"made", "cached", "skipped"}
    assert set(summary["estimates"][0]) >= {
        *("variant", "metric", "n_scored", "n_total", "mean", "ci_low", "ci_high", "level", "method", "pass_rate"),
        "pass_hat_k",
    }


def test_every_json_file_is_strict(run):
    def refuse(word: str) -> Any:
        raise AssertionError(f"{word} is no JSON")

    texts = [path.read_text(encoding="utf-8") for path in run.path.glob("*.json")]
    texts += [line for path in run.path.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]

    assert all(isinstance(json.loads(text, parse_constant=refuse), dict) for text in texts)


def test_booleans_are_words_and_unknown_cells_are_empty(run, project):
    row = project.row(run, case_id="c", metric="contains")

    assert (row["required"], row["passed"], row["score"], row["cost_usd"]) == ("true", "", "", "")


def test_a_cell_that_starts_like_a_formula_is_neutralised_in_the_file_and_whole_in_the_frame(run):
    cases = pd.read_csv(run.path / "cases.csv", keep_default_na=False)

    assert list(cases["output"])[1] == "'=1+1 revenue"
    assert list(judgekit.load_run("one").cases["output"])[1] == "=1+1 revenue"


def test_a_loaded_run_equals_the_run_in_memory(run):
    loaded = judgekit.load_run("one")

    pd.testing.assert_frame_equal(loaded.results, run.results)
    pd.testing.assert_frame_equal(loaded.cases, run.cases)
    pd.testing.assert_frame_equal(loaded.verdicts, run.verdicts)
    assert loaded.summary == json.loads(json.dumps(run.summary))
    assert loaded.decision == run.decision


def test_an_empty_output_is_not_a_missing_one_after_loading(run):
    outputs = dict(
        zip(judgekit.load_run("one").cases["case_id"], judgekit.load_run("one").cases["output"], strict=True)
    )

    assert outputs["b"] == ""
    assert pd.isna(outputs["c"])


# ------------------------------------------------------------------------------------------- outputs.jsonl as input

RESULT = ["case_id", "variant", "trial", "metric", "status", "cause", "score", "reason", "required"]


def test_the_recorded_outputs_score_the_same(run, project):
    again = project.score("scenarios", outputs=run.path / "outputs.jsonl", judge="replay:reports/one")

    def rows(of):
        return [[row[key] for key in RESULT] for row in project.rows(of)]

    assert rows(again) == rows(run)
    assert again.summary["counts"] == run.summary["counts"]
    assert again.decision == run.decision


def test_the_recorded_outputs_bring_their_own_inputs(run, project):
    again = project.score(outputs=run.path / "outputs.jsonl", rubrics=["source_coverage"])

    assert again.cases["input"].iloc[0] == "Q1?\n=SUM(A1)\n"


# ------------------------------------------------------------------------------------------------ names of a run


def test_an_existing_run_id_is_refused_and_its_files_stay(run, project):
    before = (run.path / "results.csv").read_bytes()

    with pytest.raises(InputError, match="reports/one exists already; choose another --run-id"):
        project.score(run_id="one")
    assert (run.path / "results.csv").read_bytes() == before


@pytest.mark.parametrize("run_id", ["latest", "a/b", "..", "", "a\n", "-x", "ü"])
def test_a_run_id_is_a_plain_file_name(project, run_id):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    with pytest.raises(InputError, match="can't be a run id"):
        project.score(run_id=run_id)


def test_a_run_id_is_the_time_and_four_characters(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    assert re.fullmatch(r"\d{8}-\d{6}-[a-z0-9]{4}", project.score().path.name)


def test_latest_and_the_runs_before_it_are_found(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")
    for name in ("b", "a", "c"):
        project.score(run_id=name)

    names = [judgekit.load_run(one).path.name for one in ("latest", "latest~1", "latest~2", "a", "reports/b")]

    assert names == ["c", "a", "b", "a", "b"]
    assert Path("reports/latest").read_text(encoding="utf-8") == "c\n"


def test_too_far_back_is_a_mistake(run):
    with pytest.raises(InputError, match="latest~1: reports holds only 0 earlier runs"):
        judgekit.load_run("latest~1")


def test_a_run_that_was_killed_is_not_counted(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")
    for name in ("a", "b", "c"):
        project.score(run_id=name)
    Path("reports/b/summary.json").unlink()

    assert judgekit.load_run("latest~1").path.name == "a"
    with pytest.raises(InputError, match=r"reports/b: the run was not finished: it has no summary\.json"):
        judgekit.load_run("b")


def test_an_unknown_run_names_the_newest(run):
    with pytest.raises(InputError, match='no run "two"; newest in reports: one'):
        judgekit.load_run("two")


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("summary.json", b"{", "summary.json: is damaged"),
        ("summary.json", b"[]", "summary.json: is damaged: an object is wanted"),
        ("summary.json", b"{}", "summary.json: is damaged: run_id, decision"),
        ("summary.json", b"[" * 100_000, "summary.json: is damaged"),
        ("manifest.json", b"{}", "manifest.json: is damaged: cases, suites is missing"),
        ("results.csv", b"", "results.csv: is damaged: it holds no table"),
        ("results.csv", b"\xff\xfe\x00", "results.csv: is damaged"),
        ("results.csv", b"run_id,case_id\none,a\n", "results.csv: is damaged: there is no column 'agent'"),
        ("results.csv", None, "results.csv: no such file; the run folder is not whole"),
        ("cases.csv", None, "cases.csv: no such file; the run folder is not whole"),
        ("outputs.jsonl", b"{}\nx\n{}\n", "outputs.jsonl: is damaged: a line is not JSON"),
        ("outputs.jsonl", b"[1]\n", "outputs.jsonl: is damaged: a line is no object"),
        ("verdicts.jsonl", b"[" * 100_000 + b"\n", "verdicts.jsonl: is damaged: a line is not JSON"),
        ("outputs.jsonl", b"{}\n", "outputs.jsonl: is damaged: a record lacks case_id"),
        ("outputs.jsonl", b'{"case_id": []}\n', "outputs.jsonl: is damaged: the case_id of a record is no text"),
        (
            "checks.jsonl",
            b'{"case_id": "a", "variant": "v", "trial": 0}\n',
            "checks.jsonl: is damaged: a record lacks metric",
        ),
        ("verdicts.jsonl", b'{"case_id": "a"}\n', "verdicts.jsonl: is damaged: a record lacks variant"),
        ("outputs.jsonl", None, "outputs.jsonl: no such file; the run folder is not whole"),
        ("checks.jsonl", None, "checks.jsonl: no such file; the run folder is not whole"),
        ("verdicts.jsonl", None, "verdicts.jsonl: no such file; the run folder is not whole"),
        ("checks.jsonl", b"", "checks.jsonl: is damaged: it holds no records"),
        ("outputs.jsonl", b"\x89PNG\x00\xff", "outputs.jsonl: is damaged: it holds no JSON lines"),
        ("checks.jsonl", b"\x89PNG\n\xff\n", "checks.jsonl:1: not UTF-8"),
        ("checks.jsonl", b"\x00\n", "checks.jsonl: is damaged: a line is not JSON"),
    ],
)
def test_a_damaged_folder_says_which_file(run, file, content, said):
    if content is None:
        (run.path / file).unlink()
    else:
        (run.path / file).write_bytes(content)

    with pytest.raises(InputError, match=re.escape(said)):
        judgekit.load_run("one")


def test_a_run_without_a_judge_needs_no_verdicts(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")
    run = project.score(run_id="one")

    assert not (run.path / "verdicts.jsonl").exists()
    assert judgekit.load_run("one").data.verdicts == []


def test_a_last_line_that_was_cut_off_is_left_out(run):
    with (run.path / "outputs.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"case_id": "ha')

    assert len(judgekit.load_run("one").data.outputs) == 5


# ------------------------------------------------------------------------------------------------------- manifest

RUBRIC = "name: mine\nquestion: {question}\nscale: {{min: 1, max: 5}}\ntemplate: t.j2\n"
CASES = """
suite: s
cases:
  - {{id: a, input: {input}, output: x, expect: {{contains: [{first}]}}, rubrics: [mine]}}
  - {{id: b, input: Q?, output: y, expect: {{contains: [{second}]}}}}
"""


@pytest.fixture
def manifest(project):
    def made(*, question="Good?", template="Rate {{ output }}.", input="Q?", first="x", second="y") -> dict[str, Any]:
        project.write("rubrics/mine.yaml", RUBRIC.format(question=question))
        project.write("rubrics/t.j2", template)
        project.scenario(CASES.format(input=input, first=first, second=second))
        return project.score().data.manifest

    return made


def hashes(manifest: dict[str, Any]) -> dict[str, str]:
    return {name: entry["hash"] for group in ("cases", "metrics") for name, entry in manifest[group].items()}


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        ({}, set()),
        ({"input": "Q2?"}, {"a"}),
        ({"question": "Better?"}, {"mine"}),
        ({"template": "Please rate {{ output }}."}, {"mine"}),
        ({"first": "z"}, {"contains"}),
        # The second case asks something else under the same name.
        ({"second": "z"}, {"contains"}),
    ],
)
def test_a_hash_changes_with_what_it_stands_for_and_with_nothing_else(manifest, change, changed):
    before = hashes(manifest())

    after = hashes(manifest(**change))

    assert {name for name in before if before[name] != after[name]} == changed


def test_the_manifest_says_how_the_run_was_made(run):
    manifest = json.loads((run.path / "manifest.json").read_text(encoding="utf-8"))

    assert set(manifest["versions"]) >= {"judgekit", "python"}
    assert manifest["command"] == "judgekit.score"
    assert manifest["seed"] == 0
    (judge,) = manifest["judges"]
    assert judge["params_requested"] == {"temperature": 0, "seed": 0}
    assert judge["models_returned"] == ["faux"]
    assert re.fullmatch(r"[0-9a-f]{12}", judge["identity"])


def test_the_manifest_holds_the_prompt_of_each_variant(project):
    project.write("p/v1.j2", "Answer: {{ input }}")
    project.write("p/v2.j2", "Answer briefly: {{ input }}")
    project.scenario("name: a\ninput: Q?\nexpect: {contains: [x]}\nfaux: [x, x]")

    prompts = project.score(variants={"v1": "p/v1.j2", "v2": "p/v2.j2"}).data.manifest["prompts"]

    assert [(one["variant"], one["prompt"], one["model"]) for one in prompts] == [
        ("v1", "p/v1.j2", "faux"),
        ("v2", "p/v2.j2", "faux"),
    ]
    assert prompts[0]["hash"] != prompts[1]["hash"]
    assert prompts[0]["params_requested"] == {"temperature": 0, "seed": 0}


# --------------------------------------------------------------------------------------------------- hostile content

HOSTILE = [
    "nul \0 inside",
    "\u202eright to left",
    "line\r\nends\rof all\nkinds",
    "‘=1+1",
    "'=1+1",
    "\t=1+1",
    '"quoted, and" cut',
    "x" * 100_000,
    "🎉",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_outputs_come_back_as_they_were(project, text):
    project.write("o.jsonl", [{"case_id": "a", "input": text, "output": text}])

    run = project.score(outputs="o.jsonl", rubrics=["source_coverage"], run_id="one")

    assert project.records(run, "outputs")[0]["output"] == text
    assert judgekit.load_run("one").cases["output"][0] == text


def test_a_lone_surrogate_costs_no_run(project):
    (project.folder / "o.jsonl").write_text('{"case_id": "a", "input": "\\ud800", "output": "\\ud800x"}\n')

    run = project.score(outputs="o.jsonl", rubrics=["source_coverage"], run_id="one")

    assert run.decision.exit_code == 0
    assert len(judgekit.load_run("one").cases) == 1
