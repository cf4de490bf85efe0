"""`judgekit gate --outputs`: an agent's live outputs in the place of those of its golden fixtures."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import judgekit
from judgekit.reports.document import document
from judgekit.telemetry.events import agent_events

GOOD, BAD = [Fraction(9, 10)] * 8, [Fraction(1, 2)] * 4
IDS = range(60)
EVERYTHING = json.dumps({"keep": list(IDS), "drop": []})
RIGHT = json.dumps({"keep": [one for one in IDS if one % 2], "drop": [one for one in IDS if not one % 2]})


@pytest.fixture
def agent(place):
    place.agent(GOOD, BAD)
    return place


def rows(outputs: dict[str, str], **more: object) -> str:
    return "".join(json.dumps({"case_id": name, "output": text, **more}) + "\n" for name, text in outputs.items())


def test_live_outputs_are_scored_in_the_place_of_the_recorded_ones(agent):
    path = agent.write("live.jsonl", rows({f"g{number}": RIGHT for number in range(8)}))

    [one] = agent.check(outputs=path).agents
    assert (one.score, one.passed, one.n_negative) == (1, True, 4)


def test_an_agent_that_keeps_everything_fails(agent, gate):
    path = agent.write("live.jsonl", rows({f"g{number}": EVERYTHING for number in range(8)}))
    done = gate("--outputs", path)

    assert done.code == 1
    assert "gate failed: f: filter_accuracy: mean 0.5 of 8 golden fixtures is below 0.8" in done.out


def test_a_golden_fixture_without_a_live_output_is_a_violation_and_no_zero(agent):
    path = agent.write("live.jsonl", rows({f"g{number}": RIGHT for number in range(7)}))
    decision = agent.check(outputs=path)

    assert decision.agents[0].score == 1
    assert decision.reasons[0].startswith("f, case g7: has no score: no output: live.jsonl holds none for it")


def test_a_mean_over_a_part_of_the_golden_fixtures_says_so_everywhere(agent, gate):
    done = gate("--outputs", agent.write("live.jsonl", rows({"g0": RIGHT})), "--history", "history.jsonl")
    run = judgekit.load_run(done.run)
    [one] = run.decision.agents
    [line] = (agent.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()

    assert (one.score, one.n_scored, one.n_golden, one.passed) == (1, 1, 8, False)
    assert done.lines[1].startswith("f      filter_accuracy  1 (1 of 8)  0.8")
    assert "| f | filter\\_accuracy | 1 (1 of 8) |" in (done.run / "summary.md").read_text(encoding="utf-8")
    assert (json.loads(line)["n_scored"], json.loads(line)["n_golden"]) == (1, 8)
    [event] = agent_events(run.decision)
    assert (event.attributes["eval_n_scored"], event.attributes["eval_n_golden"]) == (1, 8)


def test_the_rule_on_the_mean_counts_golden_fixtures_alone(agent):
    rules = agent.check(outputs=agent.write("live.jsonl", rows({"g0": RIGHT}))).rules

    assert [(rule["n_scored"], rule["n_total"]) for rule in rules[:2]] == [(1, 8), (5, 12)]


def test_live_outputs_and_fixtures_are_told_apart(agent, gate):
    path = agent.write("live.jsonl", rows({f"g{number}": RIGHT for number in range(8)}))
    gate("--history", "history.jsonl")
    live = judgekit.load_run(gate("--outputs", path, "--history", "history.jsonl").run)
    lines = (agent.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()

    assert [json.loads(line)["source"] for line in lines] == ["fixtures", "outputs"]
    assert live.decision.source == "outputs"
    assert agent_events(live.decision)[0].attributes["eval_source"] == "outputs"
    # The trend of live outputs is theirs alone.
    assert [one["score"] for one in document(live.data)["history"]] == [1.0]


def test_an_agent_that_answered_nothing_is_told_once(shipped):
    path = shipped.write("live.jsonl", rows({"reagan-dental-chain": "## Recommendation\nBuy."}))
    said = [one for one in shipped.check(outputs=path).reasons if one.startswith("ayana")]

    assert said == [
        "ayana: filter_accuracy: none of 8 golden fixtures has an output; no output: live.jsonl holds none for it"
    ]


def test_rows_of_negative_fixtures_are_left_out_and_told(agent, gate):
    texts = {f"g{number}": RIGHT for number in range(8)} | {f"n{number}": RIGHT for number in range(4)}
    done = gate("--outputs", agent.write("live.jsonl", rows(texts)))

    assert done.code == 0
    assert (
        "4 outputs are for negative fixtures, which keep their own bad output: not scored (n0, n1, n2, …)" in done.err
    )


def test_rows_of_agents_that_are_not_gated_are_no_mistake(shipped):
    review = (shipped.folder / "scenarios/agents/review_completeness.yaml").read_text(encoding="utf-8")
    names = [line.split("id: ")[1] for line in review.split("\n") if line.startswith("  - id: reagan-")]
    texts = dict.fromkeys(names, "## Recommendation\nBuy.\n") | {"ayana-grant-letters": "{}"}

    [one] = shipped.check("reagan", outputs=shipped.write("live.jsonl", rows(texts))).agents
    assert one.score == Fraction(1, 5)


def test_a_folder_may_hold_a_file_a_case(agent):
    for number in range(8):
        agent.write(f"live/f/g{number}.json", RIGHT)
    agent.write("live/_notes.txt", "not an output")
    agent.write("live/.cache/g0.txt", "not an output")

    assert agent.check(outputs=Path("live")).agents[0].score == 1


def test_a_folder_may_hold_outputs_files(agent):
    agent.write("live/a.jsonl", rows({f"g{number}": RIGHT for number in range(4)}))
    agent.write("live/b.csv", "case_id,output\n" + "".join(f"g{number},\n" for number in range(4, 8)))

    # Four right ones and four empty ones, which score 0.
    assert agent.check(outputs=Path("live")).agents[0].score == Fraction(1, 2)


def test_trials_are_averaged_within_their_case_first(agent):
    texts = {f"g{number}": RIGHT for number in range(8)}
    both = rows(texts, trial=0) + rows({"g0": EVERYTHING}, trial=1)

    # The case with two trials counts (1 + 1/2) / 2 = 3/4: (7 + 3/4) / 8.
    assert agent.check(outputs=agent.write("live.jsonl", both)).agents[0].score == Fraction(31, 32)


def test_the_variant_of_live_outputs_does_not_divide_the_report(agent, gate):
    path = agent.write("live.jsonl", rows({f"g{number}": RIGHT for number in range(8)}, variant="v7"))

    assert "| default | 100% (8 of 8) |" in (gate("--outputs", path).run / "summary.md").read_text(encoding="utf-8")


def test_columns_of_live_outputs_may_have_other_names(agent, gate):
    texts = "".join(json.dumps({"case": f"g{number}", "said": RIGHT}) + "\n" for number in range(8))
    done = gate("--outputs", agent.write("live.jsonl", texts), "--map", "id=case", "--map", "output=said")

    assert done.lines[1].split()[2] == "1"
