"""`judgekit gate`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from judgekit.cli.main import close_pipe
from judgekit.cli.summary import SummaryCommand, failure_in, write_summary


@click.command("gate", cls=SummaryCommand)
@click.argument("agents", nargs=-1, metavar="[AGENT]...")
@click.option("--outputs", metavar="DIR|FILE", help="Score these live outputs in the place of the golden ones.")
@click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="OURS=THEIRS",
    help="Rename a column of the live outputs.",
)
@click.option("--strict", is_flag=True, help="Loopholes and wrong defects fail the gate, too.")
@click.option(
    "--history", type=click.Path(dir_okay=False, path_type=Path), help="Add the scores to this file; show the trend."
)
@click.option("--relock", is_flag=True, help="Lock formats, rubrics and fixtures as they are, after a review.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--run-id", metavar="ID", help="Name of the run folder; default: time and four characters.")
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), help="Also write the Markdown summary there."
)
@click.option("--otel", is_flag=True, help="Send results as OpenTelemetry events (extra otel).")
@click.option("--json", "as_json", is_flag=True, help="Print summary.json instead of the table.")
@click.option("-q", "--quiet", is_flag=True, help="Print the decision and the report's path only.")
@click.option("-v", "--verbose", is_flag=True, help="Print every fixture.")
def command(
    agents: tuple[str, ...],
    outputs: str | None,
    columns: tuple[str, ...],
    strict: bool,
    history: Path | None,
    relock: bool,
    out: Path | None,
    run_id: str | None,
    summary: Path | None,
    otel: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Decide whether agents may be released: their fixtures still score as the registry asks. No model is asked.

    AGENTs are names from `agents` in the settings; default is all of them.
    """
    from judgekit.cli.show import show_run
    from judgekit.pipeline.options import as_paths
    from judgekit.pipeline.release import GateOptions, gate
    from judgekit.release.lock import LOCK_FILE

    with failure_in(summary, "gate"):
        finished = gate(
            GateOptions(
                agents=agents,
                outputs=None if outputs is None else as_paths((outputs,))[0],
                columns=columns,
                strict=strict,
                history=history,
                relock=relock,
                out=out,
                run_id=run_id,
                otel=otel,
                command=" ".join(["judgekit", *sys.argv[1:]]),
            )
        )
    if relock:
        click.echo(f"wrote {LOCK_FILE}: commit it", err=True)
    try:
        show_run(finished.data, as_json=as_json, quiet=quiet, verbose=verbose)
    except BrokenPipeError:
        close_pipe()
    write_summary(summary, finished.path)
    return finished.decision.exit_code
