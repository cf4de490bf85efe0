"""report.html: one inert page that asks nothing of anywhere."""

from __future__ import annotations

import dataclasses
import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser

import pytest
from report_page import opened

from judgekit.frame import RunData
from judgekit.reports.document import Shown, document
from judgekit.reports.html import SIDE, page, write_html

HOSTILE = (
    '</script><script>window.hit=1</script> x" onmouseover="window.hit=2 <img src=x onerror=window.hit=3> '
    "<svg onload=window.hit=4> <!-- <script> ]]> \x1b[31mred \x00 \ud800 \u202e \u2028 {{data}} {{script}}"
)


class Parsed(HTMLParser):
    """Elements with their attributes, and the text of each script and style."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, dict[str, str | None], str]] = []
        self.is_inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.is_inside = tag in ("script", "style")
        if self.is_inside:
            self.inside.append((tag, dict(attrs), ""))

    def handle_endtag(self, tag: str) -> None:
        self.is_inside = False

    def handle_data(self, data: str) -> None:
        if self.is_inside:
            tag, attributes, text = self.inside[-1]
            self.inside[-1] = (tag, attributes, text + data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def policy(self) -> str:
        (meta,) = [one for one in self.named("meta") if one.get("http-equiv") == "Content-Security-Policy"]
        return str(meta["content"])


def written(run: RunData) -> str:
    write_html(run, run.path / "report.html")
    return (run.path / "report.html").read_text(encoding="utf-8")


def test_the_document_comes_back_from_the_page(run: RunData) -> None:
    assert opened(written(run)) == json.loads(json.dumps(document(run)))


def test_the_file_is_the_page_of_the_document(run: RunData) -> None:
    assert written(run) == page(document(run))


def test_nothing_is_loaded_from_anywhere(run: RunData) -> None:
    parsed = Parsed(written(run))
    loading = {"src", "href", "srcset", "action", "data", "poster"}
    targets = [value for _, attributes in parsed.elements for key, value in attributes.items() if key in loading]
    assert targets == []
    assert parsed.policy().startswith("default-src 'none';")


def test_the_policy_allows_exactly_this_style_and_this_script(run: RunData) -> None:
    parsed = Parsed(written(run))
    acting = [text for _, attributes, text in parsed.inside if attributes.get("type") != "text/plain"]
    assert len(acting) == 2
    for text in acting:
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in parsed.policy()
    assert "unsafe" not in parsed.policy()


def test_markup_in_outputs_and_reasons_makes_no_element(run: RunData, with_output: Callable[[str], RunData]) -> None:
    plain = [name for name, _ in Parsed(written(run)).elements]
    hostile = Parsed(written(with_output(HOSTILE)))
    assert [name for name, _ in hostile.elements] == plain
    assert not [key for _, attributes in hostile.elements for key in attributes if key.startswith("on")]


def test_hostile_text_is_kept_to_be_read(with_output: Callable[[str], RunData]) -> None:
    assert HOSTILE.replace("\ud800", "\ufffd") in opened(written(with_output(HOSTILE)))["texts"]


def test_a_hostile_title_stays_a_title(run: RunData) -> None:
    titled = dataclasses.replace(run, manifest=run.manifest | {"title": "</title><script>1</script> {{data}} \ud800"})
    plain, hostile = (Parsed(written(one)) for one in (run, titled))
    assert [name for name, _ in hostile.elements] == [name for name, _ in plain.elements]
    assert opened(written(titled))["title"] == titled.manifest["title"].replace("\ud800", "\ufffd")


def test_without_scripts_the_decision_can_still_be_read(run: RunData) -> None:
    noscript = written(run).partition("<noscript>")[2].partition("</noscript>")[0]
    assert "Not passed" in noscript
    assert "v2: 1 of 3 cases failed: late-parcel." in noscript
    assert "<td>v1</td><td>helpfulness</td><td>3</td><td>1</td><td>2</td>" in noscript
    assert "<td>late-parcel</td><td>v2</td><td>fail</td><td>contains: missing: deadline</td>" in noscript
    assert "Without a known price: house-model." in noscript


def test_the_data_is_letters_and_digits_only(with_output: Callable[[str], RunData]) -> None:
    packed = [text for _, attributes, text in Parsed(written(with_output(HOSTILE))).inside if attributes.get("id")]
    assert len(packed) == 3
    assert all(re.fullmatch(r"[A-Za-z0-9+/=]+", text) for text in packed)


def test_the_same_run_gives_the_same_bytes(run: RunData) -> None:
    assert written(run) == written(run)


def test_the_uncalibrated_judge_is_said_once(run: RunData) -> None:
    run.summary["warnings"].append("the judge is not calibrated against people: its scores inform, they do not veto")
    doc = opened(written(run))
    assert json.dumps([doc["note"], doc["summary"]]).count("is not calibrated against people") == 1


def with_long_outputs(run: RunData, n: int, length: int) -> RunData:
    one = run.cases[0]
    texts = [f"{number:05d} <a>&" * (length // 10) for number in range(n)]
    cases = [one._replace(case_id=f"case-{number}", output=text) for number, text in enumerate(texts)]
    return dataclasses.replace(run, cases=cases, outputs=[], checks=[], verdicts=[], results=[])


def test_what_the_page_cuts_stands_whole_in_a_page_beside_it(run: RunData) -> None:
    long = with_long_outputs(run, 2, 1_000_000)
    doc = opened(written(long))
    beside = opened((run.path / SIDE).read_text(encoding="utf-8"))
    assert doc["side"] == SIDE
    (position, _) = doc["cut"]
    name, first, n = beside["items"][position]
    assert name == "case-0 · v1 · output"
    assert "".join(beside["texts"][first : first + n]) == long.cases[0].output


def test_the_page_beside_goes_when_nothing_is_cut_any_more(run: RunData) -> None:
    written(with_long_outputs(run, 1, 1_000_000))
    assert opened(written(run))["side"] == ""
    assert not (run.path / SIDE).exists()


@pytest.mark.slow
def test_five_thousand_long_outputs_stay_below_thirty_megabytes(run: RunData) -> None:
    long = with_long_outputs(run, 5000, 20_000)
    write_html(long, run.path / "report.html")
    doc = document(long, Shown(side=SIDE))
    assert (run.path / "report.html").stat().st_size < 30_000_000
    assert doc["tables"]["entries"]["rows"] == 5000
    assert len(doc["cut"]) == 5000
