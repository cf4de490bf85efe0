"""What a run's summary says of an earlier run, of its baseline and of its trials in; lines of plain text out.

Every report that is text lays them out in its own way: as list items in Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_MOST = 20


def since_texts(summary: Mapping[str, Any]) -> list[str]:
    """What became of the cases since an earlier run: the line with the counts, then the flips."""
    since: Mapping[str, Any] | None = summary.get("since")
    if not since:
        return []
    texts = [since["sentence"] + f" (run {since['run_id']})"]
    for one in since["flips"][:_MOST]:
        was = "was: " if one["kind"] == "fixed" else ""
        texts.append(f"{one['kind']}: {_who(one)}" + (f": {was}{one['reason']}" if one["reason"] else ""))
    return texts + _more(
        since["newly_failing"] + since["fixed"] + since.get("again_failing", 0) - len(since["flips"][:_MOST])
    )


def baseline_texts(summary: Mapping[str, Any]) -> list[str]:
    """What became of the cases of the baseline: the line with the counts, then what is worse or changed."""
    held: Mapping[str, Any] | None = summary.get("baseline")
    if not held:
        return []
    texts = [held["sentence"]]
    for key, word in (
        ("newly_failing", "newly failing"),
        ("unknown_failing", "failing, new or changed"),
        ("missing", "missing"),
        ("changed", "changed definition"),
    ):
        entries: Sequence[Mapping[str, Any]] = held[key]
        for one in entries[:_MOST]:
            what = f" ({', '.join(one['what'])})" if one.get("what") else ""
            texts.append(f"{word}: {_who(one)}{what}" + (f": {one['reason']}" if one.get("reason") else ""))
        texts += _more(held["counts"][key] - len(entries[:_MOST]))
    texts += [one["reason"] for one in held["judged"]]
    for word, ones in held["asked_again"].items():
        texts += [f"new judged failure, {word}: {_who(one)}, {one['metric']}: {one['reason']}" for one in ones[:_MOST]]
        texts += _more(len(ones) - _MOST)
    return texts


def trial_texts(summary: Mapping[str, Any]) -> list[str]:
    """pass@k and pass^k of the cases of each variant, for all trials that there are, where there are several."""
    texts = []
    for one in summary["estimates"]:
        short = one.get("short_of_k")
        if one["kind"] != "case" or not short:
            continue
        k = max(short, key=int)
        figures = [
            f"{name}{k} {_rate(one[key].get(k))}{_ends(one, key, k)}"
            for name, key in (("pass@", "pass_at_k"), ("pass^", "pass_hat_k"))
        ]
        few = f"; {short[k]} of {one['n_total']} cases have fewer than {k} scored trials" if short[k] else ""
        texts.append(f"{one['variant']}: {figures[0]} (any of {k} trials passes), {figures[1]} (all do){few}")
    return texts


def _rate(value: float | None) -> str:
    return "unknown" if value is None else f"{100 * value:.1f} %".replace(".0 %", " %")


def _ends(one: Mapping[str, Any], key: str, k: str) -> str:
    low, high = one[f"{key}_low"].get(k), one[f"{key}_high"].get(k)
    return "" if low is None or high is None else f" [{100 * low:.0f}, {100 * high:.0f}]"


def _who(one: Mapping[str, Any]) -> str:
    return str(one["case_id"]) + ("" if one["variant"] == "default" else f" [{one['variant']}]")


def _more(left: int) -> list[str]:
    return [f"… {left} more in summary.json"] if left > 0 else []
