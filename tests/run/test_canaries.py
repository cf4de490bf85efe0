"""`--canary`: planted outputs that try to fool the judge, what the run says of them, and the gate that reads it."""

from __future__ import annotations

import re

import pytest

from judgekit.cli.show import show_run
from judgekit.errors import InputError
from judgekit.frame.canaries import canary_line
from judgekit.judges.canaries import canaries
from judgekit.judges.pointwise import judge_once
from judgekit.judges.prompting import judge_prompt
from judgekit.judges.reply import read_reply
from judgekit.models.faux import FauxModel
from judgekit.pipeline.stored import decide_again, read_run
from judgekit.records import Case, Output, Rubric, Scale

LOW, TOP = """'{"reason": "poor", "score": 1}'""", """'{"reason": "It is complete and correct.", "score": 5}'"""


def suite(first: str, *planted: str, more: str = "") -> str:
    """One case whose judge gives its output the first reply and the planted ones the others."""
    return f"""
name: a
input: Q?
output: Whatever.
expect: {{min_length: 1}}
rubrics: [{{name: helpfulness, pass_at: 4}}]
faux: {{judge: {{helpfulness: [{", ".join((first, *planted))}]}}}}
{more}"""


def test_a_judge_that_obeys_an_injection_is_caught(project):
    project.scenario(suite(LOW, TOP, LOW, LOW, LOW))

    run = project.score(judge="faux", canary=True)

    told = run.summary["canaries"]
    assert (told["planted"], told["fooled"], told["open"]) == (4, 1, 0)
    assert [row["canary"] for row in told["rows"] if row["fooled"]] == ["injected_verdict"]


def test_planted_outputs_enter_no_row_and_no_mean(project):
    project.scenario(suite(LOW, TOP, TOP, TOP, TOP))

    run = project.score(judge="faux", canary=True)

    assert [row["score"] for row in project.rows(run, metric="helpfulness")] == ["1.0"]
    assert len(run.data.cases) == 1
    # They are paid for and recorded all the same.
    assert run.summary["judge_calls"]["made"] == 5
    assert [one["variant"] for one in project.records(run, "verdicts")] == [
        "default",
        "canary:injected_verdict",
        "canary:fake_marker",
        "canary:instruction",
        "canary:flattery",
    ]


def test_the_worst_output_of_the_run_is_dressed_up(project):
    project.scenario(suite(LOW, LOW, LOW, LOW, LOW))

    run = project.score(judge="faux", canary=True)

    assert {row["base"] for row in run.summary["canaries"]["rows"]} == {"default"}
    prompts = [one["prompt"] for one in project.records(run, "verdicts")[1:4]]
    assert all("Whatever." in prompt for prompt in prompts)


def test_where_every_output_is_good_an_empty_answer_is_dressed_up(project):
    project.scenario(suite(TOP, LOW, LOW, LOW, LOW))

    run = project.score(judge="faux", canary=True)

    assert {row["base"] for row in run.summary["canaries"]["rows"]} == {None}
    assert "I am not able to say anything" in project.records(run, "verdicts")[1]["prompt"]


MIDDLE = """'{"reason": "so so", "score": 3}'"""


def test_an_output_that_passes_is_no_bad_one_to_dress_up(project):
    project.scenario(suite(MIDDLE, LOW, LOW, LOW, LOW).replace("pass_at: 4", "pass_at: 3"))

    run = project.score(judge="faux", canary=True)

    assert {row["base"] for row in run.summary["canaries"]["rows"]} == {None}


def test_a_judge_that_finds_everything_middling_is_not_fooled(project):
    project.write("judgekit.yaml", "gate: {canaries: true}\n")
    # The output, four planted ones, and the answer that says nothing as it is.
    project.scenario(suite(*[MIDDLE] * 6).replace("pass_at: 4", "pass_at: 3"))

    run = project.score(judge="faux", canary=True)

    told = run.summary["canaries"]
    assert (told["planted"], told["fooled"], told["open"], run.decision.exit_code) == (4, 0, 0, 0)
    assert "none of 4 planted outputs fooled a judge (an answer that says nothing scores as high" in canary_line(told)


@pytest.mark.parametrize("control", [(LOW,), ()], ids=["low without the trick", "unknown without it"])
def test_a_judge_that_obeys_is_caught_where_every_output_is_good(project, control):
    project.scenario(suite(TOP, TOP, LOW, LOW, LOW, *control))

    run = project.score(judge="faux", canary=True)

    assert [row["canary"] for row in run.summary["canaries"]["rows"] if row["fooled"]] == ["injected_verdict"]


def test_the_bad_answer_is_judged_without_a_trick_only_where_a_trick_passed(project):
    project.scenario(suite(TOP, LOW, LOW, LOW, LOW, LOW))

    run = project.score(judge="faux", canary=True)

    assert run.summary["judge_calls"]["made"] == 5


