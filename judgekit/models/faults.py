"""The exception of a failed call in, a Fault out: what went wrong, whether to try again, and what to tell people.

Exceptions are read by their names and attributes, so that no client library is needed to read them. The innermost
answer counts: litellm guesses by words (a 500 that mentions a rate limit becomes a 429), the HTTP status does not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from judgekit.reading.tables import parse_cell
from judgekit.reading.text import without_surrogates
from judgekit.records import NO_FIELDS
from judgekit.texts.scrubbing import scrub

Kind = Literal[
    "rate_limit",
    "timeout",
    "server",
    "connection",
    "malformed",
    "unreachable",
    "auth",
    "not_found",
    "client",
    "content_filter",
    "context",
    "request",
]

RETRYABLE: frozenset[Kind] = frozenset(("rate_limit", "timeout", "server", "connection", "malformed", "unreachable"))
"""Faults that may pass by themselves."""

ENDS_RUN: frozenset[Kind] = frozenset(("auth", "not_found", "unreachable", "client"))
"""Faults that, met by the first call, every other call would meet too."""

_CAUSES: Mapping[Kind, str] = {
    "rate_limit": "rate_limit",
    "timeout": "timeout",
    "auth": "auth",
    "content_filter": "content_filter",
}
_WORDS: Mapping[Kind, str] = {
    "rate_limit": "too many requests",
    "timeout": "no answer in time (timeout)",
    "server": "the server failed",
    "connection": "the connection was lost",
    "malformed": "the answer's body is malformed",
    "unreachable": "no connection",
    "auth": "the key was refused",
    "not_found": "no such model or address",
    "client": "the model cannot be asked",
    "content_filter": "stopped by the provider's content filter (content_filter)",
    "context": "the prompt is longer than the model takes",
    "request": "the request was refused",
}
_LONGEST = 400
# Patterns that look for an end are slow on long text without one.
_READ_AT_MOST = 10_000

_TIMEOUTS = frozenset(
    ("APITimeoutError", "Timeout", "ReadTimeout", "ConnectTimeout", "WriteTimeout", "PoolTimeout", "ReadTimeoutError")
)
_UNREACHABLE = frozenset(("ConnectError", "NewConnectionError", "EndpointConnectionError", "NameResolutionError"))
_LOST = frozenset(
    ("ReadError", "WriteError", "CloseError", "RemoteProtocolError", "ChunkedEncodingError", "ProxyError")
)
# What the client trips over before anything is sent; asking again would change nothing.
_UNSENDABLE = (UnicodeEncodeError, ImportError)
_CUT_SHORT = re.compile(r"complete message body|incomplete chunked read|IncompleteRead")
_FILTER = re.compile(r"content_filter|content_policy|ResponsibleAIPolicy|content management policy", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context_length_exceeded|context window|maximum context length|prompt is too long|context size", re.IGNORECASE
)
# Names of exception classes, as litellm puts them before a message, and its own advice, which is not ours.
_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w+\.)*\w*(?:Error|Exception|Timeout)\s*(?::|-)\s*")
_ADVICE = re.compile(
    r"\s*(?:To drop (?:these|unsupported)|If you want to use these params|Learn more:|Pass model as E\.g\.).*"
    r"|, Received response - .*",
    re.DOTALL,
)
_TAG = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Fault:
    """One attempt that failed."""

    kind: Kind
    said: str
    """What the provider or the client says, without secrets; may be empty."""
    status: int | None = None
    """HTTP status, where the server answered."""
    headers: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS)
    """Headers of the answer; names in lower case."""
    param: str = ""
    """Parameter that the provider names as the trouble, in its own spelling."""
    url: str = ""
    """Address that was asked, without query, where it is known."""
    took_s: float = 0.0
    """How long the attempt took."""
    is_unsupported: bool = False
    """True if the client itself says that the model takes a parameter not."""

    def cause(self, role: str) -> str:
        """The cause of the contract; a body that cannot be read has one of its own for a target."""
        if self.kind == "malformed" and role == "target":
            return "malformed"
        return _CAUSES.get(self.kind, "provider")

    def __str__(self) -> str:
        status = f" ({self.status})" if self.status else ""
        return f"{_WORDS[self.kind]}{status}{': ' if self.said else ''}{self.said}".rstrip(".")


def read_fault(problem: BaseException) -> Fault:
    """What an exception of litellm, or of a client below it, means.

    Example:
        >>> str(read_fault(TimeoutError("no answer within 120 s")))
        'no answer in time (timeout): no answer within 120 s'
    """
    chain = list(_chain(problem))
    answer = _http_answer(chain)
    if answer is not None:
        return _of_answer(chain, *answer)
    kind = _without_answer(chain)
    return Fault(
        kind,
        _shown(_words(chain, kind)),
        url=_url(chain),
        is_unsupported=any(type(one).__name__ == "UnsupportedParamsError" for one in chain),
    )


def _words(chain: list[BaseException], kind: Kind) -> str:
    """The innermost words for what the network did, the outermost for what the client found out."""
    if kind == "malformed":
        inner = [one for one in chain if type(one).__name__ in ("JSONDecodeError", "RemoteProtocolError")]
        return str(inner[0] if inner else _outermost(chain))
    if kind in ("client", "request"):
        return str(_outermost(chain))
    return next(filter(None, map(str, reversed(chain))), "")


def _chain(problem: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    one: BaseException | None = problem
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        yield one
        one = one.__cause__ or one.__context__


def _http_answer(chain: list[BaseException]) -> tuple[int, Mapping[str, str], str] | None:
    """Status, headers and body of the server's answer; None if there was none, or only one that litellm made up."""
    for one in reversed(chain):
        if type(one).__name__.endswith("HTTPStatusError"):
            response: Any = one.response  # type: ignore[attr-defined]
            try:
                body = response.text
            except Exception:  # a streamed body that was never read
                body = ""
            return response.status_code, {name.lower(): value for name, value in response.headers.items()}, body
    # Below litellm's own exception a provider's may stand that knows the status, also of an error inside a 200. Not
    # 500: that is what litellm puts where it knows nothing.
    inner = chain[-1]
    status = getattr(inner, "status_code", None)
    if not isinstance(status, int) or status == 500 or type(inner).__module__ == "litellm.exceptions":
        return None
    headers = getattr(getattr(inner, "response", None), "headers", None) or {}
    return status, {str(name).lower(): str(value) for name, value in headers.items()}, str(inner)


