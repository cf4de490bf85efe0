"""`judgekit score`."""

from __future__ import annotations

import gc
import re
import sys
from pathlib import Path
from typing import Any

import click

from judgekit.cli.main import close_pipe
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
@click.argument("paths", nargs=-1)
@click.option("--judge", multiple=True, metavar="MODEL", help="Model that judges, such as gpt-4o; repeat for a panel.")
@click.option("--rubric", "rubrics", multiple=True, metavar="NAME|FILE", help="Rubric for every case; repeat for more.")
@click.option("--model", metavar="MODEL", help="Model that answers the cases.")
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME=PROMPT_FILE", help="Prompt variant; repeat for more."
)
@click.option("--against", metavar="VARIANT", help="Reference variant that the others are compared with.")
@click.option("--outputs", multiple=True, metavar="[VARIANT=]FILE", help="Recorded outputs: JSONL, CSV or Parquet.")
@click.option("--map", "columns", multiple=True, metavar="OURS=THEIRS", help="Rename a column of the outputs files.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--run-id", metavar="ID", help="Name of the run folder; default: time and four characters.")
@click.option("--trials", type=int, metavar="N", help="Repeats of each case.")
@click.option("--judge-samples", type=int, metavar="N", help="How often the judge is asked about each output.")
@click.option("--judge-all", is_flag=True, help="Judge outputs that failed their checks, too.")
@click.option("--concurrency", type=int, metavar="N", help="Calls at the same time.")
@click.option("--rpm", type=int, metavar="N", help="Calls of live models per minute.")
@click.option("--max-cost", type=float, metavar="USD", help="Stop before the call that could exceed this.")
@click.option("--api-base", metavar="URL", help="Address of the server that live models are asked at.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep replies of other runs.")
@click.option("--strict-params", is_flag=True, help="End the run if a model refuses a parameter.")
@click.option("--resume", metavar="RUN", help="Go on with an unfinished run; finished calls are not repeated.")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed asked of models.")
@click.option("-k", "expression", metavar="EXPR", help='Only cases that fit, such as "refund and not angry".')
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; repeat for more.")
@click.option("--fail-under", metavar="RATE", help="Pass rate to reach, 0 to 1, in place of every case.")
@click.option("--no-gate", is_flag=True, help="Report only: failing cases do not change the exit code.")
@click.option(
    "--summary", type=click.Path(dir_okay=False, path_type=Path), help="Also write the Markdown summary there."
)
@click.option("--allow-code", is_flag=True, help="Let scenario files run Python functions and commands.")
@click.option("--json", "as_json", is_flag=True, help="Print summary.json instead of the table.")
@click.option("-q", "--quiet", is_flag=True, help="Print the decision and the report's path only.")
@click.option("-v", "--verbose", is_flag=True, help="Print every case.")
def command(
    paths: tuple[str, ...],
    judge: tuple[str, ...],
    rubrics: tuple[str, ...],
    model: str | None,
    variants: tuple[str, ...],
    against: str | None,
    outputs: tuple[str, ...],
    columns: tuple[str, ...],
    out: Path | None,
    run_id: str | None,
    trials: int | None,
    judge_samples: int | None,
    judge_all: bool,
    concurrency: int | None,
    rpm: int | None,
    max_cost: float | None,
    api_base: str | None,
    no_cache: bool,
    strict_params: bool,
    resume: str | None,
    seed: int,
    expression: str | None,
    tags: tuple[str, ...],
    fail_under: str | None,
    no_gate: bool,
    summary: Path | None,
    allow_code: bool,
    as_json: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Score outputs by scenario files: checks first, then the judge, then the gate.

    PATHS are scenario files and folders; default is scenarios/.
    """
    from judgekit.cli.show import show_run
    from judgekit.pipeline.options import Options, as_count, as_fail_under, as_paths
    from judgekit.pipeline.run import run

    # Records live to the end of the run: looking through them for garbage again and again took a quarter of it.
    gc.set_threshold(200_000, 50, 100)
    try:
        options = Options(
            paths=as_paths(paths),
            outputs=tuple(_outputs(one) for one in outputs),
            columns=columns,
            judge=judge,
            rubrics=rubrics,
            model=model,
            variants=dict(_variant(one) for one in _once(variants)),
            against=against,
            trials=as_count("--trials", trials),
            judge_samples=as_count("--judge-samples", judge_samples),
            judge_all=judge_all,
            out=out,
            run_id=run_id,
            concurrency=as_count("--concurrency", concurrency),
            rpm=as_count("--rpm", rpm),
            max_cost=max_cost,
            api_base=api_base,
            no_cache=no_cache,
            strict_params=strict_params,
            resume=resume,
            seed=seed,
            expression=expression,
            tags=tags,
            fail_under=as_fail_under(fail_under),
            no_gate=no_gate,
            allow_code=allow_code,
            progress=not quiet,
            command=" ".join(["judgekit", *sys.argv[1:]]),
        )
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
    if summary is not None:
        try:
            _write(summary, (finished.path / "summary.md").read_text(encoding="utf-8"))
        except OSError as problem:
            raise InputError(f"--summary {summary}: cannot be written: {problem.strerror}.") from None
    return finished.decision.exit_code


def _write_failure(summary: Path | None, problem: str) -> None:
    if summary is None:
        return
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", problem)), default=0))
    try:
        _write(summary, f"**judgekit could not run**\n\n{fence}\n{problem}\n{fence}\n")
    except OSError as second:
        click.echo(f"warning: --summary {summary}: cannot be written: {second.strerror}", err=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="replace")


def _outputs(text: str) -> tuple[str | None, Path]:
    """`VARIANT=FILE` or `FILE`; a file whose own name holds `=` is taken as it is."""
    name, equals, path = text.partition("=")
    if equals and name and not Path(text).exists() and "/" not in name:
        return name, Path(path)
    return None, Path(text)


def _variant(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise InputError(f"--variant {text}: write NAME=PROMPT_FILE, such as v2=prompts/v2.j2.")
    return name, path


def _once(variants: tuple[str, ...]) -> tuple[str, ...]:
    names = [text.partition("=")[0] for text in variants]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'--variant: "{name}" is given twice.')
    return variants
