"""An unfinished run and a new plan in; whether the run may go on, and what it has already, out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.pipeline.sources import Job
from judgekit.reading.text import read_text, shown
from judgekit.store import read_rows
from judgekit.targets.prompted import PromptTarget
from judgekit.targets.recorded import recording


def raise_changed(folder: Path, now: Mapping[str, Any]) -> None:
    """Raise if the run was started with other scenarios, prompts or judges: its calls would not be the same ones.

    Args:
        folder: The run folder.
        now: The manifest that the plan would start with.

    Raises:
        InputError: everything that changed, by name; or the manifest can't be read.
    """
    try:
        then = json.loads(read_text(folder / "manifest.json"))
    except ValueError:
        raise InputError(f"{shown(folder / 'manifest.json')}: is damaged; start a new run.") from None
    # Through JSON, as the other one came: tuples are lists there.
    now = json.loads(json.dumps(now, default=str))
    changed = [
        *_hashes("case", then.get("cases", {}), now["cases"]),
        *_hashes("metric", then.get("metrics", {}), now["metrics"]),
        *(f"{name} was {then.get(name)!r}, is {now[name]!r}" for name in _SCALARS if then.get(name) != now[name]),
        *_entries("suite", then.get("suites", []), now["suites"]),
        *_entries("prompt", then.get("prompts", []), now["prompts"]),
    ]
    if changed:
        listed = "\n".join(f"- {one}" for one in changed[:20]) + ("\n- …" if len(changed) > 20 else "")
        raise InputError(
            f"--resume: {folder.name} can't go on, because this changed since:\n{listed}\nStart a new run."
        )


_SCALARS = ("seed", "judge_samples")


def _hashes(what: str, then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterable[str]:
    for name in {**then, **now}:
        if name not in now:
            yield f'{what} "{name}" is gone'
        elif name not in then:
            yield f'{what} "{name}" is new'
        elif then[name].get("hash") != now[name].get("hash") or then[name].get("trials") != now[name].get("trials"):
            yield f'{what} "{name}" is another'


def _entries(what: str, then: list[Mapping[str, Any]], now: list[Mapping[str, Any]]) -> Iterable[str]:
    old, new = ({_name(one): one for one in entries} for entries in (then, now))
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield f"{what} {name}"


def _name(entry: Mapping[str, Any]) -> str:
    return " ".join(f'"{entry[key]}"' for key in ("name", "suite", "variant") if key in entry)


def with_finished(jobs: Iterable[Job], folder: Path) -> list[Job]:
    """The jobs with the outputs that the run has already, where no ledger holds them: programs, functions, servers."""
    rows = {(row["case_id"], row["variant"], row["trial"]): row for row in read_rows(folder / "outputs.jsonl")}
    found = []
    for job in jobs:
        row = rows.get((job.case.case_id, job.variant, job.trial))
        if row is not None and row["output"] is not None and job.output is None and _is_asked_anew(job):
            job = replace(job, output=recording(row, "outputs.jsonl", 0).output)
        found.append(job)
    return found


def _is_asked_anew(job: Job) -> bool:
    return not isinstance(job.target, PromptTarget)
