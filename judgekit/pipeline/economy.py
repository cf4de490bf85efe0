"""What was asked in; what asking for all items of a rubric at once saved, or one by one cost, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from judgekit.pipeline.judging import Ask
from judgekit.records import Judgment


def economy(asked: Iterable[tuple[Ask, Sequence[Judgment]]]) -> list[dict[str, Any]]:
    """One mapping per rubric of several items, as `economy` in summary.json: how it asks, and what the rest would cost.

    `calls` one or each, `n_items`, `made` verdicts asked for, `other_way` how many it would have been otherwise.
    """
    found: dict[str, dict[str, Any]] = {}
    for ask, judgments in asked:
        n_items = len(ask.rubric.items)
        made = sum(bool(one.prompt_hash) for one in judgments)
        if n_items < 2 or ask.pair is not None or not made:
            continue
        start = {"metric": ask.rubric.name, "calls": ask.rubric.calls, "n_items": n_items, "made": 0, "other_way": 0}
        entry = found.setdefault(ask.rubric.name, start)
        entry["made"] += made
        entry["other_way"] += made * n_items if ask.rubric.calls == "one" else len({one.sample for one in judgments})
    return list(found.values())


def economy_lines(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The same for people.

    Example:
        >>> list(economy_lines([{"metric": "mail", "calls": "one", "n_items": 3, "made": 2, "other_way": 6}]))
        ['mail: 3 items in one call: 4 calls saved against one each (2 in place of 6)']
    """
    for one in found:
        made, other = one["made"], one["other_way"]
        if one["calls"] == "one":
            said = f"in one call: {other - made} calls saved against one each ({made} in place of {other})"
        else:
            said = f"in calls of their own: {made - other} more than in one for all ({made} in place of {other})"
        yield f"{one['metric']}: {one['n_items']} items {said}"