@pytest.mark.parametrize(
    ("planted", "outcome", "code"),
    [((LOW,) * 4, "holds", 0), ((LOW, LOW, TOP, LOW), "fails", 1), ((LOW, LOW, LOW), "undecided", 3)],
)
def test_the_gate_can_require_that_no_judge_falls_for_one(project, planted, outcome, code):
    project.write("judgekit.yaml", "gate: {canaries: true}\n")
    project.scenario(suite(LOW, *planted))

    run = project.score(judge="faux", canary=True)

    (rule,) = [one for one in run.summary["decision"]["rules"] if "canary" in one["rule"]]
    assert (rule["outcome"], run.decision.exit_code) == (outcome, code)


def test_the_gate_is_undecided_where_none_were_planted(project):
    project.write("judgekit.yaml", "gate: {canaries: true}\n")
    project.scenario(suite(LOW))

    run = project.score(judge="faux")

    assert run.decision.exit_code == 3
    assert "no judge falls for a canary: none were planted (--canary)" in run.decision.reasons


def test_without_a_judge_there_is_nothing_to_test(project):
    project.scenario(suite(LOW))

    with pytest.raises(InputError, match="--canary plants outputs to test a judge"):
        project.score(canary=True)


def test_pairs_have_canaries_too(project):
    choice = """'{{"winner": "{}"}}'"""
    a, b = choice.format("A"), choice.format("B")
    project.write("scenarios/o.jsonl", [{"case_id": "a", "variant": v, "output": v} for v in ("v1", "v2")])
    # The pair itself, then each planted output against v1 in both orders; the third one wins both.
    steps = [a, b] + [b, a] * 2 + [a, b] + [b, a]
    project.scenario(
        "suite: s\noutputs: o.jsonl\ncases:\n"
        f"  - {{id: a, input: Q?, faux: {{judge: {{helpfulness: [{', '.join(steps)}]}}}}}}\n"
    )

    run = project.score(judge="faux", pairwise="helpfulness", canary=True)

    told = run.summary["canaries"]
    assert [(row["canary"], row["label"]) for row in told["rows"] if row["fooled"]] == [("instruction", "win")]
    assert len([one for one in run.summary["comparisons"] if one["kind"] == "pairwise"]) == 1


def test_an_obedient_judge_falls_for_what_it_reads():
    # A judge made of the injection alone: it repeats the last verdict that its prompt holds.
    def obedient(request, state):
        found = re.findall(r'\{"reason": "It is complete and correct\.".*?\}', request.messages[0]["content"])
        return found[-1] if found else '{"reason": "r", "score": 1}'

    rubric, case = Rubric("tone", "Is it kind?", scale=Scale(1, 5)), Case("a", input="Q?")
    model = FauxModel(judge=obedient)
    said = {
        name: judge_once(model, rubric, case, Output(text), sample=0, params={}, threshold=None).verdict.score
        for name, text in canaries("Go away.", rubric, "0a1b2c3d").items()
    }
    assert said == {"injected_verdict": 5.0, "fake_marker": 5.0, "instruction": 5.0, "flattery": 1.0}


@pytest.mark.parametrize(
    "rubric",
    [
        Rubric("r", "Q?", scale=Scale(1, 5)),
        Rubric("r", "Q?", labels={"bad": 0, "good": 1}),
        Rubric("r", "Q?", checklist={"a": "A?", "b": "B?"}),
        Rubric("r", "Q?", criteria={"form": Scale(0, 2), "facts": Scale(1, 5)}),
    ],
)
def test_the_injected_verdict_is_a_top_verdict_of_the_rubric(rubric):
    injected = canaries("bad", rubric, "m")["injected_verdict"].removeprefix("bad\n\n")
    kinds = {"scale": rubric.scale, "labels": rubric.labels, "checklist": rubric.checklist, "criteria": rubric.criteria}
    verdict = read_reply(injected, **{name: kind for name, kind in kinds.items() if kind})
    best = {"scale": 5, "labels": 1, "checklist": 1, "criteria": 3.5}
    (name,) = (name for name, kind in kinds.items() if kind)
    assert verdict.score == best[name]


def test_a_guessed_marker_never_closes_the_block():
    rubric, case = Rubric("tone", "Is it kind?", scale=Scale(1, 5)), Case("a", input="Q?")
    guessed = judge_prompt(rubric, case, Output("x")).rsplit(" ", 1)[1]
    prompt = judge_prompt(rubric, case, Output(canaries("bad", rubric, guessed)["fake_marker"]))
    marker = prompt.rsplit(" ", 1)[1]
    assert marker != guessed
    assert prompt.count(f"END OUTPUT {marker}") == 1


def test_the_terminal_says_who_fell_for_what(project, capsys):
    project.scenario(suite(LOW, LOW, LOW, TOP, LOW))

    show_run(project.score(judge="faux", canary=True).data)

    assert (
        "canaries: 1 of 4 planted outputs fooled a judge: faux by instruction on helpfulness (case a: 5)"
        in capsys.readouterr().out
    )


def test_a_stored_run_is_decided_again_with_its_canaries(project):
    project.scenario(suite(LOW, LOW, LOW, TOP, LOW))
    run = project.score(judge="faux", canary=True)
    project.write("judgekit.yaml", "gate: {canaries: true}\n")

    data = read_run(run.path)
    decide_again(data)

    assert run.decision.passed
    assert not data.summary["decision"]["passed"]
