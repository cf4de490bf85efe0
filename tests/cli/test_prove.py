"""`judgekit prove` as a person and a pipeline meet it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from stub_server import reply

TIGHT = """
name: a
input: Summarize Q1 for Ada.
output: |
  ## Summary
  Revenue is 4.2M, says Ada Quist.
expect:
  equals: |
    ## Summary
    Revenue is 4.2M, says Ada Quist.
"""
LOOSE = (
    "name: a\ninput: What was the revenue?\noutput: Revenue is 4.2M in the first quarter.\nexpect: {min_length: 10}\n"
)


def proved(done):
    return json.loads(done.out)


def mutations(done):
    return [one["mutation"] for one in proved(done)["survivors"]]


def test_a_suite_that_fixes_every_letter_notices_every_mutant(cli, write):
    write("scenarios/a.yaml", TIGHT)

    found = proved(cli("prove", "--json"))

    assert found["kill_rate"]["rate"] == 1
    assert found["survivors"] == []


def test_a_suite_that_asks_for_length_alone_notices_only_that_there_is_nothing(cli, write):
    write("scenarios/a.yaml", LOOSE)

    done = cli("prove", "--json")

    assert (proved(done)["kill_rate"]["killed"], "empty" in mutations(done)) == (1, False)


def test_a_survivor_is_told_with_its_case_what_was_changed_and_what_would_notice_it(cli, write):
    write("scenarios/a.yaml", LOOSE)

    out = cli("prove").lines

    at = out.index("survived  a, swap_number: 4.2 became 5.2")
    assert out[at + 1] == "          nothing pins the figure 4.2: contains, json_fields, or numbers_from_input"


@pytest.mark.parametrize(
    ("scenario", "rule", "code", "said"),
    [
        (TIGHT, '">= 0.9"', 0, "gate passed: kill_rate >= 0.9: 1 ("),
        (LOOSE, '">= 0.9"', 1, "gate failed: kill_rate >= 0.9: 0."),
        (LOOSE, "5%", 0, "gate passed: kill_rate >= 5%: 0."),
    ],
)
def test_the_rule_kill_rate_decides_the_exit_code(cli, write, scenario, rule, code, said):
    write("scenarios/a.yaml", scenario)
    write("judgekit.yaml", f"gate: {{kill_rate: {rule}}}")

    done = cli("prove")

    assert done.code == code
    assert done.lines[-1].startswith(said)


def test_no_gate_only_reports_a_missed_rule(cli, write):
    write("scenarios/a.yaml", LOOSE)
    write("judgekit.yaml", 'gate: {kill_rate: ">= 0.9"}')

    assert cli("prove", "--no-gate").code == 0


def test_without_a_rule_nothing_fails(cli, write):
    write("scenarios/a.yaml", LOOSE)

    assert cli("prove").code == 0


def test_score_leaves_the_rule_to_prove_and_says_so(cli, passing, write):
    write("judgekit.yaml", 'gate: {kill_rate: ">= 0.9"}')

    done = cli("score")

    assert done.code == 0
    assert "the gate's kill_rate is decided by `judgekit prove`" in done.err


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("name: a\noutput: x\nexpect: {contains: [y]}\n", 'left out  a: its output does not pass: contains: "y" is'),
        (
            "name: a\nexpect: {contains: [y]}\n",
            "left out  a: there is no recorded output, `output`, faux script or golden",
        ),
    ],
)
def test_a_suite_without_a_good_output_is_undecided(cli, write, scenario, said):
    write("scenarios/a.yaml", scenario)

    done = cli("prove")

    assert done.code == 3
    assert said in done.out
    assert done.lines[-1] == "gate undecided: there is nothing to decide: no good output could be damaged"


def test_negative_fixtures_and_cases_without_expectation_are_not_damaged(cli, write):
    write(
        "scenarios/a.yaml",
        "suite: s\ncases:\n"
        "- {id: good, output: Yes it is., expect: {contains: [yes]}}\n"
        "- {id: bad, output: No., should_pass: false, expect: {contains: [yes]}}\n"
        "- {id: read, output: Yes., expect: none}\n",
    )

    assert proved(cli("prove", "--json"))["kill_rate"]["n_cases"] == 1


def test_a_golden_file_stands_in_where_a_model_would_have_to_be_asked(cli, write):
    write("scenarios/a.yaml", "name: a\ninput: Q?\ngolden: true\n")
    write("scenarios/a.golden.md", "Revenue is up.\n")
    write("judgekit.yaml", "model: gpt-4o")

    assert proved(cli("prove", "--json"))["kill_rate"]["rate"] == 1


def test_no_live_model_is_asked_for_an_output(cli, write, stub):
    write("scenarios/a.yaml", "name: a\ninput: Q?\nexpect: {contains: [x]}\n")
    write("judgekit.yaml", "model: openai/m")

    done = cli("prove", "--api-base", stub.url)

    assert (len(stub.asked), "nobody is asked for one" in done.out) == (0, True)


def test_the_outputs_of_a_run_serve(cli, write):
    write("scenarios/a.yaml", "name: a\ninput: Q?\nexpect: {contains: [x]}\n")
    write("outputs.jsonl", '{"case_id": "a", "output": "It is x."}\n')

    assert proved(cli("prove", "--outputs", "outputs.jsonl", "--json"))["kill_rate"]["n_cases"] == 1


# ------------------------------------------------------------------------------------------------------------ judges

JUDGED = """
name: a
input: What was the revenue?
output: Revenue is 4.2M in the first quarter.
expect: {min_length: 10}
rubrics: [{name: helpfulness, required: REQUIRED, pass_at: 4}]
"""


def knows_the_figure(asked):
    score = 5 if "Revenue is 4.2M in" in asked.text else 1
    return reply(json.dumps({"reason": "looked", "score": score}))


@pytest.mark.parametrize("required", [True, False])
def test_a_judge_is_asked_about_what_the_checks_let_through(cli, write, stub, monkeypatch, required):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", str(required).lower()))
    stub.rule = knows_the_figure

    found = proved(cli("prove", "--judge", "openai/m", "--api-base", stub.url, "--json"))

    judge = next(one for one in found["metrics"] if one["kind"] == "judge")
    # The empty output fails min_length, and the judge is not asked.
    assert judge["n"] == found["kill_rate"]["n"] - 1
    assert judge["killed"] >= 4
    assert found["kill_rate"]["killed"] == (judge["killed"] + 1 if required else 1)


def by_model(*sharp):
    """Judges of these names know the figure, and others find everything good."""

    def rule(asked):
        return knows_the_figure(asked) if asked.body["model"] in sharp else reply('{"reason": "r", "score": 5}')

    return rule


@pytest.mark.parametrize(("sharp", "noticed"), [(("one",), False), (("one", "two"), True)])
def test_a_mutant_is_noticed_by_a_panel_and_not_by_each_of_its_members(cli, write, stub, monkeypatch, sharp, noticed):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("rubrics/right.yaml", "name: right\nquestion: Q?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n")
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "true").replace("helpfulness", "right"))
    stub.rule = by_model(*sharp)
    judges = [word for name in ("one", "two", "three") for word in ("--judge", f"openai/{name}")]

    done = cli("prove", *judges, "--api-base", stub.url, "--json")

    # The empty output fails min_length whatever judges say.
    assert (proved(done)["kill_rate"]["killed"] > 1) is noticed


def test_what_the_panel_outvotes_is_said_to_be_outvoted(cli, write, stub, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("rubrics/right.yaml", "name: right\nquestion: Q?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n")
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "true").replace("helpfulness", "right"))
    stub.rule = by_model("one")
    judges = [word for name in ("one", "two", "three") for word in ("--judge", f"openai/{name}")]

    assert (
        "right [openai/one] notices it and is outvoted by the panel"
        in cli("prove", *judges, "--api-base", stub.url).out
    )


def test_an_output_that_one_member_of_a_panel_fails_is_damaged_all_the_same(cli, write, stub, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("rubrics/right.yaml", "name: right\nquestion: Q?\nscale: {min: 1, max: 5}\npass_at: 4\npanel: majority\n")
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "true").replace("helpfulness", "right"))
    stub.rule = lambda asked: reply(json.dumps({"score": 1 if asked.body["model"] == "one" else 5}))
    judges = [word for name in ("one", "two", "three") for word in ("--judge", f"openai/{name}")]

    assert proved(cli("prove", *judges, "--api-base", stub.url, "--json"))["left_out"] == {}


def test_what_only_a_judge_that_is_not_required_notices_survives_with_that_hint(cli, write, stub, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "false"))
    stub.rule = knows_the_figure

    out = cli("prove", "--judge", "openai/m", "--api-base", stub.url).out

    assert "helpfulness [openai/m] notices it and is not required: `required: true` makes it count" in out


def test_a_mutant_that_the_judge_gave_no_verdict_on_leaves_the_rule_undecided(cli, write):
    # The script holds a verdict on the good output and none on the mutants.
    write(
        "scenarios/a.yaml",
        JUDGED.replace("REQUIRED", "true") + 'faux: {judge: {helpfulness: [\'{"reason": "ok", "score": 5}\']}}\n',
    )
    write("judgekit.yaml", 'gate: {kill_rate: ">= 0.9"}')

    done = cli("prove", "--judge", "faux")

    assert done.code == 3
    assert "no result  a, swap_number: helpfulness [faux]: No more faux responses queued" in done.out


def test_a_recorded_judge_is_not_asked_about_texts_that_it_never_saw(cli, write):
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "false"))
    write("replies.jsonl", '{"case_id": "a", "rubric": "helpfulness", "reply": "{\\"score\\": 5}"}\n')

    done = cli("prove", "--judge", "replay:replies.jsonl")

    assert "replay:replies.jsonl: a recording knows no damaged outputs and is not asked" in done.err
    assert "no judge is asked about helpfulness" in done.err


@pytest.mark.parametrize("pattern", ["7731", "code-[0-9]+"])
def test_no_piece_of_a_secret_is_told_of_a_mutant(cli, write, pattern):
    write("scenarios/a.yaml", "name: a\noutput: The code-7731 is in.\nexpect: {min_length: 3}\n")
    write("judgekit.yaml", f"redact: ['{pattern}']")

    out = cli("prove").out

    assert "survived  a, swap_number: a place that is masked" in out
    assert not {"7731", "8731"} & set(re.findall(r"\d+", out))


def test_cases_with_nothing_required_are_told(cli, write):
    write("scenarios/a.yaml", JUDGED.replace("REQUIRED", "false").replace("expect: {min_length: 10}\n", ""))

    assert "1 of 1 case with nothing required" in cli("prove").err


def test_prove_writes_nothing(cli, write, folder):
    write("scenarios/a.yaml", LOOSE)

    cli("prove")

    assert sorted(path.name for path in Path(folder).iterdir()) == ["scenarios"]
