"""A case's context in, its subject-predicate-object triples out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from judgekit.reading.forms import as_text
from judgekit.reading.tables import parse_json
from judgekit.records import Case, Context, Output
from judgekit.rubrics.base import quoted
from judgekit.rubrics.phrases import phrase, words

_PARTS = ("subject", "predicate", "object")


@dataclass(frozen=True, slots=True)
class Triple:
    """One triple of the context, as written and normalised."""

    subject: str
    predicate: str
    object: str
    ids: frozenset[str]
    """Its own id, and that of the piece of context that holds it."""

    @property
    def key(self) -> tuple[str, str, str]:
        """The three parts as normalised phrases."""
        return phrase(self.subject), phrase(self.predicate), phrase(self.object)


def supplied(output: Output, case: Case) -> tuple[list[Triple], list[str]]:
    """The triples, and what in the context could not be read as one.

    What the target retrieved itself (`output.context`) wins over what the case supplies: its context and the list
    `vars.triples`. A piece of context is a JSON object `{subject, predicate, object}`, a list of them, or lines
    `subject | predicate | object`.
    """
    triples: list[Triple] = []
    mistakes: list[str] = []
    pieces = output.context if output.context is not None else case.context or ()
    for index, piece in enumerate(pieces):
        _read_piece(piece, f"context[{index}]", triples, mistakes)
    if output.context is None:
        _read_rows(case.vars.get("triples"), triples, mistakes)
    return triples, mistakes


def as_triple(value: Any, *ids: str | None) -> Triple | None:
    """The mapping as a triple; None if a part is missing or names nothing."""
    if not isinstance(value, Mapping):
        return None
    try:
        subject, predicate, thing = (as_text(value.get(part)) for part in _PARTS)
        own = None if value.get("id") is None else as_text(value["id"]).strip()
    except ValueError:
        return None
    if not words(subject) or not words(thing):
        return None
    return Triple(subject, predicate, thing, frozenset(one for one in (own, *ids) if one))


def _read_piece(piece: Context, place: str, triples: list[Triple], mistakes: list[str]) -> None:
    text = piece.text.strip()
    if text.startswith(("{", "[")):
        try:
            value = parse_json(text)
        except ValueError as problem:
            mistakes.append(f"{place} is not readable as JSON: {problem}")
            return
        rows = value if isinstance(value, list) else [value]
        found: Iterator[tuple[Any, Triple | None]] = ((row, as_triple(row, piece.id)) for row in rows)
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        found = ((line, _from_line(line, piece.id)) for line in lines)
    for written, triple in found:
        if triple:
            triples.append(triple)
        else:
            mistakes.append(f"{place} holds {quoted(written)}, which is no subject, predicate and object")


def _from_line(line: str, identity: str | None) -> Triple | None:
    parts = [part.strip() for part in line.split("|")]
    return as_triple(dict(zip(_PARTS, parts, strict=True)), identity) if len(parts) == 3 else None


def _read_rows(rows: Any, triples: list[Triple], mistakes: list[str]) -> None:
    if rows is None:
        return
    if isinstance(rows, str):
        # A cell of a CSV file is text.
        try:
            rows = parse_json(rows)
        except ValueError as problem:
            mistakes.append(f"vars.triples is not readable as JSON: {problem}")
            return
    if not isinstance(rows, list | tuple):
        mistakes.append("vars.triples must be a list of {subject, predicate, object}")
        return
    for index, row in enumerate(rows):
        triple = as_triple(row)
        if triple:
            triples.append(triple)
        else:
            mistakes.append(f"vars.triples[{index}] is no {{subject, predicate, object}}")
