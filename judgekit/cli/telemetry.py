"""`judgekit telemetry`."""

from __future__ import annotations

import click


@click.group("telemetry")
def command() -> None:
    """Print what shows the events of --otel: a Grafana dashboard, and the collector that feeds it."""


@command.command("dashboard")
def dashboard() -> int:
    """Print the Grafana dashboard of your agents.

    It is JSON for Grafana's import and asks Loki. Agents and thresholds are those of the settings.
    """
    from judgekit.config import load_project
    from judgekit.telemetry.dashboard import dashboard_text

    click.echo(dashboard_text(load_project().settings), nl=False)
    return 0


@command.command("collector")
def collector() -> int:
    """Print a collector's configuration.

    It is for the OpenTelemetry Collector: events of judgekit in by OTLP/HTTP, batched, and out to Loki.
    """
    from judgekit.telemetry.dashboard import shipped

    click.echo(shipped("collector.yaml"), nl=False)
    return 0
