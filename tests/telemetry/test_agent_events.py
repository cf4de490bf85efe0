"""agent_eval_complete, read back from the wire field by field."""

from __future__ import annotations

import dataclasses
from importlib.metadata import version

import pytest

import judgekit
from judgekit.config import TelemetrySettings
from judgekit.errors import InputError
from judgekit.records import AgentResult, Decision
from judgekit.telemetry import emit_agent_eval_metrics


def test_an_agent_that_passes_arrives_field_by_field(to_receiver, decision):
    assert emit_agent_eval_metrics(decision) is True

    event = to_receiver.events[0]
    assert (event.name, event.body, event.severity) == ("agent_eval_complete", "agent_eval_complete", "INFO")
    assert event.scope == "qadra.eval"
    assert event.attributes == {
        "eval_agent": "scarlet",
        "eval_rubric": "SourceCoverage",
        "eval_score": 0.75,
        "eval_threshold": 0.7,
        "eval_passed": True,
        "eval_source": "fixtures",
        "eval_n_golden": 8,
        "eval_n_scored": 8,
        "eval_n_negative": 4,
        "eval_n_violations": 0,
        "eval_run_id": "20260101-000000-abcd",
        "eval_revision": "4f2a91c",
    }


def test_an_agent_that_fails_is_sent_as_well_under_the_registered_name_of_its_rubric(to_receiver, decision):
    emit_agent_eval_metrics(decision)

    _, event = to_receiver.events
    sent = event.attributes
    assert (sent["eval_agent"], sent["eval_rubric"]) == ("ayana", "filter_accuracy")
    assert (sent["eval_score"], sent["eval_passed"], sent["eval_n_violations"]) == (1 / 3, False, 2)


def test_types_stay_what_they_are(to_receiver, decision):
    whole = dataclasses.replace(decision.agents[0], score=decision.agents[0].score * 0)

    emit_agent_eval_metrics(dataclasses.replace(decision, agents=(whole,)))

    kinds = to_receiver.events[0].kinds
    assert kinds["eval_score"] == kinds["eval_threshold"] == "double_value"
    assert (kinds["eval_passed"], kinds["eval_n_golden"]) == ("bool_value", "int_value")


def test_an_agent_without_a_score_says_none(to_receiver, decision):
    scoreless = AgentResult("eliza", "grounding_score", decision.agents[0].threshold, None, passed=False)

    emit_agent_eval_metrics(Decision(False, 1, (), agents=(scoreless,)))

    assert to_receiver.events[0].attributes == {
        "eval_agent": "eliza",
        "eval_rubric": "grounding_score",
        "eval_threshold": 0.7,
        "eval_passed": False,
        "eval_n_golden": 0,
        "eval_n_scored": 0,
        "eval_n_negative": 0,
        "eval_n_violations": 0,
    }


def test_every_event_has_a_moment_of_its_own(to_receiver, decision):
    # Loki keeps one of several equal lines of one nanosecond, and the lines of all agents are equal.
    emit_agent_eval_metrics(dataclasses.replace(decision, agents=decision.agents * 50))

    assert len({event.time_ns for event in to_receiver.events}) == 100


def test_the_service_is_judgekit_in_its_version(to_receiver, decision):
    emit_agent_eval_metrics(decision)

    event = to_receiver.events[0]
    assert event.resource["service.name"] == "judgekit"
    assert event.resource["service.version"] == event.scope_version == version("llm-judgekit")


def test_the_environment_may_name_the_service(to_receiver, decision, monkeypatch):
    monkeypatch.setenv("OTEL_SERVICE_NAME", "nightly")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=ci")

    emit_agent_eval_metrics(decision)

    resource = to_receiver.events[0].resource
    assert (resource["service.name"], resource["deployment.environment.name"]) == ("nightly", "ci")


def test_the_scope_is_that_of_the_project(to_receiver, decision, project):
    project("judgekit.yaml", "telemetry: {scope: acme.eval}\n")

    emit_agent_eval_metrics(decision)

    assert {event.scope for event in to_receiver.events} == {"acme.eval"}


def test_a_name_no_text_can_hold_is_sent_all_the_same(to_receiver, decision):
    odd = dataclasses.replace(decision.agents[0], agent="scarlet\ud800")

    assert emit_agent_eval_metrics(dataclasses.replace(decision, agents=(odd,)))

    assert to_receiver.events[0].attributes["eval_agent"] == "scarlet\ufffd"


def test_no_agents_are_no_request(to_receiver):
    assert emit_agent_eval_metrics(Decision(True, 0, ()))

    assert to_receiver.requests == []


def test_the_package_gives_it_on_first_use(to_receiver, decision):
    assert judgekit.telemetry.emit_agent_eval_metrics(decision)


def test_without_any_endpoint_it_goes_to_the_standard_one():
    from judgekit.telemetry.destination import destination

    found = destination(TelemetrySettings(), asked=True)

    assert found is not None
    assert found.url == "http://localhost:4318/v1/logs"


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({}, "http://settings:1/base/v1/logs"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://all:2/"}, "http://all:2/v1/logs"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, "http://settings:1/base/v1/logs"),
        ({"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://logs:3/otlp"}, "http://logs:3/otlp"),
        (
            {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://all:2", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://logs:3/x"},
            "http://logs:3/x",
        ),
    ],
)
def test_the_environment_wins_over_the_settings_and_logs_over_all(environment, url, monkeypatch):
    from judgekit.telemetry.destination import destination

    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    found = destination(TelemetrySettings(endpoint="http://settings:1/base/"), asked=True)

    assert found is not None
    assert found.url == url


@pytest.mark.parametrize(
    ("name", "value", "asked", "is_on"),
    [
        ("OTEL_SERVICE_NAME", "ci", False, False),
        ("OTEL_SDK_DISABLED", "true", True, False),
        ("OTEL_LOGS_EXPORTER", "none", False, False),
        ("OTEL_LOGS_EXPORTER", "none", True, True),
        ("OTEL_LOGS_EXPORTER", "otlp", False, True),
    ],
)
def test_the_switches_of_opentelemetry_are_obeyed(name, value, asked, is_on, monkeypatch):
    from judgekit.telemetry.destination import destination

    if name != "OTEL_SERVICE_NAME":
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv(name, value)

    assert (destination(TelemetrySettings(), asked=asked) is not None) is is_on


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("telemetry: {scope: ''}", "must not be empty"),
        ("telemetry: {endpoint: 'localhost:4318'}", "must be an address such as http://localhost:4318"),
        ("telemetry: {timeout_s: 0}", "timeout_s"),
        ("telemetry: {timeout_s: 3600}", "timeout_s"),
        ("telemetry: {scoop: x}", 'Did you mean "scope"'),
    ],
)
def test_mistakes_in_the_settings_are_told_with_their_line(text, said, decision, project):
    project("judgekit.yaml", f"# settings\n{text}\n")

    with pytest.raises(InputError, match=said) as told:
        emit_agent_eval_metrics(decision)

    assert "judgekit.yaml:2" in str(told.value)
