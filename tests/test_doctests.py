"""The examples in docstrings and README are run: they show what happens, or they are wrong."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import judgekit
from judgekit.config import load_project
from judgekit.scenarios.load import load_scenarios

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _modules() -> list[str]:
    found = pkgutil.walk_packages(judgekit.__path__, "judgekit.")
    return sorted({"judgekit", *(one.name for one in found if not one.name.endswith("__main__"))})


@pytest.mark.parametrize("name", _modules())
def test_the_examples_of_a_module_hold(name):
    module = importlib.import_module(name)

    assert doctest.testmod(module, verbose=False).failed == 0


def test_some_module_has_an_example():
    tests = [test for name in _modules() for test in doctest.DocTestFinder().find(importlib.import_module(name))]

    assert sum(bool(test.examples) for test in tests) > 50


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def _in_readme(language: str) -> list[object]:
    return [pytest.param(block, id=f"{language}-{number}") for number, block in enumerate(_blocks(language), start=1)]


@pytest.mark.parametrize("block", _in_readme("python") or [pytest.param("", id="none")])
def test_a_python_block_of_readme_compiles_and_its_doctests_hold(block):
    if ">>>" in block:
        example = doctest.DocTestParser().get_doctest(block, {}, "README", "README.md", 0)
        assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
    else:
        compile(block, "README.md", "exec")


def _is_scenario(block: str) -> bool:
    keys = set(re.findall(r"^([\w-]+):", block, re.MULTILINE))
    return bool(keys & {"expect", "cases"})


@pytest.mark.parametrize(
    "block",
    [param for param in _in_readme("yaml") if _is_scenario(str(param.values[0]))] or [pytest.param("", id="none")],
)
def test_a_scenario_of_readme_loads(block, tmp_path, monkeypatch):
    if not block:
        return
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenario.yaml").write_text(block, encoding="utf-8")

    suites = load_scenarios([Path("scenario.yaml")], root=ROOT, allow_code=True, has_rubrics=True)

    assert sum(len(suite.cases) for suite in suites) > 0


@pytest.mark.parametrize(
    "block",
    [param for param in _in_readme("yaml") if "gate:" in str(param.values[0])] or [pytest.param("", id="none")],
)
def test_settings_of_readme_load(block, tmp_path):
    if not block:
        return
    (tmp_path / "judgekit.yaml").write_text(block, encoding="utf-8")

    assert load_project(tmp_path).file
