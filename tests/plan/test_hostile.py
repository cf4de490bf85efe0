"""Whole runs on input that nobody would write on purpose."""

from __future__ import annotations

import json
from typing import Any

import pytest

import judgekit as jk

Folder = Any

TEXTS = {
    "empty": "",
    "blank": " \t\n",
    "nul": "a\x00b",
    "escapes": "\x1b[31mred\x1b[0m \ufffe \x85 \u2028",
    "right to left": "\u202eabc\u202c",
    "an emoji": "👩‍👩‍👧 \U0010ffff",
    "markup": "</script><script>x</script> {{ x }} {% y %} {# z #} ]]>",
    "a formula": "=1+1",
    "brackets": "[" * 5000,
    "long": "x" * 1_000_000,
    "a lone surrogate": "a\ud800b",
    "windows": "a\r\nb\r",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_any_text_goes_through_a_run_and_back(folder: Folder, text: str) -> None:
    case = {
        "id": f"c-{text[:200]}" if text.strip() else "c",
        "input": text,
        "reference": text,
        "context": text,
        "output": text,
        "tags": [text[:50]],
        "vars": {"x": text, text[:50]: [text]},
        "expect": {"max_length": 10, "not_contains": "never there"},
    }
    folder.write("scenarios/cases.jsonl", json.dumps(case))
    run = folder.score("suite: s\ncases: cases.jsonl\n", no_gate=True)
    again = jk.load_run(run.path)
    shown = text.replace("\ud800", "\ufffd")
    assert len(again.results) == 2
    assert json.loads((run.path / "outputs.jsonl").read_text(encoding="utf-8"))["output"] == shown
    # A CSV file holds no NUL.
    assert [one.replace("\x00", "\ufffd") for one in run.cases["case_id"]] == list(again.cases["case_id"])


def test_variables_nested_as_deep_as_is_read_go_through_a_run(folder: Folder) -> None:
    deep = "[" * 95 + "]" * 95
    folder.write("scenarios/cases.jsonl", f'{{"id": "a", "output": "x", "vars": {{"x": {deep}}}}}')
    run = folder.score("suite: s\ndefaults: {expect: {contains: x}}\ncases: cases.jsonl\n")
    assert run.decision.exit_code == 0
    yaml = f"id: a\noutput: x\nvars: {{x: {deep}}}\nexpect: {{contains: x}}\n"
    assert folder.score(yaml, paths=folder.write("b.yaml", yaml)).decision.exit_code == 0
