"""Run folders: written as records arrive, found again by path, id or `latest`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.store import RunFolder, Safe, find_run, list_runs, new_run_id, read_rows
from judgekit.writing import clean, json_line


def made(out: Path, run_id: str, started: str, *, whole: bool = True) -> Path:
    """A run as its folder shows it."""
    with RunFolder(out, run_id) as folder:
        (folder.path / "manifest.json").write_text(json.dumps({"started_at": started}))
        if whole:
            (folder.path / "summary.json").write_text("{}")
            folder.point_latest()
    return folder.path


def test_run_ids_sort_by_time() -> None:
    first = new_run_id(datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC))
    second = new_run_id(datetime(2024, 1, 2, 3, 4, 6, tzinfo=UTC))
    assert first.startswith("20240102-030405-")
    assert len(first) == len("20240102-030405-") + 4
    assert first < second


def test_records_are_lines_of_json(tmp_path: Path) -> None:
    with RunFolder(tmp_path / "a" / "b", "one") as folder:
        folder.append("outputs", {"output": "Größe\n\u2028"}, safe_from=None)
        folder.append("outputs", {"output": None}, safe_from="power_loss")
        folder.append("checks", {"score": 1}, safe_from=None)
    assert read_rows(folder.path / "outputs.jsonl") == [{"output": "Größe\n\u2028"}, {"output": None}]
    assert read_rows(folder.path / "checks.jsonl") == [{"score": 1}]
    assert read_rows(folder.path / "verdicts.jsonl") == []


@pytest.mark.parametrize("safe_from", ["crash", "power_loss"])
def test_a_record_that_was_paid_for_is_there_before_the_folder_is_closed(tmp_path: Path, safe_from: Safe) -> None:
    with RunFolder(tmp_path, "one") as folder:
        folder.append("verdicts", {"n": 1}, safe_from=None)
        folder.append("verdicts", {"n": 2}, safe_from=safe_from)
        assert [row["n"] for row in read_rows(folder.path / "verdicts.jsonl")] == [1, 2]


def test_what_json_cannot_hold_becomes_null_or_text() -> None:
    row = {
        "nan": float("nan"),
        "inf": [float("-inf")],
        "half": Fraction(1, 2),
        "path": Path("a"),
        3: "key",
        "alone": "a\ud800b",
        "set": {2, 1},
    }
    line = json_line(row).decode()  # type: ignore[arg-type]
    line.encode("utf-8")
    assert json.loads(line, parse_constant=pytest.fail) == {
        "nan": None,
        "inf": [None],
        "half": 0.5,
        "path": "a",
        "3": "key",
        "alone": "a\ufffdb",
        "set": [1, 2],
    }
    assert line.count("\n") == 1


def test_a_lone_surrogate_in_a_key_is_replaced_too() -> None:
    assert clean({"\ud800": ["\udfff"]}) == {"\ufffd": ["\ufffd"]}


def test_a_last_line_cut_short_never_counted(tmp_path: Path) -> None:
    file = tmp_path / "outputs.jsonl"
    file.write_text('{"n": 1}\n{"n": 2}\n{"n": ')
    assert read_rows(file) == [{"n": 1}, {"n": 2}]


def test_half_a_character_at_the_end_never_counted_either(tmp_path: Path) -> None:
    file = tmp_path / "outputs.jsonl"
    file.write_bytes('{"n": 1}\n{"n": "ü'.encode()[:-1])
    assert read_rows(file) == [{"n": 1}]


def test_a_file_of_half_a_line_holds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "outputs.jsonl"
    file.write_text('{"n": 1}')
    assert read_rows(file) == []


@pytest.mark.parametrize("text", ['{"n": 1}\n{"n": \n{"n": 3}\n', "[1]\n", "3\n", '{"n": 1}\n' + "[" * 100_000 + "\n"])
def test_damage_in_the_middle_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "outputs.jsonl"
    file.write_text(text)
    with pytest.raises(InputError, match="is damaged"):
        read_rows(file)


def test_an_existing_run_is_never_written_into(tmp_path: Path) -> None:
    made(tmp_path, "one", "2024-01-01")
    with pytest.raises(InputError, match="one exists already; choose another --run-id"):
        RunFolder(tmp_path, "one")


@pytest.mark.parametrize(
    "run_id", ["", ".", "..", "a/b", "a b", "-x", "ä", "a\n", "a\x00", "latest", ".hidden", "a\\b"]
)
def test_a_run_id_is_a_plain_file_name(tmp_path: Path, run_id: str) -> None:
    with pytest.raises(InputError, match="can't be a run id"):
        RunFolder(tmp_path / "runs", run_id)
    assert not (tmp_path / "runs").exists()


def test_a_run_id_may_be_too_long_for_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be made"):
        RunFolder(tmp_path, "x" * 300)


def test_a_file_where_the_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(InputError, match=r"runs: is a file; run folders need a folder \(--out\)"):
        RunFolder(tmp_path / "runs", "one")


def test_a_run_is_found_by_path_and_id(tmp_path: Path) -> None:
    path = made(tmp_path, "one", "2024-01-01")
    assert find_run(path, tmp_path / "elsewhere") == path
    assert find_run(str(path), tmp_path / "elsewhere") == path
    assert find_run("one", tmp_path) == path


def test_latest_is_the_run_that_ended_last(tmp_path: Path) -> None:
    paths = [made(tmp_path, run_id, f"2024-01-0{n}") for n, run_id in enumerate(("c", "a", "b"), start=1)]
    assert [find_run(run, tmp_path) for run in ("latest~2", "latest~1", "latest~0", "latest")] == [*paths, paths[-1]]


def test_runs_of_one_second_keep_their_order(tmp_path: Path) -> None:
    import os

    paths = [made(tmp_path, run_id, "2024-01-01T00:00:00Z") for run_id in ("c", "a", "b")]
    for n, path in enumerate(paths):
        os.utime(path / "manifest.json", ns=(n, n))
    assert list_runs(tmp_path) == paths
    assert find_run("latest~1", tmp_path) == paths[1]


def test_a_run_that_was_killed_is_no_earlier_run(tmp_path: Path) -> None:
    first = made(tmp_path, "a", "2024-01-01")
    made(tmp_path, "b", "2024-01-02", whole=False)
    made(tmp_path, "c", "2024-01-03")
    assert find_run("latest~1", tmp_path) == first


def test_latest_is_a_text_file_of_one_line(tmp_path: Path) -> None:
    made(tmp_path, "one", "2024-01-01")
    assert (tmp_path / "latest").read_bytes() == b"one\n"


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("two", 'no run "two"; newest in .*: one'),
        ("latest~1", "holds only 0 earlier runs"),
        ("latest~" + "9" * 5000, "no run"),
        ("x" * 5000, "no run"),
        ("a\x00b", "no run"),
        ("", "no run"),
        ("latest~x", "no run"),
    ],
)
def test_a_run_that_is_not_there_is_named(tmp_path: Path, run: str, said: str) -> None:
    made(tmp_path / "runs", "one", "2024-01-01")
    with pytest.raises(InputError, match=said):
        find_run(run, tmp_path / "runs")


def test_without_any_run_latest_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run yet: `judgekit score` makes one"):
        find_run("latest", tmp_path)


def test_a_pointer_to_a_run_that_was_deleted_is_told(tmp_path: Path) -> None:
    (tmp_path / "latest").write_text("gone\n")
    with pytest.raises(InputError, match="names gone, which is not there"):
        find_run("latest", tmp_path)


def test_other_folders_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "example").mkdir()
    (tmp_path / "note.txt").write_text("")
    assert list_runs(tmp_path) == []
    assert list_runs(tmp_path / "nothing") == []
