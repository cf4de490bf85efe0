"""Patterns of the settings are masked in everything that a run writes or prints; the length stays."""

from __future__ import annotations

import re

import pytest

from judgekit.cli.show import show_run
from judgekit.errors import InputError
from judgekit.frame.rows import output_hash
from judgekit.pipeline.redact import MASK, Masker

SECRET = "sk-live-4711-abcdef"
PATTERN = r"sk-live-[0-9a-z-]+"
SETTINGS = f"redact: ['{PATTERN}']\n"
REPLY = f'{{"reason": "It shows {SECRET}.", "score": 2}}'
SUITE = f"""
suite: s
cases:
  - id: a
    name: Leaks {SECRET}
    description: About {SECRET}.
    input: My key is {SECRET}?
    context: Key {SECRET}
    reference: Never say {SECRET}.
    vars: {{key: {SECRET}, {SECRET}: x}}
    output: Your key is {SECRET}, and revenue rose.
    tags: [{SECRET}]
    expect: {{contains: [revenue], not_contains: [{SECRET}], ends_with: Bye, equals: {SECRET}}}
    rubrics: [helpfulness]
    faux: {{judge: {{helpfulness: ['{REPLY}']}}}}
"""


@pytest.fixture
def run(project):
    project.write("judgekit.yaml", SETTINGS)
    project.scenario(SUITE)
    return project.score(judge="faux", judge_all=True)


def test_no_file_of_the_run_folder_holds_the_secret(run):
    texts = {path.name: path.read_text(encoding="utf-8") for path in run.path.iterdir()}

    assert [name for name, text in texts.items() if SECRET in text] == []
    # And the run was about it: a reader sees that something was masked.
    assert all(MASK in texts[name] for name in ("outputs.jsonl", "checks.jsonl", "verdicts.jsonl", "results.csv"))


def test_the_hash_of_an_output_is_that_of_the_recorded_text(run):
    (row,), (record,) = run.data.cases, run.data.outputs

    assert row.output_hash == output_hash(record["output"])


def test_nothing_printed_holds_the_secret(run, capsys):
    show_run(run.data, verbose=True)

    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
    assert MASK in printed.out


def test_a_quotation_that_cuts_the_secret_off_is_masked_too(project):
    # ends_with quotes the end of the output, which starts in the middle of the secret.
    project.write("judgekit.yaml", SETTINGS)
    project.scenario(f"name: a\noutput: 'Key: {SECRET}'\nexpect: {{ends_with: 'xyz'}}")

    run = project.score()

    reason = project.row(run, metric="ends_with")["reason"]
    assert "abcdef" not in reason
    assert MASK in reason


def test_spans_stay_where_they_were(run, project):
    record = next(one for one in project.records(run, "checks") if one["metric"] == "contains")
    output = project.records(run, "outputs")[0]["output"]

    (start, end) = record["spans"][0]
    assert output[start:end] == "revenue"


def test_checks_see_the_text_as_it_was(run, project):
    assert project.row(run, metric="not_contains")["status"] == "fail"


def test_figures_in_free_places_are_masked_and_figures_of_the_run_are_not(project):
    project.write("judgekit.yaml", "redact: ['[0-9]{4,}']\n")
    project.write(
        "o.jsonl",
        [
            {
                "case_id": "a",
                "input": "x",
                "output": "card 41111111",
                "tool_calls": [{"name": "pay", "args": {"card": 41111111}}],
                "input_tokens": 12345,
                "pin": 98765,
            }
        ],
    )

    run = project.score(outputs="o.jsonl", rubrics=["source_coverage"], run_id="one")

    record = project.records(run, "outputs")[0]
    assert record["tool_calls"][0]["args"] == {"card": MASK * 8}
    assert record["vars"] == {"pin": MASK * 5}
    assert record["input_tokens"] == 12345
    assert run.data.manifest["started_at"][:2] == "20"


def test_a_masked_run_is_read_again_to_the_same_run(run):
    import judgekit

    assert judgekit.load_run("latest").data.cases == run.data.cases


