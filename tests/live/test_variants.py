"""Three prompts × two models in one run; several turns; an agent with tools, scripted and over the socket."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stub_server import Asked, reply

SUITE = """\
suite: replies
against: short-mini
variants:
  short-mini: {prompt: p/short.j2, model: gpt-4o-mini}
  short-4o: {prompt: p/short.j2, model: gpt-4o}
  kind-mini: {prompt: p/kind.j2, model: gpt-4o-mini, params: {temperature: 0.7}}
  kind-4o: {prompt: p/kind.j2, model: gpt-4o}
  plain-mini: {prompt: p/plain.txt, model: gpt-4o-mini}
  plain-4o: {prompt: p/plain.txt, model: gpt-4o}
defaults:
  expect: {contains: [refund]}
  rubrics: [helpfulness]
cases:
  - {id: late, input: My parcel is late., vars: {name: Ana}}
  - {id: lost, input: My parcel is lost., vars: {name: Bo}}
  - {id: torn, input: My parcel is torn., vars: {name: Cy}}
"""


@pytest.fixture
def replies(project: Any) -> Any:
    project.write("scenarios/replies.yaml", SUITE)
    project.write("scenarios/p/short.j2", "In one line, to {{ name }}: {{ input }}")
    project.write("scenarios/p/kind.j2", "Kindly, to {{ name }}: {{ input }}")
    project.write("scenarios/p/plain.txt", "You answer complaints.")

    def rule(asked: Asked) -> Any:
        if "response_format" in asked.body:
            return reply(json.dumps({"reason": "r", "score": 5 if "by gpt-4o." in asked.text else 3}))
        system = " ".join(one["content"] for one in asked.body["messages"] if one["role"] == "system")
        return reply(f"A refund, by {asked.body['model']}. To {system}{asked.text}")

    project.stub.rule = rule
    return project


def test_frames_and_report_keep_three_prompts_and_two_models_apart(replies: Any) -> None:
    # One at a time: two models that make their first call together race for litellm's client, and one is never closed.
    run = replies.score(judge="gpt-4o", concurrency=1)

    names = ["short-mini", "short-4o", "kind-mini", "kind-4o", "plain-mini", "plain-4o"]
    cases = run.cases
    assert list(cases.groupby("variant", sort=False).size().items()) == [(name, 3) for name in names]
    by = {(row["case_id"], row["variant"]): row for row in replies.rows(run, "cases")}
    assert by["lost", "short-mini"]["output"] == "A refund, by gpt-4o-mini. To In one line, to Bo: My parcel is lost."
    assert by["torn", "plain-4o"]["output"] == "A refund, by gpt-4o. To You answer complaints.My parcel is torn."
    assert {(row["variant"], row["target_model"]) for row in by.values()} == {
        (name, "gpt-4o" if name.endswith("4o") else "gpt-4o-mini") for name in names
    }
    means = {one["variant"]: one["mean"] for one in run.summary["estimates"] if one["metric"] == "helpfulness"}
    assert means == {name: 5 if name.endswith("4o") else 3 for name in names}
    compared = [
        (one["variant"], one["against"]) for one in run.summary["comparisons"] if one["metric"] == "helpfulness"
    ]
    assert compared == [(name, "short-mini") for name in names[1:]]
    report = (run.path / "report.html").read_text(encoding="utf-8")
    assert all(name in report for name in names)


def test_manifest_tells_the_variants_apart(replies: Any) -> None:
    # One at a time: two models that make their first call together race for litellm's client, and one is never closed.
    run = replies.score(judge="gpt-4o", concurrency=1)

    prompts = {one["variant"]: one for one in json.loads((run.path / "manifest.json").read_text())["prompts"]}
    assert prompts["kind-mini"]["params_applied"] == {"temperature": 0.7, "seed": 0}
    assert prompts["kind-4o"]["params_applied"] == {"temperature": 0, "seed": 0}
    assert prompts["kind-mini"]["hash"] == prompts["kind-4o"]["hash"] != prompts["short-4o"]["hash"]
    assert [prompts[name]["model"] for name in ("plain-mini", "plain-4o")] == ["gpt-4o-mini", "gpt-4o"]


def test_variants_of_one_name_in_two_suites_keep_their_own_parameters(project: Any) -> None:
    for name, temperature in (("one", 0.3), ("two", 0.9)):
        project.write(
            f"scenarios/{name}.yaml",
            f"suite: {name}\nmodel: gpt-4o\nvariants: {{v: {{params: {{temperature: {temperature}}}}}}}\n"
            f"defaults: {{expect: {{min_length: 1}}}}\ncases: [{{id: case-{name}, input: Q?}}]\n",
        )

    run = project.score()

    prompts = json.loads((run.path / "manifest.json").read_text())["prompts"]
    applied = {one["suite"]: one["params_applied"]["temperature"] for one in prompts}
    assert applied == {"one": 0.3, "two": 0.9}


def test_turns_are_one_conversation(project: Any) -> None:
    project.write(
        "scenarios/talk.yaml",
        "name: talk\nturns: [My name is Ana., What is my name?, Thanks.]\nexpect: {contains: [welcome]}\n",
    )
    project.stub.answers(reply("Hello Ana."), reply("Ana."), reply("You are welcome."))

    run = project.score(model="gpt-4o")

    assert run.decision.exit_code == 0
    assert [one["content"] for one in project.stub.asked[2].body["messages"]] == [
        *("My name is Ana.", "Hello Ana."),
        *("What is my name?", "Ana."),
        "Thanks.",
    ]
    (record,) = project.records(run, "outputs")
    assert [one["role"] for one in record["transcript"]] == ["user", "assistant"] * 3
    assert record["output"] == "You are welcome."
    # gpt-4o in USD per million tokens: input 2.50, output 10; the stub counts 10 in and 5 out each time.
    assert record["cost_usd"] == pytest.approx(3 * (10 * 2.5 + 5 * 10) / 1e6)


AGENT = """\
name: order
config-dir: agents/shop
input: Where is order 7?
tools:
  search:
    description: Looks up an order.
    parameters: {type: object, properties: {order: {type: integer}}, required: [order]}
    results: [{when: {order: 7}, result: {status: shipped}}]
  stock: {results: [{result: {error: the stock system is down}}, {result: {left: 3}}]}
