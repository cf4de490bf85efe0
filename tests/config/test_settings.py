"""The settings of a project: where they stand, what they may say, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from judgekit.config import Project, load_project
from judgekit.errors import InputError

Made = Callable[[str], Project]
Told = Callable[[str], list[str]]


def test_every_setting_of_the_contract_is_read(settings: Made) -> None:
    found = settings(
        """
judge: [gpt-4o, claude-x]
judge-samples: 3
rubrics: [helpfulness, {name: source_coverage, pass-at: 0.8, required: true}]
model: gpt-4o
params: {temperature: 0.7}
variants: {v1: prompts/v1.j2, v2: {model: m, params: {top_p: 1}}}
against: v1
trials: {n: 3, require: any}
gate: {pass-rate: 90%}
baseline: base.json
agents: {scarlet: {rubric: source_coverage, threshold: 0.70, fixtures: scenarios}}
prices: {gpt-4o: {}}
redact: ["sk-[a-z]+"]
allow-code: true
out: runs
concurrency: 4
rpm: 60
max-cost: 1.5
cluster: topic
"""
    ).settings
    assert found.judge == ("gpt-4o", "claude-x")
    assert [use.name for use in found.rubrics] == ["helpfulness", "source_coverage"]
    assert (found.judge_samples, found.allow_code, found.max_cost, found.rpm) == (3, True, 1.5, 60)
    assert found.variants["v1"].prompt == "prompts/v1.j2"


def test_unset_settings_have_the_defaults_of_the_contract(settings: Made) -> None:
    found = settings("")
    assert (found.settings.out, found.settings.judge_samples, found.settings.allow_code) == ("reports", 1, False)
    assert found.settings.judge is None


def test_settings_may_stand_in_pyproject(folder: Path) -> None:
    (folder / "pyproject.toml").write_text('[tool.judgekit]\nallow-code = true\ngate = {pass-rate = "90%"}\n')
    found = load_project()
    assert found.file == "pyproject.toml"
    assert found.settings.allow_code is True


def test_a_pyproject_without_our_table_is_the_root_and_has_no_settings(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    found = load_project()
    assert (found.root, found.file) == (folder.resolve(), "")


def test_settings_in_both_files_are_refused_even_if_one_is_empty(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.judgekit]\n")
    (folder / "judgekit.yaml").write_text("")
    with pytest.raises(InputError, match="keep one of the two"):
        load_project()


def test_the_nearest_folder_above_is_the_project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "judgekit.yaml").write_text("out: up\n")
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    found = load_project()
    assert (found.root, found.settings.out) == (folder.resolve(), "up")


def test_without_any_file_the_working_folder_is_the_root(folder: Path) -> None:
    assert load_project(folder).root == folder.resolve()


def test_all_mistakes_come_at_once_with_their_lines(mistakes: Told) -> None:
    said = mistakes(
        "trials: 0\nconcurency: 3\nallow-code: yes\nmax_cost: -1\nrpm: 2.5\njudge_samples: true\nvariants: {v: {}}\n"
    )
    assert [one.split(": ")[0] for one in said] == [f"judgekit.yaml:{line}" for line in range(1, 7)]
    assert 'Did you mean "concurrency"?' in said[1]


def test_both_spellings_of_a_setting_are_a_duplicate(mistakes: Told) -> None:
    assert mistakes("allow-code: true\nout: x\nallow_code: false\n") == [
        'judgekit.yaml:3: "allow_code" is a duplicate key: hyphen and underscore are the same.'
    ]


@pytest.mark.parametrize("word", ["yes", "on", "1", "True", "~"])
def test_allow_code_takes_true_or_false_only(mistakes: Told, word: str) -> None:
    assert mistakes(f"allow_code: {word}")[0].startswith('judgekit.yaml:1: "allow_code" must be true or false')


@pytest.mark.parametrize("text", ["[1]", "text", "12"])
def test_settings_that_are_no_mapping_are_refused(mistakes: Told, text: str) -> None:
    assert mistakes(text) == ["judgekit.yaml: settings are keys and values."]


def test_two_documents_of_settings_are_refused(mistakes: Told) -> None:
    assert "one is wanted" in mistakes("out: a\n---\nout: b\n")[0]


def test_a_redaction_that_is_no_pattern_is_refused(mistakes: Told) -> None:
    assert "is not a regular expression" in mistakes('redact: ["("]')[0]


@pytest.mark.parametrize("text", ["[tool.judgekit", "[tool]\njudgekit = 3\n", "a = " + "[" * 5000, "a = " + "9" * 5000])
def test_a_broken_pyproject_is_named(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    with pytest.raises(InputError, match=r"^pyproject\.toml: "):
        load_project()


def test_a_pyproject_whose_tool_is_no_table_has_no_settings(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("tool = 3")
    assert load_project().file == ""


def test_a_pyproject_complaint_names_the_file(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.judgekit]\nfoo = 1\nagainst = 2024-01-01\n")
    with pytest.raises(InputError) as caught:
        load_project()
    assert 'pyproject.toml:2: unknown key "foo".' in str(caught.value)
    assert '"against" must be text, not a date' in str(caught.value)


def test_the_line_of_a_setting_is_found_in_either_spelling(settings: Made) -> None:
    found = settings("out: x\njudge-samples: 2\n")
    assert (found.line("judge_samples"), found.line("out"), found.line("model")) == (2, 1, None)


@pytest.mark.parametrize("start", ["", "[project]\nname = 'x'\n"])
def test_the_line_of_an_entry_in_pyproject_is_found(folder: Path, start: str) -> None:
    entry = 'rubric = "source_coverage"\nthreshold = 0.7\nfixtures = [\n  "a.yaml",\n]\nlabel = "L"\n'
    (folder / "pyproject.toml").write_text(f"{start}[tool.judgekit.agents.scarlet]\n{entry}")
    found = load_project()
    before = start.count("\n")
    lines = [found.place("agents", "scarlet", key) for key in ("rubric", "threshold", "fixtures", "label", "format")]
    assert lines == [before + 2, before + 3, before + 4, before + 7, None]
    assert found.place("agents", "scarlet") == before + 1


def test_what_only_looks_like_our_table_is_read_past(folder: Path) -> None:
    text = '[tool.other]\nsays = """\n[tool.judgekit]\nfoo = 2\n"""\n\n[tool.judgekit]\nout = "x"\nfoo = 1\n'
    (folder / "pyproject.toml").write_text(text)
    with pytest.raises(InputError, match=r"pyproject\.toml:9: unknown key"):
        load_project()


@pytest.mark.parametrize("threshold", ["1.1", "-0.1", "nan", "high"])
def test_a_threshold_outside_0_to_1_is_refused_with_its_line(mistakes: Told, threshold: str) -> None:
    [said] = mistakes(f"agents:\n  scarlet:\n    rubric: source_coverage\n    threshold: {threshold}\n")
    assert said.startswith('judgekit.yaml:4: "agents.scarlet.threshold" must')


def test_an_agent_that_stands_twice_is_refused_with_its_line(mistakes: Told) -> None:
    entry = "{rubric: source_coverage, threshold: 0.7, fixtures: a.yaml}"
    [said] = mistakes(f"agents:\n  scarlet: {entry}\n  scarlet: {entry}\n")
    assert said.startswith("judgekit.yaml:3: ")
    assert "scarlet" in said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{fixtures: a.yaml}", "needs rubric and threshold, or rubrics: {NAME: threshold}"),
        ("{rubric: source_coverage, fixtures: a.yaml}", "needs rubric and threshold"),
        ("{rubric: source_coverage, threshold: 0.7, rubrics: {source_coverage: 0.7}}", "has both rubric and rubrics"),
        ("{rubrics: {source_coverage: 0.7, filter_accuracy: 0.8}, label: L}", "has a label and several rubrics"),
        ("{rubric: source_coverage, threshold: 0.7, min-negative: 0}", "min_negative"),
        ("{rubric: source_coverage, threshold: 0.7, treshold: 1}", 'Did you mean "threshold"?'),
        ("~", "agents.scarlet"),
    ],
)
def test_an_agent_entry_that_makes_no_sense_is_refused_with_its_line(mistakes: Told, entry: str, said: str) -> None:
    [told] = mistakes(f"out: x\nagents:\n  scarlet: {entry}\n")
    assert told.startswith("judgekit.yaml:3: ")
    assert said in told
