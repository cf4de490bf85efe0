"""What is wrong with registry, fixtures, outputs and arguments: exit code 2, file and line, and nothing written."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import judgekit
from judgekit.errors import InputError

GOOD, BAD = [Fraction(9, 10)] * 8, [Fraction(1, 2)] * 4


def refused(gate, *arguments) -> str:
    """What is said on stderr when the gate can't begin."""
    done = gate(*arguments)
    assert (done.code, done.out) == (2, "")
    return done.err.removeprefix("error: ").strip()


def test_without_agents_nothing_is_green(place, gate):
    assert refused(gate).startswith("judgekit.yaml: no agents: give the settings `agents:")


def test_an_empty_mapping_of_agents_has_its_line(place, gate):
    place.write("judgekit.yaml", "out: runs\nagents: {}\n")

    assert refused(gate).startswith("judgekit.yaml:2: no agents: give the settings `agents:")


def test_an_agent_without_fixtures_is_refused(place, gate):
    place.write("judgekit.yaml", "agents:\n  f:\n    rubric: filter_accuracy\n    threshold: 0.8\n")

    assert refused(gate).startswith('judgekit.yaml:2: agent "f": has no fixtures: list scenario files')


def test_an_agent_whose_files_hold_no_case_of_its_own_is_refused(shipped, gate):
    shipped.change("judgekit.yaml", "    fixtures: scenarios/agents/review_completeness.yaml", "    fixtures: own.yaml")
    shipped.write("own.yaml", "id: a\nagent: reagan\nexpect: none\noutput: x\n")

    assert refused(gate, "reagan") == (
        'judgekit.yaml:17: agent "reagan" has no fixtures: no case of the files that it lists is its own.'
    )


def test_a_fixture_file_that_is_missing_is_named_where_it_is_listed(shipped, gate):
    shipped.change("judgekit.yaml", "filter_accuracy.yaml", "filter.yaml")

    assert refused(gate) == (
        'judgekit.yaml:9: agent "ayana": fixtures: scenarios/agents/filter.yaml: no such file or folder.'
    )


@pytest.mark.parametrize("path", ['""', '"  "'])
def test_an_empty_path_is_not_the_whole_folder(shipped, gate, path):
    shipped.change("judgekit.yaml", "scenarios/agents/filter_accuracy.yaml", path)

    assert refused(gate) == 'judgekit.yaml:9: agent "ayana": fixtures: a path is empty.'


def test_a_fixture_file_that_is_not_utf8_is_told_with_its_line(shipped, gate):
    path = shipped.folder / "scenarios/agents/filter_accuracy.yaml"
    path.write_bytes(path.read_bytes().replace("°C".encode(), b"\xb0C"))

    assert "scenarios/agents/filter_accuracy.yaml:" in refused(gate)
    assert "not UTF-8 (byte 0xb0)" in refused(gate)


def test_an_unknown_rubric_has_file_line_and_a_hint(shipped, gate):
    shipped.change("judgekit.yaml", "rubric: grounding_score", "rubric: grounding_scor")

    said = refused(gate)
    assert said.startswith('judgekit.yaml:11: agent "eliza": unknown rubric "grounding_scor".')
    assert 'Did you mean "grounding_score"?' in said


def test_a_rubric_that_a_model_scores_is_refused(shipped, gate):
    shipped.change("judgekit.yaml", "rubric: grounding_score", "rubric: helpfulness")

    assert refused(gate).startswith(
        'judgekit.yaml:11: agent "eliza": rubric "helpfulness" is scored by a model; the release gate takes '
    )


def test_an_unknown_agent_is_refused_with_a_hint(shipped, gate):
    said = refused(gate, "scarlett")

    assert said.startswith('unknown agent "scarlett". Did you mean "scarlet"?')
    assert "judgekit.yaml has scarlet, ayana, eliza, reagan." in said


