"""Records of verdicts in; how far scores are weighted by probabilities, and what was on no point of a scale, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

_FLAGS = frozenset(("weighted", "no_logprobs", "not_weighted"))


def weighting(verdicts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One mapping per weighted rubric and judge, as `weighted` in summary.json.

    `n` verdicts with a score, of which `n_weighted` by the probabilities of their token, `n_without` without any from
    the model; `mean_missing` and `max_missing` probability on no point of the scale, `worst_case` where that is most,
    `n_missing` verdicts with more than 0.1 of it.
    """
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for one in verdicts:
        if one.get("score") is not None and _FLAGS & set(one.get("flags") or ()):
            groups.setdefault((one["rubric"], one["judge"]), []).append(one)
    return [_group(rubric, judge, many) for (rubric, judge), many in groups.items()]


def _group(rubric: str, judge: str, verdicts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    weighed = [one for one in verdicts if one.get("missing_mass") is not None]
    worst = max(weighed, key=lambda one: one["missing_mass"], default=None)
    return {
        "metric": rubric,
        "judge": judge,
        "n": len(verdicts),
        "n_weighted": len(weighed),
        "n_without": sum("no_logprobs" in one["flags"] for one in verdicts),
        "n_missing": sum("missing_mass" in one["flags"] for one in weighed),
        "mean_missing": sum(one["missing_mass"] for one in weighed) / len(weighed) if weighed else None,
        "max_missing": None if worst is None else worst["missing_mass"],
        "worst_case": None if worst is None else worst["case_id"],
    }


def weighting_warnings(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What a reader has to know of scores that were to be weighted."""
    for one in found:
        who, without = f"{one['metric']} by {one['judge']}", one["n_without"]
        if without:
            yield (
                f"{who}: the model gives no log-probabilities for {without} of {one['n']} verdicts: their scores are "
                "those written, so a row is the mean of its samples (--judge-samples)"
            )
        lost = one["n"] - one["n_weighted"] - without
        if lost:
            yield f"{who}: {lost} of {one['n']} verdicts are not weighted: their score is not one token of the reply"
        if one["n_missing"]:
            yield (
                f"{who}: on {one['n_missing']} of {one['n_weighted']} verdicts more than 0.1 of the probability is on "
                f"no point of the scale (most: {one['max_missing']:.2f}, case {one['worst_case']})"
            )


def weighting_lines(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """How far scores are weighted, for the terminal."""
    for one in found:
        if one["n_weighted"]:
            yield (
                f"weighted by probability: {one['metric']} on {one['n_weighted']} of {one['n']} verdicts, "
                f"{one['mean_missing']:.2g} on no point of the scale on average, {one['max_missing']:.2g} at most"
            )
