"""A JSON endpoint as target: a request from templates, an output by JSONPath. Nothing is asked twice."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import replace
from typing import Any

from judgekit.checks.base import Absent
from judgekit.checks.jsonpath import compile_path, keys_beside, text_of, values_at
from judgekit.errors import InputError, TargetError
from judgekit.records import Case, Output, Variant
from judgekit.targets.answer import to_output
from judgekit.targets.base import failed
from judgekit.targets.request import RequestMaker, without
from judgekit.targets.wire import ask
from judgekit.texts.scrubbing import SECRET_MASKED, scrub

_PARTS = ("output", "context", "tool_calls", "usage")


class HttpTarget:
    """Asks a JSON endpoint over HTTP, once for each case and trial; there are no retries.

    Raises:
        InputError: an address, a header or a JSONPath that is none, or a variable that the environment lacks.
    """

    def __init__(self, variant: Variant) -> None:
        assert variant.http is not None
        self.variant = variant
        self._endpoint = variant.http
        self._paths = {name: getattr(variant.http, name) for name in _PARTS if getattr(variant.http, name) is not None}
        self._requests = RequestMaker(variant)
        wrong = list(self._requests.mistakes())
        for name, path in self._paths.items():
            try:
                compile_path(path)
            except ValueError as problem:
                wrong.append(f'http.response.{name}: "{path}" {problem}.')
        if wrong:
            raise InputError("\n".join(f'variant "{variant.name}": {said}' for said in wrong))

    @property
    def _address(self) -> str:
        """The address as it was written: what stands in its templates may be secret."""
        return f"{self._endpoint.method} {scrub(self._endpoint.url)}"

    @property
    def asks(self) -> dict[str, Any]:
        """What is asked, for the manifest, with a hash that changes with it; no header's value is in it."""
        definition = [*self._requests.definition, self._paths]
        text = json.dumps(definition, ensure_ascii=False, sort_keys=True)
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:12]
        return {"http": self._address, "hash": digest, "params_requested": dict(self.variant.params)}

    def check(self, case: Case) -> None:
        """Make a case's request without sending it.

        Raises:
            InputError: a template asks for what the case lacks, or what it makes can't be sent.
        """
        self._requests.make(case, 0)

    def collect(self, case: Case, trial: int) -> Output:
        """The endpoint's answer; whatever goes wrong is an error of this case alone."""
        name = self.variant.name
        try:
            request = self._requests.make(case, trial)
        except InputError as problem:
            return failed(case, name, trial, problem, "target")
        start = time.perf_counter()
        try:
            answer = ask(request.url, self._endpoint.method, request.headers, request.body, self.variant.timeout_s)
            latency_s = time.perf_counter() - start
            shown = without(request.secrets, answer)
            output = to_output(self._found(shown), case, name, trial, latency_s=latency_s)
            # What an endpoint answers has usually been paid for.
            return replace(output, live=True, flags=() if shown == answer else (SECRET_MASKED,))
        except TargetError as problem:
            said = without(request.secrets, f"{self._address}: {problem}")
            return failed(case, name, trial, said, problem.cause)
        except (Absent, RecursionError):
            return failed(case, name, trial, f"{self._address}: the answer is nested too deeply", "malformed")

    def _found(self, answer: Any) -> dict[str, Any]:
        """What the paths find, as targets.answer reads it."""
        found: dict[str, Any] = {"output": self._output(answer)}
        for name in ("context", "tool_calls"):
            if name in self._paths:
                found[name] = self._listed(name, answer)
        if "usage" in self._paths:
            found["usage"] = next(iter(self._values("usage", answer)), None)
        return found

    def _output(self, answer: Any) -> str:
        path = self._paths["output"]
        values = self._values("output", answer)
        if len(values) > 1:
            raise TargetError(f"{path} finds {len(values)} values in the answer, one output is wanted", "malformed")
        if not values or values[0] is None:
            keys = keys_beside(path, answer)
            there = f"; keys there: {', '.join(keys[:10])}" if keys else ""
            said = "is null in the answer" if values else f"is not in the answer{there}"
            raise TargetError(f"{path} {said}", "malformed")
        return text_of(values[0])

    def _listed(self, name: str, answer: Any) -> Any:
        """A list that stands at the path, or the values that a path with `[*]` finds: none at all is an empty list.

        A single place that is not there leaves it unknown, which is not the same as none.
        """
        values = self._values(name, answer)
        if compile_path(self._paths[name]).singular_query():
            if values and values[0] is None and name == "tool_calls":
                return []
            return values[0] if values else None
        return [item for one in values if one is not None for item in (one if isinstance(one, list) else [one])]

    def _values(self, name: str, answer: Any) -> list[Any]:
        return values_at(self._paths[name], answer)
