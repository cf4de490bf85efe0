"""Run data in, all report files of a run folder out."""

from __future__ import annotations

from pathlib import Path

from judgekit.frame import RunData
from judgekit.reports.csv_tables import write_cases, write_results
from judgekit.reports.document import AS_IN_A_RUN_FOLDER, Shown
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
}


def write_reports(run: RunData, shown: Shown = AS_IN_A_RUN_FOLDER) -> dict[str, Path]:
    """Write every report into the run's folder, each whole or not at all, and return their paths by file name.

    Args:
        run: The run.
        shown: How its page is made.
    """
    paths = {name: run.path / name for name in (*_WRITERS, "report.html")}
    for name, write in _WRITERS.items():
        write(run, paths[name])
    write_html(run, paths["report.html"], shown)
    return paths
