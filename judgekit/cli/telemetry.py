"""`judgekit telemetry`."""

from __future__ import annotations

import click


@click.group("telemetry")
def command() -> None:
    """Print what shows the events of --otel: a Grafana dashboard, and the collector that feeds it."""


@command.command("dashboard")
def dashboard() -> int:
    """Print the Grafana dashboard "Eval Quality" (JSON for its import) for the agents of the settings."""
    from judgekit.config import load_project
    from judgekit.telemetry.dashboard import dashboard_text

    click.echo(dashboard_text(load_project().settings), nl=False)
    return 0


@command.command("collector")
def collector() -> int:
    """Print a configuration of the OpenTelemetry Collector: OTLP in, Loki out."""
    from judgekit.telemetry.dashboard import shipped

    click.echo(shipped("collector.yaml"), nl=False)
    return 0
