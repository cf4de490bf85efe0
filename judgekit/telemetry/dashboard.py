"""The registry of agents in, the Grafana dashboard *Eval Quality* out, whose queries Loki answers from the events.

Loki keeps an OTLP log record as a line, the body, with structured metadata: attributes under their own names (dots
become underscores), `scope_name`, and `service_name`, the one of these that is a label. The dashboard that ships is
made of this repository's own registry: `judgekit telemetry dashboard > judgekit/telemetry/eval-quality.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from typing import Any

from judgekit.config import AgentEntry, Settings
from judgekit.telemetry.events import AGENT_EVENT
from judgekit.telemetry.export import SERVICE

Json = dict[str, Any]
SOURCE: Json = {"type": "loki", "uid": "${datasource}"}
_WIDTH = 24  # columns of Grafana's grid
_EACH = "{{eval_agent}} · {{eval_rubric}}"


@dataclass(frozen=True, slots=True)
class Watched:
    """One line of the registry as its events name it."""

    agent: str
    rubric: str
    """The label, where there is one."""
    threshold: Fraction


def watched(agents: Mapping[str, AgentEntry]) -> list[Watched]:
    """The agents and rubrics of a registry, in its order."""
    return [
        Watched(agent, entry.label or rubric, threshold)
        for agent, entry in agents.items()
        for rubric, threshold in entry.thresholds.items()
    ]


def dashboard_text(settings: Settings) -> str:
    """The dashboard of these settings as JSON for Grafana's import; without agents in them the one that ships."""
    if not settings.agents:
        return shipped("eval-quality.json")
    made = dashboard(watched(settings.agents), scope=settings.telemetry.scope)
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def shipped(name: str) -> str:
    """Text of a file of this package: `eval-quality.json` or `collector.yaml`."""
    return files("judgekit.telemetry").joinpath(name).read_text(encoding="utf-8")


def dashboard(agents: Sequence[Watched], *, scope: str) -> Json:
    """The dashboard: latest state, failures and runs on top, then a panel per agent and rubric, then the events."""
    events = f'{{service_name="$service"}} |= {_text(AGENT_EVENT)} | scope_name={_text(scope)} | eval_source="$source"'
    top = [(_latest(events), 12, 6), (_failures(events), 6, 6), (_runs(events), 6, 6)]
    scores = [(_score(events, one), 12, 8) for one in agents]
    below = [(_failures_over_time(events), 12, 7), (_runs_over_time(events), 12, 7), (_log(events), _WIDTH, 10)]
    return {
        "uid": "judgekit-eval-quality",
        "title": "Eval Quality",
        "description": "Scores of agents on their golden fixtures, as judgekit's release gate sends them; `source` "
        "chooses between the fixtures' own outputs and live ones (--outputs).",
        "tags": ["judgekit"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "time": {"from": "now-30d", "to": "now"},
        "refresh": "5m",
        "templating": {"list": [_data_source(), _service(), _source()]},
        "panels": _placed([top, scores, below]),
    }


def _placed(parts: Sequence[Sequence[tuple[Json, int, int]]]) -> list[Json]:
    """The panels (each with width and height) with id and place: left to right, each part on lines of its own."""
    made: list[Json] = []
    y = 0
    for panels in parts:
        x = line_height = 0
        for panel, width, height in panels:
            if x + width > _WIDTH:
                x, y, line_height = 0, y + line_height, 0
            place = {"h": height, "w": width, "x": x, "y": y}
            made.append({"id": len(made) + 1, **panel, "gridPos": place})
            x, line_height = x + width, max(line_height, height)
        y += line_height
    return made


def _text(value: str) -> str:
    """A LogQL string."""
    return json.dumps(value, ensure_ascii=False)


def _latest(events: str) -> Json:
    # A state and not the score: an agent also fails by a negative fixture that scores too well.
    state = '| label_format state=`{{if eq .eval_passed "true"}}1{{else}}0{{end}}` | unwrap state'
    query = f"last_over_time({events} {state} [$__interval]) by (eval_agent, eval_rubric)"
    words = {"1": {"text": "pass", "color": "green"}, "0": {"text": "fail", "color": "red"}}
    return _stat(
        "Latest state",
        "Whether each agent passed when it was last evaluated.",
        [_query(query, _EACH)],
        calc="lastNotNull",
        defaults={"mappings": [{"type": "value", "options": words}], "color": {"mode": "thresholds"}},
        text_mode="value_and_name",
    )


def _failures(events: str) -> Json:
    query = f'sum(count_over_time({events} | eval_passed="false" [$__interval]))'
    steps = [{"color": "green", "value": None}, {"color": "red", "value": 1}]
    defaults = {"noValue": "0", "decimals": 0, "thresholds": {"mode": "absolute", "steps": steps}}
    return _stat("Failures", "Evaluations that did not pass.", [_query(query, "failures")], "sum", defaults)


def _runs(events: str) -> Json:
    defaults = {"noValue": "0", "decimals": 0, "color": {"mode": "fixed", "fixedColor": "blue"}}
    return _stat("Runs", "Runs of the release gate.", [_query(_run_count(events), "runs")], "sum", defaults)


def _score(events: str, one: Watched) -> Json:
    mine = f"{events} | eval_agent={_text(one.agent)} | eval_rubric={_text(one.rubric)}"

    def latest(attribute: str) -> str:
        return f"last_over_time({mine} | unwrap {attribute} [$__interval]) by (eval_agent, eval_rubric)"

    line = {
        "matcher": {"id": "byName", "options": "threshold"},
        "properties": [
            {"id": "color", "value": {"mode": "fixed", "fixedColor": "red"}},
            {"id": "custom.lineStyle", "value": {"fill": "dash", "dash": [8, 6]}},
            {"id": "custom.lineInterpolation", "value": "stepAfter"},
            {"id": "custom.showPoints", "value": "never"},
        ],
    }
    steps = [{"color": "red", "value": None}, {"color": "transparent", "value": float(one.threshold)}]
    return {
        "type": "timeseries",
        "title": f"{one.agent} · {one.rubric}",
        "description": "Mean over the golden fixtures, 0 to 1. Red: below the threshold of the registry that this "
        "dashboard was made of; dashed: the threshold that each run was held to.",
        "datasource": SOURCE,
        "targets": [_query(latest("eval_score"), "score"), _query(latest("eval_threshold"), "threshold", "B")],
        "fieldConfig": {
            "defaults": {
                "min": 0,
                "max": 1,
                "decimals": 2,
                "color": {"mode": "fixed", "fixedColor": "blue"},
                "thresholds": {"mode": "absolute", "steps": steps},
                # Runs are rare: their points are joined, however far they lie apart.
                "custom": {
                    "lineWidth": 2,
                    "pointSize": 7,
                    "showPoints": "always",
                    "spanNulls": True,
                    "thresholdsStyle": {"mode": "area"},
                },
            },
            "overrides": [line],
        },
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True, "calcs": ["lastNotNull"]},
            "tooltip": {"mode": "multi"},
        },
    }


