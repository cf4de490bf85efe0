"""The options that `score` and `estimate` share: what the user typed in, Options out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgekit.errors import InputError

if TYPE_CHECKING:
    from judgekit.pipeline.options import Options

_SHARED = (
    click.argument("paths", nargs=-1),
    click.option(
        "--judge", multiple=True, metavar="MODEL", help="Model that judges, such as gpt-4o; repeat for a panel."
    ),
    click.option(
        "--rubric", "rubrics", multiple=True, metavar="NAME|FILE", help="Rubric for every case; repeat for more."
    ),
    click.option(
        "--pairwise",
        multiple=True,
        metavar="NAME|FILE",
        help="Rubric by which outputs are compared in pairs.",
    ),
    click.option("--round-robin", is_flag=True, help="Compare every variant with every other, not with one only."),
    click.option("--model", metavar="MODEL", help="Model that answers the cases."),
    click.option(
        "--variant", "variants", multiple=True, metavar="NAME=PROMPT_FILE", help="Prompt variant; repeat for more."
    ),
    click.option("--against", metavar="VARIANT", help="Reference variant that the others are compared with."),
    click.option("--outputs", multiple=True, metavar="[VARIANT=]FILE", help="Recorded outputs: JSONL, CSV or Parquet."),
    click.option(
        "--map", "columns", multiple=True, metavar="OURS=THEIRS", help="Rename a column of the outputs files."
    ),
    click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders."),
    click.option("--run-id", metavar="ID", help="Name of the run folder; default: time and four characters."),
    click.option("--trials", type=int, metavar="N", help="Repeats of each case."),
    click.option("--judge-samples", type=int, metavar="N", help="How often the judge is asked about each output."),
    click.option("--canary", is_flag=True, help="Plant bad outputs that try to fool the judge."),
    click.option("--judge-all", is_flag=True, help="Judge outputs that failed their checks, too."),
    click.option("--concurrency", type=int, metavar="N", help="Calls at the same time."),
    click.option("--rpm", type=int, metavar="N", help="Calls of live models per minute."),
    click.option("--max-cost", type=float, metavar="USD", help="Stop before the call that could exceed this."),
    click.option("--api-base", metavar="URL", help="Address of the server that live models are asked at."),
    click.option("--no-cache", is_flag=True, help="Neither use nor keep replies of other runs."),
    click.option("--strict-params", is_flag=True, help="End the run if a model refuses a parameter."),
    click.option("--resume", metavar="RUN", help="Go on with an unfinished run; finished calls are not repeated."),
    click.option("--replay", metavar="RUN", help="Score outputs and verdicts of RUN by the files as they are now."),
    click.option("--seed", type=int, default=0, metavar="N", help="Seed asked of models."),
    click.option("-k", "expression", metavar="EXPR", help='Only cases that fit, such as "refund and not angry".'),
    click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; repeat for more."),
    click.option(
        "--only", metavar="failed|error|changed[:RUN]", help="Only what failed, has no result or changed since RUN."
    ),
    click.option(
        "--baseline", metavar="RUN|FILE", help="Hold the run to this one, or to none, in place of every case passing."
    ),
    click.option("--margin", type=float, metavar="X", help="With --baseline: largest drop of a judged metric."),
    click.option("--confirm", type=int, metavar="N", help="With --baseline: ask new judged failures N times more (3)."),
    click.option("--fail-under", metavar="RATE", help="Pass rate to reach, 0 to 1, in place of every case."),
    click.option("--no-gate", is_flag=True, help="Report only: failing cases do not change the exit code."),
    click.option("--otel", is_flag=True, help="Send results as OpenTelemetry events (extra otel)."),
    click.option("--allow-code", is_flag=True, help="Let scenario files run Python functions and commands."),
)


def run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the paths and options of a run, in the order of the table above."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def to_options(given: dict[str, Any], *, progress: bool) -> Options:
    """What was asked for.

    Args:
        given: The shared options by parameter name.
        progress: Whether to draw progress bars.

    Raises:
        InputError: a value that its option can't take.
    """
    from judgekit.pipeline.options import (
        Options,
        as_address,
        as_count,
        as_fail_under,
        as_margin,
        as_paths,
        as_times,
        as_usd,
    )

    return Options(
        paths=as_paths(given["paths"]),
        outputs=tuple(_outputs(one) for one in given["outputs"]),
        columns=given["columns"],
        judge=given["judge"],
        rubrics=given["rubrics"],
        pairwise=given["pairwise"],
        round_robin=given["round_robin"],
        canary=given["canary"],
        model=given["model"],
        variants=dict(_variant(one) for one in _once(given["variants"])),
        against=given["against"],
        trials=as_count("--trials", given["trials"]),
        judge_samples=as_count("--judge-samples", given["judge_samples"]),
        judge_all=given["judge_all"],
        out=given["out"],
        run_id=given["run_id"],
        concurrency=as_count("--concurrency", given["concurrency"]),
        rpm=as_count("--rpm", given["rpm"]),
        max_cost=as_usd("--max-cost", given["max_cost"]),
        api_base=as_address("--api-base", given["api_base"]),
        no_cache=given["no_cache"],
        strict_params=given["strict_params"],
        resume=given["resume"],
        replay=given["replay"],
        seed=given["seed"],
        expression=given["expression"],
        tags=given["tags"],
        only=given["only"],
        baseline=given["baseline"],
        margin=as_margin(given["margin"]),
        confirm=as_times(given["confirm"]),
        fail_under=as_fail_under(given["fail_under"]),
        no_gate=given["no_gate"],
        allow_code=given["allow_code"],
        otel=given["otel"],
        progress=progress,
        command=" ".join(["judgekit", *sys.argv[1:]]),
    )


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
