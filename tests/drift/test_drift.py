"""Live outputs against the declared format: which leave it, and which a rubric reads blindly."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from judgekit.config import load_project
from judgekit.errors import InputError
from judgekit.release.drift import find_drift

GOOD = json.dumps({"triples": [{"subject": "Ada", "predicate": "wrote", "object": "notes", "source": "p. 4"}]})
FIXTURES = "cases:\n  - {id: f, input: Q., output: A.}\n"


def test_outputs_that_meet_the_format_do_not_drift(drift):
    [one] = drift(GOOD, f"```json\n{GOOD}\n```", f"Facts: {GOOD}").agents

    assert (one.n_total, one.n_outputs, one.n_conforming, one.n_drifting, one.mistakes) == (3, 3, 3, 0, ())


def test_mistakes_are_counted_by_kind_with_examples_and_the_most_frequent_first(drift):
    renamed = GOOD.replace('"source"', '"sources"')
    [one] = drift(GOOD, '{"facts": []}', renamed, renamed).agents

    assert [(kind.kind, kind.n) for kind in one.mistakes] == [
        ('$.triples[*] lacks "source"', 2),
        ('$ lacks "triples"', 1),
    ]
    assert [(shown.case_id, shown.line) for shown in one.mistakes[0].examples] == [("r2", 3), ("r3", 4)]


def test_an_output_counts_once_for_a_kind_that_it_shows_often(drift):
    [one] = drift(json.dumps({"triples": ["a", "b", "c"]})).agents

    assert [(kind.kind, kind.n) for kind in one.mistakes] == [("$.triples[*] is of type string", 1)]
    assert one.mistakes[0].examples[0].said == '$.triples[0] is "a" (string), wanted object'


def test_of_many_examples_three_are_kept(drift):
    [one] = drift(*["No facts."] * 9).agents

    assert (one.mistakes[0].n, len(one.mistakes[0].examples)) == (9, 3)


@pytest.mark.parametrize("text", ["", "  \n", "Dear reader, no JSON.", '{"triples": [', "\x00", "{" * 9000])
def test_empty_and_unreadable_outputs_drift_and_are_read_blindly(drift, text):
    [one] = drift(text).agents

    assert (one.n_conforming, one.n_drifting, one.readings[0].n_off_format) == (0, 1, 1)


# ------------------------------------------------------------------------------------------------------ read blindly


def test_a_score_without_the_format_is_blind_and_told_if_it_would_pass(drift):
    # A number as subject breaks the format, and the one triple has a source: 1/1 reaches 0.7.
    [one] = drift(GOOD.replace('"Ada"', "7")).agents

    [reading] = one.readings
    assert (reading.n_scored, reading.n_off_format, reading.n_nothing, reading.n_passing) == (1, 1, 0, 1)


def test_nothing_to_count_within_the_format_is_blind(drift):
    [one] = drift(GOOD, '{"triples": []}').agents

    [reading] = one.readings
    assert (one.n_conforming, reading.n_off_format, reading.n_nothing, one.n_drifting) == (2, 0, 1, 1)
    assert reading.examples[0].case_id == "r1"


def test_a_low_score_that_rests_on_the_format_is_not_blind(drift):
    [one] = drift(GOOD.replace('"p. 4"', '""')).agents

    assert (one.n_conforming, one.readings[0].n_scored, one.readings[0].n_blind) == (1, 1, 0)


def test_a_rubric_that_reads_an_older_format_reads_every_output_blindly(drift, folder):
    # What the drift check is for: agent and format moved on together, the rubric did not.
    (folder / "rubrics" / "formats").mkdir(parents=True)
    (folder / "rubrics" / "formats" / "scarlet.yaml").write_text(
        "name: scarlet\nversion: 1\njson_schema: {required: [facts]}\n", encoding="utf-8"
    )

    [one] = drift('{"facts": [{"what": "Ada wrote notes", "where": "p. 4"}]}').agents

    assert (one.n_conforming, one.readings[0].n_nothing, one.n_drifting) == (1, 1, 1)


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ("rubric: filter_accuracy, format: ayana/1", '{"keep": [], "drop": ["unknown"]}'),
        ("rubric: grounding_score, format: eliza/1", '{"claims": []}'),
        ("rubric: grounding_score, format: eliza/1", "Shall I go on?"),
    ],
)
def test_each_shipped_rubric_says_when_it_counts_nothing(drift, folder, settings, text):
    (folder / "judgekit.yaml").write_text(
        f"agents:\n  scarlet: {{{settings}, threshold: 0.7, fixtures: scarlet.yaml}}\n", encoding="utf-8"
    )
    evidence = "vars: {items: [{id: a, label: keep}], triples: [{subject: A, predicate: b, object: c}]}"
    (folder / "scarlet.yaml").write_text(f"cases:\n  - {{id: r0, input: Q., {evidence}}}\n", encoding="utf-8")

    [one] = drift(text).agents

    assert (one.n_conforming, one.readings[0].n_nothing) == (1, 1)


def test_what_a_rubric_cannot_score_is_told_apart(drift, folder):
    (folder / "judgekit.yaml").write_text(
        "agents:\n  ayana: {rubric: filter_accuracy, threshold: 0.7, format: ayana/1, fixtures: ayana.yaml}\n",
        encoding="utf-8",
    )
    (folder / "ayana.yaml").write_text(
        "cases:\n  - {id: known, input: Q., vars: {items: [{id: a, label: keep}]}}\n", encoding="utf-8"
    )

    kept = '{"keep": ["a"], "drop": []}'
    [one] = drift({"case_id": "known", "output": kept}, {"case_id": "live", "output": kept}).agents

    assert (one.n_conforming, one.readings[0].n_scored) == (2, 1)
    assert "vars.items" in one.readings[0].unscored


def test_the_rubric_reads_with_the_options_that_the_fixtures_give(drift, folder):
    (folder / "judgekit.yaml").write_text(
        "agents:\n  reagan: {rubric: review_completeness, threshold: 1, format: brief/1, fixtures: reagan.yaml}\n",
        encoding="utf-8",
    )
    (folder / "reagan.yaml").write_text(
        "defaults: {rubrics: [{name: review_completeness, sections: [Risks]}]}\n" + FIXTURES, encoding="utf-8"
    )
    (folder / "rubrics" / "formats").mkdir(parents=True)
    (folder / "rubrics" / "formats" / "brief.yaml").write_text("name: brief\nversion: 1\nsections: [Risks]\n")

    [one] = drift("## Risks\nFog.").agents

    assert (one.n_conforming, one.readings[0].n_blind) == (1, 0)


# ----------------------------------------------------------------------------------------------------- whose rows


def test_a_column_agent_says_whose_a_row_is(drift, three_agents):
    rows = [{"case_id": name, "output": GOOD, "agent": name} for name in ("scarlet", "reagan", "plain")]

    assert [(one.agent, one.n_total) for one in drift(*rows).agents] == [("scarlet", 1), ("reagan", 1)]


def test_an_agent_that_is_named_gets_the_rows_of_no_other(drift, three_agents):
    rows = [{"case_id": "a", "output": GOOD}, {"case_id": "b", "output": GOOD, "agent": "reagan"}]

    assert [(one.agent, one.n_total) for one in drift(*rows, agent="scarlet").agents] == [("scarlet", 1)]


def test_a_row_of_a_fixtures_id_is_its_agents(drift, three_agents):
    assert [one.agent for one in drift({"case_id": "reagan-fixture", "output": "A."}).agents] == ["reagan"]


def test_rows_of_nobody_are_told_once_with_how_to_mend_it(drift, three_agents):
    with pytest.raises(InputError) as caught:
        drift(GOOD, GOOD, GOOD)

    assert str(caught.value) == (
        'live.jsonl:1: whose output is "r0"? Name the agent, as in `judgekit drift scarlet --outputs FILE`, '
        "or give a column `agent`. So it is with 2 more rows."
    )


def test_an_unknown_agent_in_a_row_is_told_with_its_line(drift, three_agents):
    with pytest.raises(InputError, match=r'live\.jsonl:2: there is no agent "scarlett"\. Did you mean "scarlet"\?'):
        drift(
            {"case_id": "a", "output": GOOD, "agent": "scarlet"}, {"case_id": "b", "output": GOOD, "agent": "scarlett"}
        )


@pytest.mark.parametrize(
    ("agent", "told"),
    [("plain", 'the agent "plain" declares no `format`'), ("scarlett", 'unknown agent "scarlett". Did you mean')],
)
def test_an_agent_that_cannot_be_compared_is_told(drift, three_agents, agent, told):
    with pytest.raises(InputError) as caught:
        drift(GOOD, agent=agent)

    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("agents: {}\n", "no agents"),
        ("agents:\n  plain: {rubric: source_coverage, threshold: 0.7, fixtures: plain.yaml}\n", "no agent declares a"),
    ],
)
def test_settings_without_a_format_leave_nothing_to_compare_with(drift, folder, settings, told):
    (folder / "judgekit.yaml").write_text(settings, encoding="utf-8")

    with pytest.raises(InputError, match=told):
        drift(GOOD)


# ------------------------------------------------------------------------------------------------ verdict and tolerance


@pytest.mark.parametrize(
    ("tolerated", "code"),
    [(0, 1), (1, 1), (2, 0), (Fraction(49, 100), 1), (Fraction(1, 2), 0)],
)
def test_two_drifting_rows_of_four_need_a_tolerance_of_two_or_of_a_half(drift, tolerated, code):
    assert drift(GOOD, GOOD, "No.", "No.", tolerated=tolerated).exit_code == code


def test_rows_without_an_output_leave_it_undecided(drift):
    found = drift(GOOD, {"case_id": "failed", "output": None, "cause": "timeout"})

    assert (found.exit_code, found.agents[0].n_total, found.agents[0].n_outputs) == (3, 2, 1)


def test_rows_without_an_output_that_a_tolerance_covers_decide_nothing(drift):
    assert drift(GOOD, {"case_id": "failed", "output": None}, tolerated=1).exit_code == 0


def test_drift_wins_over_undecided(drift):
    assert drift("No.", {"case_id": "failed", "output": None}).exit_code == 1


# ------------------------------------------------------------------------------------------------------- outputs files


def test_a_file_in_another_encoding_is_told_with_its_line(folder):
    (folder / "live.jsonl").write_bytes(b'{"case_id": "a", "output": "A."}\n{"case_id": "b", "output": "\xe4"}\n')

    with pytest.raises(InputError, match=r"live\.jsonl:2: not UTF-8"):
        find_drift(load_project(), Path("live.jsonl"))


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("live.jsonl", '{"case_id": "a", "output": "A."}\n{"case_id"\n', "live.jsonl:2: line 2 is not valid JSON"),
        ("live.jsonl", '{"case_id": "a"}\n', "live.jsonl: there is no column `output`"),
        ("live.jsonl", "", "live.jsonl: holds no outputs"),
        ("live.csv", "case_id,output\na,b,c\n", "live.csv:2: line 2 has 3 cells"),
        ("live.txt", "A.", 'not in ".txt"'),
    ],
)
def test_a_broken_outputs_file_is_told_with_its_line(folder, name, text, told):
    (folder / name).write_text(text, encoding="utf-8")

    with pytest.raises(InputError) as caught:
        find_drift(load_project(), Path(name))

    assert told in str(caught.value)


def test_a_csv_file_with_other_columns_is_read_with_a_map(folder):
    quoted = GOOD.replace('"', '""')
    (folder / "live.csv").write_text(f'question,answer\nWho?,"{quoted}"\n', encoding="utf-8")

    found = find_drift(load_project(), Path("live.csv"), columns=("input=question", "output=answer"))

    assert found.agents[0].n_conforming == 1


def test_a_folder_holds_a_file_an_output(folder):
    (folder / "live").mkdir()
    (folder / "live" / "scarlet-fixture.md").write_text('{"facts": []}', encoding="utf-8")
    (folder / "live" / "more.jsonl").write_text('{"case_id": "r1", "output": "{}"}\n', encoding="utf-8")
    [one] = find_drift(load_project(), Path("live")).agents

    assert (one.n_total, one.n_drifting) == (2, 2)
    assert {(example.file, example.line) for kind in one.mistakes for example in kind.examples} == {
        ("live/scarlet-fixture.md", 0),
        ("live/more.jsonl", 1),
    }
