"""Settings and environment in; where events go out, or None where telemetry is off."""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from urllib.parse import urlsplit

from judgekit.config import TelemetrySettings
from judgekit.errors import InputError

DEFAULT_ENDPOINT = "http://localhost:4318"
"""Where OpenTelemetry's own defaults look for a collector that speaks OTLP/HTTP."""
_BASE, _LOGS = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"
_EXTRA = "the extra `otel` (opentelemetry-sdk, opentelemetry-exporter-otlp-proto-http)"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where events go, and how long that may take."""

    url: str
    """Address of the receiver's logs, path included."""
    scope: str
    timeout_s: float
    """Of everything that one run sends, retries included."""

    @property
    def shown(self) -> str:
        """The address without what may be a secret: user, password and query."""
        try:
            parts = urlsplit(self.url)
        except ValueError:
            return "an address that can't be read"
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def destination(settings: TelemetrySettings, *, asked: bool) -> Destination | None:
    """Where events go; None where telemetry is off.

    It is on if asked for, or if the environment names an OTLP endpoint, which also wins over the settings'. Call it
    before anything is run.

    Args:
        settings: The project's.
        asked: Whether `--otel` was given.

    Raises:
        InputError: it was asked for and the extra `otel` is missing. If only the environment wants it, a warning is
            printed.
    """
    logs, base = (os.environ.get(name, "").strip() for name in (_LOGS, _BASE))
    if not (asked or logs or base) or _is_disabled(asked=asked):
        return None
    _quiet()
    try:
        import opentelemetry.exporter.otlp.proto.http._log_exporter
        import opentelemetry.sdk._logs.export  # noqa: F401, both only to see that they are there
    except Exception as problem:
        # Not ImportError alone: a protobuf that does not fit raises errors of its own.
        if asked:
            raise InputError(f"telemetry (--otel) needs {_EXTRA}: {problem}.") from None
        warn(f"telemetry is off: {_LOGS if logs else _BASE} is set, but {_EXTRA} is missing: {problem}.")
        return None
    url = logs or f"{(base or settings.endpoint or DEFAULT_ENDPOINT).rstrip('/')}/v1/logs"
    return Destination(url, settings.scope, settings.timeout_s)


def _is_disabled(*, asked: bool) -> bool:
    """OpenTelemetry's own switches: one for everything, one for logs that `--otel` overrules."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        if asked:
            warn("telemetry is off: OTEL_SDK_DISABLED is true.")
        return True
    return not asked and os.environ.get("OTEL_LOGS_EXPORTER", "").strip().lower() == "none"


def _quiet() -> None:
    """Keep what the SDK logs, when it is imported already, off stderr, where one warning of ours says what matters.

    Python prints warnings of a logger that has no handler at all; with this one they go only where a program that
    uses judgekit has told its log to go.
    """
    for name in ("opentelemetry", "urllib3"):
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


def warn(message: str) -> None:
    """Say on stderr what does not change the result."""
    print(f"warning: {message}", file=sys.stderr)
