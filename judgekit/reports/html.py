"""Run data in, report.html out: one page that asks nothing of anywhere and holds its data as inert JSON.

Data and view are apart: `judgekit.reports.document` makes the JSON document, the files under `assets/` read it. The
scripts build the page from text nodes only, so markup in an output stays text.
"""

from __future__ import annotations

import html
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from judgekit.frame import RunData
from judgekit.reading.text import without_surrogates
from judgekit.reports.document import document
from judgekit.reports.embedded import json_parts
from judgekit.writing import replacing

_ASSETS = Path(__file__).parent / "assets"
_SCRIPTS = ("data.js", "dom.js", "overview.js", "agents.js", "panel.js", "cases.js", "report.js")


def write_html(run: RunData, path: Path) -> None:
    """Write report.html."""
    with replacing(path) as file:
        for part in page_parts(document(run)):
            file.write(part.encode("utf-8"))


def page(doc: Mapping[str, Any]) -> str:
    """The page of a document made by `judgekit.reports.document.document`."""
    return "".join(page_parts(doc))


def page_parts(doc: Mapping[str, Any]) -> Iterator[str]:
    """The page in parts, so that a large one is written without ever standing in memory as a whole."""
    style, script = _assets()
    decision: Mapping[str, Any] = doc["summary"]["decision"]
    fill = {
        "title": html.escape(without_surrogates(str(doc["title"]))),
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "decision": "Passed" if decision["passed"] else "Not passed",
        "reasons": "".join(f"<li>{html.escape(without_surrogates(str(one)))}</li>" for one in decision["reasons"]),
    }
    # One pass over the template: what is filled in is never searched for placeholders itself.
    for number, piece in enumerate(re.split(r"\{\{(\w+)\}\}", _asset("report.html"))):
        if number % 2 == 0:
            yield piece
        elif piece == "data":
            yield from json_parts(doc)
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
    return f"\n{_asset('report.css')}", "\n" + "\n".join(_asset(name) for name in _SCRIPTS)


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
