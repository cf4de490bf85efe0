"""`reports/example/` is what the shipped scenarios give today."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", BUILD.KEPT)
def test_the_committed_example_is_rebuilt(rebuilt: Path, name: str) -> None:
    made, committed = ((folder / name).read_text("utf-8") for folder in (rebuilt, COMMITTED))
    # `python tests/example/build.py` rebuilds it; look at what changed before committing that.
    assert _without_versions(made) == _without_versions(committed)


def _without_versions(text: str) -> str:
    """The text without the versions of judgekit and Python that made it, which the page shows."""
    return re.sub(r'"versions":\{[^}]*\}', "", text)
