"""What a run says of the run before: which cases flipped, and what is no flip."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from judgekit.errors import InputError

CASE = "name: a\ninput: {input}\noutput: {output}\nexpect: {{contains: [{word}]}}\n"
SUITE = """
suite: s
defaults: {{output: o, expect: {{contains: [o]}}}}
cases: [{{id: x}}, {{id: {second}}}]
"""


@pytest.fixture
def scored(project):
    def run(**how: Any) -> dict[str, Any] | None:
        return project.score(**how).summary["since"]

    return run


@pytest.fixture
def case(project):
    def written(output: str = "Revenue rose.", word: str = "revenue", text: str = "Q?", name: str = "a") -> None:
        project.scenario(CASE.format(input=text, output=output, word=word).replace("name: a", f"name: {name}"), name)

    return written


def test_the_first_run_has_nothing_to_look_back_at(case, scored):
    case()

    assert scored() is None


def test_a_second_run_of_the_same_is_identical(case, scored):
    case()
    scored()

    assert scored()["sentence"] == "vs latest~1: 0 newly failing, 0 fixed, 0 outputs changed, 1 identical"


def test_a_case_that_fails_now_is_a_flip_with_its_reason(case, scored):
    case()
    scored()
    case("Costs rose.")

    found = scored()

    assert found["sentence"] == "vs latest~1: 1 newly failing, 0 fixed, 1 outputs changed, 0 identical"
    assert found["flips"] == [
        {"kind": "newly failing", "case_id": "a", "variant": "default", "reason": 'contains: "revenue" is missing'}
    ]


def test_a_case_that_is_fixed_says_what_was_wrong(case, scored):
    case("Costs rose.")
    scored()
    case()

    (flip,) = scored()["flips"]

    assert (flip["kind"], flip["reason"]) == ("fixed", 'contains: "revenue" is missing')


@pytest.mark.parametrize(("change", "what"), [({"word": "profit"}, ["contains"]), ({"text": "Which?"}, ["input"])])
def test_a_case_that_asks_something_else_is_no_flip(case, scored, change, what):
    case()
    case(name="b")
    scored()
    case(**change)

    found = scored()

    assert (found["newly_failing"], found["compared"], found["changed"]) == (0, 1, 1)
    assert found["definitions_changed"] == [{"case_id": "a", "variant": "default", "what": what}]
    assert found["sentence"].endswith(", 1 not compared, as their definition changed")


def test_a_judge_that_decides_and_is_another_makes_no_flip(project, scored):
    text = """
name: a
input: Q?
output: O
rubrics: [{{name: helpfulness, pass_at: 4, required: true}}]
faux: {{judge: {{helpfulness: ['{{"score": {score}, "reason": "r"}}']}}}}
"""
    project.scenario(text.format(score=5))
    scored(judge="faux")
    project.scenario(text.format(score=1))

    found = scored(judge="faux", seed=7)

    assert found["definitions_changed"][0]["what"] == ["judge of helpfulness"]


def test_a_check_that_only_informs_changes_no_definition(project, scored):
    text = "name: a\ninput: Q?\noutput: O\nexpect: {contains: [o], max_length: {value: %d, required: false}}\n"
    project.scenario(text % 5)
    scored()
    project.scenario(text % 6)

    assert scored()["changed"] == 0


def test_new_and_gone_cases_are_counted(case, scored, project):
    case()
    project.scenario(SUITE.format(second="y"), "t")
    scored()
    project.scenario(SUITE.format(second="z"), "t")

    found = scored()

    assert (found["new"], found["gone"]) == (1, 1)
    assert found["sentence"].endswith("2 identical, 1 new, 1 gone")


def test_a_selection_of_cases_leaves_none_gone(case, scored):
    case()
    case(name="b")
    scored()

    assert scored(select="b")["gone"] == 0


def test_the_run_with_most_of_the_cases_is_looked_back_at(case, scored):
    case()
    case(name="b")
    scored()
    scored(select="b")

    assert scored()["run"] == "latest~2"


def test_a_run_of_another_suite_is_passed_over(case, scored, project):
    case()
    scored()
    project.write("other/t.yaml", "name: t\ninput: T?\noutput: o\nexpect: {contains: [o]}\n")
    project.score("other")

    found = scored()

    assert (found["run"], found["identical"]) == ("latest~2", 1)


def test_a_damaged_earlier_run_spoils_nothing(case, project, scored):
    case()
    first = project.score()
    (first.path / "cases.csv").write_text("damaged", encoding="utf-8")

    assert scored() is None


def test_editing_a_prompt_and_running_again_shows_the_flips(project, scored):
    prompt = project.write("prompts/v1.j2", "Answer with the revenue. {{ input }}")
    project.scenario(
        """
suite: s
variants: {v1: {prompt: ../prompts/v1.j2}}
cases:
  - id: a
    input: Q?
    expect: {contains: [revenue]}
    faux: [{match: "the revenue", reply: "Revenue rose."}, {match: "in short", reply: "It rose."}]
