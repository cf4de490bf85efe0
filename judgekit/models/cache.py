"""Replies of language models in, the same replies out in later runs: `.judgekit/cache.sqlite`.

A cache saves money and decides nothing: whatever is wrong with its file is said once, and the run goes on without it.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from judgekit.errors import InputError
from judgekit.models.base import Reply
from judgekit.models.cache_file import SIDE_FILES, open_cache
from judgekit.models.encoding import decode_reply, encode_reply
from judgekit.reading.text import shown, without_surrogates

CACHE_FILE = Path(".judgekit/cache.sqlite")
"""Where the cache of a project is, from its root."""

_MEND = "If that lasts, delete the file: it holds copies of replies and nothing else."


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What a cache holds."""

    entries: int
    size_bytes: int
    """Of all its files."""
    models: Mapping[str, int]
    """Replies by model, in the order of the names."""
    oldest: datetime | None
    """None: it is empty."""
    newest: datetime | None


@dataclass(slots=True)
class _Flight:
    """A question that is being asked just now; those who ask the same wait for it."""

    landed: threading.Event = field(default_factory=threading.Event)
    reply: Reply | None = None
    """None until it landed, and after if it failed."""


class ReplyCache:
    """Replies of earlier calls in one SQLite file, safe for threads and for processes in parallel.

    The file is opened by the first question, which also has the folder's `.gitignore` ignore it (and nothing else).
    Each reply is a transaction of its own: it survives `kill -9`. A loss of power may cost the newest ones, never the
    file; what a run has paid for is in its ledger then.

    Args:
        path: The file, such as `.judgekit/cache.sqlite`; it need not exist.
        warn: Told once, in one sentence, when the file can't be used.
        clock: Seconds since 1970 UTC.
        busy_s: How long another process may hold the file.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, ReplyCache(Path(folder, "cache.sqlite")) as cache:
        ...     cache.put("0a1b", "gpt-4o", Reply("Yes."))
        ...     cache.get("0a1b").text, cache.get("ffff"), cache.info().entries
        ('Yes.', None, 1)
    """

    def __init__(
        self,
        path: Path,
        *,
        warn: Callable[[str], None] | None = None,
        clock: Callable[[], float] = time.time,
        busy_s: float = 5.0,
    ) -> None:
        self.path = path
        self._warn = warn or _to_stderr
        self._clock = clock
        self._busy_s = busy_s
        self._db: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._is_off = False
        self._is_read_only = False
        self._flights: dict[str, _Flight] = {}
        self._flights_lock = threading.Lock()

    def __enter__(self) -> ReplyCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; from then on nothing is found and nothing is kept."""
        with self._lock:
            self._is_off = True
            if self._db is not None:
                self._db.close()
                self._db = None

    def reply(
        self, hashed: str, model: str, *, ask: Callable[[], Reply], may_be_kept: Callable[[Reply], bool]
    ) -> Reply:
        """The kept reply, else what `ask` brings, which is kept if it may be.

        A reply that was kept is marked `cached` and costs 0; its tokens and latency are those of the call that brought
        it. Of several threads with the same question one asks and the others wait for it. If it fails, or brings
        nothing that may be kept, then each of them asks for itself, all at once: they wait for one call, never for a
        queue of failing ones.

        Args:
            hashed: `request_hash` of the question.
            model: Name of the model, by which `clear` chooses.
            ask: The call; its errors are the caller's.
            may_be_kept: Whether a reply is complete and readable; one that was kept and is not counts as none.
        """
        with self._flights_lock:
            flight = self._flights.get(hashed)
            leads = flight is None
            if flight is None:
                flight = self._flights[hashed] = _Flight()
        if not leads:
            flight.landed.wait()
            if flight.reply is not None and may_be_kept(flight.reply):
                return _as_hit(flight.reply)
            return self._asked(hashed, model, ask, may_be_kept)
        try:
            kept = self.get(hashed)
            if kept is not None and may_be_kept(kept):
                flight.reply = kept
                return _as_hit(kept)
            flight.reply = self._asked(hashed, model, ask, may_be_kept)
            return flight.reply
        finally:
            with self._flights_lock:
                del self._flights[hashed]
            flight.landed.set()

    def _asked(self, hashed: str, model: str, ask: Callable[[], Reply], may_be_kept: Callable[[Reply], bool]) -> Reply:
        reply = ask()
        if may_be_kept(reply):
            self.put(hashed, model, reply)
        return reply

    def get(self, hashed: str) -> Reply | None:
        """The reply kept under a hash, as it was put; None if there is none."""
        with self._lock:
            db = self._opened()
            if db is None:
                return None
            try:
                row = db.execute("SELECT reply FROM replies WHERE hash = ?", (hashed,)).fetchone()
            except sqlite3.Error as problem:
                self._give_up(str(problem))
                return None
        try:
            return None if row is None else decode_reply(row[0])
        except ValueError:
            # Not written by us, or not by this version: the next reply takes its place.
            return None

    def put(self, hashed: str, model: str, reply: Reply) -> None:
        """Keep a reply under a hash, in the place of an earlier one; it is in the file when this returns."""
        row = (hashed, without_surrogates(model), self._clock(), encode_reply(reply))
        with self._lock:
            db = None if self._is_read_only else self._opened()
            if db is None:
                return
            try:
                db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", row)
            except sqlite3.Error as problem:
                self._is_read_only = True
                self._warn(f"{shown(self.path)}: new replies are not kept for later runs: {problem}.")

    def info(self) -> CacheInfo:
        """What the cache holds; a file that does not exist is not made.

        Raises:
            InputError: the file can't be used.
        """
        with self._lock:
            db = self._existing()
            if db is None:
                return CacheInfo(0, 0, {}, None, None)
            try:
                models = dict(db.execute("SELECT model, count(*) FROM replies GROUP BY model ORDER BY model"))
                oldest, newest = db.execute("SELECT min(made_at), max(made_at) FROM replies").fetchone()
            except sqlite3.Error as problem:
                raise self._unusable(str(problem)) from problem
        files = [self.path.with_name(self.path.name + end) for end in ("", *SIDE_FILES)]
        return CacheInfo(
            entries=sum(models.values()),
            size_bytes=sum(file.stat().st_size for file in files if file.is_file()),
            models=models,
            oldest=None if oldest is None else datetime.fromtimestamp(oldest, UTC),
            newest=None if newest is None else datetime.fromtimestamp(newest, UTC),
        )

    def clear(self, *, model: str | None = None, older_than: timedelta | None = None) -> int:
        """Forget replies and return how many.

        Args:
            model: Only replies of this model; None: of any.
            older_than: Only replies kept longer ago than that; None: whenever.

        Raises:
            InputError: the file can't be used.
        """
        with self._lock:
            db = self._existing()
            if db is None:
                return 0
            latest = None if older_than is None else self._clock() - older_than.total_seconds()
            name = None if model is None else without_surrogates(model)
            try:
                gone = db.execute(
                    "DELETE FROM replies WHERE (:name IS NULL OR model = :name)"
                    " AND (:latest IS NULL OR made_at < :latest)",
                    {"name": name, "latest": latest},
                ).rowcount
            except sqlite3.Error as problem:
                raise self._unusable(str(problem)) from problem
            # Gives the room back to the disk; while another process reads, it stays for later replies.
            with suppress(sqlite3.OperationalError):
                db.execute("VACUUM")
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def _existing(self) -> sqlite3.Connection | None:
        """The open file, or None if there is none to open."""
        if self._db is not None or not self.path.exists():
            return self._db
        try:
            return self._open()
        except (OSError, sqlite3.Error) as problem:
            raise self._unusable(str(problem)) from problem

    def _opened(self) -> sqlite3.Connection | None:
        """The open file, made if need be, or None if the run goes on without it."""
        if self._is_off:
            return None
        try:
            return self._db or self._open()
        except (OSError, sqlite3.Error) as problem:
            self._give_up(str(problem))
            return None

    def _open(self) -> sqlite3.Connection:
        db = open_cache(self.path, self._busy_s)
        # Also for those who never say close(): an open file at the end of the process is a warning.
        weakref.finalize(self, db.close)
        self._db = db
        return db

    def _give_up(self, why: str) -> None:
        self._is_off = True
        self._warn(f"{shown(self.path)}: goes unused in this run: {why}. {_MEND}")

    def _unusable(self, why: str) -> InputError:
        return InputError(f"{shown(self.path)}: can't be used as a cache of replies: {why}. {_MEND}")


def _as_hit(reply: Reply) -> Reply:
    return replace(reply, cached=True, cost_usd=0.0)


def _to_stderr(text: str) -> None:
    print(f"warning: {text}", file=sys.stderr)
