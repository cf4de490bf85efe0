"""summary.json and manifest.json: strict, in order, whole."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from judgekit.frame import RunData
from judgekit.reports.json_files import write_manifest, write_summary
from judgekit.writing import pretty


def strict(text: str) -> Any:
    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=refuse)


def test_the_summary_comes_back_as_it_was(run: RunData) -> None:
    write_summary(run, run.path / "summary.json")
    assert strict((run.path / "summary.json").read_text("utf-8")) == run.summary


def test_the_manifest_keeps_its_order(run: RunData) -> None:
    write_manifest(run, run.path / "manifest.json")
    assert list(strict((run.path / "manifest.json").read_text("utf-8"))) == list(run.manifest)


def test_what_is_no_number_is_null() -> None:
    scores = {"a": 0.5, "b": float("nan"), "c": float("inf"), "d": [[{"e": float("-inf")}]]}
    assert strict(pretty(scores)) == {"a": 0.5, "b": None, "c": None, "d": [[{"e": None}]]}


def test_text_stays_text_and_lone_surrogates_go() -> None:
    text = pretty({"Größe\ud800": "🎉\udc00"})
    assert text.encode("utf-8").decode() == '{\n  "Größe\ufffd": "🎉\ufffd"\n}\n'


@pytest.mark.parametrize(("value", "text"), [({}, "{}\n"), ([], "[]\n"), (Fraction(1, 2), "0.5\n"), (None, "null\n")])
def test_small_values(value: object, text: str) -> None:
    assert pretty(value) == text
