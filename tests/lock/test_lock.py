"""The lock: format, rubrics and fixtures of an agent change together, or the gate says which one did not."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from judgekit import plugins
from judgekit.errors import InputError
from judgekit.rubrics.sections import ReviewCompleteness


def told(found) -> list[str]:
    return [one.message for one in found if one.weight == "violation"]


def quiet(found) -> bool:
    return found == []


def test_what_was_locked_and_did_not_change_is_quiet(locked):
    assert quiet(locked.found())


def test_the_lock_is_short_sorted_and_readable(locked):
    lines = locked.lock.read_text(encoding="utf-8").splitlines()

    assert [line.rpartition(" ")[0] if line[-1] != ":" else line for line in lines if line[0] != "#"] == [
        "scout:",
        "  format: scout/1",
        "  rubrics:",
        "    review_completeness: version 2 options",
        "  fixtures:",
        "    airport:",
        "    harbour:",
        "    silent:",
    ]


def test_locking_again_changes_no_byte(locked):
    before = locked.lock.read_bytes()
    locked.relock()

    assert locked.lock.read_bytes() == before


def test_a_changed_format_without_the_others_is_told(locked):
    locked.change("rubrics/formats/scout.yaml", "risks: {type: string}", "risks: {type: [string, array]}")

    assert told(locked.found()) == [
        "format changed since scout/1 was locked, rubric and fixtures did not. "
        "Adapt what is behind, or review and run `judgekit gate --relock`."
    ]


def test_a_format_that_changed_with_its_fixtures_still_lacks_the_rubric(locked):
    locked.change("rubrics/formats/scout.yaml", "type: string", "type: array")
    locked.change("fixtures.yaml", '"Fog."', '["Fog."]')
    locked.change("fixtures.yaml", '"Birds."', '["Birds."]')

    assert told(locked.found())[0].startswith(
        "format, fixtures (airport, harbour) changed since scout/1 was locked, rubric did not."
    )


def test_a_new_version_alone_is_a_changed_format(locked):
    locked.change("rubrics/formats/scout.yaml", "version: 1", "version: 2")
    locked.change("judgekit.yaml", "scout/1", "scout/2")

    assert told(locked.found())[0].startswith("format changed since scout/1 was locked, rubric and fixtures did not.")


def test_a_changed_option_is_a_changed_rubric_and_leaves_the_fixtures_alone(locked):
    locked.change("fixtures.yaml", "[Risks]", "[Risks, Notes]")

    assert told(locked.found())[0].startswith(
        "rubric (review_completeness) changed since scout/1 was locked, format and fixtures did not."
    )


def _with_version(version: object) -> type[ReviewCompleteness]:
    class Changed(ReviewCompleteness):
        pass

    # As if it were judgekit's own: the version alone tells.
    Changed.version, Changed.__module__ = version, ReviewCompleteness.__module__
    return Changed


def test_a_raised_version_of_the_class_is_a_changed_rubric(locked, monkeypatch):
    monkeypatch.setattr(plugins, "lookup", lambda kind, name: _with_version("3"))

    assert told(locked.found())[0].startswith("rubric (review_completeness) changed")


def test_a_changed_file_of_another_packages_rubric_is_a_changed_rubric(project, monkeypatch):
    text = (
        "from judgekit.rubrics.sections import ReviewCompleteness\nclass Mine(ReviewCompleteness):\n    version = '1'\n"
    )
    project.write("mine.py", text)
    spec = importlib.util.spec_from_file_location("mine", project.folder / "mine.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mine", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(plugins, "lookup", lambda kind, name: module.Mine)
    project.relock()
    assert told(project.found()) == []

    project.write("mine.py", f"{text}    require_body: bool = False\n")

    assert told(project.found())[0].startswith("rubric (review_completeness) changed since scout/1 was locked")


def test_a_rubric_without_a_version_cannot_be_locked(project, monkeypatch):
    monkeypatch.setattr(plugins, "lookup", lambda kind, name: _with_version(None))

    with pytest.raises(InputError, match="carries no version"):
        project.relock()


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("Fog.", "Ice.", "harbour"),
        ("And here?", "And there?", "airport"),
        ("should_pass: false", "should_pass: true", "silent"),
        ("should_pass: false", "should_pass: false, defect: empty", "silent"),
        ("id: airport", "id: station", "airport, station"),
    ],
)
def test_fixtures_changed_alone_are_told_by_name(locked, old, new, named):
    locked.change("fixtures.yaml", old, new)

    assert told(locked.found())[0].startswith(
        f"fixtures ({named}) changed since scout/1 was locked, format and rubric did not."
    )


def test_a_fixture_that_counts_for_fewer_rubrics_has_changed(project):
    both = "rubrics: {review_completeness: 0.5, source_coverage: 0}"
    project.change("judgekit.yaml", "rubric: review_completeness\n    threshold: 0.5", both)
    project.change("fixtures.yaml", "{id: silent,", "{id: silent, rubrics: [source_coverage],")
    project.relock()
    project.change("fixtures.yaml", "rubrics: [source_coverage],", "")

    assert "fixtures (silent) changed" in told(project.found())[0]


def test_of_many_changed_fixtures_a_few_are_named(project):
    rows = "".join(f'  - {{id: c{n}, input: Q., output: \'{{"risks": "Fog."}}\'}}\n' for n in range(9))
    project.write("fixtures.yaml", f"suite: scout\ncases:\n{rows}")
    project.relock()
    project.change("fixtures.yaml", "Fog", "Ice")

    assert "fixtures (c0, c1, c2, c3, c4 and 4 more) changed" in told(project.found())[0]


def test_an_outputs_file_is_part_of_the_fixtures(project):
    project.change("fixtures.yaml", "suite: scout\n", "suite: scout\noutputs: said.jsonl\n")
    project.write("said.jsonl", '{"case_id": "harbour", "output": "{\\"risks\\": \\"Ice.\\"}"}\n')
    project.relock()
    project.change("said.jsonl", "Ice", "Wind")

    assert "fixtures (harbour) changed" in told(project.found())[0]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("judgekit.yaml", "0.5", "0.6"),
        ("judgekit.yaml", "fixtures: fixtures.yaml", "fixtures: [fixtures.yaml]\n    label: Risks"),
        ("fixtures.yaml", "id: harbour,", "id: harbour, description: Plain., tags: [sea],"),
        ("fixtures.yaml", "suite: scout\n", "# Ports first.\nsuite: ports\n"),
        ("rubrics/formats/scout.yaml", "version: 1\n", "version: 1\ndescription: Risks.\n"),
    ],
    ids=["threshold", "settings", "description", "comment", "format's description"],
)
def test_an_unrelated_edit_raises_no_alarm(locked, name, old, new):
    locked.change(name, old, new)

    assert quiet(locked.found())


def _bump(locked) -> None:
    locked.change("judgekit.yaml", "scout/1", "scout/2")
    locked.change("rubrics/formats/scout.yaml", "version: 1", "version: 2")
    locked.change("fixtures.yaml", "Fog.", "Ice.")
    locked.change("fixtures.yaml", "[Risks]", "[Risks, Notes]")


def test_a_version_raised_everywhere_is_no_violation_until_locked_but_a_suspicion(locked):
    _bump(locked)

    [one] = locked.found()

    assert (one.kind, one.weight) == ("relock", "suspicion")
    assert one.message.startswith("its format, rubric and fixtures have changed together from scout/1 to scout/2")


def test_all_three_changed_under_the_old_version_are_told(locked):
    locked.change("rubrics/formats/scout.yaml", "type: string", "type: [string, array]")
    locked.change("fixtures.yaml", "Fog.", "Ice.")
    locked.change("fixtures.yaml", "[Risks]", "[Risks, Notes]")

    assert "changed since scout/1 was locked, the version scout/1 did not." in told(locked.found())[0]


def test_relocking_settles_any_change(locked):
    locked.change("fixtures.yaml", "Fog.", "Ice.")
    locked.relock()

    assert quiet(locked.found())


def test_a_violation_points_at_the_declaration(locked):
    locked.change("fixtures.yaml", "Fog.", "Ice.")

    [one] = locked.found()

    assert (one.agent, one.kind, one.file, one.line) == ("scout", "drift", "judgekit.yaml", 5)


# ------------------------------------------------------------------------------------------------- goldens and format


def test_a_golden_that_does_not_meet_the_format_is_a_suspicion(project):
    project.change("fixtures.yaml", '"Fog."', "7")
    project.relock()

    [one] = project.found()

    assert (one.case_id, one.weight) == ("harbour", "suspicion")
    assert one.message.startswith("does not meet scout/1: $.risks is 7 (integer), wanted string.")


def test_a_golden_tagged_off_format_is_quiet(project):
    project.change("fixtures.yaml", '"Fog."', "7")
    project.change("fixtures.yaml", "id: harbour,", "id: harbour, tags: [off-format],")
    project.relock()

    assert quiet(project.found())


# --------------------------------------------------------------------------------------------- no lock, parts of a lock


def test_without_a_format_and_a_lock_there_is_one_note(project):
    project.change("judgekit.yaml", "    format: scout/1\n", "")

    [one] = project.found()

    assert one.weight == "note"
    assert "nothing is locked" in one.message


def test_a_format_without_a_lock_says_what_to_run(project):
    assert told(project.found()) == [
        "declares the format scout/1 and is not locked: there is no .judgekit.lock. "
        "Run `judgekit gate --relock` and commit the file."
    ]


def test_a_format_that_is_no_longer_declared_is_told(locked):
    locked.change("judgekit.yaml", "    format: scout/1\n", "")

    assert "the settings declare no format any more" in told(locked.found())[0]


def test_there_is_nothing_to_lock_without_a_format(project):
    project.change("judgekit.yaml", "    format: scout/1\n", "")

    with pytest.raises(InputError, match="no agent declares a format"):
        project.relock()


TWO = """\
  ranger:
    rubric: review_completeness
    threshold: 0.5
    format: scout/1
    fixtures: ranger.yaml
