"""A process that imports litellm once, which takes seconds, and forks for each command it is given.

Lines of JSON in: arguments, folder, environ. Out, for each: the pid of the process that runs the command, and when that
has ended its exit code, or minus the number of the signal that ended it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any, NoReturn


def main() -> None:
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    import litellm  # noqa: F401, for the forks

    import judgekit.cli.main
    import judgekit.pipeline.run  # noqa: F401

    # Only the thread that forks goes on in a fork: another one's locks would stay locked for ever.
    assert threading.active_count() == 1
    print("ready", flush=True)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _run(json.loads(line))
        print(pid, flush=True)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(asked: dict[str, Any]) -> NoReturn:
    os.chdir(asked["folder"])
    os.environ.update(asked["environ"])
    for number, name in ((1, "out.txt"), (2, "err.txt")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    sys.argv = ["judgekit", *asked["arguments"]]
    code: Any = 70
    try:
        from judgekit.cli.main import main as command

        command()
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
