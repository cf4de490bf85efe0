"""`judgekit drift`: what it prints and what it exits with."""

from __future__ import annotations

import json

import pytest

GOOD = {"triples": [{"subject": "Ada", "predicate": "wrote", "object": "notes", "source": "p. 4"}]}
RENAMED = {"triples": [{"subject": "Ada", "predicate": "wrote", "object": "notes", "sources": ["p. 4"]}]}
SETTINGS = """\
agents:
  scarlet: {rubric: source_coverage, threshold: 0.7, format: scarlet/1, fixtures: scarlet.yaml}
"""


@pytest.fixture
def live(write):
    """Writes settings and an outputs file."""
    write("judgekit.yaml", SETTINGS)
    write("scarlet.yaml", "cases:\n  - {id: f, input: Q., output: A.}\n")

    def written(*texts: str | None) -> None:
        rows = [json.dumps({"case_id": f"r{number}", "output": text}) for number, text in enumerate(texts)]
        write("live.jsonl", "".join(f"{row}\n" for row in rows))

    return written


def test_what_conforms_exits_0(cli, live):
    live(json.dumps(GOOD))

    done = cli("drift", "--outputs", "live.jsonl")

    assert (done.code, done.lines[-1]) == (0, "no drift")


def test_drift_exits_1_and_reads_as_a_report(cli, live):
    live(json.dumps(GOOD), json.dumps(RENAMED), '{"triples": []}', None)

    done = cli("drift", "scarlet", "--outputs", "live.jsonl")

    assert done.code == 1
    assert (
        done.out
        == """\
scarlet against scarlet/1
  conforming    66.7% (2 of 3); 1 without an output
  off format    1 × $.triples[*] lacks "source"
                r1 (line 2): $.triples[0]: "source" is a required property
  read blindly  66.7% (2 of 3) by source_coverage: 1 off format, 1 with nothing to count; none of these reaches 0.7
                r2 (line 3): no_triples: the list "triples" is empty

drift: 50% (2 of 4) of the rows of scarlet
"""
    )


def test_a_tolerance_is_a_number_or_a_share(cli, live):
    live(json.dumps(GOOD), "No.")

    assert [cli("drift", "--outputs", "live.jsonl", "--tolerate", one).code for one in ("0", "1", "49%", "50%")] == [
        1,
        0,
        1,
        0,
    ]


def test_rows_without_an_output_exit_3(cli, live):
    live(json.dumps(GOOD), None)

    done = cli("drift", "--outputs", "live.jsonl")

    assert (done.code, done.lines[-1]) == (3, "undecided: 1 of 2 rows of scarlet hold no output")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--outputs", "none.jsonl"], "none.jsonl: no such outputs file"),
        (["--outputs", "live.jsonl", "--tolerate", "few"], "--tolerate must be a whole number such as 3 or a share"),
        (["scarlett", "--outputs", "live.jsonl"], 'Did you mean "scarlet"?'),
        ([], "Missing option '--outputs'"),
    ],
)
def test_mistakes_exit_2(cli, live, arguments, told):
    live(json.dumps(GOOD))

    done = cli("drift", *arguments)

    assert done.code == 2
    assert told in done.err


def test_json_holds_counts_shares_and_examples(cli, live):
    live(json.dumps(GOOD), json.dumps(RENAMED))

    told = json.loads(cli("drift", "--outputs", "live.jsonl", "--json").out)

    [agent] = told["agents"]
    assert (told["exit_code"], agent["conforming_share"], agent["n_drifting"], agent["allowed"]) == (1, 0.5, 1, 0)
    assert agent["mistakes"][0]["examples"][0]["line"] == 2
    assert (agent["readings"][0]["n_blind"], agent["readings"][0]["blind_share"]) == (1, 0.5)


def test_what_a_model_wrote_does_not_command_the_terminal(cli, live):
    live("\x1b[2J\x1b]0;owned\x07 \x00 \ud800")

    done = cli("drift", "--outputs", "live.jsonl")

    assert "\x1b" not in done.out
    assert "\x07" not in done.out