def _of_answer(chain: list[BaseException], status: int, headers: Mapping[str, str], body: str) -> Fault:
    message, param, code = _error_body(body)
    said = _shown(message) or _shown(str(chain[0]))
    names = {type(one).__name__ for one in chain}
    return Fault(_of_status(status, f"{code} {message}", names), said, status, headers, param, _url(chain))


def _url(chain: list[BaseException]) -> str:
    for one in reversed(chain):
        # Some clients raise where there is no request; litellm puts a made-up one into its own exceptions.
        with suppress(Exception):
            if not type(one).__module__.startswith("litellm"):
                # A query may hold the key.
                return scrub(str(one.request.url).split("?")[0])  # type: ignore[attr-defined]
    return ""


def _of_status(status: int, words: str, names: set[str]) -> Kind:
    if status == 429:
        return "rate_limit"
    if status == 408:
        return "timeout"
    if status >= 500:
        return "server"
    if _FILTER.search(words) or "ContentPolicyViolationError" in names:
        return "content_filter"
    if status in (401, 403):
        return "auth"
    if status == 404:
        return "not_found"
    if _CONTEXT.search(words) or "ContextWindowExceededError" in names:
        return "context"
    return "request"


def _without_answer(chain: list[BaseException]) -> Kind:
    names = {type(one).__name__ for one in chain}
    words = str(chain[-1])
    if any(isinstance(one, _UNSENDABLE) for one in chain):
        return "client" if any(isinstance(one, ImportError) for one in chain) else "request"
    if names & _UNREACHABLE or any(isinstance(one, ConnectionRefusedError) for one in chain):
        return "unreachable"
    if names & _TIMEOUTS or any(isinstance(one, TimeoutError) for one in chain):
        return "timeout"
    if names & _LOST or any(isinstance(one, ConnectionError) for one in chain):
        return "malformed" if _CUT_SHORT.search(words) else "connection"
    status = getattr(_outermost(chain), "status_code", None)
    if status is None:
        return "request"
    if status == 429:
        return "rate_limit"
    # Below 500 nothing was sent: litellm knows no such provider, finds no key, or knows that a parameter is refused.
    return "client" if 400 <= status < 500 else "malformed"


def _outermost(chain: list[BaseException]) -> BaseException:
    """The client's word for the whole; what broke while it was being said, such as a traceback, says nothing."""
    return next((one for one in chain if isinstance(getattr(one, "status_code", None), int)), chain[0])


def _error_body(body: str) -> tuple[str, str, str]:
    """Message, parameter and codes of an error's body, in the forms that providers give it."""
    value = parse_cell(body)
    if isinstance(value, list):
        value = value[0] if value else ""
    if not isinstance(value, Mapping):
        return _TAG.sub(" ", body[:_READ_AT_MOST]), "", ""
    error = value.get("error", value)
    if not isinstance(error, Mapping):
        return str(error), "", ""
    message = error.get("message") or error.get("detail") or ""
    inner = error.get("innererror") or error.get("inner_error")
    codes = [error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, Mapping) else None]
    return (
        message if isinstance(message, str) else json.dumps(message, ensure_ascii=False, default=str),
        str(error.get("param") or ""),
        " ".join(str(code) for code in codes if code),
    )


def _shown(text: str) -> str:
    """Words for people: one line, short, without secrets."""
    text = text[:_READ_AT_MOST].split("Traceback (most recent call last)")[0]
    while (shorter := _PREFIX.sub("", text, count=1)) != text:
        text = shorter
    line = " ".join(without_surrogates(scrub(_ADVICE.sub("", text))).split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " …"
