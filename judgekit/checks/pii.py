"""The check for personal data: pii."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from judgekit.checks.base import Check, Item
from judgekit.checks.values import as_true
from judgekit.reading.forms import TextList, as_text_list
from judgekit.records import Case, Output
from judgekit.texts.quoting import quote

Kind = Literal["email", "phone", "iban", "card", "ssn"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_GUARD = "`pii` passes if there is some; the guard against it is `not_pii`"


def _as_kinds(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool) or value in ("true", "false"):
        as_true(value)
        return KINDS
    kinds = tuple(kind.strip().lower() for kind in as_text_list(value))
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f'has no kind "{kind}"; write true or some of {", ".join(KINDS)}')
    if not kinds:
        raise ValueError(f"is an empty list; write true or some of {', '.join(KINDS)}")
    return kinds


class Pii(Check):
    """The output holds personal data of a listed kind; the guard against it is `not_pii`.

    Card numbers, IBANs and US social security numbers count only if their checksum or their rules hold; phone numbers
    count in international form, in North American form, or with a leading 0 and separators.
    """

    name: ClassVar[str] = "pii"
    any_item: ClassVar[bool] = True
    value: Annotated[
        tuple[str, ...],
        BeforeValidator(_as_kinds),
        WithJsonSchema({"anyOf": [{"const": True}, {"type": "array", "items": {"enum": list(KINDS)}}]}),
    ] = Field(description="true for all kinds, or some of email, phone, iban, card, ssn.")
    allow: TextList = Field((), description="Values that may occur, and domains whose email addresses may.")

    def items(self, output: Output, case: Case) -> list[Item]:
        """One item per kind."""
        found = list(find_pii(output.text or ""))
        allowed = [_bare(text) for text in self.allow]
        items = []
        for kind in self.value:
            hits = [hit for hit in found if hit.kind == kind and not _is_allowed(hit, allowed)]
            said = f"{kind} {', '.join(quote(_masked(hit)) for hit in hits[:5])}"
            said += f" and {len(hits) - 5} more" if len(hits) > 5 else ""
            spans = tuple((hit.start, hit.end) for hit in hits[:20])
            items.append(Item(bool(hits), f"no {kind} found", f"found {said}", spans))
        if not any(item.met for item in items):
            items[-1] = Item(False, f"{items[-1].missing}; {_GUARD}")
        return items


class Hit(NamedTuple):
    """One piece of personal data in a text."""

    kind: str
    start: int
    end: int
    text: str


def find_pii(text: str) -> Iterator[Hit]:
    """Every piece of personal data, kind by kind; no place counts twice.

    Example:
        >>> [hit.kind for hit in find_pii("Write to ann@example.com or call +44 20 7946 0958.")]
        ['email', 'phone']
    """
    taken = bytearray(len(text))
    for kind, pattern, accept in _FINDERS:
        # Most outputs have neither, and are spared the patterns.
        if not (_DIGIT.search(text) if kind != "email" else "@" in text):
            continue
        for match in pattern.finditer(text):
            kept = accept(match.group())
            start, end = match.start(), match.start() + len(kept)
            if kept and not any(taken[start:end]):
                taken[start:end] = b"\x01" * (end - start)
                yield Hit(kind, start, end, kept)


def _any(text: str) -> str:
    return text


def _card(text: str) -> str:
    from stdnum import luhn

    digits = re.sub(r"[ -]", "", text)
    return text if _ISSUERS.fullmatch(digits) and luhn.is_valid(digits) else ""


def _iban(text: str) -> str:
    """The IBAN at the start: words in capitals may follow it, and are taken off from the end."""
    from stdnum import iban

    groups = text.split(" ")
    while groups:
        candidate = " ".join(groups)
        if iban.is_valid(candidate):
            return candidate
        groups.pop()
    return ""


def _ssn(text: str) -> str:
    from stdnum.us import ssn

    return text if ssn.is_valid(text.replace(" ", "-")) else ""


def _phone(text: str) -> str:
    return text if 7 <= sum(character.isdigit() for character in text) <= 15 else ""


# First digits and lengths of the networks: about one number in ten passes the checksum alone.
_ISSUERS = re.compile(
    r"4\d{12}(?:\d{3}){0,2}|(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12,14}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}"
)
_DIGIT = re.compile(r"\d")
_FINDERS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("email", re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])"), _any),
    (
        "iban",
        re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
        _iban,
    ),
    ("card", re.compile(r"(?<![\d-])\d(?:[ -]?\d){12,18}(?![\d-])"), _card),
    ("ssn", re.compile(r"(?<![\d-])\d{3}[- ]\d{2}[- ]\d{4}(?![\d-])"), _ssn),
    (
        "phone",
        re.compile(
            r"(?<![\w+])(?:\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,6}"
            r"|(?:1[ .-])?\(\d{3}\) ?\d{3}[ .-]\d{4}|(?<![\d.-])(?:1[ .-])?\d{3}[.-]\d{3}[.-]\d{4}"
            r"|(?<![\d.-])0\d{1,4}[ /-]\d{3,4}[ -]?\d{3,5})(?![\w-])"
        ),
        _phone,
    ),
)


def _bare(text: str) -> str:
    return re.sub(r"[\s().-]", "", text).casefold()


def _is_allowed(hit: Hit, allowed: list[str]) -> bool:
    bare = _bare(hit.text)
    return any(bare == one or (hit.kind == "email" and bare.endswith("@" + one.lstrip("@"))) for one in allowed)


def _masked(hit: Hit) -> str:
    """Numbers that open accounts are shown by their last four characters: reasons travel further than outputs."""
    if hit.kind in ("email", "phone"):
        return hit.text
    return f"…{hit.text[-4:]}"
