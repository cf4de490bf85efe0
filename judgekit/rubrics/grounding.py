"""An agent's claims and a context of triples in, the share of claims that rest on the context out."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from judgekit.reading.forms import as_text
from judgekit.records import Case, CheckResult, Output
from judgekit.rubrics.base import DeterministicRubric, NoEvidence, Unparseable, listed, quoted
from judgekit.rubrics.phrases import both_held, joined, numbers, phrase, words
from judgekit.rubrics.sentences import Span, claim_spans
from judgekit.rubrics.triples import Triple, supplied
from judgekit.texts.jsontext import find_object, meant_as_json, why_no_object

_CITED = ("triple_ids", "cites", "sources")
_MARK = re.compile(r"\[([^\[\]\n]{1,80})\]")


class GroundingScore(DeterministicRubric):
    """Share of the claims that are grounded in the supplied subject-predicate-object context.

    A structured claim `{subject, predicate, object}` matches a triple, all three parts normalised. A claim `{text,
    triple_ids}` (or `cites`, `sources`) needs every cited triple to exist and its subject and object in the text. A
    plain sentence needs subject and object of one triple as whole phrases, and every number of it in the context; in a
    plain text, marks such as `[t1]` that name a triple are citations too. No claims score 0.

    Claims are the elements of the JSON list `claims`, or the sentences of a text. `judgekit.rubrics.phrases` says how
    texts are normalised, `judgekit.rubrics.sentences` what counts as a sentence.

    What it cannot tell: words between subject and object of a sentence are not read, so "did not buy" rests on the same
    triple as "bought", and "Borealis bought Acme" as "Borealis was bought by Acme" (of a structured claim, both are
    checked). It is a share: a single grounded claim, or all triples repeated, scores 1 whatever was asked.

    Example:
        >>> case = Case("a", vars={"triples": [{"subject": "Acme", "predicate": "bought", "object": "Borealis"}]})
        >>> GroundingScore().score(Output("Acme bought Borealis. It paid $3M."), case).score
        Fraction(1, 2)
    """

    name: ClassVar[str] = "grounding_score"
    version: ClassVar[str] = "1"

    def degenerate(self, case: Case) -> Mapping[str, str]:
        """Beside the general ones: no claims, and the input as the only claim."""
        return {
            **super().degenerate(case),
            "the empty list of claims": '{"claims": []}',
            "the echo of the input as a claim": json.dumps({"claims": [case.input]}, ensure_ascii=False),
        }

    def check_case(self, case: Case) -> list[str]:
        """Pieces of the case's own context that are no triples."""
        return supplied(Output(""), case)[1]

    def measure(self, text: str, output: Output, case: Case) -> CheckResult:
        """Grounded claims over all claims; spans are the ungrounded sentences of a text."""
        triples, unread = supplied(output, case)
        if not triples:
            why = f": {'; '.join(unread[:3])}" if unread else ""
            raise NoEvidence("no_context", f"no subject-predicate-object triple is supplied{why}")
        evidence = _Evidence(triples)
        found = find_object(text, lambda value: "claims" in value)
        spans: list[Span | None]
        if found and "claims" in found.value:
            claims = found.value["claims"]
            if not isinstance(claims, list):
                raise Unparseable(f'"claims" must be a list, not {quoted(claims)}')
            faults = [_fault(claim, evidence) for claim in claims]
            spans = [None] * len(claims)
        elif found and found.alone:
            raise Unparseable('the object has no "claims"')
        elif meant_as_json(text):
            raise Unparseable(why_no_object(text))
        else:
            spans = list(claim_spans(text))
            claims = [text[slice(*span)] for span in spans if span]
            faults = [_fault_of_sentence(claim, evidence) for claim in claims]
        if not claims:
            detail = {"claims": 0, "grounded": 0, "triples": len(triples), "unread_context": unread[:20]}
            return CheckResult("scored", Fraction(0), "no claims", flags=("no_claims",), detail=detail)
        bad = [
            (claim, fault, span) for claim, fault, span in zip(claims, faults, spans, strict=True) if fault is not None
        ]
        grounded = len(claims) - len(bad)
        reason = f"{grounded} of {len(claims)} claims are grounded"
        if bad:
            reason += f"; not grounded: {listed([f'{_shown(claim)} ({fault})' for claim, fault, _ in bad], limit=3)}"
        return CheckResult(
            "scored",
            Fraction(grounded, len(claims)),
            reason,
            tuple(span for _, _, span in bad if span),
            detail={
                "claims": len(claims),
                "grounded": grounded,
                "ungrounded": [{"claim": _shown(claim), "why": fault} for claim, fault, _ in bad[:100]],
                "triples": len(triples),
                "unread_context": unread[:20],
            },
        )