@pytest.mark.parametrize("threshold", ["1.01", "-0.5", "70%"])
def test_a_threshold_outside_0_to_1_is_refused(shipped, gate, threshold):
    shipped.change(
        "judgekit.yaml",
        "threshold: 0.70\n    fixtures: scenarios/agents/g",
        f"threshold: {threshold}\n    fixtures: scenarios/agents/g",
    )

    assert refused(gate).startswith('judgekit.yaml:12: "agents.eliza.threshold" must')


def test_an_agent_given_twice_is_refused(shipped, gate):
    shipped.change("judgekit.yaml", "  reagan:", "  scarlet:")

    assert refused(gate).startswith("judgekit.yaml:14: ")


def test_a_rubric_given_twice_is_refused(place, gate):
    place.agent(GOOD, BAD)
    place.write(
        "judgekit.yaml",
        "agents:\n  f:\n    fixtures: fixtures.yaml\n    rubrics:\n"
        "      filter_accuracy: 0.8\n      filter_accuracy: 0.9\n",
    )

    assert refused(gate).startswith("judgekit.yaml:6: ")


def test_a_case_id_given_twice_is_refused_over_the_files_of_all_agents(shipped, gate):
    shipped.change("scenarios/agents/review_completeness.yaml", "id: reagan-dental-chain", "id: ayana-grant-letters")

    assert 'duplicate case id "ayana-grant-letters"' in refused(gate)


def test_a_fixture_of_an_agent_that_the_registry_lacks_is_refused(shipped, gate):
    shipped.change("scenarios/agents/review_completeness.yaml", "  agent: reagan", "  agent: regan")

    first = refused(gate).split("\n")[0]
    assert first.startswith("scenarios/agents/review_completeness.yaml:8: ")
    assert 'case "reagan-battery-recycler" is of the agent "regan", which the registry in judgekit.yaml lacks.' in first
    assert 'Did you mean "reagan"?' in first


def test_a_fixture_of_an_agent_that_does_not_list_its_file_is_refused(shipped, gate):
    shipped.change("scenarios/agents/review_completeness.yaml", "  agent: reagan", "  agent: eliza")

    assert 'is of the agent "eliza", whose `fixtures` do not list this file.' in refused(gate)


def test_a_fixture_that_names_no_agent_is_that_of_the_list(shipped):
    shipped.change("scenarios/agents/review_completeness.yaml", "  agent: reagan\n", "")

    assert shipped.check("reagan").passed


def test_a_fixture_without_agent_in_a_file_of_two_is_refused(shipped, gate):
    shipped.change(
        "judgekit.yaml", "scenarios/agents/filter_accuracy.yaml", "scenarios/agents/review_completeness.yaml"
    )
    shipped.change("scenarios/agents/review_completeness.yaml", "  agent: reagan\n", "")

    assert "names no `agent`, and its file is listed by ayana and reagan." in refused(gate)


def test_one_folder_may_hold_the_fixtures_of_all(shipped):
    for name in ("source_coverage", "filter_accuracy", "grounding_score", "review_completeness"):
        shipped.change("judgekit.yaml", f"scenarios/agents/{name}.yaml", "scenarios/agents")

    assert shipped.check().passed
    assert [one.n_golden for one in shipped.check("eliza").agents] == [8]


@pytest.mark.parametrize("defect", ['""', '"  "', "…"])
def test_a_defect_that_says_nothing_is_refused(shipped, gate, defect):
    shipped.change("scenarios/agents/source_coverage.yaml", "defect: not an object", f"defect: {defect}")

    assert refused(gate).startswith('scenarios/agents/source_coverage.yaml:202: "defect" must say what is wrong')


def test_an_empty_list_of_required_sections_is_refused(shipped, gate):
    shipped.change(
        "scenarios/agents/review_completeness.yaml",
        "rubrics: [review_completeness]",
        "rubrics: [{name: review_completeness, sections: []}]",
    )

    assert refused(gate) == ('scenarios/agents/review_completeness.yaml:6: "sections" must name at least one section.')


def test_an_empty_list_of_labelled_items_is_refused(place, gate):
    place.agent(GOOD, BAD)
    text = json.loads((place.folder / "fixtures.yaml").read_text(encoding="utf-8"))
    text["cases"][3]["vars"]["items"] = []
    place.write("fixtures.yaml", json.dumps(text, indent=1))

    said = refused(gate)
    assert said.startswith("fixtures.yaml:")
    assert 'case "g3" can\'t be scored by filter_accuracy: vars.items must be a list of {id, label}' in said


