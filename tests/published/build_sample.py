"""All recorded data in, the sample in `tests/data/` out: whole published figures, from rows that may be copied.

python tests/published/build_sample.py
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
SUBSET = "manual"
"""The smallest subset of LLMBar: 16 rows of its published table."""
REASONS = 100
"""Pairs of PandaLM with the judges' reasons; of the others only labels."""


def sample(data: Path) -> dict[str, str]:
    """Text of each file of the sample, by its name below the folder of the data."""
    items = [one for one in _rows(data / "llmbar/items.jsonl") if one["subset"] == SUBSET]
    chosen = {one["item_id"] for one in items}
    judgments = [one for one in _rows(data / "llmbar/judgments.jsonl") if one["item_id"] in chosen]
    published = [one for one in _rows(data / "llmbar/published.jsonl") if one["subset"] == SUBSET]
    labels = ("item_id", "human", "gpt35_verdict", "pandalm7b_verdict")
    pairs = [
        {name: one[name] for name in (*labels, *(("gpt35_reason", "pandalm7b_reason") if at < REASONS else ()))}
        for at, one in enumerate(_rows(data / "pandalm/pairs.jsonl"))
    ]
    return {
        "llmbar/items.jsonl": _text(items),
        "llmbar/judgments.jsonl": _text(judgments),
        "llmbar/published.jsonl": _text(published),
        "pandalm/pairs.jsonl": _text(pairs),
        "tau_bench/trials.jsonl": _text(_rows(data / "tau_bench/trials.jsonl")),
    }


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


def _text(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def main() -> None:
    """Write the sample beside the tests."""
    data = next((one / "shared/data" for one in HERE.parents if (one / "shared/data/expected.json").is_file()), None)
    if data is None:
        sys.exit("no shared/data beside the project")
    for name, text in sample(data).items():
        path = HERE.parents[1] / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
