"""Rubric files: what they may hold, where they are found, and what is said about mistakes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.records import RubricUse, Scale
from judgekit.rubrics import files
from judgekit.rubrics.files import builtin_rubrics, find_rubric, load_rubric, project_rubrics, resolve
from judgekit.rubrics.filtering import FilterAccuracy
from judgekit.rubrics.sections import ReviewCompleteness

HEAD = "name: clarity\nquestion: Is it clear?\n"
SCALE = "scale: {min: 1, max: 5}\n"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A function that writes a file of the project, the working folder, and gives its path."""
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "rubrics/clarity.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def complaints(path: Path) -> list[str]:
    with pytest.raises(InputError) as problem:
        load_rubric(path)
    return str(problem.value).split("\n")


# ------------------------------------------------------------------------------------------------------ what is read


def test_a_scale_with_anchors(written):
    path = written(
        HEAD + "scale:\n  min: 1\n  max: 5\n  anchors: {5: Clear at once., 1: Not to be understood.}\n"
        "pass_at: 4\nneeds: [context, input]\nrequired: true\n"
    )
    rubric = load_rubric(path)
    assert rubric.scale == Scale(1, 5, {1: "Not to be understood.", 5: "Clear at once."})
    assert list(rubric.scale.anchors) == [1, 5]
    assert (rubric.pass_at, rubric.needs, rubric.required) == (4, ("input", "output", "context"), True)
    assert (rubric.template, rubric.template_name, rubric.file) == ("", "", "rubrics/clarity.yaml")


def test_labels_keep_their_words(written):
    rubric = load_rubric(written(HEAD + "labels: {yes: 1, no: 0, 'true': 0.5}\npass-at: 0.70\n"))
    assert rubric.labels == {"yes": 1, "no": 0, "true": 0.5}
    assert rubric.pass_at == Fraction(7, 10)


def test_a_checklist_names_its_items(written):
    assert load_rubric(written(HEAD + "checklist: [Is it short?, Is it plain?]\n")).checklist == {
        "q1": "Is it short?",
        "q2": "Is it plain?",
    }


def test_a_checklist_may_name_its_items_itself(written):
    assert load_rubric(written(HEAD + "checklist: {short: Is it short?}\n")).checklist == {"short": "Is it short?"}


def test_criteria_have_a_scale_each(written):
    rubric = load_rubric(written(HEAD + "criteria: {form: {min: 0, max: 1}, style: {min: 1, max: 3}}\n"))
    assert rubric.criteria == {"form": Scale(0, 1), "style": Scale(1, 3)}
    assert rubric.bounds == (0, 3)


def test_needs_default_to_input_and_output(written):
    assert load_rubric(written(HEAD + SCALE)).needs == ("input", "output")


def test_output_is_always_needed(written):
    assert load_rubric(written(HEAD + SCALE + "needs: []\n")).needs == ("output",)


def test_a_template_beside_the_file_is_read(written):
    written("{# own #}Rate {{ output }}.", "rubrics/own.j2")
    rubric = load_rubric(written(HEAD + SCALE + "template: own.j2\n"))
    assert (rubric.template, rubric.template_name) == ("{# own #}Rate {{ output }}.", "own.j2")


def test_a_built_in_template_is_named_only(written):
    rubric = load_rubric(written(HEAD + SCALE + "template: pointwise.j2\n"))
    assert (rubric.template, rubric.template_name) == ("", "pointwise.j2")


