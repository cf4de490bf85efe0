"""Scores by case, trial and judge sample in; where their spread comes from, and what more of would help, out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from judgekit.stats._arrays import SAME, FloatArray, IntArray, clusters, is_constant, labels, same_length, values

Advice = Literal["more cases", "more trials", "more samples"]


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """Variance components of scores, in squared units of the scores, and their weight in the error of the mean."""

    case: float | None
    """Between cases; None where there is no second case to tell."""
    trial: float | None
    """Between trials of a case; None where no case has two."""
    sample: float | None
    """Between judge samples of one output; None where no output has two."""
    icc: float | None
    """case / (case + trial + sample): how much of a single score belongs to its case; None where undefined."""
    n_cases: int
    n_trials: float
    """Trials a case (harmonic mean)."""
    n_samples: float
    """Samples an output (harmonic mean)."""
    se: float | None
    """Standard error of the mean that these components imply."""
    shares: tuple[float, float, float]
    """Parts of its square that come from cases, trials and samples; they add up to 1, or are 0 without any spread."""
    advice: Advice | None
    """What lowers the error most, for the same number of scores; None without spread."""
    reason: str = ""


def variance_split(scores: ArrayLike, case: Any, trial: Any = None) -> VarianceSplit:
    """Where the spread of scores comes from: the cases, the trials of a case, or the judge's samples of one output.

    Nested random effects by the means at each step: var_sample = mean variance within outputs, var_trial = mean
    variance of output means within cases - var_sample / S, var_case = variance of case means - var_trial / T -
    var_sample / (T S); negative ones are set to 0. The squared error of the mean is var_case / C + var_trial / (C T) +
    var_sample / (C T S).

    Args:
        scores: Scores, shape (n_scores,).
        case: Case of each score, shape (n_scores,).
        trial: Trial of each score, shape (n_scores,), where `scores` holds judge samples; None: each score is a trial
            of its own.

    Returns:
        VarianceSplit. The advice is "more cases" unless trials or samples make up more than half of the error, since
        more cases lower every part. Components that the design cannot tell are None, with a reason; what they hold
        is part of the next component up.

    Raises:
        ShapeError: lengths differ.
        InputError: missing or non-numeric values.

    Source:
        S. R. Searle, G. Casella, C. E. McCulloch (1992), Variance Components, chapter 3, doi:10.1002/9780470316856; for
        the ICC P. E. Shrout, J. L. Fleiss (1979), doi:10.1037/0033-2909.86.2.420.

    Example:
        >>> split = variance_split([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
        >>> round(split.trial, 4), round(split.case, 4), split.advice  # 1/6; 1/4 - 1/12
        (0.1667, 0.1667, 'more cases')
    """
    scores = values(scores, "scores")
    case_of, n_cases = clusters(labels(case, "case"), len(scores))
    if trial is None:
        output_of, n_outputs = np.arange(len(scores)), len(scores)
    else:
        names = labels(trial, "trial")
        same_length(scores=scores, trial=names)
        output_of, n_outputs = clusters([f"{c} {name!r}" for c, name in zip(case_of, names, strict=True)], len(scores))
    if not len(scores):
        return VarianceSplit(None, None, None, None, 0, 0.0, 0.0, None, (0.0, 0.0, 0.0), None, "no scores")
    # Variances below this are rounding, not spread.
    dust = float(np.abs(scores).max() * SAME) ** 2
    outputs, samples, within_outputs = _group(scores, output_of, n_outputs, dust)
    case_of_output = np.empty(n_outputs, dtype=np.int64)
    case_of_output[output_of] = case_of
    means, trials, within_cases = _group(outputs, case_of_output, n_cases, dust)
    n_samples, n_trials = _harmonic(samples), _harmonic(trials)

    sample = within_outputs
    trial_part = None if within_cases is None else max(0.0, within_cases - (sample or 0.0) / n_samples)
    below = (trial_part or 0.0) / n_trials + (0.0 if within_cases is None else (sample or 0.0) / (n_trials * n_samples))
    if within_cases is None:
        below = (sample or 0.0) / n_samples
    case_part = None if n_cases < 2 else _cleaned(float(np.var(means, ddof=1)) - below, dust)

    missing = [
        words
        for words, part in (
            ("one case: nothing between cases", case_part),
            ("no case has two trials", trial_part),
            ("no output has two samples", sample if trial is not None else 0.0),
        )
        if part is None
    ]
    total = (case_part or 0.0) + (trial_part or 0.0) + (sample or 0.0)
    icc = case_part / total if case_part is not None and total > 0 and (trial_part, sample) != (None, None) else None
    parts = (
        (case_part or 0.0) / n_cases,
        (trial_part or 0.0) / (n_cases * n_trials),
        (sample or 0.0) / (n_cases * n_trials * n_samples),
    )
    error = sum(parts)
    if error <= 0:
        missing.append("all scores are equal" if is_constant(scores) else "no spread between cases beyond chance")
        return VarianceSplit(
            case_part,
            trial_part,
            sample,
            icc,
            n_cases,
            n_trials,
            n_samples,
            None,
            (0.0, 0.0, 0.0),
            None,
            "; ".join(missing),
        )
    shares = (parts[0] / error, parts[1] / error, parts[2] / error)
    advice: Advice = "more trials" if shares[1] > 0.5 else "more samples" if shares[2] > 0.5 else "more cases"
    se = math.sqrt(error) if case_part is not None else None
    return VarianceSplit(
        case_part, trial_part, sample, icc, n_cases, n_trials, n_samples, se, shares, advice, "; ".join(missing)
    )


def _cleaned(variance: float, dust: float) -> float:
    return variance if variance > dust else 0.0


def _group(x: FloatArray, codes: IntArray, n: int, dust: float) -> tuple[FloatArray, FloatArray, float | None]:
    """Group means, group sizes, and the mean variance within the groups that have one."""
    sizes = np.bincount(codes, minlength=n).astype(np.float64)
    means = np.bincount(codes, weights=x, minlength=n) / sizes
    several = sizes > 1
    if not several.any():
        return means, sizes, None
    squares = np.bincount(codes, weights=(x - means[codes]) ** 2, minlength=n)
    return means, sizes, _cleaned(float(np.mean(squares[several] / (sizes[several] - 1))), dust)


def _harmonic(sizes: FloatArray) -> float:
    return float(len(sizes) / np.sum(1 / sizes))
