"""`judgekit compare`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from judgekit.cli.main import close_pipe
from judgekit.errors import InputError, JudgekitError

if TYPE_CHECKING:
    from judgekit.frame.compare import Comparison
    from judgekit.pipeline.result import Run


@click.command("compare")
@click.argument("runs", nargs=-1)
@click.option("--against", metavar="VARIANT", help="Reference variant; with two runs, that of the first.")
@click.option("--primary", metavar="METRIC", help="Metric that answers the question; pass_rate is the case pass rate.")
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="[METRIC=]SIZE",
    help="Loss that is accepted, such as 0.05 or 5%; repeat for more metrics.",
)
@click.option("--cluster", metavar="COLUMN", help="Column that names cases which are not independent.")
@click.option("--allow-mismatch", is_flag=True, help="Compare metrics although their definition or judge differs.")
@click.option("--require", type=click.Choice(["better"]), help="Exit 1 unless the primary metric is better.")
@click.option("--diff", is_flag=True, help="Show word by word what changed in the outputs of the listed cases.")
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), help="Also write Markdown for a pull request there."
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--runs", "out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
def command(
    runs: tuple[str, ...],
    against: str | None,
    primary: str | None,
    margins: tuple[str, ...],
    cluster: str | None,
    allow_mismatch: bool,
    require: str | None,
    diff: bool,
    summary: Path | None,
    as_json: bool,
    out: Path | None,
) -> int:
    """Compare the variants of one RUN, or two runs: RUN_A RUN_B asks whether B is better than A.

    A RUN is a path, a run id, latest or latest~1. Without any, latest is compared with latest~1; with --against, or
    if there is no earlier run, the variants of latest are compared with each other.

    Exit code 1: something is significantly worse, or worse by more than --margin, or not better where --require asks
    for it.
    """
    from judgekit.cli.terminal import echo_json
    from judgekit.pipeline.comparing import compare

    try:
        if len(runs) > 2:
            raise InputError(f"compare takes one run or two, not {len(runs)}.")
        first, second = _runs(runs, against, out)
        compared = compare(
            first,
            second,
            against=against,
            primary=primary,
            margin=_margin(margins, primary),
            cluster=cluster,
            allow_mismatch=allow_mismatch,
        )
        if not any(row["n"] for row in compared.rows):
            # A pipeline must not take "nothing was compared" for "nothing got worse".
            raise InputError("\n".join(("nothing was compared:", *compared.sentences, *compared.notes)))
    except JudgekitError as problem:
        if summary is not None:
            _write(summary, f"**judgekit could not compare**\n\n{textwrap.indent(str(problem), '    ')}\n")
        raise
    exit_code, reasons = compared.decide(require_better=require == "better")
    try:
        if as_json:
            echo_json({**compared.document, "exit_code": exit_code, "reasons": reasons})
        else:
            _show(compared, (second or first, first), exit_code, reasons, diff=diff)
    except BrokenPipeError:
        close_pipe()
    if summary is not None:
        from judgekit.reports.comparison import comparison_markdown

        _write(summary, comparison_markdown(compared.rows, compared.notes, exit_code, reasons))
    return exit_code


def _runs(names: tuple[str, ...], against: str | None, out: Path | None) -> tuple[Run, Run | None]:
    from judgekit.pipeline.stored import load_run

    if len(names) == 2:
        return load_run(names[0], out=out), load_run(names[1], out=out)
    if names or against is not None:
        return load_run(names[0] if names else "latest", out=out), None
    latest = load_run("latest", out=out)
    try:
        earlier = load_run("latest~1", out=out)
    except InputError:
        if len({unit.variant for unit in latest.data.units}) < 2:
            raise
        return latest, None
    return earlier, latest


def _margin(given: tuple[str, ...], primary: str | None) -> float | dict[str, float] | None:
    """One number for the primary metric, or a mapping by metric."""
    plain: float | None = None
    by_metric: dict[str, float] = {}
    for text in given:
        metric, equals, size = text.rpartition("=")
        value = _size(text, size)
        if equals:
            by_metric[metric] = value
        else:
            plain = value
    if not by_metric:
        return plain
    if plain is not None:
        if primary is None:
            raise InputError("--margin: name the metric of each size, such as --margin pass_rate=0.05.")
        by_metric.setdefault(primary, plain)
    return by_metric


def _size(given: str, text: str) -> float:
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise InputError(f"--margin {given}: a size such as 0.05 or 5% is wanted, or METRIC=SIZE.") from None
    return value


def _show(compared: Comparison, runs: tuple[Run, Run], exit_code: int, reasons: list[str], *, diff: bool) -> None:
    from judgekit.cli.comparison import comparison_lines
    from judgekit.cli.terminal import paint
    from judgekit.reports.wording import harmless

    texts = None
    if diff:
        sides = [{(row.variant, row.case_id, row.trial): row.output for row in run.data.cases} for run in runs]
        texts = {
            number: (
                {key[1:]: text for key, text in sides[0].items() if key[0] == one["variant"]},
                {key[1:]: text for key, text in sides[1].items() if key[0] == one["against"]},
            )
            for number, one in enumerate(compared.rows)
        }
    for line in comparison_lines(compared.rows, texts):
        click.echo(line)
    for note in compared.notes:
        click.echo(f"note: {harmless(note)}")
    if not exit_code:
        click.echo(f"{paint('no regression', 'passed')}: nothing is significantly worse")
    for reason in reasons:
        click.echo(f"{paint('regression', 'failed')}: {harmless(reason)}")


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as problem:
        raise InputError(f"--summary {path}: cannot be written: {problem.strerror}.") from None
