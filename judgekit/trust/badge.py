"""The figures of a judge in; one of four words for how far to trust it, with the sentence that says why, out.

By the lower end of the interval of its agreement beyond chance (kappa of pass and fail; of labels, weighted over the
scale, or alpha, where nothing passes or fails):

    uncalibrated   no labels by people, or fewer than 10
    weak           a lower end below 0.4, or fewer than 30 labels
    fair           a lower end from 0.4 on
    strong         a lower end from 0.6 on, and most labels blind and of outputs drawn at random

0.4 and 0.6 are where J. R. Landis and G. G. Koch (1977), doi:10.2307/2529310, let moderate and substantial agreement
begin; the lower end, because a judge has to show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from judgekit.trust.matching import Pair
from judgekit.trust.measure import LEAST_LABELS, Figures, too_few

if TYPE_CHECKING:
    from judgekit.stats import Estimate

Level = Literal["uncalibrated", "weak", "fair", "strong"]
FAIR, STRONG, ENOUGH = 0.4, 0.6, 30

_WORDS = {
    "kappa": "kappa",
    "label_kappa": "kappa of labels",
    "score_kappa": "weighted kappa",
    "score_alpha": "alpha of scores",
    "threshold_kappa": "kappa at the best threshold",
}
_AGREEMENT = {"kappa": "agreement", "label_kappa": "label_agreement", "score_kappa": "score_agreement"}


def badge(figures: Figures, pairs: Sequence[Pair]) -> tuple[Level, str]:
    """The level of a judge and the sentence with the figures that it rests on.

    Args:
        figures: What was measured.
        pairs: The labelled outputs behind it.
    """
    found = figures.estimates.get(figures.headline)
    if found is None and figures.n_outputs >= LEAST_LABELS:
        return "uncalibrated", f"not calibrated: {_no_comparison(pairs)}"
    if found is None:
        return "uncalibrated", f"not calibrated: {too_few(figures.n_outputs)}"
    if figures.n_compared < LEAST_LABELS:
        return "uncalibrated", f"not calibrated: {too_few(figures.n_compared)}"
    rests_on = _figures(figures, found)
    if found.value is None or found.low is None:
        return "weak", f"cannot be told from chance: {rests_on}"
    if found.low <= 0:
        return "weak", f"not shown to be better than chance: {rests_on}"
    if found.low < FAIR:
        return "weak", f"better than chance, and not shown to agree fairly with people: {rests_on}"
    if found.n < ENOUGH:
        return "weak", f"agrees with people on too few labels to rely on ({ENOUGH} are needed): {rests_on}"
    if found.low < STRONG:
        return "fair", f"agrees fairly with people: {rests_on}"
    doubt = _doubt(pairs)
    if doubt:
        return "fair", f"agrees strongly with people, but {doubt}: {rests_on}"
    return "strong", f"agrees strongly with people: {rests_on}"


def interval(one: Estimate, *, percent: bool = False) -> str:
    """An estimate with its interval in brackets, or the reason why it has none.

    Example:
        >>> from judgekit.stats import Estimate
        >>> one = Estimate(0.5, 0.25, 0.75, 0.95, "", 9)
        >>> interval(one), interval(one, percent=True)
        ('0.50 [0.25, 0.75]', '50 % [25, 75]')
    """
    if one.value is None:
        return one.reason
    shown = [_number(end, percent) for end in (one.value, one.low, one.high) if end is not None]
    value = f"{shown[0]} %" if percent else shown[0]
    return f"{value} [{shown[1]}, {shown[2]}]" if len(shown) == 3 else f"{value} ({one.reason})"


def _number(value: float, percent: bool) -> str:
    return f"{100 * value:.0f}" if percent else f"{value:.2f}"


def _figures(figures: Figures, found: Estimate) -> str:
    on = f"{figures.n_compared} labels"
    if figures.n_cases < figures.n_compared:
        on += f" of {figures.n_cases} cases"
    if figures.headline == "threshold_kappa" and figures.threshold:
        on = f"{figures.threshold.n_reported_on} labels that it was not chosen on"
    said = f"{_WORDS[figures.headline]} {interval(found)} on {on}"
    agreement = figures.estimates.get(_AGREEMENT.get(figures.headline, ""))
    if agreement is not None:
        said += f", agreement {interval(agreement, percent=True)}"
    among = figures.ceiling.get("alpha")
    if among is not None and among.value is not None:
        said += f"; people among themselves: alpha {interval(among)}"
    return said


def _no_comparison(pairs: Sequence[Pair]) -> str:
    if any(one.people.passed is not None for one in pairs) and not any(one.judge.passed is not None for one in pairs):
        return "people say pass or fail and the judge only scores; give the rubric a `pass_at`"
    return "what people say and what the judge says are of different kinds"


def _doubt(pairs: Sequence[Pair]) -> str:
    """Why strong figures are not taken at their word."""
    if 2 * sum(one.blind is False for one in pairs) > len(pairs):
        return "most labels are by people who saw the verdict"
    if 2 * sum(not one.is_random for one in pairs) > len(pairs):
        return "most labelled outputs were chosen, not drawn at random"
    return ""
