"""Ids of cases, and the golden files called after them."""

from __future__ import annotations

from typing import Any

import pytest

from judgekit.scenarios.build import golden_name

Folder = Any

WEIRD = {
    "slashes": "a/b\\c",
    "unicode": "Übergröße-日本",
    "leading zeros": "007",
    "spaces": "late parcel  twice",
    "a formula": "=1+1",
    "long": "x" * 300,
    "long unicode": "日" * 300,
    "a newline": "a\nb",
    "nul": "a\x00b",
    "an emoji": "👩‍👩‍👧",
    "right to left": "\u202eabc",
    "dots": "..",
    "a drive": "C:",
    "only signs": "?*<>|",
}


def test_the_id_wins_over_the_name(folder: Folder) -> None:
    case = folder.case("name: One\nid: two\nexpect: {contains: x}\n")
    assert (case.case_id, case.name) == ("two", "One")


@pytest.mark.parametrize(
    "text", ["expect: {contains: x}", 'id: ""\nexpect: {contains: x}', 'id: "  "\nname: x\nexpect: none']
)
def test_a_case_without_id_and_name_is_refused(folder: Folder, text: str) -> None:
    assert folder.mistakes(text) == ["a.yaml:1: a case needs an `id` or a `name`."]


def test_an_id_twice_names_both_places(folder: Folder) -> None:
    folder.write("b.yaml", "suite: b\ncases:\n  - {id: x, expect: none}\n  - {name: greet, expect: none}\n")
    assert folder.mistakes("id: greet\nexpect: {contains: x}\n") == [
        'b.yaml:4: duplicate case id "greet", first used in a.yaml:1.'
    ]


@pytest.mark.parametrize("case_id", WEIRD.values(), ids=WEIRD)
def test_any_text_is_an_id_and_is_never_changed(folder: Folder, case_id: str) -> None:
    import json

    folder.write("cases.jsonl", json.dumps({"id": case_id, "golden": True}))
    folder.write("a.yaml", "suite: s\ncases: cases.jsonl\n")
    assert list(folder.cases()) == [case_id]


@pytest.mark.parametrize("case_id", WEIRD.values(), ids=WEIRD)
def test_any_id_gives_a_name_that_a_file_can_have(folder: Folder, case_id: str) -> None:
    name = golden_name(case_id)
    path = folder.path / name
    path.write_text("x")
    assert [one.name for one in folder.path.iterdir()] == [name]
    assert name.endswith(".golden.md")
    assert name.isprintable()


def test_a_plain_id_gives_the_name_of_the_contract() -> None:
    assert [golden_name(one) for one in ("late-parcel", "late parcel", "Größe", "007")] == [
        "late-parcel.golden.md",
        "late parcel.golden.md",
        "Größe.golden.md",
        "007.golden.md",
    ]


def test_two_ids_never_share_a_golden_file() -> None:
    ids = [*WEIRD.values(), "a_b_c", "a/b/c", "a:b:c", "x" * 301, "a\tb", "a_b"]
    assert len({golden_name(one) for one in ids}) == len(ids)


def test_a_golden_file_lies_beside_its_scenario(folder: Folder) -> None:
    folder.write("sub/a.yaml", "id: a/b\ngolden: true\noutput: x\n")
    path = folder.cases()["a/b"].checks[0].check.path
    assert (path.parent, path.name) == (folder.path / "sub", golden_name("a/b"))


def test_a_golden_file_may_be_named(folder: Folder) -> None:
    folder.write("sub/a.yaml", "id: a\ngolden: ../goldens/a.md\noutput: x\n")
    path = folder.cases()["a"].checks[0].check.path
    assert path.resolve() == folder.path / "goldens" / "a.md"
