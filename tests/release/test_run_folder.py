"""What a run of the release gate leaves: rows like those of every run, reports, a history."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from xml.etree import ElementTree

import pytest

import judgekit
from judgekit.errors import InputError
from judgekit.pipeline.stored import decide_again
from judgekit.reports.document import document

GOOD, BAD = [Fraction(9, 10)] * 8, [Fraction(1, 2)] * 4


def test_the_terminal_shows_a_table_the_decision_and_the_report(shipped, gate):
    done = gate("--run-id", "r1")

    assert done.lines == [
        "agent    rubric               score   threshold  golden  negative  violations",
        "scarlet  source_coverage      0.8846  0.7        8       4         0           passed",
        "ayana    filter_accuracy      0.9     0.8        8       4         0           passed",
        "eliza    grounding_score      0.8872  0.7        8       4         0           passed",
        "reagan   review_completeness  0.925   0.8        8       4         0           passed",
        "",
        "gate passed: every requirement on scarlet, ayana, eliza, reagan holds",
        "reports/r1/report.html",
    ]


def test_each_violation_is_a_line_with_its_case(place, gate):
    place.agent(GOOD[:5], [Fraction(4, 5), 1])
    done = gate("--run-id", "r1")

    assert done.code == 1
    assert [line.split(" (fixtures")[0] for line in done.lines[3:-1]] == [
        "gate failed: f, case n0: negative fixture scores 0.8, and must stay below 0.8",
        "  and f, case n1: negative fixture scores 1, and must stay below 0.8",
        "  and f: filter_accuracy: 7 fixtures; at least 10 are needed (`min-cases`)",
    ]


def test_quiet_leaves_the_decision_and_the_path(shipped, gate):
    assert len(gate("-q").lines) == 2


def test_verbose_shows_every_fixture(shipped, gate):
    lines = gate("-v", "ayana").lines

    assert "pass ayana-outage-tickets" in lines
    assert any(line.startswith("negative_ok ayana-bad-forgets-items: filter_accuracy: 0.375, at") for line in lines)


def test_json_prints_the_summary(shipped, gate):
    said = json.loads(gate("--json", "ayana").out)["decision"]

    assert (said["passed"], said["exit_code"]) == (True, 0)
    assert said["agents"][0]["exact"] == {"score": "9/10", "threshold": "4/5"}


def test_a_row_has_the_columns_of_every_run(shipped, gate):
    run = judgekit.load_run(gate("ayana").run)
    row = run.results.set_index("case_id").loc["ayana-grant-letters"]

    assert len(run.results) == 12
    assert (row["agent"], row["kind"], row["metric"], row["status"]) == ("ayana", "rubric", "filter_accuracy", "pass")
    assert (row["score"], row["threshold"], row["required"]) == (0.8, 0.8, True)
    assert run.summary["counts"] == {
        **{"cases": 12, "pass": 8, "fail": 0, "error": 0, "skipped": 0, "negative_ok": 4},
    }


def test_a_loaded_run_has_the_decision_that_was_made(shipped, gate):
    run = judgekit.load_run(gate().run)

    made = judgekit.release_gate_check()
    assert run.decision.agents == made.agents
    assert run.decision.reasons == made.reasons
    assert run.decision.run_id == run.path.name


def test_the_gate_is_a_suite_of_junit_with_a_case_a_requirement(place, gate):
    place.agent(GOOD, [*BAD[:3], 1])
    tree = ElementTree.parse(gate().run / "junit.xml")
    cases = tree.findall("./testsuite[@name='gate']/testcase")

    assert [case.get("name") for case in cases if case.find("failure") is not None] == [
        "f filter_accuracy: every negative fixture < 0.8"
    ]
    assert len(cases) == 6


def test_a_golden_below_the_threshold_is_tolerated_where_the_mean_reaches_it(place, gate):
    place.agent([*GOOD[:7], Fraction(3, 10)], BAD)
    done = gate()
    tree = ElementTree.parse(done.run / "junit.xml")

    assert done.code == 0
    assert tree.findall(".//failure") == []
    [skipped] = tree.findall(".//skipped")
    assert skipped.get("message").startswith("tolerated by the gate: filter_accuracy: 0.3, at least 0.8 is wanted")


def test_the_summary_in_markdown_has_a_row_an_agent(place, gate):
    place.agent(GOOD, [*BAD[:3], 1])
    gate("--summary", "out/summary.md")

    text = (place.folder / "out" / "summary.md").read_text(encoding="utf-8")
    assert "| f | filter\\_accuracy | 0.9 | 0.8 | **failed** | 8 | 4 | 1 |" in text


def test_the_report_is_called_that_of_a_release_gate(shipped, gate):
    run = gate("--run-id", "r1").run

    assert document(judgekit.load_run(run).data)["title"] == "judgekit release gate r1"
    assert (run / "summary.md").read_text(encoding="utf-8").count("# judgekit release gate r1\n") == 1


def test_the_run_is_the_latest_one_and_its_report_can_be_made_again(shipped, gate):
    run = gate().run
    before = (run / "report.html").read_text(encoding="utf-8")
    (run / "report.html").unlink()
    done = subprocess.run([sys.executable, "-m", "judgekit", "report"], capture_output=True, text=True, check=True)

    assert done.stdout.endswith(f"{run.as_posix()}/report.html\n")
    assert (run / "report.html").read_text(encoding="utf-8") == before


def test_the_gate_of_the_settings_does_not_decide_on_a_release_again(shipped, gate):
    with pytest.raises(InputError, match="`judgekit gate` decides again"):
        decide_again(judgekit.load_run(gate().run).data)


def test_secrets_are_masked_in_what_the_gate_quotes(shipped, gate):
    shipped.change("judgekit.yaml", "agents:", "redact: ['libr[a-z]+']\nagents:")
    shipped.change("scenarios/agents/source_coverage.yaml", "defect: no source", "defect: something else")
    done = gate()

    assert "something else" in done.err
    assert "librar" not in done.err
    for path in done.run.iterdir():
        assert "library" not in path.read_text(encoding="utf-8"), path.name


def test_fixtures_with_checks_are_told_that_they_are_not_run(place, gate):
    place.agent(GOOD, BAD)
    place.change("fixtures.yaml", '"suite": "f",', '"suite": "f", "defaults": {"expect": {"contains": "zebra"}},')
    done = gate()

    assert done.code == 0
    assert "12 fixtures have checks: `judgekit score` runs those, the release gate only rubrics" in done.err
    assert set(judgekit.load_run(done.run).results["metric"]) == {"filter_accuracy"}


# ------------------------------------------------------------------------------------------------------- history


def test_a_history_gets_one_line_a_run_agent_and_rubric(shipped, gate):
    gate("--history", "history.jsonl", "--run-id", "r1")
    gate("ayana", "--history", "history.jsonl", "--run-id", "r2")

    rows = [json.loads(line) for line in (shipped.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["run_id"], row["agent"]) for row in rows] == [
        *(("r1", name) for name in ("scarlet", "ayana", "eliza", "reagan")),
        ("r2", "ayana"),
    ]
    assert {key: rows[-1][key] for key in ("rubric", "score", "threshold", "passed", "n_golden", "n_negative")} == {
        **{"rubric": "filter_accuracy", "score": 0.9, "threshold": 0.8, "passed": True, "n_golden": 8, "n_negative": 4},
    }


def test_a_gate_that_failed_is_part_of_the_history(place, gate):
    place.agent(BAD * 2, BAD)
    gate("--history", "history.jsonl")

    [line] = (place.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()
    assert (json.loads(line)["passed"], json.loads(line)["score"]) == (False, 0.5)


def test_a_last_line_without_its_end_is_not_run_into(place, gate):
    place.agent(GOOD, BAD)
    old = '{"time":"t","run_id":"r","agent":"f","rubric":"filter_accuracy","score":null,"threshold":0.8}'
    place.write("history.jsonl", old)
    gate("--history", "history.jsonl")

    lines = (place.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines[0] == old
    assert len(lines) == 2


def test_the_report_holds_the_agents_and_their_trend_without_the_file(place, gate):
    place.agent(BAD * 2, BAD)
    gate("--history", "history.jsonl")
    place.agent(GOOD, BAD)
    run = gate("--history", "history.jsonl").run
    (place.folder / "history.jsonl").unlink()

    doc = document(judgekit.load_run(run).data)
    assert [(one["agent"], one["score"], one["passed"]) for one in doc["agents"]] == [("f", 0.9, True)]
    assert [(one["score"], one["threshold"]) for one in doc["history"]] == [(0.5, 0.8), (0.9, 0.8)]


def test_a_trend_is_the_newest_hundred_runs(place, gate):
    place.agent(GOOD, BAD)
    row = {"time": "t", "agent": "f", "rubric": "filter_accuracy", "score": 0.5, "threshold": 0.8}
    place.write("history.jsonl", "".join(json.dumps({**row, "run_id": f"r{n}"}) + "\n" for n in range(150)))
    doc = document(judgekit.load_run(gate("--history", "history.jsonl").run).data)

    assert len(doc["history"]) == 100
    assert doc["history"][0]["run_id"] == "r51"


def test_the_revision_is_the_commit_of_the_project(place):
    place.agent(GOOD, BAD)
    assert place.check().revision == ""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", *command], cwd=place.folder, check=True)
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=place.folder, capture_output=True, text=True, check=True)

    assert place.check().revision == done.stdout.strip()
    place.change("fixtures.yaml", '"suite": "f"', '"suite": "f2"')
    assert place.check().revision == f"{done.stdout.strip()}-dirty"
