"""An agent's triples in, the share that names a source out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

from judgekit.reading.forms import Bool
from judgekit.records import Case, CheckResult, Output
from judgekit.rubrics.base import DeterministicRubric, Unparseable, listed, quoted
from judgekit.texts.folding import fold
from judgekit.texts.jsontext import find_object, why_no_object
from judgekit.texts.visible import has_content

_PARTS = ("subject", "predicate", "object")
_PLACEHOLDERS = frozenset(
    (
        "na",
        "nil",
        "none",
        "nosource",
        "notavailable",
        "notgiven",
        "notspecified",
        "null",
        "tbd",
        "unknown",
        "unspecified",
    )
)
"""Texts that say that there is no source, without blanks and marks."""


class SourceCoverage(DeterministicRubric):
    """Share of the triples emitted as `{"triples": […]}` that have a non-empty `source`.

    A source is a text that says something, or a list that holds one: not only blanks and punctuation, nor a word that
    stands for nothing (unknown, n/a, none). An element that is no object counts as uncovered; no triples score 0.

    Whether the source is right, and how many facts were left out, it cannot tell: one triple with a page number scores
    1. `format` of the agent and further rubrics have to ask for more.

    Example:
        >>> emitted = Output('{"triples": [{"subject": "Ada", "source": "p. 4"}, {"subject": "Bo", "source": " "}]}')
        >>> SourceCoverage().score(emitted, Case("a")).score
        Fraction(1, 2)
    """

    name: ClassVar[str] = "source_coverage"
    version: ClassVar[str] = "2"

    require_parts: Bool = False
    """True: a triple counts as covered only with a subject, a predicate and an object, too."""

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """Beside the general ones: no triples, the input as the subject of one, and sources that say nothing."""
        echo = {"triples": [{"subject": case.input, "predicate": "", "object": "", "source": ""}]}
        return {
            **super().degenerate(case),
            "the empty list of triples": '{"triples": []}',
            "the echo of the input as a triple": json.dumps(echo, ensure_ascii=False),
            "a triple whose source is a dot": '{"triples": [{"source": "."}]}',
            "a triple of unknown source": '{"triples": [{"source": "unknown"}]}',
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
        uncovered = [index for index, triple in enumerate(triples) if not self._covers(triple)]
        covered = len(triples) - len(uncovered)
        reason = f"{covered} of {len(triples)} triples have a source"
        if uncovered:
            lacking = "no source, or a part missing" if self.require_parts else "no source"
            reason += f"; {lacking}: {listed([_shown(index, triples[index]) for index in uncovered])}"
        detail: dict[str, Any] = {
            "triples": len(triples),
            "covered": covered,
            "uncovered": uncovered,
            "no_triples": False,
        }
        return CheckResult("scored", Fraction(covered, len(triples)), reason, spans, detail=detail)

    def _covers(self, triple: Any) -> bool:
        if not isinstance(triple, dict):
            return False
        source = triple.get("source")
        has_source = any(_is_source(one) for one in (source if isinstance(source, list) else [source]))
        return has_source and (not self.require_parts or all(_holds(triple.get(part)) for part in _PARTS))


def _holds(value: Any) -> bool:
    return value is not None and not isinstance(value, list | dict) and has_content(str(value))


def _is_source(value: Any) -> bool:
    if not isinstance(value, str) or not has_content(value):
        return False
    return "".join(one for one in fold(value).text if one.isalnum()) not in _PLACEHOLDERS


def _shown(index: int, triple: Any) -> str:
    if not isinstance(triple, dict):
        return f"triple {index + 1} (not an object: {quoted(triple, 30)})"
    parts = [str(triple[key]) for key in _PARTS if isinstance(triple.get(key), str | int)]
    return f"triple {index + 1} ({quoted(' '.join(parts))})" if parts else f"triple {index + 1}"