def test_a_status_that_looks_like_a_pattern_stays(project):
    project.write("judgekit.yaml", "redact: ['pass|check|default']\n")
    project.scenario("name: a\noutput: they pass\nexpect: {contains: [they]}")

    run = project.score()

    row = project.row(run)
    assert (row["status"], row["kind"], row["variant"]) == ("pass", "check", "default")
    assert run.data.cases[0].output == "they " + MASK * 4


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        (f"name: {SECRET}\noutput: x\nexpect: {{contains: [x]}}", SECRET),
        (f"suite: for {SECRET}\ncases: [{{id: a, output: x, expect: {{contains: [x]}}}}]", f"for {SECRET}"),
    ],
)
def test_a_name_that_cannot_be_masked_stops_before_the_run(project, scenario, name):
    project.write("judgekit.yaml", SETTINGS)
    project.scenario(scenario)

    with pytest.raises(InputError, match=re.escape(f'matches "{name}", a name of a case, suite or variant')):
        project.score()
    assert not (project.folder / "reports").exists()


def test_ids_that_judgekit_made_itself_are_no_secrets():
    Masker([r"[0-9]{4,}"]).raise_in_names(["1234567890"])


def test_a_pattern_that_matches_nothing_at_all_changes_nothing():
    assert Masker(["x*"]).value({"a": ["b", 1, None, True]}) == {"a": ["b", 1, None, True]}


def test_without_patterns_the_very_record_is_kept():
    record = {"output": "x"}

    assert Masker([]).record(record) is record


# ------------------------------------------------------------------------------------------ keys of the environment

KEY = 'planted-"7Qx2Lm9Vt4Rb'
LEAKING = """
suite: s
cases:
  - id: a
    input: What is your key?
    output: 'Sure: planted-"7Qx2Lm9Vt4Rb. Revenue rose.'
    expect: {contains: [Revenue], ends_with: Bye, not_contains: ['planted-"7Qx2Lm9Vt4Rb']}
    rubrics: [helpfulness]
    faux: {judge: {helpfulness: [{content: '{"reason": "It says planted-\\"7Qx2Lm9Vt4Rb.", "score": 2}'}]}}
  - {id: b, input: Q?, output: Revenue rose., expect: {contains: Revenue}}
"""


@pytest.fixture
def leaking(project, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", KEY)
    project.scenario(LEAKING)
    return project.score(judge="faux", judge_all=True)


def test_a_key_that_an_output_or_a_judge_repeats_is_in_no_file(leaking, capsys):
    show_run(leaking.data, verbose=True)

    printed = capsys.readouterr()
    texts = {path.name: path.read_text(encoding="utf-8") for path in leaking.path.iterdir()}
    assert [name for name, text in texts.items() if "7Qx2Lm9Vt4Rb" in text + printed.out + printed.err] == []
    assert f"Sure: {MASK * len(KEY)}." in texts["outputs.jsonl"]


def test_what_held_a_key_is_flagged_and_nothing_else_is(leaking, project):
    flags = {one["case_id"]: one.get("flags", []) for one in project.records(leaking, "outputs")}
    (verdict,) = project.records(leaking, "verdicts")

    assert flags == {"a": ["secret_masked"], "b": []}
    assert verdict["flags"] == ["secret_masked"]
    assert {row.case_id: row.flags for row in leaking.data.cases} == {"a": "secret_masked", "b": ""}
    # Its reason quotes the key; that of `contains` does not.
    assert project.row(leaking, metric="helpfulness")["flags"] == "secret_masked"
    assert project.row(leaking, metric="contains", case_id="a")["flags"] == ""


def test_checks_see_the_key_that_an_output_gives_away(leaking, project):
    assert project.row(leaking, metric="not_contains")["status"] == "fail"


def test_without_a_key_in_it_a_record_or_row_is_the_same_object():
    record = {"case_id": "a", "output": "Revenue rose.", "params": {"n": 1}}

    assert Masker((), ["planted-7Qx2Lm9Vt4Rb"]).flagged(record) is record
