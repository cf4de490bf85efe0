"""A file of replies that many may use at once, and that never costs a run anything when it is broken."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judgekit.errors import InputError, ModelError
from judgekit.models.base import Reply
from judgekit.models.cache import ReplyCache
from judgekit.records import ToolCall, Usage

FULL = Reply(
    "4",
    tool_calls=(ToolCall("search", {"q": "a"}, "call_1"),),
    finish_reason="tool_calls",
    reasoning="because",
    usage=Usage(100, 20, 40, 5),
    cost_usd=0.002,
    latency_s=1.5,
    model_returned="gpt-4o-2024-08-06",
    params_applied={"temperature": 0},
    raw={"content": "4", "logprobs": [-0.1]},
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".judgekit" / "cache.sqlite"


@pytest.fixture
def warned() -> list[str]:
    return []


@pytest.fixture
def cache(path: Path, warned: list[str]) -> Iterator[ReplyCache]:
    with ReplyCache(path, warn=warned.append, busy_s=0.1) as one:
        yield one


def always(_: Reply) -> bool:
    return True


class Asked:
    """What stands in for a call: gives these results one after the other, and counts."""

    def __init__(self, *results: Reply | Exception) -> None:
        self._results = list(results)
        self.count = 0

    def __call__(self) -> Reply:
        self.count += 1
        result = self._results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


# ------------------------------------------------------------------------------------------------------ what is kept


def test_a_reply_is_kept_whole_for_later_runs(path: Path) -> None:
    with ReplyCache(path) as first:
        first.put("k", "gpt-4o", FULL)
    with ReplyCache(path) as later:
        assert later.get("k") == FULL


def test_a_hit_costs_nothing_is_marked_and_tells_how_long_the_call_took(cache: ReplyCache) -> None:
    cache.put("k", "gpt-4o", FULL)
    hit = cache.reply("k", "gpt-4o", ask=Asked(), may_be_kept=always)
    assert (hit.cached, hit.cost_usd, hit.latency_s, hit.usage) == (True, 0, FULL.latency_s, FULL.usage)


def test_a_miss_is_asked_and_given_as_it_is(cache: ReplyCache) -> None:
    assert cache.reply("k", "gpt-4o", ask=Asked(FULL), may_be_kept=always) is FULL


def test_what_may_not_be_kept_is_asked_again(cache: ReplyCache) -> None:
    ask = Asked(Reply("no idea"), Reply("4"))
    said = [cache.reply("k", "m", ask=ask, may_be_kept=lambda reply: reply.text == "4").text for _ in range(3)]
    assert (said, ask.count) == (["no idea", "4", "4"], 2)


def test_a_kept_reply_that_is_no_longer_readable_is_replaced(cache: ReplyCache) -> None:
    cache.put("k", "m", Reply("no idea"))
    cache.reply("k", "m", ask=Asked(Reply("4")), may_be_kept=lambda reply: reply.text == "4")
    assert cache.get("k") == Reply("4")


def test_nothing_is_made_before_the_first_question(path: Path) -> None:
    with ReplyCache(path) as cache:
        assert cache.info().entries == 0
    assert not path.parent.exists()


def test_git_ignores_the_cache_and_nothing_else_of_the_folder(path: Path, cache: ReplyCache) -> None:
    cache.put("k", "m", FULL)
    (path.parent / "trust").mkdir()
    (path.parent / "trust" / "tone.json").write_text("{}", encoding="utf-8")
    folder = path.parents[1]
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    told = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=folder, check=True, capture_output=True, text=True
    )
    assert path.with_name("cache.sqlite-wal").exists()
    assert told.stdout.split() == ["??", ".judgekit/.gitignore", "??", ".judgekit/trust/tone.json"]


def test_a_gitignore_that_is_there_is_added_to(path: Path, cache: ReplyCache) -> None:
    path.parent.mkdir()
    file = path.parent / ".gitignore"
    file.write_text("/mine\n/cache.sqlite", encoding="utf-8")
    cache.put("k", "m", FULL)
    said = "/mine\n/cache.sqlite\n/cache.sqlite-wal\n/cache.sqlite-shm\n/cache.sqlite-journal\n"
    assert file.read_text(encoding="utf-8") == said


def test_a_closed_cache_finds_and_keeps_nothing(path: Path, warned: list[str]) -> None:
    cache = ReplyCache(path, warn=warned.append)
    cache.put("k", "m", FULL)
    cache.close()
    cache.put("l", "m", FULL)
    assert (cache.get("k"), warned) == (None, [])


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "'; DROP TABLE replies; --", ""], ids=ascii)
def test_any_name_of_a_model_will_do(cache: ReplyCache, warned: list[str], name: str) -> None:
    cache.put("k", name, FULL)
    assert (cache.get("k"), cache.clear(model=name), warned) == (FULL, 1, [])


# ----------------------------------------------------------------------------------------- the same question at once


def at_once(*work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=one, daemon=True) for one in work]
    for one in threads:
        one.start()
    for one in threads:
        one.join(10)
    assert not any(one.is_alive() for one in threads)


class Slow(Asked):
    """Answers once `others` more threads wait for the same question, so that they do meet."""

    def __init__(self, cache: ReplyCache, others: int, *results: Reply | Exception) -> None:
        super().__init__(*results)
        self._all_here = threading.Barrier(others + 1)

    def arrive(self) -> None:
        self._all_here.wait(5)

    def __call__(self) -> Reply:
        first = self.count == 0
        if first:
            self.count += 1
            self._all_here.wait(5)
            self.count -= 1
            # They are past the barrier; this gives them the time to line up.
            threading.Event().wait(0.05)
        return super().__call__()


def ask_together(cache: ReplyCache, threads: int, ask: Slow) -> list[Reply | ModelError]:
    got: list[Reply | ModelError] = []
    leading = threading.Event()

    def leader_ask() -> Reply:
        leading.set()
        return ask()

    def take(call: Callable[[], Reply]) -> None:
        try:
            got.append(cache.reply("k", "m", ask=call, may_be_kept=lambda reply: reply.text == "4"))
        except ModelError as problem:
            got.append(problem)

    def follow() -> None:
        leading.wait(5)
        ask.arrive()
        take(ask)

    at_once(lambda: take(leader_ask), *[follow] * (threads - 1))
    return got


def test_the_same_question_at_the_same_time_is_asked_once(cache: ReplyCache) -> None:
    ask = Slow(cache, 3, Reply("4", cost_usd=0.1))
    got = ask_together(cache, 4, ask)
    assert ask.count == 1
    assert sorted((one.cost_usd, one.cached) for one in got if isinstance(one, Reply)) == [(0, True)] * 3 + [
        (0.1, False)
    ]


def test_those_who_waited_for_a_call_that_failed_ask_for_themselves(cache: ReplyCache) -> None:
    ask = Slow(cache, 2, ModelError("no"), Reply("4"), Reply("4"))
    got = ask_together(cache, 3, ask)
    assert ask.count == 3
    assert sum(isinstance(one, ModelError) for one in got) == 1


def test_an_unreadable_reply_is_not_shared(cache: ReplyCache) -> None:
    ask = Slow(cache, 1, Reply("no idea"), Reply("4"))
    got = ask_together(cache, 2, ask)
    assert sorted(one.text or "" for one in got if isinstance(one, Reply)) == ["4", "no idea"]


def test_the_same_question_at_the_same_time_is_asked_once_without_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with ReplyCache(tmp_path / "file" / "cache.sqlite", warn=lambda text: None) as cache:
        ask = Slow(cache, 1, Reply("4"))
        ask_together(cache, 2, ask)
    assert ask.count == 1


def test_threads_share_one_cache(cache: ReplyCache, warned: list[str]) -> None:
    def work(name: str) -> None:
        for number in range(50):
            cache.put(f"{name}{number}", name, FULL)
            assert cache.get(f"{name}{number}") == FULL

    at_once(*[lambda name=name: work(name) for name in "abcd"])  # type: ignore[misc]
    assert (cache.info().models, warned) == ({"a": 50, "b": 50, "c": 50, "d": 50}, [])


WRITER = """
import sys
from pathlib import Path
from judgekit.models.base import Reply
from judgekit.models.cache import ReplyCache

