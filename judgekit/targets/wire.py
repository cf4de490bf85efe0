"""One HTTP request in, its answer's JSON out, or one clear TargetError; headers are in no message.

From the standard library: a client of another package would be one more dependency for one request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from http.client import HTTPException, InvalidURL
from http.client import responses as status_names
from typing import Any
from urllib.parse import urljoin, urlsplit

from judgekit.errors import TargetError
from judgekit.pool import call_within
from judgekit.reading.tables import parse_json
from judgekit.reading.text import without_surrogates

LARGEST = 20_000_000
"""Bytes of an answer."""
_MOST_REDIRECTS = 5
_PIECE = 65_536
_SHOWN = 200

Headers = Mapping[str, str]


def ask(url: str, method: str, headers: Headers, body: bytes | None, limit_s: float) -> Any:
    """The JSON that the endpoint answers; it is asked once.

    Args:
        url: The address as it is asked; no message shows it.
        method: GET, POST, PUT or PATCH.
        headers: By name, fit for the wire.
        body: None: nothing is sent.
        limit_s: Time limit over everything, redirects included.

    Raises:
        TargetError: no answer, an error status, or no JSON; cause timeout, rate_limit, auth, malformed or target.
    """
    try:
        # Time limits of sockets begin anew with every piece, and looking up a name has none.
        return call_within(lambda: _asked(url, method, headers, body, time.monotonic() + limit_s), limit_s)
    except TimeoutError:
        raise TargetError(f"no answer within {limit_s:g} s", "timeout") from None


def _asked(url: str, method: str, headers: Headers, body: bytes | None, deadline: float) -> Any:
    for _ in range(_MOST_REDIRECTS):
        with _opened(url, method, headers, body, deadline) as response:
            if 300 <= response.status < 400:
                url = _redirected(url, method, response)
                continue
            return _read(response, deadline)
    raise TargetError(f"redirects more than {_MOST_REDIRECTS} times")


def _opened(url: str, method: str, headers: Headers, body: bytes | None, deadline: float) -> Any:
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    try:
        request = Request(url, data=body, headers=dict(headers), method=method)
        return _opener()(request, timeout=max(deadline - time.monotonic(), 0.001))
    except HTTPError as answer:
        # An answer with an error status is an answer.
        return answer
    except TimeoutError:
        raise
    except URLError as problem:
        if isinstance(problem.reason, TimeoutError):
            raise problem.reason from None
        raise TargetError(f"cannot be reached: {_why(problem.reason)}") from None
    except (InvalidURL, ValueError):
        # What these say quotes the address.
        raise TargetError("its address is not valid: encode what it takes from a case with `| urlencode`") from None
    except OSError as problem:
        raise TargetError(f"cannot be reached: {_why(problem)}") from None
    except HTTPException as problem:
        raise TargetError(f"answered what is no HTTP: {_short(str(problem) or type(problem).__name__)}") from None


@cache
def _opener() -> Callable[..., Any]:
    from urllib import request

    class StayHere(request.HTTPRedirectHandler):
        # The library's own would send a POST on as a GET, and its headers to whatever host the answer names.
        def http_error_302(self, *_: Any) -> None:
            return None

        http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302  # type: ignore[assignment]

    return request.build_opener(StayHere).open


def _why(reason: Any) -> str:
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror[:1].lower() + reason.strerror[1:]
    return _short(str(reason))


def _redirected(url: str, method: str, response: Any) -> str:
    """Where to ask instead: on the same host only, as headers may hold a key, and only if the method stays."""
    place = response.headers.get("Location")
    if not place:
        raise TargetError(f"{_status(response)}: a redirect that names no place")
    try:
        there = urljoin(url, place)
        here, target = urlsplit(url), urlsplit(there)
    except ValueError:
        raise TargetError(f"{_status(response)}: a redirect to no valid address") from None
    same = target.netloc == here.netloc and target.scheme in (here.scheme, "https")
    if same and (method == "GET" or response.status in (307, 308)):
        return str(there)
    shown = f"{target.scheme}://{target.hostname or ''}{target.path}"
    raise TargetError(f"{_status(response)}: redirects to {_short(shown)}; give the address that answers as `url`")


def _read(response: Any, deadline: float) -> Any:
    data = _body(response, deadline)
    status, kind = response.status, response.headers.get_content_type()
    is_page = "html" in kind or data[:200].lstrip().lower().startswith((b"<!doctype", b"<html"))
    said = "an HTML page" if is_page else _short(data[: 4 * _SHOWN].decode("utf-8", "replace"))
    if not 200 <= status < 300:
        text = f"{_status(response)}{_HINTS.get(status, '')}" + (f": {said}" if said else "")
        raise TargetError(text, _CAUSES.get(status, "target"))
    if is_page:
        raise TargetError("answered an HTML page, no JSON: is `url` right, and is one signed in?", "malformed")
    if not data.strip():
        raise TargetError(f"{_status(response)} with an empty body", "malformed")
    try:
        return parse_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as problem:
        packed = response.headers.get("Content-Encoding")
        why = f"it is packed ({_short(packed)})" if packed else f"not UTF-8 (byte {problem.start})"
        raise TargetError(f"answered what is no JSON: {why}", "malformed") from None
    except ValueError as problem:
        cut = "; the body was cut short" if _is_cut(response, data) else ""
        raise TargetError(f"answered what is no JSON: {problem}{cut}; it begins {said}", "malformed") from None


_CAUSES = {401: "auth", 403: "auth", 429: "rate_limit"}
_HINTS = {
    401: " (are the headers right?)",
    403: " (are the headers right?)",
    429: " (an endpoint is asked once, without retries: lower the concurrency)",
}


def _body(response: Any, deadline: float) -> bytes:
    pieces, size = [], 0
    try:
        while piece := response.read1(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST:
                raise TargetError(f"answered more than {LARGEST // 1_000_000} MB", "malformed")
            if time.monotonic() > deadline:
                raise TimeoutError
    except TimeoutError:
        raise
    except (OSError, HTTPException) as problem:
        raise TargetError(f"the answer was cut short: {_why(problem)}", "malformed") from None
    return b"".join(pieces)


def _is_cut(response: Any, data: bytes) -> bool:
    length = response.headers.get("Content-Length") or ""
    return length.isdecimal() and len(data) < int(length)


def _status(response: Any) -> str:
    return f"answered {response.status} {status_names.get(response.status, '')}".rstrip()


def _short(text: str) -> str:
    line = " ".join(without_surrogates(text).split())
    line = "".join(one if one.isprintable() else "�" for one in line)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
