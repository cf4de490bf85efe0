"""`reports/example/` is what the shipped scenarios give today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from report_page import opened

HERE = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("build_example", HERE / "build.py")
assert SPEC is not None
assert SPEC.loader is not None
BUILD = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(BUILD)
COMMITTED = BUILD.ROOT / "reports" / "example"


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return BUILD.build(tmp_path_factory.mktemp("reports"))


@pytest.mark.parametrize("name", [name for name in BUILD.KEPT if name != "report.html"])
def test_the_committed_example_is_rebuilt(rebuilt: Path, name: str) -> None:
    made, committed = ((folder / name).read_text("utf-8") for folder in (rebuilt, COMMITTED))
    # `python tests/example/build.py` rebuilds it; look at what changed before committing that.
    assert made == committed


def test_the_page_of_the_committed_example_is_rebuilt(rebuilt: Path) -> None:
    made, committed = ((folder / "report.html").read_text("utf-8") for folder in (rebuilt, COMMITTED))
    assert made.partition("<script")[0] == committed.partition("<script")[0]
    assert made.rpartition("<script>")[2] == committed.rpartition("<script>")[2]
    # Not the packed bytes: another zlib packs the same data otherwise.
    assert _without_versions(opened(made)) == _without_versions(opened(committed))


def _without_versions(doc: dict[str, Any]) -> dict[str, Any]:
    """The document without the versions of judgekit and Python that made it, which the page shows."""
    return doc | {"run": doc["run"] | {"versions": None}}
