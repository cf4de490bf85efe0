"""`-k EXPR` and `--tag` in, a choice of cases out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from judgekit.errors import InputError
from judgekit.records import Case

Wanted = Callable[[Case], bool]
_MOST_NESTED = 100
_TOKEN = re.compile(r'\s*(\(|\)|"[^"]*"|[^\s()"]+)')


def selection(expression: str | None, tags: Sequence[str]) -> Wanted:
    """A predicate: the case fits the expression and has one of the tags.

    The expression joins words with `and`, `or`, `not` and parentheses; a word fits a case if it occurs, in any case
    of letters, in the case's id, name, suite or agent.

    Raises:
        InputError: the expression can't be read.

    Example:
        >>> selection("refund and not angry", ())(Case("refund-late"))
        True
    """
    fits = _parse(expression) if expression and expression.strip() else _everything
    if not tags:
        return fits
    wanted = {tag.casefold() for tag in tags}
    return lambda case: fits(case) and any(tag.casefold() in wanted for tag in case.tags)


def _everything(case: Case) -> bool:
    return True


def _parse(expression: str) -> Wanted:
    if expression.count('"') % 2:
        raise InputError(f"-k {expression}: a quotation mark is not closed.")
    tokens = _TOKEN.findall(expression)
    if sum(token.lower() in ("(", "not") for token in tokens) > _MOST_NESTED:
        raise InputError(f"-k {expression[:60]}…: nested too deeply.")
    fits = _either(tokens, expression)
    if tokens:
        raise InputError(f'-k {expression}: "{tokens[0]}" was not expected there.')
    return fits


def _either(tokens: list[str], expression: str) -> Wanted:
    parts = [_all(tokens, expression)]
    while tokens and tokens[0].lower() == "or":
        tokens.pop(0)
        parts.append(_all(tokens, expression))
    return lambda case: any(part(case) for part in parts)


def _all(tokens: list[str], expression: str) -> Wanted:
    parts = [_one(tokens, expression)]
    while tokens and tokens[0].lower() == "and":
        tokens.pop(0)
        parts.append(_one(tokens, expression))
    return lambda case: all(part(case) for part in parts)


def _one(tokens: list[str], expression: str) -> Wanted:
    if not tokens or tokens[0].lower() in ("and", "or", ")"):
        raise InputError(f"-k {expression}: a word is missing.")
    token = tokens.pop(0)
    if token.lower() == "not":
        inner = _one(tokens, expression)
        return lambda case: not inner(case)
    if token == "(":
        inner = _either(tokens, expression)
        if not tokens or tokens.pop(0) != ")":
            raise InputError(f"-k {expression}: a parenthesis is not closed.")
        return inner
    word = token.strip('"').casefold()
    return lambda case: any(word in text.casefold() for text in _names(case))


def _names(case: Case) -> Iterable[str]:
    return (case.case_id, case.name, case.suite, case.agent)
