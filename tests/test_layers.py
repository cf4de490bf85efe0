"""The house has floors: a room imports only what stands on lower ones. This file holds the table."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "judgekit"

# Rooms of one entry are one room: they may import each other.
FLOORS: list[list[tuple[str, ...]]] = [
    [("errors",)],
    [("records",)],
    [("plugins",), ("reading", "writing")],
    [("scenarios",), ("config",), ("prompts",), ("stats",), ("pool",), ("store",), ("texts",)],
    [("models",), ("checks",), ("rubrics",)],
    [("targets",), ("judges",), ("frame",)],
    [("gate",)],
    [("reports",), ("trust",), ("telemetry",), ("release",)],
    [("pipeline", "api")],
    # The package itself only says where its public names live, and fetches them on first use.
    [("cli", "__main__"), ("__init__",)],
]
FLOOR = {name: floor for floor, rooms in enumerate(FLOORS) for room in rooms for name in room}
ROOM = {name: room for rooms in FLOORS for room in rooms for name in room}

# Slow to import, or eager to reach the network: only inside the function that needs them.
ONLY_INSIDE_FUNCTIONS = ("litellm", "opentelemetry", "pandas", "scipy.stats")


@dataclass(frozen=True)
class Import:
    module: str
    line: int
    inside: bool
    """Inside a function, or for type checkers only."""


def _imports(path: Path) -> Iterator[Import]:
    tree = ast.parse(path.read_text(encoding="utf-8"))

    def walk(node: ast.AST, inside: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            deeper = inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                deeper = True
            if isinstance(child, ast.Import):
                yield from (Import(alias.name, child.lineno, inside) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}:{child.lineno}: a relative import"
                if child.module != "judgekit":
                    yield Import(child.module or "", child.lineno, inside)
                # `from scipy import stats` is an import of scipy.stats, `from judgekit import gate` one of the gate.
                yield from (Import(f"{child.module}.{alias.name}", child.lineno, inside) for alias in child.names)
            else:
                yield from walk(child, deeper)

    yield from walk(tree, False)


def _room_of(module: str) -> str:
    """The room that an import of judgekit.* goes to; a public name stands in the package itself."""
    room = module.split(".")[1] if "." in module else "__init__"
    return room if room in FLOOR else "__init__"


def _modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_a_module_imports_only_lower_floors_or_its_own_room(path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    wrong = [
        f"{_name(path)}:{one.line}: {one.module}"
        for one in _imports(path)
        if one.module.split(".")[0] == "judgekit"
        if ROOM[own] != ROOM[_room_of(one.module)] and FLOOR[own] <= FLOOR[_room_of(one.module)]
    ]

    assert wrong == []


def test_every_module_has_a_floor():
    rooms = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in _modules()}

    assert rooms <= set(FLOOR)


def test_an_import_from_a_higher_floor_would_be_found(tmp_path):
    module = tmp_path / "module.py"
    module.write_text("def late():\n    from judgekit.cli import main\n", encoding="utf-8")

    found = [(one.module, one.inside) for one in _imports(module)]

    assert found == [("judgekit.cli", True), ("judgekit.cli.main", True)]


@pytest.mark.parametrize("path", _modules(), ids=_name)
def test_slow_packages_are_imported_inside_functions_only(path):
    wrong = [
        f"{_name(path)}:{one.line}: {one.module}"
        for one in _imports(path)
        for slow in ONLY_INSIDE_FUNCTIONS
        if not one.inside and (one.module == slow or one.module.startswith(f"{slow}."))
    ]

    assert wrong == []


def test_litellm_is_imported_by_the_live_model_alone():
    users = {_name(path) for path in _modules() for one in _imports(path) if one.module.split(".")[0] == "litellm"}

    assert users <= {"models/live.py"}


def test_threads_start_in_the_pool_alone():
    users = {
        _name(path)
        for path in _modules()
        for one in _imports(path)
        if one.module.split(".")[0] in ("asyncio", "concurrent", "multiprocessing", "queue")
    }

    assert users <= {"pool.py"}
