"""The check that a person writes in Python: python."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import math
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from pydantic import Field, PrivateAttr, ValidationInfo, model_validator

from judgekit.checks.base import Check, NoResult, outcome
from judgekit.checks.wording import as_json, figure
from judgekit.reading.forms import Exact, Text
from judgekit.records import Case, CheckResult, Output, Place
from judgekit.texts.quoting import quote
from judgekit.texts.scrubbing import scrub

_loading = threading.RLock()
_loaded: dict[Path, ModuleType] = {}


class Python(Check):
    """A function of yours decides: `module:function`, called with the output's text, the case and the Output record.

    It takes as many of the three as it has positional parameters, and returns true or false, a number from 0 to 1
    (compared with `pass_at`; without it the check only scores), a pair of either and a reason, or a CheckResult.
    Needs `allow_code: true` in the settings, or `--allow-code`.
    """

    name: ClassVar[str] = "python"
    value: Text = Field(
        description="module:function, looked up in the project's root, the scenario's folder, "
        "then among installed packages."
    )
    pass_at: Exact | None = Field(None, description="Smallest number returned that passes.")
    _function: Any = PrivateAttr(None)
    _takes: int = PrivateAttr(3)

    @model_validator(mode="after")
    def _find(self, info: ValidationInfo) -> Python:
        place = info.context if isinstance(info.context, Place) else Place()
        if not place.allow_code:
            raise ValueError(
                f"would run your code {quote(self.value)}: allow it with `allow_code: true` in the settings or with "
                "--allow-code"
            )
        self._function = find_function(self.value, (place.root, place.folder))
        self._takes = _positional(self._function)
        return self

    def items(self, output: Output, case: Case) -> CheckResult:
        """What the function answers, as a result."""
        given = (output.text, case, output)[: self._takes]
        try:
            answer = self._function(*given)
        # Whatever a person's code raises is its answer for this case alone; the other cases go on.
        except (Exception, SystemExit) as problem:
            raise NoResult("target", f"{self.value} raised {type(problem).__name__}: {_line(problem)}") from problem
        return self._read(answer)

    def _read(self, answer: Any) -> CheckResult:
        if isinstance(answer, CheckResult):
            return answer
        reason = ""
        if isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], str):
            answer, reason = answer
        # numpy's booleans and numbers are no bool or float, and know their plain value.
        answer = answer.item() if hasattr(answer, "item") else answer
        if isinstance(answer, bool):
            return outcome(answer, reason or f"{self.value} returned {str(answer).lower()}")
        if not isinstance(answer, int | float | Fraction) or math.isnan(answer) or not 0 <= answer <= 1:
            raise NoResult(
                "target",
                f"{self.value} returned {as_json(answer, 60)}; wanted true or false, a number from 0 to 1, a pair "
                "of either and a reason, or a CheckResult",
            )
        if self.pass_at is None:
            return CheckResult("scored", answer, reason or f"{self.value} returned {figure(answer)}")
        passed = Fraction(str(answer)) >= self.pass_at
        said = f"{figure(answer, self.pass_at)}, at least {figure(self.pass_at)}"
        return CheckResult("pass" if passed else "fail", answer, f"{said}: {reason}" if reason else said)


def find_function(name: str, folders: tuple[Path, ...]) -> Callable[..., Any]:
    """The function called `module:function`.

    Raises:
        ValueError: not of that form, no such module or function, or the module fails to load.
    """
    module_name, colon, function_name = name.partition(":")
    if not colon or not module_name or not function_name.isidentifier():
        raise ValueError(f"must be module:function, not {quote(name)}")
    if not all(part.isidentifier() for part in module_name.split(".")):
        raise ValueError(f"{quote(module_name)} is no name of a module; write it with dots and without .py")
    module = _load(module_name, folders)
    function = getattr(module, function_name, None)
    if not callable(function):
        raise ValueError(f"names no function: {module_name} has no {quote(function_name)}")
    return function  # type: ignore[no-any-return]


def _load(name: str, folders: tuple[Path, ...]) -> ModuleType:
    parts = name.split(".")
    for folder in folders:
        base = folder.resolve().joinpath(*parts)
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return _load_file(path, folder.resolve())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name and (problem.name == name or name.startswith(problem.name + ".")):
            where = " or ".join(sorted({folder.resolve().as_posix() for folder in folders}))
            raise ValueError(f"names no module: no {name} in {where}, and none is installed") from None
        raise ValueError(f"cannot be loaded: {_line(problem)}") from problem
    except (Exception, SystemExit) as problem:
        raise ValueError(f"cannot be loaded: {type(problem).__name__}: {_line(problem)}") from problem


def _load_file(path: Path, folder: Path) -> ModuleType:
    """The module of a file, under a name of its own: two folders may both have a `checks.py`."""
    with _loading:
        if path in _loaded:
            return _loaded[path]
        unique = f"_judgekit_code_{sha256(str(path).encode()).hexdigest()[:16]}"
        spec = importlib.util.spec_from_file_location(unique, path)
        if spec is None or spec.loader is None:
            raise ValueError(f"cannot be loaded: {path.name} is no Python module")
        module = importlib.util.module_from_spec(spec)
        sys.modules[unique] = module
        try:
            with _on_path(folder):
                spec.loader.exec_module(module)
        except (Exception, SystemExit) as problem:
            del sys.modules[unique]
            raise ValueError(f"cannot be loaded: {type(problem).__name__}: {_line(problem)}") from problem
        _loaded[path] = module
        return module


@contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    """What the module imports from beside it is found while it loads, and only then."""
    before = list(sys.path)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path[:] = before


def _positional(function: Callable[..., Any]) -> int:
    """How many of text, case and output the function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return 3
    number = sum(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) for one in parameters)
    if not number:
        raise ValueError("names a function without parameters; it is called with the text of the output")
    return min(number, 3)


def _line(problem: BaseException) -> str:
    # Before it is cut: half a key would not be known as one.
    return quote(scrub(str(problem)), 200).strip('"')
