"""A flag wins over the scenario file, which wins over the settings."""

from __future__ import annotations

import json
from typing import Any

import pytest

Folder = Any

SUITE = "suite: s\nMORE\ncases: [{id: a, input: q, output: x, rubrics: [tone], expect: {contains: x}}]\n"


def recording(folder: Folder, name: str) -> str:
    reply = json.dumps({"score": 4, "reason": name})
    folder.rows(name, [{"case_id": "a", "rubric": "tone", "reply": reply}])
    return f"replay:{name.rpartition('/')[2]}"


def test_the_judge(folder: Folder) -> None:
    folder.write("judgekit.yaml", f"judge: {recording(folder, 'settings.jsonl')}\n")
    of_file = SUITE.replace("MORE", f"judge: {recording(folder, 'scenarios/file.jsonl')}")
    flag = recording(folder, "flag.jsonl")
    assert folder.plan(SUITE.replace("MORE", "")).judges["s"] == ("replay:settings.jsonl",)
    assert folder.plan(of_file).judges["s"] == ("replay:scenarios/file.jsonl",)
    assert folder.plan(of_file, judge=(flag,)).judges["s"] == (flag,)


def test_a_recording_named_in_the_settings_lies_at_the_project_root(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("judgekit.yaml", f"judge: {recording(folder, 'said.jsonl')}\n")
    folder.write("deep/scenarios/a.yaml", SUITE.replace("MORE", ""))
    monkeypatch.chdir(folder.path / "deep")
    run = folder.score()
    assert list(run.results[run.results.metric == "tone"]["score"]) == [4]


def test_a_rubric_file_named_in_the_settings_lies_beside_them(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("strict.yaml", "name: strict\nquestion: Strict?\nlabels: {A: 1, B: 0}\n")
    folder.write("judgekit.yaml", "rubrics: [./strict.yaml]\n")
    folder.write("deep/scenarios/a.yaml", SUITE.replace("MORE", ""))
    monkeypatch.chdir(folder.path / "deep")
    assert [one.name for one in folder.plan().rubrics["a"]] == ["tone", "strict"]


def asked(plan: Any) -> Any:
    return plan.jobs[0].target.asks["model"]


def test_the_model(folder: Folder) -> None:
    for name in ("settings", "file", "variant", "flag"):
        folder.rows(f"{name}.jsonl", [{"case_id": "a", "rubric": "tone", "reply": "x"}])
    text = "suite: s\nMORE\ncases: [{id: a, input: q, faux: [x], expect: {contains: x}}]\n"
    of_file = text.replace("MORE", "model: replay:file.jsonl")
    of_variant = text.replace("MORE", "model: replay:file.jsonl\nvariants: {v: {model: replay:variant.jsonl}}")
    assert asked(folder.plan(text.replace("MORE", ""))) == "faux"
    folder.write("judgekit.yaml", "model: replay:settings.jsonl\n")
    assert asked(folder.plan(text.replace("MORE", ""))) == "replay:settings.jsonl"
    assert asked(folder.plan(of_file)) == "replay:file.jsonl"
    assert asked(folder.plan(of_variant)) == "replay:variant.jsonl"
    assert asked(folder.plan(of_variant, model="replay:flag.jsonl")) == "replay:flag.jsonl"


def test_the_reference_variant(folder: Folder) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "variant": f"v{n}", "output": "x"} for n in range(1, 5)])
    options: dict[str, Any] = {"outputs": ((None, path),)}
    plain, of_file = SUITE.replace("MORE", ""), SUITE.replace("MORE", "against: v3")
    assert folder.plan(plain, **options).references == {"s": "v1"}
    folder.write("judgekit.yaml", "against: v2\n")
    assert folder.plan(plain, **options).references == {"s": "v2"}
    assert folder.plan(of_file, **options).references == {"s": "v3"}
    plan = folder.plan(of_file, **options, against="v4")
    assert plan.references == {"s": "v4"}
    assert plan.gated == {"s": ("v1", "v2", "v3")}


@pytest.mark.parametrize(
    ("settings", "suite", "flag", "said"),
    [
        ("against: v9", "", None, "judgekit.yaml:1: there is no variant"),
        ("", "against: v9", None, "scenarios/a.yaml:2: there is no variant"),
        ("", "", "v9", "--against: there is no variant"),
    ],
)
def test_a_reference_that_is_no_variant_is_refused(
    folder: Folder, settings: str, suite: str, flag: str | None, said: str
) -> None:
    path = folder.rows("o.jsonl", [{"id": "a", "variant": f"v{n}", "output": "x"} for n in (1, 2)])
    folder.write("judgekit.yaml", settings)
    (message,) = folder.mistakes(SUITE.replace("MORE", suite), outputs=((None, path),), against=flag)
    assert message.startswith(said)


def test_a_reference_of_the_settings_may_be_meant_for_other_runs(folder: Folder) -> None:
    folder.write("judgekit.yaml", "against: v9\n")
    assert folder.plan(SUITE.replace("MORE", "")).references == {}


@pytest.mark.parametrize(
    ("settings", "case", "flag", "n", "require"),
    [
        ("", "", None, 1, None),
        ("trials: 3", "", None, 3, None),
        ("trials: 3", "trials: {n: 4, require: any}", None, 4, 1),
        ("trials: 3", "trials: {n: 4, require: 2}", 5, 5, 2),
        ("trials: 3", "trials: {n: 4, require: 3}", 2, 2, None),
        ("trials: {n: 3, require: any}", "", 2, 2, 1),
    ],
)
def test_trials(folder: Folder, settings: str, case: str, flag: int | None, n: int, require: int | None) -> None:
    folder.write("judgekit.yaml", settings)
    plan = folder.plan(f"id: a\nfaux: [{', '.join('x' * 9)}]\nexpect: {{contains: x}}\n{case}\n", trials=flag)
    assert len(plan.jobs) == n
    assert (plan.trials["a"].n, plan.trials["a"].require) == (n, require)


def test_rubrics_are_joined_and_the_nearest_wins(folder: Folder) -> None:
    folder.write("judgekit.yaml", "rubrics: [{name: tone, pass_at: 2}, {name: helpfulness, pass_at: 2}]\n")
    plan = folder.plan(
        SUITE.replace("MORE", "defaults: {rubrics: [{name: helpfulness, pass_at: 3}]}").replace(
            "rubrics: [tone]", "rubrics: [{name: tone, pass_at: 4}]"
        ),
        rubrics=("tone", "helpfulness", "relevance"),
    )
    assert [(one.name, one.threshold) for one in plan.rubrics["a"]] == [
        ("helpfulness", 3),
        ("tone", 4),
        ("relevance", None),
    ]


def test_one_rubric_by_name_and_by_file_is_one_rubric(folder: Folder) -> None:
    folder.write("rubrics/strict.yaml", "name: strict\nquestion: Strict?\nlabels: {A: 1, B: 0}\n")
    plan = folder.plan(
        SUITE.replace("MORE", "").replace("[tone]", "[{name: strict, pass_at: 1}]"), rubrics=("rubrics/strict.yaml",)
    )
    assert [(one.name, one.threshold) for one in plan.rubrics["a"]] == [("strict", 1)]


def test_a_rubric_of_the_project_wins_over_a_built_in_one(folder: Folder) -> None:
    folder.write("rubrics/tone.yaml", "name: tone\nquestion: Mine?\nlabels: {A: 1, B: 0}\n")
    (rubric,) = folder.plan(SUITE.replace("MORE", "")).rubrics["a"]
    assert rubric.rubric.question == "Mine?"
