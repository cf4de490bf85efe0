"""What `import judgekit` offers, and what it must not cost."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import judgekit

HEAVY = ("litellm", "pandas", "numpy", "pydantic", "scipy", "jinja2")


def _after(code: str, cwd) -> dict[str, object]:
    """What a fresh interpreter prints as JSON after some code."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=cwd, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def _loaded(names: tuple[str, ...]) -> str:
    return f"import json, sys; print(json.dumps([name for name in {names!r} if name in sys.modules]))"


def test_the_public_names_are_sorted():
    assert judgekit.__all__ == sorted(judgekit.__all__)


@pytest.mark.parametrize("name", judgekit.__all__)
def test_a_public_name_resolves(name):
    found = getattr(judgekit, name)

    assert found.__name__ == name
    assert found.__doc__


def test_no_submodule_shadows_a_public_name():
    from pathlib import Path

    folder = Path(judgekit.__file__).parent

    assert not [name for name in judgekit.__all__ if (folder / name).exists() or (folder / f"{name}.py").exists()]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="scoer"):
        _ = judgekit.scoer


def test_the_names_that_type_checkers_see_are_the_public_ones():
    assert set(judgekit._HOMES) == set(judgekit.__all__)


def test_stats_is_reached_through_the_package():
    assert judgekit.stats.wilson_interval(1, 2).value == 0.5


def test_importing_reads_nothing_of_the_project_and_imports_nothing_slow(tmp_path):
    # A settings file that can't be read would be an error, were it looked at.
    (tmp_path / "judgekit.yaml").write_text("nonsense: [", encoding="utf-8")

    assert _after("import judgekit\n" + _loaded(HEAVY), tmp_path) == []


def test_importing_leaves_event_loops_alone(tmp_path):
    code = """
import asyncio, json
before = (asyncio.run, type(asyncio.get_event_loop_policy()), asyncio.SelectorEventLoop, asyncio.new_event_loop)
import judgekit, judgekit.api, judgekit.cli.score
after = (asyncio.run, type(asyncio.get_event_loop_policy()), asyncio.SelectorEventLoop, asyncio.new_event_loop)
print(json.dumps(before == after))
"""
    assert _after(code, tmp_path) is True


def test_help_imports_nothing_slow(tmp_path):
    code = """
import sys
from judgekit.cli import main
sys.argv = ["judgekit", "--help"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""
    assert _after(code + _loaded(HEAVY), tmp_path) == []


def test_scoring_one_faux_case_imports_neither_litellm_nor_scipy_stats_nor_pandas(tmp_path):
    (tmp_path / "one.yaml").write_text(
        "name: one\ninput: Q1?\nexpect: {contains: [revenue]}\nfaux: [Revenue rose.]\n", encoding="utf-8"
    )
    code = """
import sys
from judgekit.cli import main
sys.argv = ["judgekit", "score", "one.yaml"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""
    assert _after(code + _loaded(("litellm", "scipy.stats", "pandas")), tmp_path) == []
