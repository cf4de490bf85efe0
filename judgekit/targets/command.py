"""A program as target: JSON on its standard input, JSON with `output`, or plain text, on its standard output."""

from __future__ import annotations

import atexit
import json
import os
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from typing import Any

from judgekit.errors import InputError, TargetError
from judgekit.records import Case, Output, Variant
from judgekit.targets.answer import to_output
from judgekit.targets.base import failed
from judgekit.texts.scrubbing import scrub

_UNDER_WAY: set[subprocess.Popen[bytes]] = set()
_LAST_S = 5.0
"""How long a process that was killed may take to end."""
_READ = 20_000
"""Characters of a program's last complaints that are looked through for keys."""


class CommandTarget:
    """Runs the variant's command once for each case and trial, in the folder of the file that declares it."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        try:
            self._words = variant.command if len(variant.command) > 1 else tuple(shlex.split(variant.command[0]))
        except ValueError as problem:
            said = f'variant "{variant.name}": the command cannot be read: {problem}; write it as a list of words.'
            raise InputError(said) from None

    def collect(self, case: Case, trial: int) -> Output:
        """The program's answer; a non-zero exit, an overrun or garbage is an error of this case alone."""
        name = self.variant.name
        start = time.perf_counter()
        try:
            answer = _read(self._run(json.dumps(_question(case, self.variant, trial), default=str)))
            return to_output(answer, case, name, trial, latency_s=time.perf_counter() - start)
        except TargetError as problem:
            return failed(case, name, trial, problem, problem.cause)

    def _run(self, question: str) -> bytes:
        limit_s = self.variant.timeout_s
        try:
            # A session of its own: on time-out the program's children are stopped with it.
            process = subprocess.Popen(
                self._words,
                cwd=self.variant.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as problem:
            said = problem.strerror if isinstance(problem, OSError) and problem.strerror else problem
            raise TargetError(f"the command {self._words[0]} can't be started: {said}") from None
        _UNDER_WAY.add(process)
        try:
            answer, complaints = process.communicate(question.encode(), timeout=limit_s)
        except subprocess.TimeoutExpired:
            # Also where the program itself has ended: a child that it left may still hold its standard output.
            _kill(process)
            raise TargetError(f"no answer within {limit_s:g} s", "timeout") from None
        finally:
            if process.poll() is None:
                _kill(process)
            _close(process)
            _UNDER_WAY.discard(process)
        if process.returncode:
            # Before it is cut: half a key would not be known as one.
            tail = scrub(complaints.decode("utf-8", "replace")[-_READ:]).strip()[-300:]
            raise TargetError(f"exit status {process.returncode}" + (f": {tail}" if tail else ""))
        return answer


def _kill(process: subprocess.Popen[bytes]) -> None:
    # It may have ended in the meantime.
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _close(process: subprocess.Popen[bytes]) -> None:
    """Let go of a process without waiting for its pipes: who left the session keeps them open as long as it likes."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=_LAST_S)


@atexit.register
def _kill_all() -> None:
    # A run that was interrupted does not wait for its threads, and what they started would outlive it.
    for process in list(_UNDER_WAY):
        if process.poll() is None:
            _kill(process)


def _question(case: Case, variant: Variant, trial: int) -> dict[str, Any]:
    """What the program is told; never the reference or the expectations, which would give the answer away."""
    return {
        "case_id": case.case_id,
        "input": case.input,
        "turns": list(case.turns),
        "vars": dict(case.vars),
        "context": [{"id": one.id, "text": one.text} for one in case.context or ()],
        "variant": variant.name,
        "params": dict(variant.params),
        "trial": trial,
    }


def _read(answer: bytes) -> Any:
    try:
        text = answer.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise TargetError(f"its standard output is not UTF-8 (byte {problem.start})", "malformed") from None
    if text.lstrip().startswith("{"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text.rstrip("\r\n")
        if isinstance(value, dict) and "output" in value:
            return value
    return text.rstrip("\r\n")
