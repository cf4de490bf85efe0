"""A run that ends in; the earlier run of the same cases to look back at, and what flipped since, out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from judgekit.errors import InputError
from judgekit.frame.flips import Earlier, flips
from judgekit.frame.tables import CaseRow
from judgekit.frame.units import Unit
from judgekit.pipeline.stored import read_cases, read_manifest
from judgekit.reading.text import read_text
from judgekit.store import find_run, runs_before

_RUNS_BACK = 10


def since(
    path: Path, manifest: Mapping[str, Any], cases: Sequence[CaseRow], units: Sequence[Unit], *, base: str | None
) -> dict[str, Any] | None:
    """What became of the cases since an earlier run of the same suites; None where there is none.

    Args:
        path: The folder of this run.
        manifest: Its manifest.
        cases: Its rows.
        units: Its case × variant units.
        base: For a rerun of a selection, the name of the run that it was selected by; None: the last runs are looked
            through for the one that has most of these cases, of equal ones the newest.
    """
    if base is not None:
        try:
            before = _read(base, find_run(base, path.parent))
        except (InputError, ValueError, TypeError, KeyError):
            return None
        return flips(manifest, cases, units, before, selected=True)
    chosen = _chosen(path, manifest)
    if chosen is None:
        return None
    try:
        before = _read(*chosen)
        return flips(manifest, cases, units, before, selected=bool(manifest.get("selection")))
    except (InputError, ValueError, TypeError, KeyError):
        # Somebody else's folder, or a damaged one: no reason to spoil this run.
        return None


def _chosen(path: Path, manifest: Mapping[str, Any]) -> tuple[str, Path] | None:
    mine = _places(manifest)
    best: tuple[int, str, Path] | None = None
    for back, folder in enumerate(reversed(runs_before(path)[-_RUNS_BACK:]), start=1):
        try:
            other = json.loads(read_text(folder / "manifest.json"))
            shared = len(mine & _places(other))
            partial = json.loads(read_text(folder / "summary.json")).get("partial")
        except (InputError, ValueError, TypeError, KeyError, AttributeError):
            continue
        # An unfinished run has no result for most cases: nothing could flip.
        if shared and not partial and (best is None or shared > best[0]):
            best = (shared, f"latest~{back}", folder)
        if best is not None and best[0] == len(mine):
            break
    return None if best is None else best[1:]


def _places(manifest: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Cases with the hash of their input: another suite may use the same ids for other things."""
    return {(case_id, str((one.get("asks") or [None])[0])) for case_id, one in manifest["cases"].items()}


def _read(name: str, folder: Path) -> Earlier:
    return Earlier(name, read_manifest(folder), read_cases(folder))
