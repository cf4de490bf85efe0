"""Programs as target."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.records import Case, Context, Output, Variant
from judgekit.targets.command import CommandTarget

Folder = Any


def collected(code: str, *, timeout_s: float = 30, case: Case | None = None, folder: Path | None = None) -> Output:
    variant = Variant(
        "v1", command=(sys.executable, "-c", code), timeout_s=timeout_s, params={"k": 1}, folder=folder or Path()
    )
    return CommandTarget(variant).collect(case or Case("a", input="hi"), 2)


def test_the_question_is_json_on_standard_input() -> None:
    case = Case(
        "a", input="Größe \u2028", turns=("x",), vars={"n": 1}, context=(Context("c", "p"),), reference="secret"
    )
    question = json.loads(collected("import sys; print(sys.stdin.read(), end='')", case=case).text or "")
    assert question == {
        "case_id": "a",
        "input": "Größe \u2028",
        "turns": ["x"],
        "vars": {"n": 1},
        "context": [{"id": "p", "text": "c"}],
        "variant": "v1",
        "params": {"k": 1},
        "trial": 2,
    }


def test_plain_text_is_the_output() -> None:
    output = collected("print('one\\ntwo')")
    assert (output.text, output.case_id, output.variant, output.trial) == ("one\ntwo", "a", "v1", 2)


def test_json_with_an_output_says_more() -> None:
    answer = {"output": "x", "context": ["c"], "tool_calls": [{"name": "f"}], "usage": {"input_tokens": 3}}
    output = collected(f"print({json.dumps(answer)!r})")
    assert (output.text, output.context, output.usage.input_tokens) == ("x", (Context("c"),), 3)
    assert output.tool_calls is not None


@pytest.mark.parametrize("text", ['{"answer": "x"}', '["x"]', '{"output": ', "3", "{" * 100_000, '{"a":' * 100_000])
def test_json_of_another_kind_is_text(text: str) -> None:
    variant = Variant("v1", command=(sys.executable, "-c", "import sys; sys.stdout.write(sys.argv[1])", text))
    if len(text) > 1000:
        variant = Variant("v1", command=(sys.executable, "-c", f"print({text[: len(text) // 100_000]!r} * 100_000)"))
    assert CommandTarget(variant).collect(Case("a"), 0).text == text


def test_a_byte_order_mark_and_windows_line_ends_are_no_content() -> None:
    code = 'import sys; sys.stdout.buffer.write(b\'\\xef\\xbb\\xbf{"output": "x"}\\r\\n\')'
    assert collected(code).text == "x"


def test_no_output_is_an_empty_output() -> None:
    assert collected("pass").text == ""


@pytest.mark.parametrize(
    ("code", "cause", "said"),
    [
        ("import sys; sys.stderr.write('no key'); sys.exit(3)", "target", "exit status 3: no key"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "target", "exit status -9"),
        ("import sys; sys.stdout.buffer.write(b'ab\\xff')", "malformed", "not UTF-8 (byte 2)"),
        ("print('{\"output\": 3}')", "malformed", "a text or a mapping with a text `output` is wanted"),
        ('print(\'{"output": "x", "cost_usd": NaN}\')', "malformed", "`cost_usd` must be a number"),
        ('print(\'{"output": "x", "tool_calls": 3}\')', "malformed", "`tool_calls` must be a list"),
    ],
)
def test_a_failing_program_is_an_error_of_this_case(code: str, cause: str, said: str) -> None:
    output = collected(code)
    assert (output.text, output.cause) == (None, cause)
    assert said in output.message


def test_a_program_that_ignores_the_question_is_fine() -> None:
    case = Case("a", input="x" * 1_000_000)
    assert collected("print('x')", case=case).text == "x"


def test_a_long_answer_is_read_whole() -> None:
    assert len(collected("print('x' * 3_000_000)").text or "") == 3_000_000


@pytest.mark.parametrize("command", [("./nothing-here",), ("nothing-on-the-path", "x"), ("a\x00b", "x"), (".", "x")])
def test_a_program_that_is_not_there_is_an_error_of_this_case(command: tuple[str, ...]) -> None:
    output = CommandTarget(Variant("v1", command=command)).collect(Case("a"), 0)
    assert output.cause == "target"
    assert "can't be started" in output.message


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie waits for its parent and runs no more.
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "\nState:\tZ" not in status.read_text()


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if not alive(pid):
            return True
        time.sleep(0.02)
    return False


CHILD = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']{more}); "
NOTE = "open('pid', 'w').write(str(p.pid)); "


@pytest.mark.parametrize("then", ["import time; time.sleep(60)", "sys.exit(0)"], ids=["hanging", "ended"])
def test_the_time_limit_ends_the_program_and_its_children(tmp_path: Path, then: str) -> None:
    # A child that holds the standard output keeps the answer from ending, also after the program itself has.
    start = time.perf_counter()
    output = collected(CHILD.format(more="") + NOTE + then, timeout_s=1, folder=tmp_path)
    assert output.cause == "timeout"
    assert gone(int((tmp_path / "pid").read_text()))
    assert time.perf_counter() - start < 20


def test_a_child_that_left_the_session_does_not_keep_the_run_waiting(tmp_path: Path) -> None:
    start = time.perf_counter()
    code = CHILD.format(more=", start_new_session=True") + NOTE + "import time; time.sleep(60)"
    output = collected(code, timeout_s=1, folder=tmp_path)
    os.kill(int((tmp_path / "pid").read_text()), 9)
    assert output.cause == "timeout"
    assert time.perf_counter() - start < 20


SUITE = """
suite: s
variants: {v1: {command: COMMAND}}
cases: [{id: a, input: hi, expect: {contains: found}}]
"""


def test_a_command_of_a_file_needs_leave(folder: Folder) -> None:
    (said,) = folder.mistakes(SUITE.replace("COMMAND", "echo found"))
    assert said.startswith('scenarios/a.yaml:2: variant "v1" runs a command: allow it with `allow_code: true`')


def test_relative_paths_start_at_the_file_that_names_them(folder: Folder) -> None:
    script = folder.write("scenarios/answer.sh", "#!/bin/sh\ncat data.txt\n")
    script.chmod(0o755)
    folder.write("scenarios/data.txt", "found\n")
    run = folder.score(SUITE.replace("COMMAND", "[./answer.sh]"), allow_code=True)
    assert list(run.cases["output"]) == ["found"]


def test_a_command_of_the_settings_starts_at_the_project_root(folder: Folder) -> None:
    folder.write("data.txt", "found\n")
    folder.write("judgekit.yaml", "allow-code: true\nvariants: {v1: {command: [cat, data.txt]}}\n")
    run = folder.score("id: a\nexpect: {contains: found}\n")
    assert list(run.cases["output"]) == ["found"]


def test_a_text_is_split_as_a_shell_would(folder: Folder) -> None:
    run = folder.score(SUITE.replace("COMMAND", "echo 'found it'"), allow_code=True)
    assert list(run.cases["output"]) == ["found it"]


def test_a_text_that_no_shell_would_read_is_refused(folder: Folder) -> None:
    (said,) = folder.mistakes(SUITE.replace("COMMAND", """'echo "x'"""), allow_code=True)
    assert said.startswith('scenarios/a.yaml:2: variant "v1": the command cannot be read: No closing quotation')
    with pytest.raises(InputError):
        CommandTarget(Variant("v1", command=('echo "x',)))


def test_a_key_in_its_complaints_is_not_told(monkeypatch: Any) -> None:
    key = "planted-7Qx2Lm9Vt4Rb"
    monkeypatch.setenv("MY_API_KEY", key)
    # The 300 characters that are told would begin within the key.
    output = collected("import os, sys; sys.exit(os.environ['MY_API_KEY'] + '.' * 290)")
    assert output.message == f"exit status 1: ***{'.' * 290}"
