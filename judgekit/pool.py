"""Tasks in, results in the same order out: the only place that starts threads."""

from __future__ import annotations

import queue
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any, Generic, TypeVar

from judgekit.errors import RunStopped

T = TypeVar("T")
R = TypeVar("R")

GRACE_S = 10.0
"""How long calls under way may finish after Ctrl-C; a second Ctrl-C does not wait."""


class Interrupts:
    """Ctrl-C as a number to look at while the `with` block lasts; the third one is an exception again.

    As an exception it could strike anywhere, also while a result is being written down. Where signals are handled by
    somebody else, or not at all as in a thread, nothing is changed.
    """

    def __init__(self) -> None:
        self.count = 0
        self._is_ours = False

    def __enter__(self) -> Interrupts:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._is_ours = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 2:
            raise KeyboardInterrupt


@dataclass(frozen=True)
class Pooled(Generic[R]):
    """What came of the tasks."""

    results: list[R | None]
    """In the order of the tasks; None where a task was not finished."""
    interrupted: bool
    stopped: RunStopped | None = None
    """Why the run as a whole could not go on, if it could not."""


def run_tasks(
    tasks: Sequence[T],
    work: Callable[[T], R],
    *,
    concurrency: int,
    lane: Callable[[T], Hashable] | None = None,
    on_done: Callable[[T, R], None] | None = None,
    interrupts: Interrupts | None = None,
    label: str = "",
    progress: bool = False,
) -> Pooled[R]:
    """Do `work` on every task, `concurrency` at a time.

    Args:
        tasks: What to work on.
        work: Must turn its failures into results; RunStopped begins nothing more, any other exception ends the run.
        concurrency: Tasks under way at the same time, at least 1.
        lane: Tasks of one lane run one after the other in their order, as a scripted model needs it.
        on_done: Called in the calling thread as each result arrives, in order of completion.
        interrupts: Ctrl-C so far: after one nothing is begun, and after two nothing is waited for.
        label: Shown beside the progress bar.
        progress: Whether to draw a bar on stderr.

    Example:
        >>> run_tasks([1, 2, 3], lambda n: n * n, concurrency=2).results
        [1, 4, 9]
    """
    results: list[R | None] = [None] * len(tasks)
    interrupts = interrupts or Interrupts()
    if not tasks or interrupts.count:
        return Pooled(results, interrupts.count > 0)
    lanes: dict[Hashable, deque[int]] = {}
    for number, task in enumerate(tasks):
        lanes.setdefault(lane(task) if lane else number, deque()).append(number)
    waiting: queue.SimpleQueue[deque[int] | None] = queue.SimpleQueue()
    for numbers in lanes.values():
        waiting.put(numbers)
    done: queue.SimpleQueue[tuple[int, Any, BaseException | None] | None] = queue.SimpleQueue()
    stop = threading.Event()

    def serve() -> None:
        while (numbers := waiting.get()) is not None:
            while numbers and not stop.is_set():
                number = numbers.popleft()
                try:
                    done.put((number, work(tasks[number]), None))
                except BaseException as problem:
                    if isinstance(problem, RunStopped):
                        stop.set()
                    done.put((number, None, problem))
        done.put(None)

    serving = min(concurrency, len(lanes))
    for _ in range(serving):
        waiting.put(None)
    for _ in range(serving):
        # Daemons: a call that never answers must not keep the process alive.
        threading.Thread(target=serve, daemon=True).start()

    bar = _bar(len(tasks), label, progress)
    deadline: float | None = None
    stopped: RunStopped | None = None
    try:
        while serving:
            if interrupts.count and deadline is None:
                stop.set()
                deadline = time.monotonic() + GRACE_S
                print("interrupted: finishing the calls under way (Ctrl-C again to stop now)", file=sys.stderr)
            if deadline is not None and (interrupts.count > 1 or time.monotonic() >= deadline):
                break
            try:
                # A wait without end cannot be interrupted on every platform; short waits can.
                arrived = done.get(timeout=0.2)
                if arrived is None:
                    serving -= 1
                    continue
                number, result, problem = arrived
                if isinstance(problem, RunStopped):
                    # What is under way is waited for: it is paid for.
                    stopped = stopped or problem
                    continue
                if problem is not None:
                    raise problem
                results[number] = result
                if on_done is not None:
                    on_done(tasks[number], result)
                bar.update()
            except queue.Empty:
                continue
            except KeyboardInterrupt:
                # Signals are somebody else's, who turned this one into an exception; it may strike anywhere.
                interrupts.count += 1
    finally:
        stop.set()
        bar.close()
    return Pooled(results, deadline is not None, stopped)


def call_within(work: Callable[[], R], limit_s: float) -> R:
    """The result of `work`, or TimeoutError after `limit_s` seconds; the call itself is left to end by itself.

    Example:
        >>> call_within(lambda: 7, 1.0)
        7
    """
    box: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def serve() -> None:
        try:
            box.put((work(), None))
        except BaseException as problem:
            box.put((None, problem))

    threading.Thread(target=serve, daemon=True).start()
    try:
        result, problem = box.get(timeout=limit_s)
    except queue.Empty:
        raise TimeoutError(f"no answer within {limit_s:g} s") from None
    if problem is not None:
        raise problem
    return result  # type: ignore[no-any-return]


def _bar(total: int, label: str, progress: bool) -> Any:
    from tqdm import tqdm

    # Off when stderr is no terminal: a log file has no use for a moving bar.
    return tqdm(total=total, desc=label, unit="", disable=not (progress and sys.stderr.isatty()), file=sys.stderr)
