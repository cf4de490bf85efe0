"""The JSON Schemas for editors say what the reader says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from judgekit.config import Settings
from judgekit.errors import InputError
from judgekit.pipeline.schema import schema
from judgekit.plugins import names
from judgekit.reading.forms import fill
from judgekit.reading.yaml_text import parse_yaml
from judgekit.scenarios.forms import CASE_KEYS, SUITE_KEYS
from judgekit.scenarios.load import load_scenarios

Folder = Any
ROOT = Path(__file__).parents[2]

SCENARIO = Draft202012Validator(schema("scenario"))
SETTINGS = Draft202012Validator(schema("settings"))
RUBRIC = Draft202012Validator(schema("rubric"))


@pytest.mark.parametrize("kind", ["scenario", "settings", "rubric"])
def test_the_schema_itself_is_valid(kind: str) -> None:
    Draft202012Validator.check_schema(schema(kind))


def shipped(pattern: str) -> list[Path]:
    files = sorted(path for path in ROOT.glob(pattern) if "testdata" not in path.parts)
    assert files
    return files


@pytest.mark.parametrize("path", shipped("scenarios/**/*.yaml"), ids=lambda path: path.stem)
def test_every_shipped_scenario_is_accepted(path: Path) -> None:
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        assert [error.message for error in SCENARIO.iter_errors(document)] == []


@pytest.mark.parametrize("path", shipped("rubrics/*.yaml"), ids=lambda path: path.stem)
def test_every_shipped_rubric_is_accepted(path: Path) -> None:
    assert [error.message for error in RUBRIC.iter_errors(yaml.safe_load(path.read_text(encoding="utf-8")))] == []


GOOD = [
    "{id: a, expect: {contains: x}}",
    "{name: a, expect: none}",
    "{id: 7, expect: {contains: [x, 1, true]}}",
    "{id: a, expect: [{contains: x}, {not-contains: {value: y, required: false}}]}",
    "{id: a, should-pass: false, expect: {max-length: 5, not_has_sections: x}}",
    "{id: a, expect: {any_of: [{contains: x}], at-least: {n: 1, of: [{contains: x}, {all-of: [{contains: x}]}]}}}",
    "{id: a, expect: {any_of: [[{contains: x}, {contains: y}]]}}",
    "{id: a, expect: {contains: {value: x, case-sensitive: true, min_count: 2}}}",
    "{id: a, expect: {similarity: {to: x, at-least: 0.5}}}",
    "{id: a, rubrics: [x, {name: y, pass-at: 4, sections: [z]}]}",
    "{id: a, rubrics: x}",
    "{id: a, rubrics: {name: x}}",
    "{id: a, golden: true}",
    "{id: a, golden: x.md}",
    "{id: a, tags: x, context: c, expect: {json: true}}",
    "{id: a, context: [{id: p, text: b}, c], trials: 5, expect: {json_schema: {type: object}}}",
    "{id: a, trials: {n: 3, require: any}, expect: {tool_calls: {expect: [f, {name: g, args: {}}]}}}",
    "{id: a, trials: {n: 3, require: 2}, expect: {tool-calls: [f, {name: g}]}}",
    "{id: a, tools: {s: {results: [{when: {q: 1}, result: x}]}}, faux: [x, {error: timeout}], expect: {json: true}}",
    "{id: a, expect: {max_length: {value: 5, unit: words}, refusal: true, pii: [email], equals: x, cites: true}}",
    "{id: a, expect: {cites: {min: 2}, json_fields: {a.b: 1}, numbers_from_input: true, finish_reason: stop}}",
    "{id: a, turns: [x, 3], reference: r, output: 3.5, expect: {starts_with: x}}",
    "{suite: s, cases: [{id: a, expect: {contains: x}}]}",
    "{cases: [{id: a, expect: {contains: x}}], defaults: {should-pass: false, rubrics: [x]}}",
    "{suite: s, variants: {a: x.j2, b: {timeout-s: 3}}, judge: j, against: a, cases: [{id: a, expect: none}]}",
    "{suite: s, variants: {a: {http: {url: 'http://x', headers: {K: v}, body: {q: [1]}, response: {output: a}}}}, "
    "cases: [{id: a, expect: none}]}",
    "{suite: s, variants: {a: {http: {url: u, body: '{}', response: {output: a, tool-calls: b}, timeout-s: 3}}}, "
    "cases: [{id: a, expect: none}]}",
]

BAD = [
    "{id: a, expect: {contian: x}}",
    "{id: a, outptu: x, expect: {contains: x}}",
    "{id: a, expect: {contains: {value: x, case_sens: true}}}",
    "{suite: s, cases: [{id: a, expect: {contian: x}}]}",
    "{suite: s, defaults: {foo: 1}, cases: [{id: a, expect: none}]}",
    "{suite: s, foo: 1, cases: [{id: a, expect: none}]}",
    "{suite: s}",
    "{id: a, should_pass: no, expect: {contains: x}}",
    "{id: a, expect: {json: false}}",
    "{id: a, expect: {max_length: many}}",
    "{id: a, trials: 0, expect: {contains: x}}",
    "{id: a, trials: {n: 2, require: most}, expect: {contains: x}}",
    "{id: a, expect: {any_of: [{contian: x}]}}",
    "{id: a, expect: {at_least: {n: 1, of: [{contian: x}]}}}",
    "{id: a, expect: {any_of: x}}",
    "{id: a, expect: all}",
    "{id: a, expect: [{contian: x}]}",
    "{id: a, tools: {s: {result: 1}}, expect: {contains: x}}",
    "{id: a, rubrics: [{pass_at: 3}]}",
    "{id: a, rubrics: [3]}",
    "{id: a, context: [{id: x}], expect: {contains: x}}",
    "{suite: s, variants: {a: {promt: x}}, cases: [{id: a, expect: none}]}",
    "{suite: s, variants: {a: {http: {url: u, body: {}}}}, cases: [{id: a, expect: none}]}",
    "[{id: a, expect: {contains: x}}]",
    "text",
]


def read(folder: Folder, text: str) -> str:
    """What the reader says; empty if it is content."""
    path = folder.write("one.yaml", text)
    try:
        load_scenarios([path], root=folder.path)
    except InputError as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("text", GOOD)
def test_what_the_reader_takes_the_schema_accepts(folder: Folder, text: str) -> None:
    assert read(folder, text) == ""
    assert [error.message for error in SCENARIO.iter_errors(parse_yaml(text)[0])] == []


@pytest.mark.parametrize("text", BAD)
def test_what_the_schema_refuses_the_reader_refuses(folder: Folder, text: str) -> None:
    assert read(folder, text) != ""
    assert not SCENARIO.is_valid(parse_yaml(text)[0])


GOOD_SETTINGS = [
    "{}",
    "{judge: x, judge-samples: 3, allow-code: true, max-cost: 1.5, trials: 3, rubrics: [x], variants: {a: x, b: {}}}",
    "{trials: {n: 3, require: any}, redact: x, prices: {}, out: runs, rpm: 3, cluster: topic}",
    "{agents: {a: {rubrics: {source_coverage: 0.7}}}}",
    '{gate: {pass-rate: "90%", pass_hat_5: 0.8, pass-hat-3: ">= 0.5", max-errors: "2%", variants: v}}',
    '{gate: {case_pass_rate: 1, metrics: {x: {mean: ">= 4", pass-rate: 0.9, on: lower}}}}',
]

BAD_SETTINGS = [
    "{foo: 1}",
    "{gate: {foo: 1}}",
    "{gate: {pass_hat: {5: 0.9}}}",
    "{gate: {pass_hat_x: 1}}",
    "{gate: {metrics: {x: {meen: 1}}}}",
    "{trials: 0}",
    '{allow_code: "yes"}',
    "{concurrency: 0}",
    "{variants: {a: []}}",
    "{rubrics: [3]}",
]


@pytest.mark.parametrize("text", GOOD_SETTINGS)
def test_good_settings_are_accepted_by_both(text: str) -> None:
    data = parse_yaml(text)[0]
    assert fill(Settings, data, file="")[1] == []
    assert [error.message for error in SETTINGS.iter_errors(data)] == []


@pytest.mark.parametrize("text", BAD_SETTINGS)
def test_wrong_settings_are_refused_by_both(text: str) -> None:
    data = parse_yaml(text)[0]
    assert fill(Settings, data, file="")[1] != []
    assert not SETTINGS.is_valid(data)


@pytest.mark.parametrize("spelling", ["_", "-"])
def test_every_key_and_check_is_offered_in_both_spellings(spelling: str) -> None:
    definitions = schema("scenario")["$defs"]

    def missing(keys: Any, part: str) -> set[str]:
        return {key.replace("_", spelling) for key in keys} - set(definitions[part]["properties"])

    assert missing(CASE_KEYS, "Case") == set()
    assert missing(SUITE_KEYS, "Suite") == set()
    assert missing(names("checks"), "Checks") == set()
    assert missing([f"not_{name}" for name in names("checks")], "Checks") == set()


def test_every_check_has_a_description() -> None:
    definitions = schema("scenario")["$defs"]
    assert [name for name in names("checks") if not definitions[f"check_{name}"]["description"]] == []


def test_the_schema_is_the_same_in_every_process() -> None:
    code = "import json; from judgekit.pipeline.schema import schema; print(json.dumps(schema('scenario')))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1
