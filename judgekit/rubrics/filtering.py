"""An agent's keep and drop decisions in, the share that agrees with the labels of the case out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from judgekit.errors import did_you_mean
from judgekit.reading.forms import as_text
from judgekit.reading.tables import parse_json
from judgekit.records import Case, CheckResult, Output
from judgekit.rubrics.base import DeterministicRubric, NoEvidence, Unparseable, listed, quoted
from judgekit.texts.jsontext import find_object, why_no_object

_KEEP_WORDS = ("keep", "kept", "include", "included", "accept", "accepted", "relevant", "true", "yes", "1")
_DROP_WORDS = (
    *("drop", "dropped", "remove", "removed", "exclude", "excluded", "discard", "discarded"),
    *("reject", "rejected", "irrelevant", "false", "no", "0"),
)
_KEEP_LISTS = ("keep", "kept", "include", "included")
_DROP_LISTS = ("drop", "dropped", "remove", "removed", "exclude", "excluded")
_ROW_LISTS = ("decisions", "items")
_ALL_LISTS = (*_KEEP_LISTS, *_DROP_LISTS, *_ROW_LISTS)


class FilterAccuracy(DeterministicRubric):
    """(TP + TN) / total over the labelled items in the case's `vars.items`; kept is positive.

    Items: `{id, label}`, label keep or drop (also include / exclude, true / false). Decisions: `{"keep": [ids],
    "drop": [ids]}`, or `{"decisions": [{"id", "decision"}]}`, or `{"items": [{"id", "label"}]}`; ids compare as text.
    A missing or contradictory decision is wrong: it counts as FN for an item to keep, as FP for one to drop, so the
    four cells always add up to the total. Unknown ids are reported, not scored.

    Example:
        >>> case = Case("a", vars={"items": [{"id": 7, "label": "keep"}, {"id": 8, "label": "drop"}]})
        >>> FilterAccuracy().score(Output('{"keep": ["7"], "drop": []}'), case).score
        Fraction(1, 2)
    """

    name: ClassVar[str] = "filter_accuracy"
    version: ClassVar[str] = "1"

    def check_case(self, case: Case) -> list[str]:
        """Missing items, ids or labels, and ids that are given twice."""
        return _labels(case)[1]

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """Beside the general ones: keeping all items, dropping all, deciding nothing, and both at once."""
        ids = list(_labels(case)[0])
        made: dict[str, Mapping[str, Any]] = {
            "keep all": {"keep": ids, "drop": []},
            "drop all": {"keep": [], "drop": ids},
            "keep and drop all": {"keep": ids, "drop": ids},
            "the echo of the items": {"items": [{"id": one} for one in ids]},
        }
        return {
            **super().degenerate(case),
            **{name: json.dumps(decisions, ensure_ascii=False) for name, decisions in made.items()},
        }

    def measure(self, text: str, output: Output, case: Case) -> CheckResult:
        """Right decisions over labelled items; the span is the object that was read."""
        labels, mistakes = _labels(case)
        if mistakes:
            raise NoEvidence("no_reference", f"the labelled items of the case cannot be used: {'; '.join(mistakes)}")
        found = find_object(text, lambda value: any(key in value for key in _ALL_LISTS))
        if found is None:
            raise Unparseable(why_no_object(text))
        said = _decisions(found.value)
        wrong: list[str] = []
        cells = dict.fromkeys(("tp", "tn", "fp", "fn"), 0)
        missing: list[str] = []
        contradictory: list[str] = []
        for item, keep in labels.items():
            decided = said.get(item, set())
            if decided == {keep}:
                cells["tp" if keep else "tn"] += 1
                continue
            cells["fn" if keep else "fp"] += 1
            if not decided:
                missing.append(item)
            elif len(decided) == 2:
                contradictory.append(item)
            else:
                wrong.append(f"{item} (must be {'kept' if keep else 'dropped'})")
        unknown = [item for item in said if item not in labels]
        right = cells["tp"] + cells["tn"]
        reason = "; ".join(
            [f"{right} of {len(labels)} decisions are right"]
            + [f"wrong: {listed(wrong)}"] * bool(wrong)
            + [f"no decision: {listed(missing)}"] * bool(missing)
            + [f"kept and dropped at once: {listed(contradictory)}"] * bool(contradictory)
            + [f"not among the items: {listed([quoted(item) for item in unknown])}"] * bool(unknown)
        )
        detail = {
            **cells,
            "total": len(labels),
            "missing": missing,
            "contradictory": contradictory,
            "unknown": unknown[:100],
            **_rates(**cells),
        }
        flags = ("unknown_ids",) * bool(unknown) + ("no_decisions",) * (len(missing) == len(labels))
        spans = ((found.start, found.end),)
        return CheckResult("scored", Fraction(right, len(labels)), reason, spans, flags=flags, detail=detail)


def _rates(tp: int, tn: int, fp: int, fn: int) -> dict[str, Any]:
    """Precision, recall and balanced accuracy; None, with the reason under `undefined`, where nothing is to divide."""
    undefined: dict[str, str] = {}
    if not tp + fp:
        undefined["precision"] = "nothing was kept"
    if not tp + fn:
        undefined["recall"] = "no item is labelled keep"
    if not tn + fp:
        undefined["balanced_accuracy"] = "no item is labelled drop"
    elif not tp + fn:
        undefined["balanced_accuracy"] = "no item is labelled keep"
    return {
        "precision": None if "precision" in undefined else tp / (tp + fp),
        "recall": None if "recall" in undefined else tp / (tp + fn),
        "balanced_accuracy": (
            None if "balanced_accuracy" in undefined else float((Fraction(tp, tp + fn) + Fraction(tn, tn + fp)) / 2)
        ),
        "undefined": undefined,
    }


def _labels(case: Case) -> tuple[dict[str, bool], list[str]]:
    """Id -> to be kept, and what is wrong with the items."""
    items = case.vars.get("items")
    if isinstance(items, str):
        # A cell of a CSV file is text.
        try:
            items = parse_json(items)
        except ValueError as problem:
            return {}, [f"vars.items is not readable as JSON: {problem}"]
    if not isinstance(items, list | tuple) or not items:
        return {}, ["vars.items must be a list of {id, label}, and must not be empty"]
    labels: dict[str, bool] = {}
    mistakes: list[str] = []
    for index, item in enumerate(items):
        place = f"vars.items[{index}]"
        if not isinstance(item, Mapping):
            mistakes.append(f"{place} must be a mapping with id and label")
            continue
        identity = _id(item.get("id"))
        if identity is None:
            mistakes.append(f"{place} has no id")
            continue
        if item.get("label") is None:
            mistakes.append(f'{place} (id "{identity}") has no label; write keep or drop')
            continue
        keep = _choice(item["label"])
        if keep is None:
            hint = did_you_mean(str(item["label"]), ["keep", "drop", "include", "exclude"])
            mistakes.append(f'{place} (id "{identity}") has the label {quoted(item["label"])}, not keep or drop.{hint}')
        elif identity in labels:
            what = "given twice" if labels[identity] is keep else "labelled keep and drop at once"
            mistakes.append(f'the id "{identity}" is {what} (again in {place})')
        else:
            labels[identity] = keep
    return labels, mistakes


def _decisions(value: Mapping[str, Any]) -> dict[str, set[bool]]:
    """Id -> what was decided: one choice, or both where the output contradicts itself; no entry, no decision."""
    said: dict[str, set[bool]] = {}
    for keys, keep in ((_KEEP_LISTS, True), (_DROP_LISTS, False)):
        for key in keys:
            for item in _listed_ids(value.get(key)):
                said.setdefault(item, set()).add(keep)
    readable = any(isinstance(value.get(key), list) for key in (*_KEEP_LISTS, *_DROP_LISTS))
    for key in _ROW_LISTS:
        rows = value.get(key)
        if not isinstance(rows, list):
            continue
        readable = True
        for row in rows:
            identity = _id(row.get("id")) if isinstance(row, Mapping) else None
            if identity is None:
                continue
            for choice in (_choice(row.get(name)) for name in ("decision", "keep", "label")):
                if choice is not None:
                    said.setdefault(identity, set()).add(choice)
    if not readable:
        raise Unparseable('the object has no list "keep" and "drop", "decisions" or "items"')
    return said


def _listed_ids(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            identity = _id(one.get("id") if isinstance(one, Mapping) else one)
            if identity is not None:
                yield identity


def _id(value: Any) -> str | None:
    """The id as text, so that 7 and "7" are one; None where there is none."""
    if isinstance(value, bool):
        return None
    try:
        return as_text(value).strip() or None
    except ValueError:
        return None


def _choice(value: Any) -> bool | None:
    """True for keep, False for drop, None for anything else."""
    try:
        word = as_text(value).strip().casefold()
    except ValueError:
        return None
    return True if word in _KEEP_WORDS else False if word in _DROP_WORDS else None
