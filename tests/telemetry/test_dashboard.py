"""The dashboard that ships: made by its generator, of this repository's registry, of attributes that are sent."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from judgekit.config import load_project
from judgekit.telemetry.dashboard import Watched, dashboard, dashboard_text, shipped, watched
from judgekit.telemetry.events import agent_events
from judgekit.telemetry.export import SERVICE

ROOT = Path(__file__).parents[2]
LOGQL = Path(__file__).parent / "logql"
SETTINGS = load_project(ROOT).settings
BOARD: dict[str, Any] = json.loads(shipped("eval-quality.json"))
# An agent whose name would end the text that it stands in, if it could.
ODD = [Watched('say "hi" | `x` \\', "ähnlich {a}", Fraction(1, 3))]


def _targets(board: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for panel in board["panels"]:
        yield from panel["targets"]


def _queries(board: dict[str, Any]) -> list[str]:
    return [target["expr"] for target in _targets(board)]


def test_it_is_what_its_generator_makes_of_this_repository():
    # If not: judgekit telemetry dashboard > judgekit/telemetry/eval-quality.json
    assert shipped("eval-quality.json") == dashboard_text(SETTINGS)


def test_its_title_is_eval_quality():
    assert BOARD["title"] == "Eval Quality"


def test_it_has_a_panel_per_agent_and_those_for_state_failures_and_runs():
    assert [panel["title"] for panel in BOARD["panels"]] == [
        "Latest state",
        "Failures",
        "Runs",
        "scarlet · SourceCoverage",
        "ayana · FilterAccuracy",
        "eliza · GroundingScore",
        "reagan · ReviewCompleteness",
        "Failures over time",
        "Runs over time",
        "Evaluations, newest first",
    ]


def test_ids_are_unique():
    ids = [panel["id"] for panel in BOARD["panels"]]

    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("n_agents", [0, 1, 4, 7])
def test_panels_do_not_overlap_and_stay_within_the_grid(n_agents):
    agents = [Watched(f"agent {number}", "r", Fraction(1, 2)) for number in range(n_agents)]

    places = [panel["gridPos"] for panel in dashboard(agents, scope="s")["panels"]]

    apart = [
        a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"] or a["y"] + a["h"] <= b["y"] or b["y"] + b["h"] <= a["y"]
        for a, b in combinations(places, 2)
    ]
    assert all(apart)
    assert all(place["x"] >= 0 and place["x"] + place["w"] <= 24 for place in places)


def test_thresholds_are_those_of_the_registry():
    drawn = {
        panel["title"]: [step["value"] for step in panel["fieldConfig"]["defaults"]["thresholds"]["steps"]]
        for panel in BOARD["panels"]
        if " · " in panel["title"]
    }

    registry = {f"{one.agent} · {one.rubric}": [None, float(one.threshold)] for one in watched(SETTINGS.agents)}
    assert drawn == registry


def test_each_score_is_drawn_with_the_threshold_it_was_held_to():
    scores = [panel for panel in BOARD["panels"] if " · " in panel["title"]]

    assert [[re.findall(r"unwrap (\w+)", one["expr"]) for one in panel["targets"]] for panel in scores] == [
        [["eval_score"], ["eval_threshold"]]
    ] * len(scores)


def test_every_attribute_that_is_used_is_sent(decision):
    (scarlet, _) = agent_events(decision)
    used = {name for target in _targets(BOARD) for name in re.findall(r"\beval_\w+", json.dumps(target))}

    assert used
    assert used <= scarlet.attributes.keys()


def test_every_query_asks_for_what_is_sent():
    # The body and the name of the event are one, the scope is that of the settings, the service ours by default.
    start = f'{{service_name="$service"}} |= "agent_eval_complete" | scope_name="{SETTINGS.telemetry.scope}"'

    assert all(start in query for query in _queries(BOARD))
    (service,) = [one for one in BOARD["templating"]["list"] if one["name"] == "service"]
    assert service["query"] == service["current"]["value"] == SERVICE == "judgekit"


def test_fixtures_and_live_outputs_are_never_drawn_as_one():
    (source,) = [one for one in BOARD["templating"]["list"] if one["name"] == "source"]

    assert all('| eval_source="$source"' in query for query in _queries(BOARD))
    assert source["current"]["value"] == "fixtures"
    assert [one["value"] for one in source["options"]] == source["query"].split(",") == ["fixtures", "outputs"]


def test_agents_and_rubrics_are_asked_for_as_their_events_name_them(decision):
    agents = [Watched(one.agent, one.label or one.rubric, one.threshold) for one in decision.agents]

    text = json.dumps(_queries(dashboard(agents, scope="qadra.eval")))

    for event in agent_events(decision):
        assert json.dumps(f'eval_agent="{event.attributes["eval_agent"]}"')[1:-1] in text
        assert json.dumps(f'eval_rubric="{event.attributes["eval_rubric"]}"')[1:-1] in text


@pytest.mark.parametrize("board", [BOARD, dashboard(ODD, scope='a "b"')], ids=["shipped", "odd names"])
def test_every_query_is_logql(board):
    if shutil.which("node") is None or not (LOGQL / "node_modules").is_dir():
        pytest.skip("Grafana's grammar of LogQL is not installed: npm ci in tests/telemetry/logql")
    queries = [query.replace("$__interval", "5m").replace("$service", "judgekit") for query in _queries(board)]

    done = subprocess.run(
        ["node", "check.mjs"], cwd=LOGQL, input=json.dumps(queries), capture_output=True, encoding="utf-8", check=True
    )

    wrong = [(query, at) for query, at in zip(queries, json.loads(done.stdout), strict=True) if at]
    assert wrong == []


def test_a_query_that_is_not_logql_would_be_found():
    if shutil.which("node") is None or not (LOGQL / "node_modules").is_dir():
        pytest.skip("Grafana's grammar of LogQL is not installed: npm ci in tests/telemetry/logql")
    broken = _queries(BOARD)[0].replace("| unwrap", "unwrap").replace("$__interval", "5m")

    done = subprocess.run(
        ["node", "check.mjs"], cwd=LOGQL, input=json.dumps([broken]), capture_output=True, encoding="utf-8", check=True
    )

    assert json.loads(done.stdout) != [[]]


def test_another_registry_makes_another_dashboard(project):
    project("judgekit.yaml", "agents: {ada: {rubrics: {r1: 0.5, r2: 0.25}, fixtures: f}}\ntelemetry: {scope: acme}\n")

    board = json.loads(dashboard_text(load_project().settings))

    assert [panel["title"] for panel in board["panels"] if " · " in panel["title"]] == ["ada · r1", "ada · r2"]
    assert all('scope_name="acme"' in query for query in _queries(board))


def test_a_project_without_agents_gets_the_one_that_ships(project):
    project("judgekit.yaml", "out: reports\n")

    assert dashboard_text(load_project().settings) == shipped("eval-quality.json")


def test_a_score_is_no_state(decision):
    # An agent may have a good score and fail all the same, by a negative fixture that scores too well.
    failing = dataclasses.replace(decision.agents[0], passed=False, n_violations=1)
    (event,) = agent_events(dataclasses.replace(decision, agents=(failing,)))
    assert event.attributes["eval_score"] >= event.attributes["eval_threshold"]

    latest = BOARD["panels"][0]

    assert "eval_passed" in latest["targets"][0]["expr"]
    assert "eval_score" not in latest["targets"][0]["expr"]
