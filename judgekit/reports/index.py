"""Manifests and summaries of several runs in, one page with each metric over time and links to their reports out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from judgekit.reports.document import VERSION
from judgekit.reports.html import write_page
from judgekit.writing import clean

_ESTIMATE = (
    *("variant", "metric", "kind", "against", "n_scored", "n_total"),
    *("mean", "ci_low", "ci_high", "scale_min", "scale_max"),
)


def write_index(
    runs: Sequence[tuple[Path, Mapping[str, Any], Mapping[str, Any]]], path: Path, *, title: str = ""
) -> None:
    """Write the page.

    Args:
        runs: Folder, manifest and summary of each run.
        path: Where the page goes; links to the reports are relative to it.
        title: Its title; empty for a plain one.
    """
    write_page(index_document(runs, path.parent, title=title), path)


def index_document(
    runs: Sequence[tuple[Path, Mapping[str, Any], Mapping[str, Any]]], folder: Path, *, title: str = ""
) -> dict[str, Any]:
    """The document of kind "index": `runs`, oldest first, each with its decision, counts, cost and estimates."""
    ordered = sorted(runs, key=lambda one: (str(one[1].get("started_at") or ""), one[0].name))
    return {
        "version": VERSION,
        "kind": "index",
        "title": title or "judgekit runs",
        "runs": [clean(_run(*one, folder)) for one in ordered],
        "texts": [],
        "first": 0,
    }


def _run(path: Path, manifest: Mapping[str, Any], summary: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    report = path / "report.html"
    costs = [summary.get("cost", {}).get(key) for key in ("target_usd", "judge_usd")]
    known = [cost for cost in costs if cost is not None]
    return {
        "run_id": summary["run_id"],
        "started_at": manifest.get("started_at"),
        "href": quote(Path(os.path.relpath(report, folder)).as_posix()) if report.is_file() else "",
        "passed": summary["decision"]["passed"],
        "exit_code": summary["decision"]["exit_code"],
        "counts": summary["counts"],
        "cost_usd": sum(known) if known else None,
        "estimates": [{key: one.get(key) for key in _ESTIMATE} for one in summary["estimates"]],
    }
