"""The `judgekit` command: its subcommands are imported only when they are called."""

from __future__ import annotations

import gc
import importlib
import os
import sys
from pathlib import Path
from typing import Any

import click

from judgekit.errors import JudgekitError

_COMMANDS = {
    "score": "Score outputs by scenario files; the main job.",
    "compare": "Compare variants of a run, or two runs, on the same cases.",
    "check": "Check scenario files and settings; runs and spends nothing.",
    "estimate": "Predict calls, tokens and cost of score; asks and spends nothing.",
    "gate": "Decide whether agents may be released: fixtures, exact scores, no model.",
    "drift": "Compare live outputs with the format that their agent declares; asks no model.",
    "calibrate": "Measure the judge against labels by people, and correct its rates by them.",
    "probe": "Find out what sways a judge: padding, formatting, authority, instructions, position.",
    "prove": "See whether the suite can fail: damage its good outputs and count what it notices.",
    "report": "Render the reports of a run again.",
    "baseline": "Write the results of a run as the baseline that later runs are held to.",
    "bless": "Take outputs as the new golden files.",
    "init": "Write a small working project into this folder.",
    "list": "List checks, rubrics, models or targets.",
    "schema": "Print the JSON Schema of scenario files or settings, for editors.",
    "cache": "Show or clear the replies of models that are kept for later runs.",
    "telemetry": "Print the Grafana dashboard or the collector configuration.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"judgekit.cli.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # From the table above: importing every command for its help would make --help slow.
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        from judgekit.errors import did_you_mean

        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], list(_COMMANDS))
            ctx.fail(f'No such command "{args[0]}".{hint}')
        return super().resolve_command(ctx, args)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"judgekit {version('llm-judgekit')}")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show it.")
def cli() -> None:
    """Score what LLMs and agents say: deterministic checks first, a judge second, exit codes for CI.

    Exit codes: 0 gate passed, 1 a rule failed, 2 mistake in files or arguments, 3 undecided or stopped,
    130 interrupted.
    """


def main() -> None:
    """Run the command line and exit with its code."""
    # Records and modules live to the end: looking through them for garbage again and again took a quarter of a run.
    gc.set_threshold(1_000_000, 50, 100)
    _prepare_streams()
    code: Any = 0
    try:
        code = cli.main(prog_name="judgekit", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as wanted:
        code = wanted.exit_code
    except click.ClickException as problem:
        problem.show()
        code = 2
    except click.Abort:
        code = 130
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        code = 130
    except BrokenPipeError:
        close_pipe()
    except JudgekitError as problem:
        click.echo(f"error: {problem}", err=True)
        code = problem.exit_code
    except SystemExit as problem:
        # Only code of the user's does this, and its exit(0) must not look like a gate that passed.
        click.echo(f"error: the run was ended by exit({problem.code!r}) in code that it called.", err=True)
        code = 3
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo("error: this is a fault of judgekit, not of your files; the lines above show where.", err=True)
        code = 3
    sys.exit(code if isinstance(code, int) else 0)


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Closed by the caller (`>&-`): what is printed goes nowhere, and the work is done all the same.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115, as long as the process
        elif hasattr(stream, "reconfigure"):
            # A console that lacks a character must not cost a finished run.
            stream.reconfigure(errors="replace")


def close_pipe() -> None:
    """Send what is still to be printed nowhere: the reader of our output has left, as `head` does."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
