"""Figures in, the words that every report shares out."""

from __future__ import annotations

import re
from typing import Any

from judgekit.frame import RunData

_ANSI = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-_])|\x9b[0-?]*[ -/]*[@-~]")
_ILLEGAL = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """The text without colour codes, and with U+FFFD for what XML 1.0 has no place for.

    Example:
        >>> printable("\\x1b[31mred\\x1b[0m \\x00 end ]]>")
        'red � end ]]>'
    """
    if text.isascii() and text.isprintable():
        return text
    return _ILLEGAL.sub("\ufffd", _ANSI.sub("", text))


def harmless(text: str) -> str:
    """The text without what would command a terminal: answers of models are quoted there.

    Example:
        >>> harmless("a\\x1b[31mred\\nb")
        'ared b'
    """
    return "".join(one if one.isprintable() else " " for one in printable(text))


def figure(value: float | None, against: float | None = None) -> str:
    """A number with up to four decimals, and with more where rounding would contradict a comparison with `against`.

    Example:
        >>> figure(2 / 3), figure(0.79999, 0.8), figure(4.0), figure(None)
        ('0.6667', '0.79999', '4', '-')
    """
    if value is None:
        return "-"
    value = float(value)
    for digits in range(4, 18):
        shown = f"{value:.{digits}f}"
        rounded = float(shown)
        kept = rounded != 0 or value == 0
        if against is not None:
            kept = kept and (rounded < against, rounded > against) == (value < against, value > against)
        if kept:
            return shown.rstrip("0").rstrip(".")
    return repr(float(value))


def share(part: int, whole: int) -> str:
    """A rate in percent with its counts; 100% and 0% are said only of all and none.

    Example:
        >>> share(2, 3), share(9999, 10000), share(0, 0)
        ('66.7% (2 of 3)', '99.9% (9999 of 10000)', '- (0 of 0)')
    """
    if not whole:
        return f"- ({part} of {whole})"
    # Whole numbers only: a rate just under all must not be rounded up to all.
    tenths = min((2000 * part + whole) // (2 * whole), 999) if part < whole else 1000
    tenths = max(tenths, 1) if part else 0
    return f"{tenths // 10}.{tenths % 10}%".replace(".0%", "%") + f" ({part} of {whole})"


def usd(value: float | None) -> str:
    """An amount in US dollars; an unknown one is said to be unknown, never 0.

    Example:
        >>> usd(0.00123), usd(1.5), usd(None)
        ('$0.00123', '$1.50', 'unknown')
    """
    if value is None:
        return "unknown"
    return f"${value:.2f}" if value == 0 or value >= 1 else f"${value:.3g}"


def judged_with(run: RunData) -> list[str]:
    """The judges whose verdicts are in the run, in order of appearance."""
    return list(dict.fromkeys(row.judge for row in run.results if row.kind == "judge" and row.judge is not None))


def other_warnings(run: RunData) -> list[str]:
    """The warnings of the run without the one that `calibration_note` words more exactly."""
    return [
        str(one) for one in run.summary["warnings"] if not str(one).lower().startswith("the judge is not calibrated")
    ]


def calibration_note(run: RunData) -> str:
    """What a reader must know of a judge that no person has been compared with; empty without one.

    A judged metric that decides all the same, because its scenario or the gate says so, is named.
    """
    judged = [row for row in run.results if row.kind == "judge" and row.score is not None]
    entries: dict[str, Any] = run.summary.get("trust") or {}
    known = {(one["rubric"], one["judge_identity"]) for one in entries.values() if one["level"] != "uncalibrated"}
    unproven: dict[str, bool] = {}
    for row in judged:
        names = (row.metric, row.metric.partition(".")[0])
        if not {(name, row.judge_identity) for name in names} & known:
            unproven[row.metric] = unproven.get(row.metric, False) or row.required
    if not unproven:
        return ""
    deciding = [metric for metric, required in unproven.items() if required]
    if deciding:
        return (
            "The judge is not calibrated against people, and yet its scores decide here, as this run was told: "
            + ", ".join(deciding)
            + "."
        )
    return "The judge is not calibrated against people: its scores inform, they do not veto."