def test_an_outputs_file_of_a_suite_that_is_missing_is_named(place, gate):
    place.agent(GOOD, BAD)
    place.change("fixtures.yaml", '"suite": "f",', '"suite": "f", "outputs": "gone.jsonl",')

    assert refused(gate) == "fixtures.yaml:2: outputs: gone.jsonl: no such outputs file."


def recorded_in_a_file(place, names) -> None:
    """Fixtures with good outputs of their own, and an outputs file that comes before them."""
    place.agent(GOOD, BAD)
    place.change("fixtures.yaml", '"suite": "f",', '"suite": "f", "outputs": "rec.jsonl",')
    rows = [{"case_id": name, "output": "garbage"} for name in names]
    place.write("rec.jsonl", "".join(json.dumps(row) + "\n" for row in rows))


def test_each_row_of_a_suites_outputs_file_that_names_no_case_of_it_is_refused(place, gate):
    recorded_in_a_file(place, [f"g{number}x" for number in range(8)])

    said = refused(gate).split("\n")
    assert said[0] == 'rec.jsonl:1: fixtures.yaml has no case "g0x". Did you mean "g0"?'
    assert [line.partition(": ")[0] for line in said] == [f"rec.jsonl:{number}" for number in range(1, 9)]


def test_rows_of_other_agents_in_a_suites_outputs_file_are_no_mistake(place):
    recorded_in_a_file(place, ["g0", "other"])
    place.change("fixtures.yaml", '"cases": [', '"cases": [{"id": "other", "agent": "e", "expect": "none"},')
    place.change("judgekit.yaml", '"agents": {', '"agents": {"e": {"rubric": "source_coverage", "threshold": 1},')

    # g0 holds garbage, the other seven 9/10.
    assert place.check("f").agents[0].score == Fraction(63, 80)


def test_live_outputs_that_are_missing_are_named(shipped, gate):
    assert refused(gate, "--outputs", "live.jsonl") == "--outputs live.jsonl: no such file or folder."


def test_an_empty_path_of_live_outputs_is_not_the_whole_folder(shipped, gate):
    assert refused(gate, "--outputs", "") == "a path is empty: is a variable of the shell not set?"


def test_a_renaming_without_live_outputs_is_refused(shipped, gate):
    assert refused(gate, "--map", "output=said") == "--map renames columns of live outputs: give --outputs DIR|FILE."


def test_live_outputs_that_are_not_utf8_are_told_with_their_line(shipped, gate):
    (shipped.folder / "live").mkdir()
    (shipped.folder / "live" / "reagan-dental-chain.md").write_bytes(b"# Recommendation\nBuy\xff\n")

    assert refused(gate, "--outputs", "live").startswith("live/reagan-dental-chain.md:2: not UTF-8 (byte 0xff)")


def test_a_live_output_that_names_no_fixture_is_refused(shipped, gate):
    shipped.write("live.jsonl", '{"case_id": "reagan-dental-chian", "output": "x"}\n')

    assert refused(gate, "--outputs", "live.jsonl") == (
        'live.jsonl:1: there is no fixture "reagan-dental-chian". Did you mean "reagan-dental-chain"?'
    )


