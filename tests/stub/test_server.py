"""The stub server as a program of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path


def test_program_serves_and_counts_until_it_is_ended() -> None:
    script = str(Path(__file__).with_name("server.py"))
    command = [sys.executable, script, "--port", "0", "--reply", "fine", "--latency", "0.01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().removeprefix("ready ").strip()
            asked = urllib.request.Request(f"{url}/chat/completions", b'{"model": "m"}')
            with urllib.request.urlopen(asked, timeout=10) as answer:
                body = json.load(answer)
            with urllib.request.urlopen(url, timeout=10) as answer:
                counted = json.load(answer)
        finally:
            server.terminate()

    assert (body["model"], body["choices"][0]["message"]["content"]) == ("m", "fine")
    assert counted == {"n_calls": 1}
