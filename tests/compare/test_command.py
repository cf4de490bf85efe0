"""`judgekit compare`: what a person reads, what a pipeline gets."""

from __future__ import annotations

import json

import pytest


def test_two_variants_are_compared_with_sentence_cases_and_table(project, cli):
    project.checked({"v1": "fffffffp", "v2": "pppppppp"})

    code, out, _ = cli("compare", "latest")

    assert code == 0
    assert out.splitlines() == [
        "case pass rate: v2 against v1: better (100 % against 12.5 % on 8 cases, difference +87.5 points "
        "[+26.7, +97.8], p = 0.016).",
        *(f'  better  c{n}, v1: contains: "good" is missing' for n in range(7)),
        "  by check: contains 7 better (adjusted p = 0.016)",
        "",
        "metric          n  value  against  difference    95 % interval   p      adjusted  detectable   won/lost/tied",
        "case pass rate  8  100 %  12.5 %   +87.5 points  [+26.7, +97.8]  0.016  0.016     83.8 points  7/0/1",
        "",
        "no regression: nothing is significantly worse",
    ]


def test_without_runs_the_two_newest_are_compared(project, cli):
    project.checked({"v": "ffp"}, run_id="r1")
    project.checked({"v": "ppp"}, run_id="r2")

    code, out, _ = cli("compare")

    assert code == 0
    assert out.startswith("case pass rate: r2 against r1: not enough cases (100 % against 33.3 % on 3 cases")
    assert '  better  c0, before: contains: "good" is missing' in out


def test_without_an_earlier_run_the_variants_are_compared(project, cli):
    project.checked({"v1": "f", "v2": "p"})

    assert "v2 against v1" in cli("compare")[1]


def test_against_compares_the_variants_of_the_newest_run(project, cli):
    project.checked({"v1": "f", "v2": "p"}, run_id="r1")
    project.checked({"v1": "f", "v2": "p"}, run_id="r2")

    assert "v1 against v2" in cli("compare", "--against", "v2")[1]


def test_a_significant_regression_exits_with_1(project, cli):
    project.checked({"v1": "p" * 8, "v2": "f" * 8})

    code, out, _ = cli("compare", "latest")

    assert code == 1
    assert out.splitlines()[-1] == (
        "regression: case pass rate: v2 against v1: significantly worse (-100 points, p = 0.0078)"
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 0),
        (["--margin", "0.05"], 1),
        (["--margin", "pass_rate=5%"], 1),
        (["--margin", "20%"], 0),
        (["--require", "better"], 1),
    ],
)
def test_margin_and_require_decide_the_exit_code(project, cli, arguments, code):
    project.checked({"v1": "p" * 20, "v2": "p" * 18 + "ff"})

    assert cli("compare", "latest", *arguments)[0] == code


def test_diff_shows_the_words_that_changed(project, cli):
    project.checked({"v1": "f", "v2": "p"})

    assert "      [-bad-] {+good+} c0" in cli("compare", "latest", "--diff")[1].splitlines()


def test_an_output_can_not_command_the_terminal(project, cli):
    project.write("s.yaml", "suite: s\ncases: [{id: a, expect: {contains: [good]}}]\n")
    rows = [("v1", "bad \x1b[2J"), ("v2", "good")]
    project.write("o.jsonl", [{"case_id": "a", "variant": v, "output": text} for v, text in rows])
    cli("score", "s.yaml", "--outputs", "o.jsonl")

    assert "\x1b" not in cli("compare", "--diff")[1]


def test_json_holds_rows_definitions_notes_and_the_outcome(project, cli):
    project.checked({"v": "pp"}, run_id="r1")
    project.checked({"v": "ppp"}, run_id="r2")

    found = json.loads(cli("compare", "--json")[1])

    assert list(found) == ["comparisons", "definitions", "notes", "exit_code", "reasons"]
    assert found["definitions"]["cases"]["added"] == ["c2"]
    assert found["comparisons"][0]["p_value"] is None


def test_summary_is_markdown_for_a_pull_request(project, cli):
    project.checked({"v1": "p" * 8, "v2": "f" * 8})

    cli("compare", "latest", "--summary", "out/comment.md")

    text = (project.folder / "out/comment.md").read_text(encoding="utf-8")
    start = "<!-- judgekit:compare -->\n# v2 against v1\n\n**Regression.**\n\n- case pass rate: v2 against v1"
    assert text.startswith(start)
    assert "| v2 against v1 | case pass rate (primary) | 8 | 0 % | 100 % | -100 points |" in text
    assert '- c0: passed → failed, contains: "good" is missing' in text


def test_summary_says_why_there_is_no_comparison(project, cli):
    project.checked({"v1": "p"})

    code, _, err = cli("compare", "latest", "--summary", "comment.md")

    assert (code, "one variant only (v1)" in err) == (2, True)
    assert "one variant only (v1)" in (project.folder / "comment.md").read_text(encoding="utf-8")


def test_a_mismatch_that_was_allowed_is_said_in_every_output(project, cli):
    project.judged({"v": {"a": 1}}, run_id="r1", judge="one.jsonl")
    project.judged({"v": {"a": 2}}, run_id="r2", judge="two.jsonl")
    said = "replay:two.jsonl judged it, before it was replay:one.jsonl"

    assert cli("compare")[0] == 2
    _, out, _ = cli("compare", "--allow-mismatch", "--summary", "c.md")
    assert out.count(said) == 2  # in the sentence and in a note
    assert said in cli("compare", "--allow-mismatch", "--json")[1]
    assert said in (project.folder / "c.md").read_text(encoding="utf-8").replace("\\", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["latest", "--against", "v9"], 'there is no variant "v9"; there are v1, v2.'),
        (["latest", "--margin", "much"], "--margin much: a size such as 0.05 or 5% is wanted, or METRIC=SIZE."),
        (["latest", "--margin", "-1"], "margin: the loss that is accepted is a number of at least 0"),
        (["latest", "--margin", "0.1", "--margin", "q=1"], "--margin: name the metric of each size"),
        (["latest", "--primary", "nothing"], 'both sides need a metric "nothing"; there are contains, pass_rate.'),
        (["latest", "--cluster", "topic"], 'no case has a column "topic"; there are '),
        (["a", "b", "c"], "compare takes one run or two, not 3."),
        (["nowhere"], 'no run "nowhere"'),
    ],
)
def test_a_mistake_is_exit_2_and_said(project, cli, arguments, said):
    project.checked({"v1": "p", "v2": "f"})

    code, _, err = cli("compare", *arguments)

    assert (code, said in err) == (2, True), err


def test_a_project_without_a_run_is_told_what_to_do(cli):
    code, _, err = cli("compare")

    assert (code, "holds no run yet: `judgekit score` makes one" in err) == (2, True)


def test_nothing_compared_is_no_green_light(project, cli):
    project.judged({"v1": {"a": "?"}, "v2": {"a": 2}})

    code, _, err = cli("compare", "latest")

    assert (code, "nothing was compared:\nq: v2 against v1: not enough cases" in err) == (2, True)


@pytest.mark.parametrize("given", ["5", "pass_rate=1.5", "101%"])
def test_a_margin_that_is_more_than_all_cases_is_refused(project, cli, given):
    project.checked({"v1": "p" * 8, "v2": "f" * 8})

    code, _, err = cli("compare", "latest", "--margin", given)

    assert code == 2
    assert "is more than pass_rate can lose, whose scale is 0 to 1: for five points write 0.05, or 5%" in err
