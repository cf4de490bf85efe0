"""No key, header or environment value is in any file, on stdout or on stderr, whatever goes wrong."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from stub_server import error, failing, reply

from judgekit.cli.main import main

OTHER = "tok-planted-0Zk8Wd3Hn5Jc"
"""Of a variable that no model needs."""


def written(folder: Path) -> bytes:
    """Everything in all files of the project, cache and hidden ones included."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def run_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[Any, str]:
    monkeypatch.setattr(sys, "argv", ["judgekit", "score", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr()
    return end.value.code, printed.out + printed.err


@pytest.fixture
def planted(project: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MY_ACCESS_TOKEN", OTHER)
    project.numbered(3)
    return project


def check(project: Any, printed: str) -> None:
    assert project.stub.asked[0].headers["authorization"] == f"Bearer {project.key}", (
        "the key was sent, so it could have leaked"
    )
    found = written(project.folder)
    for secret in (project.key, OTHER):
        assert secret.encode() not in found
        assert secret not in printed


def test_in_a_good_run(planted: Any, monkeypatch: Any, capsys: Any) -> None:
    code, printed = run_command(monkeypatch, capsys, "--judge", "gpt-4o")

    assert code == 0
    check(planted, printed)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_in_a_refusal_that_repeats_what_was_sent(planted: Any, monkeypatch: Any, capsys: Any, status: int) -> None:
    planted.stub.rule = lambda asked: error(
        status, f"Refused: {planted.key}, {json.dumps(dict(asked.headers))}, {OTHER}"
    )

    code, printed = run_command(monkeypatch, capsys, "--judge", "gpt-4o", "--summary", "out/summary.md")

    assert code == (0 if status in (400, 422) else 3)
    assert "Refused" in printed + written(planted.folder).decode("utf-8", "replace")
    check(planted, printed)


def test_in_every_fault(planted: Any, monkeypatch: Any, capsys: Any) -> None:
    faults = ["error_503", "cut", "short", "not_json", "html", "no_choices", "filter", "auth"]
    planted.numbered(16)
    planted.stub.rule = failing(0.7, lambda asked: reply(), seed=1, faults=faults)

    _, printed = run_command(monkeypatch, capsys, "--judge", "gpt-4o", "-v")

    check(planted, printed)


def test_in_the_command_that_the_manifest_keeps(planted: Any, monkeypatch: Any, capsys: Any) -> None:
    address = planted.stub.url.replace("http://", f"http://user:{OTHER}@")

    _, printed = run_command(monkeypatch, capsys, "--judge", "openai/own", "--api-base", address)

    assert "http" in json.loads((planted.runs[0] / "manifest.json").read_text())["command"]
    assert OTHER not in printed
    assert OTHER.encode() not in written(planted.folder)


def test_addresses_of_the_environment_are_not_written_down(planted: Any, monkeypatch: Any, capsys: Any) -> None:
    run_command(monkeypatch, capsys, "--judge", "gpt-4o")

    assert planted.stub.n_calls == 3
    assert planted.stub.url.encode() not in written(planted.folder)


def test_redacted_patterns_are_masked_in_the_calls_too(project: Any) -> None:
    project.write("judgekit.yaml", 'redact: ["ACC-[0-9]+"]\n')
    project.write("scenarios/a.yaml", "name: a\ninput: Q?\nexpect: {contains: [ACC-4711]}\nrubrics: [helpfulness]\n")
    project.stub.answers(
        reply("Your account is ACC-4711."),
        reply(json.dumps({"reason": "names ACC-4711", "score": 4})),
    )

    run = project.score(model="gpt-4o", judge="gpt-4o")

    # The check saw the output as it was, and so did the judge.
    assert [row["status"] for row in project.rows(run)] == ["pass", "scored"]
    assert "ACC-4711" in project.stub.asked[1].text
    files = {path.name: path.read_bytes() for path in run.path.iterdir()}
    assert {name for name, text in files.items() if b"ACC-4711" in text} == set()
    assert len(project.records(run, "calls")) == 2


def test_a_key_that_a_model_repeats_is_masked_in_the_calls_too(project: Any) -> None:
    project.write("scenarios/a.yaml", "name: a\ninput: Q?\nexpect: {min_length: 1}\nrubrics: [helpfulness]\n")
    project.stub.answers(
        reply(f"Your key is {project.key}."),
        reply(json.dumps({"reason": f"names {project.key}", "score": 4})),
    )

    run = project.score(model="gpt-4o", judge="gpt-4o")

    files = {path.name: path.read_bytes() for path in run.path.iterdir()}
    assert {name for name, text in files.items() if project.key.encode() in text} == set()
    assert len(project.records(run, "calls")) == 2
