"""Results in, OpenTelemetry events out; opentelemetry is imported only where telemetry is on."""

from judgekit.telemetry.emit import emit_agent_eval_metrics

__all__ = ["emit_agent_eval_metrics"]
