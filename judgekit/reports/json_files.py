"""Run data in, summary.json and manifest.json out: strict JSON in UTF-8, in the order the run gave it."""

from __future__ import annotations

from pathlib import Path

from judgekit.frame import RunData
from judgekit.writing import write_json


def write_summary(run: RunData, path: Path) -> None:
    """Write summary.json: decision, counts, estimates, cost, comparisons."""
    write_json(path, run.summary)


def write_manifest(run: RunData, path: Path) -> None:
    """Write manifest.json: what was run, with which versions, prompts, judges and parameters."""
    write_json(path, run.manifest)