"""


@pytest.fixture
def two(project):
    project.write("judgekit.yaml", (project.folder / "judgekit.yaml").read_text(encoding="utf-8") + TWO)
    project.write("ranger.yaml", 'cases:\n  - {id: hill, input: Q., output: \'{"risks": "Rock."}\'}\n')
    project.relock()
    return project


def test_an_agent_that_is_gone_is_told_whoever_is_asked_about(two):
    two.change("judgekit.yaml", TWO, "")

    assert [(one.agent, one.kind) for one in two.found("scout")] == [("ranger", "unlocked")]


def test_locking_one_agent_leaves_the_others_as_they_were(two):
    two.change("ranger.yaml", "Rock", "Snow")
    two.change("fixtures.yaml", "Fog", "Ice")
    two.relock("scout")

    assert [one.agent for one in two.found()] == ["ranger"]


def test_locking_all_agents_drops_those_that_are_gone(two):
    two.change("judgekit.yaml", TWO, "")
    two.relock()

    assert quiet(two.found())


def test_only_the_agents_asked_about_are_compared(two):
    two.change("ranger.yaml", "Rock", "Snow")

    assert quiet(two.found("scout"))


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("scout/7", 'judgekit.yaml:5: agent "scout": rubrics/formats/scout.yaml: is version 1'),
        ("scoot/1", 'Did you mean "scout"?'),
    ],
)
def test_a_wrong_declaration_is_a_mistake_in_the_settings(project, declared, told):
    project.change("judgekit.yaml", "scout/1", declared)

    with pytest.raises(InputError) as caught:
        project.found()

    assert told in str(caught.value)


# ------------------------------------------------------------------------------------------------------- damaged locks


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("scout:\n<<<<<<< HEAD\n  format: scout/1 a\n", ":3: not valid YAML"),
        ("scout: {format: scout/1 a}\n", '"rubrics" is missing'),
        ("scout:\n  format: scout/1 a\n  rubrics: {}\n  fixtures: [a]\n", ':4: "fixtures" must be a mapping'),
        ("scout: 7\n", ":1: "),
        ("scout:\n  format: a\nscout:\n  format: b\n", "duplicate key"),
        ("", ": holds no agents."),
        ("[]\n", ": holds no agents."),
    ],
)
def test_a_damaged_lock_is_told_with_its_line_and_what_to_do(locked, text, told):
    locked.write(".judgekit.lock", text)

    with pytest.raises(InputError) as caught:
        locked.found()

    assert f".judgekit.lock{told}" in str(caught.value) or (told in str(caught.value) and told[0] != ":")
    assert "`judgekit gate --relock`" in str(caught.value)


def test_a_lock_that_is_not_utf_8_is_damaged(locked):
    locked.lock.write_bytes(b"scout:\n  format: \xe4\n")

    with pytest.raises(InputError, match=r"\.judgekit\.lock:2: not UTF-8"):
        locked.found()


def test_a_folder_in_the_place_of_the_lock_is_damage(project):
    project.lock.mkdir()

    with pytest.raises(InputError, match="is a folder"):
        project.found()


def test_locking_all_agents_replaces_a_damaged_lock(locked):
    locked.write(".judgekit.lock", "<<<<<<<")
    locked.relock()

    assert quiet(locked.found())


def test_locking_one_agent_of_a_damaged_lock_is_refused(two):
    two.write(".judgekit.lock", "<<<<<<<")

    with pytest.raises(InputError, match="The lock is damaged"):
        two.relock("scout")


@pytest.mark.parametrize(
    "name", ["null", "true", "007", "1e5", "a: b", "ü #1", "- x", 'say "no"', "=", "~", "2024-01-01"]
)
def test_any_case_id_is_read_back_as_it_was(project, name):
    quoted = "'" + name.replace("'", "''") + "'"
    project.write("fixtures.yaml", f'cases:\n  - {{id: {quoted}, input: Q., output: \'{{"risks": "Fog."}}\'}}\n')
    project.relock()

    assert quiet(project.found())
