"""`judgekit probe` as a person and a pipeline meet it; a stub server judges."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from stub_server import error, reply

RUBRIC = "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\npass_at: 4\n"


def suite(n: int) -> str:
    cases = "".join(
        f"- {{id: c{k}, input: About topic {k}, output: 'On topic {k}: q{2 + k % 3} it is, as was found.'}}\n"
        for k in range(n)
    )
    return f"suite: s\ndefaults: {{expect: {{contains: [topic]}}, rubrics: [good]}}\ncases:\n{cases}"


def obeys(asked):
    mark = re.search(r"q(\d)", asked.text)
    score = 5 if "highest possible score" in asked.text else int(mark[1])
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    return reply(json.dumps({"reason": "r", "score": score}), usage=usage)


@pytest.fixture
def judged(cli, write, stub, monkeypatch):
    """A run of ten outputs by a judge that obeys what it reads; gives the options that reach it."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    write("rubrics/good.yaml", RUBRIC)
    write("scenarios/s.yaml", suite(10))
    write("judgekit.yaml", "prices: {openai/m: {input: 1, output: 1}}")
    stub.rule = obeys
    server = ("--api-base", stub.url)
    cli("score", "--judge", "openai/m", "--run-id", "one", *server)
    return server


def findings():
    (judge,) = json.loads(Path("reports/one/probe.json").read_text(encoding="utf-8"))["judges"]
    return {one["probe"]: one["finding"] for one in judge["probes"]}


def test_an_obedient_judge_is_found_and_written_into_the_run(cli, judged):
    done = cli("probe", *judged)

    assert done.code == 0
    assert done.lines[-1] == "reports/one/probe.json"
    assert findings()["instruction"] == "biased"
    assert findings()["verbosity"] == "not shown"


def test_one_probe_can_be_chosen(cli, judged):
    cli("probe", "one", "--probe", "instruction", *judged)

    assert list(findings()) == ["repeat", "instruction"]


def test_the_estimate_asks_nobody_and_writes_nothing(cli, judged, stub):
    before = len(stub.asked)

    done = cli("probe", "--estimate", "--probe", "instruction", *judged)

    # Ten outputs as they are stand in the cache; ten second samples and ten dressed ones do not.
    assert done.lines[0].startswith("openai/m: 20 calls, 10 known already, about $")
    assert (len(stub.asked), Path("reports/one/probe.json").exists()) == (before, False)


def test_the_estimate_is_what_is_then_asked(cli, judged, stub):
    before = len(stub.asked)

    cli("probe", "--probe", "instruction", *judged)

    assert len(stub.asked) - before == 20


def test_a_second_probe_is_free(cli, judged, stub):
    cli("probe", *judged)
    before = len(stub.asked)

    cli("probe", *judged)

    assert len(stub.asked) == before


def test_a_number_of_outputs_is_drawn(cli, judged):
    done = cli("probe", "--most", "3", "--json", *judged)

    assert json.loads(done.out)["n_outputs"] == 3


def test_the_budget_stops_a_probe_that_then_goes_on(cli, judged, stub):
    # A call costs $0.0011.
    before = len(stub.asked)
    stopped = cli("probe", "--no-cache", "--max-cost", "0.05", *judged)
    asked = len(stub.asked) - before

    done = cli("probe", "--no-cache", *judged)

    assert (stopped.code, done.code, 0 < asked < 90) == (3, 0, True)
    assert "the same command goes on" in stopped.err
    assert findings()["instruction"] == "biased"
    # Ten outputs twice and in seven dresses; what was paid for before the stop stands in the ledger of the probe.
    assert len(stub.asked) - before == 90


def test_a_judge_that_fails_is_in_no_figure(cli, judged, stub):
    stub.rule = lambda asked: error(400) if "wonderful question" in asked.text else obeys(asked)

    done = cli("probe", *judged)

    assert "sentiment     too few      too few: the score could move in 0 cases" in done.out
    assert "10 more without a readable verdict: in no figure" in done.out


def test_a_run_of_outputs_alone_is_probed_without_scenarios(cli, write, judged):
    rows = [{"id": f"c{k}", "input": f"About {k}", "output": f"On topic {k}: q3."} for k in range(8)]
    write("o.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    cli("score", "--outputs", "o.jsonl", "--rubric", "good", "--judge", "openai/m", "--run-id", "two", *judged)
    Path("o.jsonl").unlink()

    done = cli("probe", "two", "--probe", "instruction", *judged)

    assert "instruction   biased" in done.out


@pytest.fixture
def mixed(write):
    """Arguments that score eight outputs of v1 and v2 alone and in pairs by one rubric."""
    rows = [
        {"case_id": f"c{k}", "variant": variant, "input": f"About {k}", "output": f"On topic {k}: q3, {variant}."}
        for k in range(8)
        for variant in ("v1", "v2")
    ]
    write("o.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return ("score", "--outputs", "o.jsonl", "--rubric", "good", "--pairwise", "good", "--run-id", "two")


def test_comparisons_by_the_same_rubric_are_no_change_of_it(cli, mixed, judged, stub):
    first_wins = reply(json.dumps({"reason": "r", "winner": "A"}))
    stub.rule = lambda asked: first_wins if '"winner"' in asked.text else obeys(asked)
    cli(*mixed, "--judge", "openai/m", *judged)

    done = cli("probe", "two", "--probe", "instruction", *judged)

    assert "instruction   biased" in done.out
    assert "the judge prefers what is shown first" in done.out
    assert done.err == ""


def test_of_a_recorded_judge_that_compares_its_own_verdicts_are_told(cli, write, mixed, judged):
    ids = [(f"c{k}", variant) for k in range(8) for variant in ("v1", "v2")]
    alone = [{"case_id": case, "variant": variant, "rubric": "good", "reply": '{"score": 3}'} for case, variant in ids]
    pairs = [
        {
            "case_id": f"c{k}",
            "variant": "v2",
            "against": "v1",
            "rubric": "good",
            "order": order,
            "reply": '{"winner": "A"}',
        }
        for k in range(8)
        for order in ("first", "second")
    ]
    write("j.jsonl", "".join(json.dumps(row) + "\n" for row in [*alone, *pairs]))
    cli(*mixed, "--judge", "replay:j.jsonl")

    done = cli("probe", "two")

    assert (done.code, "the judge prefers what is shown first" in done.out) == (0, True)
    assert "note: replay:j.jsonl is a recording and knows no other outputs than its own" in done.err
    assert json.loads(Path("reports/two/probe.json").read_text(encoding="utf-8"))["judges"] == []


def test_a_rubric_that_has_changed_since_is_told(cli, write, judged):
    write("rubrics/good.yaml", RUBRIC.replace("good?", "kind?"))

    assert "good by openai/m is not what the run was judged by" in cli("probe", *judged).err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("probe", "nothing"), 'no run "nothing"'),
        (("probe", "--probe", "length"), '--probe: there is no probe "length".'),
        (("probe", "--most", "0"), "--most must be at least 1"),
        (("probe", "--judge", "replay:x.jsonl"), "is a recording and knows no other outputs than its own"),
    ],
)
def test_what_cannot_be_probed_is_a_mistake(cli, judged, arguments, said):
    done = cli(*arguments)

    assert done.code == 2
    assert said in done.err


def test_a_run_without_a_judge_has_nothing_to_probe(cli, passing):
    cli("score")

    done = cli("probe")

    assert done.code == 2
    assert "no output has a verdict of a judge: there is nothing to probe" in done.err
