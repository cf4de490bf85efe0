"""`judgekit drift`."""

from __future__ import annotations

from fractions import Fraction

import click


@click.command("drift")
@click.argument("agent", required=False)
@click.option(
    "--outputs",
    required=True,
    metavar="DIR|FILE",
    help="Live outputs: JSONL, CSV or Parquet with columns case_id (or input) and output, or a folder of <case>.md.",
)
@click.option("--map", "columns", multiple=True, metavar="OURS=THEIRS", help="Name a column, as output=answer; repeat.")
@click.option(
    "--tolerate",
    default="0",
    metavar="N|SHARE",
    help='Rows of an agent that may drift: a number, or a share such as "2%". Default 0.',
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def command(agent: str | None, outputs: str, columns: tuple[str, ...], tolerate: str, as_json: bool) -> int:
    """Compare live outputs with the format that their agent declares (`format: scarlet/1`); asks no model.

    AGENT is the agent whose outputs the file holds. Without it the column `agent` decides, then the fixture of that id,
    then the only agent that declares a format.

    An output conforms if it meets the format. A rubric reads it blindly if it gives a score although the format is not
    met, or although it finds nothing to count (no triples, no claims, no decisions, no sections, nothing it can parse):
    such a score, 0 or 1, says nothing about quality. An output drifts if it does not conform or is read blindly.

    Exit codes: 0 no more rows drift than tolerated, 1 more do, 2 mistake in files or arguments, 3 undecided: rows
    without an output (failed calls) could exceed what is tolerated.
    """
    from judgekit.cli.show_drift import show_drift
    from judgekit.config import load_project
    from judgekit.pipeline.options import as_paths
    from judgekit.release.drift import find_drift

    found = find_drift(
        load_project(), as_paths((outputs,))[0], agent=agent, columns=columns, tolerated=_tolerated(tolerate)
    )
    show_drift(found, as_json=as_json)
    return found.exit_code


def _tolerated(text: str) -> Fraction | int:
    from judgekit.config import as_max_errors
    from judgekit.errors import InputError

    try:
        return as_max_errors(text)
    except ValueError as problem:
        raise InputError(f"--tolerate {problem}.") from None
