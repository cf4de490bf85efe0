"""Cases with a golden file in; what their outputs would change, and the files written, out."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from judgekit.checks.base import NoResult
from judgekit.checks.golden import Golden
from judgekit.errors import InputError
from judgekit.pipeline.collecting import collect
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import make_plan
from judgekit.pool import Interrupts
from judgekit.reading.text import read_text, shown
from judgekit.writing import write_text


@dataclass(frozen=True, slots=True)
class Change:
    """What blessing one case means for its golden file."""

    path: Path
    kind: str
    """new, changed or unchanged, as the golden check sees it."""
    text: str
    diff: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The path as a person would write it."""
        return shown(self.path)


def bless(options: Options, *, variant: str | None = None) -> list[Change]:
    """What would change; nothing is written.

    Raises:
        InputError: no case has a golden file, several variants and none chosen, or a case without an output.
        KeyboardInterrupt: a person interrupted.
    """
    plan = make_plan(options)
    golden = {case.case_id: use.check for case in plan.cases for use in case.checks if isinstance(use.check, Golden)}
    if not golden:
        raise InputError("no case has a golden file: give one `golden: true`.")
    names = list(dict.fromkeys(job.variant for job in plan.jobs if job.case.case_id in golden))
    if variant is None and len(names) > 1:
        raise InputError(f"several variants answer these cases ({', '.join(names)}): choose one with --variant.")
    if variant is not None and variant not in names:
        raise InputError(f'--variant: there is no variant "{variant}"; there are {", ".join(names)}.')
    chosen = variant or names[0]
    # Nothing is asked, and perhaps paid, of cases that have no golden file.
    plan = replace(plan, jobs=tuple(job for job in plan.jobs if job.case.case_id in golden))
    plan.doors.raise_missing_keys(plan.live_targets)
    with plan.doors, Interrupts() as interrupts:
        collected = collect(plan, lambda job, output: None, interrupts)
    if collected.interrupted:
        raise KeyboardInterrupt
    if collected.stopped:
        raise collected.stopped
    changes = []
    for job, output in zip(plan.jobs, collected.outputs, strict=True):
        check = golden.get(job.case.case_id)
        if check is None or job.variant != chosen or job.trial:
            continue
        if output.text is None:
            raise InputError(f'case "{job.case.case_id}" has no output to bless: {output.message or output.cause}.')
        if not output.text.strip():
            raise InputError(f'case "{job.case.case_id}" has an empty output; an empty text can never pass.')
        changes.append(_change(check, output.text))
    return changes


def _change(check: Golden, text: str) -> Change:
    text = _written(check, text)
    if not check.path.exists():
        return Change(check.path, "new", text, tuple(f"+{line}" for line in text.splitlines()))
    old = read_text(check.path, what="golden file")
    if _normalized(check, old) == _normalized(check, text):
        return Change(check.path, "unchanged", text, ())
    old = _written(check, old)
    lines = difflib.unified_diff(old.splitlines(), text.splitlines(), "golden", "output", lineterm="")
    return Change(check.path, "changed", text, tuple(lines))


def _written(check: Golden, text: str) -> str:
    # A golden file is committed: what reports mask has no place in it, nor in the diff that a person sees.
    return (_normalized(check, text) if check.redact else text.rstrip()) + "\n"


def _normalized(check: Golden, text: str) -> str:
    try:
        return check.normalized(text)
    except NoResult as problem:
        raise InputError(f"{shown(check.path)}: {problem}.") from None


def write(changes: Sequence[Change]) -> int:
    """Write what is new or changed; how many files that was.

    Raises:
        InputError: a file cannot be written.
    """
    wanted = [change for change in changes if change.kind != "unchanged"]
    for change in wanted:
        try:
            change.path.parent.mkdir(parents=True, exist_ok=True)
            write_text(change.path, change.text)
        except OSError as problem:
            raise InputError(f"{change.shown}: cannot be written: {problem.strerror}.") from None
    return len(wanted)
