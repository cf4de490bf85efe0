"""Judge replies that broke other tools (shared/cases): each gives the verdict, or the cause, that it should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judgekit.judges.reply import read_reply
from judgekit.records import Scale

IDS = [f"{number:03}" for number in (1, 3, 4, 5, 6, 9, 10, 11, 13, 14, 15, 17, 20, 23, 24, 26, 29, 30)]


@pytest.mark.parametrize("number", IDS)
def test_real_world_reply_is_read_as_expected(number: str, shared_rows: Callable[[str], list[dict[str, Any]]]) -> None:
    case = next(row for row in shared_rows("cases/real_world.jsonl") if row["id"] == f"BR-{number}")
    given, expected = case["input"], case["expected"]
    options = {name: given[name] for name in ("labels", "label_key", "threshold") if name in given}
    if "scale" in given:
        options["scale"] = Scale(given["scale"]["min"], given["scale"]["max"])
    verdict = read_reply(given["judge_reply"], **options)
    if expected["outcome"] == "error":
        # Their "error" of a judge's reply is our status unscored; the error kinds are our causes.
        wanted: dict[str, Any] = {"status": "unscored", "cause": expected["error_kind"], "score": None, "passed": None}
    else:
        wanted = {name: expected[name] for name in ("score", "label", "passed") if name in expected}
    assert {name: getattr(verdict, name) for name in wanted} == wanted
    assert set(expected.get("flags", ())) <= set(verdict.flags)


def test_list_of_cases_is_complete(shared_rows: Callable[[str], list[dict[str, Any]]]) -> None:
    there = {row["id"] for row in shared_rows("cases/real_world.jsonl") if row["kind"] == "judge-reply"}
    assert there == {f"BR-{number}" for number in IDS}