def _failures_over_time(events: str) -> Json:
    query = f'sum by (eval_agent, eval_rubric) (count_over_time({events} | eval_passed="false" [$__interval]))'
    return _bars("Failures over time", _query(query, _EACH))


def _runs_over_time(events: str) -> Json:
    return _bars("Runs over time", _query(_run_count(events), "runs"))


def _run_count(events: str) -> str:
    """One event per agent and rubric is sent, so events alone would count a run several times."""
    return f"count(sum by (eval_run_id) (count_over_time({events} [$__interval])))"


def _log(events: str) -> Json:
    shown = (
        '{{if eq .eval_passed "true"}}pass{{else}}FAIL{{end}} {{.eval_agent}} {{.eval_rubric}} {{.eval_score}} '
        "(threshold {{.eval_threshold}}, {{.eval_n_scored}} of {{.eval_n_golden}} golden, "
        "{{.eval_n_negative}} negative, {{.eval_n_violations}} violations) run {{.eval_run_id}} {{.eval_revision}}"
    )
    return {
        "type": "logs",
        "title": "Evaluations, newest first",
        "datasource": SOURCE,
        "targets": [
            {"refId": "A", "datasource": SOURCE, "queryType": "range", "expr": f"{events} | line_format `{shown}`"}
        ],
        "options": {"showTime": True, "sortOrder": "Descending", "wrapLogMessage": True, "enableLogDetails": True},
    }


def _query(expr: str, legend: str, name: str = "A") -> Json:
    return {"refId": name, "datasource": SOURCE, "queryType": "range", "expr": expr, "legendFormat": legend}


def _stat(
    title: str, description: str, targets: list[Json], calc: str, defaults: Json, text_mode: str = "value"
) -> Json:
    return {
        "type": "stat",
        "title": title,
        "description": description,
        "datasource": SOURCE,
        "targets": targets,
        "fieldConfig": {"defaults": defaults, "overrides": []},
        "options": {
            "colorMode": "background",
            "graphMode": "none",
            "justifyMode": "center",
            "textMode": text_mode,
            "reduceOptions": {"calcs": [calc], "fields": "", "values": False},
        },
    }


def _bars(title: str, target: Json) -> Json:
    return {
        "type": "timeseries",
        "title": title,
        "datasource": SOURCE,
        "targets": [target],
        "fieldConfig": {
            "defaults": {
                "min": 0,
                "decimals": 0,
                "custom": {"drawStyle": "bars", "fillOpacity": 70, "stacking": {"mode": "normal"}},
            },
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True}},
    }


def _data_source() -> Json:
    return {"name": "datasource", "type": "datasource", "label": "Loki", "query": "loki", "current": {}, "hide": 0}


def _service() -> Json:
    """What OTEL_SERVICE_NAME may have been when the events were sent."""
    current = {"text": SERVICE, "value": SERVICE}
    return {
        "name": "service",
        "type": "textbox",
        "label": "Service name",
        "query": SERVICE,
        "current": current,
        "options": [{**current, "selected": True}],
        "hide": 0,
    }


def _source() -> Json:
    """Fixtures and live outputs are scores of different things: one line through both would be none of either."""
    options = [{"text": name, "value": name, "selected": name == "fixtures"} for name in ("fixtures", "outputs")]
    return {
        "name": "source",
        "type": "custom",
        "label": "Outputs of",
        "query": "fixtures,outputs",
        "current": options[0],
        "options": options,
        "multi": False,
        "includeAll": False,
        "hide": 0,
    }
