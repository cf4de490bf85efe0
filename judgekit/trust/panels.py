"""What people say of a panel and of its members in; whether the panel is worse than its best member, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgekit.frame.panels import PANEL
from judgekit.trust.matching import Pair
from judgekit.trust.measure import measure
from judgekit.trust.records import TrustRecord

WORSE = "the panel agrees less with people than its best member"


def panel_notes(records: Sequence[TrustRecord]) -> dict[str, str]:
    """By metric one sentence on each panel that its best member beats: equal votes of unequal judges can do that.

    Compared is the agreement beyond chance that the panel's badge rests on, over the outputs that both have a verdict
    on; a difference may be chance, so both figures and their number of outputs are told.

    Args:
        records: Those of the judges of one run.
    """
    found = {}
    for panel in records:
        if panel.judge != PANEL:
            continue
        ahead = []
        for member in records:
            if member.metric == panel.metric and member.judge != PANEL:
                own, whole, n = _both(member, panel)
                if own is not None and whole is not None and own > whole:
                    ahead.append((own, whole, n, member.judge))
        if ahead:
            own, whole, n, judge = max(ahead, key=lambda one: one[0] - one[1])
            name = str(panel.figures["headline"]).replace("_", " ")
            found[panel.metric] = f"{WORSE}: {judge} {own:.2f}, panel {whole:.2f} ({name}, {n} labelled outputs)"
    return found


def beside_members(
    entries: Mapping[str, Mapping[str, Any]], records: Sequence[TrustRecord]
) -> dict[str, dict[str, Any]]:
    """The entries of `trust` in summary.json, that of a panel with what `panel_notes` says of it.

    Args:
        entries: As `RunTrust.entries`.
        records: Those of the judges of the run.
    """
    notes = panel_notes(records)
    return {
        key: {**one, "sentence": f"{one['sentence']}; {notes[one['metric']]}"}
        if one["judge"] == PANEL and one["metric"] in notes
        else dict(one)
        for key, one in entries.items()
    }


def _both(member: TrustRecord, panel: TrustRecord) -> tuple[float | None, float | None, int]:
    """The panel's headline figure of both on common outputs, and how many these are."""
    keys = [{_key(pair) for pair in one.pairs} for one in (member, panel)]
    common = keys[0] & keys[1]
    headline = str(panel.figures["headline"])
    values = []
    for one in (member, panel):
        pairs = [pair for pair in one.pairs if _key(pair) in common]
        estimate = measure(pairs, one.labels, one.scale).estimates.get(headline) if pairs else None
        values.append(None if estimate is None else estimate.value)
    return values[0], values[1], len(common)


def _key(pair: Pair) -> tuple[Any, ...]:
    return pair.suite, pair.case_id, pair.variant, pair.against, pair.trial


def without_old(warnings: Iterable[str]) -> list[str]:
    """Warnings but those on panels, which are about to be made anew."""
    return [one for one in warnings if WORSE not in one]
