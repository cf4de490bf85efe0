"""Run data in, junit.xml out: a suite per scenario suite, a test case per case × variant, and the gate's rules last.

Whoever reads the file must come to the decision of the run. So a failure or error stands only where the gate decides:
what a gate tolerated, or did not look at, is `skipped` with a message that says so, and if the run did not pass, some
test case of the suite `gate` says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from judgekit.frame import ResultRow, RunData
from judgekit.reports.fold import Entry, entries
from judgekit.reports.wording import printable
from judgekit.writing import replacing

_OUTPUT_OF_FAILED = 2000
"""Characters of an output that the file carries; CI servers refuse or truncate files of tens of megabytes."""
_REASON = 4000


def write_junit(run: RunData, path: Path) -> None:
    """Write junit.xml."""
    with replacing(path) as file:
        file.write(b'<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="judgekit">\n')
        for suite in suites(run):
            # One suite at a time: ten thousand cases never stand in memory as elements and as text at once.
            file.write(tostring(suite, encoding="unicode").encode("utf-8") + b"\n")
        file.write(b"</testsuites>\n")


def suites(run: RunData) -> Iterator[Element]:
    """The `testsuite` elements, the gate's last."""
    by_suite: dict[str, list[Entry]] = {}
    for entry in entries(run):
        by_suite.setdefault(entry.first.suite, []).append(entry)
    failing: dict[tuple[str, str], list[ResultRow]] = {}
    for row in run.results:
        if row.required and row.status not in ("pass", "scored"):
            failing.setdefault((row.case_id, row.variant), []).append(row)
    several = len({row.variant for row in run.cases}) > 1
    for suite, members in by_suite.items():
        element = _suite(run, suite)
        for entry in members:
            _test_case(run, element, entry, failing.get((entry.first.case_id, entry.first.variant), []), several)
        yield _counted(element)
    yield _counted(_gate(run))


def _suite(run: RunData, name: str) -> Element:
    element = Element("testsuite", name=printable(name))
    if started := run.manifest.get("started_at"):
        element.set("timestamp", printable(str(started)))
    properties = SubElement(element, "properties")
    SubElement(properties, "property", name="run_id", value=printable(str(run.summary.get("run_id", ""))))
    return element


def _counted(suite: Element) -> Element:
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for name, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(attribute, str(sum(case.find(name) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.3f}")
    return suite


def _test_case(run: RunData, suite: Element, entry: Entry, rows: Sequence[ResultRow], several: bool) -> None:
    first = entry.first
    name = f"{first.case_id} [{first.variant}]" if several else first.case_id
    took = sum(row.target_latency_s or 0 for row in entry.trials)
    case = SubElement(suite, "testcase", classname=printable(first.suite), name=printable(name), time=f"{took:.3f}")
    if first.file:
        case.set("file", printable(first.file))
    if first.line is not None:
        case.set("line", str(first.line))
    _outcome(run, case, entry, rows)
    # The output is there to understand what went wrong; where nothing did it would only make the file large.
    if entry.output and entry.status in ("fail", "error"):
        SubElement(case, "system-out").text = printable(_cut(entry.output, _OUTPUT_OF_FAILED, "outputs.jsonl"))


def _outcome(run: RunData, case: Element, entry: Entry, rows: Sequence[ResultRow]) -> None:
    reason = entry.reason or entry.status
    if entry.status == "skipped":
        _say(case, "skipped", reason)
    elif entry.status in ("fail", "error"):
        if not _is_gated(run, entry):
            _say(case, "skipped", f"not gated: {reason}", _listed(entry, rows))
        elif run.summary["decision"]["passed"]:
            _say(case, "skipped", f"tolerated by the gate: {reason}", _listed(entry, rows))
        else:
            _say(case, "failure" if entry.status == "fail" else "error", reason, _listed(entry, rows))


def _is_gated(run: RunData, entry: Entry) -> bool:
    return entry.first.variant in run.summary["gated"].get(entry.first.suite, ())


def _listed(entry: Entry, rows: Sequence[ResultRow]) -> str:
    """All required rows that kept the case from passing, a line each."""
    several = len(entry.trials) > 1
    lines = [
        (f"trial {row.trial}: " if several else "")
        + f"{row.metric}: {row.status}"
        + (f" ({row.cause})" if row.cause else "")
        + (f": {row.reason}" if row.reason else "")
        for row in rows
    ]
    return "\n".join(lines or [entry.reason])


def _gate(run: RunData) -> Element:
    element = _suite(run, "gate")
    decision = run.summary["decision"]
    rules: list[dict[str, Any]] = decision["rules"]
    several = len({rule["variant"] for rule in rules}) > 1
    used: dict[str, int] = {}
    blamed = False
    for rule in rules:
        name = f"{rule['rule']} [{rule['variant']}]" if several and rule["variant"] else str(rule["rule"])
        used[name] = used.get(name, 0) + 1
        if used[name] > 1:
            name = f"{name} #{used[name]}"
        case = SubElement(element, "testcase", classname="gate", name=printable(name), time="0.000")
        kind = {"fails": "failure", "undecided": "error"}.get(rule["outcome"])
        if kind is None:
            continue
        if decision["passed"]:
            # `--no-gate` and its like may pass a run whatever its rules say; then the file has to as well.
            _say(case, "skipped", f"tolerated by the gate: {rule['reason']}")
        else:
            blamed = True
            _say(case, kind, str(rule["reason"]))
    if not decision["passed"] and not blamed:
        # A run that was stopped did not pass although no rule speaks against it.
        case = SubElement(element, "testcase", classname="gate", name="decision", time="0.000")
        reasons = [str(reason) for reason in decision["reasons"]] or [f"exit code {decision['exit_code']}"]
        _say(case, "failure" if decision["exit_code"] == 1 else "error", reasons[0], "\n".join(reasons))
    return element


def _say(case: Element, kind: str, message: str, text: str = "") -> None:
    element = SubElement(case, kind, message=printable(_cut(message, _REASON, "results.csv")))
    if text:
        element.text = printable(_cut(text, _REASON, "results.csv"))


def _cut(text: str, limit: int, where: str) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n… cut at {limit:,} of {len(text):,} characters; full text in {where}"
