"""The document of a run in, what its page shows where no script runs out: mail previews, text browsers, `grep`."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judgekit.reading.text import without_surrogates
from judgekit.reports.wording import figure, printable, usd

_MOST_CASES = 50
_REASON = 300


def still(doc: Mapping[str, Any]) -> str:
    """HTML of decision, comparisons, every mean with its n, failing cases with reasons, cost and warnings."""
    summary: Mapping[str, Any] = doc["summary"]
    decision, cost = summary["decision"], summary["cost"]
    money = f"Cost: targets {usd(cost['target_usd'])}, judge {usd(cost['judge_usd'])}."
    if cost["unpriced"]:
        money += f" Without a known price: {', '.join(cost['unpriced'])}."
    return "\n".join(
        (
            f"<p><strong>{'Passed' if decision['passed'] else 'Not passed'}</strong></p>",
            _list(decision["reasons"]),
            _list([note for note in (doc["note"], *summary["warnings"]) if note]),
            _list(one["sentence"] for one in summary["comparisons"]),
            _table(
                ("variant", "metric", "mean", "scored", "of"),
                (
                    (one["variant"], one["metric"], figure(one["mean"]), one["n_scored"], one["n_total"])
                    for one in summary["estimates"]
                ),
            ),
            _table(("case", "variant", "status", "reason"), _failing(doc)),
            f"<p>{text(money)}</p>",
        )
    )


def text(value: object) -> str:
    """A value as text of an HTML document: markup, control characters and lone surrogates are shown, never obeyed."""
    return html.escape(without_surrogates(printable(str(value))))


def _failing(doc: Mapping[str, Any]) -> list[Sequence[Any]]:
    table, texts = doc["tables"]["entries"], doc["texts"]

    def cells(name: str) -> list[str]:
        column = table["columns"][name]
        found = column["cells"] if "cells" in column else [column["all"]] * table["rows"]
        return ["" if cell is None else texts[cell] for cell in found]

    rows = zip(*(cells(name) for name in ("case_id", "variant", "status", "reason")), strict=True)
    failing = [row for row in rows if row[2] in ("fail", "error")]
    return [(case_id, variant, status, reason[:_REASON]) for case_id, variant, status, reason in failing[:_MOST_CASES]]


def _list(lines: Iterable[object]) -> str:
    items = "".join(f"<li>{text(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def _table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    body = "\n".join("<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    head = "".join(f"<th>{name}</th>" for name in header)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>" if body else ""
