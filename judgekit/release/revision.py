"""A project's folder in, the revision of its files out."""

from __future__ import annotations

import subprocess
from pathlib import Path


def revision_of(folder: Path) -> str:
    """The commit that is checked out, with `-dirty` where tracked files differ from it; empty without git."""
    command = [
        "git",
        "--no-optional-locks",
        "-C",
        str(folder),
        "describe",
        "--always",
        "--dirty",
        "--abbrev=40",
        "--exclude=*",
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
