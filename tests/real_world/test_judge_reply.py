"""Real replies of judges: each gives the verdict, or the cause, that it should."""

from __future__ import annotations

from typing import Any

import judgekit as jk

KIND = "judge-reply"


def test_judge_reply(situation: Any, project: Any) -> None:
    expected = situation.expected
    verdict = read(situation)
    assert is_met(verdict, facts(expected)), verdict
    assert set(expected.get("flags", ())) <= set(verdict.flags)
    # An exception would have ended the test.
    for wrong in expected.get("never", ()):
        assert wrong == {"exception": True} or not is_met(verdict, wrong), verdict
    if "scale" in situation.input:
        # The same reply on its way through a whole run comes out the same.
        row = scored_row(situation, project)
        assert (row.status, row.cause, row.score) == (verdict.status, verdict.cause, verdict.score)
    assert situation.leftover() == []


def facts(expected: Any) -> dict[str, Any]:
    """What a verdict must say: an outcome `error` is our status `unscored`, and the error kinds are our causes."""
    if expected["outcome"] == "error":
        found = {"status": "unscored", "cause": expected["error_kind"], "score": None, "passed": None, "label": None}
        return {**found, **{name: expected[name] for name in ("score", "passed") if name in expected}}
    return {"cause": None, **{name: expected[name] for name in ("score", "label", "passed") if name in expected}}


def is_met(verdict: jk.Verdict, facts: dict[str, Any]) -> bool:
    return all(getattr(verdict, name) == value for name, value in facts.items())


def read(situation: Any) -> jk.Verdict:
    given = situation.input
    options = {name: given[name] for name in ("labels", "label_key", "threshold") if name in given}
    if "scale" in given:
        options["scale"] = jk.Scale(given["scale"]["min"], given["scale"]["max"])
    return jk.read_reply(given["judge_reply"], **options)


def scored_row(situation: Any, project: Any) -> Any:
    """The row of results.csv that a recorded judge with this very reply gives."""
    given = situation.input
    rubric = project.rubric("q", given["scale"]["min"], given["scale"]["max"], pass_at=given.get("threshold"))
    project.write("replies.jsonl", [{"case_id": "a", "rubric": "q", "reply": given["judge_reply"]}])
    project.write("suite.yaml", {"cases": [{"id": "a", "output": "An answer.", "rubrics": [rubric]}]})
    (row,) = project.score("suite.yaml", judge="replay:replies.jsonl").data.results
    return row
