"""`judgekit bless`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from judgekit.errors import InputError


@click.command("bless")
@click.argument("paths", nargs=-1)
@click.option("--outputs", type=click.Path(path_type=Path), help="Recorded outputs to take instead of asking targets.")
@click.option("--variant", metavar="NAME", help="Variant to take, where there are several.")
@click.option("-k", "expression", metavar="EXPR", help="Only cases that fit.")
@click.option("--force", is_flag=True, help="Write even under CI=true.")
@click.option("--allow-code", is_flag=True, help="Let scenario files run Python functions and commands.")
def command(
    paths: tuple[str, ...],
    outputs: Path | None,
    variant: str | None,
    expression: str | None,
    force: bool,
    allow_code: bool,
) -> int:
    """Take the outputs of cases with a golden file as the new golden files, and show what changes.

    PATHS are scenario files and folders; default is scenarios/.
    """
    from judgekit.pipeline.bless import bless, write
    from judgekit.pipeline.options import Options, as_paths

    if os.environ.get("CI", "").lower() in ("true", "1") and not force:
        raise InputError(
            "bless is for people: under CI=true a golden file would approve itself (--force writes anyway)."
        )
    options = Options(
        paths=as_paths(paths),
        outputs=((None, outputs),) if outputs else (),
        expression=expression,
        allow_code=allow_code,
    )
    try:
        changes = bless(options, variant=variant)
    except KeyboardInterrupt:
        click.echo("interrupted: nothing was written", err=True)
        return 130
    for change in changes:
        click.echo(f"{change.kind.ljust(9)} {change.shown}")
        for line in change.diff:
            click.echo(f"  {line}")
    written = write(changes)
    kept = len(changes) - written
    click.echo(f"{written} golden {'file' if written == 1 else 'files'} written, {kept} unchanged")
    return 0
