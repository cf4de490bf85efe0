"""golden."""

import pytest

from judgekit.checks.golden import Golden
from judgekit.checks.run import run_check
from judgekit.errors import InputError
from judgekit.records import Case, Output, Place


def test_line_ends_and_the_last_line_end_are_no_content(tmp_path):  # BR-073
    (tmp_path / "g.md").write_bytes(b"Dear customer,\r\nyour parcel left.  \r\n")
    assert run_check({"golden": "g.md"}, "Dear customer,\nyour parcel left.", folder=tmp_path).status == "pass"


def test_a_difference_is_told_by_line_and_as_a_diff(tmp_path):
    (tmp_path / "g.md").write_text("Dear customer,\nyour parcel left.\n", encoding="utf-8")
    result = run_check({"golden": "g.md"}, "Dear customer,\nyour parcel is lost.", folder=tmp_path)
    assert result.status == "fail"
    assert result.reason == 'line 2: golden has "your parcel left.", the output has "your parcel is lost."'
    assert result.detail["diff"].splitlines()[-2:] == ["-your parcel left.", "+your parcel is lost."]


def test_the_hunk_counts_lines_from_the_start_of_the_file(tmp_path):
    lines = [f"line {number}" for number in range(1, 51)]
    (tmp_path / "g.md").write_text("\n".join(lines), encoding="utf-8")
    result = run_check({"golden": "g.md"}, "\n".join([*lines[:-1], "other"]), folder=tmp_path)
    assert "@@ -47,4 +47,4 @@" in result.detail["diff"]


def test_a_missing_golden_file_fails_and_names_the_command(tmp_path):
    check = Golden.model_validate({"value": "g.md"}, context=Place(tmp_path, tmp_path))
    result = check.evaluate(Output("x"), Case("a", file="scenarios/a.yaml"))
    assert result.status == "fail"
    assert "`judgekit bless scenarios/a.yaml`" in result.reason


def test_an_absolute_path_is_taken_as_it_is(tmp_path):
    (tmp_path / "g.md").write_text("x", encoding="utf-8")
    assert run_check({"golden": str(tmp_path / "g.md")}, "x").status == "pass"


def test_redactions_hold_on_both_sides(tmp_path):
    (tmp_path / "g.md").write_text("Order 17 of 2024-01-02", encoding="utf-8")
    check = {"golden": {"value": "g.md", "redact": [r"\d{4}-\d\d-\d\d", r"Order \d+"]}}
    assert run_check(check, "Order 99 of 2025-12-31", folder=tmp_path).status == "pass"


def test_a_golden_file_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "g.md").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        run_check({"golden": "g.md"}, "x", folder=tmp_path)


def test_a_huge_difference_stays_bounded(tmp_path):
    (tmp_path / "g.md").write_text("\n".join(f"a{number}" for number in range(20_000)), encoding="utf-8")
    result = run_check({"golden": "g.md"}, "\n".join(f"b{number}" for number in range(20_000)), folder=tmp_path)
    assert len(result.detail["diff"].splitlines()) <= 201
