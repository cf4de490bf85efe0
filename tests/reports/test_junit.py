"""junit.xml: parses anywhere, names what failed, and never disagrees with the decision."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from judgekit.frame import RunData
from judgekit.reports.junit import write_junit


def written(run: RunData) -> ElementTree.Element:
    write_junit(run, run.path / "junit.xml")
    return ElementTree.parse(run.path / "junit.xml").getroot()


def decided(run: RunData, **decision: Any) -> RunData:
    summary = copy.deepcopy(run.summary)
    summary["decision"] |= decision
    return dataclasses.replace(run, summary=summary)


def case_of(root: ElementTree.Element, name: str) -> ElementTree.Element:
    (found,) = [case for case in root.iter("testcase") if case.get("name") == name]
    return found


def outcome(case: ElementTree.Element) -> tuple[str, str | None]:
    for kind in ("failure", "error", "skipped"):
        found = case.find(kind)
        if found is not None:
            return kind, found.get("message")
    return "pass", None


def test_a_suite_for_each_scenario_suite_and_the_gate_last(run: RunData) -> None:
    assert [suite.get("name") for suite in written(run)] == ["briefings", "gate"]


def test_a_case_carries_suite_variant_file_and_line(run: RunData) -> None:
    case = case_of(written(run), "late-parcel [v2]")
    assert {key: case.get(key) for key in ("classname", "file", "line")} == {
        "classname": "briefings",
        "file": "scenarios/briefings.yaml",
        "line": "3",
    }


def test_with_one_variant_the_name_is_the_case_alone(run: RunData) -> None:
    one = dataclasses.replace(run, cases=[row for row in run.cases if row.variant == "v2"])
    assert case_of(written(one), "late-parcel").get("classname") == "briefings"


def test_a_failure_names_what_is_missing_and_lists_every_failing_metric(run: RunData) -> None:
    failure = case_of(written(run), "late-parcel [v2]").find("failure")
    assert failure is not None
    assert failure.get("message") == "contains: missing: deadline"
    assert failure.text == (
        "contains: fail: missing: deadline\ngolden: fail: differs from late-parcel.golden.md in 1 line"
    )


def test_the_reference_variant_does_not_fail_the_file(run: RunData) -> None:
    assert outcome(case_of(written(run), "outage [v1]")) == (
        "skipped",
        "not gated: contains: no output (rate_limit)",
    )


def test_a_negative_fixture_that_fails_is_a_pass(run: RunData) -> None:
    assert outcome(case_of(written(run), "bad-on-purpose [v2]")) == ("pass", None)


def test_counts_on_the_suite_are_those_of_its_cases(run: RunData) -> None:
    suite = written(run)[0]
    # ten case × variant; late-parcel v2 fails; outage v1 (not gated) and only-read twice are skipped
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "10", "failures": "1", "errors": "0", "skipped": "3"}


def test_a_passed_run_holds_no_failure_and_no_error(run: RunData) -> None:
    root = written(decided(run, passed=True, exit_code=0))
    assert not [*root.iter("failure"), *root.iter("error")]
    assert outcome(case_of(root, "late-parcel [v2]")) == (
        "skipped",
        "tolerated by the gate: contains: missing: deadline",
    )


def test_a_gated_case_without_a_result_is_an_error(run: RunData) -> None:
    gated = dataclasses.replace(run, summary=run.summary | {"gated": {"briefings": ["v1", "v2"]}})
    assert outcome(case_of(written(gated), "outage [v1]"))[0] == "error"


def test_each_rule_of_the_gate_is_a_case(run: RunData) -> None:
    gate = written(run)[-1]
    assert [(case.get("name"), outcome(case)[0]) for case in gate.iter("testcase")] == [
        ("every case passes", "failure"),
        ("max_errors", "pass"),
    ]


def test_an_undecided_rule_is_an_error(run: RunData) -> None:
    rules = [run.summary["decision"]["rules"][0] | {"outcome": "undecided"}]
    gate = written(decided(run, exit_code=3, rules=rules))[-1]
    assert [outcome(case)[0] for case in gate.iter("testcase")] == ["error"]


def test_a_stopped_run_is_an_error_although_no_rule_speaks_against_it(run: RunData) -> None:
    gate = written(decided(run, exit_code=3, rules=[], reasons=["The budget of $1 is spent."]))[-1]
    assert [outcome(case) for case in gate.iter("testcase")] == [("error", "The budget of $1 is spent.")]


def test_trials_are_one_case(run: RunData) -> None:
    first = next(row for row in run.cases if (row.case_id, row.variant) == ("q1-report", "v2"))
    again = first._replace(trial=1, status="fail", reason="contains: missing: revenue")
    root = written(dataclasses.replace(run, cases=[*run.cases, again]))
    kind, message = outcome(case_of(root, "q1-report [v2]"))
    assert kind == "failure"
    assert message is not None
    assert "1 of 2 trials" in message
    assert "missing: revenue" in message


def test_one_passing_trial_is_enough_where_the_case_says_so(run: RunData) -> None:
    first = next(row for row in run.cases if (row.case_id, row.variant) == ("q1-report", "v2"))
    again = first._replace(trial=1, status="fail", reason="contains: missing: revenue")
    manifest = copy.deepcopy(run.manifest)
    manifest["cases"]["q1-report"]["trials"] = {"n": 2, "require": 1}
    root = written(dataclasses.replace(run, cases=[*run.cases, again], manifest=manifest))
    assert outcome(case_of(root, "q1-report [v2]")) == ("pass", None)


def test_colour_codes_and_control_characters_leave_readable_text(with_output: Callable[[str], RunData]) -> None:
    root = written(with_output("\x1b[31mred\x1b[0m \x00 \ufffe \ud800 end ]]> & <b>"))
    text = case_of(root, "late-parcel [v2]").findtext("system-out")
    assert text == "red \ufffd \ufffd \ufffd end ]]> & <b>"


def test_a_long_output_is_cut_and_says_so(with_output: Callable[[str], RunData]) -> None:
    root = written(with_output("x" * 50_000))
    text = case_of(root, "late-parcel [v2]").findtext("system-out")
    assert text is not None
    assert text.endswith("cut at 2,000 of 50,000 characters; full text in outputs.jsonl")
