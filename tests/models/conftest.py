"""Live models that talk to the stub server: litellm is real, and so is the socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from stub_server import Stub

from judgekit.models.base import CallKey, Reply, Request
from judgekit.models.limits import Limits
from judgekit.models.live import LiveModel
from judgekit.models.retry import RetryPolicy


class Live:
    """Builds models that do not really wait between attempts, and asks them."""

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        self.waits_s: list[float] = []
        """Every wait before another attempt."""

    def model(self, name: str = "openai/local", **options: Any) -> LiveModel:
        known = {
            "base_url": self._stub.url,
            "limits": Limits(8),
            "policy": RetryPolicy(),
            "sleep": self.waits_s.append,
            "chance": lambda: 0.0,
        }
        return LiveModel(name, **{**known, **options})

    def met(self, name: str = "openai/local", **options: Any) -> LiveModel:
        """A model whose first call is over."""
        model = self.model(name, **options)
        self.ask(model)
        self._stub.reset()
        return model

    def ask(self, model: LiveModel, text: str = "Is it good?", *, role: Any = "judge", **request: Any) -> Reply:
        key = CallKey("a", role, "tone" if role == "judge" else "")
        return model.complete(Request(key, ({"role": "user", "content": text},), **request))


@pytest.fixture
def live(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    yield Live(stub)
    # Calls that were given up end now, and not in the middle of another test: litellm formats a traceback for each,
    # and in Python 3.11 two threads that parse source code at the same time disturb each other.
    stub.reset()
    for thread in threading.enumerate():
        if thread.name.endswith("(serve)"):
            thread.join(5)
