"""Reports of hostile and odd data: nothing runs, nothing is lost, every mean says how many cases it covers."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from report_page import opened

from judgekit.reports import html
from judgekit.reports.csv_tables import recover

KIND = "reports"


def test_report(situation: Any, project: Any, translated: Callable[[str], str]) -> None:
    HANDLERS[situation.id](situation, project, translated)
    assert situation.leftover() == []


class Page(HTMLParser):
    """What stands in a page: elements with their attributes, and the data."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        text = path.read_text(encoding="utf-8")
        self.feed(text)
        self.data = opened(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def texts_of(page: Page) -> list[str]:
    """Every text that the data of a page holds."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list | dict):
            for item in value if isinstance(value, list) else value.values():
                walk(item)

    walk(page.data)
    return found


def markup_in_the_answer(situation: Any, project: Any, _: Any) -> None:
    given, limits = situation.input, situation.expected["parsed_dom"]
    reply = json.dumps({"reason": given["judge_reason"], "score": 0})
    plain, hostile = "An answer.", given["output"]
    pages = []
    for output in (plain, hostile):
        rubric = project.rubric("q")
        case = {"id": "a", "input": output, "output": output, "rubrics": [rubric], "faux": {"judge": {"q": [reply]}}}
        project.write("suite.yaml", {"cases": [case]})
        pages.append(Page(project.score("suite.yaml", judge="faux").path / "report.html"))
    harmless, page = pages

    def count(tag: str) -> int:
        return sum(name == tag for name, _ in page.elements) - sum(name == tag for name, _ in harmless.elements)

    assert count("script") == limits["script_elements_from_data"]
    assert count("img") == limits["img_elements_from_data"]
    events = [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert len(events) == limits["event_attributes_from_data"]
    # The page's script shows the data by text nodes, so what the data holds is what can be seen.
    for part in situation.expected["visible_text_contains"]:
        assert any(part in text for text in texts_of(page))
    source = Path(html.__file__).parent / "page" / "src"
    scripts = "".join(path.read_text(encoding="utf-8") for path in source.rglob("*.js*"))
    for unsafe in ("innerHTML", "InnerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert unsafe not in scripts


def formula_in_a_cell(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    outputs, score = given["outputs"], given["scores"][0]
    rubric = project.rubric("q", low=-1)
    replies = [json.dumps({"reason": output, "score": score}) for output in outputs]
    cases = [
        {"id": f"c{number}", "output": output, "rubrics": [rubric], "faux": {"judge": {"q": [reply]}}}
        for number, (output, reply) in enumerate(zip(outputs, replies, strict=True))
    ]
    project.write("suite.yaml", {"cases": cases})
    run = project.score("suite.yaml", judge="faux")
    cells = [row["output"] for row in table(run.path / "cases.csv")]
    reasons = [row["reason"] for row in table(run.path / "results.csv")]
    # A reply's reason comes without outer white space, so the tab of the last one is gone before it is written.
    for cell in (*cells, *reasons):
        assert cell.startswith(expected["text_cells_start_with"])
    assert ([recover(cell) for cell in cells] == outputs) is expected["text_is_recoverable"]
    assert {row["score"] for row in table(run.path / "results.csv")} == {expected["score_cell"]}
    assert {row["q"] for row in table(run.path / "cases.csv")} == {expected["score_cell"]}
    assert [row.output for row in project.run().data.cases] == outputs


def control_characters(situation: Any, project: Any, _: Any) -> None:
    expected, output = situation.expected, situation.input["output"]
    project.write("outputs.jsonl", [{"id": "a", "output": output}])
    project.write("suite.yaml", {"cases": [{"id": "a", "expect": {"contains": "green"}}]})
    run = project.score("suite.yaml", outputs="outputs.jsonl")
    raw = (run.path / "junit.xml").read_text(encoding="utf-8")
    # An exception of the parser would end the test.
    root = ElementTree.fromstring(raw)
    assert expected["xml_parses"] is True
    shown = "".join(root.itertext())
    for part in expected["text_contains"]:
        assert part in shown
    for wrong in expected["never"]:
        assert (chr(int(wrong[2:], 16)) if wrong.startswith("U+") else wrong) not in raw


def nan_in_the_results(situation: Any, project: Any, _: Any) -> None:
    scores, expected = situation.input["scores"], situation.expected
    # A judge writes them as JavaScript would.
    rubric = project.rubric("q")
    project.write("suite.yaml", {"cases": [{"id": one, "output": "x", "rubrics": [rubric]} for one in scores]})
    replies = [
        {"case_id": one, "rubric": "q", "reply": f'{{"reason": "as seen", "score": {score}}}'}
        for one, score in scores.items()
    ]
    project.write("replies.jsonl", replies)
    run = project.score("suite.yaml", judge="replay:replies.jsonl")

    def strict(text: str) -> Any:
        return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))

    for name in ("manifest.json", "summary.json"):
        assert isinstance(strict((run.path / name).read_text(encoding="utf-8")), dict) is expected["strict_json"]
    lines = (run.path / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()
    verdicts = {row["case_id"]: row for row in map(strict, lines)}
    assert {one: row["score"] for one, row in verdicts.items()} == expected["values"].plain()
    # The reason stands beside the null.
    assert [verdicts[one].get("cause") for one in scores] == [None, "not_a_number", "out_of_range"]
    assert {row["case_id"]: row["score"] for row in table(run.path / "results.csv")} == {"a": "0.5", "b": "", "c": ""}
    # Strict as well: its reader takes no other.
    assert Page(run.path / "report.html").data["kind"] == "run"


def console_without_the_character(situation: Any, project: Any, _: Any) -> None:
    case = {
        "id": "a",
        "output": "Done \U0001f389",
        "expect": {"regex": "\U0001f389", "contains": {"value": "✓", "required": False}},
    }
    project.write("suite.yaml", {"cases": [case]})
    done = project.process("score", "suite.yaml", "-v", PYTHONIOENCODING="cp1252:strict", PYTHONUTF8="0")
    assert done.returncode == situation.exit_code
    assert ("Traceback" in done.stderr) is (situation.expected["exception"] is not None)
    assert "gate passed" in done.stdout
    for name in ("cases.csv", "outputs.jsonl", "report.html", "summary.md"):
        (project.run().path / name).read_text(encoding="utf-8")
    assert "\U0001f389" in (project.run().path / "outputs.jsonl").read_text(encoding="utf-8")


def too_big_to_open(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    n, length = given["cases"], given["chars_per_output"]
    body = "é<b> said. " * (length // 11 + 1)
    with (project.root / "outputs.jsonl").open("w", encoding="utf-8") as file:
        for number in range(n):
            text = f"Answer {number}. {body}"[:length]
            file.write(json.dumps({"id": f"c{number}", "output": text}, ensure_ascii=False) + "\n")
    project.write("cases.jsonl", [{"id": f"c{number}"} for number in range(n)])
    project.write("suite.yaml", {"cases": "cases.jsonl", "defaults": {"expect": {"min_length": 1}}})
    run = project.score("suite.yaml", outputs="outputs.jsonl")
    page = run.path / "report.html"
    assert page.stat().st_size <= expected["html_mb_at_most"] * 1_000_000
    document = Page(page).data
    assert document["tables"]["outputs"]["rows"] == expected["rows"]
    assert bool(document["cut"]) is expected["cut_marked"]
    with (run.path / f"outputs.{expected['full_text_in']}").open(encoding="utf-8") as file:
        lengths = {len(json.loads(line)["output"]) for line in file}
    assert lengths == {length}


def mean_with_its_n(situation: Any, project: Any, _: Any) -> None:
    scores, expected = situation.input["scores"], situation.expected
    n_cases = len(scores["j1"])
    ids = [f"c{number}" for number in range(n_cases)]
    rubrics = [project.rubric(name) for name in scores]
    project.write("suite.yaml", {"cases": [{"id": one, "output": "x", "rubrics": rubrics} for one in ids]})
    # An error is a call without a reply: none is recorded.
    replies = [
        {"case_id": case_id, "rubric": name, "reply": json.dumps({"reason": "as seen", "score": score})}
        for name, values in scores.items()
        for case_id, score in zip(ids, values, strict=True)
        if score != "error"
    ]
    project.write("replies.jsonl", replies)
    done = project.cli("score", "suite.yaml", "--judge", "replay:replies.jsonl")
    run = project.run()
    rows = table(run.path / "results.csv")
    page = Page(run.path / "report.html").data
    shown = {line.split()[1]: line.split() for line in done.stdout.splitlines() if line.startswith("default")}
    places: dict[str, Callable[[str, Any], None]] = {
        "console": lambda name, one: agree(shown[name][2:4], [f"{one['n']}/{one['of']}", f"{one['mean']:g}"]),
        "csv": lambda name, one: agree(
            [sum(row["metric"] == name and row["status"] == status for row in rows) for status in ("scored", "error")],
            [one["n"], one["errors"]],
        ),
        "html": lambda name, one: agree(figures(page["summary"], name), [one["mean"], one["n"], one["of"]]),
    }
    for name in scores:
        agree(figures(run.summary, name), [expected[name][key] for key in ("mean", "n", "of")])
        for place in expected["shown_in"]:
            places[place](name, expected[name])


def figures(summary: dict[str, Any], metric: str) -> list[Any]:
    (one,) = [one for one in summary["estimates"] if one["metric"] == metric]
    return [one["mean"], one["n_scored"], one["n_total"]]


def agree(found: Any, wanted: Any) -> None:
    assert found == wanted


def rounded_score(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    rubric = project.rubric("q", pass_at=given["threshold"], required=True)
    reply = json.dumps({"reason": "nearly", "score": given["score"]})
    case = {"id": "a", "output": "x", "rubrics": [rubric], "faux": {"judge": {"q": [reply]}}}
    project.write("suite.yaml", {"cases": [case]})
    project.write("judgekit.yaml", f"gate: {{pass_rate: 1, metrics: {{q: {{mean: '>= {given['threshold']}'}}}}}}")
    done = project.cli("score", "suite.yaml", "--judge", "faux")
    run = project.run()
    (row,) = run.data.results
    assert row.status == expected["status"]
    # Once where the failing case is named, and once where the gate says why.
    failing, reason = [line for line in done.stdout.splitlines() if line.startswith(("FAIL", "  and"))]
    for word in expected["detail_mentions"]:
        assert word in failing
        assert word in reason
    for wrong in expected["never"]:
        assert wrong not in done.stdout
    for name in ("junit.xml", "summary.md", "results.csv", "cases.csv"):
        assert "0.7966" in (run.path / name).read_text(encoding="utf-8")


def all_weights_zero(situation: Any, project: Any, ours: Callable[[str], str]) -> None:
    # There are no weights: what should not decide says `required: false`. So `weight` is an unknown option.
    project.write("suite.yaml", ours(situation.input["yaml"]))
    done = project.cli("score", "suite.yaml")
    assert (done.returncode, situation.expected["loads"]) == (situation.exit_code, False)
    for word in situation.expected["error_mentions"]:
        assert f'suite.yaml:5: contains: unknown key "{word}"' in done.stderr
        assert f'suite.yaml:6: max_length: unknown key "{word}"' in done.stderr
    situation.sets_aside("never", because="nothing is run, so there is no report")


def what_is_missing(situation: Any, project: Any, _: Any) -> None:
    given, expected = situation.input, situation.expected
    case = {"id": "a", "output": given["output"], "expect": {"contains": given["check"]["value"]}}
    project.write("suite.yaml", {"cases": [case]})
    run = project.score("suite.yaml")
    (row,) = run.data.results
    assert row.status == expected["status"]
    failure = ElementTree.parse(run.path / "junit.xml").find(".//failure")
    assert failure is not None
    (in_html,) = [text for text in texts_of(Page(run.path / "report.html")) if text == row.reason]
    said = {"html": in_html, "junit": failure.get("message") or ""}
    for text in (row.reason, *(said[place] for place in expected["also_in"])):
        assert all(word in text for word in expected["detail_mentions"])
        assert not any(word in text for word in expected["detail_not_mentions"])


HANDLERS: dict[str, Callable[[Any, Any, Any], None]] = {
    "BR-106": markup_in_the_answer,
    "BR-108": formula_in_a_cell,
    "BR-110": control_characters,
    "BR-112": nan_in_the_results,
    "BR-113": console_without_the_character,
    "BR-114": too_big_to_open,
    "BR-115": mean_with_its_n,
    "BR-117": rounded_score,
    "BR-119": all_weights_zero,
    "BR-121": what_is_missing,
}
