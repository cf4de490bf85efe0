"""Waits between attempts, and what a server may ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit.errors import InputError
from judgekit.models.retry import RetryPolicy, retry_after_s

# Thu, 01 Jan 2026 00:00:00 GMT
NOW_S = 1_767_225_600


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 GMT"}, 7),
        ({"retry-after": "Thu, 01 Jan 2026 00:00:07 -0000"}, 7),
        ({"retry-after": "Thu, 01 Jan 2026 01:00:07 +0100"}, 7),
        ({"retry-after": "Wed, 31 Dec 2025 23:00:00 GMT"}, 0),
    ],
)
def test_server_asks_in_seconds_or_by_a_date(headers: dict[str, str], wait_s: float) -> None:
    assert retry_after_s(headers, NOW_S) == wait_s


@pytest.mark.parametrize("asked", ["", "soon", "-3", "nan", "inf", "1e999", "Thu, 99 Jan 2026", "٧s", "\ud800"])
def test_what_cannot_be_read_is_no_wish(asked: str) -> None:
    assert retry_after_s({"retry-after": asked}, NOW_S) is None


def test_no_header_is_no_wish() -> None:
    assert retry_after_s({}, NOW_S) is None


def test_waits_double_up_to_the_longest() -> None:
    policy = RetryPolicy(first_wait_s=1, longest_wait_s=5)
    assert [policy.wait_s(failures, chance=0.999999) for failures in (1, 2, 3, 4, 2000)] == pytest.approx(
        [1, 2, 4, 5, 5], abs=1e-4
    )


@given(st.integers(1, 100), st.floats(0, 1, exclude_max=True))
def test_wait_lies_in_the_upper_half(failures: int, chance: float) -> None:
    longest = min(30, 0.5 * 2 ** (failures - 1))
    assert longest / 2 <= RetryPolicy().wait_s(failures, chance) <= longest


def test_wish_of_the_server_is_kept_exactly_even_past_the_longest() -> None:
    assert RetryPolicy(longest_wait_s=5).wait_s(1, 0.3, asked_s=40) == 40


def test_wish_of_no_wait_is_no_reason_to_hammer() -> None:
    assert RetryPolicy(first_wait_s=1).wait_s(1, 0.0, asked_s=0) == 0.5


@pytest.mark.parametrize(
    "bound", [{"attempts": 0}, {"first_wait_s": -1}, {"longest_wait_s": -1}, {"total_s": 0}, {"total_s": float("nan")}]
)
def test_impossible_bound_is_a_mistake(bound: dict[str, float]) -> None:
    with pytest.raises(InputError):
        RetryPolicy(**bound)
