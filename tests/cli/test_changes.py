"""What a terminal, a pull request and a job of GitHub are told of the last run and of the baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

GOOD, BAD = ('{"reason": "kind and whole", "score": 5}', '{"reason": "does not answer", "score": 1}')


def suite(*judge: list[str], output: str = "Revenue rose.", n: int | None = None) -> str:
    cases = [
        {
            "id": f"c{at}",
            "output": output if at == 0 else "Revenue rose.",
            "rubrics": [{"name": "helpfulness", "pass_at": 4}] if replies else [],
            "faux": {"judge": {"helpfulness": replies}} if replies else {"target": ["unused"]},
        }
        for at, replies in enumerate(judge or [[]] * (n or 1))
    ]
    return json.dumps({"suite": "s", "defaults": {"expect": {"contains": ["revenue"]}}, "cases": cases})


def test_the_second_run_says_what_flipped_and_why(cli, write):
    write("scenarios/s.yaml", suite(n=2))
    cli("score")
    write("scenarios/s.yaml", suite(n=2, output="Costs rose."))

    lines = cli("score").lines

    at = lines.index("vs latest~1: 1 newly failing, 0 fixed, 1 outputs changed, 1 identical")
    assert lines[at + 1] == '  newly failing  c0: contains: "revenue" is missing'


def test_five_flips_are_shown_and_the_others_counted(cli, write):
    write("scenarios/s.yaml", suite(n=7))
    cli("score")
    write("scenarios/s.yaml", suite(n=7).replace("Revenue rose.", "Costs rose."))

    done = cli("score")

    assert done.out.count("  newly failing  ") == 5
    assert "  … 2 more" in done.lines


def test_quiet_says_nothing_of_it(cli, write):
    write("scenarios/s.yaml", suite())
    cli("score", "-q")

    assert len(cli("score", "-q").lines) == 2


def test_json_holds_it(cli, write):
    write("scenarios/s.yaml", suite())
    cli("score")

    assert json.loads(cli("score", "--json").out)["since"]["identical"] == 1


def test_a_new_judged_failure_is_printed_as_confirmed_or_flaky(cli, write):
    write("scenarios/s.yaml", suite([GOOD], [GOOD], [GOOD]))
    cli("score", "--judge", "faux")
    cli("baseline", "latest", "base.jsonl")
    write("scenarios/s.yaml", suite([BAD, BAD, BAD], [BAD, GOOD, GOOD], [GOOD]))

    done = cli("score", "--judge", "faux", "--baseline", "base.jsonl")

    assert "  new judged failures, asked again: 1 confirmed (c0); 1 flaky (c1)" in done.lines
    # One against none of three is no significant drop.
    assert done.code == 0


def test_estimate_looks_at_the_selection_alone(cli, write):
    write("scenarios/s.yaml", suite(n=2))
    cli("score")

    done = cli("estimate", "--only", "failed")

    assert done.code == 2
    assert "--only failed: nothing to run" in done.err


def test_baseline_says_what_it_wrote(cli, write):
    write("scenarios/s.yaml", suite([GOOD], [GOOD]))
    cli("score", "--judge", "faux", "--run-id", "one")

    done = cli("baseline", "one", "ci/base.jsonl")

    assert done.lines == ["2 cases of one, 0 of them failing, judged by helpfulness", "ci/base.jsonl"]
    assert Path("ci/base.jsonl").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "base.jsonl"], 'no run "nowhere"'),
        (["latest", "scenarios"], "scenarios: is a folder"),
        (["latest", "scenarios/s.yaml/base.jsonl"], "scenarios/s.yaml/base.jsonl: cannot be written"),
    ],
)
def test_what_cannot_be_written_as_a_baseline_exits_2(cli, write, arguments, said):
    write("scenarios/s.yaml", suite())
    cli("score")

    done = cli("baseline", *arguments)

    assert done.code == 2
    assert said in done.err


def test_a_damaged_baseline_exits_2_with_file_and_line_and_a_summary(cli, write):
    write("scenarios/s.yaml", suite())
    write("base.jsonl", '{"judgekit_baseline": 1}\n{"case_id": "c0"}\n')

    done = cli("score", "--baseline", "base.jsonl", "--summary", "s.md")

    assert done.code == 2
    assert "base.jsonl:2: " in done.err
    assert "base.jsonl:2: " in Path("s.md").read_text(encoding="utf-8")


def test_the_gate_shows_pass_hat_k_with_its_interval(cli, write):
    write("judgekit.yaml", "gate: {pass_hat_2: 0.9}\n")
    cases = [{"id": f"c{at}", "faux": ["ok", "ok" if at else "no"]} for at in range(4)]
    defaults = {"trials": 2, "expect": {"contains": ["ok"]}}
    write("scenarios/s.yaml", json.dumps({"suite": "s", "defaults": defaults, "cases": cases}))

    done = cli("score")

    # 3 of 4 cases pass twice.
    assert "pass_hat_2 >= 0.9: 0.75 (n = 4), 95 % interval 0.00 to 1.00" in done.out
    assert "default: pass@2 100 % [" in done.out


# ----------------------------------------------------------------------------------------------- pull requests, jobs

MARKER = "<!-- judgekit:score -->"


@pytest.mark.parametrize("arguments", [[], ["--no-such-option"], ["nowhere.yaml"]])
def test_the_summary_starts_with_a_marker_that_nobody_sees(cli, write, arguments):
    write("scenarios/s.yaml", suite())

    cli("score", *arguments, "--summary", "s.md")

    assert Path("s.md").read_text(encoding="utf-8").splitlines()[0] == MARKER


@pytest.mark.parametrize("arguments", [[], ["--summary", "s.md"], ["nowhere.yaml"], ["--no-such-option"]])
def test_the_summary_is_added_to_what_a_job_of_github_shows(cli, write, monkeypatch, arguments):
    write("scenarios/s.yaml", suite())
    step = write("step.md", "before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step))

    cli("score", *arguments)

    assert step.read_text(encoding="utf-8").startswith(f"before\n{MARKER}\n")


def test_a_step_summary_that_cannot_be_written_costs_nothing(cli, write, monkeypatch):
    write("scenarios/s.yaml", suite())
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "no/such/folder.md")

    done = cli("score")

    assert done.code == 0
    assert "GITHUB_STEP_SUMMARY no/such/folder.md: cannot be written" in done.err


def test_a_summary_of_many_changes_fits_into_a_comment(cli, write):
    write("scenarios/s.yaml", suite(n=400))
    cli("score")
    cli("baseline", "latest", "base.jsonl")
    write("scenarios/s.yaml", suite(n=400).replace("Revenue rose.", "&" * 3000))

    done = cli("score", "--baseline", "base.jsonl", "--summary", "s.md")

    assert done.code == 1
    assert len(Path("s.md").read_text(encoding="utf-8")) < 65_536


def test_a_mistake_of_many_lines_fits_into_a_comment(cli, write):
    for at in range(400):
        write(f"scenarios/{at}.yaml", f"name: c{at}\n" + f"unknown-{'x' * 150}: 1\nother-{'y' * 150}: 1\n")

    cli("score", "--summary", "s.md")

    assert 20_000 < len(Path("s.md").read_text(encoding="utf-8")) < 65_536
