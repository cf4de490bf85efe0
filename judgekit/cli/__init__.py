"""The command line: parse, call one public function, print, return an exit code."""

from judgekit.cli.main import main

__all__ = ["main"]
