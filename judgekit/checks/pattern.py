"""Checks by pattern: regex and refusal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Annotated, Any, ClassVar

import regex
from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, WithJsonSchema, model_validator

from judgekit.checks.base import Check, Item, NoResult
from judgekit.checks.jsonpath import JsonPath
from judgekit.checks.refusals import find_refusal
from judgekit.checks.text import text_at
from judgekit.checks.values import Asked
from judgekit.reading.forms import TextList, as_text_list
from judgekit.records import Case, Output
from judgekit.texts.folding import Folded, fold
from judgekit.texts.quoting import quote

TIME_LIMIT_S = 1.0
"""One search that takes longer is an error of the check, neither pass nor fail."""

_HINT_LIMIT_S = 0.2
_FLAGS = {
    "ignorecase": regex.IGNORECASE,
    "multiline": regex.MULTILINE,
    "dotall": regex.DOTALL,
    "verbose": regex.VERBOSE,
    "ascii": regex.ASCII,
}


def compile_pattern(pattern: str, flags: int = 0) -> Any:
    """The compiled pattern, in NFC as the texts it is searched in.

    Raises:
        ValueError: no valid pattern; says what is wrong and where.
    """
    try:
        return regex.compile(unicodedata.normalize("NFC", pattern), flags)
    except regex.error as problem:
        raise ValueError(f"{quote(pattern)} is no valid pattern: {problem}") from None
    except (RecursionError, OverflowError, ValueError, MemoryError) as problem:
        raise ValueError(f"{quote(pattern)} is no usable pattern: {type(problem).__name__}") from None


def _patterns(texts: tuple[str, ...]) -> tuple[str, ...]:
    if not texts:
        raise ValueError("is an empty list: name at least one pattern")
    if not all(texts):
        raise ValueError("holds an empty pattern, which every output would match")
    for text in texts:
        # The flags are not known yet, and only this one can make a broken pattern valid: its comments are skipped.
        try:
            compile_pattern(text, regex.VERBOSE)
        except ValueError:
            compile_pattern(text)
    return texts


def _as_flags(value: Any) -> tuple[str, ...]:
    names = tuple(name.strip().lower() for text in as_text_list(value) for name in text.replace("|", ",").split(","))
    for name in names:
        if name not in _FLAGS:
            raise ValueError(f'has no flag "{name}"; flags are {", ".join(_FLAGS)}')
    return names


_FLAG_SCHEMA = {"enum": list(_FLAGS)}
Flags = Annotated[
    tuple[str, ...],
    BeforeValidator(_as_flags),
    WithJsonSchema({"anyOf": [_FLAG_SCHEMA, {"type": "array", "items": _FLAG_SCHEMA}]}),
]


class Regex(Check):
    """Every listed pattern is found somewhere in the output; case-sensitive, `.` stops at line ends, see `flags`."""

    name: ClassVar[str] = "regex"
    value: Annotated[TextList, AfterValidator(_patterns)] = Field(
        description="A pattern of Python's kind, or a list of which all must be found."
    )
    flags: Flags = Field((), description="ignorecase, multiline, dotall, verbose, ascii: one or a list.")
    path: JsonPath | None = Field(None, description="JSONPath: search only this value of the output's JSON.")
    _compiled: tuple[Any, ...] = PrivateAttr(())

    @model_validator(mode="after")
    def _compile(self) -> Regex:
        self._compiled = tuple(compile_pattern(pattern, self._bits) for pattern in self.value)
        return self

    @property
    def _bits(self) -> int:
        return reduce(or_, (_FLAGS[name] for name in self.flags), 0)

    def items(self, output: Output, case: Case) -> Sequence[Item]:
        """One item per pattern."""
        source = text_at(output, self.path)
        folded = fold(source, case=False, form=False)
        return [
            self._item(written, pattern, folded) for written, pattern in zip(self.value, self._compiled, strict=True)
        ]

    def _item(self, written: str, pattern: Any, folded: Folded) -> Item:
        first = search(pattern, folded.text)
        if first is None:
            return Item(False, f"no match for {quote(written)}{self._hint(written, folded)}")
        spans = [first.span()] if self.path is None and first.end() > first.start() else []
        shown = f"{quote(written)} matches {quote(first.group())}"
        return Item(True, found=shown, spans=tuple(folded.span(*span) for span in spans))

    def _hint(self, written: str, folded: Folded) -> str:
        """What a flag would change, else how the output begins."""
        for name, where in (("ignorecase", ""), ("dotall", "."), ("multiline", "^$")):
            if name in self.flags or (where and not set(where) & set(written)):
                continue
            try:
                found = regex.compile(unicodedata.normalize("NFC", written), self._bits | _FLAGS[name]).search(
                    folded.text, timeout=_HINT_LIMIT_S
                )
            except TimeoutError:
                continue
            if found:
                return f"; with `flags: {name}` it matches {quote(found.group(), 40)}"
        return f"; the output begins {quote(folded.source, 60)}"


def search(pattern: Any, text: str) -> Any:
    """The first match, or None.

    Raises:
        NoResult: the time limit is up.
    """
    try:
        return pattern.search(text, timeout=TIME_LIMIT_S)
    except TimeoutError:
        raise _too_slow(pattern) from None


def replaced(pattern: Any, by: str, text: str) -> str:
    """The text with every match replaced by a literal text.

    Raises:
        NoResult: the time limit is up.
    """
    try:
        return str(pattern.sub(lambda _: by, text, timeout=TIME_LIMIT_S))
    except TimeoutError:
        raise _too_slow(pattern) from None


def _too_slow(pattern: Any) -> NoResult:
    said = f"the pattern {quote(pattern.pattern)} took more than {TIME_LIMIT_S:g} s: the time limit"
    return NoResult("regex_timeout", said)


class Refusal(Check):
    """The output declines to help; mostly used as `not_refusal`.

    Sentences are matched against a curated list of first-person refusals in English (see judgekit.checks.refusals):
    a rule without a model, which knows the common wordings and stays quiet on "I can't recommend it enough".
    """

    name: ClassVar[str] = "refusal"
    value: Asked = Field(description="true")

    def items(self, output: Output, case: Case) -> Sequence[Item]:
        """One item: the refusal."""
        source = output.text or ""
        folded = fold(source)
        found = find_refusal(folded.text)
        if found is None:
            return [Item(False, f"no refusal found; the output begins {quote(source, 60)}")]
        span = folded.span(*found)
        return [Item(True, found=f"the output refuses: {quote(source[slice(*span)])}", spans=(span,))]
