"""The command line: parse, call one public function, print, return an exit code."""

import sys

try:
    from judgekit.cli.main import main
except KeyboardInterrupt:
    # Ctrl-C while modules load: nothing was begun, and a traceback would look like a fault.
    sys.stderr.write("interrupted\n")
    sys.exit(130)

__all__ = ["main"]
