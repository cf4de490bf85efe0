"""An unfinished run and a new plan in; whether the run may go on, and what it has already, out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.pipeline.sources import Job
from judgekit.reading.text import read_text, shown
from judgekit.store import read_stream
from judgekit.targets.http import HttpTarget
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
    except (ValueError, RecursionError):
        then = None
    if not isinstance(then, dict):
        raise InputError(f"{shown(folder / 'manifest.json')}: is damaged; start a new run.")
    # Through JSON, as the other one came: tuples are lists there.
    now = json.loads(json.dumps(now, default=str))
    changed = [
        *_entries("case", then.get("cases", {}), now["cases"], _OF_CASE),
        *_entries("metric", then.get("metrics", {}), now["metrics"], ("hash",)),
        *(f"{name} was {then.get(name)!r}, is {now[name]!r}" for name in _SCALARS if then.get(name) != now[name]),
        *_entries("suite", _named(then.get("suites", ())), _named(now["suites"])),
        *_entries("prompt", _named(then.get("prompts", ())), _named(now["prompts"])),
        *_addresses(then.get("addresses", {}), now["addresses"]),
    ]
    if changed:
        listed = "\n".join(f"- {one}" for one in changed[:20]) + ("\n- …" if len(changed) > 20 else "")
        raise InputError(
            f"--resume: {folder.name} can't go on, because this changed since:\n{listed}\nStart a new run."
        )


_SCALARS = ("seed", "judge_samples")
_OF_CASE = ("hash", "outputs", "trials", "should_pass")
# What is only known at the end.
_FOUND = frozenset(("params_applied",))
_HASHES = frozenset(("hash", "outputs"))


def _named(entries: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {'" "'.join(str(one[key]) for key in ("name", "suite", "variant") if key in one): one for one in entries}


def _entries(
    what: str, then: Mapping[str, Any], now: Mapping[str, Any], keys: Sequence[str] | None = None
) -> Iterator[str]:
    """What is gone, new or another among named entries; `keys`: what to compare, None: everything."""
    for name in {**then, **now}:
        if name not in now:
            yield f'{what} "{name}" is gone'
        elif name not in then:
            yield f'{what} "{name}" is new'
        else:
            old, new = then[name], now[name]
            for key in keys or dict.fromkeys((*old, *new)):
                if key not in _FOUND and old.get(key) != new.get(key):
                    yield f'{what} "{name}" {_change(key, old.get(key), new.get(key))}'


def _change(key: str, old: Any, new: Any) -> str:
    if key in _HASHES:
        return "has other outputs" if key == "outputs" else "is another"
    return f"has {key} {json.dumps(new, ensure_ascii=False)}, had {json.dumps(old, ensure_ascii=False)}"


def _addresses(then: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    # A model of one of them alone is another judge or variant, which is said as such.
    for name in [name for name in then if name in now]:
        if then[name] != now[name]:
            yield f'model "{name}" is asked at another address'


@dataclass(frozen=True, slots=True)
class Finished:
    """What an unfinished run has already."""

    jobs: tuple[Job, ...]
    """All jobs of the run; those that are finished with their output."""
    rows: tuple[dict[str, Any], ...]
    """The records of these outputs."""


def finished(jobs: Iterable[Job], folder: Path) -> Finished:
    """The outputs that a run has already, where no ledger holds them: of programs, functions and servers.

    Raises:
        InputError: `outputs.jsonl` is damaged.
    """
    rows = {place(row): row for row in read_stream(folder, "outputs", needed=False)}
    found, kept = [], []
    for job in jobs:
        row = rows.get((job.case.case_id, job.variant, job.trial))
        if row is not None and row.get("output") is not None and job.output is None and _is_asked_anew(job):
            try:
                output = recording(row, "outputs.jsonl", 0).output
            except ValueError as problem:
                raise InputError(f"{shown(folder / 'outputs.jsonl')}: is damaged: {problem}.") from None
            # What an endpoint answered was paid for, and whether its price is known is said of the whole run.
            job = replace(job, output=replace(output, live=isinstance(job.target, HttpTarget)))
            kept.append(row)
        found.append(job)
    return Finished(tuple(found), tuple(kept))


def place(row: Mapping[str, Any]) -> tuple[str, str, int]:
    """Which output a record of outputs.jsonl is."""
    return row["case_id"], row["variant"], row["trial"]


def _is_asked_anew(job: Job) -> bool:
    return not isinstance(job.target, PromptTarget)
