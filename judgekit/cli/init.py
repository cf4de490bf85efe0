"""`judgekit init`."""

from __future__ import annotations

from pathlib import Path

import click

from judgekit.errors import InputError

_SETTINGS = """\
# yaml-language-server: $schema=.judgekit/settings.schema.json
# Settings of judgekit; `judgekit schema settings` describes every key.
out: reports
gate:
  pass_rate: ">= 1.0"   # share of the cases that must pass
"""

_SCENARIO = """\
# yaml-language-server: $schema=../.judgekit/scenario.schema.json
name: meeting-summary
description: The agent turns meeting notes into a short summary with next steps.
input: |
  Notes: Launch moved to 14 May. Ana fixes the payment bug by Friday.
  Budget of 20,000 EUR approved.
expect:
  contains: ["14 May", "payment bug"]
  has_sections: ["Summary", "Next steps"]
  max_length: 600
  not_refusal: true
rubrics:
  - clarity                # rubrics/clarity.yaml; scored when a judge is named with --judge
# Scripted replies, so that this runs offline. Remove `faux` and name a model, a command or recorded outputs instead.
faux:
  target:
    - |
      ## Summary
      The launch moved to 14 May and the budget of 20,000 EUR is approved.

      ## Next steps
      - Ana fixes the payment bug by Friday.
  judge:
    clarity:
      - '{"reason": "Short, ordered, and each step has an owner.", "score": 5}'
"""

_RUBRIC = """\
# yaml-language-server: $schema=../.judgekit/rubric.schema.json
name: clarity
question: Could a colleague who missed the meeting act on this text alone?
scale:
  min: 1
  max: 5
  anchors:
    1: They would have to ask what was decided.
    3: They know what was decided, but not who does what by when.
    5: They know every decision, owner and date, and nothing else is in the way.
needs: [input, output]
"""

_CI = """\
name: judgekit
on: [pull_request]
jobs:
  score:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # Install judgekit here, pinned, as your project installs its tools.
      # Its summary stands on the page of the job by itself.
      - run: judgekit score
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: judgekit-report
          path: reports
"""


@click.command("init")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), default=Path())
def command(folder: Path) -> int:
    """Write a small working project: settings, one scenario, one rubric, a CI workflow.

    Existing files are never overwritten.
    """
    import json

    from judgekit.config import load_project
    from judgekit.pipeline.schema import schema

    files = {
        "judgekit.yaml": _SETTINGS,
        "scenarios/meeting-summary.yaml": _SCENARIO,
        "rubrics/clarity.yaml": _RUBRIC,
        ".github/workflows/judgekit.yml": _CI,
    }
    for kind in ("settings", "scenario", "rubric"):
        files[f".judgekit/{kind}.schema.json"] = json.dumps(schema(kind), ensure_ascii=False, indent=1) + "\n"
    if (folder / "pyproject.toml").is_file() and load_project(folder).file.endswith("pyproject.toml"):
        raise InputError(
            "settings stand in [tool.judgekit] of pyproject.toml already; a judgekit.yaml beside it would clash."
        )
    for name, text in files.items():
        path = folder / name
        if path.exists():
            click.echo(f"kept     {name}")
            continue
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as problem:
            raise InputError(f"{path.as_posix()}: cannot be written: {problem.strerror}.") from None
        click.echo(f"wrote    {name}")
    where = "" if folder == Path() else f"cd {folder.as_posix()} && "
    click.echo(f"Next: {where}judgekit score --judge faux")
    return 0
