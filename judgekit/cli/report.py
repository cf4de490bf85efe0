"""`judgekit report`."""

from __future__ import annotations

from pathlib import Path

import click

from judgekit.errors import InputError


@click.command("report")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option("--runs", "folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write one HTML file, and nothing else.")
@click.option("--title", default="", help="Title of the page.")
@click.option("--no-outputs", is_flag=True, help="Leave inputs, outputs, prompts and replies out of the page.")
@click.option("--labels", type=click.Path(path_type=Path), help="Show these ratings of people in the page.")
@click.option("--gate", is_flag=True, help="Decide again by the gate of the settings; the exit code follows.")
@click.option("--index", is_flag=True, help="A page of several runs: each metric over time; default all runs.")
def command(
    runs: tuple[str, ...],
    folder: Path | None,
    out: Path | None,
    title: str,
    no_outputs: bool,
    labels: Path | None,
    gate: bool,
    index: bool,
) -> int:
    """Render the reports of RUN again from its stored records, without running or scoring anything.

    RUN is a path, a run id, latest (the default) or latest~1. With --out the page is one file to mail: what it has no
    room for is shortened, and said to be.
    """
    if index:
        if no_outputs or labels or gate:
            raise InputError("--index shows figures only; it can't be had with --no-outputs, --labels or --gate.")
        return _index(runs, folder, out, title)
    if len(runs) > 1:
        raise InputError("one RUN is rendered at a time; --index makes a page of several.")
    from judgekit.cli.show import show_run
    from judgekit.pipeline.stored import decide_again, load_run
    from judgekit.reading.text import shown as shown_path
    from judgekit.reports.document import Shown
    from judgekit.reports.html import write_single_file
    from judgekit.reports.ratings import read_ratings
    from judgekit.reports.write import write_reports

    data = load_run(runs[0] if runs else "latest", out=folder).data
    ratings, notes = read_ratings(labels, data) if labels else ([], [])
    for note in notes:
        click.echo(f"warning: {note}", err=True)
    if gate:
        decide_again(data)
    shown = Shown(title=title, outputs=not no_outputs, labels=ratings)
    if out is None:
        write_reports(data, shown)
        show_run(data, quiet=not gate)
    else:
        write_single_file(data, out, shown)
        click.echo(shown_path(out))
    return int(data.summary["decision"]["exit_code"]) if gate else 0


def _index(runs: tuple[str, ...], folder: Path | None, out: Path | None, title: str) -> int:
    from judgekit.config import load_project
    from judgekit.pipeline.stored import read_manifest, read_summary
    from judgekit.reading.text import shown as shown_path
    from judgekit.reports.index import write_index
    from judgekit.store import find_run, list_runs

    project = load_project()
    folder = folder or project.root / project.settings.out
    # Without a choice: every run that was finished.
    paths = [find_run(run, folder) for run in runs] or [
        path for path in list_runs(folder) if (path / "summary.json").is_file()
    ]
    if not paths:
        raise InputError(f"{shown_path(folder)} holds no run yet: `judgekit score` makes one.")
    target = out or folder / "index.html"
    write_index([(path, read_manifest(path), read_summary(path)) for path in dict.fromkeys(paths)], target, title=title)
    click.echo(shown_path(target))
    return 0
