"""What every test has: no network beyond this machine, no settings of the person who runs it."""

from __future__ import annotations

import socket
from typing import Any

import pytest

_LOCAL = ("127.0.0.1", "localhost", "::1")


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> Any:
        if isinstance(address, tuple) and address[0] not in _LOCAL:
            raise AssertionError(f"a test tried to reach {address[0]}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    for name in ("CI", "NO_COLOR", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