"""
    )
    scored()
    prompt.write_text("Answer in short. {{ input }}", encoding="utf-8")

    found = scored()

    assert found["sentence"] == (
        "vs latest~1: 1 newly failing, 0 fixed, 1 outputs changed, 0 identical; prompt changed: v1"
    )


def test_files_of_an_agent_are_a_prompt_and_no_definition(tmp_path, monkeypatch, scored):
    shipped = Path(__file__).parents[2] / "scenarios"
    shutil.copytree(shipped / "testdata", tmp_path / "scenarios/testdata")
    shutil.copy(shipped / "executive-summary.yaml", tmp_path / "scenarios")
    scored()
    prompt = tmp_path / "scenarios/testdata/executive-assistant/system-prompt.txt"
    prompt.write_text(prompt.read_text(encoding="utf-8") + "Be kind.\n", encoding="utf-8")

    found = scored()

    assert (found["compared"], found["prompts_changed"]) == (1, ["agent files"])


# ------------------------------------------------------------------------------------------------------------- --only


@pytest.fixture
def ids(project):
    def run(**how: Any) -> list[str]:
        return [row.case_id for row in project.score(**how).data.cases]

    return run


def test_only_failed_runs_what_failed(case, ids):
    case()
    case("Costs rose.", name="b")
    ids()

    assert ids(only="failed") == ["b"]


def test_only_error_runs_what_has_no_result_required_or_not(project, ids):
    reply = '\'{"score": 5, "reason": "r"}\''
    project.scenario(
        f"""
suite: s
defaults: {{input: Q?, expect: {{contains: [o]}}, rubrics: [helpfulness]}}
cases:
  - {{id: whole, output: o, faux: {{judge: {{helpfulness: [{reply}, {reply}]}}}}}}
  - {{id: unread, output: o, faux: {{judge: {{helpfulness: [what, what]}}}}}}
  - {{id: lost, faux: [{{error: refusal}}]}}
"""
    )
    ids(judge="faux")

    assert ids(judge="faux", only="error") == ["unread", "lost"]


def test_only_changed_runs_what_asks_or_answers_otherwise_and_what_is_new(case, ids):
    for name in "abc":
        case(name=name)
    ids()
    case("Revenue fell.", name="a")
    case(word="rose", name="b")
    case(name="d")

    assert ids(only="changed") == ["a", "b", "d"]


def test_only_changed_runs_every_case_of_an_edited_prompt(project, ids):
    prompt = project.write("prompts/v1.j2", "Say it. {{ input }}")
    project.scenario(
        "suite: s\nvariants: {v1: {prompt: ../prompts/v1.j2}}\n"
        "defaults: {input: Q, expect: {contains: [o]}, faux: [o]}\ncases: [{id: a}, {id: b}]\n"
    )
    project.scenario(CASE.format(input="Q", output="o", word="o").replace("name: a", "name: c"), "t")
    ids()
    prompt.write_text("Say it well. {{ input }}", encoding="utf-8")

    assert ids(only="changed") == ["a", "b"]


def test_a_rerun_of_a_selection_never_moves_latest(case, project, ids):
    case("Costs rose.")
    first = project.score()
    ids(only="failed")

    assert (first.path.parent / "latest").read_text(encoding="utf-8").strip() == first.path.name


def test_a_rerun_of_a_selection_is_none_of_the_latest_runs(case, scored, project):
    case("Costs rose.")
    first = project.score()
    project.score(only="failed")

    found = scored()

    assert (found["run"], found["run_id"]) == ("latest~1", first.path.name)


def test_a_rerun_of_a_selection_is_compared_with_the_run_it_was_selected_by(case, scored):
    case("Costs rose.")
    case(name="b")
    scored()
    case()

    found = scored(only="failed")

    assert (found["run"], found["fixed"], found["gone"]) == ("latest", 1, 0)


def test_a_rerun_of_errors_lists_what_fails_now(project, scored):
    text = "suite: s\ndefaults: {{input: Q, expect: {{contains: [o]}}}}\n"
    text += "cases: [{{id: a, faux: [{a}]}}, {{id: b, faux: [{b}]}}]\n"
    project.scenario(text.format(a="{error: timeout}", b="{error: timeout}"))
    scored()
    project.scenario(text.format(a="bad", b="good"))

    found = scored(only="error")

    assert "2 with a result again (1 failing)" in found["sentence"]
    assert found["flips"] == [
        {"kind": "failing", "case_id": "a", "variant": "default", "reason": 'contains: "o" is missing'}
    ]


def test_a_named_run_selects(case, project, ids):
    case("Costs rose.")
    project.score()
    case()
    project.score()

    assert ids(only="failed:latest~1") == ["a"]


@pytest.mark.parametrize(
    ("only", "said"),
    [
        ("failed", "nothing to run: no case of these failed in "),
        ("error", "nothing to run: every result of these cases is there in "),
        ("changed", "nothing to run: nothing of these cases changed since "),
        ("faild", 'Did you mean "failed"?'),
        ("failed:", "write failed, error or changed"),
        ("failed:nowhere", 'no run "nowhere"'),
        ("", "write failed, error or changed"),
    ],
)
def test_a_selection_that_is_none_ends_before_anything_is_run(case, project, only, said):
    case()
    first = project.score()

    with pytest.raises(InputError, match=re.escape(said)):
        project.score(only=only)

    assert [path.name for path in first.path.parent.glob("*/")] == [first.path.name]


def test_without_an_earlier_run_there_is_nothing_to_select_by(case, project):
    case()

    with pytest.raises(InputError, match="holds no run yet"):
        project.score(only="failed")
