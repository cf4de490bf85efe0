"""The text of a report.html in, what the page holds out: as its script unpacks it."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from typing import Any

_BLOCK = re.compile(r'<script type="text/plain" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')


def blocks(html: str) -> dict[str, Any]:
    """Each block of data by the id of its element; it has to be strict JSON, as browsers want it."""
    return {
        name: json.loads(gzip.decompress(b64decode(packed)), parse_constant=_no_constant)
        for name, packed in _BLOCK.findall(html)
    }


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def opened(html: str) -> dict[str, Any]:
    """The document of a page, as it was before it was packed."""
    found = blocks(html)
    doc: dict[str, Any] = found.pop("data")
    starts = doc.pop("blocks")
    texts = [text for number in range(len(starts)) for text in found[f"texts-{number}"]]
    return doc | {"texts": texts}


def data_of(html: str) -> str:
    """The document of a page as one text to look for words in."""
    return json.dumps(opened(html), ensure_ascii=False)
