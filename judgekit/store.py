"""The run folder: records are appended as they arrive, and found again by run.

`outputs.jsonl` is itself a valid outputs file. What was paid for is on the disk before it counts, in the ledger of
calls or here; free records go in blocks.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal

from judgekit.errors import InputError
from judgekit.reading.text import read_text, read_whole_lines, shown
from judgekit.writing import json_line, write_text

Stream = Literal["outputs", "checks", "verdicts"]
Safe = Literal["crash", "power_loss"]
_BLOCK = 1 << 18
_HEAD = 2000
"""Characters at the beginning of a manifest that hold when it started and what it was selected by."""
_STARTED = re.compile(r'"started_at":\s*"([^"]+)"')
_SELECTED = re.compile(r'"only":\s*"')
_WRITTEN_ANEW = ("checks.jsonl", "verdicts.jsonl", "summary.json")
_RUN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def new_run_id(now: datetime | None = None) -> str:
    """UTC time and four random characters, so that run folders sort by time."""
    moment = now or datetime.now(UTC)
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return moment.strftime("%Y%m%d-%H%M%S-") + "".join(secrets.choice(letters) for _ in range(4))


def checked_run_id(run_id: str) -> str:
    """The id itself.

    Raises:
        InputError: it cannot name a run folder.
    """
    if not _RUN_ID.fullmatch(run_id):
        raise InputError(f'"{run_id}" can\'t be a run id: letters, digits, dot, dash and underscore only.')
    if run_id == "latest":
        raise InputError('"latest" can\'t be a run id: it is the name of the newest run; choose another --run-id.')
    return run_id


class RunFolder:
    """One run folder that is being written; closes its files on leaving the `with` block.

    Args:
        out: Folder of the run folders.
        run_id: Its name.
        kept: For a run that goes on, the outputs that it keeps: the folder is there already, and all other records are
            written anew. None: a new run.

    Raises:
        InputError: the folder exists already or cannot be made, or the run id is no file name.
    """

    def __init__(self, out: Path, run_id: str, *, kept: Iterable[Mapping[str, Any]] | None = None) -> None:
        self.path = out / checked_run_id(run_id)
        self.run_id = run_id
        self._streams: dict[Stream, BinaryIO] = {}
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            said = "is a file" if out.is_file() else f"cannot be made: {problem.strerror}"
            raise InputError(f"{shown(out)}: {said}; run folders need a folder (--out).") from problem
        if kept is not None:
            # What a model answered stands in the ledger of calls. In one step, because the run may be killed again.
            write_text(self.path / "outputs.jsonl", b"".join(map(json_line, kept)).decode())
            # With what a kill left half-written.
            for path in (*(self.path / name for name in _WRITTEN_ANEW), *self.path.glob(".*.part")):
                path.unlink(missing_ok=True)
            return
        try:
            self.path.mkdir()
        except FileExistsError:
            raise InputError(f"{shown(self.path)} exists already; choose another --run-id.") from None
        except OSError as problem:
            raise InputError(f"{shown(self.path)}: cannot be made: {problem.strerror}.") from problem

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in self._streams.values():
            stream.close()

    def append(self, stream: Stream, row: Mapping[str, Any], *, safe_from: Safe | None) -> None:
        """Add one record.

        Args:
            safe_from: What the record survives once this returns: the end of this process, also by `kill -9`, or of
                the machine; None: it goes with the next block.
        """
        file = self._streams.get(stream)
        if file is None:
            file = (self.path / f"{stream}.jsonl").open("ab", buffering=_BLOCK)
            self._streams[stream] = file
        file.write(json_line(row))
        if safe_from is not None:
            file.flush()
        if safe_from == "power_loss":
            os.fsync(file.fileno())

    def point_latest(self) -> None:
        """Make `latest` mean this run."""
        write_text(self.path.parent / "latest", self.run_id + "\n")


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The records of one stream; a last line cut short by a kill is left out; a missing file has none.

    Raises:
        InputError: a line is no JSON object.
    """
    if not path.is_file():
        return []
    rows = []
    text = read_whole_lines(path)
    if not text:
        # All that a kill can have cut short is a record; anything else was never written by a run.
        with path.open("rb") as file:
            if file.read(1) not in (b"", b"{"):
                raise InputError(f"{shown(path)}: is damaged: it holds no JSON lines.")
    for line in text.split("\n"):
        if line:
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                raise InputError(f"{shown(path)}: is damaged: a line is not JSON.") from None
            if not isinstance(row, dict):
                raise InputError(f"{shown(path)}: is damaged: a line is no object.")
            rows.append(row)
    return rows


