"""`judgekit score`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from judgekit.cli.main import close_pipe
from judgekit.cli.options import run_options, to_options
from judgekit.cli.summary import SummaryCommand, failure_in, write_summary


@click.command("score", cls=SummaryCommand)
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

    with failure_in(summary, "score"):
        options = to_options(given, progress=not quiet)
        finished = run(options)
    # First of all what was found: a summary that can't be written must not hide it.
    try:
        show_run(finished.data, as_json=as_json, quiet=quiet, verbose=verbose)
    except BrokenPipeError:
        close_pipe()
    write_summary(summary, finished.path)
    return finished.decision.exit_code
