"""Through a real collector: rotel, a program of its own, takes what is sent and hands it on."""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from judgekit.config import TelemetrySettings
from judgekit.telemetry.destination import destination
from judgekit.telemetry.emit import emit_evaluation


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _is_listening(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def collector(receiver, tmp_path: Path) -> Iterator[str]:
    """Address of a collector whose exporter leads to the receiver."""
    found = importlib.util.find_spec("rotel")
    if found is None or found.origin is None:
        pytest.skip("the collector is not installed: pip install rotel")
    http, grpc = _free_port(), _free_port()
    log = tmp_path / "rotel.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [
                Path(found.origin).with_name("rotel-agent"),
                "start",
                f"--otlp-http-endpoint=127.0.0.1:{http}",
                f"--otlp-grpc-endpoint=127.0.0.1:{grpc}",
                "--exporter=otlp",
                f"--otlp-exporter-endpoint={receiver.url}",
                "--otlp-exporter-protocol=http",
            ],
            stdout=out,
            stderr=subprocess.STDOUT,
            env={name: value for name, value in os.environ.items() if not name.startswith("ROTEL_")},
        )
    try:
        deadline = time.monotonic() + 20
        while not _is_listening(http):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
            time.sleep(0.05)
        yield f"http://127.0.0.1:{http}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_events_pass_a_real_collector_unchanged(collector, receiver, decision, row, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector)
    to = destination(TelemetrySettings(), asked=False)
    assert to is not None

    assert emit_evaluation(to, decision=decision, rows=[row()])

    deadline = time.monotonic() + 20
    while len(receiver.events) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    through = receiver.events
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    receiver.events = []
    assert emit_evaluation(destination(TelemetrySettings(), asked=False), decision=decision, rows=[row()])
    straight = receiver.events
    assert [(one.name, one.body, one.attributes, one.kinds, one.scope) for one in through] == [
        (one.name, one.body, one.attributes, one.kinds, one.scope) for one in straight
    ]
    assert [one.name for one in through] == ["agent_eval_complete", "agent_eval_complete", "gen_ai.evaluation.result"]
