"""`--replay RUN` in; the recorded outputs and replies of that run as what is asked for, out: nobody is asked again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from judgekit.errors import InputError
from judgekit.pipeline.options import Options
from judgekit.store import find_run, read_stream


def replayed(options: Options, out: Path, default: Path) -> Options:
    """The options with outputs and judge of the run to replay; as they are without `replay`.

    Checks, rubrics and gate are those of the files as they are now: a changed check or threshold shows what it does to
    what was answered then.

    Args:
        options: What is asked for.
        out: Folder of the run folders.
        default: Scenarios where no path is given.

    Raises:
        InputError: another source of outputs or verdicts is asked for, too; there is no such run; several judges
            answered in it, whose replies could not be told apart.
    """
    if options.replay is None:
        return options
    given = {
        "--outputs": options.outputs or options.frame is not None,
        "--judge": options.judge,
        "--model": options.model,
        "--variant": options.variants,
        "--resume": options.resume,
        "a target function": options.target,
    }
    others = [name for name, value in given.items() if value]
    if others:
        raise InputError(f"--replay brings outputs and verdicts of its run: leave out {', '.join(others)}.")
    run = find_run(options.replay, out)
    outputs = ((None, run / "outputs.jsonl"),)
    paths = options.paths or (default,)
    # Recorded rows without an output, as of failed calls, are rows all the same.
    read_stream(run, "outputs", needed=True)
    judges = list(dict.fromkeys(str(row.get("judge", "")) for row in read_stream(run, "verdicts", needed=False)))
    if len(judges) > 1:
        raise InputError(
            f"--replay {options.replay}: {len(judges)} judges answered there ({', '.join(judges)}); name an outputs "
            "file and each judge's own replies instead (--outputs, --judge replay:FILE)."
        )
    judge = (f"replay:{run}",) if judges else ()
    return replace(options, paths=paths, outputs=outputs, judge=judge)