@dataclass
class _Evidence:
    """The triples of one case, indexed so that a long answer over a large context stays linear."""

    triples: Sequence[Triple]
    keys: dict[tuple[str, str, str], list[Triple]] = field(default_factory=dict)
    by_id: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    by_word: dict[str, set[tuple[str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for triple in self.triples:
            key = triple.key
            pair = (key[0], key[2])
            self.keys.setdefault(key, []).append(triple)
            self.by_word.setdefault(key[0].split()[0], set()).add(pair)
            for one in triple.ids:
                self.by_id.setdefault(one, []).append(pair)

    @cached_property
    def numbers(self) -> set[str]:
        """Every number of the whole context."""
        parts = (part for one in self.triples for part in (one.subject, one.predicate, one.object))
        return {number for part in parts for number in numbers(part)}


def _fault(claim: Any, evidence: _Evidence) -> str | None:
    """Why an element of `claims` is not grounded; None if it is."""
    if isinstance(claim, str):
        return _fault_of_sentence(claim, evidence)
    if not isinstance(claim, dict):
        return "neither a text nor an object"
    cited = _cited(claim)
    if cited is None:
        return "the cited ids are neither a text nor a list of texts"
    if all(part in claim for part in ("subject", "predicate", "object")):
        return _fault_of_structure(claim, cited, evidence)
    text = claim.get("text", claim.get("claim"))
    if not isinstance(text, str):
        return "has neither a text nor subject, predicate and object"
    return _fault_of_cited(text, cited, evidence) if cited else _fault_of_sentence(text, evidence)


def _fault_of_structure(claim: dict[str, Any], cited: list[str], evidence: _Evidence) -> str | None:
    try:
        subject, predicate, thing = (phrase(as_text(claim[part])) for part in ("subject", "predicate", "object"))
    except ValueError:
        return "subject, predicate and object must be texts"
    matching = evidence.keys.get((subject, predicate, thing), [])
    if not matching:
        return "no such triple"
    strangers = [one for one in cited if not any(one in triple.ids for triple in matching)]
    return f"cites {quoted(strangers[0])}, which is another triple or none" if strangers else None


def _fault_of_cited(text: str, cited: list[str], evidence: _Evidence) -> str | None:
    written = joined(words(text))
    for one in cited:
        pairs = evidence.by_id.get(one)
        if pairs is None:
            return f"cites {quoted(one)}, which is not in the context"
        if not any(both_held(subject, thing, written) for subject, thing in pairs):
            return f"does not name subject and object of {quoted(one)}"
    return None


def _fault_of_sentence(text: str, evidence: _Evidence) -> str | None:
    marks = [mark for mark in _MARK.finditer(text) if all(one in evidence.by_id for one in _ids_in(mark))]
    if marks:
        cited = [one for mark in marks for one in _ids_in(mark)]
        # The ids themselves are neither numbers nor names that the sentence claims something about.
        text = _MARK.sub(lambda mark: " " if all(one in evidence.by_id for one in _ids_in(mark)) else mark[0], text)
        fault = _fault_of_cited(text, cited, evidence)
        if fault:
            return fault
    found = words(text)
    written = joined(found)
    pairs = {pair for word in set(found) for pair in evidence.by_word.get(word, ())}
    if not any(both_held(subject, thing, written) for subject, thing in pairs):
        return "does not name subject and object of one triple"
    strange = [written for number, written in numbers(text).items() if number not in evidence.numbers]
    return f"the context does not hold {listed(strange)}" if strange else None


def _ids_in(mark: re.Match[str]) -> list[str]:
    return [one.strip() for one in re.split(r"[,;]", mark[1])]


def _cited(claim: dict[str, Any]) -> list[str] | None:
    """The ids that a claim cites as texts, empty for none; None if they cannot be read."""
    cited: list[str] = []
    for key in _CITED:
        value = claim.get(key)
        if value is None:
            continue
        try:
            cited += [as_text(one).strip() for one in (value if isinstance(value, list) else [value])]
        except ValueError:
            return None
    return cited


def _shown(claim: Any) -> str:
    if isinstance(claim, dict):
        text = claim.get("text", claim.get("claim"))
        parts = [str(claim.get(part)) for part in ("subject", "predicate", "object")]
        return quoted(text if isinstance(text, str) else " ".join(parts), 80)
    return quoted(claim, 80)
