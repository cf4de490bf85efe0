"""What a person sees: results on stdout, the rest on stderr, readable at any width and in any encoding."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from judgekit.cli.show import show_run

pty = pytest.importorskip("pty", reason="terminals of POSIX")

COMMAND = [sys.executable, "-m", "judgekit", "score"]
MIXED = """
suite: s
cases:
  - {id: good, input: Q, output: alpha, expect: {contains: [alpha], max_length: 9}}
  - {id: bad, input: Q, output: beta, expect: {contains: [alpha], max_length: 9}}
"""
JUDGED = """
name: a
input: Q
output: alpha
expect: {contains: [alpha]}
rubrics: [helpfulness]
faux: {judge: {helpfulness: ['{"reason": "r", "score": 4}']}}
"""


def _in_terminal(columns: int = 100, **environment: str) -> str:
    """What `judgekit score` writes on a terminal of so many columns."""
    import fcntl
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    clean = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen(
        COMMAND, stdout=theirs, stderr=theirs, stdin=theirs, env={**clean, "TERM": "xterm", **environment}
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    process.wait(30)
    return said.decode("utf-8").replace("\r\n", "\n")


# ----------------------------------------------------------------------------------------------------------- streams


def test_the_last_line_of_stdout_is_the_reports_path(cli, failing):
    done = cli("score", "--run-id", "one")

    assert done.lines[-1] == "reports/one/report.html"


def test_a_run_is_a_table_the_failing_cases_and_one_sentence(cli, write):
    write("scenarios/a.yaml", MIXED)

    assert cli("score", "--run-id", "one").out == (
        "1 of 2 cases pass, 95 % interval 9 to 91 %; on so few cases no difference to another variant could show, that "
        "takes six.\n"
        "\n"
        "variant  metric    scored  mean  95 % interval  pass rate\n"
        "default  cases     2/2           9 to 91 %      50 %\n"
        "default  contains  2/2     0.5   0.00 to 1.00   50 %\n"
        "met by every output of a variant, not shown (-v shows them): max_length\n"
        "\n"
        'FAIL bad: contains: "alpha" is missing\n'
        "\n"
        "gate failed: every case passes: 1 of 2 do; failing: bad\n"
        "reports/one/report.html\n"
    )


def test_warnings_go_to_stderr(cli, write):
    write("scenarios/a.yaml", JUDGED)

    done = cli("score")

    assert done.err == "warning: no judge was named: helpfulness not judged on 1 case (--judge MODEL)\n"
    assert "warning" not in done.out


def test_an_uncalibrated_judge_is_said_to_inform(cli, write):
    write("scenarios/a.yaml", JUDGED)

    done = cli("score", "--judge", "faux")

    assert "the judge is not calibrated against people" in done.err
    assert "judge: 1 call made\n" in done.out


def test_skipped_judge_calls_and_their_cost_are_printed(cli, write):
    write("scenarios/a.yaml", JUDGED.replace("[alpha]}", "[omega]}"))

    done = cli("score", "--judge", "faux")

    assert "judge: 0 calls made, 1 skipped after failed checks (--judge-all asks them too)\n" in done.out


def test_quiet_prints_the_decision_and_the_path(cli, failing):
    done = cli("score", "-q", "--run-id", "one")

    assert done.lines == ["gate failed: every case passes: 0 of 1 do; failing: a", "reports/one/report.html"]


def test_verbose_prints_every_case_and_every_metric(cli, write):
    write("scenarios/a.yaml", MIXED)

    done = cli("score", "-v")

    assert "pass good\n" in done.out
    assert re.search(r"^default +max_length +2/2", done.out, re.MULTILINE)


def test_each_failing_trial_is_named_by_its_number_the_first_one_too(cli, write):
    write("scenarios/a.yaml", "id: a\ninput: Q\ntrials: 2\nfaux: [x, y]\nexpect: {contains: z}\n")

    out = cli("score").out

    assert "FAIL a trial 0: " in out
    assert "FAIL a trial 1: " in out


def test_json_is_alone_on_stdout(cli, failing):
    done = cli("score", "--json", "--run-id", "one")

    assert json.loads(done.out) == json.loads(Path("reports/one/summary.json").read_text(encoding="utf-8"))
    assert done.code == 1


def test_many_failing_cases_are_cut_with_their_count(cli, write):
    cases = "".join(f"\n  - {{id: c{n}, output: x, expect: {{contains: [y]}}}}" for n in range(25))
    write("scenarios/a.yaml", f"suite: s\ncases:{cases}")

    done = cli("score")

    assert done.out.count("FAIL ") == 20
    assert "… 5 more; the report shows all\n" in done.out


def test_a_reference_that_does_not_work_is_told_with_its_first_error(cli, write):
    # The first variant is the reference, which no gate counts.
    write("bin.sh", "echo garbage >&2; exit 3\n")
    write(
        "scenarios/a.yaml",
        "suite: s\nvariants: {bin: {command: sh ../bin.sh}, echo: {command: echo alpha}}\n"
        "defaults: {expect: {contains: alpha}}\ncases: [{id: a, input: Q}, {id: b, input: Q}]\n",
    )

    done = cli("score", "--allow-code")

    assert [line for line in done.lines if "ERROR" in line or "more" in line] == [
        "ERROR a [bin]: contains: no output: exit status 3: garbage",
        "… 1 more; the report shows all",
    ]


def test_a_rate_just_under_all_is_not_shown_as_all(cli, write):
    cases = "".join(f"\n  - {{id: c{n}, output: {'y' if n else 'x'}, expect: {{equals: y}}}}" for n in range(2500))
    write("scenarios/a.yaml", f"suite: s\ncases:{cases}")

    done = cli("score")

    # 2499 of 2500 are 99.96 %.
    assert re.search(r"^default +cases +2500/2500 .* 99\.9 %$", done.out, re.MULTILINE)


def test_a_rate_just_over_none_is_not_shown_as_none(cli, write):
    cases = "".join(f"\n  - {{id: c{n}, output: {'x' if n else 'y'}, expect: {{equals: y}}}}" for n in range(2500))
    write("scenarios/a.yaml", f"suite: s\ncases:{cases}")

    assert re.search(r"^default +cases +2500/2500 .* 0\.1 %$", cli("score").out, re.MULTILINE)


def test_what_an_output_says_to_the_terminal_is_not_passed_on(cli, write):
    write(
        "scenarios/a.yaml",
        'name: a\noutput: "\\e[2J\\e]0;owned\\a\\u202eevil"\nexpect: {equals: x, starts_with: y}\n',
    )

    done = cli("score")

    assert "evil" in done.out
    assert not re.search("[\x1b\x07\u202e]", done.out)


# ---------------------------------------------------------------------------------------------------------- terminals


def test_a_terminal_gets_colours(write):
    write("scenarios/a.yaml", MIXED)

    assert "\x1b[31m" in _in_terminal()


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_turned_off(write, environment):
    write("scenarios/a.yaml", MIXED)

    assert "\x1b[3" not in _in_terminal(**environment)


def test_no_colour_goes_into_a_pipe(cli, failing):
    assert "\x1b" not in cli("score").out


def test_a_narrow_terminal_gets_lines_instead_of_a_broken_table(write):
    write("scenarios/a.yaml", MIXED)

    said = _in_terminal(30, NO_COLOR="1")

    assert "default · contains\n  scored 2/2\n  mean 0.5\n" in said
    assert "variant  metric" not in said


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp932"])
def test_a_console_that_lacks_a_character_costs_no_run(write, encoding):
    write("scenarios/a.yaml", 'name: "🎉"\noutput: "ü 🎉 ✓"\nexpect: {equals: "→"}\n')

    done = subprocess.run(
        COMMAND, capture_output=True, env={**os.environ, "PYTHONIOENCODING": f"{encoding}:strict", "PYTHONUTF8": "0"}
    )

    assert done.returncode == 1
    assert b"gate failed" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_json_loses_no_character_in_any_encoding(write, encoding):
    write("scenarios/a.yaml", 'name: "🎉"\noutput: "ü"\nexpect: {equals: "→"}\n')

    done = subprocess.run(
        [*COMMAND, "--json"], capture_output=True, env={**os.environ, "PYTHONIOENCODING": f"{encoding}:strict"}
    )

    assert "🎉" in json.loads(done.stdout.decode(encoding))["decision"]["reasons"][0]


# ---------------------------------------------------------------------------------------------------------------- help


def test_help_names_the_commands_and_the_exit_codes(cli):
    done = cli("--help")

    assert done.code == 0
    for word in ("score", "check", "report", "bless", "init", "list", "schema", "130 interrupted"):
        assert word in done.out


@pytest.mark.parametrize("command", ["score", "check", "report", "bless", "init", "list", "schema"])
def test_every_command_has_help(cli, command):
    done = cli(command, "--help")

    assert (done.code, f"Usage: judgekit {command}" in done.out) == (0, True)


def test_the_version_is_that_of_the_distribution(cli):
    from importlib.metadata import version

    assert cli("--version").out == f"judgekit {version('llm-judgekit')}\n"


def test_a_run_shown_from_python_is_what_the_command_prints(cli, failing, capsys):
    import judgekit

    done = cli("score")

    show_run(judgekit.load_run("latest").data)

    assert capsys.readouterr().out == done.out