def test_two_variants_of_live_outputs_are_refused(shipped, gate):
    rows = [{"case_id": "reagan-dental-chain", "variant": name, "output": "x"} for name in ("v1", "v2")]
    shipped.write("live.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    assert "The release gate scores one variant at a time." in refused(gate, "--outputs", "live.jsonl")


def test_live_outputs_of_other_agents_alone_are_nothing_to_decide_on(shipped, gate):
    shipped.write("live.jsonl", '{"case_id": "reagan-dental-chain", "output": "x"}\n')

    assert "holds no output for a golden fixture of ayana." in refused(gate, "ayana", "--outputs", "live.jsonl")


def test_an_empty_folder_of_live_outputs_is_refused(shipped, gate):
    (shipped.folder / "live").mkdir()

    assert refused(gate, "--outputs", "live") == "--outputs live: the folder holds no outputs."


@pytest.mark.parametrize("line", ["not json", "[]", "{}", '{"agent": 3}', '{"score": 2}'])
def test_a_broken_history_is_told_with_its_line_and_kept(shipped, gate, line):
    good = '{"time": "t", "run_id": "r", "agent": "ayana", "rubric": "filter_accuracy", "score": 0.9, "threshold": 0.8}'
    shipped.write("history.jsonl", f"{good}\n{line}\n")

    assert refused(gate, "--history", "history.jsonl").startswith("history.jsonl:2: no line of a history:")
    assert (shipped.folder / "history.jsonl").read_text(encoding="utf-8") == f"{good}\n{line}\n"


def test_a_history_in_a_folder_that_is_not_there_is_refused(shipped, gate):
    assert refused(gate, "--history", "no/history.jsonl") == "--history no/history.jsonl: there is no folder no."


def test_a_run_id_that_is_taken_is_refused_and_adds_nothing_to_the_history(shipped, gate):
    gate("--run-id", "r1")

    assert "r1 exists already" in refused(gate, "--run-id", "r1", "--history", "history.jsonl")
    assert not (shipped.folder / "history.jsonl").exists()


def test_a_run_id_that_is_taken_leaves_the_lock_as_it_was(shipped, gate):
    shipped.change("judgekit.yaml", "rubric: review_completeness", "rubric: review_completeness\n    format: reagan/1")
    gate("--run-id", "r1")

    assert "r1 exists already" in refused(gate, "--relock", "--run-id", "r1")
    assert not (shipped.folder / ".judgekit.lock").exists()
    assert gate("--relock", "--run-id", "r2").code == gate().code == 0


def test_the_summary_says_why_the_gate_could_not_run(shipped, gate):
    gate("scarlett", "--summary", "summary.md")

    text = (shipped.folder / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("<!-- judgekit:gate -->\n\n**judgekit could not run**")
    assert 'unknown agent "scarlett"' in text


def test_agent_score_refuses_an_unknown_agent(shipped):
    with pytest.raises(InputError, match='Did you mean "scarlet"'):
        judgekit.agent_score("scarlett")


def test_agent_score_refuses_a_fixture_without_an_output(place):
    place.agent(GOOD, BAD)
    text = (place.folder / "fixtures.yaml").read_text(encoding="utf-8")
    place.write("fixtures.yaml", text.replace('"output"', '"reference"', 1))

    with pytest.raises(InputError, match="g0 has no score: no output"):
        judgekit.agent_score("f")


def test_mistakes_in_pyproject_have_their_line_too(shipped, gate):
    (shipped.folder / "judgekit.yaml").unlink()
    shipped.write(
        "pyproject.toml",
        '[project]\nname = "x"\n\n[tool.judgekit.agents.reagan]\nrubric = "reviews"\nthreshold = 0.8\n'
        'fixtures = ["scenarios/agents/review_completeness.yaml"]\n',
    )

    assert refused(gate).startswith('pyproject.toml:5: agent "reagan": unknown rubric "reviews".')


def test_check_lints_the_registry(shipped, judgekit_check):
    shipped.change("judgekit.yaml", "filter_accuracy.yaml", "filter.yaml")

    done = judgekit_check()
    assert done.code == 2
    assert 'judgekit.yaml:9: agent "ayana": fixtures:' in done.err


def test_check_warns_of_a_fixture_with_a_threshold_of_its_own(shipped, judgekit_check):
    shipped.change(
        "scenarios/agents/filter_accuracy.yaml",
        "rubrics: [filter_accuracy]",
        "rubrics: [{name: filter_accuracy, pass_at: 0.75}]",
    )

    done = judgekit_check()
    assert done.code == 0
    said = "filter_accuracy passes at 0.75 in `score`, at 0.8 in the release gate"
    assert f'case "ayana-outage-tickets" of ayana: {said}' in done.err
