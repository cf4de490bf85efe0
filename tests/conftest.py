"""What every test has: no network beyond this machine, no settings of the person who runs it."""

from __future__ import annotations

import importlib.util
import inspect
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from stub_server import Stub

_LOCAL = ("127.0.0.1", "localhost", "::1")


def _load_stub_server() -> None:
    # No test folder is a package to import it from, and it is a program of its own as well.
    spec = importlib.util.spec_from_file_location("stub_server", Path(__file__).parent / "stub" / "server.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules["stub_server"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


_load_stub_server()

# A job in the background of a shell starts with Ctrl-C ignored, and what it starts inherits that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> Any:
        if isinstance(address, tuple) and address[0] not in _LOCAL:
            raise AssertionError(f"a test tried to reach {address[0]}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    otel = (name for name in os.environ if name.startswith("OTEL_"))
    for name in ("CI", "GITHUB_STEP_SUMMARY", "NO_COLOR", "OPENAI_API_KEY", *otel):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def _stub_of_session() -> Iterator[Stub]:
    from stub_server import Stub

    with Stub() as stub:
        yield stub
        litellm = sys.modules.get("litellm")
        # litellm never closes its clients; at the end of the process each would be a warning.
        for client in litellm.in_memory_llm_clients_cache.cache_dict.values() if litellm else ():
            if not inspect.iscoroutinefunction(client.close):
                client.close()


@pytest.fixture
def stub(_stub_of_session: Stub) -> Stub:
    """A server that speaks the OpenAI chat API, as new; tests/stub/server.py says what it can do."""
    # One server for all tests: litellm keeps a client for every address it has met.
    _stub_of_session.reset()
    return _stub_of_session
