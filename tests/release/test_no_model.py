"""The gate can't ask a model: it works where litellm is not there and no socket opens."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
WITHOUT = """
import socket, sys

class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("litellm", "openai", "httpx", "aiohttp", "requests"):
            raise ImportError(f"{name} is not there")

def refuse(*args, **more):
    raise AssertionError("a socket was opened")

sys.meta_path.insert(0, Gone())
socket.socket.__init__ = refuse
socket.create_connection = refuse
socket.getaddrinfo = refuse
"""


def without(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code where nothing can be asked."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT + code], cwd=folder, capture_output=True, text=True, check=False
    )


COMMAND = 'from judgekit.cli import main\nsys.argv = ["judgekit", "gate", "--history", "h.jsonl"]\nmain()'


def test_the_command_needs_neither_litellm_nor_a_socket(shipped):
    # A model and a judge in the settings change nothing.
    shipped.change("judgekit.yaml", "agents:", "model: gpt-4o\njudge: gpt-4o\nagents:")
    done = without(COMMAND, shipped.folder)

    assert done.returncode == 0, done.stderr
    assert "gate passed" in done.stdout
    assert (shipped.folder / done.stdout.splitlines()[-1]).is_file()


def test_it_fails_there_as_well(shipped):
    shipped.change("scenarios/agents/filter_accuracy.yaml", "should_pass: false", "should_pass: true")

    assert without(COMMAND, shipped.folder).returncode == 1


def test_python_needs_neither(shipped):
    code = """
import json
import judgekit as jk
decision = jk.release_gate_check()
slow = [name for name in ("litellm", "pandas", "scipy.stats", "opentelemetry") if name in sys.modules]
print(json.dumps([decision.passed, str(jk.agent_score("ayana")), slow]))
"""
    done = without(code, shipped.folder)

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [True, "9/10", []]


def test_the_gate_of_this_repository_is_green(tmp_path):
    command = [sys.executable, "-m", "judgekit", "gate", "--strict", "--out", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
