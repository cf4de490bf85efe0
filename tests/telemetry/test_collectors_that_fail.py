"""A collector that is slow, refusing, failing or gone: one warning, a short wait, and the same result."""

from __future__ import annotations

import pytest

from judgekit.config import TelemetrySettings
from judgekit.telemetry import emit_agent_eval_metrics
from judgekit.telemetry.destination import destination
from judgekit.telemetry.emit import emit_evaluation

LONG_S = 25.0
"""What a busy machine never needs; the SDK's own tries go on for 31 s, and for an hour if the collector says so."""


@pytest.fixture
def told(capsys):
    """What is said on stderr when a decision is sent, after checking that it is one line and says that it failed."""

    def warning(decision, timeout_s=5.0):
        assert emit_agent_eval_metrics(decision, settings=TelemetrySettings(timeout_s=timeout_s)) is False
        (line,) = capsys.readouterr().err.splitlines()
        assert line.endswith("; the results are not affected.")
        return line

    return warning


def test_a_503_is_tried_again(to_receiver, decision):
    to_receiver.will(status=503)

    assert emit_agent_eval_metrics(decision)

    assert len(to_receiver.requests) == 2
    assert len(to_receiver.events) == 2


def test_gzip_is_used_when_the_environment_says_so(to_receiver, decision, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")

    assert emit_agent_eval_metrics(decision)

    ((path, headers),) = to_receiver.requests
    assert (path, headers["content-encoding"]) == ("/v1/logs", "gzip")
    assert headers["content-type"] == "application/x-protobuf"
    assert [event.attributes["eval_agent"] for event in to_receiver.events] == ["scarlet", "ayana"]


def test_headers_of_the_environment_are_sent(to_receiver, decision, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=acme")

    emit_agent_eval_metrics(decision)

    assert to_receiver.requests[0][1]["x-tenant"] == "acme"


def test_a_slow_collector_that_answers_in_time_is_waited_for(to_receiver, decision):
    to_receiver.will(after_s=0.6)

    assert emit_agent_eval_metrics(decision, settings=TelemetrySettings(timeout_s=10))


@pytest.mark.parametrize("how", [{"after_s": 60.0}, {"trickle": True}])
def test_one_that_hangs_is_waited_for_as_long_as_is_set(how, to_receiver, decision, told, clock):
    to_receiver.will(**how)

    line = told(decision, timeout_s=0.5)

    assert f"0 of 2 events were taken by {to_receiver.url}/v1/logs (no answer within 0.5 s)" in line
    assert 0.4 < clock.s < LONG_S


def test_one_that_is_never_ready_costs_no_more(to_receiver, decision, told, clock):
    to_receiver.will(status=503, times=99)

    assert "(it answered 503 Service Unavailable)" in told(decision, timeout_s=1.5)

    assert clock.s < LONG_S


@pytest.mark.parametrize("after", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT"])
def test_a_collector_cannot_ask_for_an_hour(after, to_receiver, decision, told, clock):
    to_receiver.will(status=503, headers={"Retry-After": after}, times=99)

    assert "(it answered 503 Service Unavailable)" in told(decision)

    assert clock.s < LONG_S


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "it answered 400 Bad Request"),
        (401, "it answered 401 Unauthorized"),
        (404, "it answered 404 Not Found"),
        (500, "it answered 500 Internal Server Error"),
        (499, "it answered 499"),
    ],
)
def test_a_refusal_is_told_and_not_tried_again(status, said, to_receiver, decision, told):
    to_receiver.will(status=status)

    assert f"({said})" in told(decision)

    assert len(to_receiver.requests) == 1


def test_a_redirect_to_a_page_to_log_in_is_no_success(to_receiver, decision, told):
    to_receiver.will(status=302, headers={"Location": "https://login.example/"})

    assert "(it answered 302 Found)" in told(decision)


def test_records_that_are_rejected_in_an_answer_of_200_are_counted(to_receiver, decision, told):
    to_receiver.will(rejected=1)

    assert "1 of 2 events were taken" in told(decision)


def test_a_refused_connection_is_told(nobody, decision, told, monkeypatch, clock):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", nobody)

    assert f"0 of 2 events were taken by {nobody}/v1/logs (it can't be reached by OTLP/HTTP)" in told(decision, 0.5)

    assert clock.s < LONG_S


@pytest.mark.parametrize("endpoint", ["localhost:4318", "http://", "nonsense", "http://[::1", "http://127.0.0.1:99999"])
def test_an_address_that_is_none_is_a_warning(endpoint, decision, told, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)

    assert "0 of 2 events were taken" in told(decision, timeout_s=0.5)


def test_no_secret_stands_in_the_warning(receiver, decision, told, monkeypatch):
    address = receiver.url.replace("http://", "http://user:swordfish@") + "/v1/logs?api-key=s3cr3t"
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20t0ken")
    receiver.will(status=401)

    line = told(decision)

    assert receiver.requests[0][1]["authorization"]
    assert f"taken by {receiver.url}/v1/logs (it answered 401 Unauthorized)" in line
    assert not any(secret in line for secret in ("swordfish", "s3cr3t", "t0ken", "user"))


def test_a_setting_of_the_sdk_that_it_cannot_read_is_a_warning(to_receiver, decision, told, monkeypatch):
    monkeypatch.setenv("OTEL_ATTRIBUTE_COUNT_LIMIT", "many")

    assert "0 of 2 events were taken" in told(decision)


def test_batches_after_a_failed_one_are_not_tried(to_receiver, row, capsys):
    to_receiver.will()
    to_receiver.will(status=400)

    emit_evaluation(
        destination(TelemetrySettings(timeout_s=30), asked=False),
        rows=[row(case_id=str(number)) for number in range(1500)],
    )

    assert "512 of 1500 events were taken" in capsys.readouterr().err
    assert len(to_receiver.requests) == 2