# ---------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("rest", "line", "said"),
    [
        ("", 1, "has no scale; give exactly one of scale, labels, checklist, criteria, pairwise."),
        (SCALE + "labels: {a: 1, b: 0}\n", 4, "has scale and labels; give exactly one of"),
        ("scale: {min: 5, max: 5}\n", 3, '"min" (5) must be below "max" (5).'),
        ("scale: {min: 5, max: 1}\n", 3, '"min" (5) must be below "max" (1).'),
        ("scale: {min: 1}\n", 3, '"scale.max" is missing.'),
        ("scale: {min: 1, max: .inf}\n", 3, "must be a number"),
        ("scale: {min: nan, max: 5}\n", 3, "must be a number"),
        ("scale: {min: 1, max: 1e999999999}\n", 3, "must be a number"),
        ("scale: {min: 1, max: 5, step: 1}\n", 3, 'unknown key "step".'),
        ("scale:\n  min: 1\n  max: 5\n  anchors:\n    6: x\n", 7, "the anchor 6 is outside the scale from 1 to 5."),
        ("scale:\n  min: 1\n  max: 5\n  anchors:\n    1: x\n    1.0: y\n", 8, "the anchor 1.0 is given twice."),
        ("scale:\n  min: 1\n  max: 5\n  anchors: {good: x}\n", 6, 'must be a number, not "good"'),
        ("scale: {min: 1, max: 5, anchors: {1: ''}}\n", 3, "is empty"),
        ("labels:\n  Good: 1\n  good: 0\n", 5, 'the labels "Good" and "good" differ only in case.'),
        ("labels: {good: 1, bad: 1}\n", 3, "all labels have the same score"),
        ("labels: {good: 1, bad: low}\n", 3, "must be a number"),
        ("labels: []\n", 3, "must be a mapping that holds something"),
        ("checklist: []\n", 3, "must be a list of yes/no questions"),
        ("checklist: [' ']\n", 3, "is empty"),
        ("criteria: {a.b: {min: 0, max: 1}}\n", 3, 'must be made of letters, digits, "_" and "-"'),
        ("criteria: {a: {min: 1, max: 0}}\n", 3, '"min" (1) must be below "max" (0).'),
        (SCALE + "pass_at: 6\n", 4, '"pass_at" is 6, outside the scale from 1 to 5.'),
        ("labels: {a: 0, b: 1}\npass_at: 2\n", 4, '"pass_at" is 2, outside the scale from 0 to 1.'),
        ("checklist: [Is it short?]\npass_at: 4\n", 4, '"pass_at" is 4, outside the scale from 0 to 1.'),
        (SCALE + "pass_at: high\n", 4, 'must be a number, not "high"'),
        (SCALE + "needs: [input, referense]\n", 4, 'Did you mean "reference"?'),
        (SCALE + "required: yes\n", 4, '"required"'),
        (SCALE + "template: none.j2\n", 4, 'no template "none.j2": neither rubrics/none.j2 nor built in.'),
        (SCALE + "template: pointwize.j2\n", 4, 'Did you mean "pointwise.j2"?'),
        (SCALE + "answer_first: true\nneeds: [output]\n", 5, 'leaves out "input"'),
        (SCALE + "weighted: perhaps\n", 4, '"weighted"'),
        ("scale: {min: 0.5, max: 2}\nweighted: true\n", 4, "the ends of a weighted scale are whole numbers"),
        ("scale: {min: 0, max: 100}\nweighted: true\n", 4, "a weighted scale has at most 21 points"),
        ("checklist: [Is it?]\nweighted: true\n", 4, "a checklist has several verdicts in one reply"),
        (SCALE + "pass-at: 4\npass_at: 4\n", None, "duplicate key"),
    ],
)
def test_a_mistake_is_told_with_its_line(written, rest, line, said):
    path = written(HEAD + rest)
    place = "rubrics/clarity.yaml:" if line is None else f"rubrics/clarity.yaml:{line}: "
    assert any(one.startswith(place) and said in one for one in complaints(path)), complaints(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a rubric file holds one mapping"),
        ("- a\n", "a rubric file holds one mapping"),
        (HEAD + SCALE + "---\n" + HEAD + SCALE, "a rubric file holds one mapping"),
        ("name: clarity\nname: tone\n", 'duplicate key "name"'),
        ("question: x\n" + SCALE, '"name" is missing.'),
        ("name: clarity\n" + SCALE, '"question" is missing.'),
        ("name: a.b\nquestion: x\n" + SCALE, "must be made of letters"),
        ("name: source_coverage\nquestion: x\n" + SCALE, "is the name of a deterministic rubric"),
    ],
)
def test_a_file_that_is_no_rubric(written, text, said):
    assert said in "\n".join(complaints(written(text)))


def test_all_mistakes_of_a_file_come_in_one_message(written):
    path = written("name: a b\nscale: {min: 3, max: 1}\nneeds: [nothing]\nweigthed: true\nlabels: {A: 1, a: 1}\n")
    found = complaints(path)
    assert [one.split(": ")[0].removeprefix("rubrics/clarity.yaml:") for one in found] == list("11234555")


# ----------------------------------------------------------------------------------------------------------- finding


def test_the_project_comes_before_what_is_built_in(written):
    written("name: tone\nquestion: Own?\n" + SCALE, "rubrics/tone.yml")
    assert find_rubric("tone", root=Path()).question == "Own?"
    assert project_rubrics(Path()) == ["tone"]


