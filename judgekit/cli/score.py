"""`judgekit score`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click

from judgekit.cli.main import close_pipe
from judgekit.cli.options import run_options, to_options
from judgekit.errors import InputError, JudgekitError


class _Score(click.Command):
    """`--summary` is written on every exit, also where the arguments themselves are wrong."""

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **extra: Any) -> click.Context:
        given = list(args)
        try:
            return super().make_context(info_name, args, *more, **extra)
        except click.UsageError as problem:
            _write_failure(_summary_in(given), problem.format_message())
            raise


def _summary_in(arguments: list[str]) -> Path | None:
    """The file of --summary in arguments that could not be parsed."""
    for one, following in zip(arguments, [*arguments[1:], ""], strict=True):
        name, equals, value = one.partition("=")
        if name == "--summary":
            text = value if equals else following
            return Path(text) if text else None
    return None


@click.command("score", cls=_Score)
@run_options
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), help="Also write the Markdown summary there."
)
@click.option("--json", "as_json", is_flag=True, help="Print summary.json instead of the table.")
@click.option("-q", "--quiet", is_flag=True, help="Print the decision and the report's path only.")
@click.option("-v", "--verbose", is_flag=True, help="Print every case.")
def command(summary: Path | None, as_json: bool, quiet: bool, verbose: bool, **given: Any) -> int:
    """Score outputs by scenario files: checks first, then the judge, then the gate.

    PATHS are scenario files and folders; default is scenarios/.
    """
    from judgekit.cli.show import show_run
    from judgekit.pipeline.run import run

    try:
        options = to_options(given, progress=not quiet)
        finished = run(options)
    except KeyboardInterrupt:
        _write_failure(summary, "interrupted before there was anything to report")
        raise
    except JudgekitError as problem:
        _write_failure(summary, str(problem))
        raise
    except Exception as problem:
        _write_failure(summary, f"a fault of judgekit: {type(problem).__name__}: {problem}")
        raise
    # First of all what was found: a summary that can't be written must not hide it.
    try:
        show_run(finished.data, as_json=as_json, quiet=quiet, verbose=verbose)
    except BrokenPipeError:
        close_pipe()
    said = (finished.path / "summary.md").read_text(encoding="utf-8")
    _write_step(said)
    if summary is not None:
        try:
            _write(summary, said)
        except OSError as problem:
            raise InputError(f"--summary {summary}: cannot be written: {problem.strerror}.") from None
    return finished.decision.exit_code


def _write_failure(summary: Path | None, problem: str) -> None:
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", problem)), default=0))
    from judgekit.reports.markdown import LIMIT, MARKER

    shortened = problem if len(problem) < LIMIT // 2 else f"{problem[: LIMIT // 2]}\n…"
    said = f"{MARKER}\n\n**judgekit could not run**\n\n{fence}\n{shortened}\n{fence}\n"
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
