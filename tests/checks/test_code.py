"""python."""

import sys

import pytest

from judgekit.checks.run import run_check
from judgekit.errors import InputError

SOURCE = """
import neighbour

def polite(text):
    return "please" in text

def share(text, case):
    return len(case.input) / 10

def pair(text, case, output):
    return output.text == text, "because of " + neighbour.NAME

def broken(text):
    raise KeyError("tone")

def odd(text):
    return "yes"
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("NAME = 'a neighbour'", encoding="utf-8")
    yield tmp_path
    sys.modules.pop("neighbour", None)


def run(folder, name, text="Now, please.", **options):
    check = {"value": f"mine:{name}", **options}
    return run_check({"python": check}, text, input="1234567", folder=folder, allow_code=True)


def test_true_passes_and_false_fails(folder):
    assert run(folder, "polite").status == "pass"
    assert run(folder, "polite", "Now.").status == "fail"


def test_a_number_is_a_score_unless_it_has_a_threshold(folder):
    assert (run(folder, "share").status, run(folder, "share").score) == ("scored", 0.7)
    assert run(folder, "share", pass_at=0.7).status == "pass"
    assert run(folder, "share", pass_at=0.71).status == "fail"


def test_a_pair_gives_the_reason(folder):
    assert run(folder, "pair").reason == "because of a neighbour"


def test_what_it_raises_is_an_error_of_this_case(folder):
    result = run(folder, "broken")
    assert (result.status, result.cause) == ("error", "target")
    assert "KeyError" in result.reason


def test_another_answer_is_an_error(folder):
    assert "wanted true or false" in run(folder, "odd").reason


def test_code_needs_leave(folder):
    with pytest.raises(InputError, match="--allow-code"):
        run_check({"python": "mine:polite"}, "x", folder=folder)


def test_the_search_path_is_left_as_it_was(folder):
    before = list(sys.path)
    run(folder, "polite")
    assert sys.path == before


def test_two_folders_may_have_modules_of_one_name(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "mine.py").write_text("def polite(text):\n    return False\n", encoding="utf-8")
    assert run(folder, "polite").status == "pass"
    assert run(other, "polite").status == "fail"


@pytest.mark.parametrize("name", ["mine", "mine:nothing", "nowhere:polite", "mine.py:polite", ":polite"])
def test_a_name_that_leads_nowhere_is_refused(folder, name):
    with pytest.raises(InputError, match="python"):
        run_check({"python": name}, "x", folder=folder, allow_code=True)


def test_a_function_that_exits_is_an_error_of_its_case_alone(tmp_path):
    (tmp_path / "quits.py").write_text("import sys\ndef leave(text):\n    sys.exit(0)\n", encoding="utf-8")
    result = run_check({"python": "quits:leave"}, "hi", folder=tmp_path, allow_code=True)
    assert result.status == "error"
    assert "SystemExit" in result.reason


def test_a_key_in_an_exception_is_not_told_not_even_in_part(folder, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "planted-7Qx2Lm9Vt4Rb")
    # A reason holds 200 characters of it: they would end within the key.
    (folder / "mine.py").write_text("def leaks(text):\n    raise RuntimeError('.' * 190 + 'planted-7Qx2Lm9Vt4Rb')\n")

    result = run(folder, "leaks")

    assert result.reason == f"mine:leaks raised RuntimeError: {'.' * 190}***"
