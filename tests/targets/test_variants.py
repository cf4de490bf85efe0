"""Variants: where they are declared, what they set, and which one wins."""

from __future__ import annotations

from typing import Any

import pytest

Folder = Any

SUITE = """
suite: s
VARIANTS
cases:
  - id: a
    input: hi
    config-dir: agent
    expect: {contains: x}
    faux: [x, x, x, x]
"""


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("agent/system-prompt.txt", "Be brief.")
    folder.write("agent/prompts.json", '{"short": "One word.", "long": "Many words."}')
    folder.write("p.txt", "From a file.")
    return folder


def system_prompts(plan: Any) -> list[str]:
    from judgekit.targets.prompted import opening

    return [opening(job.case, job.target.variant)[0]["content"] for job in plan.jobs]


def test_prompts_of_the_agent_are_variants_by_name(project: Folder) -> None:
    plan = project.plan(SUITE.replace("VARIANTS", "variants: {short: {}, long: {}}"))
    assert system_prompts(plan) == ["One word.", "Many words."]


def test_a_flag_chooses_prompts_of_the_agent_or_files(project: Folder) -> None:
    plan = project.plan(SUITE.replace("VARIANTS", ""), variants={"a": "short", "b": "p.txt"})
    assert system_prompts(plan) == ["One word.", "Be brief.\n\nFrom a file."]


def test_a_variant_that_sets_nothing_is_a_mistake(project: Folder) -> None:
    (said,) = project.mistakes(SUITE.replace("VARIANTS", "variants: {shrot: {}, long: {}}"))
    assert said.startswith('scenarios/a.yaml:2: variant "shrot" sets nothing')
    assert 'Did you mean "short"?' in said


def test_a_prompt_that_is_nowhere_names_what_there_is(project: Folder) -> None:
    (said,) = project.mistakes(SUITE.replace("VARIANTS", "variants: {v1: shrot}"))
    assert said.startswith('scenarios/a.yaml:4: case "a": no prompt "shrot"')
    assert "prompts.json of the agent has short, long" in said


def test_a_variable_that_is_not_there_is_a_mistake_of_the_files(folder: Folder) -> None:
    folder.write("scenarios/p.j2", "Hello\n{{ custmer }}: {{ input }}")
    (said,) = folder.mistakes(
        "suite: s\nvariants: {v1: p.j2}\ncases:\n"
        + "".join(f"  - {{id: c{n}, vars: {{customer: x}}, faux: [x], expect: {{contains: x}}}}\n" for n in range(9))
    )
    assert said.startswith('scenarios/a.yaml:4: case "c0" and 8 more: scenarios/p.j2:2: undefined variable "custmer".')
    assert 'Did you mean "customer"?' in said


def test_a_prompt_file_that_is_missing_is_told_where_the_variant_names_it(folder: Folder) -> None:
    cases = "[{id: a, faux: [x], expect: {contains: x}}, {id: b, faux: [x], expect: {contains: x}}]"
    said = folder.mistakes(f"suite: s\nvariants:\n  v1: {{model: faux}}\n  v2: p.j2\ncases: {cases}\n")
    assert said == ['scenarios/a.yaml:4: variant "v2": scenarios/p.j2: no such prompt file.']


def test_a_variant_without_a_model_is_a_mistake(folder: Folder) -> None:
    (said,) = folder.mistakes(
        "suite: s\nvariants: {v1: {params: {top_p: 1}}}\ncases: [{id: a, expect: {contains: x}}]\n"
    )
    assert said.startswith('scenarios/a.yaml:2: variant "v1" has no model')


def test_two_suites_of_one_file_keep_their_own_variants(folder: Folder) -> None:
    suite = "suite: {name}\nvariants: {{v1: {{model: faux, params: {{k: {name}}}, prompt: {name}.txt}}}}\n"
    suite += "params: {{top: {name}}}\ncases: [{{id: {name}, faux: [x], expect: {{contains: x}}}}]\n"
    for name in ("one", "two"):
        folder.write(f"scenarios/{name}.txt", f"Prompt {name}.")
    plan = folder.plan("---\n".join(suite.format(name=name) for name in ("one", "two")))
    assert [job.target.variant.prompt for job in plan.jobs] == ["one.txt", "two.txt"]
    assert [job.target.asks["params_requested"]["k"] for job in plan.jobs] == ["one", "two"]
    assert [job.target.asks["params_requested"]["top"] for job in plan.jobs] == ["one", "two"]


def test_parameters_of_the_variant_win_over_suite_and_settings(folder: Folder) -> None:
    folder.write("judgekit.yaml", "params: {a: settings, b: settings, c: settings, temperature: 0.5}\n")
    plan = folder.plan(
        "suite: s\nparams: {a: suite, b: suite}\nvariants: {v1: {params: {a: variant}, model: faux}}\n"
        "cases: [{id: a, faux: [x], expect: {contains: x}}]\n",
        seed=4,
    )
    asked = plan.jobs[0].target.asks["params_requested"]
    assert asked == {"temperature": 0.5, "seed": 4, "a": "variant", "b": "suite", "c": "settings"}


def test_variants_of_flag_file_and_settings_in_that_order(folder: Folder) -> None:
    folder.write("judgekit.yaml", "variants: {of_settings: {model: faux}}\n")
    folder.write("p.txt", "x")
    text = "suite: s\nVARIANTS\ncases: [{id: a, faux: [x], expect: {contains: x}}]\n"
    of_file = text.replace("VARIANTS", "variants: {of_file: {model: faux}}")

    def names(plan: Any) -> list[str]:
        return [job.variant for job in plan.jobs]

    assert names(folder.plan(text.replace("VARIANTS", ""))) == ["of_settings"]
    assert names(folder.plan(of_file)) == ["of_file"]
    assert names(folder.plan(of_file, variants={"of_flag": "p.txt"})) == ["of_flag"]
