"""`judgekit gate` holds the lock against a copy of the shipped agents."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shipped(folder):
    """A copy of what the gate of this repository reads."""
    shutil.copytree(ROOT / "scenarios" / "agents", folder / "scenarios" / "agents")
    shutil.copytree(ROOT / "rubrics", folder / "rubrics")
    for name in ("pyproject.toml", ".judgekit.lock"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_shipped_lock_fits_what_is_shipped(cli, shipped):
    done = cli("gate", "--strict")

    assert done.code == 0, done.out
    assert "lock" not in done.err


def test_a_changed_format_fails_the_gate_until_it_is_locked_again(cli, shipped):
    change(shipped / "rubrics" / "formats" / "reagan.yaml", "  - Conviction\n", "")

    failed = cli("gate")
    relocked = cli("gate", "--relock")
    again = cli("gate")

    assert [done.code for done in (failed, relocked, again)] == [1, 0, 0]
    assert "reagan: format changed since reagan/1 was locked, rubric and fixtures did not." in failed.out


def test_without_a_format_and_a_lock_a_note_is_all_there_is(cli, shipped):
    (shipped / ".judgekit.lock").unlink()
    settings = shipped / "pyproject.toml"
    lines = settings.read_text(encoding="utf-8").splitlines(keepends=True)
    settings.write_text("".join(line for line in lines if not line.startswith("format = ")), encoding="utf-8")

    done = cli("gate", "--strict")

    assert done.code == 0
    assert done.err.count("no `format` is declared, so nothing is locked") == 1


def test_a_damaged_lock_exits_2_with_its_line(cli, shipped):
    change(shipped / ".judgekit.lock", "eliza:\n", "<<<<<<< HEAD\neliza:\n")

    done = cli("gate")

    assert done.code == 2
    assert ".judgekit.lock:" in done.err
    assert "`judgekit gate --relock`" in done.err
