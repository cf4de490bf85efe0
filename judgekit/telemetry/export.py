"""Events in, one OTLP/HTTP export out, and what became of it: it never raises and never takes longer than told."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from judgekit.pool import call_within
from judgekit.telemetry.destination import Destination
from judgekit.telemetry.events import Event
from judgekit.texts.scrubbing import scrub

if TYPE_CHECKING:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
    from opentelemetry.sdk._logs import ReadableLogRecord

SERVICE = "judgekit"
"""Value of `service.name`, which OTEL_SERVICE_NAME replaces."""
_BATCH = 512  # as many records a request as the SDK's own processor sends
_STEP_NS = 1_000


@dataclass(slots=True)
class _Answers:
    """What the receiver has answered so far; filled while an export is under way."""

    n_delivered: int = 0
    statuses: list[int] = field(default_factory=list)
    n_rejected: int = 0
    """Records that it did not take in requests that it answered with success."""

    def note(self, response: Any, *_: Any, **__: Any) -> None:
        self.statuses.append(response.status_code)
        if response.status_code == HTTPStatus.OK:
            self.n_rejected += _rejected(response.content)


def deliver(events: Sequence[Event], to: Destination) -> str | None:
    """Send the events; None if all were taken, else what went wrong, in one line without secrets."""
    answers = _Answers()
    try:
        records = _records(events, to.scope)
        exporter = _exporter(to, answers)
        begun = time.monotonic()
        call_within(lambda: _send(records, exporter, answers), to.timeout_s)
        problem = _cause(answers, to, time.monotonic() - begun)
    except TimeoutError:
        problem = _too_slow(to)
    except KeyboardInterrupt:
        # The results are there already, and so is the exit code: only the waiting ends.
        problem = "interrupted"
    except Exception as fault:
        problem = scrub(f"{type(fault).__name__}: {fault}").splitlines()[0][:200]
    n_taken = max(0, answers.n_delivered - answers.n_rejected)
    if n_taken == len(events):
        return None
    return f"{n_taken} of {len(events)} events were taken by {to.shown} ({problem})"


def _records(events: Sequence[Event], scope: str) -> Sequence[ReadableLogRecord]:
    from importlib.metadata import version

    from opentelemetry._logs import SeverityNumber
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import OTELResourceDetector, Resource

    release = version("llm-judgekit")
    # What the environment says of the service wins over what we say; Resource.create has it the other way round.
    resource = Resource.create({"service.name": SERVICE, "service.version": release}).merge(
        OTELResourceDetector().detect()
    )
    kept = InMemoryLogRecordExporter()  # type: ignore[no-untyped-call]
    provider = LoggerProvider(resource, shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(kept))
    logger = provider.get_logger(scope, release)
    now = time.time_ns()
    for number, event in enumerate(events):
        logger.emit(
            # Each at a moment of its own: Loki takes equal lines of one nanosecond for one, and bodies are equal.
            timestamp=now + number * _STEP_NS,
            severity_number=SeverityNumber.INFO,
            severity_text="INFO",
            body=event.name,
            attributes=event.attributes,
            event_name=event.name,
        )
    return kept.get_finished_logs()


def _exporter(to: Destination, answers: _Answers) -> OTLPLogExporter:
    from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter

    return OTLPLogExporter(endpoint=to.url, timeout=to.timeout_s, session=_session(answers))


def _send(records: Sequence[ReadableLogRecord], exporter: OTLPLogExporter, answers: _Answers) -> None:
    from opentelemetry.sdk._logs.export import LogRecordExportResult

    try:
        for start in range(0, len(records), _BATCH):
            batch = records[start : start + _BATCH]
            try:
                # The exporter's own result, since a flush of the SDK says True even after a failed export.
                result = exporter.export(batch)
            except OSError:
                return  # of requests, which releases before 1.40 let through
            # A redirect, as to a page to log in, would count as success with the exporter.
            if result is not LogRecordExportResult.SUCCESS or any(one >= 300 for one in answers.statuses[-1:]):
                return
            answers.n_delivered += len(batch)
    finally:
        exporter.shutdown()  # type: ignore[no-untyped-call]


def _session(answers: _Answers) -> Any:
    """The HTTP session of the exporter, with an ear on its answers; None where the user has one of his own."""
    if any(name.startswith("OTEL_PYTHON_") and name.endswith("_CREDENTIAL_PROVIDER") for name in os.environ):
        return None
    import requests

    session = requests.Session()
    session.max_redirects = 0  # releases before 1.45 would follow them
    session.hooks["response"].append(answers.note)
    return session


def _rejected(content: bytes) -> int:
    """Records that a receiver did not take although it answered 200."""
    from google.protobuf.message import DecodeError
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

    try:
        answer = ExportLogsServiceResponse.FromString(content)
    except DecodeError:
        return 0  # JSON, or a page of text: 200 is all that can be read from it
    return max(0, int(answer.partial_success.rejected_log_records))


def _cause(answers: _Answers, to: Destination, waited_s: float) -> str:
    if answers.n_rejected:
        return f"it rejected {answers.n_rejected}"
    if answers.statuses:
        status = answers.statuses[-1]
        phrase = f" {HTTPStatus(status).phrase}" if status in HTTPStatus._value2member_map_ else ""
        return f"it answered {status}{phrase}"
    return _too_slow(to) if waited_s >= to.timeout_s else "it can't be reached by OTLP/HTTP"


def _too_slow(to: Destination) -> str:
    return f"no answer within {to.timeout_s:g} s"
