"""Python functions as target."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import judgekit as jk
from judgekit.errors import InputError
from judgekit.records import Case, Output, Variant
from judgekit.targets.function import FunctionTarget, import_function

Folder = Any

SUITE = """
suite: s
variants: {v1: {function: "answers:VALUE"}}
cases: [{id: a, input: hi, expect: {contains: hi}}]
"""


def collected(function: Any, *, timeout_s: float = 60) -> Output:
    return FunctionTarget(Variant("v1", timeout_s=timeout_s), function).collect(Case("a", input="hi"), 1)


def test_a_function_is_called_with_the_case() -> None:
    output = collected(lambda case: case.input.upper())
    assert (output.text, output.case_id, output.variant, output.trial) == ("HI", "a", "v1", 1)
    assert output.latency_s is not None


@pytest.mark.parametrize("answer", [{"output": "x", "context": ["c"]}, Output("x", context=None)])
def test_a_mapping_or_an_output_is_an_answer(answer: Any) -> None:
    assert collected(lambda case: answer).text == "x"


@pytest.mark.parametrize("problem", [RuntimeError("broken"), SystemExit(0), KeyboardInterrupt(), AssertionError()])
def test_whatever_it_raises_is_an_error_of_this_case(problem: BaseException) -> None:
    def fails(case: Case) -> str:
        raise problem

    output = collected(fails)
    assert (output.text, output.cause) == (None, "target")
    assert type(problem).__name__ in output.message


def test_what_is_no_answer_is_malformed() -> None:
    assert collected(lambda case: 3).cause == "malformed"


def test_an_overrun_is_a_timeout() -> None:
    start = time.perf_counter()
    output = collected(lambda case: time.sleep(30), timeout_s=0.05)
    assert output.cause == "timeout"
    assert "0.05 s" in output.message
    assert time.perf_counter() - start < 10


def test_python_code_needs_no_leave(folder: Folder) -> None:
    run = folder.score("id: a\ninput: hi\nexpect: {contains: hi}\n", target=lambda case: case.input)
    assert run.decision.exit_code == 0


def test_one_bad_case_leaves_the_others(folder: Folder) -> None:
    def answer(case: Case) -> str:
        if case.case_id == "b":
            raise ValueError("no b")
        return "x"

    run = folder.score(
        "suite: s\ndefaults: {expect: {contains: x}}\ncases: [{id: a}, {id: b}, {id: c}]\n", target=answer
    )
    assert list(run.cases["status"]) == ["pass", "error", "pass"]
    assert "ValueError: no b" in run.cases["reason"][1]
    assert run.decision.exit_code == 3


def test_a_function_of_a_file_needs_leave(folder: Folder) -> None:
    folder.write("scenarios/answers.py", "def plain(case):\n    return case.input\n")
    (said,) = folder.mistakes(SUITE.replace("VALUE", "plain"))
    assert said.startswith('scenarios/a.yaml:2: variant "v1" runs a function: allow it with `allow_code: true`')
    assert not (folder.path / "reports").exists()


@pytest.mark.parametrize("by", ["flag", "setting"])
def test_a_function_of_a_file_runs_with_leave(folder: Folder, by: str) -> None:
    folder.write("scenarios/answers.py", "def plain(case):\n    return case.input\n")
    if by == "setting":
        folder.write("judgekit.yaml", "allow-code: true\n")
    run = folder.score(SUITE.replace("VALUE", "plain"), allow_code=by == "flag")
    assert list(run.cases["output"]) == ["hi"]


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("", "answers:plain", "has no"),
        ("def plain(case): pass\n", "answers", "must be module:function"),
        ("def plain(case): pass\n", "nothing:plain", "names no module"),
        ("raise ValueError('at import')\n", "answers:plain", "at import"),
        ("import sys\nsys.exit(0)\n", "answers:plain", "cannot be loaded"),
        ("def plain(case)\n", "answers:plain", "SyntaxError"),
        ("plain = 3\n", "answers:plain", "has no"),
    ],
)
def test_a_function_that_is_not_there_is_refused(tmp_path: Path, text: str, name: str, said: str) -> None:
    (tmp_path / "answers.py").write_text(text)
    with pytest.raises(InputError) as caught:
        import_function(name, (tmp_path,))
    assert said in str(caught.value)
    assert str(caught.value).startswith(f'function "{name}" ')


def test_modules_of_two_folders_may_have_one_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "answers.py").write_text(f"def plain(case):\n    return '{name}'\n")
    found = [import_function("answers:plain", (tmp_path / name,))(Case("a")) for name in ("one", "two")]
    assert found == ["one", "two"]


def test_mistakes_of_several_variants_come_at_once(folder: Folder) -> None:
    said = folder.mistakes(
        """
        suite: s
        variants:
          v1: {function: "nothing:f"}
          v2: {command: 'echo "x'}
          v3: {prompt: nothing.txt, model: faux}
        cases: [{id: a, expect: {contains: x}}]
        """,
        allow_code=True,
    )
    assert len(said) == 3


def test_an_async_function_is_no_answer() -> None:
    async def later(case: Case) -> str:
        return "x"

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "never awaited" is the point here
        output = collected(later)
    assert output.cause == "malformed"
    assert "coroutine" in output.message


def test_the_target_of_python_wins_over_the_variants_of_files(folder: Folder) -> None:
    run = jk.score(
        folder.write("b.yaml", "suite: s\nvariants: {v1: {model: faux}}\ncases: [{id: a, expect: {contains: x}}]\n"),
        target=lambda case: "x",
        out=folder.path / "runs",
    )
    assert list(run.cases["variant"]) == ["default"]


def test_a_key_in_an_exception_is_not_told(monkeypatch: Any) -> None:
    monkeypatch.setenv("MY_API_KEY", "planted-7Qx2Lm9Vt4Rb")

    def leaks(case: Case) -> str:
        raise RuntimeError("refused: planted-7Qx2Lm9Vt4Rb")

    assert collected(leaks).message == "RuntimeError: refused: ***"
