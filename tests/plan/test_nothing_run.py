"""A mistake of the user's ends everything before anything is run: exit 2, and no run folder."""

from __future__ import annotations

from typing import Any

import pytest

import judgekit as jk
from judgekit.errors import InputError

Folder = Any

GOOD = "id: a\noutput: x\nexpect: {contains: x}\n"


@pytest.fixture(autouse=True)
def nothing_is_left(folder: Folder) -> Any:
    yield
    assert not (folder.path / "runs").exists()
    assert not (folder.path / "reports").exists()


def refused(folder: Folder, text: str | None = GOOD, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        folder.score(text, **options)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id: a\nexpct: 1\n", 'unknown key "expct"'),
        ("a: [\n", "not valid YAML"),
        ("", "no scenarios"),
        ("id: a\noutput: x\n", "has no checks"),
        (GOOD + "rubrics: [helpfullness]\n", 'Did you mean "helpfulness"?'),
        (GOOD + "rubrics: [{name: tone, pass_at: 9}]\n", "outside its scale"),
        (GOOD + "rubrics: [{name: source_coverage, foo: 1}]\n", "unknown key"),
        (GOOD + "config-dir: nothing\n", "no such config-dir"),
        ("suite: s\njudge: replay:nothing.jsonl\ncases: [{id: a, output: x, rubrics: [tone]}]\n", "nothing.jsonl"),
        ("suite: s\noutputs: nothing.csv\ncases: [{id: a, rubrics: [tone]}]\n", "no such outputs file"),
    ],
)
def test_in_a_scenario_file(folder: Folder, text: str, said: str) -> None:
    assert said in refused(folder, text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("foo: 1", 'unknown key "foo"'),
        (
            "gate: {metrics: {contians: {mean: 1}}}",
            'judgekit.yaml:1: gate: no case has the metric "contians". Did you mean "contains"?',
        ),
        ("gate: {variants: [v9]}", 'gate: there is no variant "v9"'),
        (
            "out: x\ngate: {metrics: {contains: {corrected_pass_rate: 0.9}}}",
            'judgekit.yaml:2: gate: "contains" has no judge whose mistakes could be corrected; write pass_rate.',
        ),
        ("baseline: x.json", "judgekit.yaml:1: baseline: x.json: no such baseline file"),
        ("rubrics: [helpfullness]", 'judgekit.yaml:1: unknown rubric "helpfullness"'),
        ("trials: 0", "at least 1"),
    ],
)
def test_in_the_settings(folder: Folder, text: str, said: str) -> None:
    folder.write("judgekit.yaml", text)
    assert said in refused(folder)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"paths": "nothing.yaml"}, "nothing.yaml: no such file or folder"),
        ({"outputs": "nothing.csv"}, "nothing.csv: no such outputs file"),
        ({"rubrics": ["helpfullness"]}, 'unknown rubric "helpfullness"'),
        ({"judge": "faux"}, "--judge has nothing to judge"),
        ({"judge": ["faux", "faux"], "rubrics": ["tone"]}, "is named twice"),
        ({"select": "nothing"}, "nothing to run: no case fits"),
        ({"tags": ["nothing"]}, "nothing to run: no case fits"),
        ({"select": "(a"}, "a parenthesis is not closed"),
        ({"trials": 0}, "trials must be at least 1"),
        ({"trials": -1}, "trials must be at least 1"),
        ({"judge_samples": 0}, "judge_samples must be at least 1"),
        ({"concurrency": 0}, "concurrency must be at least 1"),
        ({"fail_under": 80}, "between 0 and 1"),
        ({"fail_under": "high"}, "must be a number"),
        ({"against": "v9"}, "there is no variant"),
        ({"map": {"input": "q"}}, "--map renames columns"),
        ({"run_id": "a/b"}, "can't be a run id"),
    ],
)
def test_in_the_arguments(folder: Folder, options: dict[str, Any], said: str) -> None:
    assert said in refused(folder, **options)


def test_without_any_scenarios(folder: Folder) -> None:
    assert "no scenarios: there is no folder `scenarios/` here" in refused(folder, None)


def test_outputs_alone_with_nothing_to_score_them_by(folder: Folder) -> None:
    folder.write("o.csv", "id,input,output\na,q,x\n")
    assert "nothing to score: no check and no rubric" in refused(folder, None, outputs="o.csv")


def test_planning_alone_leaves_nothing_either(folder: Folder) -> None:
    folder.plan(GOOD)
    assert sorted(path.name for path in folder.path.iterdir()) == ["judgekit.yaml", "scenarios"]


def test_a_prompt_variable_that_is_not_there(folder: Folder) -> None:
    folder.write("p.j2", "{{ custmer }}")
    said = refused(folder, "id: a\nfaux: [x]\nvars: {customer: y}\nexpect: {contains: x}\n", variants={"v1": "p.j2"})
    assert 'p.j2:1: undefined variable "custmer". Did you mean "customer"?' in said


def test_the_public_error_is_the_one_that_is_raised() -> None:
    assert issubclass(InputError, jk.JudgekitError)
