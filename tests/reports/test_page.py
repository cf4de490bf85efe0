"""The bundle that reports carry is made from the source beside it."""

from __future__ import annotations

import re
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

import judgekit.reports

PAGE = Path(judgekit.reports.__file__).parent / "page"
ASSETS = PAGE.parent / "assets"

node = pytest.mark.skipif(
    not (PAGE / "node_modules").is_dir() or shutil.which("node") is None,
    reason="node or its packages are not there: `npm ci` in judgekit/reports/page installs them",
)


def test_the_bundle_is_up_to_date() -> None:
    # As build.mjs counts it; `npm run build` there makes the bundle anew.
    hashed = sha256()
    sources = [path.relative_to(PAGE) for path in (PAGE / "src").rglob("*") if path.is_file()]
    for name in sorted([*(path.as_posix() for path in sources), "build.mjs", "package-lock.json"]):
        hashed.update(f"{name}\n".encode() + (PAGE / name).read_bytes() + b"\n")
    found = re.search(r"source ([0-9a-f]{64})", (ASSETS / "page.js").read_text(encoding="utf-8"))
    assert found is not None
    assert found[1] == hashed.hexdigest()


def test_the_bundle_carries_the_licences_of_its_libraries() -> None:
    notices = (ASSETS / "page.js").read_text(encoding="utf-8").partition("*/")[0]
    for library in ("preact", "@tanstack/virtual-core", "diff", "markdown-it"):
        assert re.search(rf"^{re.escape(library)} [0-9.]+$", notices, flags=re.MULTILINE)
    assert notices.count("Copyright") >= 4


def test_nothing_in_the_bundle_makes_markup_of_text_or_asks_the_network() -> None:
    script = (ASSETS / "page.js").read_text(encoding="utf-8").partition("*/")[2]
    for way_out in ("fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "importScripts", "eval(", "new Function"):
        assert way_out not in script
    for way_in in ("outerHTML", "insertAdjacentHTML", "document.write", "srcdoc"):
        assert way_in not in script


@node
def test_the_bundle_is_what_its_source_builds(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=PAGE, check=True)
    for name in ("page.js", "page.css"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (ASSETS / name).read_text(encoding="utf-8")


@node
def test_the_unit_tests_of_the_page_pass() -> None:
    done = subprocess.run(["node", "--test", "test/"], cwd=PAGE, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