def test_a_name_is_found_built_in_from_any_folder(written):
    assert find_rubric("faithfulness", root=Path()).needs == ("input", "output", "context")


def test_a_path_is_relative_to_the_folder_or_the_working_folder(written):
    written(HEAD + SCALE, "suites/own/clarity.yaml")
    assert find_rubric("own/clarity.yaml", root=Path(), folder=Path("suites")).name == "clarity"
    assert find_rubric("suites/own/clarity.yaml", root=Path()).name == "clarity"


@pytest.mark.parametrize(("name", "close"), [("helpfullness", "helpfulness"), ("source-coverage", "source_coverage")])
def test_an_unknown_name_gets_the_closest_of_both_kinds(name, close):
    with pytest.raises(InputError) as problem:
        find_rubric(name, root=Path("no-project"))
    # 8 judged ones and 4 deterministic ones.
    assert str(problem.value) == (
        f'unknown rubric "{name}". Did you mean "{close}"? `judgekit list rubrics` shows all 12.'
    )


def test_a_file_must_be_named_as_it_is_found(written):
    written(HEAD + SCALE, "rubrics/other.yaml")
    with pytest.raises(InputError, match='is found as "other" and names itself "clarity"'):
        find_rubric("other", root=Path())


def test_two_spellings_of_the_suffix_are_one_too_many(written):
    written(HEAD + SCALE, "rubrics/clarity.yml")
    written(HEAD + SCALE, "rubrics/clarity.yaml")
    with pytest.raises(InputError, match=r"clarity\.yml stands beside it"):
        find_rubric("clarity", root=Path())


def test_an_installed_package_brings_its_rubrics_along(written, tmp_path, monkeypatch):
    written(HEAD + SCALE, "site/judgekit/builtin_rubrics/clarity.yaml")
    monkeypatch.setattr(files, "_PACKAGE", tmp_path / "site/judgekit")
    assert builtin_rubrics() == ["clarity"]


# --------------------------------------------------------------------------------------------------------- resolving


def test_a_deterministic_rubric_comes_with_its_options():
    use = RubricUse("review_completeness", options={"sections": ["A", "B"], "require-body": False})
    assert resolve(use, root=Path()) == ReviewCompleteness(sections=("A", "B"), require_body=False)


def test_a_judged_rubric_is_found_beside_the_scenario_that_uses_it(written):
    written(HEAD + SCALE, "scenarios/own.yaml")
    rubric = resolve(RubricUse("./own.yaml", file="scenarios/suite.yaml", line=3), root=Path())
    assert rubric.name == "clarity"


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (
            RubricUse("helpfull", file="s.yaml", line=7),
            's.yaml:7: unknown rubric "helpfull". Did you mean "helpfulness"?',
        ),
        (RubricUse("own/none.yaml", file="s.yaml", line=7), 's.yaml:7: no rubric file "own/none.yaml"'),
        (
            RubricUse("tone", options={"pas_at": 3}, file="s.yaml", line=7),
            'no option "pas_at". Did you mean "pass_at"?',
        ),
        (RubricUse("tone", pass_at=Fraction(6), file="s.yaml", line=7), 's.yaml:7: "pass_at" of rubric "tone" is 6'),
        (
            RubricUse("filter_accuracy", pass_at=Fraction(80), file="s.yaml", line=7),
            "is 80, outside its scale from 0 to 1",
        ),
        (RubricUse("filter_accuracy", pass_at=Fraction(-1), file="s.yaml", line=7), "is -1, outside"),
        (RubricUse("filter_accuracy", options={"x": 1}, file="s.yaml", line=7), 's.yaml:7: unknown key "x"'),
        (RubricUse("review_completeness", options={"section": []}), 'Did you mean "sections"?'),
    ],
)
def test_a_wrong_use_is_told_with_its_place(use, said):
    with pytest.raises(InputError) as problem:
        resolve(use, root=Path("no-project"))
    assert said in str(problem.value)


@pytest.mark.parametrize("pass_at", [Fraction(0), Fraction(4, 5), Fraction(1)])
def test_both_ends_of_a_scale_are_thresholds(pass_at):
    assert isinstance(resolve(RubricUse("filter_accuracy", pass_at=pass_at), root=Path()), FilterAccuracy)