_FIELDS: Mapping[Stream, Mapping[str, type]] = {
    "outputs": {"case_id": str, "variant": str, "trial": int},
    "checks": {"case_id": str, "variant": str, "trial": int, "metric": str},
    "verdicts": {"case_id": str, "variant": str, "trial": int, "rubric": str},
}
"""What says which row of the tables a record belongs to."""


def read_stream(folder: Path, stream: Stream, *, needed: bool) -> list[dict[str, Any]]:
    """The records of one stream of a finished run.

    Args:
        folder: The run folder.
        stream: Which one.
        needed: Whether the tables of the run can't be without them.

    Raises:
        InputError: the file is needed and not there or without records, a line is no JSON object, or a record lacks
            what says where it belongs.
    """
    path = folder / f"{stream}.jsonl"
    if needed and not path.is_file():
        raise InputError(f"{shown(path)}: no such file; the run folder is not whole.")
    rows = read_rows(path)
    if needed and not rows:
        raise InputError(f"{shown(path)}: is damaged: it holds no records.")
    for row in rows:
        for name, kind in _FIELDS[stream].items():
            if name not in row:
                raise InputError(f"{shown(path)}: is damaged: a record lacks {name}.")
            if not isinstance(row[name], kind):
                said = "text" if kind is str else "whole number"
                raise InputError(f"{shown(path)}: is damaged: the {name} of a record is no {said}.")
    return rows


def find_run(run: str | Path, out: Path) -> Path:
    """The folder of a run named by path, id, `latest` or `latest~N`.

    Raises:
        InputError: there is no such run; the message says which there are.
    """
    text = str(run)
    match = re.fullmatch(r"latest(?:~([0-9]{1,6}))?", text)
    if match:
        return _latest(int(match[1] or 0), out)
    for folder in (Path(text), out / text):
        # A name that is too long for any file is no run.
        with suppress(OSError):
            if (folder / "manifest.json").is_file():
                return folder
    known = ", ".join(path.name for path in list_runs(out)[-3:]) or "none"
    raise InputError(f'no run "{text}"; newest in {shown(out)}: {known}.')


def _latest(back: int, out: Path) -> Path:
    pointer = out / "latest"
    if not pointer.is_file():
        raise InputError(f"{shown(out)} holds no run yet: `judgekit score` makes one.")
    latest = out / read_text(pointer).strip()
    if not back:
        if not (latest / "manifest.json").is_file():
            raise InputError(f"{shown(pointer)} names {latest.name}, which is not there.")
        return latest
    earlier = runs_before(latest)
    if len(earlier) < back:
        raise InputError(f"latest~{back}: {shown(out)} holds only {len(earlier)} earlier runs.")
    return earlier[-back]


def runs_before(run: Path) -> list[Path]:
    """What `latest~1`, `latest~2`, … are if `run` is the latest, oldest first.

    A run that was killed is none of them, as there is nothing to show of it, nor is a rerun of a selection.
    """
    runs = [one for one in list_runs(run.parent) if one == run or ((one / "summary.json").is_file() and _moved(one))]
    return runs[: runs.index(run)] if run in runs else runs


def _moved(run: Path) -> bool:
    """Whether `latest` came to mean this run when it ended."""
    with (run / "manifest.json").open(encoding="utf-8", errors="replace") as file:
        return not _SELECTED.search(file.read(_HEAD))


def list_runs(out: Path) -> list[Path]:
    """All run folders, oldest first."""
    if not out.is_dir():
        return []
    dated: list[tuple[str, int, str, Path]] = []
    for folder in out.iterdir():
        manifest = folder / "manifest.json"
        if manifest.is_file():
            with manifest.open(encoding="utf-8", errors="replace") as file:
                match = _STARTED.search(file.read(_HEAD))
            # Several runs may start within a second: then the one that ended last is the latest.
            dated.append((match[1] if match else "", manifest.stat().st_mtime_ns, folder.name, folder))
    return [folder for *_, folder in sorted(dated)]
