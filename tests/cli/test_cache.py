"""`judgekit cache`: what is kept of models' replies, and forgetting it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from judgekit.models.base import Reply
from judgekit.models.cache import CACHE_FILE, ReplyCache


@pytest.fixture
def filled(folder: Path) -> None:
    with ReplyCache(folder / CACHE_FILE, clock=lambda: datetime(2026, 1, 2, 3, 4, tzinfo=UTC).timestamp()) as cache:
        for number in range(1200):
            cache.put(f"old{number}", "gpt-4o", Reply("Yes."))
    with ReplyCache(folder / CACHE_FILE) as cache:
        cache.put("new", "\x1b[31mmini", Reply("Yes."))


def test_info_shows_how_much_is_kept_and_of_which_models(cli, filled):
    done = cli("cache", "info")

    assert done.code == 0
    assert done.lines[:2] == ["cache    .judgekit/cache.sqlite", "replies  1,201"]
    assert done.lines[2].startswith("size     0.")
    assert done.lines[3].startswith("kept     2026-01-02 03:04 to ")
    assert done.lines[4:] == ["model    mini: 1", "model    gpt-4o: 1,200"]


def test_info_without_a_cache_makes_none(cli):
    done = cli("cache", "info")

    assert (done.code, done.lines) == (0, ["cache    .judgekit/cache.sqlite", "replies  0", "size     0.0 MB"])
    assert not Path(".judgekit").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "1,201 replies removed, 0 kept"),
        (("--model", "gpt-4o"), "1,200 replies removed, 1 kept"),
        (("--older-than", "1"), "1,200 replies removed, 1 kept"),
        (("--older-than", "1", "--model", "\x1b[31mmini"), "0 replies removed, 1,201 kept"),
        (("--older-than", "0", "--model", "\x1b[31mmini"), "1 reply removed, 1,200 kept"),
    ],
)
def test_clear_forgets_what_fits_every_option(cli, filled, options, said):
    done = cli("cache", "clear", *options)

    assert (done.code, done.lines, done.err) == (0, [said], "")


def test_clear_of_an_unknown_model_says_which_may_be_meant(cli, filled):
    done = cli("cache", "clear", "--model", "gpt4o")

    assert done.lines == ["0 replies removed, 1,201 kept"]
    assert done.err == 'nothing is kept of gpt4o. Did you mean "gpt-4o"?\n'


def test_the_cache_is_the_project_s_from_every_folder_of_it(cli, filled, monkeypatch):
    Path("judgekit.yaml").touch()
    Path("below").mkdir()
    monkeypatch.chdir("below")

    assert cli("cache", "info").lines[1] == "replies  1,201"


@pytest.mark.parametrize("days", ["-1", "soon", "nan", "0.5", "1000000000"])
def test_days_that_are_no_number_of_days_are_refused(cli, days):
    assert cli("cache", "clear", "--older-than", days).code == 2


def test_a_broken_cache_is_named_with_what_to_do(cli):
    CACHE_FILE.parent.mkdir()
    CACHE_FILE.write_bytes(b"no database" * 1000)

    done = cli("cache", "clear")

    assert done.code == 2
    assert done.err == (
        "error: .judgekit/cache.sqlite: can't be used as a cache of replies: file is not a database. "
        "If that lasts, delete the file: it holds copies of replies and nothing else.\n"
    )


def test_without_a_command_its_help_is_shown(cli):
    done = cli("cache")

    assert done.code == 2
    assert "clear" in done.out + done.err
