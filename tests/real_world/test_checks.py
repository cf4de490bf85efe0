"""One check on one answer, as it went wrong elsewhere: status, reason and figures, and the variations of the case."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

import judgekit as jk
from judgekit.plugins import lookup

KIND = "checks"

# Neutral names of checks and options -> ours.
NAMES = {"contains_all": "contains", "is_json": "json", "contains_json": "json"}
OPTIONS = {"whole_word": "word", "pattern": "value", "schema": "value"}


def test_check(situation: Any, project: Any) -> None:
    given, expected = situation.input, situation.expected
    start = time.monotonic()
    result = run(given, project)
    assert result.status == expected["status"], result
    assert time.monotonic() - start < expected.get("within_s", 60)
    says(result, expected)
    if expected.get("never"):
        NEVER[situation.id](project)
    if "matched" in expected:
        assert (result.score, len(given["tool_calls"])) == (1, expected["matched"])
    if "measured" in expected:
        assert result.detail["measured"] == expected["measured"]
    variations = VARIATIONS.get(situation.id)
    if variations is not None:
        variations(situation, project)
    if "also_case" in expected:
        other = run({**given, **given["also_case"]}, project)
        assert other.status == expected["also_case"]["status"], other
        says(other, expected["also_case"])
    assert situation.leftover() == []


def run(given: Mapping[str, Any], project: Any, **changes: Any) -> jk.CheckResult:
    """The result of a case's check, with some of its neutral options changed; None takes one away."""
    check = {name: value for name, value in {**given["check"], **changes}.items() if value is not None}
    return jk.run_check(expectation(check, project), output_of(given), folder=project.root)


def expectation(check: Mapping[str, Any], project: Any) -> dict[str, Any]:
    kind = check["type"]
    options = {OPTIONS.get(name, name): value for name, value in check.items() if name != "type"}
    if kind == "tool_calls":
        return {kind: {"expect": options["expected"], "match": options["mode"]}}
    if kind == "golden":
        project.write("golden.md", options["golden_text"])
        return {kind: "golden.md"}
    if kind in ("is_json", "contains_json"):
        options = {"value": True, "anywhere": kind == "contains_json"}
    if options.get("unit") == "chars":
        options["unit"] = "characters"
    if kind == "json_schema":
        # Its value is a mapping itself, so it needs no option form.
        return {kind: options["value"]}
    return {NAMES.get(kind, kind): options}


def output_of(given: Mapping[str, Any]) -> jk.Output:
    if "provider_error" in given:
        return jk.Output(None, cause="provider", message=given["provider_error"])
    calls = given.get("tool_calls")
    return jk.Output(
        given.get("output", ""),
        tool_calls=None if calls is None else tuple(jk.ToolCall(call["name"], call["args"]) for call in calls),
    )


def says(result: jk.CheckResult, expected: Any) -> None:
    for word in expected.get("detail_mentions", ()):
        assert word.lower() in result.reason.lower()


def without_normalize(situation: Any, project: Any) -> None:
    # Their folding is opt-in; ours is the default (design, Checks), and `normalize: false` turns it off.
    assert run(situation.input, project, normalize=None).status == situation.expected["status"]
    strict = run(situation.input, project, normalize=False)
    assert strict.status == situation.expected["without_normalize"]["status"]
    says(strict, situation.expected["without_normalize"])


def without_whole_word(situation: Any, project: Any) -> None:
    assert run(situation.input, project, whole_word=None).status == situation.expected["without_whole_word"]["status"]


def other_flags(situation: Any, project: Any) -> None:
    expected = situation.expected
    assert run(situation.input, project, flags=None).status == expected["without_flags"]["status"]
    inline = run(situation.input, project, flags=None, pattern=expected["inline_flag"]["pattern"])
    assert inline.status == expected["inline_flag"]["status"]


def other_units(situation: Any, project: Any) -> None:
    expected = situation.expected
    # "characters" are Unicode code points, and the option's description says so; without the option they are meant.
    assert expected["unit"] in str(lookup("checks", "max_length").model_fields["unit"].description)
    assert run(situation.input, project, unit=None).detail["measured"] == expected["measured"]
    in_bytes = run(situation.input, project, unit="bytes")
    assert in_bytes.detail["measured"] == expected["other_units"]["bytes"]
    for unit in ("graphemes", "utf16"):
        with pytest.raises(jk.InputError, match=r"unit.*'characters'.*'bytes'"):
            run(situation.input, project, unit=unit)
        situation.sets_aside(f"other_units.{unit}", because="not a unit of judgekit, and refused as a mistake")


VARIATIONS: dict[str, Callable[[Any, Any], None]] = {
    "BR-057": without_normalize,
    "BR-062": without_whole_word,
    "BR-069": other_flags,
    "BR-071": other_units,
}


def other_cases_go_on(project: Any) -> None:
    cases = [
        {"id": "slow", "output": "a" * 60 + "b", "expect": {"regex": "^(a|aa)+$"}},
        {"id": "quick", "output": "aaa", "expect": {"regex": "^(a|aa)+$"}},
    ]
    project.write("suite.yaml", {"cases": cases})
    rows = project.score("suite.yaml").data.results
    assert [(row.case_id, row.status, row.cause) for row in rows] == [
        ("slow", "error", "regex_timeout"),
        ("quick", "pass", None),
    ]


def a_failed_call_passes_nothing(project: Any) -> None:
    project.write("suite.yaml", {"cases": [{"id": "a", "expect": {"not_contains": "[FAIL]"}}]})

    def fails(case: jk.Case) -> str:
        raise RuntimeError("exit status 2")

    (row,) = project.score("suite.yaml", target=fails).data.results
    assert (row.status, row.cause, row.score) == ("error", "target", None)


NEVER: dict[str, Callable[[Any], None]] = {
    "BR-070": other_cases_go_on,
    "BR-075": a_failed_call_passes_nothing,
}
