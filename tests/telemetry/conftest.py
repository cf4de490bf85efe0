"""An OTLP/HTTP receiver on 127.0.0.1 that reads what the standard exporter sends, with every fault on request."""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest, ExportLogsServiceResponse

from judgekit.frame.tables import ResultRow
from judgekit.records import AgentResult, Decision


@dataclass(frozen=True)
class Answer:
    """What the receiver does with one request."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    rejected: int = 0
    """Log records that it says it did not take."""
    after_s: float = 0.0
    trickle: bool = False
    """One byte at a time, so that no single read ever takes long."""


@dataclass(frozen=True)
class Received:
    """One log record as it arrived."""

    name: str
    body: str
    attributes: Mapping[str, Any]
    kinds: Mapping[str, str]
    """Protobuf type of each attribute: string_value, double_value, …"""
    time_ns: int
    severity: str
    scope: str
    scope_version: str
    resource: Mapping[str, Any]


def _values(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}


class Receiver:
    """Answers are queued by `will`; with none left every request is taken."""

    def __init__(self) -> None:
        self._answers: list[Answer] = []
        self.requests: list[tuple[str, Mapping[str, str]]] = []
        """Path and headers (names in lower case) of every request, taken or not."""
        self.events: list[Received] = []
        """Of the requests that were taken."""
        self._closing = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver._answer(self, body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def will(self, *, times: int = 1, **how: Any) -> None:
        """Queue an answer, whose fields are those of `Answer`."""
        self._answers += [Answer(**how)] * times

    def named(self, name: str) -> list[Received]:
        return [event for event in self.events if event.name == name]

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, request: BaseHTTPRequestHandler, body: bytes) -> None:
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.requests.append((request.path, headers))
        answer = self._answers.pop(0) if self._answers else Answer()
        self._closing.wait(answer.after_s)
        if answer.status == 200:
            self._take(gzip.decompress(body) if headers.get("content-encoding") == "gzip" else body)
        said = ExportLogsServiceResponse()
        if answer.rejected:
            said.partial_success.rejected_log_records = answer.rejected
        content = said.SerializeToString()
        try:
            if answer.trickle:
                self._trickle(request)
                return
            request.send_response(answer.status)
            for name, value in {"Content-Type": "application/x-protobuf", **answer.headers}.items():
                request.send_header(name, value)
            request.send_header("Content-Length", str(len(content)))
            request.end_headers()
            request.wfile.write(content)
        except OSError:
            pass  # the sender has left

    def _trickle(self, request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self._closing.wait(0.05):
            request.wfile.write(b"x")

    def _take(self, body: bytes) -> None:
        for resource_logs in ExportLogsServiceRequest.FromString(body).resource_logs:
            for scope_logs in resource_logs.scope_logs:
                self.events += [
                    Received(
                        name=one.event_name,
                        body=one.body.string_value,
                        attributes=_values(one.attributes),
                        kinds={pair.key: pair.value.WhichOneof("value") for pair in one.attributes},
                        time_ns=one.time_unix_nano,
                        severity=one.severity_text,
                        scope=scope_logs.scope.name,
                        scope_version=scope_logs.scope.version,
                        resource=_values(resource_logs.resource.attributes),
                    )
                    for one in scope_logs.log_records
                ]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def to_receiver(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> Receiver:
    """The receiver, named by the environment."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    return receiver


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address at which connections are refused."""
    with socket.socket() as taken:
        # Bound and not listening: no other program can begin to answer there.
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


SCARLET = AgentResult(
    "scarlet",
    "source_coverage",
    threshold=Fraction(7, 10),
    score=Fraction(3, 4),
    passed=True,
    label="SourceCoverage",
    n_golden=8,
    n_negative=4,
    n_scored=8,
)
AYANA = AgentResult(
    "ayana",
    "filter_accuracy",
    threshold=Fraction(4, 5),
    score=Fraction(1, 3),
    passed=False,
    n_golden=6,
    n_negative=5,
    n_violations=2,
    n_scored=6,
)


@pytest.fixture
def decision() -> Decision:
    """A gate that fails: one agent passes, one does not."""
    return Decision(
        False,
        1,
        ("ayana fails",),
        agents=(SCARLET, AYANA),
        run_id="20260101-000000-abcd",
        revision="4f2a91c",
        source="fixtures",
    )


@pytest.fixture
def row() -> Callable[..., ResultRow]:
    """A row of results that passes, but for the cells given."""

    def made(**cells: Any) -> ResultRow:
        given: dict[str, Any] = dict.fromkeys(ResultRow._fields) | {
            "run_id": "r1",
            "case_id": "late-parcel",
            "agent": "",
            "variant": "default",
            "against": "",
            "trial": 0,
            "kind": "check",
            "metric": "contains",
            "required": True,
            "status": "pass",
            "passed": True,
            "score": 1.0,
            "scale_min": 0.0,
            "scale_max": 1.0,
            "reason": "",
            "flags": "",
            "tags": "",
        }
        return ResultRow(**(given | cells))

    return made


@dataclass
class Clock:
    """Seconds since it was made."""

    begun: float = field(default_factory=time.monotonic)

    @property
    def s(self) -> float:
        return time.monotonic() - self.begun


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Writes a file of a project that is the working folder."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return written
