"""`judgekit report`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", default="latest")
@click.option("--runs", "out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--gate", is_flag=True, help="Decide again by the gate of the settings; the exit code follows.")
def command(run: str, out: Path | None, gate: bool) -> int:
    """Render the reports of RUN again from its stored records, without running or scoring anything.

    RUN is a path, a run id, latest or latest~1.
    """
    from judgekit.cli.show import show_run
    from judgekit.pipeline.stored import decide_again, load_run
    from judgekit.reports.write import write_reports

    data = load_run(run, out=out).data
    if gate:
        decide_again(data)
    write_reports(data)
    show_run(data, quiet=not gate)
    return int(data.summary["decision"]["exit_code"]) if gate else 0
