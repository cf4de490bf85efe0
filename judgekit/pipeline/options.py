"""What a caller asks of one run; the command line and Python fill the same record."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.reading.forms import as_exact
from judgekit.records import NO_FIELDS, Case


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Options:
    """One run as it is asked for; None means: as the scenario file or the settings say."""

    paths: tuple[Path, ...] = ()
    """Scenario files and folders; empty: `scenarios/`, or none if the outputs files bring inputs."""
    outputs: tuple[tuple[str | None, Path], ...] = ()
    """Outputs files with the variant that each holds (None: as its rows say)."""
    frame: Any = None
    """Outputs as a DataFrame."""
    columns: tuple[str, ...] = ()
    """Renamings of outputs columns, as given to --map."""
    judge: tuple[str, ...] = ()
    rubrics: tuple[str, ...] = ()
    pairwise: tuple[str, ...] = ()
    """Rubrics by which outputs are compared in pairs."""
    round_robin: bool = False
    """Whether every variant is compared with every other, not only with the reference variant."""
    model: str | None = None
    variants: Mapping[str, str] = field(default_factory=lambda: NO_FIELDS)
    """Variant name -> prompt file."""
    target: Callable[[Case], Any] | None = None
    """Python function that answers every case."""
    tools: Mapping[str, Callable[..., Any]] = field(default_factory=lambda: NO_FIELDS)
    """Python functions that answer an agent's tool calls, by name."""
    canary: bool = False
    """Whether bad outputs are planted to see if a judge falls for them."""
    against: str | None = None
    trials: int | None = None
    judge_samples: int | None = None
    judge_all: bool = False
    out: Path | None = None
    run_id: str | None = None
    concurrency: int | None = None
    seed: int = 0
    expression: str | None = None
    """Selection as given to -k."""
    tags: tuple[str, ...] = ()
    only: str | None = None
    """Rerun of what failed, has no result or changed, as given to --only."""
    baseline: str | None = None
    """Run or file whose results this run is held to, in place of the default gate."""
    margin: float | None = None
    """Drop of a judged metric that the gate accepts at most; None: only a significant drop counts."""
    confirm: int | None = None
    """How often a new judged failure is asked again; None: three times."""
    fail_under: Fraction | None = None
    no_gate: bool = False
    allow_code: bool = False
    api_base: str | None = None
    """Address of the server that live models are asked at."""
    rpm: int | None = None
    max_cost: float | None = None
    """Budget of the run in USD."""
    no_cache: bool = False
    strict_params: bool = False
    """Whether a parameter that a model refuses ends the run."""
    resume: str | None = None
    """Run to go on with."""
    replay: str | None = None
    """Run whose outputs and replies are scored again, without a call."""
    otel: bool = False
    """Whether events are sent even if the environment names no OTLP endpoint."""
    progress: bool = False
    command: str = ""
    """The command line, for the manifest."""
    clock: Callable[[], datetime] = _utc_now
    """When it is; fixed where a run has to come out the same, byte for byte."""


def as_paths(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The paths of scenario files and folders.

    Raises:
        InputError: an empty one, as an unset variable of a shell leaves it; it would mean the whole working folder.
    """
    given = tuple(paths)
    if any(not str(path).strip() for path in given if isinstance(path, str)):
        raise InputError("a path is empty: is a variable of the shell not set?")
    return tuple(Path(path) for path in given)


def as_fail_under(value: Any) -> Fraction | None:
    """The rate of --fail-under, between 0 and 1.

    Raises:
        InputError: no number, or outside.
    """
    if value is None:
        return None
    try:
        rate = as_exact(value)
    except ValueError as problem:
        raise InputError(f"--fail-under {problem}.") from None
    if not 0 <= rate <= 1:
        raise InputError(f"--fail-under is a rate between 0 and 1, not {value}.")
    return rate


def as_count(name: str, value: int | None) -> int | None:
    """The number of a flag that must be at least 1.

    Raises:
        InputError: below 1.
    """
    if value is not None and value < 1:
        raise InputError(f"{name} must be at least 1, not {value}.")
    return value


def as_usd(name: str, value: float | None) -> float | None:
    """The amount of a flag, in USD; 0 allows replies from the cache alone.

    Raises:
        InputError: below 0, or no amount.
    """
    if value is not None and not 0 <= value < math.inf:
        raise InputError(f"{name} must be an amount in USD such as 2.50, not {value}.")
    return value


def as_margin(value: float | None) -> float | None:
    """The margin of --margin, in units of the metric: a share of the cases that pass, or points of a score.

    Raises:
        InputError: below 0, or no amount.
    """
    if value is not None and not 0 <= value < math.inf:
        raise InputError(f"--margin must be a drop of at least 0 such as 0.05, not {value}.")
    return value


def as_times(value: int | None) -> int | None:
    """The number of --confirm; 0 asks nobody again.

    Raises:
        InputError: below 0.
    """
    if value is not None and value < 0:
        raise InputError(f"--confirm must be at least 0, not {value}.")
    return value


def as_address(name: str, value: str | None) -> str | None:
    """The address of a server.

    Raises:
        InputError: no address, such as an unset variable of the shell leaves it; calls would go somewhere else.
    """
    if value is not None and not re.match(r"https?://[^/\s]", value):
        raise InputError(f'{name} must be an address such as http://127.0.0.1:8080/v1, not "{value}".')
    return value
