"""Rebuild `reports/example/`: the shipped scenarios, scored with a fixed run id and clock.

python tests/example/build.py
"""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from judgekit.pipeline.options import Options
from judgekit.pipeline.run import run

ROOT = Path(__file__).parent.parent.parent
KEPT = ("report.html", "summary.md", "results.csv", "cases.csv", "junit.xml")


def build(out: Path) -> Path:
    """Score the shipped scenarios into `out/example` and return that folder; what differs by machine is left out."""
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        options = Options(
            out=out, run_id="example", command="judgekit score", clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
        )
        folder = run(options).path
    finally:
        os.chdir(before)
    for path in folder.iterdir():
        if path.name not in KEPT:
            path.unlink()
    return folder


def main() -> None:
    """Put the rebuilt files in the place of the committed ones."""
    with tempfile.TemporaryDirectory() as name:
        made = build(Path(name))
        # published.md and the pictures stay: they are made by `pytest -m published` and pictures.py.
        shutil.copytree(made, ROOT / "reports" / "example", dirs_exist_ok=True)


if __name__ == "__main__":
    main()