name, path = sys.argv[1:]
sys.stdin.read()
with ReplyCache(Path(path)) as cache:
    for number in range(100):
        cache.put(f"{name}-{number}", name, Reply(f"{name} {number}"))
        cache.put(f"both-{number}", "both", Reply("both"))
        assert cache.get(f"{name}-{number}").text == f"{name} {number}"
"""


def test_processes_share_one_file_from_its_first_moment(path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, str(path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for name in "abcd"
    ]
    for one in writers:
        assert one.stdin is not None
        one.stdin.close()
        one.stdin = None
    assert [one.communicate(timeout=60)[1] for one in writers] == [""] * 4
    with ReplyCache(path) as cache:
        assert cache.info().models == {"a": 100, "b": 100, "both": 100, "c": 100, "d": 100}


def test_a_file_that_another_process_is_just_making_is_waited_for(path: Path, warned: list[str]) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        # While another writes, SQLite refuses to switch the file to WAL, at once and without the usual waiting.
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.1, other.execute, ["COMMIT"]).start()
        with ReplyCache(path, warn=warned.append) as cache:
            cache.put("k", "m", FULL)
            assert (cache.get("k"), warned) == (FULL, [])


# -------------------------------------------------------------------------------------- whatever is wrong with a file


def ask_twice(cache: ReplyCache) -> int:
    """How many calls two runs of the same question need."""
    ask = Asked(Reply("4"), Reply("4"))
    for _ in range(2):
        assert cache.reply("k", "m", ask=ask, may_be_kept=always).text == "4"
    return ask.count


def filled(path: Path, entries: int) -> None:
    with ReplyCache(path) as cache:
        for number in range(entries):
            cache.put(f"{number:05}", "m", Reply("x" * 500))


def garbage(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def damaged_pages(path: Path) -> None:
    filled(path, 200)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 4096))


def cut_short(path: Path) -> None:
    filled(path, 200)
    os.truncate(path, path.stat().st_size // 2)


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE replies (text)")


def later_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("harm", [garbage, damaged_pages, cut_short, foreign, later_version, folder])
def test_a_broken_file_is_said_once_and_done_without(
    path: Path, cache: ReplyCache, warned: list[str], harm: Callable[[Path], None]
) -> None:
    path.parent.mkdir()
    harm(path)
    assert ask_twice(cache) == 2
    assert len(warned) == 1
    assert "cache.sqlite: " in warned[0]


@pytest.mark.parametrize("harm", [garbage, damaged_pages, foreign, later_version, folder])
def test_a_broken_file_is_a_mistake_where_it_is_asked_about(
    path: Path, cache: ReplyCache, harm: Callable[[Path], None]
) -> None:
    path.parent.mkdir()
    harm(path)
    with pytest.raises(InputError, match=r"cache.sqlite: can't be used as a cache of replies: .* delete the file"):
        cache.info()


def test_a_broken_file_is_left_as_it_is(path: Path, cache: ReplyCache) -> None:
    path.parent.mkdir()
    garbage(path)
    before = path.read_bytes()
    ask_twice(cache)
    assert path.read_bytes() == before


def test_an_empty_file_becomes_a_cache(path: Path, cache: ReplyCache, warned: list[str]) -> None:
    path.parent.mkdir()
    path.touch()
    assert (ask_twice(cache), warned) == (1, [])


def test_an_entry_that_is_no_reply_is_asked_again(path: Path, cache: ReplyCache, warned: list[str]) -> None:
    cache.put("k", "m", FULL)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE replies SET reply = '{}'")
    assert (ask_twice(cache), warned) == (1, [])


def test_a_file_that_another_process_holds_is_read_and_not_written(
    path: Path, cache: ReplyCache, warned: list[str]
) -> None:
    cache.put("old", "m", FULL)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert ask_twice(cache) == 2
        assert cache.get("old") == FULL
    assert len(warned) == 1
    assert "new replies are not kept for later runs: database is locked" in warned[0]


def test_a_file_in_the_place_of_the_folder_is_done_without(tmp_path: Path, warned: list[str]) -> None:
    (tmp_path / ".judgekit").touch()
    with ReplyCache(tmp_path / ".judgekit" / "cache.sqlite", warn=warned.append) as cache:
        assert ask_twice(cache) == 2
    assert len(warned) == 1


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder, while this process is nobody in particular: root may write everywhere."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs POSIX permissions")
    folder = Path(tempfile.mkdtemp())
    root = os.geteuid() == 0
    try:
        folder.chmod(0o755)
        if root:
            os.chown(folder, 65534, 65534)
            os.seteuid(65534)
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_read_only_folder_is_done_without(as_nobody: Path, warned: list[str]) -> None:
    as_nobody.chmod(0o555)
    with ReplyCache(as_nobody / ".judgekit" / "cache.sqlite", warn=warned.append) as cache:
        assert ask_twice(cache) == 2
    assert len(warned) == 1


def test_a_read_only_file_gives_what_it_holds(as_nobody: Path, warned: list[str]) -> None:
    path = as_nobody / "cache.sqlite"
    with ReplyCache(path) as cache:
        cache.put("old", "m", FULL)
    path.chmod(0o444)
    with ReplyCache(path, warn=warned.append) as cache:
        assert ask_twice(cache) == 2
        assert cache.get("old") == FULL
    assert len(warned) == 1


def test_a_read_only_file_in_a_read_only_folder_gives_what_it_holds(as_nobody: Path, warned: list[str]) -> None:
    # Such as a cache that a CI job restores, or that a container mounts.
    path = as_nobody / "a cache?.sqlite"
    with ReplyCache(path) as cache:
        cache.put("old", "m", FULL)
    path.chmod(0o444)
    as_nobody.chmod(0o555)
    with ReplyCache(path, warn=warned.append) as cache:
        assert cache.get("old") == FULL
        assert cache.info().entries == 1
        assert warned == []
        assert ask_twice(cache) == 2
    assert [one.split(": ")[1] for one in warned] == ["new replies are not kept for later runs"]


def test_a_read_only_file_whose_log_is_not_merged_is_done_without(as_nobody: Path, warned: list[str]) -> None:
    path = as_nobody / "cache.sqlite"
    with ReplyCache(path) as cache:
        cache.put("old", "m", FULL)
    # Without its log the file may hold less than was kept, or pages that do not fit each other.
    (as_nobody / "cache.sqlite-wal").write_bytes(b"x" * 4152)
    for file in as_nobody.iterdir():
        file.chmod(0o444)
    as_nobody.chmod(0o555)
    with ReplyCache(path, warn=warned.append) as cache:
        assert cache.get("old") is None
    assert len(warned) == 1


def test_warnings_go_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cache.sqlite").mkdir()
    with ReplyCache(tmp_path / "cache.sqlite") as cache:
        cache.get("k")
    assert capsys.readouterr().err.startswith("warning: ")


# ------------------------------------------------------------------------------------------------- looking and clearing


@pytest.fixture
def aged(path: Path) -> Iterator[ReplyCache]:
    """Replies of two models, kept on the first, second and third of January 2026."""
    now = [0.0]
    with ReplyCache(path, clock=lambda: now[0]) as cache:
        for day in (1, 2, 3):
            now[0] = datetime(2026, 1, day, tzinfo=UTC).timestamp()
            cache.put(f"a{day}", "gpt-4o", FULL)
        cache.put("b3", "mini", FULL)
        yield cache


def test_info_says_what_is_kept(aged: ReplyCache, path: Path) -> None:
    info = aged.info()
    assert (info.entries, info.models) == (4, {"gpt-4o": 3, "mini": 1})
    assert (info.oldest, info.newest) == (datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 3, tzinfo=UTC))
    assert info.size_bytes >= path.stat().st_size > 0


@pytest.mark.parametrize(
    ("model", "older_than", "kept"),
    [
        (None, None, []),
        ("mini", None, ["a1", "a2", "a3"]),
        ("gpt", None, ["a1", "a2", "a3", "b3"]),
        (None, timedelta(days=1), ["a2", "a3", "b3"]),
        ("gpt-4o", timedelta(0), ["a3", "b3"]),
        ("mini", timedelta(days=1), ["a1", "a2", "a3", "b3"]),
    ],
)
def test_clear_forgets_what_fits(
    aged: ReplyCache, model: str | None, older_than: timedelta | None, kept: list[str]
) -> None:
    gone = aged.clear(model=model, older_than=older_than)
    assert ([name for name in ("a1", "a2", "a3", "b3") if aged.get(name)], gone) == (kept, 4 - len(kept))


def test_clear_gives_the_room_back(path: Path) -> None:
    filled(path, 500)
    before = path.stat().st_size
    with ReplyCache(path) as cache:
        cache.clear()
        assert cache.info().size_bytes < before / 5


def test_clear_of_nothing_makes_nothing(path: Path) -> None:
    with ReplyCache(path) as cache:
        assert cache.clear() == 0
    assert not path.parent.exists()