expect:
  contains: [shipped]
  tool_calls: {expect: [{name: search, args: {order: 7}}, {name: stock}], match: contains}
"""
FAUX = """\
faux:
  - {content: Let me see., tool_calls: [{name: search, args: {order: 7}}, {name: stock}]}
  - {tool_calls: [{name: teleport, args: {to: shop}}]}
  - {tool_calls: [{name: stock}]}
  - It is shipped; 3 are left.
"""


def transcript(project: Any, run: Any) -> list[dict[str, Any]]:
    """Roles, words, tool calls and results; the ids of calls are the model's own business."""
    (record,) = project.records(run, "outputs")
    known: dict[str, int] = {}

    def same_ids(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: number(item) if key in ("id", "tool_call_id") else same_ids(item) for key, item in value.items()
            }
        return [same_ids(item) for item in value] if isinstance(value, list) else value

    def number(one: str) -> int:
        return known.setdefault(one, len(known))

    return same_ids(record["transcript"])


def test_an_agent_has_the_same_transcript_scripted_and_over_the_socket(project: Any) -> None:
    project.write("agents/shop/system-prompt.txt", "You work in a shop.")
    path = project.write("scenarios/order.yaml", AGENT + FAUX)
    scripted = project.score()
    path.write_text(AGENT, encoding="utf-8")
    project.stub.answers(
        reply("Let me see.", tool_calls=[("search", {"order": 7}), ("stock", {})]),
        reply(None, tool_calls=[("teleport", {"to": "shop"})]),
        reply(None, tool_calls=[("stock", {})]),
        reply("It is shipped; 3 are left."),
    )

    live = project.score(model="gpt-4o")

    assert (scripted.decision.exit_code, live.decision.exit_code) == (0, 0)
    said = transcript(project, live)
    assert said == transcript(project, scripted)
    assert [json.loads(one["content"]) for one in said if one["role"] == "tool"] == [
        {"status": "shipped"},
        {"error": "the stock system is down"},
        {"error": 'there is no tool "teleport"'},
        {"left": 3},
    ]
    flags = [project.records(run, "outputs")[0]["flags"] for run in (scripted, live)]
    assert flags == [["unknown_tool:teleport"]] * 2
    offered = project.stub.asked[0].body["tools"]
    assert [tool["function"]["name"] for tool in offered] == ["search", "stock"]
    assert offered[0]["function"]["parameters"]["required"] == ["order"]
    # The server gets what OpenAI's would: each result under the id of its call.
    calls, *results = project.stub.asked[1].body["messages"][-3:]
    assert [one["id"] for one in calls["tool_calls"]] == [one["tool_call_id"] for one in results]


@pytest.mark.parametrize("live", [False, True])
def test_an_agent_that_never_ends_is_an_error_of_its_own(project: Any, live: bool) -> None:
    project.write("agents/shop/system-prompt.txt", "You work in a shop.")
    project.write("agents/shop/agent-config.yaml", "loop: {max_iterations: 3}\n")
    path = project.write("scenarios/order.yaml", AGENT)
    if not live:
        step = "  - {tool_calls: [{name: search, args: {order: 7}}]}\n"
        path.write_text(AGENT + "faux:\n" + step * 4, encoding="utf-8")
    project.stub.rule = lambda asked: reply(None, tool_calls=[("search", {"order": 7})])

    run = project.score(model="gpt-4o" if live else None)

    (case,) = project.rows(run, "cases")
    assert (case["status"], case["cause"], case["output"]) == ("error", "max_iterations", "")
    assert project.stub.n_calls == (3 if live else 0)
    assert len(project.records(run, "outputs")[0]["transcript"]) == 2 + 3 * 2


def test_tool_arguments_that_are_no_json_are_an_error_result(project: Any) -> None:
    project.write("scenarios/order.yaml", AGENT.replace("config-dir: agents/shop\n", ""))
    project.stub.answers(reply(None, tool_calls=[("search", "{order: ")]), reply("It is shipped."))

    run = project.score(model="gpt-4o")

    (case,) = project.rows(run, "cases")
    assert case["status"] == "fail"
    assert case["output"] == "It is shipped."
    assert "unscripted_call:search" in case["flags"]
