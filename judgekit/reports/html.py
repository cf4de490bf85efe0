"""Run data in, report.html out: one page that asks nothing of anywhere and holds its data as inert letters.

Data and view are apart: `judgekit.reports.document` makes the JSON document, the scripts under `page/` read it (`npm
run build` there bundles them into `assets/`). They build the page from text nodes only, so markup in an output stays
text.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from judgekit.frame import RunData
from judgekit.reports.document import AS_IN_A_RUN_FOLDER, VERSION, Shown, document_and_rest
from judgekit.reports.embedded import blocks
from judgekit.reports.still import still, text
from judgekit.writing import replacing

SIDE = "report.texts.html"
"""Beside a run's report.html, where that had to cut: the whole texts."""
_ASSETS = Path(__file__).parent / "assets"
_PIECE = 200_000
"""Characters that the page of whole texts shows at a time."""


def write_html(run: RunData, path: Path, shown: Shown = AS_IN_A_RUN_FOLDER) -> None:
    """Write report.html, and beside it the texts that it has no room for."""
    doc, rest = document_and_rest(run, replace(shown, side=SIDE))
    side = path.with_name(SIDE)
    if rest:
        write_page(texts_document(doc, rest, report=path.name), side)
    else:
        # What an earlier rendering cut is whole again.
        side.unlink(missing_ok=True)
    write_page(doc, path)


def write_single_file(run: RunData, path: Path, shown: Shown = AS_IN_A_RUN_FOLDER) -> None:
    """Write a page that stands alone, to be mailed: what it has no room for is shortened, and said to be."""
    write_page(document_and_rest(run, replace(shown, side=""))[0], path)


def write_page(doc: Mapping[str, Any], path: Path) -> None:
    """Write the page of a document, whole or not at all."""
    with replacing(path) as file:
        for part in page_parts(doc):
            file.write(part.encode("utf-8"))


def texts_document(doc: Mapping[str, Any], rest: Mapping[int, str], *, report: str) -> dict[str, Any]:
    """The document of the page that holds whole what the page of `doc` cut.

    Args:
        doc: Document of a run.
        rest: Whole texts by their position in it.
        report: File name of the page of `doc`.

    Returns:
        Document of kind "texts": `items` maps a position to [what it is, first piece, pieces] in `texts`.
    """
    names = _names(doc)
    pieces: list[str] = []
    items: dict[str, list[Any]] = {}
    for position, whole in rest.items():
        found = [whole[start : start + _PIECE] for start in range(0, len(whole), _PIECE)]
        items[str(position)] = [names.get(position, "text"), len(pieces), len(found)]
        pieces += found
    return {
        "version": VERSION,
        "kind": "texts",
        "title": f"{doc['title']}: long texts",
        "report": report,
        "items": items,
        "texts": pieces,
        "first": 0,
    }


def _names(doc: Mapping[str, Any]) -> dict[int, str]:
    """What the cut texts are, by position: case, variant and column of their first appearance."""
    tables, texts = doc["tables"], doc["texts"]
    names: dict[int, str] = {}

    def cells(table: str, name: str) -> list[Any]:
        column = tables[table]["columns"].get(name, {"all": None})
        return column["cells"] if "cells" in column else [column["all"]] * tables[table]["rows"]

    case_ids, variants = cells("entries", "case_id"), cells("entries", "variant")
    for table in ("outputs", "verdicts", "results"):
        at = cells("outputs", "entry")
        entries = at if table == "outputs" else [None if o is None else at[o] for o in cells(table, "output")]
        for name, column in tables[table]["columns"].items():
            if column["kind"] == "value":
                continue
            for entry, cell in zip(entries, cells(table, name), strict=True):
                for position in cell if isinstance(cell, list) else [cell]:
                    if entry is not None and str(position) in doc["cut"] and position not in names:
                        case = f"{texts[case_ids[entry]]} · {texts[variants[entry]]}"
                        names[position] = f"{case} · {name.replace('_', ' ')}"
    return names


def page(doc: Mapping[str, Any]) -> str:
    """The page of a document."""
    return "".join(page_parts(doc))


def page_parts(doc: Mapping[str, Any]) -> Iterator[str]:
    """The page in parts, so that a large one is written without ever standing in memory as a whole."""
    style, script = _assets()
    fill = {
        "title": text(doc["title"]),
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "summary": still(doc) if doc["kind"] == "run" else "",
    }
    # One pass over the template: what is filled in is never searched for placeholders itself.
    for number, piece in enumerate(re.split(r"\{\{(\w+)\}\}", _asset("page.html"))):
        if number % 2 == 0:
            yield piece
        elif piece == "data":
            for name, packed in blocks(doc):
                yield f'<script type="text/plain" id="{name}">{packed}</script>\n'
        else:
            yield fill[piece]


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded or sent, and only this very style and script may act."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")


@cache
def _assets() -> tuple[str, str]:
    return f"\n{_asset('page.css')}", f"\n{_asset('page.js')}"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
