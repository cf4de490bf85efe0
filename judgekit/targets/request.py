"""An endpoint and a case in, the HTTP request that asks it out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from judgekit.checks.equality import plain
from judgekit.errors import InputError
from judgekit.prompts import render_source
from judgekit.reading.tables import parse_json
from judgekit.reading.text import without_surrogates
from judgekit.records import Case, Variant
from judgekit.targets.template import env_names, expression, names_in
from judgekit.texts.scrubbing import HIDDEN

_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SECRET = re.compile(r"auth|cookie|key|token|secret|passw|signature|credential", re.IGNORECASE)
_SHORTEST_SECRET, _SHORTEST_VALUE = 4, 8
"""Characters: a shorter value would be found, and masked, in words that have nothing to do with it."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request as it goes out; what it holds is in no message and in no file."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)
    """Values that must not come back in an answer or a message."""


class RequestMaker:
    """Makes the requests of one variant; the environment is looked at once."""

    def __init__(self, variant: Variant) -> None:
        assert variant.http is not None
        self._name, self._params, self._endpoint = variant.name, variant.params, variant.http
        sources = (self._endpoint.url, *self._endpoint.headers.values())
        self._env = {name: os.environ.get(name, "").strip() for source in sources for name in env_names(source)}

    def mistakes(self) -> Iterator[str]:
        """What is wrong whatever the case."""
        endpoint = self._endpoint
        for name, value in self._env.items():
            if not value:
                yield f"the environment variable {name} is not set, and `http` takes it from there."
        for name in endpoint.headers:
            if not _HEADER.fullmatch(name):
                yield f'http.headers: "{name}" can be no name of a header.'
        if "{" not in endpoint.url and (wrong := _address_mistake(endpoint.url)):
            yield wrong
        try:
            json.dumps(endpoint.body, allow_nan=False)
        except (TypeError, ValueError) as problem:
            yield f"http.body can be no JSON: {problem}."

    def make(self, case: Case, trial: int) -> HttpRequest:
        """The request of one case and trial.

        Raises:
            InputError: a template asks for what the case lacks, or what it makes can't be sent.
        """
        known = _known(case, self._name, self._params, trial)
        self._refuse_lost_turns(case)
        # The environment is for address and headers alone: what a body holds, an answer may repeat.
        with_env = {**known, "env": self._env}
        url = self._rendered(self._endpoint.url, with_env, "url").strip()
        if wrong := _address_mistake(url):
            raise self._mistake(wrong)
        headers = {
            name: self._rendered(source, with_env, f"header {name}").strip()
            for name, source in self._endpoint.headers.items()
        }
        for name, value in headers.items():
            if not (value.isprintable() and value.isascii()):
                raise self._mistake(f"the header {name} holds a character that no header can hold.")
        secrets = tuple(sorted(set(self._secrets(headers)), key=len, reverse=True))
        body = None
        usual = {"Accept": "application/json", "User-Agent": "judgekit"}
        if self._endpoint.body is not None:
            usual["Content-Type"] = "application/json"
        given = {name.lower() for name in headers}
        headers |= {name: value for name, value in usual.items() if name.lower() not in given}
        if self._endpoint.body is not None:
            kind = next(value for name, value in headers.items() if name.lower() == "content-type")
            body = without_surrogates(self._body(known, kind)).encode("utf-8")
        return HttpRequest(url, headers, body, secrets)

    def _body(self, known: Mapping[str, Any], kind: str) -> str:
        body = self._endpoint.body
        if not isinstance(body, str):
            return json.dumps(plain(self._filled(body, known, "body")), ensure_ascii=False)
        text = self._rendered(body, known, "body")
        if "json" in kind.lower():
            try:
                parse_json(text)
            except ValueError as problem:
                advice = "Insert texts as their JSON: {{ input | tojson }}, without quotes around it."
                raise self._mistake(f"the body is no JSON: {problem}. {advice}") from None
        return text

    def _filled(self, value: Any, known: Mapping[str, Any], where: str) -> Any:
        """The JSON with its texts rendered; a text that is one expression becomes the value, which may be no text."""
        if isinstance(value, Mapping):
            return {str(key): self._filled(item, known, f"{where}.{key}") for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._filled(item, known, f"{where}[{number}]") for number, item in enumerate(value)]
        if not isinstance(value, str) or "{" not in value:
            return value
        whole = expression(value)
        if whole is None:
            return self._rendered(value, known, where)
        text = self._rendered(f"{{{{ ({whole}) | tojson }}}}", known, where)
        try:
            return parse_json(text)
        except ValueError as problem:
            raise self._mistake(f"{where}: {problem}.") from None

    def _rendered(self, source: str, known: Mapping[str, Any], what: str) -> str:
        try:
            return render_source(source, known, name=f'variant "{self._name}", {what}')
        except InputError as problem:
            # A complaint may quote what a template looked up.
            raise InputError(without(tuple(self._env.values()), str(problem))) from None

    def _mistake(self, said: str) -> InputError:
        return InputError(f'variant "{self._name}": {said}')

    def _refuse_lost_turns(self, case: Case) -> None:
        if len(case.turns) < (1 if case.input else 2):
            return
        endpoint = self._endpoint
        sources = (endpoint.url, *endpoint.headers.values(), *_texts(endpoint.body))
        if not any("turns" in names_in(source) for source in sources):
            raise self._mistake("the case has `turns`, and `http` sends none of them: put {{ turns }} into the body.")

    def _secrets(self, headers: Mapping[str, str]) -> Iterator[str]:
        for name, value in self._env.items():
            if len(value) >= (_SHORTEST_SECRET if _SECRET.search(name) else _SHORTEST_VALUE):
                yield value
        for name, value in headers.items():
            if _SECRET.search(name):
                # `Bearer …` as a whole, and the key alone.
                yield from (one for one in (value, *value.split()[-1:]) if len(one) >= _SHORTEST_SECRET)

    @property
    def definition(self) -> list[Any]:
        """What changes the answers, JSON-ready; a header that may hold a key is there by its name alone."""
        endpoint = self._endpoint
        headers = {name: None if _SECRET.search(name) else value for name, value in endpoint.headers.items()}
        return [endpoint.url, endpoint.method, headers, plain(endpoint.body)]


