"""`--only failed|error|changed[:RUN]` and a plan in; the plan of those cases alone out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.units import units_of
from judgekit.pipeline.describe import describe
from judgekit.pipeline.plan import Plan, out_folder
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.stored import read_cases, read_manifest, read_results, read_summary
from judgekit.store import find_run
from judgekit.texts.scrubbing import secret_values

KINDS = ("failed", "error", "changed")
_OF_CASE = ("hash", "asks", "metrics", "outputs", "should_pass", "trials")
_NOTHING = {
    "failed": "no case of these failed in {run}",
    "error": "every result of these cases is there in {run}",
    "changed": "nothing of these cases changed since {run}",
}


def base_of(only: str | None) -> str | None:
    """The name of the run that a selection looks at; None where there is no selection.

    Raises:
        InputError: it is none of the three.

    Example:
        >>> base_of("failed"), base_of("changed:latest~2"), base_of(None)
        ('latest', 'latest~2', None)
    """
    if only is None:
        return None
    kind, colon, run = only.partition(":")
    if kind not in KINDS or (colon and not run):
        hint = did_you_mean(kind, KINDS) if kind not in KINDS else ""
        raise InputError(f"--only {only}: write failed, error or changed, or with a run such as failed:latest~1.{hint}")
    return run or "latest"


def narrowed(plan: Plan) -> Plan:
    """The plan of the cases that `--only` names; the plan itself without it.

    `failed`: what failed in RUN under a variant that the gate counts. `error`: what has a missing result there.
    `changed`: what would be asked, answered or scored otherwise than there, and what is new.

    Raises:
        InputError: there is no such selection or run, the run is not whole, or no case is left.
    """
    run = base_of(plan.options.only)
    if run is None:
        return plan
    folder = find_run(run, out_folder(plan.project, plan.options))
    kind = str(plan.options.only).partition(":")[0]
    find = {"failed": _failed, "error": _without_result, "changed": _changed}[kind]
    wanted = set(find(plan, folder))
    chosen = [
        replace(suite, cases=tuple(case for case in suite.cases if case.case_id in wanted)) for suite in plan.suites
    ]
    suites = tuple(suite for suite in chosen if suite.cases)
    if not suites:
        raise InputError(f"--only {plan.options.only}: nothing to run: {_NOTHING[kind].format(run=folder.name)}.")
    return replace(plan, suites=suites, jobs=tuple(job for job in plan.jobs if job.case.case_id in wanted))


def _failed(plan: Plan, folder: Path) -> Iterator[str]:
    gated: Mapping[str, Any] = read_summary(folder)["gated"]
    for unit in units_of(read_manifest(folder), read_cases(folder)):
        if unit.status == "fail" and unit.variant in gated.get(unit.suite, ()):
            yield unit.case_id


def _without_result(plan: Plan, folder: Path) -> Iterator[str]:
    read_summary(folder)
    yield from (row.case_id for row in read_cases(folder) if row.status == "error")
    for row in read_results(folder):
        stopped = row.status == "skipped" and row.cause in ("budget", "interrupted")
        if row.status in ("error", "unscored") or stopped:
            yield row.case_id


def _changed(plan: Plan, folder: Path) -> Iterator[str]:
    then = read_manifest(folder)
    # Through JSON, as the other one came: tuples are lists there.
    now = json.loads(
        json.dumps(describe(plan, "", "", Masker(plan.project.settings.redact, secret_values())), default=str)
    )
    asked_otherwise = _suites_asked_otherwise(then, now)
    decides = {
        name
        for name, one in now["metrics"].items()
        if (then.get("metrics") or {}).get(name, one)["required"] != one["required"]
    }
    judged = {name for name, one in now["metrics"].items() if one["kind"] == "judge"}
    for suite in plan.suites:
        judges = _of_suite(then, suite.name).get("judge") != _of_suite(now, suite.name).get("judge")
        for case in suite.cases:
            old, new = then["cases"].get(case.case_id), now["cases"][case.case_id]
            metrics = new["metrics"].keys()
            if (
                old is None
                or suite.name in asked_otherwise
                or any(old.get(key) != new.get(key) for key in _OF_CASE)
                or metrics & decides
                or (judges and metrics & judged)
            ):
                yield case.case_id


def _of_suite(manifest: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return next((one for one in manifest["suites"] if one["name"] == name), {})


def _suites_asked_otherwise(then: Mapping[str, Any], now: Mapping[str, Any]) -> set[str]:
    """Suites with a variant whose prompt, model, parameters or program are others."""
    old, new = (
        {
            (one["suite"], one["variant"]): {key: one[key] for key in one if key != "params_applied"}
            for one in manifest.get("prompts") or ()
        }
        for manifest in (then, now)
    )
    return {key[0] for key in new if old.get(key) != new[key]}
