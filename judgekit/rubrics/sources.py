"""An agent's triples in, the share that names a source out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

from judgekit.records import Case, CheckResult, Output
from judgekit.rubrics.base import DeterministicRubric, Unparseable, listed, quoted
from judgekit.texts.jsontext import find_object, why_no_object
from judgekit.texts.visible import has_visible


class SourceCoverage(DeterministicRubric):
    """Share of the triples emitted as `{"triples": […]}` that have a non-empty `source`.

    A source is a text with a visible character, or a list that holds one. An element that is no object counts as
    uncovered; no triples score 0.

    Example:
        >>> emitted = Output('{"triples": [{"subject": "Ada", "source": "p. 4"}, {"subject": "Bo", "source": " "}]}')
        >>> SourceCoverage().score(emitted, Case("a")).score
        Fraction(1, 2)
    """

    name: ClassVar[str] = "source_coverage"
    version: ClassVar[str] = "1"

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """Beside the general ones: no triples, and the input as the subject of an unsourced one."""
        echo = {"triples": [{"subject": case.input, "predicate": "", "object": "", "source": ""}]}
        return {
            **super().degenerate(case),
            "the empty list of triples": '{"triples": []}',
            "the echo of the input as a triple": json.dumps(echo, ensure_ascii=False),
        }

    def measure(self, text: str, output: Output, case: Case) -> CheckResult:
        """Covered triples over all triples; the span is the object that was read."""
        found = find_object(text, lambda value: "triples" in value)
        if found is None:
            raise Unparseable(why_no_object(text))
        triples = found.value.get("triples")
        if triples is not None and not isinstance(triples, list):
            raise Unparseable(f'"triples" must be a list, not {quoted(triples)}')
        spans = ((found.start, found.end),)
        if not triples:
            why = 'the list "triples" is empty' if "triples" in found.value else 'the object has no "triples"'
            none = {"triples": 0, "covered": 0, "uncovered": [], "no_triples": True}
            return CheckResult("scored", Fraction(0), f"no_triples: {why}", spans, flags=("no_triples",), detail=none)
        uncovered = [index for index, triple in enumerate(triples) if not _has_source(triple)]
        covered = len(triples) - len(uncovered)
        reason = f"{covered} of {len(triples)} triples have a source"
        if uncovered:
            reason += f"; no source: {listed([_shown(index, triples[index]) for index in uncovered])}"
        detail: dict[str, Any] = {
            "triples": len(triples),
            "covered": covered,
            "uncovered": uncovered,
            "no_triples": False,
        }
        return CheckResult("scored", Fraction(covered, len(triples)), reason, spans, detail=detail)


def _has_source(triple: Any) -> bool:
    source = triple.get("source") if isinstance(triple, dict) else None
    held = source if isinstance(source, list) else [source]
    return any(isinstance(one, str) and has_visible(one) for one in held)


def _shown(index: int, triple: Any) -> str:
    if not isinstance(triple, dict):
        return f"triple {index + 1} (not an object: {quoted(triple, 30)})"
    parts = [str(triple[key]) for key in ("subject", "predicate", "object") if isinstance(triple.get(key), str | int)]
    return f"triple {index + 1} ({quoted(' '.join(parts))})" if parts else f"triple {index + 1}"
