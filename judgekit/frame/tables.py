"""Records in, tidy tables out.

`results.csv` and `Run.results`: one row per case × variant × trial × metric × judge, aggregated over samples and
orders. The columns are the fields of `ResultRow`, in this order. `cases.csv` and `Run.cases`: one row per case ×
variant × trial; the columns are the fields of `CaseRow`, with one column per metric after `output`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from judgekit.records import Status

if TYPE_CHECKING:
    from judgekit.frame.units import Unit


class ResultRow(NamedTuple):
    """One metric of one output."""

    run_id: str
    case_id: str
    agent: str
    variant: str
    against: str
    """Pairwise rows only: the variant compared with."""
    trial: int
    """From 0."""
    kind: str
    """check, rubric (deterministic) or judge."""
    metric: str
    """The YAML name; `rubric.item` for checklist and criteria rows."""
    required: bool
    status: Status
    cause: str | None
    """Why there is no result: of unscored, error and skipped."""
    passed: bool | None
    """None where no threshold decided."""
    score: float | None
    """None where there is no result, never 0 in its place."""
    label: str | None
    scale_min: float
    scale_max: float
    threshold: float | None
    reason: str
    flags: str
    """Joined by `;`."""
    judge: str | None
    judge_identity: str | None
    model_returned: str | None
    temperature: float | None
    """As applied; None where it was not."""
    n_samples: int | None
    """Readable samples behind the score."""
    score_sd: float | None
    """Spread of the samples; None under two."""
    cached: bool | None
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    cost_usd: float | None
    """Of the judge's calls for this row; None is unknown."""
    latency_s: float | None
    tags: str
    """Joined by `;`."""


class CaseRow(NamedTuple):
    """One output of one case."""

    run_id: str
    case_id: str
    suite: str
    agent: str
    variant: str
    trial: int
    status: str
    """pass, fail, error, skipped or negative_ok, of this trial."""
    cause: str | None
    reason: str
    """What decided, in words: the first failing or missing required metric."""
    input: str
    output: str | None
    output_hash: str
    target_model: str | None
    target_finish_reason: str | None
    target_input_tokens: int | None
    target_output_tokens: int | None
    target_cached_tokens: int | None
    target_reasoning_tokens: int | None
    target_cost_usd: float | None
    target_latency_s: float | None
    flags: str
    tags: str
    file: str
    line: int | None


@dataclass(frozen=True, eq=False)
class RunData:
    """Everything that reports show, as it stands in the run folder: plain JSON-ready rows and the two tables."""

    path: Path
    manifest: dict[str, Any]
    summary: dict[str, Any]
    outputs: list[dict[str, Any]]
    checks: list[dict[str, Any]]
    verdicts: list[dict[str, Any]]
    results: list[ResultRow]
    cases: list[CaseRow]

    @cached_property
    def units(self) -> list[Unit]:
        """One per case × variant, its trials folded: what counts, the gate and JUnit speak of."""
        from judgekit.frame.units import units_of

        return units_of(self.manifest, self.cases)
