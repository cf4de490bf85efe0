"""The other commands: each parses, calls one function, prints, and returns a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

JUDGED = """
suite: s
cases:
  - id: a
    input: Q
    output: alpha
    expect: {contains: [alpha]}
    rubrics: [{name: helpfulness, pass_at: 4}]
    trials: {n: 3, require: 2}
    faux: {judge: {helpfulness: [{content: '{"reason": "r", "score": 4}', finish_reason: stop}, hm, hm]}}
  - {id: b, input: "=1+1", output: "\\0", expect: {contains: [alpha]}, should_pass: false, tags: [x, y]}
  - {id: c, input: Q, expect: {contains: [alpha]}, faux: [{error: refusal}]}
  - {id: d, input: Q, output: read, expect: none}
"""


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -------------------------------------------------------------------------------------------------------------- report


def test_a_report_is_rendered_again_byte_for_byte(cli, write):
    write("scenarios/a.yaml", JUDGED)
    cli("score", "--judge", "faux", "--judge-samples", "2", "--run-id", "one")
    before = _files(Path("reports/one"))

    done = cli("report", "one")

    assert _files(Path("reports/one")) == before
    assert (done.code, done.lines[-1]) == (0, "reports/one/report.html")


def test_a_report_that_was_deleted_comes_back(cli, passing):
    cli("score", "--run-id", "one")
    before = _files(Path("reports/one"))
    for name in ("report.html", "junit.xml", "summary.md"):
        Path("reports/one", name).unlink()

    cli("report")

    assert _files(Path("reports/one")) == before


def test_a_report_alone_exits_0_though_the_gate_had_failed(cli, failing):
    cli("score")

    assert cli("report").code == 0


@pytest.mark.parametrize(
    ("gate", "code", "said"),
    [
        ("{}", 1, "gate failed: every case passes: 1 of 2 do; failing: b"),
        ("{pass_rate: 0.5}", 0, "gate passed: pass_rate >= 0.5: 0.5 (1 of 2)"),
        ("{pass_rate: 0.6}", 1, "gate failed: pass_rate >= 0.6: 0.5 (1 of 2)"),
        ("{metrics: {contains: {mean: '>= 0.5'}}}", 0, "gate passed: contains: mean >= 0.5: 0.5 (2 of 2 scored)"),
        ("{metrics: {contians: {mean: 1}}}", 2, 'gate: no case has the metric "contians". Did you mean "contains"?'),
        ("{variants: [v9]}", 2, 'gate: there is no variant "v9"'),
        ("{kill_rate: 0.5}", 1, "gate failed: every case passes: 1 of 2 do; failing: b"),
    ],
)
def test_a_stored_run_is_decided_again_by_changed_rules(cli, write, gate, code, said):
    write("scenarios/a.yaml", "name: a\noutput: x\nexpect: {contains: [x]}\n")
    write("scenarios/b.yaml", "name: b\noutput: y\nexpect: {contains: [x]}\n")
    cli("score", "--run-id", "one")
    write("judgekit.yaml", f"gate: {gate}")

    done = cli("report", "--gate")

    assert done.code == code
    assert said in done.out + done.err
    if code != 2:
        summary = json.loads(Path("reports/one/summary.json").read_text(encoding="utf-8"))
        assert summary["decision"]["exit_code"] == code
        assert ("<failure" in Path("reports/one/junit.xml").read_text(encoding="utf-8")) is (code == 1)


def test_deciding_again_gates_the_variants_that_the_settings_name_now(cli, write):
    write("scenarios/a.yaml", "suite: s\noutputs: o.jsonl\ncases: [{id: a, expect: {contains: [x]}}]")
    rows = [{"case_id": "a", "variant": "v1", "output": "y"}, {"case_id": "a", "variant": "v2", "output": "x"}]
    write("scenarios/o.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert cli("score").code == 0  # v1 is the reference and not gated
    write("judgekit.yaml", "gate: {variants: [v1]}")

    assert cli("report", "--gate").code == 1


def test_deciding_again_keeps_the_rate_of_the_command_line(cli, write):
    write("scenarios/a.yaml", "name: a\noutput: x\nexpect: {contains: [x]}\n")
    write("scenarios/b.yaml", "name: b\noutput: y\nexpect: {contains: [x]}\n")
    cli("score", "--fail-under", "0.5")

    assert cli("report", "--gate").code == 0


def test_a_damaged_run_is_a_mistake_and_no_fault_of_judgekit(cli, passing):
    cli("score", "--run-id", "one")
    Path("reports/one/results.csv").write_bytes(b"\xff")

    done = cli("report", "one")

    assert done.code == 2
    assert done.err.startswith("error: reports/one/results.csv: is damaged")


def test_a_strange_record_in_a_run_is_a_mistake_as_well(cli, passing):
    cli("score", "--run-id", "one")
    with Path("reports/one/outputs.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")

    done = cli("report", "one")

    assert done.code == 2
    assert done.err.strip() == "error: reports/one/outputs.jsonl: is damaged: a record lacks case_id."


# --------------------------------------------------------------------------------------------------------------- bless


GOLDEN = "name: a\noutput: One line.\ngolden: true\n"


def test_bless_shows_and_writes_what_is_new(cli, write):
    write("scenarios/a.yaml", GOLDEN)

    done = cli("bless")

    assert done.out == "new       scenarios/a.golden.md\n  +One line.\n1 golden file written, 0 unchanged\n"
    assert cli("score").code == 0


def test_bless_leaves_alone_what_has_not_changed(cli, write):
    write("scenarios/a.yaml", GOLDEN)
    cli("bless")

    assert cli("bless").lines[-1] == "0 golden files written, 1 unchanged"


@pytest.mark.parametrize("ci", ["true", "1", "True"])
def test_bless_is_refused_in_a_pipeline(cli, write, monkeypatch, ci):
    write("scenarios/a.yaml", GOLDEN)
    monkeypatch.setenv("CI", ci)

    done = cli("bless")

    assert (done.code, "under CI=true a golden file would approve itself" in done.err) == (2, True)
    assert not Path("scenarios/a.golden.md").exists()


def test_bless_can_be_forced_in_a_pipeline(cli, write, monkeypatch):
    write("scenarios/a.yaml", GOLDEN)
    monkeypatch.setenv("CI", "true")

    assert cli("bless", "--force").code == 0
    assert Path("scenarios/a.golden.md").exists()


def test_the_command_that_a_missing_golden_names_works(cli, write):
    write("scenarios/a.yaml", GOLDEN)
    done = cli("score")

    command = done.out.partition("`judgekit ")[2].partition("`")[0]

    assert cli(*command.split()).code == 0
    assert cli("score").code == 0


# ---------------------------------------------------------------------------------------------------------------- init


def test_a_new_project_scores_at_once(cli, folder, monkeypatch):
    done = cli("init", "demo")
    command = done.lines[-1].removeprefix("Next: cd demo && judgekit ").split()
    monkeypatch.chdir(folder / "demo")

    scored = cli(*command)

    assert scored.code == 0, scored.err
    assert "gate passed" in scored.out
    assert cli("check").code == 0


def test_a_new_project_scores_without_a_judge_too(cli):
    cli("init")

    done = cli("score")

    assert done.code == 0
    assert done.err == "warning: no judge was named: clarity not judged on 1 case (--judge MODEL)\n"


def test_init_keeps_what_is_there(cli, write):
    write("judgekit.yaml", "out: mine\n")

    done = cli("init")

    assert "kept     judgekit.yaml\n" in done.out
    assert Path("judgekit.yaml").read_text(encoding="utf-8") == "out: mine\n"


def test_init_does_not_put_settings_beside_settings(cli, write):
    write("pyproject.toml", "[tool.judgekit]\nout = 'reports'\n")

    done = cli("init")

    assert (done.code, "settings stand in [tool.judgekit] of pyproject.toml already" in done.err) == (2, True)


def test_a_folder_inside_another_project_can_be_a_project(cli, write):
    write("pyproject.toml", "[tool.judgekit]\nout = 'reports'\n")

    assert cli("init", "demo").code == 0


# -------------------------------------------------------------------------------------------------- check, list, schema


def test_check_counts_and_runs_nothing(cli, passing):
    done = cli("check")

    assert done.out == "1 case in 1 suite: no mistakes\n"
    assert not Path("reports").exists()


def test_check_finds_a_judge_template_that_cannot_be_rendered(cli, write):
    write("rubrics/odd.yaml", "name: odd\nquestion: Odd?\nscale: {min: 1, max: 5}\ntemplate: odd.j2\n")
    write("rubrics/odd.j2", "{# odd #}Rate {{ answer }}.")
    write("scenarios/a.yaml", "name: a\noutput: x\nrubrics: [odd]\n")

    done = cli("check")

    assert done.code == 2
    assert 'scenarios/a.yaml:1: case "a": odd.j2:1: undefined variable "answer"' in done.err


@pytest.mark.parametrize(
    ("kind", "name"),
    [("checks", "contains"), ("rubrics", "helpfulness"), ("models", "faux"), ("targets", "command")],
)
def test_list_names_what_can_be_used(cli, kind, name):
    done = cli("list", kind)

    assert any(line.startswith(f"{name} ") for line in done.lines)


@pytest.mark.parametrize("kind", ["scenario", "settings", "rubric"])
def test_schema_prints_json(cli, kind):
    assert json.loads(cli("schema", kind).out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_list_shows_the_first_sentence_of_a_judged_rubric(cli, write):
    write("rubrics/brief.yaml", "name: brief\nquestion: Is it short? Count the words.\nscale: {min: 1, max: 5}\n")

    assert "judged: Is it short?" in [line.split("  ")[-1] for line in cli("list", "rubrics").lines]


def test_list_cuts_a_sentence_without_an_end(cli, write):
    write("rubrics/long.yaml", f"name: long\nquestion: {'word ' * 100}\nscale: {{min: 1, max: 5}}\n")

    (line,) = [line for line in cli("list", "rubrics").lines if line.startswith("long ")]

    assert line.endswith("…")
    assert len(line.partition("judged: ")[2]) <= 100
