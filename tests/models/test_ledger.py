"""What was paid for is on the disk, and a resumed run gets it again."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from judgekit.errors import InputError, ModelError, RunStopped
from judgekit.models.base import CallKey, Reply
from judgekit.models.ledger import Ledger
from judgekit.records import Usage

KEY = CallKey("a", "judge", "tone")
PAID = Reply("4", usage=Usage(100, 20), cost_usd=0.002, latency_s=1.5, params_applied={"temperature": 0})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "calls.jsonl"


def write(path: Path, *calls: tuple[CallKey, Reply | ModelError]) -> None:
    with Ledger(path) as ledger:
        for key, result in calls:
            ledger.add("h", key, result)


def test_a_reply_is_in_the_file_when_it_is_given(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.add("h", KEY, PAID)
        assert json.loads(path.read_bytes())["reply"]["text"] == "4"


def test_a_resumed_run_gets_a_reply_exactly_as_it_was(path: Path) -> None:
    write(path, (KEY, PAID))
    with Ledger(path) as resumed:
        assert resumed.recall("h", KEY) == PAID


def test_an_unreadable_reply_was_paid_for_too(path: Path) -> None:
    cut = replace(PAID, text="\ud83d Becau", finish_reason="length")
    write(path, (KEY, cut))
    with Ledger(path) as resumed:
        assert resumed.recall("h", KEY) == cut


def test_a_reply_is_given_again_once(path: Path) -> None:
    write(path, (KEY, PAID))
    with Ledger(path) as resumed:
        assert [resumed.recall("h", KEY), resumed.recall("h", KEY)] == [PAID, None]


def test_identical_calls_get_their_replies_in_the_order_they_had(path: Path) -> None:
    write(path, (KEY, Reply("first")), (KEY, Reply("second")))
    with Ledger(path) as resumed:
        resumed.add("h", KEY, Reply("third"))
    with Ledger(path) as again:
        said = [reply.text for _ in range(3) if (reply := again.recall("h", KEY))]
    assert said == ["first", "second", "third"]


def test_the_run_itself_never_gets_its_own_replies_back(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.add("h", KEY, PAID)
        assert ledger.recall("h", KEY) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(KEY, case_id="b"),
        replace(KEY, role="target"),
        replace(KEY, rubric="clarity"),
        replace(KEY, variant="v2"),
        replace(KEY, trial=1),
        replace(KEY, sample=1),
        replace(KEY, repair=True),
    ],
    ids=str,
)
def test_a_reply_returns_to_whoever_asked(path: Path, other: CallKey) -> None:
    write(path, (other, Reply("theirs")), (KEY, PAID))
    with Ledger(path) as resumed:
        assert (resumed.recall("h", KEY), resumed.recall("h", other)) == (PAID, Reply("theirs"))


def test_a_changed_request_is_asked_anew(path: Path) -> None:
    write(path, (KEY, PAID))
    with Ledger(path) as resumed:
        assert resumed.recall("other hash", KEY) is None


def test_an_error_that_would_not_change_is_given_again(path: Path) -> None:
    write(path, (KEY, ModelError("stopped by the filter", "content_filter")))
    with Ledger(path) as resumed, pytest.raises(ModelError, match="stopped by the filter") as caught:
        resumed.recall("h", KEY)
    assert caught.value.cause == "content_filter"


def test_what_the_calls_cost_is_known_to_a_resumed_run(path: Path) -> None:
    with Ledger(path) as ledger:
        ledger.add("h", KEY, PAID)
        ledger.add("h", KEY, replace(PAID, cost_usd=None), at_most_usd=0.25)
        ledger.add("h", KEY, replace(PAID, cost_usd=None))
        ledger.add("h", KEY, ModelError("stopped", "content_filter"), at_most_usd=0.5)
    with Ledger(path) as resumed:
        assert resumed.spent_usd == pytest.approx(0.002 + 0.25 + 0.5)


def test_half_a_last_line_never_counted(path: Path) -> None:
    write(path, (KEY, PAID))
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole + whole[:length])
        with Ledger(path) as resumed:
            assert [resumed.recall("h", KEY), resumed.recall("h", KEY)] == [PAID, None]


def test_the_line_after_half_a_line_is_whole(path: Path) -> None:
    write(path, (KEY, PAID))
    path.write_bytes(path.read_bytes()[:-20])
    write(path, (KEY, Reply("second")))
    with Ledger(path) as resumed:
        assert resumed.recall("h", KEY) == Reply("second")


def test_looking_at_a_ledger_changes_nothing(path: Path) -> None:
    path.write_bytes(b'{"hash": "h", "ca')
    Ledger(path).close()
    assert path.read_bytes() == b'{"hash": "h", "ca'


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\x00\x00\x00",
        b"\xff",
        b"",
        b"[]",
        b"null",
        b'{"hash": "h"}',
        b'{"hash": "h", "case_id": [], "role": "judge", "error": {"cause": "x", "message": "y"}}',
        b'{"hash": "h", "case_id": "a", "role": "judge", "reply": {"text": "4"}}',
        b'{"hash": "h", "case_id": "a", "role": "judge", "colour": "red", "reply": null}',
        b"[" * 100_000,
    ],
    ids=lambda line: line[:70].decode("latin-1"),
)
def test_a_damaged_line_costs_only_its_own_call(path: Path, line: bytes) -> None:
    write(path, (KEY, PAID))
    path.write_bytes(line + b"\n" + path.read_bytes())
    warned: list[str] = []
    with Ledger(path, warn=warned.append) as resumed:
        assert resumed.recall("h", KEY) == PAID
    assert len(warned) == 1
    assert "1 damaged (line 1): these calls are made again" in warned[0]


def test_a_ledger_that_cannot_be_read_is_a_mistake_before_anything_is_asked(path: Path) -> None:
    path.mkdir()
    with pytest.raises(InputError, match=r"calls\.jsonl: cannot be read"):
        Ledger(path)


def test_a_run_stops_before_it_pays_for_what_it_cannot_keep(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "gone" / "calls.jsonl")
    for _ in range(2):
        with pytest.raises(RunStopped, match=r"calls\.jsonl: cannot be written: No such file"):
            ledger.add("h", KEY, PAID)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_stops_the_run(tmp_path: Path) -> None:
    link = tmp_path / "calls.jsonl"
    link.symlink_to("/dev/full")

    class OnFullDisk(Ledger):
        def _load(self) -> None:
            """Reading this device would not end."""

    ledger = OnFullDisk(link)
    with pytest.raises(RunStopped, match=r"No space left on device.* --resume goes on when there is room"):
        ledger.add("h", KEY, PAID)
    ledger.close()


def test_a_reply_that_arrives_after_the_end_is_kept_all_the_same(path: Path) -> None:
    write(path, (KEY, Reply("before")))
    ledger = Ledger(path)
    ledger.add("h", KEY, Reply("in time"))
    ledger.close()
    ledger.add("h", KEY, Reply("late"))
    ledger.close()
    with Ledger(path) as resumed:
        said = [reply.text for _ in range(3) if (reply := resumed.recall("h", KEY))]
    assert said == ["before", "in time", "late"]


def test_threads_share_one_ledger(path: Path) -> None:
    with Ledger(path) as ledger:

        def work(name: str) -> None:
            for number in range(50):
                ledger.add(name, replace(KEY, trial=number), Reply(f"{name} {number}" * 100))

        threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in "abcdefgh"]
        for one in threads:
            one.start()
        for one in threads:
            one.join(20)
    with Ledger(path) as resumed:
        found = {
            reply.text
            for name in "abcdefgh"
            for number in range(50)
            if (reply := resumed.recall(name, replace(KEY, trial=number)))
        }
    assert found == {f"{name} {number}" * 100 for name in "abcdefgh" for number in range(50)}
