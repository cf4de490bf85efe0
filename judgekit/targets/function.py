"""A Python function as target."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judgekit.checks.code import find_function
from judgekit.errors import InputError, TargetError
from judgekit.pool import call_within
from judgekit.records import Case, Output, Variant
from judgekit.targets.answer import to_output
from judgekit.targets.base import failed


class FunctionTarget:
    """Calls `function(case)`, which returns a text, a mapping with `output`, or an Output."""

    def __init__(self, variant: Variant, function: Callable[[Case], Any]) -> None:
        self.variant = variant
        self._function = function

    def collect(self, case: Case, trial: int) -> Output:
        """The function's answer; its exception or overrun is an error of this case alone."""
        name = self.variant.name
        start = time.perf_counter()
        try:
            answer = call_within(lambda: self._function(case), self.variant.timeout_s)
            return to_output(answer, case, name, trial, latency_s=time.perf_counter() - start)
        except TimeoutError as problem:
            return failed(case, name, trial, str(problem), "timeout")
        except TargetError as problem:
            return failed(case, name, trial, problem, problem.cause)
        except BaseException as problem:
            # Even sys.exit() or a KeyboardInterrupt is, in a thread of its own, no more than a function that failed.
            return failed(case, name, trial, f"{type(problem).__name__}: {problem}", "target")


def import_function(name: str, folders: tuple[Path, ...]) -> Callable[[Case], Any]:
    """The function named `module:function`, looked up in `folders` before the installed packages.

    Raises:
        InputError: no such module or function, or importing it failed.
    """
    try:
        return find_function(name, folders)
    except ValueError as problem:
        raise InputError(f'function "{name}" {problem}.') from problem
    except SystemExit as problem:
        raise InputError(f'function "{name}" cannot be loaded: its module ends the program.') from problem
