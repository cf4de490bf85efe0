"""Tango's interval of the difference of two pass rates on the same cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import multinomial

from judgekit import stats
from judgekit.errors import InputError


def score_by_likelihood(b: int, c: int, n: int, difference: float) -> float:
    """Tango's statistic, with the share of losses that maximises the likelihood found by search."""

    def against(losses: float) -> float:
        shares = (losses + difference, losses, 1 - 2 * losses - difference)
        return -sum(count * math.log(share) for count, share in zip((b, c, n - b - c), shares, strict=True) if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    losses = minimize_scalar(against, bounds=(low + 1e-12, high - 1e-12), options={"xatol": 1e-12}).x
    return (b - c - n * difference) / math.sqrt(n * (2 * losses + difference * (1 - difference)))


@pytest.mark.parametrize(("b", "c", "n"), [(12, 3, 40), (18, 9, 419), (41, 4, 419), (3, 12, 40), (8, 2, 20)])
def test_both_ends_are_just_not_rejected(b: int, c: int, n: int) -> None:
    found = stats.paired_rate_difference(b, c, n)
    ends = [end for end in (found.low, found.high) if end != 0]

    assert [abs(score_by_likelihood(b, c, n, end)) for end in ends] == pytest.approx([1.959964] * len(ends), abs=1e-3)


def test_where_no_case_differs_it_is_by_hand() -> None:
    # z sqrt(n d (1 - d)) = n d, so d = z² / (n + z²)
    found = stats.paired_rate_difference(0, 0, 30)
    assert found.high == pytest.approx(3.841459 / 33.841459)
    assert found.low == pytest.approx(-found.high)


def test_interval_and_exact_p_value_never_contradict_each_other() -> None:
    for n in range(1, 40):
        for b in range(n + 1):
            for c in range(n + 1 - b):
                one, p = stats.paired_rate_difference(b, c, n), stats.mcnemar(b, c).p_value
                assert -1 <= one.low <= one.value <= one.high <= 1
                assert (one.low > 0 or one.high < 0) == (p is not None and p < 0.05 - 1e-12)


@pytest.mark.parametrize(
    ("n", "wins", "losses"),
    [(20, 0.2, 0.0), (30, 0.2, 0.0), (30, 0.25, 0.05), (40, 0.1, 0.02), (100, 0.05, 0.0), (30, 0.1, 0.1)],
)
def test_it_covers_the_true_difference_with_few_differing_cases(n: int, wins: float, losses: float) -> None:
    covered = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            weight = float(multinomial.pmf([b, c, n - b - c], n, [wins, losses, 1 - wins - losses]))
            if weight > 1e-9:
                one = stats.paired_rate_difference(b, c, n)
                covered += weight * (one.low - 1e-9 <= wins - losses <= one.high + 1e-9)
    # The t interval of the differences comes to 88 to 91 % here.
    assert covered >= 0.94


def test_the_other_way_round_it_is_mirrored() -> None:
    one, other = stats.paired_rate_difference(9, 2, 25), stats.paired_rate_difference(2, 9, 25)
    assert np.allclose([one.low, one.high], [-other.high, -other.low])


def test_no_cases_have_no_difference() -> None:
    assert stats.paired_rate_difference(0, 0, 0).value is None


@pytest.mark.parametrize("counts", [(3, 3, 5), (-1, 0, 5), (0.5, 0, 5)])
def test_counts_are_whole_and_fit(counts: tuple[float, ...]) -> None:
    with pytest.raises(InputError):
        stats.paired_rate_difference(*counts)
