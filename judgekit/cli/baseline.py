"""`judgekit baseline`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("baseline")
@click.argument("run")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--runs", "out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
def command(run: str, file: Path, out: Path | None) -> int:
    """Write the results of RUN into FILE, which `judgekit score --baseline FILE` holds later runs to.

    RUN is a path, a run id, latest or latest~1. FILE is small and meant to be committed.
    """
    from judgekit.pipeline.baseline import write_baseline
    from judgekit.pipeline.stored import load_run
    from judgekit.reading.text import shown

    data = load_run(run, out=out).data
    found = write_baseline(data, file)
    failing = sum(one.status == "fail" for one in found.cases.values())
    judged = dict.fromkeys(metric for one in found.cases.values() for metric, _ in one.judged)
    cases = f"{len(found.cases)} {'case' if len(found.cases) == 1 else 'cases'}"
    said = f", judged by {', '.join(judged)}" if judged else ""
    click.echo(f"{cases} of {data.path.name}, {failing} of them failing{said}")
    click.echo(shown(file))
    return 0
