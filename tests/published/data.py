"""Where the recorded data of public studies stands: all of it beside the project, a sample inside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judgekit.records import Judgment, Verdict

HERE = Path(__file__).resolve()
SAMPLE = HERE.parents[1] / "data"
"""Rows whose licences let them stand in this project; see the README there."""
TABLE = HERE.parents[2] / "reports" / "example" / "published.md"


@dataclass(frozen=True)
class Data:
    """A folder of recorded data: all of it, which stands beside the project, or the sample that lies in it."""

    folder: Path

    def rows(self, name: str) -> list[dict[str, Any]]:
        # Not splitlines: the texts hold separators that are no line ends.
        text = (self.folder / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line]


def full_data() -> Data | None:
    """All recorded data, in `shared/data` beside the project or above it; None if it is not there."""
    for folder in HERE.parents:
        if (folder / "shared" / "data" / "expected.json").is_file():
            return Data(folder / "shared" / "data")
    return None


def judgment(case_id: str, verdict: Verdict, *, sample: int = 0, order: str = "") -> Judgment:
    return Judgment(case_id, "", 0, "", "", "", sample, verdict, order=order)
