"""A path in, the opened SQLite file of the reply cache out: made if need be, ignored by git, and seen to be ours."""

from __future__ import annotations

import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from judgekit.errors import InputError
from judgekit.reading.text import read_text
from judgekit.writing import write_text

_VERSION = 1
_RETRY_S = 0.02
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_UNWRITABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
SIDE_FILES = ("-wal", "-shm", "-journal")
"""Ends of the names of the files that SQLite puts beside the cache."""

_TABLE = """
CREATE TABLE replies (
    hash TEXT PRIMARY KEY,    -- request_hash
    model TEXT NOT NULL,      -- as the user named it
    made_at REAL NOT NULL,    -- seconds since 1970 UTC
    reply TEXT NOT NULL       -- encode_reply
)
"""


def open_cache(path: Path, busy_s: float) -> sqlite3.Connection:
    """The open file with its table `replies(hash, model, made_at, reply)`; statements commit by themselves.

    Where nothing can be written, what is there can still be read; each statement that writes then fails.

    Args:
        path: The file; it and its folder need not exist.
        busy_s: How long to wait for another process that holds the file.

    Raises:
        OSError: the folder can't be made.
        sqlite3.Error: the file can't be opened, is held, or is no cache of this version.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _ignore_in_git(path)
    try:
        return _connected(path, busy_s)
    except sqlite3.OperationalError as problem:
        # Even to read it, SQLite makes files beside a file in WAL mode; a log that is there already can't be left out.
        has_log = path.with_name(f"{path.name}-wal").exists()
        if problem.sqlite_errorcode & 0xFF not in _UNWRITABLE or has_log or not path.is_file():
            raise
    return _connected(f"{path.absolute().as_uri()}?mode=ro&immutable=1", busy_s)


def _connected(place: Path | str, busy_s: float) -> sqlite3.Connection:
    """The open file at a path or address."""
    is_uri = isinstance(place, str)
    db = sqlite3.connect(place, timeout=busy_s, isolation_level=None, check_same_thread=False, uri=is_uri)
    try:
        _prepare(db, time.monotonic() + busy_s)
    except BaseException:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, deadline: float) -> None:
    """Make the table in an empty file, and see that it is ours in any other."""
    while True:
        try:
            if _version(db) == 0:
                # Readers and one writer do not wait for each other.
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("BEGIN IMMEDIATE")
                if _version(db) == 0:
                    db.execute(_TABLE)
                    db.execute(f"PRAGMA user_version = {_VERSION}")
                db.execute("COMMIT")
            break
        except sqlite3.OperationalError as problem:
            if db.in_transaction:
                db.execute("ROLLBACK")
            # SQLite does not wait by itself where two processes switch a new file to WAL.
            if problem.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(_RETRY_S)
    if _version(db) != _VERSION:
        raise sqlite3.DatabaseError("it was written by another version of judgekit")
    # With WAL a commit outlives the process without a sync, which would cost more than the rest of the call.
    db.execute("PRAGMA synchronous = NORMAL")


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _ignore_in_git(path: Path) -> None:
    """Have git ignore the cache, and only that: what else judgekit keeps in the folder is to be committed."""
    file = path.parent / ".gitignore"
    lines = [f"/{path.name}{end}" for end in ("", *SIDE_FILES)]
    # A read-only folder is no reason to go without the replies that it holds.
    with suppress(OSError, InputError):
        said = read_text(file) if file.is_file() else "# Copies of model replies; the rest of this folder is for git.\n"
        missing = [line for line in lines if line not in said.splitlines()]
        if missing:
            end = "" if said.endswith("\n") else "\n"
            write_text(file, said + end + "".join(f"{line}\n" for line in missing))
