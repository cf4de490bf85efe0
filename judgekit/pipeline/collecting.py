"""Jobs in, outputs in the same order out; what was paid for is kept as it arrives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from judgekit.errors import RunStopped
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.sources import Job
from judgekit.pool import Interrupts, run_tasks
from judgekit.records import Output
from judgekit.targets.base import failed
from judgekit.targets.prompted import PromptTarget


@dataclass(frozen=True, slots=True)
class Collected:
    """The output of every job, and what ended the collecting early, if anything did."""

    outputs: list[Output]
    interrupted: bool
    stopped: RunStopped | None


def collect(plan: Plan, keep: Callable[[Job, Output], None], interrupts: Interrupts) -> Collected:
    """The output of every job.

    Args:
        plan: The jobs.
        keep: Called with each job and its output, recordings included, before it counts.
        interrupts: Ctrl-C so far.
    """
    asked = [job for job in plan.jobs if job.output is None]

    def work(job: Job) -> Output:
        assert job.target is not None
        return job.target.collect(job.case, job.trial)

    def lane(job: Job) -> Hashable:
        # A scripted model has one queue per case: its trials and variants keep their order.
        scripted = isinstance(job.target, PromptTarget) and job.target.stateful
        return job.case.case_id if scripted else id(job)

    pooled = run_tasks(
        asked,
        work,
        concurrency=plan.options.concurrency or plan.project.settings.concurrency,
        lane=lane,
        on_done=keep,
        interrupts=interrupts,
        label="outputs",
        progress=plan.options.progress,
    )
    answers = iter(pooled.results)
    outputs = []
    for job in plan.jobs:
        output = job.output
        if output is None:
            output = next(answers)
            if output is None:
                output = failed(job.case, job.variant, job.trial, *why_not(pooled.stopped))
        else:
            keep(job, output)
        outputs.append(output)
    return Collected(outputs, pooled.interrupted, pooled.stopped)


def why_not(stopped: RunStopped | None) -> tuple[str, str]:
    """Reason and cause of what was not done because the run ended early."""
    return (str(stopped), stopped.cause) if stopped else ("the run was interrupted", "interrupted")
