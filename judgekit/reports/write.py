"""Run data in, all report files of a run folder out."""

from __future__ import annotations

from pathlib import Path

from judgekit.frame import RunData
from judgekit.reports.csv_tables import write_cases, write_results
from judgekit.reports.html import write_html
from judgekit.reports.json_files import write_manifest, write_summary
from judgekit.reports.junit import write_junit
from judgekit.reports.markdown import write_markdown

_WRITERS = {
    "manifest.json": write_manifest,
    "summary.json": write_summary,
    "results.csv": write_results,
    "cases.csv": write_cases,
    "junit.xml": write_junit,
    "summary.md": write_markdown,
    "report.html": write_html,
}


def write_reports(run: RunData) -> dict[str, Path]:
    """Write every report into the run's folder, each whole or not at all, and return their paths by file name."""
    paths = {name: run.path / name for name in _WRITERS}
    for name, write in _WRITERS.items():
        write(run, paths[name])
    return paths