class _Pieces(list[Any]):
    """Evidence as a list; written into a text it is the texts, joined as in a prompt."""

    def __str__(self) -> str:
        return "\n\n".join(one["text"] for one in self)


def _known(case: Case, variant: str, params: Mapping[str, Any], trial: int) -> dict[str, Any]:
    """The variables of the templates; never the reference or the expectations, which would give the answer away."""
    return {
        **case.vars,
        "input": case.input if case.input or not case.turns else case.turns[0],
        "turns": list(case.turns),
        "vars": dict(case.vars),
        "context": _Pieces({"id": one.id, "text": one.text} for one in case.context or ()),
        "case_id": case.case_id,
        "trial": trial,
        "variant": variant,
        "params": dict(params),
    }


def _address_mistake(url: str) -> str:
    """What is wrong with an address; it is not quoted, as it may hold what the environment gave."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "http.url is no address."
    if parts.scheme not in ("http", "https") or not host:
        return "http.url must begin with http:// or https:// and a host."
    if parts.username or parts.password:
        return "http.url holds a password: send it as a header, taken from the environment."
    if not url.isascii() or any(one.isspace() or not one.isprintable() for one in url):
        return "http.url holds a character that no address can hold: encode it with `| urlencode`."
    return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def without(secrets: tuple[str, ...], value: Any) -> Any:
    """The value with every secret in it masked."""
    if not secrets:
        return value
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return value
    if isinstance(value, Mapping):
        return {without(secrets, key): without(secrets, item) for key, item in value.items()}
    if isinstance(value, list):
        return [without(secrets, item) for item in value]
    return value
