"""Outputs become golden files: shown first, written once, never by a pipeline on its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from judgekit.errors import InputError
from judgekit.pipeline.bless import bless, write
from judgekit.pipeline.options import Options

CASE = "name: a\noutput: |\n  {text}\ngolden: true\n"


def change(project, text: str):
    project.scenario(CASE.format(text=text))
    (found,) = bless(Options())
    return found


def test_a_missing_golden_file_is_a_failure_that_names_the_command(project):
    project.scenario(CASE.format(text="x"))

    run = project.score()

    row = project.row(run, metric="golden")
    assert row["status"] == "fail"
    assert row["reason"] == (
        "no golden file scenarios/a.golden.md: `judgekit bless scenarios/s.yaml` writes it from the output"
    )
    assert run.decision.exit_code == 1


def test_a_new_golden_file_is_shown_before_it_is_written(project):
    found = change(project, "One line.")

    assert (found.kind, found.shown, found.diff) == ("new", "scenarios/a.golden.md", ("+One line.",))
    assert not Path("scenarios/a.golden.md").exists()


def test_a_blessed_output_passes(project):
    write([change(project, "One line.")])

    assert Path("scenarios/a.golden.md").read_text(encoding="utf-8") == "One line.\n"
    assert project.score().decision.exit_code == 0


def test_a_changed_output_is_shown_as_a_diff(project):
    write([change(project, "One line.")])

    found = change(project, "Another line.")

    assert found.kind == "changed"
    assert found.diff[-2:] == ("-One line.", "+Another line.")


def test_what_the_check_takes_for_equal_is_left_alone(project):
    write([change(project, "One line.")])
    golden = project.write("scenarios/a.golden.md", "One line.   \r\n\n")

    found = change(project, "One line.")

    assert (found.kind, write([found])) == ("unchanged", 0)
    assert golden.read_bytes() == b"One line.   \r\n\n"


def test_what_reports_mask_is_written_masked_and_still_equal(project):
    project.write("judgekit.yaml", "redact: ['[0-9]{4}-[0-9]{2}-[0-9]{2}']")
    found = change(project, "Written on 2026-01-31.")
    write([found])

    assert "2026" not in Path("scenarios/a.golden.md").read_text(encoding="utf-8") + "".join(found.diff)
    assert change(project, "Written on 2026-02-01.").kind == "unchanged"


def test_several_variants_want_a_choice(project):
    project.scenario("suite: s\noutputs: o.jsonl\ncases: [{id: a, golden: true}]")
    project.write("scenarios/o.jsonl", [{"case_id": "a", "variant": v, "output": f"by {v}"} for v in ("v1", "v2")])

    with pytest.raises(InputError, match=r"several variants answer these cases \(v1, v2\): choose one with --variant"):
        bless(Options())
    assert [one.text for one in bless(Options(), variant="v2")] == ["by v2\n"]


def test_an_unknown_variant_is_a_mistake(project):
    project.scenario(CASE.format(text="x"))

    with pytest.raises(InputError, match='there is no variant "v9"; there are default'):
        bless(Options(), variant="v9")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("faux: [{error: timeout}]", 'case "a" has no output to bless: case "a": no answer within the time limit'),
        ("output: '  '", 'case "a" has an empty output; an empty text can never pass'),
        ("output: x", None),
    ],
)
def test_an_output_that_is_not_there_is_never_blessed(project, source, said):
    project.scenario(f"name: a\ninput: Q?\n{source}\ngolden: true")

    if said is None:
        assert len(bless(Options())) == 1
    else:
        with pytest.raises(InputError, match=said):
            bless(Options())


def test_without_a_golden_case_there_is_nothing_to_bless(project):
    project.scenario("name: a\noutput: x\nexpect: {contains: [x]}")

    with pytest.raises(InputError, match="no case has a golden file: give one `golden: true`"):
        bless(Options())


def test_only_cases_with_a_golden_file_are_asked(project):
    project.write(
        "target.py",
        "def answer(case):\n    with open('asked', 'a') as file:\n        file.write(case.case_id)\n    return 'x'\n",
    )
    project.scenario(
        """
suite: s
variants: {v1: {function: "target:answer"}}
cases:
  - {id: plain, input: Q?, expect: {contains: [x]}}
  - {id: golden, input: Q?, golden: true}
"""
    )

    bless(Options(allow_code=True))

    assert Path("asked").read_text(encoding="utf-8") == "golden"
