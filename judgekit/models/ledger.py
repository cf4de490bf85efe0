"""Paid replies in, on the disk before they count; a resumed run gets them again: `calls.jsonl` of a run folder.

One line is one finished call: `hash` (of the request), `case_id, role, rubric, variant, trial, sample, repair`, and
`reply`, or `error` where the answer was none and would not change; `at_most_usd` where the cost is not known.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.base import CallKey, Reply
from judgekit.models.encoding import encode_reply, reply_from
from judgekit.reading.text import shown

FINAL_CAUSES = frozenset(("content_filter",))
"""Failures that are answers: asked again, the provider would say and charge the same. Others are asked again."""

Slot = tuple[str, CallKey]


class Ledger:
    """The finished calls of one run: what the file holds already is given again, what is new is added.

    A reply belongs to its request and to whoever asked (case, role, rubric, variant, trial, sample, repair), so it
    returns to the same row in whatever order threads ask; of identical calls the first gets the first reply. A last
    line cut short by a kill never counted and is cut off; any other line that can't be read costs its call, with a
    warning.

    Args:
        path: The file; it need not exist.
        warn: Told, in one sentence, of lines that can't be read.

    Raises:
        InputError: the file exists and can't be read.

    Example:
        >>> import tempfile
        >>> key = CallKey("a", "judge", "tone")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "calls.jsonl")
        ...     with Ledger(path) as killed:
        ...         killed.add("0a1b", key, Reply("Yes.", cost_usd=0.01))
        ...     with Ledger(path) as resumed:
        ...         resumed.spent_usd, resumed.recall("0a1b", key).text, resumed.recall("0a1b", key)
        (0.01, 'Yes.', None)
    """

    def __init__(self, path: Path, *, warn: Callable[[str], None] | None = None) -> None:
        self.path = path
        self._warn = warn or _to_stderr
        self._kept: dict[Slot, deque[Reply | ModelError]] = defaultdict(deque)
        self._spent: list[float] = []
        self._cut_at: int | None = None
        self._file: FileIO | None = None
        self._failure = ""
        self._lock = threading.Lock()
        self._sync_lock = threading.Lock()
        self._written = 0
        self._synced = 0
        self._load()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a reply that arrives later, after an interrupt, opens it once more."""
        with self._sync_lock, self._lock:
            file, self._file = self._file, None
            if file is None:
                return
            with file:
                if self._synced < self._written:
                    self._to_disk(file)
                self._synced = self._written

    @property
    def spent_usd(self) -> float:
        """What the calls cost that the file held when it was opened; an unknown cost counts as the most it may be."""
        return math.fsum(self._spent)

    def recall(self, hashed: str, key: CallKey) -> Reply | None:
        """The reply of this finished call, exactly as it was; None if the call is still to be made.

        Raises:
            ModelError: the call was finished by an error of FINAL_CAUSES.
        """
        with self._lock:
            waiting = self._kept.get((hashed, key))
            again = waiting.popleft() if waiting else None
        if isinstance(again, ModelError):
            raise again
        return again

    def add(self, hashed: str, key: CallKey, result: Reply | ModelError, *, at_most_usd: float | None = None) -> None:
        """Write one finished call; it is on the disk when this returns.

        Args:
            hashed: `request_hash` of the request.
            key: Who asked.
            result: The reply, or an error of FINAL_CAUSES.
            at_most_usd: What the call may have cost, where its cost is not known.

        Raises:
            RunStopped: the disk takes no more; a run must not pay for what it can't keep.
        """
        line = _line(hashed, key, result, at_most_usd)
        with self._lock:
            if self._failure:
                raise RunStopped(self._failure)
            try:
                self._write(line)
            except OSError as problem:
                self._failure = self._unwritable(problem)
                raise RunStopped(self._failure) from problem
            self._written += 1
            number = self._written
        self._sync(number)

    def _write(self, line: bytes) -> None:
        if self._file is None:
            self._file = self._open()
        rest = memoryview(line)
        while rest:
            rest = rest[self._file.write(rest) :]

    def _sync(self, number: int) -> None:
        # One sync serves all lines written before it began, so fifty calls at a time do not queue for fifty syncs.
        with self._sync_lock:
            with self._lock:
                written, file = self._written, self._file
            if self._synced < number and file is not None:
                self._to_disk(file)
                self._synced = written

    def _to_disk(self, file: FileIO) -> None:
        try:
            os.fsync(file.fileno())
        except OSError as problem:
            self._failure = self._unwritable(problem)
            raise RunStopped(self._failure) from problem

    def _open(self) -> FileIO:
        file = FileIO(self.path, "a")
        if self._cut_at is not None:
            file.truncate(self._cut_at)
            self._cut_at = None
        # The file's name has to outlast a loss of power too; where folders can't be synced the system sees to it.
        with suppress(OSError):
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        return file

    def _load(self) -> None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as problem:
            raise InputError(f"{shown(self.path)}: cannot be read: {problem.strerror}.") from problem
        self._cut_at = data.rfind(b"\n") + 1
        damaged = []
        for number, line in enumerate(data[: self._cut_at].split(b"\n")[:-1], start=1):
            try:
                slot, result, cost = _parsed(line)
                self._kept[slot].append(result)
            except (ValueError, TypeError, KeyError, RecursionError):
                damaged.append(number)
                continue
            self._spent.append(cost)
        if damaged:
            lines = ", ".join(map(str, damaged[:5])) + ("…" if len(damaged) > 5 else "")
            self._warn(f"{shown(self.path)}: {len(damaged)} damaged (line {lines}): these calls are made again.")

    def _unwritable(self, problem: OSError) -> str:
        return (
            f"{shown(self.path)}: cannot be written: {problem.strerror}. The run stops here, because further replies "
            "would be paid for and lost; --resume goes on when there is room."
        )


def _line(hashed: str, key: CallKey, result: Reply | ModelError, at_most_usd: float | None) -> bytes:
    head: dict[str, Any] = {
        "hash": hashed,
        "case_id": key.case_id,
        "role": key.role,
        "rubric": key.rubric,
        "variant": key.variant,
        "trial": key.trial,
        "sample": key.sample,
        "repair": key.repair,
        **({"against": key.against, "order": key.order} if key.order else {}),
        **({"item": key.item} if key.item else {}),
        **({"step": key.step} if key.step != "verdict" else {}),
    }
    if at_most_usd is not None:
        head["at_most_usd"] = at_most_usd
    if isinstance(result, ModelError):
        said = json.dumps({"cause": result.cause, "message": str(result)})
        body = f'"error":{said}'
    else:
        body = f'"reply":{encode_reply(result)}'
    return f"{json.dumps(head)[:-1]},{body}}}\n".encode("ascii")


def _parsed(line: bytes) -> tuple[Slot, Reply | ModelError, float]:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("not a call")
    hashed, at_most_usd = row.pop("hash"), row.pop("at_most_usd", None)
    error, reply = row.pop("error", None), row.pop("reply", None)
    key = CallKey(**row)
    if error is not None:
        return (hashed, key), ModelError(error["message"], error["cause"]), float(at_most_usd or 0)
    result = reply_from(reply)
    cost = at_most_usd if result.cost_usd is None else result.cost_usd
    return (hashed, key), result, float(cost or 0)


def _to_stderr(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr)
