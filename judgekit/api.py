"""The functions that Python code calls: a run, a stored run, a comparison."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.pipeline.comparing import compare
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
from judgekit.pipeline.result import Run
from judgekit.pipeline.run import run as _run
from judgekit.pipeline.stored import load_run
from judgekit.records import Case

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["compare", "load_run", "score"]

Paths = str | Path | Iterable[str | Path] | None


def score(
    paths: Paths = None,
    *,
    judge: str | Iterable[str] | None = None,
    rubrics: str | Iterable[str] = (),
    pairwise: str | Iterable[str] = (),
    round_robin: bool = False,
    canary: bool = False,
    outputs: pd.DataFrame | str | Path | Mapping[str, str | Path] | None = None,
    map: Mapping[str, str] | None = None,
    target: Callable[[Case], Any] | None = None,
    tools: Mapping[str, Callable[..., Any]] | None = None,
    model: str | None = None,
    variants: Mapping[str, str | Path] | None = None,
    against: str | None = None,
    out: str | Path | None = None,
    run_id: str | None = None,
    trials: int | None = None,
    judge_samples: int | None = None,
    judge_all: bool = False,
    concurrency: int | None = None,
    rpm: int | None = None,
    max_cost: float | None = None,
    api_base: str | None = None,
    seed: int = 0,
    no_cache: bool = False,
    strict_params: bool = False,
    resume: str | Path | None = None,
    replay: str | Path | None = None,
    select: str | None = None,
    tags: Iterable[str] = (),
    only: str | None = None,
    baseline: str | Path | None = None,
    margin: float | None = None,
    confirm: int | None = None,
    fail_under: float | str | None = None,
    no_gate: bool = False,
    allow_code: bool = False,
    otel: bool = False,
    progress: bool = False,
) -> Run:
    """Score outputs by scenarios, write the run folder, and return the run.

    Args:
        paths: Scenario files or folders; default `scenarios/`, or no scenario if `outputs` brings an `input` column.
        judge: Model that judges: a name that litellm knows such as `gpt-4o`, `faux` or `replay:PATH`; several make a
            panel.
        rubrics: Rubrics for every case, by name or file.
        pairwise: Rubrics by which outputs are compared in pairs, each pair in both orders; pointwise judging is then
            left out unless `rubrics` are given, too.
        round_robin: Whether every variant is compared with every other, not only with the reference variant.
        canary: Whether bad outputs are planted to see if a judge falls for them.
        outputs: Recorded outputs: a DataFrame, a file, or files by variant. Columns are those of an outputs file.
        map: Renamings, ours to theirs: `{"input": "question", "output:v1": "answer_v1"}`.
        target: Function that answers a case with a text, or a mapping with `output`.
        tools: Functions that answer an agent's tool calls, by name; a case's scripted results come first.
        model: Model that answers the cases.
        variants: Prompt file by variant name.
        against: Reference variant; with `pairwise` also `reference`, the reference answer of each case.
        out: Folder of the run folders; default as the settings say, else `reports`.
        run_id: Name of the run folder.
        trials: Repeats of each case, at least 1.
        judge_samples: How often the judge is asked about each output, at least 1.
        judge_all: Whether to judge outputs that failed their checks.
        concurrency: Calls at the same time, at least 1.
        rpm: Calls of live models per minute, at least 1.
        max_cost: Most that the run may cost, in USD; it ends before the call that could exceed it.
        api_base: Address of the server that live models are asked at, such as `http://127.0.0.1:8080/v1`.
        seed: Seed asked of models.
        no_cache: Whether replies of other runs are neither used nor kept.
        strict_params: Whether a parameter that a model refuses ends the run.
        resume: Unfinished run to go on with, by path, id or `latest`; its finished calls are not repeated.
        replay: Run whose outputs and verdicts are scored again by the files as they are now, without a call.
        select: Selection as given to `-k`.
        tags: Only cases with one of these tags.
        only: `failed`, `error` or `changed`, or with a run such as `failed:latest~1`: rerun of that selection.
        baseline: File or run that this run is held to, in place of every case passing.
        margin: Largest drop of a judged metric from the baseline; without it only a significant one counts.
        confirm: How often a new judged failure is asked again; three times by default.
        fail_under: Pass rate to reach, 0 to 1, in place of every case passing.
        no_gate: Whether failing cases leave the exit code at 0.
        allow_code: Whether scenario files may run Python functions and commands.
        otel: Whether results are sent as OpenTelemetry events even if the environment names no OTLP endpoint.
        progress: Whether to draw progress bars on stderr.

    Returns:
        Run with `.results`, `.cases`, `.verdicts` (DataFrames), `.summary`, `.decision` and `.path`.

    Raises:
        InputError: the files or arguments are wrong; nothing was run and nothing spent.
        RunStopped: the environment lacks the key of a live model; nothing was run. A run that is stopped later, by
            `max_cost` or a refused key, is returned with what was done; its decision has exit code 3.
    """
    files: tuple[tuple[str | None, Path], ...] = ()
    frame = None
    if isinstance(outputs, str | Path):
        files = ((None, Path(outputs)),)
    elif isinstance(outputs, Mapping):
        files = tuple((name, Path(path)) for name, path in outputs.items())
    elif outputs is not None:
        if "pandas" not in sys.modules or not hasattr(outputs, "to_dict"):
            raise InputError(f"outputs must be a DataFrame, a path or a mapping, not {type(outputs).__name__}.")
        frame = outputs
    return _run(
        Options(
            paths=_paths(paths),
            outputs=files,
            frame=frame,
            columns=tuple(f"{ours}={theirs}" for ours, theirs in (map or {}).items()),
            judge=_texts(judge),
            rubrics=_texts(rubrics),
            pairwise=_texts(pairwise),
            round_robin=round_robin,
            canary=canary,
            model=model,
            variants={name: str(path) for name, path in (variants or {}).items()},
            target=target,
            tools=tools or {},
            against=against,
            trials=as_count("trials", trials),
            judge_samples=as_count("judge_samples", judge_samples),
            judge_all=judge_all,
            out=None if out is None else Path(out),
            run_id=run_id,
            concurrency=as_count("concurrency", concurrency),
            rpm=as_count("rpm", rpm),
            max_cost=as_usd("max_cost", max_cost),
            api_base=as_address("api_base", api_base),
            seed=seed,
            no_cache=no_cache,
            strict_params=strict_params,
            resume=None if resume is None else str(resume),
            replay=None if replay is None else str(replay),
            expression=select,
            tags=_texts(tags),
            only=only,
            baseline=None if baseline is None else str(baseline),
            margin=as_margin(margin),
            confirm=as_times(confirm),
            fail_under=as_fail_under(fail_under),
            no_gate=no_gate,
            allow_code=allow_code,
            otel=otel,
            progress=progress,
            command="judgekit.score",
        )
    )


def _paths(paths: Paths) -> tuple[Path, ...]:
    if paths is None:
        return ()
    return as_paths((paths,) if isinstance(paths, str | Path) else paths)


def _texts(values: str | Iterable[str] | None) -> tuple[str, ...]:
    if values is None:
        return ()
    return (values,) if isinstance(values, str) else tuple(values)
