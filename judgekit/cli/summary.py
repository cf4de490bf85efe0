"""`--summary FILE`: the Markdown summary of a run, or what kept it from running, written on every exit."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from judgekit.errors import InputError, JudgekitError


class SummaryCommand(click.Command):
    """A command whose `--summary` is written also where the arguments themselves are wrong."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> click.Context:
        given = list(args)
        try:
            return super().make_context(info_name, args, *more, **extra)
        except click.UsageError as problem:
            _write_failure(_summary_in(given), self.name or "", problem.format_message())
            raise


def _summary_in(arguments: list[str]) -> Path | None:
    """The file of --summary in arguments that could not be parsed."""
    for one, following in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = one.partition("=")
        if name == "--summary":
            text = value if equals else following
            return Path(text) if text else None
    return None


@contextmanager
def failure_in(summary: Path | None, command: str) -> Iterator[None]:
    """Write into the summary of a command why the work of the block could not be done."""
    try:
        yield
    except KeyboardInterrupt:
        _write_failure(summary, command, "interrupted before there was anything to report")
        raise
    except JudgekitError as problem:
        _write_failure(summary, command, str(problem))
        raise
    except Exception as problem:
        _write_failure(summary, command, f"a fault of judgekit: {type(problem).__name__}: {problem}")
        raise


def write_summary(summary: Path | None, run: Path) -> None:
    """Copy the summary of a run folder to the file, and to the page of the job where GitHub runs it.

    Raises:
        InputError: it can't be written there.
    """
    said = (run / "summary.md").read_text(encoding="utf-8")
    _write_step(said)
    if summary is not None:
        try:
            _write(summary, said)
        except OSError as problem:
            raise InputError(f"--summary {summary}: cannot be written: {problem.strerror}.") from None


def _write_failure(summary: Path | None, command: str, problem: str) -> None:
    from judgekit.reports.markdown import LIMIT, marker

    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", problem)), default=0))
    shortened = problem if len(problem) < LIMIT // 2 else f"{problem[: LIMIT // 2]}\n…"
    said = f"{marker(command)}\n\n**judgekit could not run**\n\n{fence}\n{shortened}\n{fence}\n"
    _write_step(said)
    if summary is None:
        return
    try:
        _write(summary, said)
    except OSError as second:
        click.echo(f"warning: --summary {summary}: cannot be written: {second.strerror}", err=True)


def _write_step(said: str) -> None:
    """Add the summary to what GitHub shows of this step of a job, where it runs in one."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with Path(file).open("a", encoding="utf-8", errors="replace") as stream:
            stream.write(f"{said}\n")
    except OSError as problem:
        click.echo(f"warning: GITHUB_STEP_SUMMARY {file}: cannot be written: {problem.strerror}", err=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")
