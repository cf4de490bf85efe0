"""Number and spread of cases in, what such a set can show out: detectable difference, sample size, non-inferiority."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from judgekit.errors import InputError
from judgekit.stats._arrays import check_level, whole
from judgekit.stats._tails import t_quantile, t_tail, z_quantile
from judgekit.stats.paired import paired_difference
from judgekit.stats.results import Estimate, Test, undefined

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def minimum_detectable_difference(n: int, sd: float, *, power: float = 0.8, level: float = 0.95) -> Estimate:
    """The smallest true mean difference that n cases would show with this power.

    (z_(1+level)/2 + z_power) sd / sqrt(n); for 80 % and 95 % that is 2.8 standard errors.

    Args:
        n: Number of cases.
        sd: Standard deviation, over cases, of the paired difference (`se * sqrt(n)` of `paired_difference`); of
            rates that are only planned, `sd_of_rate_difference`.
        power: Chance that a difference of that size is found significant.
        level: Confidence level of the test, two-sided.

    Returns:
        Estimate without an interval, in units of the scores; value None, with a reason, under two cases or without
        spread.

    Raises:
        InputError: n is no whole number, sd is negative, power or level lie outside 0 to 1.

    Source:
        E. Miller (2024), Adding error bars to evals, section 5, arXiv:2411.00640.

    Example:
        >>> round(minimum_detectable_difference(100, 0.5).value, 3)
        0.14
    """
    n, sd, level = whole(n, "n"), _spread(sd), check_level(level)
    method = f"normal, power {power:g}"
    factor = _factor(power, level)
    if n < 2:
        return undefined("fewer than two cases", level=level, method=method, n=n)
    if sd == 0:
        return undefined("no spread between cases to plan with", level=level, method=method, n=n)
    return Estimate(factor * sd / math.sqrt(n), None, None, level, method, n)


def minimum_detectable_rate_difference(
    n: int, discordant: float, *, power: float = 0.8, level: float = 0.95
) -> Estimate:
    """The smallest true difference of two pass rates that the exact McNemar test finds on n cases with this power.

    The power is summed over all numbers of cases that differ, K ~ Binomial(n, share), and over how many of these go the
    one way, Binomial(K, (share + difference) / (2 share)); the share is the larger of `discordant` and the difference.
    `minimum_detectable_difference` promises too much here: at 95 % fewer than six differing cases show nothing.

    Args:
        n: Number of independent cases.
        discordant: Share of cases on which the two differ, 0 to 1: as seen, or r (1 - s) + s (1 - r) for rates r and s
            that have nothing in common.
        power: Chance that a difference of that size is found significant.
        level: Confidence level of the test, two-sided.

    Returns:
        Estimate without an interval, 0 to 1, up to 0.0001 too large; value None, with a reason, where not even n cases
        that all change the same way would be significant.

    Raises:
        InputError: n is no whole number; discordant, power or level lie outside 0 to 1.

    Source:
        S. W. Duffy (1984), Asymptotic and exact power for the McNemar test and its analogue with R controls per case,
        doi:10.2307/2531158.

    Example:
        >>> round(minimum_detectable_rate_difference(30, 0.1).value, 3)  # P(Binomial(30, 0.251) >= 6) = 0.8
        0.251
        >>> minimum_detectable_rate_difference(5, 1).reason
        'no result of 5 cases could be significant'
    """
    n, share, level = whole(n, "n"), _number(discordant, "discordant"), check_level(level)
    _factor(power, level)
    if not 0 <= share <= 1:
        raise InputError(f"discordant: a share between 0 and 1 is wanted, got {share:g}.")
    method = f"exact McNemar, power {power:g}"
    least, limit = _least_significant(n, level)
    if limit is None:
        return undefined(f"no result of {n} cases could be significant", level=level, method=method, n=n)
    low, high = 0.0, 1.0
    while high - low > 1e-4:
        middle = (low + high) / 2
        if _mcnemar_power(n, middle, max(share, middle), limit, least) >= power:
            high = middle
        else:
            low = middle
    return Estimate(high, None, None, level, method, n)


def sample_size(difference: float, sd: float, *, power: float = 0.8, level: float = 0.95) -> int:
    """The number of cases with which a true mean difference of that size is found with this power.

    ((z_(1+level)/2 + z_power) sd / difference)², rounded up, at least 2.

    Args:
        difference: Size of the difference that matters, in units of the scores; the sign is ignored.
        sd: Standard deviation, over cases, of the paired difference.
        power: Chance that it is found significant.
        level: Confidence level of the test, two-sided.

    Returns:
        Number of cases.

    Raises:
        InputError: the difference is 0 or not finite, sd is negative, power or level lie outside 0 to 1.

    Source:
        E. Miller (2024), Adding error bars to evals, section 5, arXiv:2411.00640.

    Example:
        >>> sample_size(0.1, 0.5)
        197
    """
    size = abs(_number(difference, "difference"))
    if size == 0:
        raise InputError("difference: no number of cases shows a difference of 0.")
    return max(2, math.ceil((_factor(power, check_level(level)) * _spread(sd) / size) ** 2 - 1e-9))


def sd_of_rate_difference(rate: float, other: float, *, correlation: float = 0.0) -> float:
    """Standard deviation, over cases, of the difference of two pass rates on the same cases.

    sqrt(p(1-p) + q(1-q) - 2 r sqrt(p(1-p) q(1-q)))

    Args:
        rate: Pass rate p of one variant.
        other: Pass rate q of the other.
        correlation: Correlation r of the two results of a case, -1 to 1; 0 plans cautiously.

    Returns:
        A number of at least 0, for `minimum_detectable_difference` and `sample_size`.

    Raises:
        InputError: a rate outside 0 to 1, or a correlation outside -1 to 1.

    Source:
        J. L. Fleiss (1981), Statistical Methods for Rates and Proportions, chapter 8, ISBN 978-0-471-06428-2.

    Example:
        >>> round(sd_of_rate_difference(0.8, 0.8), 4)  # sqrt(0.32)
        0.5657
    """
    p, q, r = _number(rate, "rate"), _number(other, "other"), _number(correlation, "correlation")
    if not (0 <= p <= 1 and 0 <= q <= 1 and -1 <= r <= 1):
        raise InputError("rates lie between 0 and 1, a correlation between -1 and 1.")
    one, two = p * (1 - p), q * (1 - q)
    return math.sqrt(max(0.0, one + two - 2 * r * math.sqrt(one * two)))


def non_inferiority(a: ArrayLike, b: ArrayLike, margin: float, cluster: Any = None, *, level: float = 0.95) -> Test:
    """Is `a` worse than `b` by less than the margin? A small p-value says so.

    One-sided t test of mean(a - b) <= -margin: t(n-1) = (mean(a - b) + margin) / se, clustered where `cluster`
    is given.

    Args:
        a: Scores of the new variant, higher is better, shape (n_values,).
        b: Scores of the old one on the same cases, same order.
        margin: Largest loss that would be accepted, in units of the scores, at least 0.
        cluster: Case of each pair, where cases have several trials.
        level: Level of the one-sided lower bound in `detail`.

    Returns:
        Test with t as statistic; `detail` has `difference` and `low`, the one-sided lower bound: `a` is shown to be
        non-inferior at this level if `low` > -margin. p-value None, with a reason, where the difference has no
        interval.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values; a negative margin.

    Source:
        G. Piaggio et al. (2012), Reporting of noninferiority and equivalence randomized trials,
        doi:10.1001/jama.2012.87802.

    Example:
        >>> test = non_inferiority([4, 5, 4, 5, 4, 4], [4, 5, 5, 4, 4, 4], 0.8)
        >>> round(test.statistic, 2), round(test.p_value, 3), round(test.detail["low"], 2)
        (3.1, 0.013, -0.52)
    """
    accepted = _number(margin, "margin")
    if accepted < 0:
        raise InputError(f"margin: at least 0 is wanted (the loss that is accepted), got {accepted:g}.")
    level = check_level(level)
    found = paired_difference(a, b, cluster, level=level)
    if found.value is None or found.se is None:
        detail = {} if found.value is None else {"difference": found.value}
        return Test(None, None, "non-inferiority t", found.n, found.reason, detail=detail)
    low = found.value - t_quantile(level, found.n - 1) * found.se
    t = (found.value + accepted) / found.se
    detail = {"difference": found.value, "low": low}
    return Test(t_tail(t, found.n - 1), t, "non-inferiority t", found.n, detail=detail)


def _least_significant(n: int, level: float) -> tuple[int, NDArray[np.int64] | None]:
    """The fewest differing cases that can be significant, and from there to n the most losses that still are."""
    import numpy as np
    from scipy.special import bdtr

    alpha = 1 - level - 1e-12
    least = math.floor(math.log2(2 / alpha)) + 1
    if n < least:
        return least, None
    k = np.arange(least, n + 1)
    # The normal limit is off by one at most.
    limit = np.maximum(np.floor((k - 1 - z_quantile(1 - alpha / 2) * np.sqrt(k)) / 2), 0).astype(np.int64)
    limit += 2 * bdtr(limit + 1, k, 0.5) < alpha
    return least, limit - (2 * bdtr(limit, k, 0.5) >= alpha)


def _mcnemar_power(n: int, difference: float, share: float, limit: NDArray[np.int64], least: int) -> float:
    import numpy as np
    from scipy.special import bdtr, gammaln, xlog1py, xlogy

    # Numbers of differing cases further off than this have no weight.
    spread = 10 * math.sqrt(n * share * (1 - share)) + 10
    first, last = max(least, math.floor(n * share - spread)), min(n, math.ceil(n * share + spread))
    if first > last:
        return 0.0
    k = np.arange(first, last + 1)
    most = limit[first - least : last + 1 - least]
    weight = np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, share) + xlog1py(n - k, -share))
    up = min(1.0, (share + difference) / (2 * share))
    return float(weight @ (bdtr(most, k, 1 - up) + bdtr(most, k, up)))


def _factor(power: float, level: float) -> float:
    if not 0 < _number(power, "power") < 1:
        raise InputError(f"power: a number between 0 and 1 is wanted, such as 0.8; got {power!r:.60}.")
    return z_quantile((1 + level) / 2) + z_quantile(power)


def _spread(sd: float) -> float:
    number = _number(sd, "sd")
    if number < 0:
        raise InputError(f"sd: at least 0 is wanted, got {number:g}.")
    return number


def _number(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as problem:
        raise InputError(f"{name}: a number is wanted, got {value!r:.60}.") from problem
    if isinstance(value, str) or not math.isfinite(number):
        raise InputError(f"{name}: a finite number is wanted, got {value!r:.60}.")
    return number
