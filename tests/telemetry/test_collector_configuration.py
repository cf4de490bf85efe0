"""The collector configuration that ships, and both files as the command line prints them."""

from __future__ import annotations

import json

import pytest
import yaml
from click.testing import CliRunner

from judgekit.cli.telemetry import command
from judgekit.telemetry.dashboard import shipped
from judgekit.telemetry.destination import DEFAULT_ENDPOINT

CONFIGURATION = yaml.safe_load(shipped("collector.yaml"))


def test_logs_go_from_otlp_by_batches_to_loki():
    assert CONFIGURATION["service"]["pipelines"] == {
        "logs": {"receivers": ["otlp"], "processors": ["batch"], "exporters": ["otlphttp/loki"]}
    }


@pytest.mark.parametrize("kind", ["receivers", "processors", "exporters"])
def test_what_the_pipeline_names_is_defined_and_nothing_else_is(kind):
    assert list(CONFIGURATION[kind]) == CONFIGURATION["service"]["pipelines"]["logs"][kind]


def test_it_listens_where_otel_sends_by_default():
    assert f"http://{CONFIGURATION['receivers']['otlp']['protocols']['http']['endpoint']}" == DEFAULT_ENDPOINT


def test_loki_takes_otlp_under_a_path_of_its_own():
    # The exporter adds /v1/logs; Loki listens at /otlp/v1/logs.
    assert CONFIGURATION["exporters"]["otlphttp/loki"]["endpoint"].endswith(":3100/otlp")


def test_the_command_prints_the_configuration_as_it_ships(project):
    printed = CliRunner().invoke(command, ["collector"], standalone_mode=False).output

    assert printed == shipped("collector.yaml")


def test_the_command_prints_a_dashboard_that_grafana_can_import(project):
    project("judgekit.yaml", "agents: {ada: {rubric: r, threshold: 0.5, fixtures: f}}\n")

    printed = CliRunner().invoke(command, ["dashboard"], standalone_mode=False).output

    assert json.loads(printed)["panels"][3]["title"] == "ada · r"
