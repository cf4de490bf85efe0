"""Recorded judgments of Topical-Chat responses in, an outputs file and a recording for `replay:` out.

The responses, what people said of them and the raw replies of the judge stand beside this project, not in it: their
publication (arXiv:2310.05657) gives no licence to copy them. Run as a script it writes both files into a folder:

    python tests/real_world/build_topical_chat.py FOLDER
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

VARIANT, DIMENSION = "analyze_rate", "naturalness"
"""One of the published prompts, and what it asked for."""


def find_data() -> Path | None:
    """Folder of the data, which stands beside the project or above it; None if it is not there."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "shared" / "data" / "topical_chat").is_dir():
            return folder / "shared" / "data" / "topical_chat"
    return None


def build(data: Path, folder: Path) -> tuple[Path, Path]:
    """Write the outputs file and the recording into a folder; their paths.

    A row of outputs has the case id, the input that the judge saw, the response, and what people said of it on average.
    """
    outputs, replies = folder / "outputs.jsonl", folder / "replies.jsonl"
    _write(
        outputs,
        (
            {
                "case_id": item["item_id"],
                "input": f"{item['history'].strip()}\n\nFact: {item['fact'].strip()}",
                "output": item["response"],
                "human": item["human"][DIMENSION],
            }
            for item in _rows(data / "items.jsonl")
        ),
    )
    _write(
        replies,
        (
            {"case_id": row["item_id"], "rubric": DIMENSION, "sample": sample, "reply": reply}
            for row in _rows(data / "judgments.jsonl")
            if (row["variant"], row["dimension"]) == (VARIANT, DIMENSION)
            for sample, reply in enumerate(row["raw"])
        ),
    )
    return outputs, replies


def _rows(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    found = find_data()
    if found is None or len(sys.argv) != 2:
        sys.exit("usage: build_topical_chat.py FOLDER (and shared/data/topical_chat must stand beside the project)")
    for written in build(found, Path(sys.argv[1])):
        sys.stdout.write(f"{written}\n")
