"""`judgekit list`."""

from __future__ import annotations

import re

import click

_LONGEST = 100
"""Characters of a line of text."""


@click.command("list")
@click.argument("kind", type=click.Choice(["checks", "rubrics", "models", "targets"]))
def command(kind: str) -> int:
    """List what scenario files and flags can name, one line each."""
    rows = {"checks": _checks, "rubrics": _rubrics, "models": _models, "targets": _targets}[kind]()
    width = max(len(name) for name, _ in rows)
    for name, text in rows:
        click.echo(f"{name.ljust(width)}  {text}")
    return 0


def _checks() -> list[tuple[str, str]]:
    from judgekit.plugins import lookup, names

    return [(name, _first_line(lookup("checks", name))) for name in names("checks")]


def _targets() -> list[tuple[str, str]]:
    from judgekit.plugins import lookup, names

    recorded = ("recorded", "Outputs files (--outputs, `outputs:`) and a case's own `output`.")
    return [recorded, *((name, _first_line(lookup("targets", name))) for name in names("targets"))]


def _rubrics() -> list[tuple[str, str]]:
    from judgekit.config import load_project
    from judgekit.plugins import lookup, names
    from judgekit.rubrics.files import builtin_rubrics, find_rubric, project_rubrics

    root = load_project().root
    rows = [(name, f"deterministic: {_first_line(lookup('rubrics', name))}") for name in names("rubrics")]
    for name in sorted({*builtin_rubrics(), *project_rubrics(root)}):
        rows.append((name, f"judged: {_first_sentence(find_rubric(name, root=root).question)}"))
    return rows


def _models() -> list[tuple[str, str]]:
    return [
        ("faux", "Scripted replies from the `faux:` key of each case; free and offline."),
        (
            "replay:PATH",
            "Recorded judge replies: a run folder, or JSONL of {case_id, rubric, reply, variant?, sample?, order?}.",
        ),
    ]


def _first_sentence(text: str) -> str:
    line = " ".join(text.split())
    sentence = re.split(r"(?<=[.?!]) ", line, maxsplit=1)[0]
    return sentence if len(sentence) <= _LONGEST else sentence[: _LONGEST - 1].rstrip() + "…"


def _first_line(kind: object) -> str:
    return (kind.__doc__ or "").strip().split("\n")[0]
