"""Figures of a comparison in, the words that terminal, Markdown and report share out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judgekit.frame.comparing.pairing import AFTER_CHECK


def is_rate(one: Mapping[str, Any]) -> bool:
    """True if the values of a row are shares of cases: they are shown in percent."""
    return one["kind"] in ("case", "pairwise")


def name_of(one: Mapping[str, Any]) -> str:
    """The metric as people read it."""
    if one["kind"] == "pairwise":
        judge = f" [{one['judge']}]" if one.get("several_judges") else ""
        return f"{one['metric']}, in pairs{judge}"
    return "case pass rate" if is_rate(one) else str(one["metric"])


def value_text(one: Mapping[str, Any], value: float | None) -> str:
    """A value of a row: 67.5 % or 3.32.

    Example:
        >>> value_text({"kind": "case"}, 0.675), value_text({"kind": "case"}, 0.9999)
        ('67.5 %', '99.9 %')
        >>> value_text({"kind": "judge", "scale_min": 1, "scale_max": 5}, 3.319)
        '3.32'
    """
    if value is None:
        return "–"
    if not is_rate(one):
        return f"{value:.{_digits(one)}f}"
    text = f"{100 * value:.1f}".removesuffix(".0")
    # Rounding must turn neither a failure into none nor a pass into none.
    if text == "100" and value < 1:
        text = "99.9"
    if text == "0" and value > 0:
        text = "0.1"
    return f"{text} %"


def of_case_text(one: Mapping[str, Any], value: float) -> str:
    """The value of a single case: passed, failed or its score.

    Example:
        >>> of_case_text({"kind": "case"}, 1.0)
        'passed'
    """
    if one["kind"] == "pairwise":
        return "lost" if value < 0.5 else "won" if value > 0.5 else "tied"
    return ("passed" if value else "failed") if is_rate(one) else value_text(one, value)


def size_text(one: Mapping[str, Any], value: float | None) -> str:
    """A difference without its sign: 12.5 points or 0.72."""
    if value is None:
        return "–"
    return f"{_points(value)} points" if is_rate(one) else f"{value:.{_digits(one)}f}"


def difference_text(one: Mapping[str, Any], value: float | None, *, unit: bool = True) -> str:
    """A difference with its sign; of rates in percentage points.

    Example:
        >>> difference_text({"kind": "case"}, 0.325), difference_text({"kind": "case"}, -0.1, unit=False)
        ('+32.5 points', '-10')
    """
    if value is None:
        return "–"
    if not is_rate(one):
        return f"{value:+.{_digits(one)}f}" if value else "0"
    text = ("+" if value > 0 else "-" if value < 0 else "") + _points(abs(value))
    return f"{text} points" if unit else text


def interval_text(one: Mapping[str, Any]) -> str:
    """The interval of the difference, or nothing."""
    if one["ci_low"] is None or one["ci_high"] is None:
        return ""
    return f"[{difference_text(one, one['ci_low'], unit=False)}, {difference_text(one, one['ci_high'], unit=False)}]"


def p_text(p: float | None, limit: float = 0.05) -> str:
    """A p-value in two figures, in more where rounding would move it across the limit; never 0.

    Example:
        >>> p_text(9.3e-9), p_text(0.1237), p_text(0.04997), p_text(None)
        ('9.3e-09', '0.12', '0.04997', '–')
    """
    if p is None:
        return "–"
    if p == 0:
        # Too small for a float, as of a thousand cases that all changed alike.
        return "< 1e-300"
    for digits in range(2, 12):
        text = f"{p:.{digits}g}"
        if (float(text) < limit) == (p < limit):
            return text
    return repr(p)


def equals(p: str) -> str:
    """A p-value behind its sign.

    Example:
        >>> equals("0.12"), equals("< 1e-300")
        ('= 0.12', '< 1e-300')
    """
    return p if p.startswith("<") else f"= {p}"


def left_out_text(one: Mapping[str, Any]) -> str:
    """How many cases are not in the figures, and why; empty if none."""
    groups = one["left_out"]
    if not groups:
        return ""
    parts = [
        f"{group['n']} {group['reason']}" + (" (--judge-all asks them too)" if group["reason"] == AFTER_CHECK else "")
        for group in groups
    ]
    return f"left out: {', '.join(parts)}"


def sentence(one: Mapping[str, Any]) -> str:
    """The verdict with every figure that it rests on."""
    start = f"{name_of(one)}: {one['who']}: {one['verdict']}"
    left = left_out_text(one)
    if not one["n"]:
        return f"{start} (no case has a result for both{f'; {left}' if left else ''})."
    n = f"{one['n']} {'case' if one['n'] == 1 else 'cases'}"
    judged = " judged in both" if one["kind"] == "judge" and one["n_left_out"] else ""
    grouped = f" in {one['n_clusters']} clusters" if one["n_clusters"] is not None else ""
    figures = f"{value_text(one, one['value'])} against {value_text(one, one['value_against'])} on {n}{judged}{grouped}"
    if one["wins"] + one["losses"] == 0:
        figures += ", no case differs"
    else:
        figures += f", difference {difference_text(one, one['difference'])}"
        figures += f" {interval_text(one)}" if interval_text(one) else ""
    if one["p_value"] is not None:
        figures += f", p {equals(p_text(one['p_value']))}"
        if one["p_adjusted"] != one["p_value"]:
            figures += f", {p_text(one['p_adjusted'])} adjusted for {one['n_tests']} tests"
    parts = [figures]
    if one["verdict"] in ("no evidence of a difference", "not enough cases"):
        parts.append(_could_show(one))
    parts += [margin_text(one), left, one["mismatch"]]
    return f"{start} ({'; '.join(part for part in parts if part)})."


def _could_show(one: Mapping[str, Any]) -> str:
    """What could have been seen."""
    detectable, independent = one["minimum_detectable_difference"], one["n_clusters"] or one["n"]
    what = "cases" if one["n_clusters"] is None else "clusters"
    if independent < one["n_needed"]:
        return f"no result of fewer than {one['n_needed']} {what} could be significant"
    if detectable is not None and one["method"] != "exact McNemar" and independent < 30:
        # Two point eight standard errors are the least that it takes, and not enough on a few cases.
        return f"on so few {what} a true difference has to be well over {size_text(one, detectable)} to show"
    if detectable is not None:
        return f"so many {what} show a true difference of {size_text(one, detectable)} four times in five"
    return f"{one['n_needed']} of {independent} {what} would have to differ, all the same way, to be significant"


def margin_text(one: Mapping[str, Any]) -> str:
    """What is known of the loss that was accepted; empty without one."""
    if one["margin"] is None:
        return ""
    margin = size_text(one, one["margin"])
    if one["within_margin"]:
        return f"not worse by more than {margin}"
    if one["difference"] is not None and -one["difference"] > one["margin"]:
        return f"worse by more than the margin of {margin}"
    return f"a loss of more than {margin} can't be ruled out"


def _points(value: float) -> str:
    for digits in (1, 2, 3):
        text = f"{100 * value:.{digits}f}"
        if float(text) or not value:
            break
    return text.rstrip("0").rstrip(".") if "." in text else text


def _digits(one: Mapping[str, Any]) -> int:
    return 3 if one["scale_max"] is not None and one["scale_max"] - one["scale_min"] <= 1 else 2
