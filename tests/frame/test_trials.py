"""pass@k and pass^k in estimates, terminal and gate."""

from __future__ import annotations

import pytest

from judgekit.frame.trials import over_trials


def test_one_trial_has_neither():
    assert set(over_trials([1, 1], [1, 0], 1).values()) == {None}


def test_both_are_averaged_over_cases():
    # Two trials of three cases, of which 2, 1 and 0 pass: any of two (1 + 1 + 0) / 3, all of two (1 + 0 + 0) / 3.
    found = over_trials([2, 2, 2], [2, 1, 0], 2)

    assert found["pass_at_k"] == {"2": pytest.approx(2 / 3)}
    assert found["pass_hat_k"] == {"2": pytest.approx(1 / 3)}
    assert found["pass_hat_k_low"]["2"] < 1 / 3 < found["pass_hat_k_high"]["2"]


def test_cases_with_fewer_scored_trials_are_left_out_and_counted():
    # Of the case with five trials, four of which pass, all of three do with C(4, 3) / C(5, 3).
    found = over_trials([5, 2], [4, 2], 5)

    assert found["short_of_k"] == {"2": 0, "3": 1, "4": 1, "5": 1}
    assert found["pass_hat_k"]["3"] == pytest.approx(4 / 10)


def test_where_no_case_has_so_many_there_is_no_value():
    found = over_trials([2, 1], [2, 1], 3)

    assert (found["pass_hat_k"]["3"], found["pass_at_k"]["3"], found["short_of_k"]["3"]) == (None, None, 2)
