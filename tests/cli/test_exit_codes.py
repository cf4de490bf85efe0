"""Every way a command can end, and its code: 0 passed, 1 failed, 2 the user's mistake, 3 undecided, 130 interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

import judgekit.pipeline.run as pipeline


def test_a_passing_suite_exits_0(cli, passing):
    assert cli("score").code == 0


def test_a_mutated_output_exits_1_with_its_reason_everywhere(cli, failing):
    done = cli("score", "--run-id", "one")

    reason = '"revenue" is missing'
    assert done.code == 1
    assert reason in done.out
    assert reason in ElementTree.parse("reports/one/junit.xml").getroot().find(".//failure").get("message")
    assert reason in Path("reports/one/results.csv").read_text(encoding="utf-8").replace('""', '"')


def test_a_scripted_outage_exits_3(cli, outage):
    done = cli("score")

    assert done.code == 3
    assert "gate undecided" in done.out


def test_a_failed_rule_wins_over_an_undecided_one(cli, failing, write):
    write("scenarios/b.yaml", "name: b\ninput: Q?\nexpect: {contains: [x]}\nfaux: [{error: timeout}]\n")

    assert cli("score").code == 1


@pytest.mark.parametrize("fixture", ["failing", "outage"])
def test_without_the_gate_what_was_found_exits_0(cli, request, fixture):
    request.getfixturevalue(fixture)

    done = cli("score", "--no-gate")

    assert done.code == 0
    assert "(--no-gate: exit 0)" in done.out


def test_without_the_gate_a_mistake_is_a_mistake_all_the_same(cli, write):
    write("scenarios/a.yaml", "scenarios: [\n")

    assert cli("score", "--no-gate").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["score"], "there is no folder `scenarios/` here"),
        (["score", "no-such-file.yaml"], "no-such-file.yaml"),
        (["score", ""], "a path is empty: is a variable of the shell not set?"),
        (["score", "--outputs", "none.jsonl"], "none.jsonl: no such"),
        (["score", "--trials", "0"], "--trials must be at least 1, not 0"),
        (["score", "--judge-samples", "-1"], "--judge-samples must be at least 1, not -1"),
        (["score", "--concurrency", "0"], "--concurrency must be at least 1, not 0"),
        (["score", "--trials", "many"], "'many' is not a valid integer"),
        (["score", "--fail-under", "80"], "--fail-under is a rate between 0 and 1, not 80"),
        (["score", "--fail-under", "nan"], "--fail-under"),
        (["score", "--variant", "v2"], "--variant v2: write NAME=PROMPT_FILE"),
        (["score", "--variant", "v2=a", "--variant", "v2=b"], '--variant: "v2" is given twice'),
        (["score", "--map", "input=question"], "--map renames columns of outputs files"),
        (["score", "--outptus", "x"], "Did you mean one of: '--out', '--outputs'?"),
        (["scor"], 'No such command "scor". Did you mean "score"?'),
        (["report"], "holds no run yet: `judgekit score` makes one"),
        (["report", "nope"], 'no run "nope"'),
        (["list", "chekcs"], "chekcs"),
        (["schema", "x"], "'x' is not one of"),
        ([], "Usage: judgekit"),
    ],
)
def test_a_usage_error_exits_2_and_says_how_to_go_on(cli, arguments, said):
    done = cli(*arguments)

    assert done.code == 2
    assert said in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "name: a\noutput: x\nexpect: {contian: [x]}",
            'scenarios/a.yaml:3: unknown check "contian". Did you mean "contains"',
        ),
        (
            "name: a\noutput: x\nexpcet: {contains: [x]}",
            'scenarios/a.yaml:3: unknown key "expcet". Did you mean "expect"',
        ),
        ("name: a\noutput: x", "scenarios/a.yaml:1: "),
        ("suite: s\ncases: []", "no scenarios"),
        ("", "no scenarios"),
        ("name: a\nrubrics: [helpfullness]\noutput: x", 'Did you mean "helpfulness"'),
    ],
)
def test_a_mistake_in_a_file_exits_2_with_its_place(cli, write, text, said):
    write("scenarios/a.yaml", text)

    done = cli("score")

    assert (done.code, said in done.err) == (2, True), done.err
    assert not Path("reports").exists()


def test_all_mistakes_are_told_at_once(cli, write):
    write("scenarios/a.yaml", "name: a\noutput: x\nexpect: {contian: [x]}\n")
    write("scenarios/b.yaml", "name: b\nouptut: x\nexpect: {contains: [x]}\n")

    done = cli("score")

    assert "contian" in done.err
    assert "ouptut" in done.err


def test_an_empty_folder_exits_2(cli, folder):
    (folder / "scenarios").mkdir()

    assert cli("score").code == 2


@pytest.mark.parametrize("arguments", [["-k", "nothing-like-it"], ["--tag", "none"]])
def test_nothing_selected_exits_2(cli, passing, arguments):
    done = cli("score", *arguments)

    assert done.code == 2
    assert "nothing to run" in done.err


def test_a_judge_with_nothing_to_judge_exits_2(cli, passing):
    done = cli("score", "--judge", "faux")

    assert (done.code, "--judge has nothing to judge" in done.err) == (2, True)


def test_an_existing_run_id_exits_2(cli, passing):
    cli("score", "--run-id", "one")

    done = cli("score", "--run-id", "one")

    assert (done.code, "reports/one exists already" in done.err) == (2, True)


def test_a_fault_of_judgekit_exits_3_and_not_1(cli, passing, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(pipeline, "write_reports", broken)

    done = cli("score", "--summary", "s.md")

    assert done.code == 3
    assert "ZeroDivisionError: ours" in done.err
    assert done.err.splitlines()[-1] == (
        "error: this is a fault of judgekit, not of your files; the lines above show where."
    )
    assert "ZeroDivisionError: ours" in Path("s.md").read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------------------------- --summary


@pytest.mark.parametrize(
    ("fixture", "arguments", "code", "said"),
    [
        ("passing", [], 0, "**Passed.**"),
        ("failing", [], 1, "**Not passed** (exit code 1)."),
        ("outage", [], 3, "**Not passed** (exit code 3)."),
        ("failing", ["--no-gate"], 0, "not enforced (exit code 0)"),
        ("passing", ["--judge", "faux"], 2, "--judge has nothing to judge"),
        ("passing", ["nowhere.yaml"], 2, "nowhere.yaml"),
        ("passing", ["--trials", "many"], 2, "'many' is not a valid integer"),
        ("passing", ["--no-such-option"], 2, "--no-such-option"),
    ],
)
@pytest.mark.parametrize("spelling", [["--summary", "out/s.md"], ["--summary=out/s.md"]])
def test_the_summary_is_written_on_every_exit(cli, request, fixture, arguments, code, said, spelling):
    request.getfixturevalue(fixture)

    done = cli("score", *arguments, *spelling)

    assert done.code == code
    assert said in Path("out/s.md").read_text(encoding="utf-8")


def test_a_summary_that_cannot_be_written_hides_no_result(cli, passing, write):
    write("file", "x")

    done = cli("score", "--summary", "file/s.md")

    assert done.code == 2
    assert "--summary file/s.md: cannot be written" in done.err
    assert "gate passed" in done.out


def test_a_summary_that_cannot_be_written_hides_no_mistake(cli, passing, write):
    write("file", "x")

    done = cli("score", "nowhere.yaml", "--summary", "file/s.md")

    assert done.code == 2
    assert "nowhere.yaml" in done.err


# ------------------------------------------------------------------------------------------- as a process of its own

COMMAND = [sys.executable, "-m", "judgekit"]


def _suite(n: int) -> str:
    case = "\n  - {{id: case-{0:04}, input: Q, output: no, expect: {{contains: ['{1}']}}}}"
    return "suite: s\ncases:" + "".join(case.format(number, "x" * 200) for number in range(n))


def test_a_reader_that_leaves_early_changes_neither_code_nor_stderr(folder, write):
    write("scenarios/a.yaml", _suite(2000))

    process = subprocess.Popen([*COMMAND, "score", "-v"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()

    assert process.wait(60) == 1
    assert said == ""


@pytest.mark.skipif(os.name == "nt", reason="shell redirections of POSIX")
def test_a_closed_stdout_costs_no_run(folder, passing):
    done = subprocess.run(f"'{sys.executable}' -m judgekit score >&-", shell=True, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
    assert list(Path("reports").glob("*/summary.json"))


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_while_modules_load_exits_130_without_a_traceback():
    code = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'click':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from judgekit.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)

    assert (done.returncode, done.stderr, done.stdout) == (130, "interrupted\n", "")


def test_an_interrupt_exits_130_and_keeps_what_was_done(folder, write):
    write(
        "target.py",
        "import time\n"
        "from pathlib import Path\n"
        "def answer(case):\n"
        "    if case.case_id == 'c3':\n"
        "        Path('there').touch()\n"
        "        time.sleep(0.5)\n"
        "    return 'x'\n",
    )
    cases = "".join(f"\n  - {{id: c{n}, input: Q, expect: {{contains: [x]}}}}" for n in range(8))
    write("scenarios/a.yaml", f"suite: s\nvariants: {{v: {{function: 'target:answer'}}}}\ncases:{cases}")

    process = subprocess.Popen(
        [*COMMAND, "score", "--allow-code", "--concurrency", "1", "--run-id", "one", "--summary", "s.md"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    while not Path("there").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)

    summary = json.loads(Path("reports/one/summary.json").read_text(encoding="utf-8"))
    statuses = [unit for unit in summary["counts"].items() if unit[1]]
    assert process.returncode == 130, err
    assert summary["partial"] is True
    assert statuses == [("cases", 8), ("pass", 4), ("error", 4)]
    assert "the run was interrupted: what was done is kept, and --resume one goes on" in out
    assert "partial" in Path("s.md").read_text(encoding="utf-8")
